def __new__(cls, *args: _Any, **kwargs: _Any) -> _Self: ...
@property
def T(self) -> Tensor:
    """A view with all dimensions in reverse order."""
@property
def mT(self) -> Tensor:
    """A view with the last two dimensions exchanged."""
@property
def device(self) -> _device:
    """Where the elements are."""
@property
def dtype(self) -> _dtype:
    """The type of the elements."""
@property
def layout(self) -> _layout:
    """How the elements are found."""
@property
def shape(self) -> Size:
    """The sizes of the dimensions."""
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
def is_cpu(self) -> _bool:
    """Whether the elements are in main memory."""
@property
def is_cuda(self) -> _bool:
    """Always False: there are no CUDA devices."""
@property
def is_meta(self) -> _bool:
    """Whether there are no elements, only a shape and a dtype."""
@property
def is_sparse(self) -> _bool:
    """Always False: all tensors are strided."""
@property
def requires_grad(self) -> _bool:
    """Always False: operations are not recorded."""
def __bool__(self) -> _bool: ...
def __int__(self) -> _int: ...
def __index__(self) -> _int: ...
def __float__(self) -> _float: ...
def __complex__(self) -> _complex: ...
def __len__(self) -> _int: ...
def __hash__(self) -> _int: ...
def __iter__(self) -> _Iterator[Tensor]: ...
def __reversed__(self) -> Tensor: ...
def __getitem__(self, key: _Index, /) -> Tensor: ...
def __setitem__(self, key: _Index, value: Tensor | _Number, /) -> None: ...
def __delitem__(self, key: _Any, /) -> None: ...
def __dlpack__(
    self,
    *,
    stream: _Any = None,
    max_version: _tuple[_int, _int] | None = None,
    dl_device: _tuple[_int, _int] | None = None,
    copy: _bool | None = None,
) -> _Any: ...
def __dlpack_device__(self) -> _tuple[_int, _int]: ...
def _bytes(self) -> _Any: ...
def as_subclass(self, cls: type[_T]) -> _T:
    """The tensor as an instance of a subclass."""
def bfloat16(self) -> Tensor: ...
def bool(self) -> Tensor: ...
def byte(self) -> Tensor: ...
def cdouble(self) -> Tensor: ...
def cfloat(self) -> Tensor: ...
def char(self) -> Tensor: ...
def double(self) -> Tensor: ...
def float(self) -> Tensor: ...
def half(self) -> Tensor: ...
def int(self) -> Tensor: ...
def long(self) -> Tensor: ...
def short(self) -> Tensor: ...
def contiguous(self, *, memory_format: _memory_format = ...) -> Tensor:
    """The tensor itself if it is contiguous, else a copy that is."""
def cpu(self) -> Tensor: ...
def data_ptr(self) -> _int: ...
def dim(self) -> _int:
    """The number of dimensions."""
def element_size(self) -> _int:
    """The number of bytes of an element."""
def is_complex(self) -> _bool: ...
def is_contiguous(self, *, memory_format: _memory_format = ...) -> _bool:
    """Whether the elements lie in row-major order without gaps."""
def is_floating_point(self) -> _bool: ...
def is_signed(self) -> _bool: ...
def item(self) -> _Any:
    """The only element, as a Python number."""
def ndimension(self) -> _int:
    """The number of dimensions."""
def nelement(self) -> _int:
    """The number of elements."""
def new_tensor(self, data: _Any, *, dtype: _dtype | None = None, device: _device | _str | _int | None = None, requires_grad: _bool = False) -> Tensor:
    """A tensor from data, by default with the dtype and on the device of this one."""
def numel(self) -> _int:
    """The number of elements."""
def numpy(self, *, force: _bool = False) -> _np.ndarray[_Any, _Any]:
    """A numpy array over the same memory.

    numpy has no `bfloat16`; with `force=True` such a tensor becomes a `float32` array.
    """
@_overload
def size(self, dim: None = None) -> Size:
    """The sizes of all dimensions."""
@_overload
def size(self, dim: _int) -> _int:
    """The size of one dimension."""
def storage_offset(self) -> _int:
    """Where in its memory the first element is, counted in elements."""
@_overload
def stride(self, dim: None = None) -> _tuple[_int, ...]:
    """The distance between neighbours, in elements, along all dimensions."""
@_overload
def stride(self, dim: _int) -> _int:
    """The distance between neighbours, in elements, along one dimension."""
@_overload
def to(self, device: _device | _str | _int | None = None, dtype: _dtype | None = None, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor with another dtype or on another device, itself if that changes nothing."""
@_overload
def to(self, dtype: _dtype, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor with another dtype, itself if that changes nothing."""
@_overload
def to(self, other: Tensor, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format | None = None) -> Tensor:
    """The tensor with the dtype and on the device of another, itself if that changes nothing."""
def tolist(self) -> _Any:
    """The elements as Python numbers, in lists within lists; a number if there are no dimensions."""
def type_as(self, other: Tensor) -> Tensor:
    """The tensor with the dtype of another."""
def untyped_storage(self) -> Storage:
    """The memory, which views share."""
