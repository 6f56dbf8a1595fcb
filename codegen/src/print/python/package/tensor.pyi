@_overload
def __new__(
    cls,
    data: _Any = ...,
    *,
    device: _device | _str | None = None,
    dtype: _DType | None = None,
    requires_grad: _bool | None = False,
) -> _Self: ...
@_overload
def __new__(
    cls,
    *size: _SupportsIndex,
    device: _device | _str | None = None,
    dtype: _DType | None = None,
    requires_grad: _bool | None = False,
) -> _Self: ...
@_overload
def __new__(
    cls,
    *,
    size: _IntList,
    device: _device | _str | None = None,
    dtype: _DType | None = None,
    requires_grad: _bool | None = False,
) -> _Self: ...
@property
def shape(self) -> _Size:
    """The sizes of the dimensions."""
@property
def dtype(self) -> _dtype:
    """The type of the elements."""
@property
def device(self) -> _device:
    """Where the elements are."""
@property
def layout(self) -> _layout:
    """How the elements are found."""
@property
def ndim(self) -> _int:
    """The number of dimensions."""
@property
def itemsize(self) -> _int:
    """The number of bytes of an element."""
@property
def nbytes(self) -> _int:
    """The number of bytes of all elements, were they without gaps."""
@property
def T(self) -> Tensor:
    """A view with all dimensions in reverse order."""
@property
def mT(self) -> Tensor:
    """A view with the last two dimensions exchanged."""
@property
def H(self) -> Tensor:
    """The conjugate transpose of a matrix; of real numbers a view."""
@property
def mH(self) -> Tensor:
    """The conjugate transpose of each matrix of a batch; of real numbers a view."""
@property
def real(self) -> Tensor:
    """The real parts, as a view; a real tensor is its own."""
@real.setter
def real(self, value: Tensor | _Number) -> None: ...
@property
def imag(self) -> Tensor:
    """The imaginary parts of a complex tensor, as a view; of a real one new zeros."""
@imag.setter
def imag(self, value: Tensor | _Number) -> None: ...
@property
def is_cpu(self) -> _bool:
    """Whether the elements are in main memory."""
@property
def is_meta(self) -> _bool:
    """Whether there are no elements, only a shape and a dtype."""
@property
def is_cuda(self) -> _bool:
    """Always False: there are no CUDA devices."""
@property
def is_sparse(self) -> _bool:
    """Always False: all tensors are strided."""
@property
def requires_grad(self) -> _bool:
    """Whether calls with the tensor are recorded, for gradients."""
@requires_grad.setter
def requires_grad(self, value: _bool) -> None: ...
@property
def grad(self) -> Tensor | None:
    """The gradient that passes left here, or None."""
@grad.setter
def grad(self, value: Tensor | None) -> None: ...
@grad.deleter
def grad(self) -> None: ...
@property
def grad_fn(self) -> _Node | None:
    """The recorded call that made the tensor, or None."""
@property
def is_leaf(self) -> _bool:
    """Whether no recorded call made the tensor."""
@property
def output_nr(self) -> _int:
    """Which output of the recorded call the tensor is."""
@property
def _version(self) -> _int:
    """How often operators have written to the memory."""
@property
def _base(self) -> Tensor | None:
    """The tensor that this one is a view of, or None."""
@property
def retains_grad(self) -> _bool:
    """Whether passes leave a gradient here although the tensor is a result."""
@property
def _backward_hooks(self) -> dict[_int, _Any] | None:
    """The hooks of the gradient by their numbers, or None if there never were any."""
@property
def data(self) -> Tensor:
    """The same memory behind a tensor that is not recorded."""
@data.setter
def data(self, value: Tensor) -> None: ...

def dim(self) -> _int:
    """The number of dimensions."""

def ndimension(self) -> _int:
    """The number of dimensions."""

def numel(self) -> _int:
    """The number of elements."""

def nelement(self) -> _int:
    """The number of elements."""

def element_size(self) -> _int:
    """The number of bytes of an element."""

def storage_offset(self) -> _int:
    """The first element's place in the storage, in elements."""

def data_ptr(self) -> _int:
    """The address of the first element; 0 if there are none."""

def is_inference(self) -> _bool:
    """Whether the tensor was made in inference mode."""

def _is_view(self) -> _bool:
    """Whether the tensor is a view of another one."""

def is_floating_point(self) -> _bool:
    """Whether the elements are real floating-point numbers."""

def is_complex(self) -> _bool:
    """Whether the elements have an imaginary part."""

def is_signed(self) -> _bool:
    """Whether the elements can be negative."""

@_overload
def set_(self) -> Tensor: ...
@_overload
def set_(self, source: _AnyStorage | Tensor) -> Tensor: ...
@_overload
def set_(
    self,
    source: _AnyStorage | Tensor,
    storage_offset: _SupportsIndex,
    size: _IntList,
    stride: _IntList = (),
) -> Tensor:
    """Put the tensor over a storage or over the memory of another tensor, and return it."""

def storage(self) -> TypedStorage:
    """The memory, which views share, as elements of the dtype."""

def untyped_storage(self) -> UntypedStorage:
    """The memory, which views share."""

def item(self) -> _Any:
    """The only element, as a Python number."""

def tolist(self) -> _Any:
    """The elements as Python numbers, in lists within lists."""

@_overload
def size(self, dim: None = None) -> _Size:
    """The sizes of all dimensions."""
@_overload
def size(self, dim: _int) -> _int:
    """The size of one dimension."""

@_overload
def stride(self, dim: None = None) -> _tuple[_int, ...]:
    """The distances between neighbours along all dimensions, in elements."""
@_overload
def stride(self, dim: _int) -> _int:
    """The distance between neighbours along one dimension, in elements."""

def is_contiguous(self, memory_format: _memory_format | None = None) -> _bool:
    """Whether the elements lie in row-major order without gaps, or in that of a format."""

def contiguous(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor itself if it is contiguous, else a copy that is."""

@_overload
def to(
    self,
    device: _device | _str | None = None,
    dtype: _DType | None = None,
    non_blocking: _bool = False,
    copy: _bool = False,
    *,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """The tensor with another dtype, on another device."""
@_overload
def to(
    self,
    dtype: _DType,
    non_blocking: _bool = False,
    copy: _bool = False,
    *,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """The tensor with another dtype."""
@_overload
def to(
    self,
    tensor: Tensor | _Number,
    non_blocking: _bool = False,
    copy: _bool = False,
    *,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """The tensor with the dtype and on the device of another."""

@_overload
def type(self, dtype: None = None, non_blocking: _bool = False) -> _str:
    """The name of the type of tensors that the tensor is of: `opwright.FloatTensor`."""
@_overload
def type(
    self,
    dtype: tensortype | _DType | _str,
    non_blocking: _bool = False,
    *,
    memory_format: _memory_format | None = None,
) -> Tensor:
    """The tensor as one of another type of tensors, or with another dtype."""

def type_as(self, other: Tensor) -> Tensor:
    """The tensor with the dtype of another."""

def new_tensor(
    self,
    data: _Any,
    *,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A tensor from data, by default with the dtype and on the device of this one."""

@_overload
def new(self, data: _Any = ..., *, device: _device | _str | None = None) -> Tensor:
    """A tensor from data, with the dtype and on the device of this one."""
@_overload
def new(self, *size: _SupportsIndex, device: _device | _str | None = None) -> Tensor:
    """A tensor of this size whose elements are not set."""
@_overload
def new(self, *, size: _IntList, device: _device | _str | None = None) -> Tensor:
    """A tensor of this size whose elements are not set."""

def as_subclass(self, cls: _type[_T]) -> _T:
    """The same tensor as an instance of a subclass."""

def numpy(self, *, force: _bool = False) -> _np.ndarray[_Any, _Any]:
    """A numpy array over the same memory."""

def bool(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.bool`."""

def byte(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.uint8`."""

def char(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.int8`."""

def short(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.int16`."""

def int(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.int32`."""

def long(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.int64`."""

def half(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.float16`."""

def bfloat16(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.bfloat16`."""

def float(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.float32`."""

def double(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.float64`."""

def cfloat(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.complex64`."""

def cdouble(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor as `opwright.complex128`."""

def cpu(self, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor in main memory."""

def __bytes__(self) -> bytes: ...
def __bool__(self) -> _bool: ...
def __int__(self) -> _int: ...
def __float__(self) -> _float: ...
def __complex__(self) -> _complex: ...
def __index__(self) -> _int: ...
def __len__(self) -> _int: ...
def __iter__(self) -> _Iterator[Tensor]: ...
def __reversed__(self) -> Tensor: ...
def __hash__(self) -> _int: ...
def __getitem__(self, key: _Any, /) -> Tensor: ...
def __setitem__(self, key: _Any, value: _Any, /) -> None: ...
def __dlpack__(
    self,
    *,
    stream: _Any = None,
    max_version: _tuple[_int, _int] | None = None,
    dl_device: _tuple[_int, _int] | None = None,
    copy: _bool | None = None,
) -> _Any: ...
def __dlpack_device__(self) -> _tuple[_int, _int]: ...
