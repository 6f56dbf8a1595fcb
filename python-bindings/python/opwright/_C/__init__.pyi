# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload

import opwright.return_types
from opwright import Tensor
from typing_extensions import disjoint_base as _disjoint_base

@_final
class dtype:
    """The type of the elements of a tensor."""

    @property
    def is_complex(self) -> _bool: ...
    @property
    def is_floating_point(self) -> _bool: ...
    @property
    def is_signed(self) -> _bool: ...
    @property
    def itemsize(self) -> _int: ...
    @property
    def dtype(self) -> _Any: ...
    def to_complex(self) -> _Self: ...
    def to_real(self) -> _Self: ...
    def __reduce__(self) -> _str: ...

@_final
class layout:
    """How the elements of a tensor are found."""

    def __reduce__(self) -> _str: ...

@_final
class memory_format:
    """The order of the dimensions of a tensor in memory."""

    def __reduce__(self) -> _str: ...

@_final
class device:
    """Where a tensor's memory is: `device("cpu")` or `device("meta")`.

    Tensors on the meta device have a shape and a dtype, and no elements.
    """

    def __new__(cls, type: _device | _str | _int, index: _int | None = None) -> _Self: ...
    @property
    def type(self) -> _str: ...
    @property
    def index(self) -> _int | None: ...
    def __reduce__(self) -> _tuple[_Any, ...]: ...

@_final
class Generator:
    """A source of random numbers.

    Which numbers it gives depends on its seed and on the order of calls, not on
    the number of threads.
    """

    def __new__(cls, device: _device | _str | _int | None = None) -> _Self: ...
    @property
    def device(self) -> _device: ...
    def manual_seed(self, seed: _int) -> Generator: ...
    def seed(self) -> _int: ...
    def initial_seed(self) -> _int: ...
    def get_state(self) -> Tensor: ...
    def set_state(self, state: _Any) -> Generator: ...
    def clone_state(self) -> Generator: ...
    def __reduce__(self) -> _tuple[_Any, ...]: ...
    def __setstate__(self, state: _Any) -> None: ...

from os import PathLike as _PathLike
from typing import NoReturn as _NoReturn

@_disjoint_base
class _AnyStorage:
    """Memory that tensors share."""

    is_cuda: _bool
    is_sparse: _bool

    def __new__(cls, handover: _Any) -> _Self: ...
    @property
    def device(self) -> _device: ...
    def data_ptr(self) -> _int: ...
    def nbytes(self) -> _int: ...
    def size(self) -> _int: ...
    def element_size(self) -> _int: ...
    def tolist(self) -> _list[_Any]: ...
    def clone(self) -> _Self: ...
    def new(self) -> _Self: ...
    def fill_(self, value: _Any) -> _Self: ...
    def copy_(self, source: _AnyStorage, non_blocking: _bool | None = None) -> _Self: ...
    @_overload
    def type(self, dtype: None = None, non_blocking: _bool = False) -> _str: ...
    @_overload
    def type(
        self, dtype: _dtype | _type[_AnyStorage] | _str, non_blocking: _bool = False
    ) -> _Any: ...
    def cpu(self) -> _Self: ...
    def cuda(self, *_args: _Any, **_kwargs: _Any) -> _NoReturn: ...
    def resize_(self, size: _SupportsIndex) -> _Self: ...
    def resizable(self) -> _bool: ...
    def share_memory_(self) -> _Self: ...
    def is_shared(self) -> _bool: ...
    @classmethod
    def from_file(
        cls, filename: _str | _PathLike[_str], shared: _bool = False, size: _int = 0
    ) -> _Self: ...
    @classmethod
    def from_buffer(
        cls,
        buffer: _Any,
        byte_order: _str | None = None,
        count: _int = ...,
        offset: _int = 0,
    ) -> _Self: ...
    def untyped(self) -> UntypedStorage: ...
    def _to(self, dtype: _dtype) -> _Any: ...
    def __len__(self) -> _int: ...
    @_overload
    def __getitem__(self, key: _SupportsIndex, /) -> _Any: ...
    @_overload
    def __getitem__(self, key: _slice, /) -> _Self: ...
    def __setitem__(self, key: _SupportsIndex | _slice, value: _Any, /) -> None: ...
    def __delitem__(self, key: _SupportsIndex | _slice, /) -> None: ...
    def __copy__(self) -> _Self: ...
    def __deepcopy__(self, memo: _Any) -> _Self: ...
    def __reduce_ex__(self, protocol: _Any) -> _tuple[_Any, ...]: ...
    def bool(self) -> BoolStorage: ...
    def byte(self) -> ByteStorage: ...
    def uint16(self) -> UInt16Storage: ...
    def uint32(self) -> UInt32Storage: ...
    def char(self) -> CharStorage: ...
    def short(self) -> ShortStorage: ...
    def int(self) -> IntStorage: ...
    def long(self) -> LongStorage: ...
    def half(self) -> HalfStorage: ...
    def bfloat16(self) -> BFloat16Storage: ...
    def float(self) -> FloatStorage: ...
    def double(self) -> DoubleStorage: ...
    def complex_float(self) -> ComplexFloatStorage: ...
    def complex_double(self) -> ComplexDoubleStorage: ...

class TypedStorage(_AnyStorage):
    """Memory of elements of one dtype: what such classes have in common."""
    def __new__(
        cls,
        *args: _Any,
        dtype: _dtype | None = None,
        device: _device | _str | None = None,
    ) -> _Self: ...

class _BoolStorageBase(TypedStorage):
    dtype: _dtype

class BoolStorage(_BoolStorageBase):
    """Memory of elements of bool."""

class _ByteStorageBase(TypedStorage):
    dtype: _dtype

class ByteStorage(_ByteStorageBase):
    """Memory of elements of uint8."""

class _UInt16StorageBase(TypedStorage):
    dtype: _dtype

class UInt16Storage(_UInt16StorageBase):
    """Memory of elements of uint16."""

class _UInt32StorageBase(TypedStorage):
    dtype: _dtype

class UInt32Storage(_UInt32StorageBase):
    """Memory of elements of uint32."""

class _CharStorageBase(TypedStorage):
    dtype: _dtype

class CharStorage(_CharStorageBase):
    """Memory of elements of int8."""

class _ShortStorageBase(TypedStorage):
    dtype: _dtype

class ShortStorage(_ShortStorageBase):
    """Memory of elements of int16."""

class _IntStorageBase(TypedStorage):
    dtype: _dtype

class IntStorage(_IntStorageBase):
    """Memory of elements of int32."""

class _LongStorageBase(TypedStorage):
    dtype: _dtype

class LongStorage(_LongStorageBase):
    """Memory of elements of int64."""

class _HalfStorageBase(TypedStorage):
    dtype: _dtype

class HalfStorage(_HalfStorageBase):
    """Memory of elements of float16."""

class _BFloat16StorageBase(TypedStorage):
    dtype: _dtype

class BFloat16Storage(_BFloat16StorageBase):
    """Memory of elements of bfloat16."""

class _FloatStorageBase(TypedStorage):
    dtype: _dtype

class FloatStorage(_FloatStorageBase):
    """Memory of elements of float32."""

class _DoubleStorageBase(TypedStorage):
    dtype: _dtype

class DoubleStorage(_DoubleStorageBase):
    """Memory of elements of float64."""

class _ComplexFloatStorageBase(TypedStorage):
    dtype: _dtype

class ComplexFloatStorage(_ComplexFloatStorageBase):
    """Memory of elements of complex64."""

class _ComplexDoubleStorageBase(TypedStorage):
    dtype: _dtype

class ComplexDoubleStorage(_ComplexDoubleStorageBase):
    """Memory of elements of complex128."""

class _UntypedStorageBase(_AnyStorage):
    def __new__(
        cls,
        *args: _Any,
        dtype: _dtype | None = None,
        device: _device | _str | None = None,
    ) -> _Self: ...

class UntypedStorage(_UntypedStorageBase):
    """Memory of bytes."""

Storage = UntypedStorage
StorageBase = _UntypedStorageBase

_dtype: _TypeAlias = dtype
_layout: _TypeAlias = layout
_device: _TypeAlias = device
_memory_format: _TypeAlias = memory_format
_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
class _NumpyDType(_Protocol):
    @property
    def char(self) -> _str: ...
    @property
    def num(self) -> _int: ...

class _NumpyScalar(_Protocol):
    @property
    def dtype(self) -> _Any: ...
    def tobytes(self) -> _Any: ...

_DType: _TypeAlias = (
    _dtype | _type[_float] | _type[_complex] | _NumpyDType | _type[_NumpyScalar]
)

@_disjoint_base
class TensorBase:
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
    def real(self) -> Tensor:
        """The real parts, as a view; a real tensor is its own."""
    @real.setter
    def real(self, value: Tensor | _Number) -> None: ...
    @property
    def imag(self) -> Tensor:
        """The imaginary parts of a complex tensor, as a view."""
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
    @_overload
    def __and__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __and__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __iand__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __iand__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __ilshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __ilshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __ior__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __ior__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __irshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __irshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __ixor__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __ixor__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __lshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __lshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __or__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __or__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __rshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __xor__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __xor__(self, other: _Number, /) -> Tensor: ...
    def abs(self) -> Tensor:
        """The absolute value of each element; of complex numbers the magnitude, as a real number.

        ```python
        >>> opwright.abs(opwright.tensor([-2, 3]))
        tensor([2, 3], dtype=int64, shape=(2,))
        >>> opwright.abs(opwright.tensor([3 + 4j]))
        tensor([5.], dtype=float32, shape=(1,))
        ```
        """
    def absolute(self) -> Tensor:
        """The absolute value of each element; of complex numbers the magnitude, as a real number.

        ```python
        >>> opwright.abs(opwright.tensor([-2, 3]))
        tensor([2, 3], dtype=int64, shape=(2,))
        >>> opwright.abs(opwright.tensor([3 + 4j]))
        tensor([5.], dtype=float32, shape=(1,))
        ```
        """
    def __abs__(self, /) -> Tensor: ...
    def abs_(self) -> Tensor: ...
    def absolute_(self) -> Tensor: ...
    def acos(self) -> Tensor:
        """The arc cosine of each element, in radians; NaN outside of -1 to 1.

        ```python
        >>> opwright.acos(opwright.tensor([1.0, 0.0, -1.0]))
        tensor([0.0000, 1.5708, 3.1416], dtype=float32, shape=(3,))
        ```
        """
    def arccos(self) -> Tensor:
        """The arc cosine of each element, in radians; NaN outside of -1 to 1.

        ```python
        >>> opwright.acos(opwright.tensor([1.0, 0.0, -1.0]))
        tensor([0.0000, 1.5708, 3.1416], dtype=float32, shape=(3,))
        ```
        """
    def acos_(self) -> Tensor: ...
    def arccos_(self) -> Tensor: ...
    def acosh(self) -> Tensor:
        """The inverse hyperbolic cosine of each element; NaN below 1.

        ```python
        >>> opwright.acosh(opwright.tensor([1.0, 2.0]))
        tensor([0.000, 1.317], dtype=float32, shape=(2,))
        ```
        """
    def arccosh(self) -> Tensor:
        """The inverse hyperbolic cosine of each element; NaN below 1.

        ```python
        >>> opwright.acosh(opwright.tensor([1.0, 2.0]))
        tensor([0.000, 1.317], dtype=float32, shape=(2,))
        ```
        """
    def acosh_(self) -> Tensor: ...
    def arccosh_(self) -> Tensor: ...
    def add(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The sum `self + alpha * other`. Truth values add up as `or`.

        ```python
        >>> opwright.add(opwright.tensor([1, 2]), opwright.tensor([10, 20]))
        tensor([11, 22], dtype=int64, shape=(2,))
        >>> opwright.add(opwright.tensor([1, 2]), 0.5, alpha=2)
        tensor([2., 3.], dtype=float32, shape=(2,))
        ```
        """
    def __add__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __radd__(self, other: Tensor | _Number, /) -> Tensor: ...
    def add_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    def __iadd__(self, other: Tensor | _Number, /) -> Tensor: ...
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """`beta * self` plus `alpha` times the sum of the products of all pairs of
        matrices of two batches, `(b, n, k)` and `(b, k, m)`; `self` stretches to
        the shape of one product.

        ```python
        >>> opwright.addbmm(opwright.zeros(2, 2), opwright.ones(3, 2, 4), opwright.ones(3, 4, 2))
        tensor([[12., 12.],
                [12., 12.]], dtype=float32, shape=(2, 2))
        ```
        """
    def addbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor: ...
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """`self + value * tensor1 / tensor2`.

        Raises `RuntimeError` for integers, which would have to be rounded.

        ```python
        >>> opwright.addcdiv(
        ...     opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, 2.0]), opwright.tensor([4.0, 4.0]), value=2
        ... )
        tensor([1.5, 2.0], dtype=float32, shape=(2,))
        ```
        """
    def addcdiv_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor: ...
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor:
        """`self + value * tensor1 * tensor2`.

        ```python
        >>> opwright.addcmul(
        ...     opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, 2.0]), opwright.tensor([4.0, 4.0]), value=2
        ... )
        tensor([ 9., 17.], dtype=float32, shape=(2,))
        ```
        """
    def addcmul_(self, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1) -> Tensor: ...
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """`beta * self + alpha * (mat1 @ mat2)`, where `self` stretches to the product's shape. With
        `beta=0`, `self` is not read, so that a NaN in it does no harm.

        ```python
        >>> opwright.addmm(
        ...     opwright.tensor([10.0, 20.0]), opwright.eye(2), opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
        ... )
        tensor([[11., 22.],
                [13., 24.]], dtype=float32, shape=(2, 2))
        ```
        """
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor: ...
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """`beta * self + alpha * (mat @ vec)`, where `self` stretches to the product's shape. With
        `beta=0`, `self` is not read.

        ```python
        >>> opwright.addmv(
        ...     opwright.tensor([1.0, 1.0]), opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), opwright.tensor([1.0, 1.0]), beta=2
        ... )
        tensor([5., 9.], dtype=float32, shape=(2,))
        ```
        """
    def addmv_(self, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def all(self) -> Tensor:
        """Whether all elements are true, that is not zero, over all dimensions or along `dim`. The
        result is `bool`, but `uint8` for `uint8`. Of no elements all are true.

        ```python
        >>> opwright.all(opwright.tensor([True, False]))
        tensor(False, dtype=bool, shape=())
        >>> opwright.all(opwright.tensor([[1, 2], [0, 3]]), dim=1)
        tensor([ True, False], dtype=bool, shape=(2,))
        ```
        """
    @_overload
    def all(self, dim: _IntList | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def all(self, *, axis: _IntList | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def all(self, dim: _IntList | None = None, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def all(self, *, axis: _IntList | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def all(self, dim: _int, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def all(self, *, axis: _int, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def all(self, dim: _int, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def all(self, *, axis: _int, keepdims: _bool = False) -> Tensor: ...
    def allclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
        """Whether all elements of `self` and `other` are close; see `isclose`.

        ```python
        >>> opwright.allclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, 2.000001]))
        True
        >>> opwright.allclose(opwright.tensor([1.0]), opwright.tensor([1.1]))
        False
        ```
        """
    @_overload
    def amax(self, dim: _int | _IntList | None = (), keepdim: _bool = False) -> Tensor:
        """The greatest element, along all of `dim` or over all dimensions if it is empty; NaN if there
        is one. Raises an error if there is nothing to choose from.

        ```python
        >>> opwright.amax(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        tensor([5, 7], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def amax(self, *, axis: _int | _IntList | None = (), keepdim: _bool = False) -> Tensor: ...
    @_overload
    def amax(self, dim: _int | _IntList | None = (), *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def amax(self, *, axis: _int | _IntList | None = (), keepdims: _bool = False) -> Tensor: ...
    @_overload
    def amin(self, dim: _int | _IntList | None = (), keepdim: _bool = False) -> Tensor:
        """The least element, along all of `dim` or over all dimensions if it is empty; NaN if there is
        one. Raises an error if there is nothing to choose from.

        ```python
        >>> opwright.amin(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        tensor([1, 2], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def amin(self, *, axis: _int | _IntList | None = (), keepdim: _bool = False) -> Tensor: ...
    @_overload
    def amin(self, dim: _int | _IntList | None = (), *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def amin(self, *, axis: _int | _IntList | None = (), keepdims: _bool = False) -> Tensor: ...
    @_overload
    def aminmax(self, *, dim: _int | None = None, keepdim: _bool = False) -> opwright.return_types.aminmax:
        """The least and the greatest element, over all dimensions or along `dim`, as a named tuple
        `(min, max)`.

        ```python
        >>> opwright.aminmax(opwright.tensor([3, 1, 2]))
        aminmax(min=tensor(1, dtype=int64, shape=()), max=tensor(3, dtype=int64, shape=()))
        ```
        """
    @_overload
    def aminmax(self, *, axis: _int | None = None, keepdim: _bool = False) -> opwright.return_types.aminmax: ...
    @_overload
    def aminmax(self, *, dim: _int | None = None, keepdims: _bool = False) -> opwright.return_types.aminmax: ...
    @_overload
    def aminmax(self, *, axis: _int | None = None, keepdims: _bool = False) -> opwright.return_types.aminmax: ...
    def angle(self) -> Tensor:
        """The angle of each complex number in radians; of real ones 0, or pi if they are negative.

        ```python
        >>> opwright.angle(opwright.tensor([1j, -1 + 0j]))
        tensor([1.5708, 3.1416], dtype=float32, shape=(2,))
        >>> opwright.angle(opwright.tensor([2.0, -2.0]))
        tensor([0.0000, 3.1416], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def any(self) -> Tensor:
        """Whether any element is true, that is not zero, over all dimensions or along `dim`. The result
        is `bool`, but `uint8` for `uint8`. Of no elements none is true.

        ```python
        >>> opwright.any(opwright.tensor([True, False]))
        tensor(True, dtype=bool, shape=())
        >>> opwright.any(opwright.tensor([[1, 2], [0, 0]]), dim=1)
        tensor([ True, False], dtype=bool, shape=(2,))
        ```
        """
    @_overload
    def any(self, dim: _IntList | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def any(self, *, axis: _IntList | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def any(self, dim: _IntList | None = None, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def any(self, *, axis: _IntList | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def any(self, dim: _int, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def any(self, *, axis: _int, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def any(self, dim: _int, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def any(self, *, axis: _int, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the greatest element is first found: an index along `dim`, or without `dim` one into the
        flattened tensor. A NaN counts as greatest.

        ```python
        >>> opwright.argmax(opwright.tensor([[1, 5], [7, 2]]))
        tensor(2, dtype=int64, shape=())
        >>> opwright.argmax(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        tensor([1, 0], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def argmax(self, *, axis: _int | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def argmax(self, dim: _int | None = None, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def argmax(self, *, axis: _int | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """Where the least element is first found: an index along `dim`, or without `dim` one into the
        flattened tensor. A NaN counts as least.

        ```python
        >>> opwright.argmin(opwright.tensor([[1, 5], [7, 2]]))
        tensor(0, dtype=int64, shape=())
        >>> opwright.argmin(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        tensor([0, 1], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def argmin(self, *, axis: _int | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def argmin(self, dim: _int | None = None, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def argmin(self, *, axis: _int | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor: ...
    @_overload
    def argsort(self, *, stable: _bool, axis: _int = -1, descending: _bool = False) -> Tensor: ...
    @_overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that would sort the elements along `dim`; equal elements keep
        their order, and NaN counts as greatest.

        ```python
        >>> opwright.argsort(opwright.tensor([3, 1, 2]))
        tensor([1, 2, 0], dtype=int64, shape=(3,))
        >>> opwright.argsort(opwright.tensor([3, 1, 2]), descending=True)
        tensor([0, 2, 1], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def argsort(self, *, axis: _int = -1, descending: _bool = False) -> Tensor: ...
    def argwhere(self) -> Tensor:
        """The indices of all elements that are not zero, one row for each; another name
        of `nonzero`.

        ```python
        >>> opwright.argwhere(opwright.tensor([[0, 1], [1, 1]]))
        tensor([[0, 1],
                [1, 0],
                [1, 1]], dtype=int64, shape=(3, 2))
        ```
        """
    def as_strided(self, size: _IntList, stride: _IntList, storage_offset: _SupportsIndex | None = None) -> Tensor:
        """A view of the memory behind the tensor with this shape and these strides, which count elements
        and may be negative. It begins at `storage_offset`, or where the tensor does.

        Raises `RuntimeError` if the view would reach out of the memory.

        ```python
        >>> opwright.as_strided(opwright.arange(6), (2, 2), (3, 1))
        tensor([[0, 1],
                [3, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    def as_strided_(self, size: _IntList, stride: _IntList, storage_offset: _SupportsIndex | None = None) -> Tensor:
        """Gives the tensor itself another shape and other strides; see `as_strided`."""
    def asin(self) -> Tensor:
        """The arc sine of each element, in radians; NaN outside of -1 to 1.

        ```python
        >>> opwright.asin(opwright.tensor([-1.0, 0.0, 1.0]))
        tensor([-1.5708,  0.0000,  1.5708], dtype=float32, shape=(3,))
        ```
        """
    def arcsin(self) -> Tensor:
        """The arc sine of each element, in radians; NaN outside of -1 to 1.

        ```python
        >>> opwright.asin(opwright.tensor([-1.0, 0.0, 1.0]))
        tensor([-1.5708,  0.0000,  1.5708], dtype=float32, shape=(3,))
        ```
        """
    def asin_(self) -> Tensor: ...
    def arcsin_(self) -> Tensor: ...
    def asinh(self) -> Tensor:
        """The inverse hyperbolic sine of each element.

        ```python
        >>> opwright.asinh(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8814], dtype=float32, shape=(2,))
        ```
        """
    def arcsinh(self) -> Tensor:
        """The inverse hyperbolic sine of each element.

        ```python
        >>> opwright.asinh(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8814], dtype=float32, shape=(2,))
        ```
        """
    def asinh_(self) -> Tensor: ...
    def arcsinh_(self) -> Tensor: ...
    def atan(self) -> Tensor:
        """The arc tangent of each element, in radians.

        ```python
        >>> opwright.atan(opwright.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.7854,  0.0000,  0.7854], dtype=float32, shape=(3,))
        ```
        """
    def arctan(self) -> Tensor:
        """The arc tangent of each element, in radians.

        ```python
        >>> opwright.atan(opwright.tensor([-1.0, 0.0, 1.0]))
        tensor([-0.7854,  0.0000,  0.7854], dtype=float32, shape=(3,))
        ```
        """
    def atan2(self, other: Tensor) -> Tensor:
        """The angle in radians between the x axis and the point (`other`, `self`), from -pi to pi.

        ```python
        >>> opwright.atan2(opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, -1.0]))
        tensor([0.7854, 2.3562], dtype=float32, shape=(2,))
        ```
        """
    def arctan2(self, other: Tensor) -> Tensor:
        """The angle in radians between the x axis and the point (`other`, `self`), from -pi to pi.

        ```python
        >>> opwright.atan2(opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, -1.0]))
        tensor([0.7854, 2.3562], dtype=float32, shape=(2,))
        ```
        """
    def atan2_(self, other: Tensor) -> Tensor: ...
    def arctan2_(self, other: Tensor) -> Tensor: ...
    def atan_(self) -> Tensor: ...
    def arctan_(self) -> Tensor: ...
    def atanh(self) -> Tensor:
        """The inverse hyperbolic tangent of each element; NaN outside of -1 to 1.

        ```python
        >>> opwright.atanh(opwright.tensor([0.0, 0.5]))
        tensor([0.0000, 0.5493], dtype=float32, shape=(2,))
        ```
        """
    def arctanh(self) -> Tensor:
        """The inverse hyperbolic tangent of each element; NaN outside of -1 to 1.

        ```python
        >>> opwright.atanh(opwright.tensor([0.0, 0.5]))
        tensor([0.0000, 0.5493], dtype=float32, shape=(2,))
        ```
        """
    def atanh_(self) -> Tensor: ...
    def arctanh_(self) -> Tensor: ...
    def baddbmm(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """`beta * self + alpha * (batch1 @ batch2)` for batches of matrices, where `self` stretches to
        the product's shape. With `beta=0`, `self` is not read.

        ```python
        >>> opwright.baddbmm(opwright.tensor([1.0]), opwright.ones(2, 1, 3), opwright.ones(2, 3, 1)).flatten()
        tensor([4., 4.], dtype=float32, shape=(2,))
        ```
        """
    def baddbmm_(self, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def bernoulli(self, *, generator: Generator | None = None) -> Tensor:
        """For each element of `self`, a probability, 1 with that probability and else 0. With `p`,
        that is the probability for all elements.

        Raises `RuntimeError` if a probability is not in the range from 0 to 1.

        ```python
        >>> opwright.bernoulli(opwright.tensor([0.0, 1.0]))
        tensor([0., 1.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def bernoulli(self, p: _float, *, generator: Generator | None = None) -> Tensor: ...
    @_overload
    def bernoulli_(self, p: Tensor, *, generator: Generator | None = None) -> Tensor:
        """Fills `self` with 1, each with probability `p`, and 0. `p` is a number or a
        tensor that is broadcast to `self`.

        Raises `RuntimeError` if a probability is not in the range from 0 to 1.
        """
    @_overload
    def bernoulli_(self, p: _float = 0.5, *, generator: Generator | None = None) -> Tensor: ...
    def bincount(self, weights: Tensor | None = None, minlength: _SupportsIndex = 0) -> Tensor:
        """How often each of the numbers from 0 on occurs in a vector of integers that are
        not negative; at least `minlength` numbers are counted. With `weights`, a
        vector of the same length, those of each number are added up instead, as
        `float64`, or as `float32` if that is what they are. The size of the result
        depends on the elements, so there is none on the meta device.

        ```python
        >>> opwright.bincount(opwright.tensor([0, 1, 1, 3]))
        tensor([1, 2, 0, 1], dtype=int64, shape=(4,))
        >>> opwright.bincount(opwright.tensor([0, 1, 1]), weights=opwright.tensor([1.0, 0.5, 0.25]))
        tensor([1.00, 0.75], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def bitwise_and(self, other: Tensor) -> Tensor:
        """The and of the bits of `self` and `other`.

        Only for integers and truth values.

        ```python
        >>> opwright.bitwise_and(opwright.tensor([6, 5]), 3)
        tensor([2, 1], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def bitwise_and(self, other: _Number) -> Tensor: ...
    @_overload
    def __rand__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rand__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def bitwise_and_(self, other: Tensor) -> Tensor: ...
    @_overload
    def bitwise_and_(self, other: _Number) -> Tensor: ...
    @_overload
    def bitwise_left_shift(self, other: Tensor) -> Tensor:
        """`self` with its bits moved up by `other` places, which multiplies by a power of 2.

        Only for integers. A count that is negative or not less than the bits of the dtype moves all
        bits out.

        ```python
        >>> opwright.bitwise_left_shift(opwright.tensor([1, 2]), 3)
        tensor([ 8, 16], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def bitwise_left_shift(self, other: _Number) -> Tensor: ...
    @_overload
    def __rlshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rlshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def bitwise_left_shift_(self, other: Tensor) -> Tensor: ...
    @_overload
    def bitwise_left_shift_(self, other: _Number) -> Tensor: ...
    def bitwise_not(self) -> Tensor:
        """Each element with its bits turned; of truth values the negation.

        Only for integers and truth values.

        ```python
        >>> opwright.bitwise_not(opwright.tensor([0, 5]))
        tensor([-1, -6], dtype=int64, shape=(2,))
        >>> opwright.bitwise_not(opwright.tensor([True, False]))
        tensor([False,  True], dtype=bool, shape=(2,))
        ```
        """
    def __invert__(self, /) -> Tensor: ...
    def bitwise_not_(self) -> Tensor: ...
    @_overload
    def bitwise_or(self, other: Tensor) -> Tensor:
        """The or of the bits of `self` and `other`.

        Only for integers and truth values.

        ```python
        >>> opwright.bitwise_or(opwright.tensor([6, 5]), 8)
        tensor([14, 13], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def bitwise_or(self, other: _Number) -> Tensor: ...
    @_overload
    def __ror__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __ror__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def bitwise_or_(self, other: Tensor) -> Tensor: ...
    @_overload
    def bitwise_or_(self, other: _Number) -> Tensor: ...
    @_overload
    def bitwise_right_shift(self, other: Tensor) -> Tensor:
        """`self` with its bits moved down by `other` places, which divides by a power of 2, rounding
        down.

        Only for integers. A count that is negative or not less than the bits of the dtype moves all
        bits out.

        ```python
        >>> opwright.bitwise_right_shift(opwright.tensor([16, -16]), 2)
        tensor([ 4, -4], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def bitwise_right_shift(self, other: _Number) -> Tensor: ...
    @_overload
    def __rrshift__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rrshift__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def bitwise_right_shift_(self, other: Tensor) -> Tensor: ...
    @_overload
    def bitwise_right_shift_(self, other: _Number) -> Tensor: ...
    @_overload
    def bitwise_xor(self, other: Tensor) -> Tensor:
        """The exclusive or of the bits of `self` and `other`.

        Only for integers and truth values.

        ```python
        >>> opwright.bitwise_xor(opwright.tensor([6, 5]), 3)
        tensor([5, 6], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def bitwise_xor(self, other: _Number) -> Tensor: ...
    @_overload
    def __rxor__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rxor__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def bitwise_xor_(self, other: Tensor) -> Tensor: ...
    @_overload
    def bitwise_xor_(self, other: _Number) -> Tensor: ...
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of two batches of matrices, `(b, n, k)` by `(b, k, m)`, of one dtype; nothing is
        broadcast. With `out_dtype`, half-precision matrices are multiplied to `float32`.

        ```python
        >>> opwright.bmm(opwright.ones(2, 1, 3), opwright.ones(2, 3, 2)).shape
        opwright.Size([2, 1, 2])
        ```
        """
    @_overload
    def broadcast_to(self, size: _IntList) -> Tensor:
        """The tensor stretched to a shape without a copy; another name of `expand`.

        ```python
        >>> opwright.broadcast_to(opwright.tensor([1, 2, 3]), (2, 3))
        tensor([[1, 2, 3],
                [1, 2, 3]], dtype=int64, shape=(2, 3))
        ```
        """
    @_overload
    def broadcast_to(self, *size: _SupportsIndex) -> Tensor:
        """The tensor stretched to a shape without a copy; another name of `expand`.

        ```python
        >>> opwright.broadcast_to(opwright.tensor([1, 2, 3]), (2, 3))
        tensor([[1, 2, 3],
                [1, 2, 3]], dtype=int64, shape=(2, 3))
        ```
        """
    def ceil(self) -> Tensor:
        """The least integer that is not below each element. Integers stay as they are.

        ```python
        >>> opwright.ceil(opwright.tensor([-1.5, 0.2]))
        tensor([-1.,  1.], dtype=float32, shape=(2,))
        ```
        """
    def ceil_(self) -> Tensor: ...
    def cholesky(self, upper: _bool = False) -> Tensor:
        """Cholesky's factor of a matrix; see `linalg.cholesky`.

        ```python
        >>> opwright.cholesky(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
        tensor([[2., 0.],
                [1., 2.]], dtype=float32, shape=(2, 2))
        ```
        """
    @_overload
    def chunk(self, chunks: _int, dim: _int = 0) -> _tuple[Tensor, ...]:
        """At most `chunks` parts along a dimension, all of the same size but the last,
        which may be smaller; they share the memory of the input.

        ```python
        >>> opwright.chunk(opwright.arange(5), 2)
        (tensor([0, 1, 2], dtype=int64, shape=(3,)), tensor([3, 4], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def chunk(self, chunks: _int, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def clamp(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
    @_overload
    def clamp(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Each element, or the nearer end if it is outside of the range from `min` to `max`. Either
        may be left out, but not both. Where `min` is above `max`, the result is `max`.

        ```python
        >>> opwright.clamp(opwright.tensor([-3, 0, 7]), min=-1, max=5)
        tensor([-1,  0,  5], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def clamp_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
    @_overload
    def clamp_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor: ...
    @_overload
    def clamp_max(self, max: Tensor) -> Tensor: ...
    @_overload
    def clamp_max(self, max: _Number) -> Tensor:
        """Each element, or `max` if that is less.

        ```python
        >>> opwright.clamp_max(opwright.tensor([-3, 0, 7]), 5)
        tensor([-3,  0,  5], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def clamp_max_(self, max: Tensor) -> Tensor: ...
    @_overload
    def clamp_max_(self, max: _Number) -> Tensor: ...
    @_overload
    def clamp_min(self, min: Tensor) -> Tensor: ...
    @_overload
    def clamp_min(self, min: _Number) -> Tensor:
        """Each element, or `min` if that is greater.

        ```python
        >>> opwright.clamp_min(opwright.tensor([-3, 0, 7]), -1)
        tensor([-1,  0,  7], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def clamp_min_(self, min: Tensor) -> Tensor: ...
    @_overload
    def clamp_min_(self, min: _Number) -> Tensor: ...
    @_overload
    def clip(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
    @_overload
    def clip(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Another name of `clamp`.

        ```python
        >>> opwright.clip(opwright.tensor([-3, 0, 7]), -1, 5)
        tensor([-1,  0,  5], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def clip_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
    @_overload
    def clip_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor: ...
    def clone(self, *, memory_format: _memory_format | None = None) -> Tensor:
        """A copy of `self` with memory of its own.

        ```python
        >>> x = opwright.tensor([1, 2])
        >>> y = opwright.clone(x)
        >>> y[0] = 9
        >>> x
        tensor([1, 2], dtype=int64, shape=(2,))
        ```
        """
    def conj(self) -> Tensor:
        """The complex conjugates, in memory of their own; real numbers are `self` itself.

        ```python
        >>> opwright.conj(opwright.tensor([1 + 2j]))
        tensor([1.-2.j], dtype=complex64, shape=(1,))
        ```
        """
    def conj_physical(self) -> Tensor:
        """The complex conjugate of each element.

        ```python
        >>> opwright.conj_physical(opwright.tensor([1 + 2j]))
        tensor([1.-2.j], dtype=complex64, shape=(1,))
        ```
        """
    def conj_physical_(self) -> Tensor: ...
    def copy_(self, src: Tensor | _Number, non_blocking: _bool = False) -> Tensor:
        """Writes the elements of `src`, broadcast and cast, to `self`. `non_blocking` changes nothing
        here.
        """
    @_overload
    def copysign(self, other: Tensor) -> Tensor:
        """The magnitude of `self` with the sign of `other`, as floating numbers.

        ```python
        >>> opwright.copysign(opwright.tensor([1.0, -2.0]), -1.0)
        tensor([-1., -2.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def copysign(self, other: _Number) -> Tensor: ...
    @_overload
    def copysign_(self, other: Tensor) -> Tensor: ...
    @_overload
    def copysign_(self, other: _Number) -> Tensor: ...
    def cos(self) -> Tensor:
        """The cosine of each element, an angle in radians.

        ```python
        >>> opwright.cos(opwright.tensor([0.0, 1.0]))
        tensor([1.0000, 0.5403], dtype=float32, shape=(2,))
        ```
        """
    def cos_(self) -> Tensor: ...
    def cosh(self) -> Tensor:
        """The hyperbolic cosine of each element.

        ```python
        >>> opwright.cosh(opwright.tensor([0.0, 1.0]))
        tensor([1.0000, 1.5431], dtype=float32, shape=(2,))
        ```
        """
    def cosh_(self) -> Tensor: ...
    @_overload
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """How many elements are not zero, over all dimensions or along `dim`: one, a
        list, or `None` for all.

        ```python
        >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]))
        tensor(3, dtype=int64, shape=())
        >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]), dim=0)
        tensor([1, 2], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def count_nonzero(self, *, axis: _int | None = None) -> Tensor: ...
    @_overload
    def count_nonzero(self, dim: _IntList) -> Tensor: ...
    @_overload
    def count_nonzero(self, *dim: _SupportsIndex) -> Tensor: ...
    @_overload
    def count_nonzero(self, *, axis: _IntList) -> Tensor: ...
    @_overload
    def cross(self, other: Tensor, dim: _int | None = None) -> Tensor:
        """The cross product along `dim`, or along the first dimension of size three; see
        `linalg.cross`.

        ```python
        >>> opwright.cross(opwright.tensor([1, 0, 0]), opwright.tensor([0, 1, 0]))
        tensor([0, 0, 1], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def cross(self, other: Tensor, *, axis: _int | None = None) -> Tensor: ...
    @_overload
    def cummax(self, dim: _int) -> opwright.return_types.cummax:
        """The greatest elements so far along `dim`, and where they were last found, as
        a named tuple `(values, indices)`. From a NaN on, all are NaN.

        ```python
        >>> opwright.cummax(opwright.tensor([1, 3, 2, 3]), dim=0)
        cummax(values=tensor([1, 3, 3, 3], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
        ```
        """
    @_overload
    def cummax(self, *, axis: _int) -> opwright.return_types.cummax: ...
    @_overload
    def cummin(self, dim: _int) -> opwright.return_types.cummin:
        """The least elements so far along `dim`, and where they were last found, as a
        named tuple `(values, indices)`. From a NaN on, all are NaN.

        ```python
        >>> opwright.cummin(opwright.tensor([3, 1, 2, 1]), dim=0)
        cummin(values=tensor([3, 1, 1, 1], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
        ```
        """
    @_overload
    def cummin(self, *, axis: _int) -> opwright.return_types.cummin: ...
    @_overload
    def cumprod(self, dim: _int, *, dtype: _DType | None = None) -> Tensor:
        """The running product along `dim`: each element is the product of those up to and with it.
        Booleans and integers are multiplied as `int64` unless `dtype` says otherwise; in place, the
        dtype stays.

        ```python
        >>> opwright.cumprod(opwright.tensor([1, 2, 3, 4]), dim=0)
        tensor([ 1,  2,  6, 24], dtype=int64, shape=(4,))
        ```
        """
    @_overload
    def cumprod(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def cumprod_(self, dim: _int, *, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def cumprod_(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def cumsum(self, dim: _int, *, dtype: _DType | None = None) -> Tensor:
        """The running sum along `dim`: each element is the sum of those up to and with it. Booleans and
        integers are added as `int64` unless `dtype` says otherwise; in place, the dtype stays.

        ```python
        >>> opwright.cumsum(opwright.tensor([1, 2, 3, 4]), dim=0)
        tensor([ 1,  3,  6, 10], dtype=int64, shape=(4,))
        >>> opwright.cumsum(opwright.tensor([[1, 2], [3, 4]]), dim=1)
        tensor([[1, 3],
                [3, 7]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def cumsum(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def cumsum_(self, dim: _int, *, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def cumsum_(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    def deg2rad(self) -> Tensor:
        """Each element, an angle in degrees, in radians.

        ```python
        >>> opwright.deg2rad(opwright.tensor([90.0, 180.0]))
        tensor([1.5708, 3.1416], dtype=float32, shape=(2,))
        ```
        """
    def deg2rad_(self) -> Tensor: ...
    def det(self) -> Tensor:
        """The determinant of a square matrix; see `linalg.det`.

        ```python
        >>> opwright.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
        tensor(10., dtype=float32, shape=())
        ```
        """
    def detach(self) -> Tensor:
        """Another handle of the same elements, which records no gradients.

        ```python
        >>> x = opwright.tensor([1, 2])
        >>> opwright.detach(x)[0] = 9
        >>> x
        tensor([9, 2], dtype=int64, shape=(2,))
        ```
        """
    def detach_(self) -> Tensor:
        """Forgets the calls that made the tensor: it is a leaf that requires no gradients."""
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """The diagonal of two dimensions as a new last one in place of both, without a copy. A positive
        `offset` moves it towards higher indices of `dim2`, a negative one towards those of `dim1`.

        ```python
        >>> opwright.diagonal(opwright.tensor([[1, 2], [3, 4]]))
        tensor([1, 4], dtype=int64, shape=(2,))
        >>> opwright.diagonal(opwright.tensor([[1, 2], [3, 4]]), offset=1)
        tensor([2], dtype=int64, shape=(1,))
        ```
        """
    @_overload
    def div(self, other: Tensor | _Number) -> Tensor:
        """The quotient `self / other`. Integers are divided as floating numbers. With `rounding_mode`
        the quotient is rounded, `"trunc"` towards 0 and `"floor"` downwards, and integers stay
        integers.

        Raises `RuntimeError` if an integer is divided by 0 with a `rounding_mode`.

        ```python
        >>> opwright.div(opwright.tensor([7, -7]), 2)
        tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
        >>> opwright.div(opwright.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def div(self, other: Tensor | _Number, *, rounding_mode: _str | None) -> Tensor: ...
    @_overload
    def divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient `self / other`. Integers are divided as floating numbers. With `rounding_mode`
        the quotient is rounded, `"trunc"` towards 0 and `"floor"` downwards, and integers stay
        integers.

        Raises `RuntimeError` if an integer is divided by 0 with a `rounding_mode`.

        ```python
        >>> opwright.div(opwright.tensor([7, -7]), 2)
        tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
        >>> opwright.div(opwright.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def divide(self, other: Tensor | _Number, *, rounding_mode: _str | None) -> Tensor: ...
    def __truediv__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __rtruediv__(self, other: Tensor | _Number, /) -> Tensor: ...
    @_overload
    def div_(self, other: Tensor | _Number) -> Tensor: ...
    @_overload
    def div_(self, other: Tensor | _Number, *, rounding_mode: _str | None) -> Tensor: ...
    @_overload
    def divide_(self, other: Tensor | _Number) -> Tensor: ...
    @_overload
    def divide_(self, other: Tensor | _Number, *, rounding_mode: _str | None) -> Tensor: ...
    def __itruediv__(self, other: Tensor | _Number, /) -> Tensor: ...
    def dot(self, tensor: Tensor) -> Tensor:
        """The sum of the products of corresponding elements of two vectors of one
        dtype and length. Complex numbers are multiplied as they are; see `vdot`.

        ```python
        >>> opwright.dot(opwright.tensor([1, 2, 3]), opwright.tensor([4, 5, 6]))
        tensor(32, dtype=int64, shape=())
        ```
        """
    @_overload
    def dsplit(self, sections: _int) -> _tuple[Tensor, ...]:
        """Parts of equal size one behind the other: along the third of at least three
        dimensions. They share the memory of the input.

        ```python
        >>> left, right = opwright.dsplit(opwright.arange(8).reshape(2, 2, 2), 2)
        >>> left.shape
        opwright.Size([2, 2, 1])
        ```
        """
    @_overload
    def dsplit(self, indices: _IntList) -> _tuple[Tensor, ...]:
        """The parts between these indices of the third of at least three dimensions."""
    @_overload
    def dsplit(self, *indices: _SupportsIndex) -> _tuple[Tensor, ...]:
        """The parts between these indices of the third of at least three dimensions."""
    @_overload
    def eq(self, other: Tensor) -> Tensor:
        """Whether `self` and `other` are equal at each place.

        ```python
        >>> opwright.eq(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
        tensor([ True, False,  True], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def eq(self, other: _Number) -> Tensor: ...
    def __eq__(self, other: _object, /) -> Tensor: ...  # type: ignore[override]
    @_overload
    def eq_(self, other: Tensor) -> Tensor: ...
    @_overload
    def eq_(self, other: _Number) -> Tensor: ...
    def equal(self, other: Tensor) -> _bool:
        """Whether `self` and `other` have the same shape and equal elements.

        ```python
        >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 2]))
        True
        >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 3]))
        False
        ```
        """
    def erf(self) -> Tensor:
        """The error function of each element.

        ```python
        >>> opwright.erf(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8427], dtype=float32, shape=(2,))
        ```
        """
    def erf_(self) -> Tensor: ...
    def erfc(self) -> Tensor:
        """One minus the error function of each element, without losing digits where that is small.

        ```python
        >>> opwright.erfc(opwright.tensor([0.0, 1.0]))
        tensor([1.0000, 0.1573], dtype=float32, shape=(2,))
        ```
        """
    def erfc_(self) -> Tensor: ...
    def exp(self) -> Tensor:
        """e raised to the power of each element.

        ```python
        >>> opwright.exp(opwright.tensor([0.0, 1.0]))
        tensor([1.0000, 2.7183], dtype=float32, shape=(2,))
        ```
        """
    def exp2(self) -> Tensor:
        """2 raised to the power of each element.

        ```python
        >>> opwright.exp2(opwright.tensor([0.0, 3.0]))
        tensor([1., 8.], dtype=float32, shape=(2,))
        ```
        """
    def exp2_(self) -> Tensor: ...
    def exp_(self) -> Tensor: ...
    @_overload
    def expand(self, size: _IntList, *, implicit: _bool = False) -> Tensor:
        """Dimensions of size one stretched to `size` without a copy, after new ones in front; -1 leaves a
        size as it is. Several elements of the result share one place in memory.

        ```python
        >>> opwright.tensor([[1], [2]]).expand(2, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]], dtype=int64, shape=(2, 3))
        ```
        """
    @_overload
    def expand(self, *size: _SupportsIndex, implicit: _bool = False) -> Tensor:
        """Dimensions of size one stretched to `size` without a copy, after new ones in front; -1 leaves a
        size as it is. Several elements of the result share one place in memory.

        ```python
        >>> opwright.tensor([[1], [2]]).expand(2, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]], dtype=int64, shape=(2, 3))
        ```
        """
    def expand_as(self, other: Tensor) -> Tensor:
        """The tensor stretched to the shape of `other` without a copy; see `expand`.

        ```python
        >>> opwright.tensor([[1], [2]]).expand_as(opwright.ones(2, 3))
        tensor([[1, 1, 1],
                [2, 2, 2]], dtype=int64, shape=(2, 3))
        ```
        """
    def expm1(self) -> Tensor:
        """e raised to the power of each element, minus 1, without losing digits near 0.

        ```python
        >>> opwright.expm1(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 1.7183], dtype=float32, shape=(2,))
        ```
        """
    def expm1_(self) -> Tensor: ...
    def exponential_(self, lambd: _float = 1, *, generator: Generator | None = None) -> Tensor:
        """Fills `self` with numbers of the exponential distribution with rate `lambd`.

        Raises `RuntimeError` if `lambd` is not positive.

        ```python
        >>> (opwright.tensor([0.0, 0.0]).exponential_() > 0).all()
        tensor(True, dtype=bool, shape=())
        ```
        """
    @_overload
    def fill_(self, value: Tensor) -> Tensor: ...
    @_overload
    def fill_(self, value: _Number) -> Tensor:
        """Writes `value` to every element of `self`.

        Raises `RuntimeError` if the number does not fit the dtype.
        """
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The dimensions from `start_dim` to `end_dim`, both included, joined into one.
        It shares the memory of the input if the strides allow it, and is a copy
        otherwise. A tensor without dimensions gets one.

        ```python
        >>> opwright.flatten(opwright.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
        >>> opwright.flatten(opwright.ones(2, 3, 4), start_dim=1).shape
        opwright.Size([2, 12])
        ```
        """
    @_overload
    def flip(self, dims: _IntList) -> Tensor:
        """A copy with the indices of these dimensions in reverse order.

        ```python
        >>> opwright.flip(opwright.tensor([[1, 2], [3, 4]]), dims=(0,))
        tensor([[3, 4],
                [1, 2]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def flip(self, *dims: _SupportsIndex) -> Tensor:
        """A copy with the indices of these dimensions in reverse order.

        ```python
        >>> opwright.flip(opwright.tensor([[1, 2], [3, 4]]), dims=(0,))
        tensor([[3, 4],
                [1, 2]], dtype=int64, shape=(2, 2))
        ```
        """
    def fliplr(self) -> Tensor:
        """The columns in reverse order: the second of at least two dimensions mirrored.

        ```python
        >>> opwright.fliplr(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[2, 1],
                [4, 3]], dtype=int64, shape=(2, 2))
        ```
        """
    def flipud(self) -> Tensor:
        """The rows in reverse order: the first dimension mirrored.

        ```python
        >>> opwright.flipud(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[3, 4],
                [1, 2]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def float_power(self, exponent: Tensor) -> Tensor:
        """`self` raised to the power `exponent`, calculated in `float64`, or in
        `complex128` if one of them is complex.

        ```python
        >>> opwright.float_power(opwright.tensor([2, 3]), 2)
        tensor([4., 9.], dtype=float64, shape=(2,))
        ```
        """
    @_overload
    def float_power(self, exponent: _Number) -> Tensor: ...
    @_overload
    def float_power_(self, exponent: Tensor) -> Tensor: ...
    @_overload
    def float_power_(self, exponent: _Number) -> Tensor: ...
    def floor(self) -> Tensor:
        """The greatest integer that is not above each element. Integers stay as they are.

        ```python
        >>> opwright.floor(opwright.tensor([-1.5, 0.2]))
        tensor([-2.,  0.], dtype=float32, shape=(2,))
        ```
        """
    def floor_(self) -> Tensor: ...
    def floor_divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient `self / other`, rounded down.

        Raises `RuntimeError` if an integer is divided by 0.

        ```python
        >>> opwright.floor_divide(opwright.tensor([7, -7]), 2)
        tensor([ 3, -4], dtype=int64, shape=(2,))
        ```
        """
    def __floordiv__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __rfloordiv__(self, other: Tensor | _Number, /) -> Tensor: ...
    def floor_divide_(self, other: Tensor | _Number) -> Tensor: ...
    def __ifloordiv__(self, other: Tensor | _Number, /) -> Tensor: ...
    def fmax(self, other: Tensor) -> Tensor:
        """The greater of `self` and `other` at each place, passing over NaN.

        ```python
        >>> opwright.fmax(opwright.tensor([1.0, float("nan")]), opwright.tensor([3.0, 2.0]))
        tensor([3., 2.], dtype=float32, shape=(2,))
        ```
        """
    def fmin(self, other: Tensor) -> Tensor:
        """The lesser of `self` and `other` at each place, passing over NaN.

        ```python
        >>> opwright.fmin(opwright.tensor([1.0, float("nan")]), opwright.tensor([3.0, 2.0]))
        tensor([1., 2.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def fmod(self, other: Tensor) -> Tensor:
        """The remainder of `self / other`, with the sign of the dividend `self`, as C has it.

        Raises `RuntimeError` if an integer is divided by 0.

        ```python
        >>> opwright.fmod(opwright.tensor([7, -7]), 3)
        tensor([ 1, -1], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def fmod(self, other: _Number) -> Tensor: ...
    @_overload
    def fmod_(self, other: Tensor) -> Tensor: ...
    @_overload
    def fmod_(self, other: _Number) -> Tensor: ...
    def frac(self) -> Tensor:
        """The fraction of each element, with its sign.

        Only for floating numbers.

        ```python
        >>> opwright.frac(opwright.tensor([1.5, -1.25]))
        tensor([ 0.50, -0.25], dtype=float32, shape=(2,))
        ```
        """
    def frac_(self) -> Tensor: ...
    @_overload
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """For every place of `index`, the element there but at that index along dimension `dim`. The
        result has the shape of `index`, which is no larger than the input in the other dimensions.

        Raises `IndexError` for an index out of range.

        ```python
        >>> opwright.gather(opwright.tensor([[1, 2], [3, 4]]), 1, opwright.tensor([[1], [0]]))
        tensor([[2],
                [3]], dtype=int64, shape=(2, 1))
        ```
        """
    @_overload
    def gather(self, *, axis: _int, index: Tensor, sparse_grad: _bool = False) -> Tensor: ...
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor of `self` and `other`, never negative.

        Only for integers.

        ```python
        >>> opwright.gcd(opwright.tensor([12, 7]), opwright.tensor(18))
        tensor([6, 1], dtype=int64, shape=(2,))
        ```
        """
    def gcd_(self, other: Tensor) -> Tensor: ...
    @_overload
    def ge(self, other: Tensor) -> Tensor:
        """Whether `self` is at least `other` at each place.

        ```python
        >>> opwright.ge(opwright.tensor([1, 2, 3]), 2)
        tensor([False,  True,  True], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def ge(self, other: _Number) -> Tensor: ...
    @_overload
    def greater_equal(self, other: Tensor) -> Tensor:
        """Whether `self` is at least `other` at each place.

        ```python
        >>> opwright.ge(opwright.tensor([1, 2, 3]), 2)
        tensor([False,  True,  True], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def greater_equal(self, other: _Number) -> Tensor: ...
    @_overload
    def __ge__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __ge__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def ge_(self, other: Tensor) -> Tensor: ...
    @_overload
    def ge_(self, other: _Number) -> Tensor: ...
    @_overload
    def greater_equal_(self, other: Tensor) -> Tensor: ...
    @_overload
    def greater_equal_(self, other: _Number) -> Tensor: ...
    def ger(self, vec2: Tensor) -> Tensor:
        """Another name of `outer`.

        ```python
        >>> opwright.ger(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def gt(self, other: Tensor) -> Tensor:
        """Whether `self` is greater than `other` at each place.

        ```python
        >>> opwright.gt(opwright.tensor([1, 2, 3]), 2)
        tensor([False, False,  True], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def gt(self, other: _Number) -> Tensor: ...
    @_overload
    def greater(self, other: Tensor) -> Tensor:
        """Whether `self` is greater than `other` at each place.

        ```python
        >>> opwright.gt(opwright.tensor([1, 2, 3]), 2)
        tensor([False, False,  True], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def greater(self, other: _Number) -> Tensor: ...
    @_overload
    def __gt__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __gt__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def gt_(self, other: Tensor) -> Tensor: ...
    @_overload
    def gt_(self, other: _Number) -> Tensor: ...
    @_overload
    def greater_(self, other: Tensor) -> Tensor: ...
    @_overload
    def greater_(self, other: _Number) -> Tensor: ...
    def histc(self, bins: _int = 100, min: _Number = 0, max: _Number = 0) -> Tensor:
        """How many elements lie in each of `bins` intervals of one width between `min`
        and `max`. Elements outside do not count; if both ends are equal, they are
        the least and the greatest element.

        ```python
        >>> opwright.histc(opwright.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
        tensor([0., 2., 1., 0.], dtype=float32, shape=(4,))
        ```
        """
    @_overload
    def histogram(self, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False) -> opwright.return_types.histogram:
        """How many elements lie between each two neighbours of `bins`, which ascend;
        the second result are these edges.
        """
    @_overload
    def histogram(self, bins: _int = 100, *, range: _tuple[_float, ...] | _list[_float] | None = None, weight: Tensor | None = None, density: _bool = False) -> opwright.return_types.histogram:
        """How many elements lie in each of `bins` intervals of one width, and the
        edges of the intervals.

        `range` is the lower end of the first and the upper end of the last
        interval, by default the least and the greatest element. Elements count as
        often as `weight` says; with `density` the result is a density, whose
        integral is 1.

        ```python
        >>> opwright.histogram(opwright.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 3.0))
        histogram(hist=tensor([2., 1.], dtype=float32, shape=(2,)), bin_edges=tensor([0.0, 1.5, 3.0], dtype=float32, shape=(3,)))
        ```
        """
    @_overload
    def hsplit(self, sections: _int) -> _tuple[Tensor, ...]:
        """Parts of equal size side by side: along the second dimension, or along the
        only one. They share the memory of the input.

        ```python
        >>> opwright.hsplit(opwright.arange(4), 2)
        (tensor([0, 1], dtype=int64, shape=(2,)), tensor([2, 3], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def hsplit(self, indices: _IntList) -> _tuple[Tensor, ...]:
        """The parts between these indices of the second dimension, or of the only one."""
    @_overload
    def hsplit(self, *indices: _SupportsIndex) -> _tuple[Tensor, ...]:
        """The parts between these indices of the second dimension, or of the only one."""
    def hypot(self, other: Tensor) -> Tensor:
        """The length `sqrt(self**2 + other**2)` of the hypotenuse, without overflow in between.

        ```python
        >>> opwright.hypot(opwright.tensor([3.0, 5.0]), opwright.tensor([4.0, 12.0]))
        tensor([ 5., 13.], dtype=float32, shape=(2,))
        ```
        """
    def hypot_(self, other: Tensor) -> Tensor: ...
    @_overload
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """A copy with `alpha` times each slice of `source` along a dimension added to the slice at the
        index of the same number.

        ```python
        >>> opwright.index_add(
        ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([0, 2, 2]), opwright.tensor([1, 2, 3])
        ... )
        tensor([1, 0, 5], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def index_add(self, *, axis: _int, index: Tensor, source: Tensor, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def index_add_(self, *, axis: _int, index: Tensor, source: Tensor, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def index_copy(self, dim: _int, index: Tensor, source: Tensor) -> Tensor:
        """A copy with each slice of `source` along a dimension in place of the slice at the index of the
        same number.

        ```python
        >>> opwright.index_copy(
        ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([0, 2]), opwright.tensor([5, 6])
        ... )
        tensor([5, 0, 6], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def index_copy(self, *, axis: _int, index: Tensor, source: Tensor) -> Tensor: ...
    @_overload
    def index_copy_(self, dim: _int, index: Tensor, source: Tensor) -> Tensor: ...
    @_overload
    def index_copy_(self, *, axis: _int, index: Tensor, source: Tensor) -> Tensor: ...
    @_overload
    def index_fill(self, dim: _int, index: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def index_fill(self, *, axis: _int, index: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def index_fill(self, dim: _int, index: Tensor, value: _Number) -> Tensor:
        """A copy with one value in the slices along a dimension at the indices in a vector.

        ```python
        >>> opwright.index_fill(opwright.tensor([1, 2, 3]), 0, opwright.tensor([0, 2]), 9)
        tensor([9, 2, 9], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def index_fill(self, *, axis: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def index_fill_(self, dim: _int, index: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def index_fill_(self, *, axis: _int, index: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def index_fill_(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def index_fill_(self, *, axis: _int, index: Tensor, value: _Number) -> Tensor: ...
    def index_put(self, indices: _tuple[Tensor | None, ...] | _list[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """A copy with `values` at what the indices select; see `index_put_`.

        ```python
        >>> opwright.index_put(
        ...     opwright.tensor([0, 0, 0]), [opwright.tensor([0, 2])], opwright.tensor([5, 6])
        ... )
        tensor([5, 0, 6], dtype=int64, shape=(3,))
        ```
        """
    def index_put_(self, indices: _tuple[Tensor | None, ...] | _list[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
        """Writes `values`, broadcast to what the indices select, to the tensor itself. Where indices
        repeat, the last value stays; with `accumulate` all are added to what is there.
        """
    @_overload
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """The slices along a dimension at the indices in a vector.

        Raises `IndexError` for an index out of range.

        ```python
        >>> opwright.index_select(opwright.tensor([[1, 2], [3, 4]]), 1, opwright.tensor([1, 1, 0]))
        tensor([[2, 2, 1],
                [4, 4, 3]], dtype=int64, shape=(2, 3))
        ```
        """
    @_overload
    def index_select(self, *, axis: _int, index: Tensor) -> Tensor: ...
    def inner(self, other: Tensor) -> Tensor:
        """Sums of products along the last dimension of both sides, whose sizes there
        are equal: `self[i.., k] * other[j.., k]` for all `i` and `j`. With a tensor
        without dimensions, the plain product.

        ```python
        >>> opwright.inner(opwright.tensor([1, 2]), opwright.tensor([[1, 1], [0, 1]]))
        tensor([3, 2], dtype=int64, shape=(2,))
        ```
        """
    def inverse(self) -> Tensor:
        """The inverse of a square matrix; see `linalg.inv`.

        ```python
        >>> opwright.inverse(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.50, 0.00],
                [0.00, 0.25]], dtype=float32, shape=(2, 2))
        ```
        """
    def is_nonzero(self) -> _bool:
        """Whether the only element is anything but 0.

        Raises `RuntimeError` if there is not exactly one.

        ```python
        >>> opwright.is_nonzero(opwright.tensor(3)), opwright.is_nonzero(opwright.tensor([0.0]))
        (True, False)
        ```
        """
    def is_same_size(self, other: Tensor) -> _bool:
        """Whether `self` and `other` have the same shape.

        ```python
        >>> opwright.is_same_size(opwright.ones(2, 3), opwright.zeros(2, 3))
        True
        ```
        """
    def isclose(self, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
        """Whether `self` and `other` are equal at each place, or differ by no more than
        `atol + rtol * abs(other)`. NaN is close to NaN only with `equal_nan`.

        Raises `RuntimeError` if the dtypes differ or a tolerance is negative.

        ```python
        >>> opwright.isclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.000001, 2.1]))
        tensor([ True, False], dtype=bool, shape=(2,))
        ```
        """
    def isfinite(self) -> Tensor:
        """Whether each element is neither infinite nor NaN.

        ```python
        >>> opwright.isfinite(opwright.tensor([1.0, float("inf"), float("nan")]))
        tensor([ True, False, False], dtype=bool, shape=(3,))
        ```
        """
    def isinf(self) -> Tensor:
        """Whether each element is infinite, positive or negative.

        ```python
        >>> opwright.isinf(opwright.tensor([1.0, float("-inf"), float("nan")]))
        tensor([False,  True, False], dtype=bool, shape=(3,))
        ```
        """
    def isnan(self) -> Tensor:
        """Whether each element is not a number.

        ```python
        >>> opwright.isnan(opwright.tensor([1.0, float("inf"), float("nan")]))
        tensor([False, False,  True], dtype=bool, shape=(3,))
        ```
        """
    def isneginf(self) -> Tensor:
        """Whether each element is negative infinity.

        ```python
        >>> opwright.isneginf(opwright.tensor([1.0, float("-inf"), float("inf")]))
        tensor([False,  True, False], dtype=bool, shape=(3,))
        ```
        """
    def isposinf(self) -> Tensor:
        """Whether each element is positive infinity.

        ```python
        >>> opwright.isposinf(opwright.tensor([1.0, float("-inf"), float("inf")]))
        tensor([False, False,  True], dtype=bool, shape=(3,))
        ```
        """
    def isreal(self) -> Tensor:
        """Whether each element has no imaginary part.

        ```python
        >>> opwright.isreal(opwright.tensor([1 + 0j, 1j]))
        tensor([ True, False], dtype=bool, shape=(2,))
        ```
        """
    def kron(self, other: Tensor) -> Tensor:
        """The Kronecker product: each element of `self` times all of `other`, as a
        block in its place. Missing leading dimensions count as of size one.

        ```python
        >>> opwright.kron(opwright.tensor([1, 10]), opwright.tensor([1, 2]))
        tensor([ 1,  2, 10, 20], dtype=int64, shape=(4,))
        ```
        """
    @_overload
    def kthvalue(self, k: _SupportsIndex, dim: _int = -1, keepdim: _bool = False) -> opwright.return_types.kthvalue:
        """The `k`-th least element along `dim`, counted from 1, and where it is, as a named tuple
        `(values, indices)`.

        ```python
        >>> opwright.kthvalue(opwright.tensor([3, 1, 2]), 2)
        kthvalue(values=tensor(2, dtype=int64, shape=()), indices=tensor(2, dtype=int64, shape=()))
        ```
        """
    @_overload
    def kthvalue(self, k: _SupportsIndex, *, axis: _int = -1, keepdim: _bool = False) -> opwright.return_types.kthvalue: ...
    @_overload
    def kthvalue(self, k: _SupportsIndex, dim: _int = -1, *, keepdims: _bool = False) -> opwright.return_types.kthvalue: ...
    @_overload
    def kthvalue(self, k: _SupportsIndex, *, axis: _int = -1, keepdims: _bool = False) -> opwright.return_types.kthvalue: ...
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple of `self` and `other`, never negative.

        Only for integers.

        ```python
        >>> opwright.lcm(opwright.tensor([4, 7]), opwright.tensor(6))
        tensor([12, 42], dtype=int64, shape=(2,))
        ```
        """
    def lcm_(self, other: Tensor) -> Tensor: ...
    @_overload
    def le(self, other: Tensor) -> Tensor:
        """Whether `self` is at most `other` at each place.

        ```python
        >>> opwright.le(opwright.tensor([1, 2, 3]), 2)
        tensor([ True,  True, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def le(self, other: _Number) -> Tensor: ...
    @_overload
    def less_equal(self, other: Tensor) -> Tensor:
        """Whether `self` is at most `other` at each place.

        ```python
        >>> opwright.le(opwright.tensor([1, 2, 3]), 2)
        tensor([ True,  True, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def less_equal(self, other: _Number) -> Tensor: ...
    @_overload
    def __le__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __le__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def le_(self, other: Tensor) -> Tensor: ...
    @_overload
    def le_(self, other: _Number) -> Tensor: ...
    @_overload
    def less_equal_(self, other: Tensor) -> Tensor: ...
    @_overload
    def less_equal_(self, other: _Number) -> Tensor: ...
    @_overload
    def lerp(self, end: Tensor, weight: Tensor) -> Tensor: ...
    @_overload
    def lerp(self, end: Tensor, weight: _Number) -> Tensor:
        """The point between `self` and `end` at `weight`: `self + weight * (end - self)`.

        Raises `RuntimeError` if the dtypes differ.

        ```python
        >>> opwright.lerp(opwright.tensor([0.0, 10.0]), opwright.tensor([1.0, 20.0]), 0.25)
        tensor([ 0.25, 12.50], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def lerp_(self, end: Tensor, weight: Tensor) -> Tensor: ...
    @_overload
    def lerp_(self, end: Tensor, weight: _Number) -> Tensor: ...
    def log(self) -> Tensor:
        """The natural logarithm of each element.

        ```python
        >>> opwright.log(opwright.tensor([1.0, 10.0]))
        tensor([0.0000, 2.3026], dtype=float32, shape=(2,))
        ```
        """
    def log10(self) -> Tensor:
        """The logarithm to base 10 of each element.

        ```python
        >>> opwright.log10(opwright.tensor([1.0, 100.0]))
        tensor([0., 2.], dtype=float32, shape=(2,))
        ```
        """
    def log10_(self) -> Tensor: ...
    def log1p(self) -> Tensor:
        """The natural logarithm of 1 plus each element, without losing digits near 0.

        ```python
        >>> opwright.log1p(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.6931], dtype=float32, shape=(2,))
        ```
        """
    def log1p_(self) -> Tensor: ...
    def log2(self) -> Tensor:
        """The logarithm to base 2 of each element.

        ```python
        >>> opwright.log2(opwright.tensor([1.0, 8.0]))
        tensor([0., 3.], dtype=float32, shape=(2,))
        ```
        """
    def log2_(self) -> Tensor: ...
    def log_(self) -> Tensor: ...
    @_overload
    def log_softmax(self, dim: _int, dtype: _DType | None = None) -> Tensor:
        """The logarithm of `softmax`, computed so that it stays finite. With `dtype`, the input is cast
        first.

        ```python
        >>> opwright.log_softmax(opwright.tensor([1.0, 1.0]), dim=0)
        tensor([-0.6931, -0.6931], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def log_softmax(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    def logaddexp(self, other: Tensor) -> Tensor:
        """`log(exp(self) + exp(other))`, without overflow in between.

        ```python
        >>> opwright.logaddexp(opwright.tensor([0.0]), opwright.tensor([0.0]))
        tensor([0.6931], dtype=float32, shape=(1,))
        ```
        """
    @_overload
    def logcumsumexp(self, dim: _int) -> Tensor:
        """The logarithm of the running sum of exponentials along `dim`, without
        overflow. Integers give the default dtype.

        ```python
        >>> opwright.logcumsumexp(opwright.tensor([0.0, 0.0, 0.0]), dim=0)
        tensor([0.0000, 0.6931, 1.0986], dtype=float32, shape=(3,))
        ```
        """
    @_overload
    def logcumsumexp(self, *, axis: _int) -> Tensor: ...
    def logical_and(self, other: Tensor) -> Tensor:
        """Whether both `self` and `other` are true at each place; everything but 0 is.

        ```python
        >>> opwright.logical_and(opwright.tensor([0, 1, 2]), opwright.tensor([1, 0, 3]))
        tensor([False, False,  True], dtype=bool, shape=(3,))
        ```
        """
    def logical_and_(self, other: Tensor) -> Tensor: ...
    def logical_not(self) -> Tensor:
        """Whether each element is 0.

        ```python
        >>> opwright.logical_not(opwright.tensor([0, 1, 2]))
        tensor([ True, False, False], dtype=bool, shape=(3,))
        ```
        """
    def logical_not_(self) -> Tensor: ...
    def logical_or(self, other: Tensor) -> Tensor:
        """Whether `self` or `other` is true at each place; everything but 0 is.

        ```python
        >>> opwright.logical_or(opwright.tensor([0, 1, 0]), opwright.tensor([1, 0, 0]))
        tensor([ True,  True, False], dtype=bool, shape=(3,))
        ```
        """
    def logical_or_(self, other: Tensor) -> Tensor: ...
    def logical_xor(self, other: Tensor) -> Tensor:
        """Whether exactly one of `self` and `other` is true at each place; everything but 0 is.

        ```python
        >>> opwright.logical_xor(opwright.tensor([0, 1, 2]), opwright.tensor([1, 0, 3]))
        tensor([ True,  True, False], dtype=bool, shape=(3,))
        ```
        """
    def logical_xor_(self, other: Tensor) -> Tensor: ...
    def logit(self, eps: _float | None = None) -> Tensor:
        """The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
        are first brought into the range from `eps` to `1 - eps`.

        ```python
        >>> opwright.logit(opwright.tensor([0.5, 0.75]))
        tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
        >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
        tensor([1.0986], dtype=float32, shape=(1,))
        ```
        """
    def logit_(self, eps: _float | None = None) -> Tensor:
        """The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
        are first brought into the range from `eps` to `1 - eps`.

        ```python
        >>> opwright.logit(opwright.tensor([0.5, 0.75]))
        tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
        >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
        tensor([1.0986], dtype=float32, shape=(1,))
        ```
        """
    @_overload
    def logsumexp(self, dim: _int | _IntList, keepdim: _bool = False) -> Tensor:
        """`log(sum(exp(x)))` along `dim`, one or a list, without overflow. Integers
        give the default dtype; of no elements the result is negative infinity.

        ```python
        >>> opwright.logsumexp(opwright.tensor([0.0, 0.0]), dim=0)
        tensor(0.6931, dtype=float32, shape=())
        ```
        """
    @_overload
    def logsumexp(self, *, axis: _int | _IntList, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def logsumexp(self, dim: _int | _IntList, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def logsumexp(self, *, axis: _int | _IntList, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def lt(self, other: Tensor) -> Tensor:
        """Whether `self` is less than `other` at each place.

        ```python
        >>> opwright.lt(opwright.tensor([1, 2, 3]), 2)
        tensor([ True, False, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def lt(self, other: _Number) -> Tensor: ...
    @_overload
    def less(self, other: Tensor) -> Tensor:
        """Whether `self` is less than `other` at each place.

        ```python
        >>> opwright.lt(opwright.tensor([1, 2, 3]), 2)
        tensor([ True, False, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def less(self, other: _Number) -> Tensor: ...
    @_overload
    def __lt__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __lt__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def lt_(self, other: Tensor) -> Tensor: ...
    @_overload
    def lt_(self, other: _Number) -> Tensor: ...
    @_overload
    def less_(self, other: Tensor) -> Tensor: ...
    @_overload
    def less_(self, other: _Number) -> Tensor: ...
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """The solution of a system with a matrix that was factored; see `linalg.lu_solve`.

        ```python
        >>> LU, pivots = opwright.linalg.lu_factor(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
        >>> opwright.lu_solve(opwright.tensor([[5.0], [6.0]]), LU, pivots)
        tensor([[1.],
                [2.]], dtype=float32, shape=(2, 1))
        ```
        """
    @_overload
    def masked_fill(self, mask: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def masked_fill(self, mask: Tensor, value: _Number) -> Tensor:
        """A copy with one value wherever the mask is true; both are broadcast. The value is a number or a
        tensor without dimensions, and is cast to the dtype of the tensor.

        ```python
        >>> opwright.masked_fill(
        ...     opwright.tensor([1, 2, 3]), opwright.tensor([True, False, True]), 0
        ... )
        tensor([0, 2, 0], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def masked_fill_(self, mask: Tensor, value: Tensor) -> Tensor: ...
    @_overload
    def masked_fill_(self, mask: Tensor, value: _Number) -> Tensor: ...
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """A copy with the elements of `source`, one after the other, wherever the mask is true.

        ```python
        >>> opwright.masked_scatter(
        ...     opwright.tensor([0, 0, 0]), opwright.tensor([True, False, True]), opwright.tensor([5, 6])
        ... )
        tensor([5, 0, 6], dtype=int64, shape=(3,))
        ```
        """
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor: ...
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements at which the mask is true, both broadcast, in row-major order as a vector.

        ```python
        >>> opwright.masked_select(opwright.tensor([1, 2, 3]), opwright.tensor([True, False, True]))
        tensor([1, 3], dtype=int64, shape=(2,))
        ```
        """
    def matmul(self, other: Tensor) -> Tensor:
        """The product of vectors, matrices or batches of matrices, by the numbers of dimensions. Two
        vectors give their dot product, a matrix and a vector a vector, two matrices a matrix; with
        more dimensions, the leading ones are batches, which are broadcast. Both sides have one dtype.

        ```python
        >>> opwright.matmul(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
        tensor([3, 7], dtype=int64, shape=(2,))
        >>> opwright.matmul(opwright.ones(5, 2, 3), opwright.ones(3, 4)).shape
        opwright.Size([5, 2, 4])
        ```
        """
    def __matmul__(self, other: Tensor, /) -> Tensor: ...
    def __rmatmul__(self, other: Tensor, /) -> Tensor: ...
    def matrix_power(self, n: _int) -> Tensor:
        """A power of a square matrix; see `linalg.matrix_power`.

        ```python
        >>> opwright.matrix_power(opwright.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]], dtype=float32, shape=(2, 2))
        ```
        """
    @_overload
    def max(self) -> Tensor:
        """With a tensor alone, its greatest element. With `dim`, the greatest elements along it and
        where they are first found, as a named tuple `(values, indices)`. With two tensors, the
        greater of each pair, as `maximum`. Wherever a NaN takes part, it wins.

        ```python
        >>> opwright.max(opwright.tensor([[1, 5], [7, 2]]))
        tensor(7, dtype=int64, shape=())
        >>> opwright.max(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        max(values=tensor([5, 7], dtype=int64, shape=(2,)), indices=tensor([1, 0], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def max(self, other: Tensor) -> Tensor: ...
    @_overload
    def max(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.max: ...
    @_overload
    def max(self, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.max: ...
    @_overload
    def max(self, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.max: ...
    @_overload
    def max(self, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.max: ...
    def maximum(self, other: Tensor) -> Tensor:
        """The greater of `self` and `other` at each place; NaN if either is.

        ```python
        >>> opwright.maximum(opwright.tensor([1, 5]), opwright.tensor([3, 2]))
        tensor([3, 5], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def mean(self, *, dtype: _DType | None = None) -> Tensor:
        """The arithmetic mean of all elements, or along `dim`, for floating and complex tensors.
        Integers need a floating `dtype`. The mean of no elements is NaN.

        ```python
        >>> opwright.mean(opwright.tensor([1.0, 2.0, 6.0]))
        tensor(3., dtype=float32, shape=())
        >>> opwright.mean(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
        tensor([2., 3.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def mean(self, dim: _int | _IntList | None, keepdim: _bool = False, *, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def mean(self, *, axis: _int | _IntList | None, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def mean(self, dim: _int | _IntList | None, *, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def mean(self, *, axis: _int | _IntList | None, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def median(self) -> Tensor:
        """The element in the middle of the order, the lower of two. With `dim`, those
        along it and where they are, as a named tuple `(values, indices)`. If there
        is a NaN, that is the median.

        ```python
        >>> opwright.median(opwright.tensor([3, 1, 2, 4]))
        tensor(2, dtype=int64, shape=())
        >>> opwright.median(opwright.tensor([[3, 1, 2]]), dim=1)
        median(values=tensor([2], dtype=int64, shape=(1,)), indices=tensor([2], dtype=int64, shape=(1,)))
        ```
        """
    @_overload
    def median(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.median: ...
    @_overload
    def median(self, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.median: ...
    @_overload
    def median(self, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.median: ...
    @_overload
    def median(self, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.median: ...
    @_overload
    def min(self) -> Tensor:
        """With a tensor alone, its least element. With `dim`, the least elements along it and where they
        are first found, as a named tuple `(values, indices)`. With two tensors, the lesser of each
        pair, as `minimum`. Wherever a NaN takes part, it wins.

        ```python
        >>> opwright.min(opwright.tensor([[1, 5], [7, 2]]))
        tensor(1, dtype=int64, shape=())
        >>> opwright.min(opwright.tensor([[1, 5], [7, 2]]), dim=1)
        min(values=tensor([1, 2], dtype=int64, shape=(2,)), indices=tensor([0, 1], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def min(self, other: Tensor) -> Tensor: ...
    @_overload
    def min(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.min: ...
    @_overload
    def min(self, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.min: ...
    @_overload
    def min(self, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.min: ...
    @_overload
    def min(self, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.min: ...
    def minimum(self, other: Tensor) -> Tensor:
        """The lesser of `self` and `other` at each place; NaN if either is.

        ```python
        >>> opwright.minimum(opwright.tensor([1, 5]), opwright.tensor([3, 2]))
        tensor([1, 2], dtype=int64, shape=(2,))
        ```
        """
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices, `(n, k)` by `(k, m)`, of one dtype; nothing is broadcast. With
        `out_dtype`, half-precision matrices are multiplied to `float32`.

        ```python
        >>> opwright.mm(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([[0, 1], [1, 0]]))
        tensor([[2, 1],
                [4, 3]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def moveaxis(self, source: _IntList, destination: _IntList) -> Tensor:
        """Dimensions moved to other positions; another name of `movedim`.

        ```python
        >>> opwright.moveaxis(opwright.ones(2, 3, 4), 0, -1).shape
        opwright.Size([3, 4, 2])
        ```
        """
    @_overload
    def moveaxis(self, source: _int, destination: _int) -> Tensor:
        """One dimension moved to another position; another name of `movedim`."""
    @_overload
    def movedim(self, source: _IntList, destination: _IntList) -> Tensor:
        """Dimensions moved to other positions; the others keep their order. `source`
        and `destination` are of equal length and name each dimension once.

        ```python
        >>> opwright.movedim(opwright.ones(2, 3, 4), 0, -1).shape
        opwright.Size([3, 4, 2])
        ```
        """
    @_overload
    def movedim(self, source: _int, destination: _int) -> Tensor:
        """One dimension moved to another position; the others keep their order."""
    def msort(self) -> Tensor:
        """The elements in ascending order along the first dimension.

        ```python
        >>> opwright.msort(opwright.tensor([[3, 1], [1, 2]]))
        tensor([[1, 1],
                [3, 2]], dtype=int64, shape=(2, 2))
        ```
        """
    def mul(self, other: Tensor | _Number) -> Tensor:
        """The product `self * other`. Truth values multiply as `and`.

        ```python
        >>> opwright.mul(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
        tensor([3, 8], dtype=int64, shape=(2,))
        >>> opwright.tensor([1, 2]) * 0.5
        tensor([0.5, 1.0], dtype=float32, shape=(2,))
        ```
        """
    def multiply(self, other: Tensor | _Number) -> Tensor:
        """The product `self * other`. Truth values multiply as `and`.

        ```python
        >>> opwright.mul(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
        tensor([3, 8], dtype=int64, shape=(2,))
        >>> opwright.tensor([1, 2]) * 0.5
        tensor([0.5, 1.0], dtype=float32, shape=(2,))
        ```
        """
    def __mul__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __rmul__(self, other: Tensor | _Number, /) -> Tensor: ...
    def mul_(self, other: Tensor | _Number) -> Tensor: ...
    def multiply_(self, other: Tensor | _Number) -> Tensor: ...
    def __imul__(self, other: Tensor | _Number, /) -> Tensor: ...
    def mv(self, vec: Tensor) -> Tensor:
        """The product of a matrix `(n, k)` and a vector of `k` elements, of one dtype.

        ```python
        >>> opwright.mv(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
        tensor([3, 7], dtype=int64, shape=(2,))
        ```
        """
    def nan_to_num(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
        infinities (the greatest and the least finite number of the dtype).

        ```python
        >>> opwright.nan_to_num(
        ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
        ... )
        tensor([0., 9., 1.], dtype=float32, shape=(3,))
        ```
        """
    def nan_to_num_(self, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
        """Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
        infinities (the greatest and the least finite number of the dtype).

        ```python
        >>> opwright.nan_to_num(
        ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
        ... )
        tensor([0., 9., 1.], dtype=float32, shape=(3,))
        ```
        """
    @_overload
    def nanmedian(self) -> Tensor:
        """The element in the middle of the order of those that are not NaN, the
        lower of two; otherwise as `median`.

        ```python
        >>> opwright.nanmedian(opwright.tensor([1.0, float("nan"), 3.0]))
        tensor(1., dtype=float32, shape=())
        ```
        """
    @_overload
    def nanmedian(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.nanmedian: ...
    @_overload
    def nanmedian(self, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.nanmedian: ...
    @_overload
    def nanmedian(self, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.nanmedian: ...
    @_overload
    def nanmedian(self, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.nanmedian: ...
    @_overload
    def nansum(self, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None) -> Tensor:
        """The sum of all elements but NaN, along dimensions as in `sum`.

        ```python
        >>> opwright.nansum(opwright.tensor([1.0, float("nan"), 3.0]))
        tensor(4., dtype=float32, shape=())
        ```
        """
    @_overload
    def nansum(self, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def nansum(self, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def nansum(self, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def narrow(self, dim: _int, start: Tensor, length: _SupportsIndex) -> Tensor: ...
    @_overload
    def narrow(self, *, axis: _int, start: Tensor, length: _SupportsIndex) -> Tensor: ...
    @_overload
    def narrow(self, dim: _int, start: _SupportsIndex, length: _SupportsIndex) -> Tensor:
        """The `length` indices of a dimension from `start` on, without a copy. `start` may count from the
        end, and may be a tensor without dimensions.

        ```python
        >>> opwright.narrow(opwright.tensor([1, 2, 3, 4]), 0, 1, 2)
        tensor([2, 3], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def narrow(self, *, axis: _int, start: _SupportsIndex, length: _SupportsIndex) -> Tensor: ...
    @_overload
    def ne(self, other: Tensor) -> Tensor:
        """Whether `self` and `other` differ at each place.

        ```python
        >>> opwright.ne(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
        tensor([False,  True, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def ne(self, other: _Number) -> Tensor: ...
    @_overload
    def not_equal(self, other: Tensor) -> Tensor:
        """Whether `self` and `other` differ at each place.

        ```python
        >>> opwright.ne(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
        tensor([False,  True, False], dtype=bool, shape=(3,))
        ```
        """
    @_overload
    def not_equal(self, other: _Number) -> Tensor: ...
    def __ne__(self, other: _object, /) -> Tensor: ...  # type: ignore[override]
    @_overload
    def ne_(self, other: Tensor) -> Tensor: ...
    @_overload
    def ne_(self, other: _Number) -> Tensor: ...
    @_overload
    def not_equal_(self, other: Tensor) -> Tensor: ...
    @_overload
    def not_equal_(self, other: _Number) -> Tensor: ...
    def neg(self) -> Tensor:
        """The negative of each element.

        Raises `RuntimeError` for truth values; `~` and `logical_not` negate those.

        ```python
        >>> opwright.neg(opwright.tensor([1, -2]))
        tensor([-1,  2], dtype=int64, shape=(2,))
        ```
        """
    def negative(self) -> Tensor:
        """The negative of each element.

        Raises `RuntimeError` for truth values; `~` and `logical_not` negate those.

        ```python
        >>> opwright.neg(opwright.tensor([1, -2]))
        tensor([-1,  2], dtype=int64, shape=(2,))
        ```
        """
    def __neg__(self, /) -> Tensor: ...
    def neg_(self) -> Tensor: ...
    def negative_(self) -> Tensor: ...
    @_overload
    def new_empty(self, size: _IntList, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` with the dtype and device of `self`, unless said
        otherwise. The elements are not set: they read as 0 until written.

        ```python
        >>> opwright.tensor([1, 2]).new_empty(3).dtype
        opwright.int64
        ```
        """
    @_overload
    def new_empty(self, *size: _SupportsIndex, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` with the dtype and device of `self`, unless said
        otherwise. The elements are not set: they read as 0 until written.

        ```python
        >>> opwright.tensor([1, 2]).new_empty(3).dtype
        opwright.int64
        ```
        """
    def new_empty_strided(self, size: _IntList, stride: _IntList, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` whose neighbours along each dimension are `stride`
        elements apart, with the dtype and device of `self`, unless said otherwise.

        ```python
        >>> opwright.tensor([1, 2]).new_empty_strided((2, 3), (1, 2)).stride()
        (1, 2)
        ```
        """
    def new_full(self, size: _IntList, fill_value: _Number, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` filled with `fill_value`, with the dtype and device
        of `self`, unless said otherwise.

        ```python
        >>> opwright.tensor([1.0, 2.0]).new_full((2,), 7)
        tensor([7., 7.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def new_ones(self, size: _IntList, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` filled with 1, with the dtype and device of `self`,
        unless said otherwise.

        ```python
        >>> opwright.tensor([1, 2]).new_ones(3)
        tensor([1, 1, 1], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def new_ones(self, *size: _SupportsIndex, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` filled with 1, with the dtype and device of `self`,
        unless said otherwise.

        ```python
        >>> opwright.tensor([1, 2]).new_ones(3)
        tensor([1, 1, 1], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def new_zeros(self, size: _IntList, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` filled with 0, with the dtype and device of `self`,
        unless said otherwise.

        ```python
        >>> opwright.tensor([1, 2]).new_zeros(3)
        tensor([0, 0, 0], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def new_zeros(self, *size: _SupportsIndex, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
        """A tensor of shape `size` filled with 0, with the dtype and device of `self`,
        unless said otherwise.

        ```python
        >>> opwright.tensor([1, 2]).new_zeros(3)
        tensor([0, 0, 0], dtype=int64, shape=(3,))
        ```
        """
    def nonzero(self) -> Tensor:
        """The indices of all elements that are not zero, a row for each, in row-major order.

        ```python
        >>> opwright.nonzero(opwright.tensor([0, 3, 0, 5]))
        tensor([[1],
                [3]], dtype=int64, shape=(2, 1))
        >>> opwright.nonzero(opwright.tensor([[0, 1], [1, 0]]))
        tensor([[0, 1],
                [1, 0]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def norm(self, p: _Number = 2) -> Tensor:
        """The `p`-norm of all elements, or along `dim`: `(sum |x|^p)^(1/p)`, with `p` infinite the
        greatest `|x|`, with `p` zero the number of elements that are not zero. `p=None` is 2. Takes
        floating and complex tensors; the norm of complex numbers is real. With `dtype`, the elements
        are cast first.

        ```python
        >>> opwright.norm(opwright.tensor([3.0, 4.0]))
        tensor(5., dtype=float32, shape=())
        >>> opwright.norm(opwright.tensor([[1.0, -2.0], [3.0, 4.0]]), p=1, dim=1)
        tensor([3., 7.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def norm(self, p: _Number | None, *, dtype: _DType) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, dim: _int | _IntList, keepdim: _bool, *, dtype: _DType) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, *, axis: _int | _IntList, keepdim: _bool, dtype: _DType) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, dim: _int | _IntList, *, keepdims: _bool, dtype: _DType) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, *, axis: _int | _IntList, keepdims: _bool, dtype: _DType) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, dim: _int | _IntList, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, *, axis: _int | _IntList, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, dim: _int | _IntList, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def norm(self, p: _Number | None, *, axis: _int | _IntList, keepdims: _bool = False) -> Tensor: ...
    def normal_(self, mean: _float = 0, std: _float = 1, *, generator: Generator | None = None) -> Tensor:
        """Fills `self` with numbers of the normal distribution.

        Raises `RuntimeError` if `std` is negative, or if the dtype does not hold `mean`
        or `std`.
        """
    def outer(self, vec2: Tensor) -> Tensor:
        """The products of each element of one vector with each element of another:
        a matrix with a row for each element of `self`. Dtypes are promoted.

        ```python
        >>> opwright.outer(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def permute(self, dims: _IntList) -> Tensor:
        """The dimensions in another order, without a copy: dimension `i` of the result is dimension
        `dims[i]` of the input.

        ```python
        >>> opwright.permute(opwright.ones(2, 3, 4), (2, 0, 1)).shape
        opwright.Size([4, 2, 3])
        ```
        """
    @_overload
    def permute(self, *dims: _SupportsIndex) -> Tensor:
        """The dimensions in another order, without a copy: dimension `i` of the result is dimension
        `dims[i]` of the input.

        ```python
        >>> opwright.permute(opwright.ones(2, 3, 4), (2, 0, 1)).shape
        opwright.Size([4, 2, 3])
        ```
        """
    def pinverse(self, rcond: _float = 1e-15) -> Tensor:
        """The pseudoinverse of a matrix; see `linalg.pinv`.

        ```python
        >>> opwright.pinverse(opwright.tensor([[2.0, 0.0], [0.0, 0.0]]))
        tensor([[0.5, 0.0],
                [0.0, 0.0]], dtype=float32, shape=(2, 2))
        ```
        """
    def positive(self) -> Tensor:
        """`self` itself.

        Raises `RuntimeError` for truth values, as `-` does.

        ```python
        >>> opwright.positive(opwright.tensor([-1, 2]))
        tensor([-1,  2], dtype=int64, shape=(2,))
        ```
        """
    def __pos__(self, /) -> Tensor: ...
    @_overload
    def pow(self, exponent: Tensor) -> Tensor:
        """`self` raised to the power `exponent`.

        Raises `RuntimeError` for integers raised to a negative number; in a tensor of exponents a
        negative one gives the power rounded towards 0.

        ```python
        >>> opwright.pow(opwright.tensor([1, 2, 3]), 2)
        tensor([1, 4, 9], dtype=int64, shape=(3,))
        >>> opwright.pow(2, opwright.tensor([0.5, 3.0]))
        tensor([1.4142, 8.0000], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def pow(self, exponent: _Number) -> Tensor: ...
    @_overload
    def __pow__(self, exponent: Tensor, mod: None = None, /) -> Tensor: ...
    @_overload
    def __pow__(self, exponent: _Number, mod: None = None, /) -> Tensor: ...
    @_overload
    def __rpow__(self, exponent: Tensor, mod: None = None, /) -> Tensor: ...
    @_overload
    def __rpow__(self, exponent: _Number, mod: None = None, /) -> Tensor: ...
    @_overload
    def pow_(self, exponent: Tensor) -> Tensor: ...
    @_overload
    def pow_(self, exponent: _Number) -> Tensor: ...
    @_overload  # type: ignore[misc]
    def __ipow__(self, exponent: Tensor, /) -> Tensor: ...
    @_overload
    def __ipow__(self, exponent: _Number, /) -> Tensor: ...
    @_overload
    def prod(self, *, dtype: _DType | None = None) -> Tensor:
        """The product of all elements, or along one dimension `dim`. Booleans and integers are
        multiplied as `int64`, which wraps around, unless `dtype` says otherwise. No elements make 1.

        ```python
        >>> opwright.prod(opwright.tensor([2, 3, 4]))
        tensor(24, dtype=int64, shape=())
        >>> opwright.prod(opwright.tensor([[1, 2], [3, 4]]), dim=0)
        tensor([3, 8], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def prod(self, *, axis: _int, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def prod(self, dim: _int, *, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def prod(self, *, axis: _int, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    def rad2deg(self) -> Tensor:
        """Each element, an angle in radians, in degrees.

        ```python
        >>> opwright.rad2deg(opwright.tensor([0.0, 3.14159265]))
        tensor([  0., 180.], dtype=float32, shape=(2,))
        ```
        """
    def rad2deg_(self) -> Tensor: ...
    @_overload
    def random_(self, *, generator: Generator | None = None) -> Tensor:
        """Fills `self` with random integers from `from` to before `to`. Without `to` they
        go up to the greatest that the dtype holds exactly; without both they start at 0.

        Raises `RuntimeError` if there is no such integer, or if the dtype does not
        hold them.

        ```python
        >>> opwright.tensor([0, 0]).random_(5, 6)
        tensor([5, 5], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def random_(self, from_: _int, /, to: _int | None, *, generator: Generator | None = None) -> Tensor: ...
    @_overload
    def random_(self, to: _int, *, generator: Generator | None = None) -> Tensor: ...
    def ravel(self) -> Tensor:
        """All elements in row-major order, as a tensor of one dimension. It shares the
        memory of the input if that is contiguous, and is a copy otherwise.

        ```python
        >>> opwright.ravel(opwright.tensor([[1, 2], [3, 4]]))
        tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
        ```
        """
    def reciprocal(self) -> Tensor:
        """One divided by each element.

        ```python
        >>> opwright.reciprocal(opwright.tensor([2, 4]))
        tensor([0.50, 0.25], dtype=float32, shape=(2,))
        ```
        """
    def reciprocal_(self) -> Tensor: ...
    def relu(self) -> Tensor:
        """`max(x, 0)` for every element.

        ```python
        >>> opwright.relu(opwright.tensor([-1.0, 0.0, 2.0]))
        tensor([0., 0., 2.], dtype=float32, shape=(3,))
        ```
        """
    def relu_(self) -> Tensor:
        """As `relu`, in place."""
    @_overload
    def remainder(self, other: Tensor) -> Tensor:
        """The remainder of `self / other`, with the sign of the divisor `other`, as Python has it.

        Raises `RuntimeError` if an integer is divided by 0.

        ```python
        >>> opwright.remainder(opwright.tensor([7, -7]), 3)
        tensor([1, 2], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def remainder(self, other: _Number) -> Tensor: ...
    @_overload
    def __mod__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __mod__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def __rmod__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __rmod__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def remainder_(self, other: Tensor) -> Tensor: ...
    @_overload
    def remainder_(self, other: _Number) -> Tensor: ...
    @_overload
    def __imod__(self, other: Tensor, /) -> Tensor: ...
    @_overload
    def __imod__(self, other: _Number, /) -> Tensor: ...
    @_overload
    def repeat(self, repeats: _IntList) -> Tensor:
        """Copies of the tensor side by side, `repeats` of them along each dimension; more numbers than
        dimensions make new dimensions in front.

        ```python
        >>> opwright.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]], dtype=int64, shape=(2, 4))
        ```
        """
    @_overload
    def repeat(self, *repeats: _SupportsIndex) -> Tensor:
        """Copies of the tensor side by side, `repeats` of them along each dimension; more numbers than
        dimensions make new dimensions in front.

        ```python
        >>> opwright.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]], dtype=int64, shape=(2, 4))
        ```
        """
    @_overload
    def repeat_interleave(self, repeats: Tensor, dim: _int | None = None, *, output_size: _SupportsIndex | None = None) -> Tensor: ...
    @_overload
    def repeat_interleave(self, repeats: Tensor, *, axis: _int | None = None, output_size: _SupportsIndex | None = None) -> Tensor: ...
    @_overload
    def repeat_interleave(self, repeats: _SupportsIndex, dim: _int | None = None, *, output_size: _SupportsIndex | None = None) -> Tensor: ...
    @_overload
    def repeat_interleave(self, repeats: _SupportsIndex, *, axis: _int | None = None, output_size: _SupportsIndex | None = None) -> Tensor: ...
    @_overload
    def reshape(self, shape: _IntList) -> Tensor:
        """The elements in another shape. One size may be -1 and follows from the others. The result
        shares the memory of the input if the strides allow it, and is a copy otherwise.

        ```python
        >>> opwright.reshape(opwright.arange(6), (2, -1))
        tensor([[0, 1, 2],
                [3, 4, 5]], dtype=int64, shape=(2, 3))
        ```
        """
    @_overload
    def reshape(self, *shape: _SupportsIndex) -> Tensor:
        """The elements in another shape. One size may be -1 and follows from the others. The result
        shares the memory of the input if the strides allow it, and is a copy otherwise.

        ```python
        >>> opwright.reshape(opwright.arange(6), (2, -1))
        tensor([[0, 1, 2],
                [3, 4, 5]], dtype=int64, shape=(2, 3))
        ```
        """
    def reshape_as(self, other: Tensor) -> Tensor:
        """The elements in the shape of `other`; see `reshape`.

        ```python
        >>> opwright.arange(4).reshape_as(opwright.ones(2, 2))
        tensor([[0, 1],
                [2, 3]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def resize_(self, size: _IntList, *, memory_format: _memory_format | None = None) -> Tensor:
        """Gives the tensor another shape. Elements stay if the memory behind the tensor is large enough;
        otherwise the tensor gets new memory, full of zeros.

        ```python
        >>> opwright.tensor([1, 2, 3, 4]).resize_(2, 2)
        tensor([[1, 2],
                [3, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def resize_(self, *size: _SupportsIndex, memory_format: _memory_format | None = None) -> Tensor:
        """Gives the tensor another shape. Elements stay if the memory behind the tensor is large enough;
        otherwise the tensor gets new memory, full of zeros.

        ```python
        >>> opwright.tensor([1, 2, 3, 4]).resize_(2, 2)
        tensor([[1, 2],
                [3, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    def roll(self, shifts: _SupportsIndex | _IntList, dims: _int | _IntList | None = ()) -> Tensor:
        """A copy whose elements moved by `shifts` along `dims`; what goes over an end comes in at the
        other. Without `dims`, all elements move in row-major order.

        ```python
        >>> opwright.roll(opwright.tensor([1, 2, 3, 4]), 1)
        tensor([4, 1, 2, 3], dtype=int64, shape=(4,))
        >>> opwright.roll(opwright.tensor([[1, 2], [3, 4]]), 1, dims=0)
        tensor([[3, 4],
                [1, 2]], dtype=int64, shape=(2, 2))
        ```
        """
    def rot90(self, k: _int = 1, dims: _IntList = (0, 1)) -> Tensor:
        """The tensor turned by 90 degrees, `k` times, in the plane of two dimensions:
        from the first of `dims` towards the second.

        ```python
        >>> opwright.rot90(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[2, 4],
                [1, 3]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def round(self) -> Tensor:
        """The nearest integer to each element, and of two equally near ones the even one. With
        `decimals`, the nearest number with so many digits after the point; a negative count rounds
        to tens, hundreds and so on.

        ```python
        >>> opwright.round(opwright.tensor([0.5, 1.5, -1.2]))
        tensor([ 0.,  2., -1.], dtype=float32, shape=(3,))
        >>> opwright.round(opwright.tensor([1.234]), decimals=1)
        tensor([1.2], dtype=float32, shape=(1,))
        ```
        """
    @_overload
    def round(self, *, decimals: _int) -> Tensor: ...
    @_overload
    def round_(self) -> Tensor: ...
    @_overload
    def round_(self, *, decimals: _int) -> Tensor: ...
    def rsqrt(self) -> Tensor:
        """One divided by the square root of each element.

        ```python
        >>> opwright.rsqrt(opwright.tensor([4.0, 16.0]))
        tensor([0.50, 0.25], dtype=float32, shape=(2,))
        ```
        """
    def rsqrt_(self) -> Tensor: ...
    @_overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy with each element of `src`, or one value, written to its own place but at the index in
        `index` along dimension `dim`. With `reduce`, which is `"add"` or `"multiply"`, it is combined
        with what is there.

        Raises `IndexError` for an index out of range.

        ```python
        >>> opwright.scatter(
        ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([2, 0]), opwright.tensor([5, 6])
        ... )
        tensor([6, 0, 5], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def scatter(self, *, axis: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def scatter(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def scatter(self, *, axis: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def scatter(self, dim: _int, index: Tensor, src: Tensor, *, reduce: _str) -> Tensor: ...
    @_overload
    def scatter(self, *, axis: _int, index: Tensor, src: Tensor, reduce: _str) -> Tensor: ...
    @_overload
    def scatter(self, dim: _int, index: Tensor, value: _Number, *, reduce: _str) -> Tensor: ...
    @_overload
    def scatter(self, *, axis: _int, index: Tensor, value: _Number, reduce: _str) -> Tensor: ...
    @_overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def scatter_(self, *, axis: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def scatter_(self, *, axis: _int, index: Tensor, value: _Number) -> Tensor: ...
    @_overload
    def scatter_(self, dim: _int, index: Tensor, src: Tensor, *, reduce: _str) -> Tensor: ...
    @_overload
    def scatter_(self, *, axis: _int, index: Tensor, src: Tensor, reduce: _str) -> Tensor: ...
    @_overload
    def scatter_(self, dim: _int, index: Tensor, value: _Number, *, reduce: _str) -> Tensor: ...
    @_overload
    def scatter_(self, *, axis: _int, index: Tensor, value: _Number, reduce: _str) -> Tensor: ...
    @_overload
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy with each element of `src` added to its own place but at the index in `index` along
        dimension `dim`.

        ```python
        >>> opwright.scatter_add(
        ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([2, 2, 0]), opwright.tensor([5, 6, 7])
        ... )
        tensor([ 7,  0, 11], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def scatter_add(self, *, axis: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def scatter_add_(self, *, axis: _int, index: Tensor, src: Tensor) -> Tensor: ...
    @_overload
    def select(self, dim: _int, index: _SupportsIndex) -> Tensor:
        """The part at one index of a dimension, which goes away, without a copy.

        Raises `IndexError` if there is no such dimension or index.

        ```python
        >>> opwright.select(opwright.tensor([[1, 2], [3, 4]]), 0, 1)
        tensor([3, 4], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def select(self, *, axis: _int, index: _SupportsIndex) -> Tensor: ...
    def sgn(self) -> Tensor:
        """The sign of each element, as `sign`; of complex numbers the number of magnitude 1 in the
        same direction, and 0 for 0.

        ```python
        >>> opwright.sgn(opwright.tensor([3 + 4j, 0j]))
        tensor([0.6+0.8j, 0.0+0.0j], dtype=complex64, shape=(2,))
        ```
        """
    def sgn_(self) -> Tensor: ...
    def sigmoid(self) -> Tensor:
        """The logistic function `1 / (1 + exp(-x))` of each element.

        ```python
        >>> opwright.sigmoid(opwright.tensor([-1.0, 0.0, 1.0]))
        tensor([0.2689, 0.5000, 0.7311], dtype=float32, shape=(3,))
        ```
        """
    def sigmoid_(self) -> Tensor: ...
    def sign(self) -> Tensor:
        """-1, 0 or 1 as each element is negative, zero or positive; NaN stays.

        ```python
        >>> opwright.sign(opwright.tensor([-3, 0, 5]))
        tensor([-1,  0,  1], dtype=int64, shape=(3,))
        ```
        """
    def sign_(self) -> Tensor: ...
    def signbit(self) -> Tensor:
        """Whether the sign bit of each element is set, as it is for negative numbers and for `-0.0`.

        ```python
        >>> opwright.signbit(opwright.tensor([-1.0, -0.0, 0.0]))
        tensor([ True,  True, False], dtype=bool, shape=(3,))
        ```
        """
    def sin(self) -> Tensor:
        """The sine of each element, an angle in radians.

        ```python
        >>> opwright.sin(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.8415], dtype=float32, shape=(2,))
        ```
        """
    def sin_(self) -> Tensor: ...
    def sinc(self) -> Tensor:
        """`sin(pi * x) / (pi * x)` of each element, and 1 for 0.

        ```python
        >>> opwright.sinc(opwright.tensor([0.0, 0.5, 1.5]))
        tensor([ 1.0000,  0.6366, -0.2122], dtype=float32, shape=(3,))
        ```
        """
    def sinc_(self) -> Tensor: ...
    def sinh(self) -> Tensor:
        """The hyperbolic sine of each element.

        ```python
        >>> opwright.sinh(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 1.1752], dtype=float32, shape=(2,))
        ```
        """
    def sinh_(self) -> Tensor: ...
    def slogdet(self) -> opwright.return_types.slogdet:
        """Sign and logarithm of the determinant; see `linalg.slogdet`.

        ```python
        >>> opwright.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
        slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
        ```
        """
    @_overload
    def softmax(self, dim: _int, dtype: _DType | None = None) -> Tensor:
        """`exp(x) / sum(exp(x))` along a dimension: positive numbers whose sum is 1. With `dtype`, the
        input is cast first.

        ```python
        >>> opwright.softmax(opwright.tensor([[1.0, 1.0], [0.0, 1.0]]), dim=1)
        tensor([[0.5000, 0.5000],
                [0.2689, 0.7311]], dtype=float32, shape=(2, 2))
        ```
        """
    @_overload
    def softmax(self, *, axis: _int, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def sort(self, *, stable: _bool | None, dim: _int = -1, descending: _bool = False) -> opwright.return_types.sort: ...
    @_overload
    def sort(self, *, stable: _bool | None, axis: _int = -1, descending: _bool = False) -> opwright.return_types.sort: ...
    @_overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> opwright.return_types.sort:
        """The elements along `dim` in ascending or descending order, and where they came from, as a
        named tuple `(values, indices)`. Equal elements keep their order, whether `stable` asks for it
        or not; NaN counts as greatest.

        ```python
        >>> opwright.sort(opwright.tensor([3, 1, 2]))
        sort(values=tensor([1, 2, 3], dtype=int64, shape=(3,)), indices=tensor([1, 2, 0], dtype=int64, shape=(3,)))
        >>> opwright.sort(opwright.tensor([3, 1, 2]), descending=True).values
        tensor([3, 2, 1], dtype=int64, shape=(3,))
        ```
        """
    @_overload
    def sort(self, *, axis: _int = -1, descending: _bool = False) -> opwright.return_types.sort: ...
    @_overload
    def split(self, split_size: _SupportsIndex, dim: _int = 0) -> _tuple[Tensor, ...]:
        """Parts of a tensor along a dimension, which share its memory: all of size `split_size`, but the
        last one may be smaller; or of the sizes in a list, whose sum is that of the dimension.

        ```python
        >>> opwright.split(opwright.arange(5), 2)
        (tensor([0, 1], dtype=int64, shape=(2,)), tensor([2, 3], dtype=int64, shape=(2,)), tensor([4], dtype=int64, shape=(1,)))
        >>> opwright.split(opwright.arange(5), [1, 4])
        (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2, 3, 4], dtype=int64, shape=(4,)))
        ```
        """
    @_overload
    def split(self, split_size: _SupportsIndex, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def split(self, split_size: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def split(self, split_size: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def split_with_sizes(self, split_sizes: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]:
        """Parts of a tensor along a dimension, of these sizes, whose sum is that of the dimension; they
        share its memory.

        ```python
        >>> opwright.split_with_sizes(opwright.arange(5), [1, 4])
        (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2, 3, 4], dtype=int64, shape=(4,)))
        ```
        """
    @_overload
    def split_with_sizes(self, split_sizes: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    def sqrt(self) -> Tensor:
        """The square root of each element; NaN for negative ones.

        ```python
        >>> opwright.sqrt(opwright.tensor([4.0, 2.0]))
        tensor([2.0000, 1.4142], dtype=float32, shape=(2,))
        ```
        """
    def sqrt_(self) -> Tensor: ...
    def square(self) -> Tensor:
        """The square of each element.

        ```python
        >>> opwright.square(opwright.tensor([-2, 3]))
        tensor([4, 9], dtype=int64, shape=(2,))
        ```
        """
    def square_(self) -> Tensor: ...
    @_overload
    def squeeze(self) -> Tensor:
        """Without the dimensions of size one: all of them, or those that are said. Dimensions of another
        size stay.

        ```python
        >>> opwright.squeeze(opwright.ones(1, 3, 1)).shape
        opwright.Size([3])
        >>> opwright.squeeze(opwright.ones(1, 3, 1), dim=0).shape
        opwright.Size([3, 1])
        ```
        """
    @_overload
    def squeeze(self, dim: _int) -> Tensor: ...
    @_overload
    def squeeze(self, *, axis: _int) -> Tensor: ...
    @_overload
    def squeeze(self, dim: _IntList) -> Tensor: ...
    @_overload
    def squeeze(self, *dim: _SupportsIndex) -> Tensor: ...
    @_overload
    def squeeze(self, *, axis: _IntList) -> Tensor: ...
    @_overload
    def squeeze_(self) -> Tensor:
        """Drops dimensions of size one from the tensor itself; see `squeeze`."""
    @_overload
    def squeeze_(self, dim: _int) -> Tensor: ...
    @_overload
    def squeeze_(self, *, axis: _int) -> Tensor: ...
    @_overload
    def squeeze_(self, dim: _IntList) -> Tensor: ...
    @_overload
    def squeeze_(self, *dim: _SupportsIndex) -> Tensor: ...
    @_overload
    def squeeze_(self, *, axis: _IntList) -> Tensor: ...
    @_overload
    def std(self, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def std(self, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def std(self, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def std(self, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def std(self, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def std(self, *dim: _SupportsIndex, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def std(self, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def std(self, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def std(self, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def std(self, unbiased: _bool = True) -> Tensor:
        """The standard deviation, over all dimensions or along `dim`: the square root of `var` with the
        same arguments.

        ```python
        >>> opwright.std(opwright.tensor([1.0, 2.0, 3.0]))
        tensor(1., dtype=float32, shape=())
        >>> opwright.std(opwright.tensor([[1.0, 3.0], [2.0, 6.0]]), dim=1, correction=0)
        tensor([1., 2.], dtype=float32, shape=(2,))
        ```
        """
    def sub(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The difference `self - alpha * other`.

        Raises `RuntimeError` for truth values; `^` and `logical_xor` tell where they differ.

        ```python
        >>> opwright.sub(opwright.tensor([5, 6]), opwright.tensor([1, 2]))
        tensor([4, 4], dtype=int64, shape=(2,))
        >>> opwright.sub(opwright.tensor([5, 6]), 1, alpha=2)
        tensor([3, 4], dtype=int64, shape=(2,))
        ```
        """
    def subtract(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The difference `self - alpha * other`.

        Raises `RuntimeError` for truth values; `^` and `logical_xor` tell where they differ.

        ```python
        >>> opwright.sub(opwright.tensor([5, 6]), opwright.tensor([1, 2]))
        tensor([4, 4], dtype=int64, shape=(2,))
        >>> opwright.sub(opwright.tensor([5, 6]), 1, alpha=2)
        tensor([3, 4], dtype=int64, shape=(2,))
        ```
        """
    def __sub__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __rsub__(self, other: Tensor | _Number, /) -> Tensor: ...
    def sub_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    def subtract_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    def __isub__(self, other: Tensor | _Number, /) -> Tensor: ...
    @_overload
    def sum(self, *, dtype: _DType | None = None) -> Tensor:
        """The sum of all elements, or along dimensions: `dim` is one, a list, or `None` for all. Reduced
        dimensions go, or stay with size one if `keepdim` is set. Booleans and integers are added as
        `int64` unless `dtype` says otherwise; floating sums are blockwise, so that rounding errors
        stay small. No elements make 0.

        ```python
        >>> opwright.sum(opwright.tensor([[1, 2], [3, 4]]))
        tensor(10, dtype=int64, shape=())
        >>> opwright.sum(opwright.tensor([[1, 2], [3, 4]]), dim=0, keepdim=True)
        tensor([[4, 6]], dtype=int64, shape=(1, 2))
        ```
        """
    @_overload
    def sum(self, dim: _int | _IntList | None, keepdim: _bool = False, *, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def sum(self, *, axis: _int | _IntList | None, keepdim: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def sum(self, dim: _int | _IntList | None, *, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    @_overload
    def sum(self, *, axis: _int | _IntList | None, keepdims: _bool = False, dtype: _DType | None = None) -> Tensor: ...
    def swapaxes(self, axis0: _int, axis1: _int) -> Tensor:
        """Two dimensions exchanged; another name of `transpose`.

        ```python
        >>> opwright.swapaxes(opwright.ones(2, 3, 4), 0, 2).shape
        opwright.Size([4, 3, 2])
        ```
        """
    def swapaxes_(self, axis0: _int, axis1: _int) -> Tensor:
        """Exchanges two dimensions of the tensor itself; another name of `transpose_`."""
    def swapdims(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions exchanged; another name of `transpose`.

        ```python
        >>> opwright.swapdims(opwright.ones(2, 3, 4), 0, 2).shape
        opwright.Size([4, 3, 2])
        ```
        """
    def swapdims_(self, dim0: _int, dim1: _int) -> Tensor:
        """Exchanges two dimensions of the tensor itself; another name of `transpose_`."""
    def t(self) -> Tensor:
        """A matrix transposed, without a copy; vectors and tensors without dimensions as they are.

        ```python
        >>> opwright.t(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[1, 3],
                [2, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    def t_(self) -> Tensor:
        """Transposes the matrix itself."""
    def take(self, index: Tensor) -> Tensor:
        """The elements with these numbers, counted in row-major order; negative ones count from the end.

        ```python
        >>> opwright.take(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([0, 3]))
        tensor([1, 4], dtype=int64, shape=(2,))
        ```
        """
    @_overload
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """The elements at indices along a dimension, all other dimensions broadcast; without a dimension,
        along all of them in row-major order. This is what `argsort` and `argmax` give indices for.

        ```python
        >>> opwright.take_along_dim(
        ...     opwright.tensor([[3, 1], [2, 4]]), opwright.tensor([[1, 0], [0, 1]]), dim=1
        ... )
        tensor([[1, 3],
                [2, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def take_along_dim(self, indices: Tensor, *, axis: _int | None = None) -> Tensor: ...
    def tan(self) -> Tensor:
        """The tangent of each element, an angle in radians.

        ```python
        >>> opwright.tan(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 1.5574], dtype=float32, shape=(2,))
        ```
        """
    def tan_(self) -> Tensor: ...
    def tanh(self) -> Tensor:
        """The hyperbolic tangent of each element.

        ```python
        >>> opwright.tanh(opwright.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7616], dtype=float32, shape=(2,))
        ```
        """
    def tanh_(self) -> Tensor: ...
    @_overload
    def tensor_split(self, indices: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def tensor_split(self, indices: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def tensor_split(self, tensor_indices_or_sections: Tensor, dim: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def tensor_split(self, tensor_indices_or_sections: Tensor, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def tensor_split(self, sections: _SupportsIndex, dim: _int = 0) -> _tuple[Tensor, ...]:
        """Parts of a tensor along a dimension, which share its memory: so many that their sizes differ by
        at most one, the larger ones first; or those between indices, which are cut to the size of the
        dimension. Number and indices may also be tensors.

        ```python
        >>> opwright.tensor_split(opwright.arange(5), 2)
        (tensor([0, 1, 2], dtype=int64, shape=(3,)), tensor([3, 4], dtype=int64, shape=(2,)))
        >>> opwright.tensor_split(opwright.arange(5), (1, 3))
        (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2], dtype=int64, shape=(2,)), tensor([3, 4], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def tensor_split(self, sections: _SupportsIndex, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def tile(self, dims: _IntList) -> Tensor:
        """Copies of the tensor side by side, `dims` of them along each dimension, as in
        `repeat`; if there are fewer numbers than dimensions, they are for the last
        ones.

        ```python
        >>> opwright.tile(opwright.tensor([1, 2]), (2, 2))
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]], dtype=int64, shape=(2, 4))
        ```
        """
    @_overload
    def tile(self, *dims: _SupportsIndex) -> Tensor:
        """Copies of the tensor side by side, `dims` of them along each dimension, as in
        `repeat`; if there are fewer numbers than dimensions, they are for the last
        ones.

        ```python
        >>> opwright.tile(opwright.tensor([1, 2]), (2, 2))
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]], dtype=int64, shape=(2, 4))
        ```
        """
    @_overload
    def topk(self, k: _SupportsIndex, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> opwright.return_types.topk:
        """The `k` greatest elements along `dim`, or the least with `largest=False`, and where they are,
        as a named tuple `(values, indices)`. They are in order, whether `sorted` asks for it or not.
        Raises an error if there are fewer than `k`.

        ```python
        >>> opwright.topk(opwright.tensor([1, 4, 3]), 2)
        topk(values=tensor([4, 3], dtype=int64, shape=(2,)), indices=tensor([1, 2], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def topk(self, k: _SupportsIndex, *, axis: _int = -1, largest: _bool = True, sorted: _bool = True) -> opwright.return_types.topk: ...
    def trace(self) -> Tensor:
        """The sum of the diagonal of a matrix; booleans and integers are added as
        `int64`.

        ```python
        >>> opwright.trace(opwright.tensor([[1, 2], [3, 4]]))
        tensor(5, dtype=int64, shape=())
        ```
        """
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """Two dimensions exchanged, without a copy.

        ```python
        >>> opwright.transpose(opwright.tensor([[1, 2], [3, 4]]), 0, 1)
        tensor([[1, 3],
                [2, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """Exchanges two dimensions of the tensor itself."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangle of a matrix or of each matrix of a batch, with zeros above diagonal number
        `diagonal`; positive ones are above the main one.

        ```python
        >>> opwright.tril(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[1, 0],
                [3, 4]], dtype=int64, shape=(2, 2))
        ```
        """
    def tril_(self, diagonal: _int = 0) -> Tensor: ...
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangle of a matrix or of each matrix of a batch, with zeros below diagonal number
        `diagonal`; positive ones are above the main one.

        ```python
        >>> opwright.triu(opwright.tensor([[1, 2], [3, 4]]))
        tensor([[1, 2],
                [0, 4]], dtype=int64, shape=(2, 2))
        >>> opwright.triu(opwright.tensor([[1, 2], [3, 4]]), diagonal=1)
        tensor([[0, 2],
                [0, 0]], dtype=int64, shape=(2, 2))
        ```
        """
    def triu_(self, diagonal: _int = 0) -> Tensor: ...
    def true_divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient `self / other`; another name of `div`.

        ```python
        >>> opwright.true_divide(opwright.tensor([7, -7]), 2)
        tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
        ```
        """
    def true_divide_(self, other: Tensor | _Number) -> Tensor: ...
    def trunc(self) -> Tensor:
        """Each element without its fraction. Integers stay as they are.

        ```python
        >>> opwright.trunc(opwright.tensor([-1.5, 1.5]))
        tensor([-1.,  1.], dtype=float32, shape=(2,))
        ```
        """
    def fix(self) -> Tensor:
        """Each element without its fraction. Integers stay as they are.

        ```python
        >>> opwright.trunc(opwright.tensor([-1.5, 1.5]))
        tensor([-1.,  1.], dtype=float32, shape=(2,))
        ```
        """
    def trunc_(self) -> Tensor: ...
    def fix_(self) -> Tensor: ...
    @_overload
    def unbind(self, dim: _int = 0) -> _tuple[Tensor, ...]:
        """The parts at all indices of a dimension, which goes away, as a tuple; they share the memory of
        the input.

        ```python
        >>> opwright.unbind(opwright.tensor([[1, 2], [3, 4]]))
        (tensor([1, 2], dtype=int64, shape=(2,)), tensor([3, 4], dtype=int64, shape=(2,)))
        ```
        """
    @_overload
    def unbind(self, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
    @_overload
    def unflatten(self, dim: _int, sizes: _IntList) -> Tensor:
        """The dimension `dim` split into dimensions of these `sizes`, one of which may
        be -1 and follows from the others. It shares the memory of the input.

        ```python
        >>> opwright.unflatten(opwright.ones(2, 6), 1, (2, -1)).shape
        opwright.Size([2, 2, 3])
        ```
        """
    @_overload
    def unflatten(self, *, axis: _int, sizes: _IntList) -> Tensor: ...
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """Windows of `size` indices of a dimension, each `step` after the one before, without a copy: the
        dimension counts the windows, and a new last one the elements of a window.

        ```python
        >>> opwright.arange(5).unfold(0, 3, 2)
        tensor([[0, 1, 2],
                [2, 3, 4]], dtype=int64, shape=(2, 3))
        ```
        """
    def uniform_(self, from_: _float = 0, /, to: _float = 1, *, generator: Generator | None = None) -> Tensor:
        """Fills `self` with evenly distributed numbers from `from` to before `to`.

        Raises `RuntimeError` if `from` is greater than `to`, or if the dtype does not
        hold them or their difference.

        ```python
        >>> opwright.tensor([0.0, 0.0]).uniform_(5.0, 5.0)
        tensor([5., 5.], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> _tuple[Tensor, Tensor, Tensor]:
        """Without repetitions: of each run of equal neighbours, or with `dim` of equal
        slices along it, only the first. Further results are, if they are asked for,
        where each element went and how long the runs were, else empty tensors.

        ```python
        >>> values, counts = opwright.unique_consecutive(
        ...     opwright.tensor([1, 1, 2, 1]), return_counts=True
        ... )
        >>> values, counts
        (tensor([1, 2, 1], dtype=int64, shape=(3,)), tensor([2, 1, 1], dtype=int64, shape=(3,)))
        ```
        """
    @_overload
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, *, axis: _int | None = None) -> _tuple[Tensor, Tensor, Tensor]: ...
    @_overload
    def unsqueeze(self, dim: _int) -> Tensor:
        """With a new dimension of size one before dimension `dim`, which may be one more than there are.

        ```python
        >>> opwright.unsqueeze(opwright.tensor([1, 2]), 1)
        tensor([[1],
                [2]], dtype=int64, shape=(2, 1))
        ```
        """
    @_overload
    def unsqueeze(self, *, axis: _int) -> Tensor: ...
    @_overload
    def unsqueeze_(self, dim: _int) -> Tensor:
        """Inserts a dimension of size one into the tensor itself."""
    @_overload
    def unsqueeze_(self, *, axis: _int) -> Tensor: ...
    @_overload
    def var(self, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def var(self, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def var(self, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def var(self, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def var(self, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def var(self, *dim: _SupportsIndex, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def var(self, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def var(self, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def var(self, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False) -> Tensor: ...
    @_overload
    def var(self, unbiased: _bool = True) -> Tensor:
        """The variance, over all dimensions or along `dim`: the sum of squared distances from the mean,
        divided by the number of elements less `correction`, which is 1 unless given. `unbiased=False`
        is the same as `correction=0`. The variance of complex numbers is real. Where nothing is left
        to divide by, the result is NaN or infinite.

        ```python
        >>> opwright.var(opwright.tensor([1.0, 2.0, 3.0]))
        tensor(1., dtype=float32, shape=())
        >>> opwright.var(opwright.tensor([[1.0, 3.0], [2.0, 6.0]]), dim=1, correction=0)
        tensor([1., 4.], dtype=float32, shape=(2,))
        ```
        """
    def vdot(self, other: Tensor) -> Tensor:
        """The sum of the products of corresponding elements of two vectors, those of
        the first conjugated.

        ```python
        >>> opwright.vdot(opwright.tensor([1j, 2 + 0j]), opwright.tensor([1j, 1 + 0j]))
        tensor(3.+0.j, dtype=complex64, shape=())
        ```
        """
    @_overload
    def view(self, dtype: _DType) -> Tensor:
        """With a dtype: the same bytes as elements of that dtype. If its elements are of another size,
        the last dimension grows or shrinks accordingly.
        """
    @_overload
    def view(self, size: _IntList) -> Tensor:
        """The same elements in another shape, without a copy. One size may be -1 and follows from the
        others.

        Raises `RuntimeError` if the shape holds another number of elements, or if the strides of the
        tensor do not allow it; `reshape` copies then.

        ```python
        >>> opwright.arange(6).view(2, 3)
        tensor([[0, 1, 2],
                [3, 4, 5]], dtype=int64, shape=(2, 3))
        ```
        """
    @_overload
    def view(self, *size: _SupportsIndex) -> Tensor:
        """The same elements in another shape, without a copy. One size may be -1 and follows from the
        others.

        Raises `RuntimeError` if the shape holds another number of elements, or if the strides of the
        tensor do not allow it; `reshape` copies then.

        ```python
        >>> opwright.arange(6).view(2, 3)
        tensor([[0, 1, 2],
                [3, 4, 5]], dtype=int64, shape=(2, 3))
        ```
        """
    def view_as(self, other: Tensor) -> Tensor:
        """A tensor with the shape of `other` over the same elements; see `view`.

        ```python
        >>> opwright.arange(4).view_as(opwright.ones(2, 2))
        tensor([[0, 1],
                [2, 3]], dtype=int64, shape=(2, 2))
        ```
        """
    @_overload
    def vsplit(self, sections: _int) -> _tuple[Tensor, ...]:
        """Parts of equal size one below the other: along the first of at least two
        dimensions. They share the memory of the input.

        ```python
        >>> top, bottom = opwright.vsplit(opwright.tensor([[1, 2], [3, 4]]), 2)
        >>> top
        tensor([[1, 2]], dtype=int64, shape=(1, 2))
        ```
        """
    @_overload
    def vsplit(self, indices: _IntList) -> _tuple[Tensor, ...]:
        """The parts between these indices of the first of at least two dimensions."""
    @_overload
    def vsplit(self, *indices: _SupportsIndex) -> _tuple[Tensor, ...]:
        """The parts between these indices of the first of at least two dimensions."""
    @_overload
    def where(self, condition: Tensor, other: Tensor) -> Tensor:
        """The elements of `self` where `condition` holds and those of `other` elsewhere. All three are
        broadcast, the latter two brought to one dtype. With `condition` alone: the indices of the
        elements that are not 0, a tensor for each dimension.

        Raises `RuntimeError` if `condition` is neither `bool` nor `uint8`.

        ```python
        >>> opwright.where(opwright.tensor([True, False]), opwright.tensor([1, 2]), 0)
        tensor([1, 0], dtype=int64, shape=(2,))
        >>> opwright.where(opwright.tensor([0, 3, 0, 5]))
        (tensor([1, 3], dtype=int64, shape=(2,)),)
        ```
        """
    @_overload
    def where(self, condition: Tensor, other: _Number) -> Tensor: ...
    @_overload
    def xlogy(self, other: Tensor) -> Tensor:
        """`self * log(other)`, and 0 where `self` is 0, unless `other` is NaN.

        ```python
        >>> opwright.xlogy(opwright.tensor([0.0, 2.0]), opwright.tensor([0.0, 2.0]))
        tensor([0.0000, 1.3863], dtype=float32, shape=(2,))
        ```
        """
    @_overload
    def xlogy(self, other: _Number) -> Tensor: ...
    @_overload
    def xlogy_(self, other: Tensor) -> Tensor: ...
    @_overload
    def xlogy_(self, other: _Number) -> Tensor: ...
    def zero_(self) -> Tensor:
        """Writes 0 to every element of `self`.

        ```python
        >>> x = opwright.tensor([1, 2])
        >>> x.zero_()
        tensor([0, 0], dtype=int64, shape=(2,))
        ```
        """

# What the native module has beside its operators, in the words of the generated stub.

from builtins import type as _type
from collections.abc import Callable as _Callable
from collections.abc import Iterator as _Iterator
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from typing import TypeVar as _TypeVar

import numpy as _np
from opwright import Size as _Size
from opwright import ops as ops

# What is written in Python on top of it says what it gives.
_graph: _Any
_jit: _Any

_T = _TypeVar("_T", bound=TensorBase)
_S = _TypeVar("_S", bound=_AnyStorage)

@_final
class finfo:
    """The limits of a floating-point type; those of its parts for a complex one."""

    def __new__(cls, dtype: _DType | None = None) -> finfo: ...
    @property
    def bits(self) -> _int: ...
    @property
    def eps(self) -> _float: ...
    @property
    def max(self) -> _float: ...
    @property
    def min(self) -> _float: ...
    @property
    def smallest_normal(self) -> _float: ...
    @property
    def tiny(self) -> _float: ...
    @property
    def resolution(self) -> _float: ...
    @property
    def dtype(self) -> _str: ...

@_final
class iinfo:
    """The limits of an integer type."""

    def __new__(cls, dtype: _DType) -> iinfo: ...
    @property
    def bits(self) -> _int: ...
    @property
    def max(self) -> _int: ...
    @property
    def min(self) -> _int: ...
    @property
    def dtype(self) -> _str: ...

bool: dtype
uint8: dtype
uint16: dtype
uint32: dtype
int8: dtype
int16: dtype
short: dtype
int32: dtype
int: dtype
int64: dtype
long: dtype
float16: dtype
half: dtype
bfloat16: dtype
float32: dtype
float: dtype
float64: dtype
double: dtype
complex64: dtype
cfloat: dtype
complex128: dtype
cdouble: dtype
@_final
class tensortype(type):
    """The class of `FloatTensor` and its like: a type of tensors for each dtype.

    Calling one makes a `Tensor`, and `isinstance` says whether a tensor in main memory has its
    dtype.
    """

    @property
    def dtype(self) -> _dtype: ...
    @property
    def layout(self) -> _layout: ...
    @property
    def is_cuda(self) -> _bool: ...
    @property
    def is_sparse(self) -> _bool: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> Tensor: ...
    def __instancecheck__(self, instance: _object, /) -> _bool: ...

BoolTensor: tensortype
ByteTensor: tensortype
UInt16Tensor: tensortype
UInt32Tensor: tensortype
CharTensor: tensortype
ShortTensor: tensortype
IntTensor: tensortype
LongTensor: tensortype
HalfTensor: tensortype
BFloat16Tensor: tensortype
FloatTensor: tensortype
DoubleTensor: tensortype
ComplexFloatTensor: tensortype
ComplexDoubleTensor: tensortype
_TensorBase = TensorBase

strided: layout
contiguous_format: memory_format
preserve_format: memory_format
channels_last: memory_format
channels_last_3d: memory_format
default_generator: Generator
__version__: _str

_named_tuple_names: _list[_str]
_adds_by_operators: _bool
_operators: _list[_str]
_titles: _list[_str]
_storages: _tuple[_tuple[type[_AnyStorage], _dtype | None, _str], ...]

def _disabled_function_impl(*_args: _Any, **_kwargs: _Any) -> _Any: ...
def _call_without_overrides(
    class_: type[Tensor],
    function: _Any,
    args: _tuple[_Any, ...],
    kwargs: _Mapping[_str, _Any] | None = None,
    /,
) -> _Any: ...
def _explain(name: _str, /, *args: _Any, **kwargs: _Any) -> _tuple[_str | None, _str]: ...
def _gil_threshold(elements: _int | None = None, /) -> _int: ...
def _named_tuple(name: _str, /) -> type[_tuple[_Any, ...]]: ...
def _schemas(name: _str, /) -> _list[_list[_str | None]]: ...
def _signatures(name: _str, /) -> _list[_str]: ...
def _untracked(class_: type[_T]) -> type[_T]: ...
class _SizeBase(_tuple[_int, ...]):
    @_overload
    def __getitem__(self, key: _SupportsIndex, /) -> _int: ...
    @_overload
    def __getitem__(self, key: slice, /) -> _Size: ...

def _device_count(type: _str) -> _int: ...
def _initExtension() -> None: ...
def _set_classes(tensor: type[TensorBase], size: type[_tuple[_int, ...]]) -> None: ...
def _keep_modules() -> None: ...
def _copy_alone(tensor: _T) -> _T | None: ...
def _parts(tensor: TensorBase) -> _tuple[_Any, ...]: ...
def _rebuild_view(
    cls: type[_T],
    storage: UntypedStorage,
    dtype: _dtype,
    shape: _Sequence[_int],
    strides: _Sequence[_int],
    offset: _int,
) -> _T: ...
def _rebuild_storage(
    cls: type[_S], memory: UntypedStorage, start: _int = 0, bytes: _int | None = None
) -> _S: ...
def _set_storage_class(class_: type[_AnyStorage]) -> None: ...
def _rebuild(
    class_: type[Tensor], data: _Any, dtype: _dtype, shape: _Sequence[_int]
) -> Tensor: ...
@_disjoint_base
class _Node:
    """A recorded call: a node of the graph that passes go along."""

    def __new__(cls) -> _Self: ...
    def name(self) -> _str:
        """What people call it: `MulBackward0`."""
    @property
    def next_functions(self) -> _tuple[_tuple[_Node | None, _int], ...]:
        """For each input, the call that made it and the number of the output that it was."""
    @property
    def variable(self) -> Tensor:
        """The leaf that gradients are added to."""
    @property
    def metadata(self) -> dict[_str, _Any]:
        """What anybody notes of the node, in a dict that stays with it."""
    @property
    def _input_metadata(self) -> _list[_Any]:
        """What the gradients of the outputs have to be like, one after the other."""
    def _sequence_nr(self) -> _int:
        """When the call was recorded, counted by its thread."""
    def register_prehook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the outputs before the node runs, as a tuple; it may
        return another one."""
    def register_hook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the inputs and of the outputs after the node ran; it
        may return other ones of the inputs."""
    def __getattribute__(self, name: _str, /) -> _Any: ...

@_disjoint_base
class _FunctionBase:
    """A call of a function that brings its own gradient: its `ctx`, and the object of its node."""

    to_save: _Any
    non_differentiable: _Any
    dirty_tensors: _Any
    saved_for_forward: _Any
    materialize_grads: _Any
    needs_input_grad: _Any

    def __new__(cls, *_args: _Any, **_kwargs: _Any) -> _Self: ...
    @classmethod
    def apply(cls, *args: _Any) -> _Any:
        """Call the function of the class, and record the call if an argument requires gradients."""
    def _do_forward(self, *args: _Any) -> _Any:
        """Call the function with this object as its `ctx`."""
    def _do_backward(
        self, gradients: _tuple[_Any, ...], retain_variables: _bool
    ) -> _tuple[_Any, ...]:
        """The gradients of the tensors among the arguments, from those of the outputs."""
    def name(self) -> _str:
        """What people call the node: `<class>Backward`."""
    @property
    def next_functions(self) -> _tuple[_tuple[_Any, _int], ...]:
        """For each tensor among the arguments, the call that made it and the number of the output
        that it was."""
    @property
    def saved_tensors(self) -> _tuple[_Any, ...]:
        """The tensors that were saved for the backward."""
    @property
    def _raw_saved_tensors(self) -> _tuple[_Any, ...]: ...
    @property
    def saved_variables(self) -> _tuple[_Any, ...]:
        """An older name of `saved_tensors`."""
    @property
    def metadata(self) -> dict[_Any, _Any]:
        """Anything that people want to note about the node."""
    @property
    def requires_grad(self) -> _bool:
        """Whether the call is recorded."""
    def _sequence_nr(self) -> _int:
        """When the call was recorded, counted by its thread."""
    def register_prehook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the outputs before the node runs, as a tuple; it may
        return another one."""
    def register_hook(self, function: _Any) -> RemovableHandle:
        """Has a function see the gradients of the tensors among the arguments and of the outputs
        after the node ran; it may return other ones of the tensors."""
    def _register_hook_dict(self, hooks: dict[_Any, _Any]) -> None:
        """The same of all functions that are in a dictionary when the node ran."""

@_final
class RemovableHandle:
    """What takes a hook away."""

    @property
    def id(self) -> _int: ...
    def remove(self) -> None:
        """Takes the hook away; a second time does nothing."""
    def __enter__(self) -> _Self: ...
    def __exit__(self, *_exception: _object) -> None: ...

def is_grad_enabled() -> _bool:
    """Whether calls of this thread are recorded."""

def is_inference_mode_enabled() -> _bool:
    """Whether this thread is in inference mode."""

def is_inference(input: Tensor) -> _bool:
    """Whether a tensor was made in inference mode."""

def is_anomaly_enabled() -> _bool:
    """Whether anomalies are looked for."""

def is_anomaly_check_nan_enabled() -> _bool:
    """Whether not-a-number in a gradient is an anomaly."""

@_disjoint_base
class _NoGrad:
    # Called with a function, it decorates that.
    def __new__(cls, function: _Any = None, /) -> _Any: ...
    def __enter__(self) -> None: ...
    def __exit__(self, kind: _Any, error: _Any, traceback: _Any, /) -> None: ...

@_disjoint_base
class _EnableGrad:
    def __new__(cls, function: _Any = None, /) -> _Any: ...
    def __enter__(self) -> None: ...
    def __exit__(self, kind: _Any, error: _Any, traceback: _Any, /) -> None: ...

@_final
class _Mode:
    def enter(self) -> None: ...

def _set_grad_enabled(mode: _bool) -> _bool: ...
def _enter_inference_mode(mode: _bool) -> _Mode: ...
def _set_anomaly_witness(place: _Any, report: _Any) -> None: ...
def _set_anomaly_enabled(mode: _bool, check_nan: _bool) -> None: ...
def _push_saved_tensors_hooks(pack: _Any, unpack: _Any) -> None: ...
def _pop_saved_tensors_hooks() -> None: ...
def _refuse_saved_tensors_hooks(reason: _str | None) -> _str | None: ...
def _register_multi_grad_hook(
    tensors: _Any, function: _Any, is_any: _bool
) -> RemovableHandle: ...
def _set_version(tensor: _Any, version: _int) -> None: ...
def _register_hook(tensor: Tensor, function: _Any) -> RemovableHandle: ...
def _register_leaf_hook(tensor: Tensor, function: _Any) -> RemovableHandle: ...
def _retain_grad(tensor: Tensor) -> None: ...
def _set_print_options(
    precision: _int | None,
    threshold: _int | None,
    edgeitems: _int | None,
    linewidth: _int | None,
    sci_mode: _bool | None,
) -> None: ...
def _shown(tensor: Tensor) -> _str: ...
def _backward(
    tensors: _Any,
    grad_tensors: _Any = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    inputs: _Any = None,
) -> None: ...
def _grad(
    outputs: _Any,
    inputs: _Any,
    grad_outputs: _Any = None,
    retain_graph: _bool | None = None,
    create_graph: _bool = False,
    allow_unused: _bool = False,
) -> _tuple[_Any, ...]: ...
def _gradient_edge(tensor: Tensor) -> _tuple[_Node, _int]: ...
def _increment_version(tensor: _Any) -> None: ...
def tensor(
    data: _Any,
    *,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
    requires_grad: _bool | None = False,
    pin_memory: _bool | None = False,
) -> Tensor:
    """A new tensor from numbers, nested sequences, arrays or other tensors."""

def as_tensor(
    data: _Any,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
) -> Tensor:
    """A tensor with the elements of `data`, whose memory it shares if that is possible."""

def asarray(
    obj: _Any,
    *,
    dtype: _DType | None = None,
    device: _device | _str | None = None,
    copy: _bool | None = None,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor with the elements of `obj`, which shares memory as `copy` says."""

def from_numpy(ndarray: _Any) -> Tensor:
    """A tensor over the memory of a numpy array; a read-only one is copied."""

def from_dlpack(ext_tensor: _Any) -> Tensor:
    """A tensor over the memory of another library's array."""

def frombuffer(
    buffer: _Any,
    *,
    dtype: _DType,
    count: _int = -1,
    offset: _int = 0,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A one-dimensional tensor over the bytes of any object with a buffer."""

def is_tensor(obj: _object) -> _bool:
    """Whether an object is a tensor."""

def get_default_dtype() -> _dtype:
    """The dtype of floating-point results that nothing else decides."""

def set_default_dtype(dtype: _DType) -> None:
    """Decides the dtype of floating-point results that nothing else decides."""

def set_default_tensor_type(type: tensortype | _str) -> None:
    """Decides the default dtype, by a type of tensors or its name."""

def get_num_threads() -> _int:
    """The number of threads that one call uses at most."""

def set_num_threads(num: _int) -> None:
    """Decides how many threads one call uses at most."""

def show_config() -> None:
    """Prints the version, which instructions loops use, and how many threads."""

def manual_seed(seed: _int) -> Generator:
    """Starts the default generator again from a seed, and returns the generator."""

def seed() -> _int:
    """Starts the default generator again from a seed that nobody knows, and returns it."""

def initial_seed() -> _int:
    """The seed that the default generator started from."""

_checks: _list[_str]

def _calls(
    overload: _str, settings: _Mapping[_str, _Any], /
) -> _list[_Callable[[], dict[_str, _Any]]]: ...
def _natives() -> _list[type[_Any]]: ...
def _opcheck(
    overloads: _Sequence[_str], settings: _Mapping[_str, _Any], /
) -> dict[_str, _Any]: ...
@_overload
def __and__(input: Tensor, other: Tensor) -> Tensor:
    """`input & other`; see `bitwise_and`.

    ```python
    >>> opwright.tensor([6, 5]) & 3
    tensor([2, 1], dtype=int64, shape=(2,))
    ```
    """
@_overload
def __and__(input: Tensor, other: _Number) -> Tensor: ...
@_overload
def __lshift__(input: Tensor, other: Tensor) -> Tensor:
    """`input << other`; see `bitwise_left_shift`.

    ```python
    >>> opwright.tensor([1, 2]) << 3
    tensor([ 8, 16], dtype=int64, shape=(2,))
    ```
    """
@_overload
def __lshift__(input: Tensor, other: _Number) -> Tensor: ...
@_overload
def __or__(input: Tensor, other: Tensor) -> Tensor:
    """`input | other`; see `bitwise_or`.

    ```python
    >>> opwright.tensor([6, 5]) | 8
    tensor([14, 13], dtype=int64, shape=(2,))
    ```
    """
@_overload
def __or__(input: Tensor, other: _Number) -> Tensor: ...
@_overload
def __rshift__(input: Tensor, other: Tensor) -> Tensor:
    """`input >> other`; see `bitwise_right_shift`.

    ```python
    >>> opwright.tensor([16, -16]) >> 2
    tensor([ 4, -4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def __rshift__(input: Tensor, other: _Number) -> Tensor: ...
@_overload
def __xor__(input: Tensor, other: Tensor) -> Tensor:
    """`input ^ other`; see `bitwise_xor`.

    ```python
    >>> opwright.tensor([6, 5]) ^ 3
    tensor([5, 6], dtype=int64, shape=(2,))
    ```
    """
@_overload
def __xor__(input: Tensor, other: _Number) -> Tensor: ...
@_overload
def _fft_c2c(input: Tensor, dim: _IntList, normalization: _int, forward: _bool, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform of complex numbers along dimensions, or its inverse.
    `normalization` is 0 for none, 1 to divide by the square root of the number of elements, 2 to
    divide by the number.

    ```python
    >>> opwright._fft_c2c(opwright.tensor([1 + 0j, 2, 3, 4]), [0], 0, True)
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64, shape=(4,))
    ```
    """
@_overload
def _fft_c2c(input: Tensor, *, axis: _IntList, normalization: _int, forward: _bool, out: Tensor | None = None) -> Tensor: ...
@_overload
def _fft_c2r(input: Tensor, dim: _IntList, normalization: _int, last_dim_size: _SupportsIndex, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the one-sided `_fft_r2c`: real numbers, `last_dim_size` along the last of the
    dimensions. For `normalization` see `_fft_c2c`.

    ```python
    >>> opwright._fft_c2r(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]), [0], 2, 4)
    tensor([1., 2., 3., 4.], dtype=float32, shape=(4,))
    ```
    """
@_overload
def _fft_c2r(input: Tensor, *, axis: _IntList, normalization: _int, last_dim_size: _SupportsIndex, out: Tensor | None = None) -> Tensor: ...
@_overload
def _fft_r2c(input: Tensor, dim: _IntList, normalization: _int, onesided: _bool, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform of real numbers along dimensions; if it is one-sided, only the
    first half of the last of them, which the other half mirrors. For `normalization` see
    `_fft_c2c`.

    ```python
    >>> opwright._fft_r2c(opwright.tensor([1.0, 2.0, 3.0, 4.0]), [0], 0, True)
    tensor([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64, shape=(3,))
    ```
    """
@_overload
def _fft_r2c(input: Tensor, *, axis: _IntList, normalization: _int, onesided: _bool, out: Tensor | None = None) -> Tensor: ...
@_overload
def _foreach_add(self: _TensorList, scalars: _tuple[_Number, ...] | _list[_Number]) -> _tuple[Tensor, ...]: ...
@_overload
def _foreach_add(self: _TensorList, other: Tensor, *, alpha: _Number = 1) -> _tuple[Tensor, ...]: ...
@_overload
def _foreach_add(self: _TensorList, scalar: _Number) -> _tuple[Tensor, ...]:
    """Each tensor plus a number, or plus the number or the tensor at its place in
    the other list.

    ```python
    >>> opwright._foreach_add([opwright.tensor([1, 2]), opwright.tensor([3])], 10)
    (tensor([11, 12], dtype=int64, shape=(2,)), tensor([13], dtype=int64, shape=(1,)))
    ```
    """
@_overload
def _foreach_add(self: _TensorList, other: _TensorList, *, alpha: _Number = 1) -> _tuple[Tensor, ...]: ...
@_overload
def _foreach_add_(self: _TensorList, scalars: _tuple[_Number, ...] | _list[_Number]) -> _TensorList: ...
@_overload
def _foreach_add_(self: _TensorList, other: Tensor, *, alpha: _Number = 1) -> _TensorList: ...
@_overload
def _foreach_add_(self: _TensorList, scalar: _Number) -> _TensorList: ...
@_overload
def _foreach_add_(self: _TensorList, other: _TensorList, *, alpha: _Number = 1) -> _TensorList: ...
@_overload
def _fused_adam_(self: _TensorList, grads: _TensorList, exp_avgs: _TensorList, exp_avg_sqs: _TensorList, max_exp_avg_sqs: _TensorList, state_steps: _TensorList, *, lr: Tensor, beta1: _float, beta2: _float, weight_decay: _float, eps: _float, amsgrad: _bool, maximize: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList: ...
@_overload
def _fused_adam_(self: _TensorList, grads: _TensorList, exp_avgs: _TensorList, exp_avg_sqs: _TensorList, max_exp_avg_sqs: _TensorList, state_steps: _TensorList, *, lr: _float, beta1: _float, beta2: _float, weight_decay: _float, eps: _float, amsgrad: _bool, maximize: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList:
    """A step of `optim.Adam` for all parameters `self` with these gradients. For each there are the
    running means of gradients and of their squares, with `amsgrad` the greatest of these, and the
    number of the step. Gradients are divided by `grad_scale`, and if `found_inf` is not 0, nothing
    happens.

    Raises `RuntimeError` for lists of different lengths, and for tensors of other dtypes or shapes than
    their parameters.

    ```python
    >>> p, g = opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, -1.0])
    >>> means, squares = opwright.zeros(2), opwright.zeros(2)
    >>> options = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "weight_decay": 0, "eps": 1e-8}
    >>> _ = opwright._fused_adam_(
    ...     [p], [g], [means], [squares], [], [opwright.tensor(1.0)],
    ...     amsgrad=False, maximize=False, **options,
    ... )
    >>> p
    tensor([0.9, 2.1], dtype=float32, shape=(2,))
    ```
    """
@_overload
def _fused_adamw_(self: _TensorList, grads: _TensorList, exp_avgs: _TensorList, exp_avg_sqs: _TensorList, max_exp_avg_sqs: _TensorList, state_steps: _TensorList, *, lr: Tensor, beta1: _float, beta2: _float, weight_decay: _float, eps: _float, amsgrad: _bool, maximize: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList: ...
@_overload
def _fused_adamw_(self: _TensorList, grads: _TensorList, exp_avgs: _TensorList, exp_avg_sqs: _TensorList, max_exp_avg_sqs: _TensorList, state_steps: _TensorList, *, lr: _float, beta1: _float, beta2: _float, weight_decay: _float, eps: _float, amsgrad: _bool, maximize: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList:
    """As `_fused_adam_`, for `optim.AdamW`: parameters are multiplied by `1 - lr * weight_decay`, which
    their gradients know nothing of.

    ```python
    >>> p, g = opwright.tensor([1.0, 2.0]), opwright.tensor([0.0, 0.0])
    >>> means, squares = opwright.zeros(2), opwright.zeros(2)
    >>> options = {"lr": 0.1, "beta1": 0.9, "beta2": 0.999, "weight_decay": 1.0, "eps": 1e-8}
    >>> _ = opwright._fused_adamw_(
    ...     [p], [g], [means], [squares], [], [opwright.tensor(1.0)],
    ...     amsgrad=False, maximize=False, **options,
    ... )
    >>> p
    tensor([0.9, 1.8], dtype=float32, shape=(2,))
    ```
    """
@_overload
def _fused_sgd_(self: _TensorList, grads: _TensorList, momentum_buffer_list: _TensorList, *, weight_decay: _float, momentum: _float, lr: Tensor, dampening: _float, nesterov: _bool, maximize: _bool, is_first_step: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList: ...
@_overload
def _fused_sgd_(self: _TensorList, grads: _TensorList, momentum_buffer_list: _TensorList, *, weight_decay: _float, momentum: _float, lr: _float, dampening: _float, nesterov: _bool, maximize: _bool, is_first_step: _bool, grad_scale: Tensor | None = None, found_inf: Tensor | None = None) -> _TensorList:
    """A step of `optim.SGD` for all parameters `self` with these gradients. `momentum_buffer_list` has a
    tensor for each if `momentum` is not 0; unless this `is_first_step`, it is what the step before has
    left there. Gradients are divided by `grad_scale`, and if `found_inf` is not 0, nothing happens.

    Raises `RuntimeError` for lists of different lengths, and for tensors of other dtypes or shapes than
    their parameters.

    ```python
    >>> p, g = opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, -1.0])
    >>> options = {"weight_decay": 0, "momentum": 0, "dampening": 0, "nesterov": False}
    >>> _ = opwright._fused_sgd_(
    ...     [p], [g], [], lr=0.5, maximize=False, is_first_step=True, **options
    ... )
    >>> p
    tensor([0.5, 2.5], dtype=float32, shape=(2,))
    ```
    """
@_overload
def _log_softmax(input: Tensor, dim: _int, half_to_float: _bool, *, out: Tensor | None = None) -> Tensor:
    """What `log_softmax` is made of. With `half_to_float`, half precision gives single precision.

    ```python
    >>> opwright._log_softmax(opwright.tensor([1.0, 1.0]), 0, False)
    tensor([-0.6931, -0.6931], dtype=float32, shape=(2,))
    ```
    """
@_overload
def _log_softmax(input: Tensor, *, axis: _int, half_to_float: _bool, out: Tensor | None = None) -> Tensor: ...
@_overload
def _softmax(input: Tensor, dim: _int, half_to_float: _bool, *, out: Tensor | None = None) -> Tensor:
    """What `softmax` is made of. With `half_to_float`, half precision gives single precision.

    ```python
    >>> opwright._softmax(opwright.tensor([1.0, 1.0]), 0, False)
    tensor([0.5, 0.5], dtype=float32, shape=(2,))
    ```
    """
@_overload
def _softmax(input: Tensor, *, axis: _int, half_to_float: _bool, out: Tensor | None = None) -> Tensor: ...
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element; of complex numbers the magnitude, as a real number.

    ```python
    >>> opwright.abs(opwright.tensor([-2, 3]))
    tensor([2, 3], dtype=int64, shape=(2,))
    >>> opwright.abs(opwright.tensor([3 + 4j]))
    tensor([5.], dtype=float32, shape=(1,))
    ```
    """
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element; of complex numbers the magnitude, as a real number.

    ```python
    >>> opwright.abs(opwright.tensor([-2, 3]))
    tensor([2, 3], dtype=int64, shape=(2,))
    >>> opwright.abs(opwright.tensor([3 + 4j]))
    tensor([5.], dtype=float32, shape=(1,))
    ```
    """
def abs_(input: Tensor) -> Tensor: ...
def absolute_(input: Tensor) -> Tensor: ...
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc cosine of each element, in radians; NaN outside of -1 to 1.

    ```python
    >>> opwright.acos(opwright.tensor([1.0, 0.0, -1.0]))
    tensor([0.0000, 1.5708, 3.1416], dtype=float32, shape=(3,))
    ```
    """
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc cosine of each element, in radians; NaN outside of -1 to 1.

    ```python
    >>> opwright.acos(opwright.tensor([1.0, 0.0, -1.0]))
    tensor([0.0000, 1.5708, 3.1416], dtype=float32, shape=(3,))
    ```
    """
def acos_(input: Tensor) -> Tensor: ...
def arccos_(input: Tensor) -> Tensor: ...
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine of each element; NaN below 1.

    ```python
    >>> opwright.acosh(opwright.tensor([1.0, 2.0]))
    tensor([0.000, 1.317], dtype=float32, shape=(2,))
    ```
    """
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic cosine of each element; NaN below 1.

    ```python
    >>> opwright.acosh(opwright.tensor([1.0, 2.0]))
    tensor([0.000, 1.317], dtype=float32, shape=(2,))
    ```
    """
def acosh_(input: Tensor) -> Tensor: ...
def arccosh_(input: Tensor) -> Tensor: ...
def add(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """The sum `input + alpha * other`. Truth values add up as `or`.

    ```python
    >>> opwright.add(opwright.tensor([1, 2]), opwright.tensor([10, 20]))
    tensor([11, 22], dtype=int64, shape=(2,))
    >>> opwright.add(opwright.tensor([1, 2]), 0.5, alpha=2)
    tensor([2., 3.], dtype=float32, shape=(2,))
    ```
    """
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`beta * input` plus `alpha` times the sum of the products of all pairs of
    matrices of two batches, `(b, n, k)` and `(b, k, m)`; `input` stretches to
    the shape of one product.

    ```python
    >>> opwright.addbmm(opwright.zeros(2, 2), opwright.ones(3, 2, 4), opwright.ones(3, 4, 2))
    tensor([[12., 12.],
            [12., 12.]], dtype=float32, shape=(2, 2))
    ```
    """
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 / tensor2`.

    Raises `RuntimeError` for integers, which would have to be rounded.

    ```python
    >>> opwright.addcdiv(
    ...     opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, 2.0]), opwright.tensor([4.0, 4.0]), value=2
    ... )
    tensor([1.5, 2.0], dtype=float32, shape=(2,))
    ```
    """
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`input + value * tensor1 * tensor2`.

    ```python
    >>> opwright.addcmul(
    ...     opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, 2.0]), opwright.tensor([4.0, 4.0]), value=2
    ... )
    tensor([ 9., 17.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`beta * input + alpha * (mat1 @ mat2)`, where `input` stretches to the product's shape. With
    `beta=0`, `input` is not read, so that a NaN in it does no harm.

    ```python
    >>> opwright.addmm(
    ...     opwright.tensor([10.0, 20.0]), opwright.eye(2), opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
    ... )
    tensor([[11., 22.],
            [13., 24.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, out_dtype: _DType, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor: ...
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`beta * input + alpha * (mat @ vec)`, where `input` stretches to the product's shape. With
    `beta=0`, `input` is not read.

    ```python
    >>> opwright.addmv(
    ...     opwright.tensor([1.0, 1.0]), opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), opwright.tensor([1.0, 1.0]), beta=2
    ... )
    tensor([5., 9.], dtype=float32, shape=(2,))
    ```
    """
def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor: ...
@_overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are true, that is not zero, over all dimensions or along `dim`. The
    result is `bool`, but `uint8` for `uint8`. Of no elements all are true.

    ```python
    >>> opwright.all(opwright.tensor([True, False]))
    tensor(False, dtype=bool, shape=())
    >>> opwright.all(opwright.tensor([[1, 2], [0, 3]]), dim=1)
    tensor([ True, False], dtype=bool, shape=(2,))
    ```
    """
@_overload
def all(input: Tensor, dim: _IntList | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, *, axis: _IntList | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, dim: _IntList | None = None, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, *, axis: _IntList | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, *, axis: _int, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, dim: _int, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def all(input: Tensor, *, axis: _int, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
def allclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
    """Whether all elements of `input` and `other` are close; see `isclose`.

    ```python
    >>> opwright.allclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, 2.000001]))
    True
    >>> opwright.allclose(opwright.tensor([1.0]), opwright.tensor([1.1]))
    False
    ```
    """
@_overload
def amax(input: Tensor, dim: _int | _IntList | None = (), keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The greatest element, along all of `dim` or over all dimensions if it is empty; NaN if there
    is one. Raises an error if there is nothing to choose from.

    ```python
    >>> opwright.amax(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    tensor([5, 7], dtype=int64, shape=(2,))
    ```
    """
@_overload
def amax(input: Tensor, *, axis: _int | _IntList | None = (), keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def amax(input: Tensor, dim: _int | _IntList | None = (), *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def amax(input: Tensor, *, axis: _int | _IntList | None = (), keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def amin(input: Tensor, dim: _int | _IntList | None = (), keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The least element, along all of `dim` or over all dimensions if it is empty; NaN if there is
    one. Raises an error if there is nothing to choose from.

    ```python
    >>> opwright.amin(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    tensor([1, 2], dtype=int64, shape=(2,))
    ```
    """
@_overload
def amin(input: Tensor, *, axis: _int | _IntList | None = (), keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def amin(input: Tensor, dim: _int | _IntList | None = (), *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def amin(input: Tensor, *, axis: _int | _IntList | None = (), keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def aminmax(input: Tensor, *, dim: _int | None = None, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.aminmax:
    """The least and the greatest element, over all dimensions or along `dim`, as a named tuple
    `(min, max)`.

    ```python
    >>> opwright.aminmax(opwright.tensor([3, 1, 2]))
    aminmax(min=tensor(1, dtype=int64, shape=()), max=tensor(3, dtype=int64, shape=()))
    ```
    """
@_overload
def aminmax(input: Tensor, *, axis: _int | None = None, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.aminmax: ...
@_overload
def aminmax(input: Tensor, *, dim: _int | None = None, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.aminmax: ...
@_overload
def aminmax(input: Tensor, *, axis: _int | None = None, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.aminmax: ...
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of each complex number in radians; of real ones 0, or pi if they are negative.

    ```python
    >>> opwright.angle(opwright.tensor([1j, -1 + 0j]))
    tensor([1.5708, 3.1416], dtype=float32, shape=(2,))
    >>> opwright.angle(opwright.tensor([2.0, -2.0]))
    tensor([0.0000, 3.1416], dtype=float32, shape=(2,))
    ```
    """
@_overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether any element is true, that is not zero, over all dimensions or along `dim`. The result
    is `bool`, but `uint8` for `uint8`. Of no elements none is true.

    ```python
    >>> opwright.any(opwright.tensor([True, False]))
    tensor(True, dtype=bool, shape=())
    >>> opwright.any(opwright.tensor([[1, 2], [0, 0]]), dim=1)
    tensor([ True, False], dtype=bool, shape=(2,))
    ```
    """
@_overload
def any(input: Tensor, dim: _IntList | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, *, axis: _IntList | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, dim: _IntList | None = None, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, *, axis: _IntList | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, *, axis: _int, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, dim: _int, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def any(input: Tensor, *, axis: _int, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def arange(end: _Number, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The numbers `start`, `start + step`, ... that lie before `end`, as a tensor of one
    dimension. `start` is 0 and `step` 1 if they are left out. The dtype is `int64` if all three
    are integers, else the default dtype.

    Raises `RuntimeError` if `step` is 0 or leads away from `end`.

    ```python
    >>> opwright.arange(4)
    tensor([0, 1, 2, 3], dtype=int64, shape=(4,))
    >>> opwright.arange(1.0, 2.0, 0.25)
    tensor([1.00, 1.25, 1.50, 1.75], dtype=float32, shape=(4,))
    ```
    """
@_overload
def arange(start: _Number, end: _Number, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def arange(start: _Number, end: _Number, step: _Number = 1, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def argmax(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Where the greatest element is first found: an index along `dim`, or without `dim` one into the
    flattened tensor. A NaN counts as greatest.

    ```python
    >>> opwright.argmax(opwright.tensor([[1, 5], [7, 2]]))
    tensor(2, dtype=int64, shape=())
    >>> opwright.argmax(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    tensor([1, 0], dtype=int64, shape=(2,))
    ```
    """
@_overload
def argmax(input: Tensor, *, axis: _int | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argmax(input: Tensor, dim: _int | None = None, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argmax(input: Tensor, *, axis: _int | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argmin(input: Tensor, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Where the least element is first found: an index along `dim`, or without `dim` one into the
    flattened tensor. A NaN counts as least.

    ```python
    >>> opwright.argmin(opwright.tensor([[1, 5], [7, 2]]))
    tensor(0, dtype=int64, shape=())
    >>> opwright.argmin(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    tensor([0, 1], dtype=int64, shape=(2,))
    ```
    """
@_overload
def argmin(input: Tensor, *, axis: _int | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argmin(input: Tensor, dim: _int | None = None, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argmin(input: Tensor, *, axis: _int | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argsort(input: Tensor, *, stable: _bool, dim: _int = -1, descending: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argsort(input: Tensor, *, stable: _bool, axis: _int = -1, descending: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that would sort the elements along `dim`; equal elements keep
    their order, and NaN counts as greatest.

    ```python
    >>> opwright.argsort(opwright.tensor([3, 1, 2]))
    tensor([1, 2, 0], dtype=int64, shape=(3,))
    >>> opwright.argsort(opwright.tensor([3, 1, 2]), descending=True)
    tensor([0, 2, 1], dtype=int64, shape=(3,))
    ```
    """
@_overload
def argsort(input: Tensor, *, axis: _int = -1, descending: _bool = False) -> Tensor: ...
def argwhere(input: Tensor) -> Tensor:
    """The indices of all elements that are not zero, one row for each; another name
    of `nonzero`.

    ```python
    >>> opwright.argwhere(opwright.tensor([[0, 1], [1, 1]]))
    tensor([[0, 1],
            [1, 0],
            [1, 1]], dtype=int64, shape=(3, 2))
    ```
    """
def as_strided(input: Tensor, size: _IntList, stride: _IntList, storage_offset: _SupportsIndex | None = None) -> Tensor:
    """A view of the memory behind the tensor with this shape and these strides, which count elements
    and may be negative. It begins at `storage_offset`, or where the tensor does.

    Raises `RuntimeError` if the view would reach out of the memory.

    ```python
    >>> opwright.as_strided(opwright.arange(6), (2, 2), (3, 1))
    tensor([[0, 1],
            [3, 4]], dtype=int64, shape=(2, 2))
    ```
    """
def as_strided_(input: Tensor, size: _IntList, stride: _IntList, storage_offset: _SupportsIndex | None = None) -> Tensor:
    """Gives the tensor itself another shape and other strides; see `as_strided`."""
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc sine of each element, in radians; NaN outside of -1 to 1.

    ```python
    >>> opwright.asin(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.5708,  0.0000,  1.5708], dtype=float32, shape=(3,))
    ```
    """
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc sine of each element, in radians; NaN outside of -1 to 1.

    ```python
    >>> opwright.asin(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.5708,  0.0000,  1.5708], dtype=float32, shape=(3,))
    ```
    """
def asin_(input: Tensor) -> Tensor: ...
def arcsin_(input: Tensor) -> Tensor: ...
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine of each element.

    ```python
    >>> opwright.asinh(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8814], dtype=float32, shape=(2,))
    ```
    """
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic sine of each element.

    ```python
    >>> opwright.asinh(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8814], dtype=float32, shape=(2,))
    ```
    """
def asinh_(input: Tensor) -> Tensor: ...
def arcsinh_(input: Tensor) -> Tensor: ...
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc tangent of each element, in radians.

    ```python
    >>> opwright.atan(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7854,  0.0000,  0.7854], dtype=float32, shape=(3,))
    ```
    """
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The arc tangent of each element, in radians.

    ```python
    >>> opwright.atan(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7854,  0.0000,  0.7854], dtype=float32, shape=(3,))
    ```
    """
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians between the x axis and the point (`other`, `input`), from -pi to pi.

    ```python
    >>> opwright.atan2(opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, -1.0]))
    tensor([0.7854, 2.3562], dtype=float32, shape=(2,))
    ```
    """
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle in radians between the x axis and the point (`other`, `input`), from -pi to pi.

    ```python
    >>> opwright.atan2(opwright.tensor([1.0, 1.0]), opwright.tensor([1.0, -1.0]))
    tensor([0.7854, 2.3562], dtype=float32, shape=(2,))
    ```
    """
def atan_(input: Tensor) -> Tensor: ...
def arctan_(input: Tensor) -> Tensor: ...
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent of each element; NaN outside of -1 to 1.

    ```python
    >>> opwright.atanh(opwright.tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493], dtype=float32, shape=(2,))
    ```
    """
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse hyperbolic tangent of each element; NaN outside of -1 to 1.

    ```python
    >>> opwright.atanh(opwright.tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493], dtype=float32, shape=(2,))
    ```
    """
def atanh_(input: Tensor) -> Tensor: ...
def arctanh_(input: Tensor) -> Tensor: ...
@_overload
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """`beta * input + alpha * (batch1 @ batch2)` for batches of matrices, where `input` stretches to
    the product's shape. With `beta=0`, `input` is not read.

    ```python
    >>> opwright.baddbmm(opwright.tensor([1.0]), opwright.ones(2, 1, 3), opwright.ones(2, 3, 1)).flatten()
    tensor([4., 4.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, out_dtype: _DType, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> Tensor: ...
@_overload
def bernoulli(input: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor:
    """For each element of `input`, a probability, 1 with that probability and else 0. With `p`,
    that is the probability for all elements.

    Raises `RuntimeError` if a probability is not in the range from 0 to 1.

    ```python
    >>> opwright.bernoulli(opwright.tensor([0.0, 1.0]))
    tensor([0., 1.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def bernoulli(input: Tensor, p: _float, *, generator: Generator | None = None) -> Tensor: ...
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _SupportsIndex = 0) -> Tensor:
    """How often each of the numbers from 0 on occurs in a vector of integers that are
    not negative; at least `minlength` numbers are counted. With `weights`, a
    vector of the same length, those of each number are added up instead, as
    `float64`, or as `float32` if that is what they are. The size of the result
    depends on the elements, so there is none on the meta device.

    ```python
    >>> opwright.bincount(opwright.tensor([0, 1, 1, 3]))
    tensor([1, 2, 0, 1], dtype=int64, shape=(4,))
    >>> opwright.bincount(opwright.tensor([0, 1, 1]), weights=opwright.tensor([1.0, 0.5, 0.25]))
    tensor([1.00, 0.75], dtype=float32, shape=(2,))
    ```
    """
@_overload
def bitwise_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The and of the bits of `input` and `other`.

    Only for integers and truth values.

    ```python
    >>> opwright.bitwise_and(opwright.tensor([6, 5]), 3)
    tensor([2, 1], dtype=int64, shape=(2,))
    ```
    """
@_overload
def bitwise_and(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def bitwise_and(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def bitwise_left_shift(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` with its bits moved up by `other` places, which multiplies by a power of 2.

    Only for integers. A count that is negative or not less than the bits of the dtype moves all
    bits out.

    ```python
    >>> opwright.bitwise_left_shift(opwright.tensor([1, 2]), 3)
    tensor([ 8, 16], dtype=int64, shape=(2,))
    ```
    """
@_overload
def bitwise_left_shift(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def bitwise_left_shift(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element with its bits turned; of truth values the negation.

    Only for integers and truth values.

    ```python
    >>> opwright.bitwise_not(opwright.tensor([0, 5]))
    tensor([-1, -6], dtype=int64, shape=(2,))
    >>> opwright.bitwise_not(opwright.tensor([True, False]))
    tensor([False,  True], dtype=bool, shape=(2,))
    ```
    """
@_overload
def bitwise_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The or of the bits of `input` and `other`.

    Only for integers and truth values.

    ```python
    >>> opwright.bitwise_or(opwright.tensor([6, 5]), 8)
    tensor([14, 13], dtype=int64, shape=(2,))
    ```
    """
@_overload
def bitwise_or(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def bitwise_or(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def bitwise_right_shift(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` with its bits moved down by `other` places, which divides by a power of 2, rounding
    down.

    Only for integers. A count that is negative or not less than the bits of the dtype moves all
    bits out.

    ```python
    >>> opwright.bitwise_right_shift(opwright.tensor([16, -16]), 2)
    tensor([ 4, -4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def bitwise_right_shift(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def bitwise_right_shift(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def bitwise_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exclusive or of the bits of `input` and `other`.

    Only for integers and truth values.

    ```python
    >>> opwright.bitwise_xor(opwright.tensor([6, 5]), 3)
    tensor([5, 6], dtype=int64, shape=(2,))
    ```
    """
@_overload
def bitwise_xor(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def bitwise_xor(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of two batches of matrices, `(b, n, k)` by `(b, k, m)`, of one dtype; nothing is
    broadcast. With `out_dtype`, half-precision matrices are multiplied to `float32`.

    ```python
    >>> opwright.bmm(opwright.ones(2, 1, 3), opwright.ones(2, 3, 2)).shape
    opwright.Size([2, 1, 2])
    ```
    """
@_overload
def bmm(input: Tensor, mat2: Tensor, out_dtype: _DType, *, out: Tensor | None = None) -> Tensor: ...
def broadcast_tensors(tensors: _TensorList) -> _tuple[Tensor, ...]:
    """Copies of the tensors, each stretched to the shape that all of them
    broadcast to.

    ```python
    >>> a, b = opwright.broadcast_tensors([opwright.ones(3, 1), opwright.ones(4)])
    >>> a.shape, b.shape
    (opwright.Size([3, 4]), opwright.Size([3, 4]))
    ```
    """
def broadcast_to(input: Tensor, size: _IntList) -> Tensor:
    """The tensor stretched to a shape without a copy; another name of `expand`.

    ```python
    >>> opwright.broadcast_to(opwright.tensor([1, 2, 3]), (2, 3))
    tensor([[1, 2, 3],
            [1, 2, 3]], dtype=int64, shape=(2, 3))
    ```
    """
@_overload
def bucketize(input: Tensor, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None) -> Tensor:
    """Which of the buckets between sorted `boundaries`, a vector, each element of
    `input` falls into: `searchsorted` with the arguments exchanged.

    ```python
    >>> opwright.bucketize(opwright.tensor([0, 3, 9]), opwright.tensor([1, 3, 5]))
    tensor([0, 1, 3], dtype=int64, shape=(3,))
    >>> opwright.bucketize(opwright.tensor([0, 3, 9]), opwright.tensor([1, 3, 5]), right=True)
    tensor([0, 2, 3], dtype=int64, shape=(3,))
    ```
    """
@_overload
def bucketize(self: _Number, boundaries: Tensor, *, out_int32: _bool = False, right: _bool = False) -> Tensor: ...
def can_cast(from_: _DType, to: _DType) -> _bool:
    """Whether a result of dtype `from_` may be written to a tensor of dtype `to`, in
    place or as `out`: unless it would fall to a lower category.

    ```python
    >>> opwright.can_cast(opwright.int64, opwright.float32), opwright.can_cast(
    ...     opwright.float32, opwright.int64
    ... )
    (True, False)
    ```
    """
@_overload
def cat(tensors: _TensorList, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a dimension. Their other sizes must be equal, and their
    dtypes are promoted; a tensor of shape `[0]` goes with any others.

    ```python
    >>> opwright.cat([opwright.tensor([1, 2]), opwright.tensor([3])])
    tensor([1, 2, 3], dtype=int64, shape=(3,))
    >>> opwright.cat([opwright.ones(2, 1), opwright.zeros(2, 2)], dim=1)
    tensor([[1., 0., 0.],
            [1., 0., 0.]], dtype=float32, shape=(2, 3))
    ```
    """
@_overload
def cat(tensors: _TensorList, *, axis: _int = 0, out: Tensor | None = None) -> Tensor: ...
def cdist(x1: Tensor, x2: Tensor, p: _float = 2, compute_mode: _int | None = None) -> Tensor:
    """The `p`-norm distance of each row of `x1` from each row of `x2`: matrices, or
    batches of them, which are broadcast, with equally long rows. Euclidean
    distances of many rows are computed by a product of matrices, always with
    `compute_mode=1`, and never with 2; those of which it would lose digits are
    computed one by one.

    ```python
    >>> opwright.cdist(opwright.tensor([[0.0, 0.0]]), opwright.tensor([[3.0, 4.0], [6.0, 8.0]]))
    tensor([[ 5., 10.]], dtype=float32, shape=(1, 2))
    ```
    """
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least integer that is not below each element. Integers stay as they are.

    ```python
    >>> opwright.ceil(opwright.tensor([-1.5, 0.2]))
    tensor([-1.,  1.], dtype=float32, shape=(2,))
    ```
    """
def ceil_(input: Tensor) -> Tensor: ...
def celu(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """`x` where it is positive, and `alpha * (exp(x / alpha) - 1)` elsewhere, whose
    slope is 1 at 0 for every `alpha`.

    ```python
    >>> opwright.celu(opwright.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.6321,  0.0000,  2.0000], dtype=float32, shape=(3,))
    ```
    """
def celu_(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """As `celu`, in place."""
def chain_matmul(matrices: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The product of matrices, in the order that takes the fewest multiplications;
    of a single one, a copy of it. See `linalg.multi_dot`.

    ```python
    >>> opwright.chain_matmul([opwright.ones(2, 3), opwright.ones(3, 4), opwright.ones(4, 1)])
    tensor([[12.],
            [12.]], dtype=float32, shape=(2, 1))
    ```
    """
def cholesky(input: Tensor, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Cholesky's factor of a matrix; see `linalg.cholesky`.

    ```python
    >>> opwright.cholesky(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
    tensor([[2., 0.],
            [1., 2.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> _tuple[Tensor, ...]:
    """At most `chunks` parts along a dimension, all of the same size but the last,
    which may be smaller; they share the memory of the input.

    ```python
    >>> opwright.chunk(opwright.arange(5), 2)
    (tensor([0, 1, 2], dtype=int64, shape=(3,)), tensor([3, 4], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def chunk(input: Tensor, chunks: _int, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def clamp(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def clamp(input: Tensor, min: _Number | None = None, max: _Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """Each element, or the nearer end if it is outside of the range from `min` to `max`. Either
    may be left out, but not both. Where `min` is above `max`, the result is `max`.

    ```python
    >>> opwright.clamp(opwright.tensor([-3, 0, 7]), min=-1, max=5)
    tensor([-1,  0,  5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
@_overload
def clamp_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor: ...
@_overload
def clamp_max(input: Tensor, max: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def clamp_max(input: Tensor, max: _Number, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `max` if that is less.

    ```python
    >>> opwright.clamp_max(opwright.tensor([-3, 0, 7]), 5)
    tensor([-3,  0,  5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def clamp_max_(input: Tensor, max: Tensor) -> Tensor: ...
@_overload
def clamp_max_(input: Tensor, max: _Number) -> Tensor: ...
@_overload
def clamp_min(input: Tensor, min: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def clamp_min(input: Tensor, min: _Number, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `min` if that is greater.

    ```python
    >>> opwright.clamp_min(opwright.tensor([-3, 0, 7]), -1)
    tensor([-1,  0,  7], dtype=int64, shape=(3,))
    ```
    """
@_overload
def clamp_min_(input: Tensor, min: Tensor) -> Tensor: ...
@_overload
def clamp_min_(input: Tensor, min: _Number) -> Tensor: ...
@_overload
def clip(input: Tensor, min: Tensor | None = None, max: Tensor | None = None, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def clip(input: Tensor, min: _Number | None = None, max: _Number | None = None, *, out: Tensor | None = None) -> Tensor:
    """Another name of `clamp`.

    ```python
    >>> opwright.clip(opwright.tensor([-3, 0, 7]), -1, 5)
    tensor([-1,  0,  5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor: ...
@_overload
def clip_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor: ...
def clone(input: Tensor, *, memory_format: _memory_format | None = None) -> Tensor:
    """A copy of `input` with memory of its own.

    ```python
    >>> x = opwright.tensor([1, 2])
    >>> y = opwright.clone(x)
    >>> y[0] = 9
    >>> x
    tensor([1, 2], dtype=int64, shape=(2,))
    ```
    """
def column_stack(tensors: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side; a vector is one column.

    ```python
    >>> opwright.column_stack([opwright.tensor([1, 2]), opwright.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]], dtype=int64, shape=(2, 2))
    ```
    """
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers with these real and imaginary parts.

    Raises `RuntimeError` unless both are of the same floating dtype, `float32` or `float64`.

    ```python
    >>> opwright.complex(opwright.tensor([1.0, 2.0]), opwright.tensor([0.0, -1.0]))
    tensor([1.+0.j, 2.-1.j], dtype=complex64, shape=(2,))
    ```
    """
@_overload
def concat(tensors: _TensorList, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a dimension; another name of `cat`.

    ```python
    >>> opwright.concat([opwright.tensor([1, 2]), opwright.tensor([3])])
    tensor([1, 2, 3], dtype=int64, shape=(3,))
    ```
    """
@_overload
def concat(tensors: _TensorList, *, axis: _int = 0, out: Tensor | None = None) -> Tensor: ...
@_overload
def concatenate(tensors: _TensorList, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along a dimension; another name of `cat`.

    ```python
    >>> opwright.concatenate([opwright.tensor([1, 2]), opwright.tensor([3])])
    tensor([1, 2, 3], dtype=int64, shape=(3,))
    ```
    """
@_overload
def concatenate(tensors: _TensorList, *, axis: _int = 0, out: Tensor | None = None) -> Tensor: ...
def conj(input: Tensor) -> Tensor:
    """The complex conjugates, in memory of their own; real numbers are `input` itself.

    ```python
    >>> opwright.conj(opwright.tensor([1 + 2j]))
    tensor([1.-2.j], dtype=complex64, shape=(1,))
    ```
    """
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate of each element.

    ```python
    >>> opwright.conj_physical(opwright.tensor([1 + 2j]))
    tensor([1.-2.j], dtype=complex64, shape=(1,))
    ```
    """
def conj_physical_(input: Tensor) -> Tensor: ...
def constant_pad_nd(input: Tensor, pad: _IntList, value: _Number = 0) -> Tensor:
    """A border of one value around the tensor. `pad` has two numbers for each dimension, before and
    after it, beginning with the last dimension; negative ones take elements away.

    ```python
    >>> opwright.constant_pad_nd(opwright.tensor([1, 2]), (1, 2), 7)
    tensor([7, 1, 2, 7, 7], dtype=int64, shape=(5,))
    ```
    """
def copy(input: Tensor, src: Tensor, non_blocking: _bool = False) -> Tensor:
    """A tensor with the shape and dtype of `input` and the elements of `src`,
    broadcast and cast.

    ```python
    >>> opwright.copy(opwright.tensor([0.0, 0.0]), opwright.tensor([1, 2]))
    tensor([1., 2.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def copysign(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The magnitude of `input` with the sign of `other`, as floating numbers.

    ```python
    >>> opwright.copysign(opwright.tensor([1.0, -2.0]), -1.0)
    tensor([-1., -2.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def copysign(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of each element, an angle in radians.

    ```python
    >>> opwright.cos(opwright.tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403], dtype=float32, shape=(2,))
    ```
    """
def cos_(input: Tensor) -> Tensor: ...
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of each element.

    ```python
    >>> opwright.cosh(opwright.tensor([0.0, 1.0]))
    tensor([1.0000, 1.5431], dtype=float32, shape=(2,))
    ```
    """
def cosh_(input: Tensor) -> Tensor: ...
@_overload
def count_nonzero(input: Tensor, dim: _IntList) -> Tensor: ...
@_overload
def count_nonzero(input: Tensor, *, axis: _IntList) -> Tensor: ...
@_overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero, over all dimensions or along `dim`: one, a
    list, or `None` for all.

    ```python
    >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]))
    tensor(3, dtype=int64, shape=())
    >>> opwright.count_nonzero(opwright.tensor([[0, 1], [2, 3]]), dim=0)
    tensor([1, 2], dtype=int64, shape=(2,))
    ```
    """
@_overload
def count_nonzero(input: Tensor, *, axis: _int | None = None) -> Tensor: ...
@_overload
def cross(input: Tensor, other: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The cross product along `dim`, or along the first dimension of size three; see
    `linalg.cross`.

    ```python
    >>> opwright.cross(opwright.tensor([1, 0, 0]), opwright.tensor([0, 1, 0]))
    tensor([0, 0, 1], dtype=int64, shape=(3,))
    ```
    """
@_overload
def cross(input: Tensor, other: Tensor, *, axis: _int | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def cummax(input: Tensor, dim: _int, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.cummax:
    """The greatest elements so far along `dim`, and where they were last found, as
    a named tuple `(values, indices)`. From a NaN on, all are NaN.

    ```python
    >>> opwright.cummax(opwright.tensor([1, 3, 2, 3]), dim=0)
    cummax(values=tensor([1, 3, 3, 3], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
    ```
    """
@_overload
def cummax(input: Tensor, *, axis: _int, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.cummax: ...
@_overload
def cummin(input: Tensor, dim: _int, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.cummin:
    """The least elements so far along `dim`, and where they were last found, as a
    named tuple `(values, indices)`. From a NaN on, all are NaN.

    ```python
    >>> opwright.cummin(opwright.tensor([3, 1, 2, 1]), dim=0)
    cummin(values=tensor([3, 1, 1, 1], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
    ```
    """
@_overload
def cummin(input: Tensor, *, axis: _int, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.cummin: ...
@_overload
def cumprod(input: Tensor, dim: _int, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The running product along `dim`: each element is the product of those up to and with it.
    Booleans and integers are multiplied as `int64` unless `dtype` says otherwise; in place, the
    dtype stays.

    ```python
    >>> opwright.cumprod(opwright.tensor([1, 2, 3, 4]), dim=0)
    tensor([ 1,  2,  6, 24], dtype=int64, shape=(4,))
    ```
    """
@_overload
def cumprod(input: Tensor, *, axis: _int, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def cumsum(input: Tensor, dim: _int, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The running sum along `dim`: each element is the sum of those up to and with it. Booleans and
    integers are added as `int64` unless `dtype` says otherwise; in place, the dtype stays.

    ```python
    >>> opwright.cumsum(opwright.tensor([1, 2, 3, 4]), dim=0)
    tensor([ 1,  3,  6, 10], dtype=int64, shape=(4,))
    >>> opwright.cumsum(opwright.tensor([[1, 2], [3, 4]]), dim=1)
    tensor([[1, 3],
            [3, 7]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def cumsum(input: Tensor, *, axis: _int, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element, an angle in degrees, in radians.

    ```python
    >>> opwright.deg2rad(opwright.tensor([90.0, 180.0]))
    tensor([1.5708, 3.1416], dtype=float32, shape=(2,))
    ```
    """
def deg2rad_(input: Tensor) -> Tensor: ...
def det(input: Tensor) -> Tensor:
    """The determinant of a square matrix; see `linalg.det`.

    ```python
    >>> opwright.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
    tensor(10., dtype=float32, shape=())
    ```
    """
def detach(input: Tensor) -> Tensor:
    """Another handle of the same elements, which records no gradients.

    ```python
    >>> x = opwright.tensor([1, 2])
    >>> opwright.detach(x)[0] = 9
    >>> x
    tensor([9, 2], dtype=int64, shape=(2,))
    ```
    """
def detach_(input: Tensor) -> Tensor:
    """Forgets the calls that made the tensor: it is a leaf that requires no gradients."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """The diagonal of two dimensions as a new last one in place of both, without a copy. A positive
    `offset` moves it towards higher indices of `dim2`, a negative one towards those of `dim1`.

    ```python
    >>> opwright.diagonal(opwright.tensor([[1, 2], [3, 4]]))
    tensor([1, 4], dtype=int64, shape=(2,))
    >>> opwright.diagonal(opwright.tensor([[1, 2], [3, 4]]), offset=1)
    tensor([2], dtype=int64, shape=(1,))
    ```
    """
@_overload
def div(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`. Integers are divided as floating numbers. With `rounding_mode`
    the quotient is rounded, `"trunc"` towards 0 and `"floor"` downwards, and integers stay
    integers.

    Raises `RuntimeError` if an integer is divided by 0 with a `rounding_mode`.

    ```python
    >>> opwright.div(opwright.tensor([7, -7]), 2)
    tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
    >>> opwright.div(opwright.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def div(input: Tensor | _Number, other: Tensor | _Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor: ...
@_overload
def divide(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`. Integers are divided as floating numbers. With `rounding_mode`
    the quotient is rounded, `"trunc"` towards 0 and `"floor"` downwards, and integers stay
    integers.

    Raises `RuntimeError` if an integer is divided by 0 with a `rounding_mode`.

    ```python
    >>> opwright.div(opwright.tensor([7, -7]), 2)
    tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
    >>> opwright.div(opwright.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def divide(input: Tensor | _Number, other: Tensor | _Number, *, rounding_mode: _str | None, out: Tensor | None = None) -> Tensor: ...
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of corresponding elements of two vectors of one
    dtype and length. Complex numbers are multiplied as they are; see `vdot`.

    ```python
    >>> opwright.dot(opwright.tensor([1, 2, 3]), opwright.tensor([4, 5, 6]))
    tensor(32, dtype=int64, shape=())
    ```
    """
def dropout(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Each element replaced by 0 with probability `p`, and else divided by `1 - p`, so that the mean
    stays. Unless `train` is true, the input itself.

    ```python
    >>> opwright.dropout(opwright.tensor([1.0, 2.0]), p=0.5, train=False)
    tensor([1., 2.], dtype=float32, shape=(2,))
    >>> opwright.dropout(opwright.tensor([1.0, 2.0]), p=1.0, train=True)
    tensor([0., 0.], dtype=float32, shape=(2,))
    ```
    """
def dropout_(input: Tensor, p: _float, train: _bool) -> Tensor:
    """As `dropout`, in place."""
@_overload
def dsplit(input: Tensor, indices: _IntList) -> _tuple[Tensor, ...]:
    """The parts between these indices of the third of at least three dimensions."""
@_overload
def dsplit(input: Tensor, sections: _int) -> _tuple[Tensor, ...]:
    """Parts of equal size one behind the other: along the third of at least three
    dimensions. They share the memory of the input.

    ```python
    >>> left, right = opwright.dsplit(opwright.arange(8).reshape(2, 2, 2), 2)
    >>> left.shape
    opwright.Size([2, 2, 1])
    ```
    """
def dstack(tensors: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The tensors one behind the other: along the third dimension.

    ```python
    >>> opwright.dstack([opwright.tensor([1, 2]), opwright.tensor([3, 4])])
    tensor([[[1, 3],
             [2, 4]]], dtype=int64, shape=(1, 2, 2))
    ```
    """
def einsum(equation: _str, tensors: _TensorList, *, path: _IntList | None = None) -> Tensor:
    """Sums of products of the elements of tensors, by an equation such as
    `"ij,jk->ik"`: a letter for each dimension of each tensor, then those of the
    result. Dimensions with one letter go together and are of one size, or of size
    one; letters that the result does not have are summed over; `...` stands for
    further dimensions, which are broadcast. Without `->`, the result has the
    letters that occur once, in alphabetical order. Tensors are multiplied from
    the left, or in the order of `path`, pairs of positions as in `opt_einsum`.

    ```python
    >>> opwright.einsum(
    ...     "ij,j->i", [opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([10, 1])]
    ... )
    tensor([12, 34], dtype=int64, shape=(2,))
    ```
    """
def embedding(weight: Tensor, indices: Tensor, padding_idx: _SupportsIndex = -1, scale_grad_by_freq: _bool = False, sparse: _bool = False) -> Tensor:
    """The rows of `weight` with these numbers: the shape of `indices`, and the length of a row. The
    other parameters matter for gradients only.

    Raises `IndexError` for a number out of range.

    ```python
    >>> opwright.embedding(
    ...     opwright.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]]), opwright.tensor([2, 1])
    ... )
    tensor([[3., 4.],
            [1., 2.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def empty(size: _IntList, *, memory_format: _memory_format | None = None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` whose elements are not set: they read as 0 until written.

    ```python
    >>> opwright.empty(2, 3).shape
    opwright.Size([2, 3])
    ```
    """
@_overload
def empty(*size: _SupportsIndex, memory_format: _memory_format | None = None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` whose elements are not set: they read as 0 until written.

    ```python
    >>> opwright.empty(2, 3).shape
    opwright.Size([2, 3])
    ```
    """
def empty_like(input: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor with the shape of `input`, and its dtype and device unless said otherwise. The
    elements are not set: they read as 0 until written.

    ```python
    >>> opwright.empty_like(opwright.ones(2, 3), dtype=opwright.int64).dtype
    opwright.int64
    ```
    """
def empty_strided(size: _IntList, stride: _IntList, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` whose neighbours along each dimension are `stride` elements apart;
    the elements are not set.

    ```python
    >>> opwright.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    ```
    """
@_overload
def eq(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` and `other` are equal at each place.

    ```python
    >>> opwright.eq(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
    tensor([ True, False,  True], dtype=bool, shape=(3,))
    ```
    """
@_overload
def eq(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether `input` and `other` have the same shape and equal elements.

    ```python
    >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 2]))
    True
    >>> opwright.equal(opwright.tensor([1, 2]), opwright.tensor([1, 3]))
    False
    ```
    """
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function of each element.

    ```python
    >>> opwright.erf(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427], dtype=float32, shape=(2,))
    ```
    """
def erf_(input: Tensor) -> Tensor: ...
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One minus the error function of each element, without losing digits where that is small.

    ```python
    >>> opwright.erfc(opwright.tensor([0.0, 1.0]))
    tensor([1.0000, 0.1573], dtype=float32, shape=(2,))
    ```
    """
def erfc_(input: Tensor) -> Tensor: ...
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e raised to the power of each element.

    ```python
    >>> opwright.exp(opwright.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183], dtype=float32, shape=(2,))
    ```
    """
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 raised to the power of each element.

    ```python
    >>> opwright.exp2(opwright.tensor([0.0, 3.0]))
    tensor([1., 8.], dtype=float32, shape=(2,))
    ```
    """
def exp2_(input: Tensor) -> Tensor: ...
def exp_(input: Tensor) -> Tensor: ...
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e raised to the power of each element, minus 1, without losing digits near 0.

    ```python
    >>> opwright.expm1(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183], dtype=float32, shape=(2,))
    ```
    """
def expm1_(input: Tensor) -> Tensor: ...
@_overload
def eye(n: _SupportsIndex, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A matrix of `n` rows and `m` columns (`n` if left out) with 1 on the diagonal and 0
    elsewhere.

    ```python
    >>> opwright.eye(2)
    tensor([[1., 0.],
            [0., 1.]], dtype=float32, shape=(2, 2))
    >>> opwright.eye(2, 3, dtype=opwright.int64)
    tensor([[1, 0, 0],
            [0, 1, 0]], dtype=int64, shape=(2, 3))
    ```
    """
@_overload
def eye(n: _SupportsIndex, m: _SupportsIndex, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def fill(input: Tensor, value: Tensor) -> Tensor: ...
@_overload
def fill(input: Tensor, value: _Number) -> Tensor:
    """A tensor with the shape and dtype of `input`, filled with `value`.

    ```python
    >>> opwright.fill(opwright.tensor([1, 2]), 7)
    tensor([7, 7], dtype=int64, shape=(2,))
    ```
    """
@_overload
def fill_(input: Tensor, value: Tensor) -> Tensor: ...
@_overload
def fill_(input: Tensor, value: _Number) -> Tensor:
    """Writes `value` to every element of `input`.

    Raises `RuntimeError` if the number does not fit the dtype.
    """
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim`, both included, joined into one.
    It shares the memory of the input if the strides allow it, and is a copy
    otherwise. A tensor without dimensions gets one.

    ```python
    >>> opwright.flatten(opwright.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
    >>> opwright.flatten(opwright.ones(2, 3, 4), start_dim=1).shape
    opwright.Size([2, 12])
    ```
    """
def flip(input: Tensor, dims: _IntList) -> Tensor:
    """A copy with the indices of these dimensions in reverse order.

    ```python
    >>> opwright.flip(opwright.tensor([[1, 2], [3, 4]]), dims=(0,))
    tensor([[3, 4],
            [1, 2]], dtype=int64, shape=(2, 2))
    ```
    """
def fliplr(input: Tensor) -> Tensor:
    """The columns in reverse order: the second of at least two dimensions mirrored.

    ```python
    >>> opwright.fliplr(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]], dtype=int64, shape=(2, 2))
    ```
    """
def flipud(input: Tensor) -> Tensor:
    """The rows in reverse order: the first dimension mirrored.

    ```python
    >>> opwright.flipud(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def float_power(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` raised to the power `exponent`, calculated in `float64`, or in
    `complex128` if one of them is complex.

    ```python
    >>> opwright.float_power(opwright.tensor([2, 3]), 2)
    tensor([4., 9.], dtype=float64, shape=(2,))
    ```
    """
@_overload
def float_power(self: _Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def float_power(input: Tensor, exponent: _Number, *, out: Tensor | None = None) -> Tensor: ...
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest integer that is not above each element. Integers stay as they are.

    ```python
    >>> opwright.floor(opwright.tensor([-1.5, 0.2]))
    tensor([-2.,  0.], dtype=float32, shape=(2,))
    ```
    """
def floor_(input: Tensor) -> Tensor: ...
def floor_divide(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`, rounded down.

    Raises `RuntimeError` if an integer is divided by 0.

    ```python
    >>> opwright.floor_divide(opwright.tensor([7, -7]), 2)
    tensor([ 3, -4], dtype=int64, shape=(2,))
    ```
    """
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greater of `input` and `other` at each place, passing over NaN.

    ```python
    >>> opwright.fmax(opwright.tensor([1.0, float("nan")]), opwright.tensor([3.0, 2.0]))
    tensor([3., 2.], dtype=float32, shape=(2,))
    ```
    """
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The lesser of `input` and `other` at each place, passing over NaN.

    ```python
    >>> opwright.fmin(opwright.tensor([1.0, float("nan")]), opwright.tensor([3.0, 2.0]))
    tensor([1., 2.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def fmod(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The remainder of `input / other`, with the sign of the dividend `input`, as C has it.

    Raises `RuntimeError` if an integer is divided by 0.

    ```python
    >>> opwright.fmod(opwright.tensor([7, -7]), 3)
    tensor([ 1, -1], dtype=int64, shape=(2,))
    ```
    """
@_overload
def fmod(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The fraction of each element, with its sign.

    Only for floating numbers.

    ```python
    >>> opwright.frac(opwright.tensor([1.5, -1.25]))
    tensor([ 0.50, -0.25], dtype=float32, shape=(2,))
    ```
    """
def frac_(input: Tensor) -> Tensor: ...
def full(size: _IntList, fill_value: _Number, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` filled with `fill_value`. Without `dtype` the number decides:
    `bool` for a truth value, `int64` for an integer, else the default dtype or its complex
    counterpart.

    ```python
    >>> opwright.full((2, 2), 7)
    tensor([[7, 7],
            [7, 7]], dtype=int64, shape=(2, 2))
    ```
    """
def full_like(input: Tensor, fill_value: _Number, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of `fill_value` with the shape of `input`, and its dtype and device unless said
    otherwise.

    ```python
    >>> opwright.full_like(opwright.tensor([1.0, 2.0]), 7)
    tensor([7., 7.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def gather(input: Tensor, dim: _int, index: Tensor, *, sparse_grad: _bool = False, out: Tensor | None = None) -> Tensor:
    """For every place of `index`, the element there but at that index along dimension `dim`. The
    result has the shape of `index`, which is no larger than the input in the other dimensions.

    Raises `IndexError` for an index out of range.

    ```python
    >>> opwright.gather(opwright.tensor([[1, 2], [3, 4]]), 1, opwright.tensor([[1], [0]]))
    tensor([[2],
            [3]], dtype=int64, shape=(2, 1))
    ```
    """
@_overload
def gather(input: Tensor, *, axis: _int, index: Tensor, sparse_grad: _bool = False, out: Tensor | None = None) -> Tensor: ...
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor of `input` and `other`, never negative.

    Only for integers.

    ```python
    >>> opwright.gcd(opwright.tensor([12, 7]), opwright.tensor(18))
    tensor([6, 1], dtype=int64, shape=(2,))
    ```
    """
def gcd_(input: Tensor, other: Tensor) -> Tensor: ...
@_overload
def ge(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is at least `other` at each place.

    ```python
    >>> opwright.ge(opwright.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True], dtype=bool, shape=(3,))
    ```
    """
@_overload
def ge(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def greater_equal(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is at least `other` at each place.

    ```python
    >>> opwright.ge(opwright.tensor([1, 2, 3]), 2)
    tensor([False,  True,  True], dtype=bool, shape=(3,))
    ```
    """
@_overload
def greater_equal(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Another name of `outer`.

    ```python
    >>> opwright.ger(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def gt(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is greater than `other` at each place.

    ```python
    >>> opwright.gt(opwright.tensor([1, 2, 3]), 2)
    tensor([False, False,  True], dtype=bool, shape=(3,))
    ```
    """
@_overload
def gt(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def greater(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is greater than `other` at each place.

    ```python
    >>> opwright.gt(opwright.tensor([1, 2, 3]), 2)
    tensor([False, False,  True], dtype=bool, shape=(3,))
    ```
    """
@_overload
def greater(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def histc(input: Tensor, bins: _int = 100, min: _Number = 0, max: _Number = 0, *, out: Tensor | None = None) -> Tensor:
    """How many elements lie in each of `bins` intervals of one width between `min`
    and `max`. Elements outside do not count; if both ends are equal, they are
    the least and the greatest element.

    ```python
    >>> opwright.histc(opwright.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.], dtype=float32, shape=(4,))
    ```
    """
@_overload
def histogram(input: Tensor, bins: Tensor, *, weight: Tensor | None = None, density: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.histogram:
    """How many elements lie between each two neighbours of `bins`, which ascend;
    the second result are these edges.
    """
@_overload
def histogram(input: Tensor, bins: _int = 100, *, range: _tuple[_float, ...] | _list[_float] | None = None, weight: Tensor | None = None, density: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.histogram:
    """How many elements lie in each of `bins` intervals of one width, and the
    edges of the intervals.

    `range` is the lower end of the first and the upper end of the last
    interval, by default the least and the greatest element. Elements count as
    often as `weight` says; with `density` the result is a density, whose
    integral is 1.

    ```python
    >>> opwright.histogram(opwright.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 3.0))
    histogram(hist=tensor([2., 1.], dtype=float32, shape=(2,)), bin_edges=tensor([0.0, 1.5, 3.0], dtype=float32, shape=(3,)))
    ```
    """
@_overload
def hsplit(input: Tensor, indices: _IntList) -> _tuple[Tensor, ...]:
    """The parts between these indices of the second dimension, or of the only one."""
@_overload
def hsplit(input: Tensor, sections: _int) -> _tuple[Tensor, ...]:
    """Parts of equal size side by side: along the second dimension, or along the
    only one. They share the memory of the input.

    ```python
    >>> opwright.hsplit(opwright.arange(4), 2)
    (tensor([0, 1], dtype=int64, shape=(2,)), tensor([2, 3], dtype=int64, shape=(2,)))
    ```
    """
def hstack(tensors: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side: along the second dimension, or along the only one.

    ```python
    >>> opwright.hstack([opwright.tensor([1, 2]), opwright.tensor([3])])
    tensor([1, 2, 3], dtype=int64, shape=(3,))
    ```
    """
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The length `sqrt(input**2 + other**2)` of the hypotenuse, without overflow in between.

    ```python
    >>> opwright.hypot(opwright.tensor([3.0, 5.0]), opwright.tensor([4.0, 12.0]))
    tensor([ 5., 13.], dtype=float32, shape=(2,))
    ```
    """
def imag(input: Tensor) -> Tensor:
    """The imaginary parts, as a view of `input`.

    Raises `RuntimeError` for real numbers.

    ```python
    >>> opwright.imag(opwright.tensor([1 + 2j, 3j]))
    tensor([2., 3.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def index_add(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """A copy with `alpha` times each slice of `source` along a dimension added to the slice at the
    index of the same number.

    ```python
    >>> opwright.index_add(
    ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([0, 2, 2]), opwright.tensor([1, 2, 3])
    ... )
    tensor([1, 0, 5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def index_add(input: Tensor, *, axis: _int, index: Tensor, source: Tensor, alpha: _Number = 1, out: Tensor | None = None) -> Tensor: ...
@_overload
def index_copy(input: Tensor, dim: _int, index: Tensor, source: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with each slice of `source` along a dimension in place of the slice at the index of the
    same number.

    ```python
    >>> opwright.index_copy(
    ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([0, 2]), opwright.tensor([5, 6])
    ... )
    tensor([5, 0, 6], dtype=int64, shape=(3,))
    ```
    """
@_overload
def index_copy(input: Tensor, *, axis: _int, index: Tensor, source: Tensor, out: Tensor | None = None) -> Tensor: ...
@_overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor) -> Tensor: ...
@_overload
def index_fill(input: Tensor, *, axis: _int, index: Tensor, value: Tensor) -> Tensor: ...
@_overload
def index_fill(input: Tensor, dim: _int, index: Tensor, value: _Number) -> Tensor:
    """A copy with one value in the slices along a dimension at the indices in a vector.

    ```python
    >>> opwright.index_fill(opwright.tensor([1, 2, 3]), 0, opwright.tensor([0, 2]), 9)
    tensor([9, 2, 9], dtype=int64, shape=(3,))
    ```
    """
@_overload
def index_fill(input: Tensor, *, axis: _int, index: Tensor, value: _Number) -> Tensor: ...
def index_put(input: Tensor, indices: _tuple[Tensor | None, ...] | _list[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy with `values` at what the indices select; see `index_put_`.

    ```python
    >>> opwright.index_put(
    ...     opwright.tensor([0, 0, 0]), [opwright.tensor([0, 2])], opwright.tensor([5, 6])
    ... )
    tensor([5, 0, 6], dtype=int64, shape=(3,))
    ```
    """
def index_put_(input: Tensor, indices: _tuple[Tensor | None, ...] | _list[Tensor | None], values: Tensor, accumulate: _bool = False) -> Tensor:
    """Writes `values`, broadcast to what the indices select, to the tensor itself. Where indices
    repeat, the last value stays; with `accumulate` all are added to what is there.
    """
@_overload
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The slices along a dimension at the indices in a vector.

    Raises `IndexError` for an index out of range.

    ```python
    >>> opwright.index_select(opwright.tensor([[1, 2], [3, 4]]), 1, opwright.tensor([1, 1, 0]))
    tensor([[2, 2, 1],
            [4, 4, 3]], dtype=int64, shape=(2, 3))
    ```
    """
@_overload
def index_select(input: Tensor, *, axis: _int, index: Tensor, out: Tensor | None = None) -> Tensor: ...
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Sums of products along the last dimension of both sides, whose sizes there
    are equal: `input[i.., k] * other[j.., k]` for all `i` and `j`. With a tensor
    without dimensions, the plain product.

    ```python
    >>> opwright.inner(opwright.tensor([1, 2]), opwright.tensor([[1, 1], [0, 1]]))
    tensor([3, 2], dtype=int64, shape=(2,))
    ```
    """
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix; see `linalg.inv`.

    ```python
    >>> opwright.inverse(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.50, 0.00],
            [0.00, 0.25]], dtype=float32, shape=(2, 2))
    ```
    """
def is_complex(input: Tensor) -> _bool:
    """Whether the elements are complex numbers.

    ```python
    >>> opwright.is_complex(opwright.tensor([1j])), opwright.is_complex(opwright.tensor([1.0]))
    (True, False)
    ```
    """
def is_floating_point(input: Tensor) -> _bool:
    """Whether the elements are real floating numbers.

    ```python
    >>> opwright.is_floating_point(opwright.tensor([1.0])), opwright.is_floating_point(
    ...     opwright.tensor([1])
    ... )
    (True, False)
    ```
    """
def is_nonzero(input: Tensor) -> _bool:
    """Whether the only element is anything but 0.

    Raises `RuntimeError` if there is not exactly one.

    ```python
    >>> opwright.is_nonzero(opwright.tensor(3)), opwright.is_nonzero(opwright.tensor([0.0]))
    (True, False)
    ```
    """
def is_same_size(input: Tensor, other: Tensor) -> _bool:
    """Whether `input` and `other` have the same shape.

    ```python
    >>> opwright.is_same_size(opwright.ones(2, 3), opwright.zeros(2, 3))
    True
    ```
    """
def is_signed(input: Tensor) -> _bool:
    """Whether the dtype has negative numbers.

    ```python
    >>> opwright.is_signed(opwright.tensor([1])), opwright.is_signed(
    ...     opwright.tensor([1], dtype=opwright.uint8)
    ... )
    (True, False)
    ```
    """
def isclose(input: Tensor, other: Tensor, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> Tensor:
    """Whether `input` and `other` are equal at each place, or differ by no more than
    `atol + rtol * abs(other)`. NaN is close to NaN only with `equal_nan`.

    Raises `RuntimeError` if the dtypes differ or a tolerance is negative.

    ```python
    >>> opwright.isclose(opwright.tensor([1.0, 2.0]), opwright.tensor([1.000001, 2.1]))
    tensor([ True, False], dtype=bool, shape=(2,))
    ```
    """
def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither infinite nor NaN.

    ```python
    >>> opwright.isfinite(opwright.tensor([1.0, float("inf"), float("nan")]))
    tensor([ True, False, False], dtype=bool, shape=(3,))
    ```
    """
def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite, positive or negative.

    ```python
    >>> opwright.isinf(opwright.tensor([1.0, float("-inf"), float("nan")]))
    tensor([False,  True, False], dtype=bool, shape=(3,))
    ```
    """
def isnan(input: Tensor) -> Tensor:
    """Whether each element is not a number.

    ```python
    >>> opwright.isnan(opwright.tensor([1.0, float("inf"), float("nan")]))
    tensor([False, False,  True], dtype=bool, shape=(3,))
    ```
    """
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is negative infinity.

    ```python
    >>> opwright.isneginf(opwright.tensor([1.0, float("-inf"), float("inf")]))
    tensor([False,  True, False], dtype=bool, shape=(3,))
    ```
    """
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is positive infinity.

    ```python
    >>> opwright.isposinf(opwright.tensor([1.0, float("-inf"), float("inf")]))
    tensor([False, False,  True], dtype=bool, shape=(3,))
    ```
    """
def isreal(input: Tensor) -> Tensor:
    """Whether each element has no imaginary part.

    ```python
    >>> opwright.isreal(opwright.tensor([1 + 0j, 1j]))
    tensor([ True, False], dtype=bool, shape=(2,))
    ```
    """
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: each element of `input` times all of `other`, as a
    block in its place. Missing leading dimensions count as of size one.

    ```python
    >>> opwright.kron(opwright.tensor([1, 10]), opwright.tensor([1, 2]))
    tensor([ 1,  2, 10, 20], dtype=int64, shape=(4,))
    ```
    """
@_overload
def kthvalue(input: Tensor, k: _SupportsIndex, dim: _int = -1, keepdim: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.kthvalue:
    """The `k`-th least element along `dim`, counted from 1, and where it is, as a named tuple
    `(values, indices)`.

    ```python
    >>> opwright.kthvalue(opwright.tensor([3, 1, 2]), 2)
    kthvalue(values=tensor(2, dtype=int64, shape=()), indices=tensor(2, dtype=int64, shape=()))
    ```
    """
@_overload
def kthvalue(input: Tensor, k: _SupportsIndex, *, axis: _int = -1, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.kthvalue: ...
@_overload
def kthvalue(input: Tensor, k: _SupportsIndex, dim: _int = -1, *, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.kthvalue: ...
@_overload
def kthvalue(input: Tensor, k: _SupportsIndex, *, axis: _int = -1, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.kthvalue: ...
def layer_norm(input: Tensor, normalized_shape: _IntList, weight: Tensor | None = None, bias: Tensor | None = None, eps: _float = 1e-05, cudnn_enable: _bool = True) -> Tensor:
    """`(x - mean) / sqrt(var + eps) * weight + bias`, where mean and variance are those of the last
    dimensions, whose sizes are `normalized_shape`, as are those of `weight` and `bias`.

    ```python
    >>> opwright.layer_norm(opwright.tensor([[1.0, 3.0], [5.0, 9.0]]), (2,))
    tensor([[-1.,  1.],
            [-1.,  1.]], dtype=float32, shape=(2, 2))
    ```
    """
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple of `input` and `other`, never negative.

    Only for integers.

    ```python
    >>> opwright.lcm(opwright.tensor([4, 7]), opwright.tensor(6))
    tensor([12, 42], dtype=int64, shape=(2,))
    ```
    """
def lcm_(input: Tensor, other: Tensor) -> Tensor: ...
@_overload
def le(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is at most `other` at each place.

    ```python
    >>> opwright.le(opwright.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def le(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def less_equal(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is at most `other` at each place.

    ```python
    >>> opwright.le(opwright.tensor([1, 2, 3]), 2)
    tensor([ True,  True, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def less_equal(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def lerp(input: Tensor, end: Tensor, weight: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def lerp(input: Tensor, end: Tensor, weight: _Number, *, out: Tensor | None = None) -> Tensor:
    """The point between `input` and `end` at `weight`: `input + weight * (end - input)`.

    Raises `RuntimeError` if the dtypes differ.

    ```python
    >>> opwright.lerp(opwright.tensor([0.0, 10.0]), opwright.tensor([1.0, 20.0]), 0.25)
    tensor([ 0.25, 12.50], dtype=float32, shape=(2,))
    ```
    """
@_overload
def linspace(start: Tensor, end: Tensor, steps: _int, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def linspace(start: _Number, end: Tensor, steps: _int, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def linspace(start: Tensor, end: _Number, steps: _int, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def linspace(start: _Number, end: _Number, steps: _int, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """`steps` numbers at equal distances from `start` to `end`, both included. The dtype is the
    default one, or its complex counterpart if an end is complex.

    Raises `RuntimeError` if `steps` is negative.

    ```python
    >>> opwright.linspace(0, 1, 5)
    tensor([0.00, 0.25, 0.50, 0.75, 1.00], dtype=float32, shape=(5,))
    ```
    """
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of each element.

    ```python
    >>> opwright.log(opwright.tensor([1.0, 10.0]))
    tensor([0.0000, 2.3026], dtype=float32, shape=(2,))
    ```
    """
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10 of each element.

    ```python
    >>> opwright.log10(opwright.tensor([1.0, 100.0]))
    tensor([0., 2.], dtype=float32, shape=(2,))
    ```
    """
def log10_(input: Tensor) -> Tensor: ...
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of 1 plus each element, without losing digits near 0.

    ```python
    >>> opwright.log1p(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931], dtype=float32, shape=(2,))
    ```
    """
def log1p_(input: Tensor) -> Tensor: ...
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2 of each element.

    ```python
    >>> opwright.log2(opwright.tensor([1.0, 8.0]))
    tensor([0., 3.], dtype=float32, shape=(2,))
    ```
    """
def log2_(input: Tensor) -> Tensor: ...
def log_(input: Tensor) -> Tensor: ...
@_overload
def log_softmax(input: Tensor, dim: _int, dtype: _DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, computed so that it stays finite. With `dtype`, the input is cast
    first.

    ```python
    >>> opwright.log_softmax(opwright.tensor([1.0, 1.0]), dim=0)
    tensor([-0.6931, -0.6931], dtype=float32, shape=(2,))
    ```
    """
@_overload
def log_softmax(input: Tensor, *, axis: _int, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`log(exp(input) + exp(other))`, without overflow in between.

    ```python
    >>> opwright.logaddexp(opwright.tensor([0.0]), opwright.tensor([0.0]))
    tensor([0.6931], dtype=float32, shape=(1,))
    ```
    """
@_overload
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the running sum of exponentials along `dim`, without
    overflow. Integers give the default dtype.

    ```python
    >>> opwright.logcumsumexp(opwright.tensor([0.0, 0.0, 0.0]), dim=0)
    tensor([0.0000, 0.6931, 1.0986], dtype=float32, shape=(3,))
    ```
    """
@_overload
def logcumsumexp(input: Tensor, *, axis: _int, out: Tensor | None = None) -> Tensor: ...
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether both `input` and `other` are true at each place; everything but 0 is.

    ```python
    >>> opwright.logical_and(opwright.tensor([0, 1, 2]), opwright.tensor([1, 0, 3]))
    tensor([False, False,  True], dtype=bool, shape=(3,))
    ```
    """
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether each element is 0.

    ```python
    >>> opwright.logical_not(opwright.tensor([0, 1, 2]))
    tensor([ True, False, False], dtype=bool, shape=(3,))
    ```
    """
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` or `other` is true at each place; everything but 0 is.

    ```python
    >>> opwright.logical_or(opwright.tensor([0, 1, 0]), opwright.tensor([1, 0, 0]))
    tensor([ True,  True, False], dtype=bool, shape=(3,))
    ```
    """
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether exactly one of `input` and `other` is true at each place; everything but 0 is.

    ```python
    >>> opwright.logical_xor(opwright.tensor([0, 1, 2]), opwright.tensor([1, 0, 3]))
    tensor([ True,  True, False], dtype=bool, shape=(3,))
    ```
    """
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
    are first brought into the range from `eps` to `1 - eps`.

    ```python
    >>> opwright.logit(opwright.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
    >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
    tensor([1.0986], dtype=float32, shape=(1,))
    ```
    """
def logit_(input: Tensor, eps: _float | None = None) -> Tensor:
    """The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
    are first brought into the range from `eps` to `1 - eps`.

    ```python
    >>> opwright.logit(opwright.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
    >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
    tensor([1.0986], dtype=float32, shape=(1,))
    ```
    """
@_overload
def logsumexp(input: Tensor, dim: _int | _IntList, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """`log(sum(exp(x)))` along `dim`, one or a list, without overflow. Integers
    give the default dtype; of no elements the result is negative infinity.

    ```python
    >>> opwright.logsumexp(opwright.tensor([0.0, 0.0]), dim=0)
    tensor(0.6931, dtype=float32, shape=())
    ```
    """
@_overload
def logsumexp(input: Tensor, *, axis: _int | _IntList, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def logsumexp(input: Tensor, dim: _int | _IntList, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def logsumexp(input: Tensor, *, axis: _int | _IntList, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def lt(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is less than `other` at each place.

    ```python
    >>> opwright.lt(opwright.tensor([1, 2, 3]), 2)
    tensor([ True, False, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def lt(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def less(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` is less than `other` at each place.

    ```python
    >>> opwright.lt(opwright.tensor([1, 2, 3]), 2)
    tensor([ True, False, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def less(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The solution of a system with a matrix that was factored; see `linalg.lu_solve`.

    ```python
    >>> LU, pivots = opwright.linalg.lu_factor(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
    >>> opwright.lu_solve(opwright.tensor([[5.0], [6.0]]), LU, pivots)
    tensor([[1.],
            [2.]], dtype=float32, shape=(2, 1))
    ```
    """
@_overload
def masked_fill(input: Tensor, mask: Tensor, value: Tensor) -> Tensor: ...
@_overload
def masked_fill(input: Tensor, mask: Tensor, value: _Number) -> Tensor:
    """A copy with one value wherever the mask is true; both are broadcast. The value is a number or a
    tensor without dimensions, and is cast to the dtype of the tensor.

    ```python
    >>> opwright.masked_fill(
    ...     opwright.tensor([1, 2, 3]), opwright.tensor([True, False, True]), 0
    ... )
    tensor([0, 2, 0], dtype=int64, shape=(3,))
    ```
    """
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy with the elements of `source`, one after the other, wherever the mask is true.

    ```python
    >>> opwright.masked_scatter(
    ...     opwright.tensor([0, 0, 0]), opwright.tensor([True, False, True]), opwright.tensor([5, 6])
    ... )
    tensor([5, 0, 6], dtype=int64, shape=(3,))
    ```
    """
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements at which the mask is true, both broadcast, in row-major order as a vector.

    ```python
    >>> opwright.masked_select(opwright.tensor([1, 2, 3]), opwright.tensor([True, False, True]))
    tensor([1, 3], dtype=int64, shape=(2,))
    ```
    """
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of vectors, matrices or batches of matrices, by the numbers of dimensions. Two
    vectors give their dot product, a matrix and a vector a vector, two matrices a matrix; with
    more dimensions, the leading ones are batches, which are broadcast. Both sides have one dtype.

    ```python
    >>> opwright.matmul(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
    tensor([3, 7], dtype=int64, shape=(2,))
    >>> opwright.matmul(opwright.ones(5, 2, 3), opwright.ones(3, 4)).shape
    opwright.Size([5, 2, 4])
    ```
    """
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """A power of a square matrix; see `linalg.matrix_power`.

    ```python
    >>> opwright.matrix_power(opwright.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """With a tensor alone, its greatest element. With `dim`, the greatest elements along it and
    where they are first found, as a named tuple `(values, indices)`. With two tensors, the
    greater of each pair, as `maximum`. Wherever a NaN takes part, it wins.

    ```python
    >>> opwright.max(opwright.tensor([[1, 5], [7, 2]]))
    tensor(7, dtype=int64, shape=())
    >>> opwright.max(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    max(values=tensor([5, 7], dtype=int64, shape=(2,)), indices=tensor([1, 0], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def max(input: Tensor, dim: _int, keepdim: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.max: ...
@_overload
def max(input: Tensor, *, axis: _int, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.max: ...
@_overload
def max(input: Tensor, dim: _int, *, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.max: ...
@_overload
def max(input: Tensor, *, axis: _int, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.max: ...
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greater of `input` and `other` at each place; NaN if either is.

    ```python
    >>> opwright.maximum(opwright.tensor([1, 5]), opwright.tensor([3, 2]))
    tensor([3, 5], dtype=int64, shape=(2,))
    ```
    """
@_overload
def mean(input: Tensor, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The arithmetic mean of all elements, or along `dim`, for floating and complex tensors.
    Integers need a floating `dtype`. The mean of no elements is NaN.

    ```python
    >>> opwright.mean(opwright.tensor([1.0, 2.0, 6.0]))
    tensor(3., dtype=float32, shape=())
    >>> opwright.mean(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]), dim=0)
    tensor([2., 3.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def mean(input: Tensor, dim: _int | _IntList | None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def mean(input: Tensor, *, axis: _int | _IntList | None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def mean(input: Tensor, dim: _int | _IntList | None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def mean(input: Tensor, *, axis: _int | _IntList | None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def median(input: Tensor) -> Tensor:
    """The element in the middle of the order, the lower of two. With `dim`, those
    along it and where they are, as a named tuple `(values, indices)`. If there
    is a NaN, that is the median.

    ```python
    >>> opwright.median(opwright.tensor([3, 1, 2, 4]))
    tensor(2, dtype=int64, shape=())
    >>> opwright.median(opwright.tensor([[3, 1, 2]]), dim=1)
    median(values=tensor([2], dtype=int64, shape=(1,)), indices=tensor([2], dtype=int64, shape=(1,)))
    ```
    """
@_overload
def median(input: Tensor, dim: _int, keepdim: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.median: ...
@_overload
def median(input: Tensor, *, axis: _int, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.median: ...
@_overload
def median(input: Tensor, dim: _int, *, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.median: ...
@_overload
def median(input: Tensor, *, axis: _int, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.median: ...
@_overload
def meshgrid(tensors: _TensorList) -> _tuple[Tensor, ...]:
    """The coordinates of all points of a grid, from those along each axis: one tensor for each axis,
    stretched. `indexing="xy"` exchanges the first two dimensions of the grid.

    ```python
    >>> rows, columns = opwright.meshgrid(
    ...     [opwright.tensor([1, 2]), opwright.tensor([3, 4, 5])], indexing="ij"
    ... )
    >>> rows
    tensor([[1, 1, 1],
            [2, 2, 2]], dtype=int64, shape=(2, 3))
    ```
    """
@_overload
def meshgrid(tensors: _TensorList, *, indexing: _str) -> _tuple[Tensor, ...]: ...
@_overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """With a tensor alone, its least element. With `dim`, the least elements along it and where they
    are first found, as a named tuple `(values, indices)`. With two tensors, the lesser of each
    pair, as `minimum`. Wherever a NaN takes part, it wins.

    ```python
    >>> opwright.min(opwright.tensor([[1, 5], [7, 2]]))
    tensor(1, dtype=int64, shape=())
    >>> opwright.min(opwright.tensor([[1, 5], [7, 2]]), dim=1)
    min(values=tensor([1, 2], dtype=int64, shape=(2,)), indices=tensor([0, 1], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def min(input: Tensor, dim: _int, keepdim: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.min: ...
@_overload
def min(input: Tensor, *, axis: _int, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.min: ...
@_overload
def min(input: Tensor, dim: _int, *, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.min: ...
@_overload
def min(input: Tensor, *, axis: _int, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.min: ...
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The lesser of `input` and `other` at each place; NaN if either is.

    ```python
    >>> opwright.minimum(opwright.tensor([1, 5]), opwright.tensor([3, 2]))
    tensor([1, 2], dtype=int64, shape=(2,))
    ```
    """
@_overload
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices, `(n, k)` by `(k, m)`, of one dtype; nothing is broadcast. With
    `out_dtype`, half-precision matrices are multiplied to `float32`.

    ```python
    >>> opwright.mm(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([[0, 1], [1, 0]]))
    tensor([[2, 1],
            [4, 3]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def mm(input: Tensor, mat2: Tensor, out_dtype: _DType, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def moveaxis(input: Tensor, source: _IntList, destination: _IntList) -> Tensor:
    """Dimensions moved to other positions; another name of `movedim`.

    ```python
    >>> opwright.moveaxis(opwright.ones(2, 3, 4), 0, -1).shape
    opwright.Size([3, 4, 2])
    ```
    """
@_overload
def moveaxis(input: Tensor, source: _int, destination: _int) -> Tensor:
    """One dimension moved to another position; another name of `movedim`."""
@_overload
def movedim(input: Tensor, source: _IntList, destination: _IntList) -> Tensor:
    """Dimensions moved to other positions; the others keep their order. `source`
    and `destination` are of equal length and name each dimension once.

    ```python
    >>> opwright.movedim(opwright.ones(2, 3, 4), 0, -1).shape
    opwright.Size([3, 4, 2])
    ```
    """
@_overload
def movedim(input: Tensor, source: _int, destination: _int) -> Tensor:
    """One dimension moved to another position; the others keep their order."""
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in ascending order along the first dimension.

    ```python
    >>> opwright.msort(opwright.tensor([[3, 1], [1, 2]]))
    tensor([[1, 1],
            [3, 2]], dtype=int64, shape=(2, 2))
    ```
    """
def mul(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product `input * other`. Truth values multiply as `and`.

    ```python
    >>> opwright.mul(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
    tensor([3, 8], dtype=int64, shape=(2,))
    >>> opwright.tensor([1, 2]) * 0.5
    tensor([0.5, 1.0], dtype=float32, shape=(2,))
    ```
    """
def multiply(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product `input * other`. Truth values multiply as `and`.

    ```python
    >>> opwright.mul(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
    tensor([3, 8], dtype=int64, shape=(2,))
    >>> opwright.tensor([1, 2]) * 0.5
    tensor([0.5, 1.0], dtype=float32, shape=(2,))
    ```
    """
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix `(n, k)` and a vector of `k` elements, of one dtype.

    ```python
    >>> opwright.mv(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([1, 1]))
    tensor([3, 7], dtype=int64, shape=(2,))
    ```
    """
def nan_to_num(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
    infinities (the greatest and the least finite number of the dtype).

    ```python
    >>> opwright.nan_to_num(
    ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
    ... )
    tensor([0., 9., 1.], dtype=float32, shape=(3,))
    ```
    """
def nan_to_num_(input: Tensor, nan: _float | None = None, posinf: _float | None = None, neginf: _float | None = None) -> Tensor:
    """Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
    infinities (the greatest and the least finite number of the dtype).

    ```python
    >>> opwright.nan_to_num(
    ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
    ... )
    tensor([0., 9., 1.], dtype=float32, shape=(3,))
    ```
    """
@_overload
def nanmedian(input: Tensor) -> Tensor:
    """The element in the middle of the order of those that are not NaN, the
    lower of two; otherwise as `median`.

    ```python
    >>> opwright.nanmedian(opwright.tensor([1.0, float("nan"), 3.0]))
    tensor(1., dtype=float32, shape=())
    ```
    """
@_overload
def nanmedian(input: Tensor, dim: _int, keepdim: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.nanmedian: ...
@_overload
def nanmedian(input: Tensor, *, axis: _int, keepdim: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.nanmedian: ...
@_overload
def nanmedian(input: Tensor, dim: _int, *, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.nanmedian: ...
@_overload
def nanmedian(input: Tensor, *, axis: _int, keepdims: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.nanmedian: ...
@_overload
def nansum(input: Tensor, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The sum of all elements but NaN, along dimensions as in `sum`.

    ```python
    >>> opwright.nansum(opwright.tensor([1.0, float("nan"), 3.0]))
    tensor(4., dtype=float32, shape=())
    ```
    """
@_overload
def nansum(input: Tensor, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def nansum(input: Tensor, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def nansum(input: Tensor, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def narrow(input: Tensor, dim: _int, start: Tensor, length: _SupportsIndex) -> Tensor: ...
@_overload
def narrow(input: Tensor, *, axis: _int, start: Tensor, length: _SupportsIndex) -> Tensor: ...
@_overload
def narrow(input: Tensor, dim: _int, start: _SupportsIndex, length: _SupportsIndex) -> Tensor:
    """The `length` indices of a dimension from `start` on, without a copy. `start` may count from the
    end, and may be a tensor without dimensions.

    ```python
    >>> opwright.narrow(opwright.tensor([1, 2, 3, 4]), 0, 1, 2)
    tensor([2, 3], dtype=int64, shape=(2,))
    ```
    """
@_overload
def narrow(input: Tensor, *, axis: _int, start: _SupportsIndex, length: _SupportsIndex) -> Tensor: ...
def native_layer_norm(input: Tensor, normalized_shape: _IntList, weight: Tensor | None, bias: Tensor | None, eps: _float) -> _tuple[Tensor, Tensor, Tensor]:
    """What `layer_norm` is made of: its result, the means, and the inverse standard deviations.

    ```python
    >>> output, mean, rstd = opwright.native_layer_norm(
    ...     opwright.tensor([[1.0, 3.0]]), (2,), None, None, 0.0
    ... )
    >>> mean, rstd
    (tensor([[2.]], dtype=float32, shape=(1, 1)), tensor([[1.]], dtype=float32, shape=(1, 1)))
    ```
    """
@_overload
def ne(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` and `other` differ at each place.

    ```python
    >>> opwright.ne(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
    tensor([False,  True, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def ne(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def not_equal(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether `input` and `other` differ at each place.

    ```python
    >>> opwright.ne(opwright.tensor([1, 2, 3]), opwright.tensor([1, 0, 3]))
    tensor([False,  True, False], dtype=bool, shape=(3,))
    ```
    """
@_overload
def not_equal(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative of each element.

    Raises `RuntimeError` for truth values; `~` and `logical_not` negate those.

    ```python
    >>> opwright.neg(opwright.tensor([1, -2]))
    tensor([-1,  2], dtype=int64, shape=(2,))
    ```
    """
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative of each element.

    Raises `RuntimeError` for truth values; `~` and `logical_not` negate those.

    ```python
    >>> opwright.neg(opwright.tensor([1, -2]))
    tensor([-1,  2], dtype=int64, shape=(2,))
    ```
    """
def neg_(input: Tensor) -> Tensor: ...
def negative_(input: Tensor) -> Tensor: ...
def nonzero(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The indices of all elements that are not zero, a row for each, in row-major order.

    ```python
    >>> opwright.nonzero(opwright.tensor([0, 3, 0, 5]))
    tensor([[1],
            [3]], dtype=int64, shape=(2, 1))
    >>> opwright.nonzero(opwright.tensor([[0, 1], [1, 0]]))
    tensor([[0, 1],
            [1, 0]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def norm(input: Tensor, p: _Number = 2) -> Tensor:
    """The `p`-norm of all elements, or along `dim`: `(sum |x|^p)^(1/p)`, with `p` infinite the
    greatest `|x|`, with `p` zero the number of elements that are not zero. `p=None` is 2. Takes
    floating and complex tensors; the norm of complex numbers is real. With `dtype`, the elements
    are cast first.

    ```python
    >>> opwright.norm(opwright.tensor([3.0, 4.0]))
    tensor(5., dtype=float32, shape=())
    >>> opwright.norm(opwright.tensor([[1.0, -2.0], [3.0, 4.0]]), p=1, dim=1)
    tensor([3., 7.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def norm(input: Tensor, p: _Number | None, *, dtype: _DType) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, dim: _int | _IntList, keepdim: _bool, *, dtype: _DType, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, *, axis: _int | _IntList, keepdim: _bool, dtype: _DType, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, dim: _int | _IntList, *, keepdims: _bool, dtype: _DType, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, *, axis: _int | _IntList, keepdims: _bool, dtype: _DType, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, dim: _int | _IntList, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, *, axis: _int | _IntList, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, dim: _int | _IntList, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def norm(input: Tensor, p: _Number | None, *, axis: _int | _IntList, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def normal(mean: Tensor, std: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def normal(mean: Tensor, std: _float = 1, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Random numbers of the normal distribution. `mean` and `std` are tensors that are broadcast
    with each other, or numbers; if both are numbers, `size` is the shape of the result.

    Raises `RuntimeError` if a standard deviation is negative.

    ```python
    >>> opwright.normal(opwright.tensor([1.0, 2.0]), 0.0)
    tensor([1., 2.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def normal(mean: _float, std: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def normal(mean: _float, std: _float, size: _IntList, *, generator: Generator | None = None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def ones(size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` filled with 1. Without `dtype` it has the default dtype.

    ```python
    >>> opwright.ones(2, 3)
    tensor([[1., 1., 1.],
            [1., 1., 1.]], dtype=float32, shape=(2, 3))
    ```
    """
@_overload
def ones(*size: _SupportsIndex, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` filled with 1. Without `dtype` it has the default dtype.

    ```python
    >>> opwright.ones(2, 3)
    tensor([[1., 1., 1.],
            [1., 1., 1.]], dtype=float32, shape=(2, 3))
    ```
    """
def ones_like(input: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of 1 with the shape of `input`, and its dtype and device unless said otherwise.

    ```python
    >>> opwright.ones_like(opwright.tensor([1, 2]))
    tensor([1, 1], dtype=int64, shape=(2,))
    ```
    """
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of each element of one vector with each element of another:
    a matrix with a row for each element of `input`. Dtypes are promoted.

    ```python
    >>> opwright.outer(opwright.tensor([1, 2]), opwright.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]], dtype=int64, shape=(2, 2))
    ```
    """
def permute(input: Tensor, dims: _IntList) -> Tensor:
    """The dimensions in another order, without a copy: dimension `i` of the result is dimension
    `dims[i]` of the input.

    ```python
    >>> opwright.permute(opwright.ones(2, 3, 4), (2, 0, 1)).shape
    opwright.Size([4, 2, 3])
    ```
    """
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The pseudoinverse of a matrix; see `linalg.pinv`.

    ```python
    >>> opwright.pinverse(opwright.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5, 0.0],
            [0.0, 0.0]], dtype=float32, shape=(2, 2))
    ```
    """
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex numbers with these magnitudes and angles in radians.

    Raises `RuntimeError` unless both are of the same floating dtype, `float32` or `float64`.

    ```python
    >>> opwright.polar(opwright.tensor([2.0, 1.0]), opwright.tensor([0.0, 1.0]))
    tensor([2.0000+0.0000j, 0.5403+0.8415j], dtype=complex64, shape=(2,))
    ```
    """
def positive(input: Tensor) -> Tensor:
    """`input` itself.

    Raises `RuntimeError` for truth values, as `-` does.

    ```python
    >>> opwright.positive(opwright.tensor([-1, 2]))
    tensor([-1,  2], dtype=int64, shape=(2,))
    ```
    """
@_overload
def pow(input: Tensor, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` raised to the power `exponent`.

    Raises `RuntimeError` for integers raised to a negative number; in a tensor of exponents a
    negative one gives the power rounded towards 0.

    ```python
    >>> opwright.pow(opwright.tensor([1, 2, 3]), 2)
    tensor([1, 4, 9], dtype=int64, shape=(3,))
    >>> opwright.pow(2, opwright.tensor([0.5, 3.0]))
    tensor([1.4142, 8.0000], dtype=float32, shape=(2,))
    ```
    """
@_overload
def pow(self: _Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def pow(input: Tensor, exponent: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def prod(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """The product of all elements, or along one dimension `dim`. Booleans and integers are
    multiplied as `int64`, which wraps around, unless `dtype` says otherwise. No elements make 1.

    ```python
    >>> opwright.prod(opwright.tensor([2, 3, 4]))
    tensor(24, dtype=int64, shape=())
    >>> opwright.prod(opwright.tensor([[1, 2], [3, 4]]), dim=0)
    tensor([3, 8], dtype=int64, shape=(2,))
    ```
    """
@_overload
def prod(input: Tensor, dim: _int, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def prod(input: Tensor, *, axis: _int, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def prod(input: Tensor, dim: _int, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def prod(input: Tensor, *, axis: _int, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
def promote_types(type1: _DType, type2: _DType) -> _dtype:
    """The smallest dtype that both can be brought to.

    ```python
    >>> opwright.promote_types(opwright.int64, opwright.float32)
    opwright.float32
    ```
    """
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element, an angle in radians, in degrees.

    ```python
    >>> opwright.rad2deg(opwright.tensor([0.0, 3.14159265]))
    tensor([  0., 180.], dtype=float32, shape=(2,))
    ```
    """
def rad2deg_(input: Tensor) -> Tensor: ...
@_overload
def rand(size: _IntList, *, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def rand(*size: _SupportsIndex, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def rand(size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers, evenly distributed from 0 up to and without 1, as a tensor of shape `size`.
    The same seed gives the same numbers, however many threads compute them.

    ```python
    >>> opwright.rand(2, 3).shape
    opwright.Size([2, 3])
    >>> (opwright.rand(1000) < 1).all()
    tensor(True, dtype=bool, shape=())
    ```
    """
@_overload
def rand(*size: _SupportsIndex, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers, evenly distributed from 0 up to and without 1, as a tensor of shape `size`.
    The same seed gives the same numbers, however many threads compute them.

    ```python
    >>> opwright.rand(2, 3).shape
    opwright.Size([2, 3])
    >>> (opwright.rand(1000) < 1).all()
    tensor(True, dtype=bool, shape=())
    ```
    """
def rand_like(input: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Evenly distributed random numbers from 0 to before 1, in the shape of `input`, with
    its dtype and device unless said otherwise.

    ```python
    >>> opwright.rand_like(opwright.ones(2, 3)).shape
    opwright.Size([2, 3])
    ```
    """
@_overload
def randint(high: _SupportsIndex, size: _IntList, *, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randint(high: _SupportsIndex, size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers, evenly distributed from `low` (0 if left out) up to and without `high`, as
    a tensor of shape `size`.

    Raises `RuntimeError` if there is no such integer, or if the dtype does not hold them.

    ```python
    >>> opwright.randint(5, 6, (3,))
    tensor([5, 5, 5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def randint(low: _SupportsIndex, high: _SupportsIndex, size: _IntList, *, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randint(low: _SupportsIndex, high: _SupportsIndex, size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randint_like(input: Tensor, low: _SupportsIndex, high: _SupportsIndex, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randint_like(input: Tensor, high: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randint_like(input: Tensor, high: _SupportsIndex, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random integers from `low` (0 if left out) to before `high`, in the shape of
    `input`, with its dtype and device unless said otherwise.

    ```python
    >>> opwright.randint_like(opwright.tensor([1.0, 2.0]), 5, 6)
    tensor([5., 5.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def randn(size: _IntList, *, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randn(*size: _SupportsIndex, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randn(size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1, as a tensor
    of shape `size`.

    ```python
    >>> opwright.randn(2, 3).shape
    opwright.Size([2, 3])
    ```
    """
@_overload
def randn(*size: _SupportsIndex, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Random numbers of the normal distribution with mean 0 and standard deviation 1, as a tensor
    of shape `size`.

    ```python
    >>> opwright.randn(2, 3).shape
    opwright.Size([2, 3])
    ```
    """
def randn_like(input: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Normally distributed random numbers in the shape of `input`, with its dtype and
    device unless said otherwise.

    ```python
    >>> opwright.randn_like(opwright.ones(2, 3)).shape
    opwright.Size([2, 3])
    ```
    """
@_overload
def randperm(n: _SupportsIndex, *, generator: Generator | None, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor: ...
@_overload
def randperm(n: _SupportsIndex, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The integers from 0 up to and without `n`, in random order.

    Raises `RuntimeError` if `n` is negative or the dtype does not hold it.

    ```python
    >>> opwright.randperm(4).sort().values
    tensor([0, 1, 2, 3], dtype=int64, shape=(4,))
    ```
    """
def ravel(input: Tensor) -> Tensor:
    """All elements in row-major order, as a tensor of one dimension. It shares the
    memory of the input if that is contiguous, and is a copy otherwise.

    ```python
    >>> opwright.ravel(opwright.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
    ```
    """
def real(input: Tensor) -> Tensor:
    """The real parts, as a view of `input`; real numbers are `input` itself.

    ```python
    >>> opwright.real(opwright.tensor([1 + 2j, 3j]))
    tensor([1., 0.], dtype=float32, shape=(2,))
    ```
    """
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by each element.

    ```python
    >>> opwright.reciprocal(opwright.tensor([2, 4]))
    tensor([0.50, 0.25], dtype=float32, shape=(2,))
    ```
    """
def reciprocal_(input: Tensor) -> Tensor: ...
def relu(input: Tensor) -> Tensor:
    """`max(x, 0)` for every element.

    ```python
    >>> opwright.relu(opwright.tensor([-1.0, 0.0, 2.0]))
    tensor([0., 0., 2.], dtype=float32, shape=(3,))
    ```
    """
def relu_(input: Tensor) -> Tensor:
    """As `relu`, in place."""
@_overload
def remainder(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The remainder of `input / other`, with the sign of the divisor `other`, as Python has it.

    Raises `RuntimeError` if an integer is divided by 0.

    ```python
    >>> opwright.remainder(opwright.tensor([7, -7]), 3)
    tensor([1, 2], dtype=int64, shape=(2,))
    ```
    """
@_overload
def remainder(self: _Number, other: Tensor) -> Tensor: ...
@_overload
def remainder(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def repeat_interleave(input: Tensor, repeats: Tensor, dim: _int | None = None, *, output_size: _SupportsIndex | None = None) -> Tensor: ...
@_overload
def repeat_interleave(input: Tensor, repeats: Tensor, *, axis: _int | None = None, output_size: _SupportsIndex | None = None) -> Tensor: ...
@_overload
def repeat_interleave(input: Tensor, repeats: _SupportsIndex, dim: _int | None = None, *, output_size: _SupportsIndex | None = None) -> Tensor: ...
@_overload
def repeat_interleave(input: Tensor, repeats: _SupportsIndex, *, axis: _int | None = None, output_size: _SupportsIndex | None = None) -> Tensor: ...
@_overload
def repeat_interleave(repeats: Tensor, *, output_size: _SupportsIndex | None = None) -> Tensor:
    """Each element of a tensor several times in a row, along a dimension or, without one, along all of
    them in row-major order. `repeats` is one number for all or a tensor with one for each; alone it
    makes the indices that this comes to.

    ```python
    >>> opwright.repeat_interleave(opwright.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2], dtype=int64, shape=(4,))
    >>> opwright.repeat_interleave(opwright.tensor([1, 2]), opwright.tensor([3, 1]))
    tensor([1, 1, 1, 2], dtype=int64, shape=(4,))
    ```
    """
def reshape(input: Tensor, shape: _IntList) -> Tensor:
    """The elements in another shape. One size may be -1 and follows from the others. The result
    shares the memory of the input if the strides allow it, and is a copy otherwise.

    ```python
    >>> opwright.reshape(opwright.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]], dtype=int64, shape=(2, 3))
    ```
    """
@_overload
def result_type(tensor: Tensor, other: Tensor) -> _dtype:
    """The dtype that an arithmetic operator with these operands would calculate in.

    ```python
    >>> opwright.result_type(opwright.tensor([1]), 0.5)
    opwright.float32
    ```
    """
@_overload
def result_type(scalar: _Number, tensor: Tensor) -> _dtype: ...
@_overload
def result_type(tensor: Tensor, other: _Number) -> _dtype: ...
@_overload
def result_type(scalar1: _Number, scalar2: _Number) -> _dtype: ...
def roll(input: Tensor, shifts: _SupportsIndex | _IntList, dims: _int | _IntList | None = ()) -> Tensor:
    """A copy whose elements moved by `shifts` along `dims`; what goes over an end comes in at the
    other. Without `dims`, all elements move in row-major order.

    ```python
    >>> opwright.roll(opwright.tensor([1, 2, 3, 4]), 1)
    tensor([4, 1, 2, 3], dtype=int64, shape=(4,))
    >>> opwright.roll(opwright.tensor([[1, 2], [3, 4]]), 1, dims=0)
    tensor([[3, 4],
            [1, 2]], dtype=int64, shape=(2, 2))
    ```
    """
def rot90(input: Tensor, k: _int = 1, dims: _IntList = (0, 1)) -> Tensor:
    """The tensor turned by 90 degrees, `k` times, in the plane of two dimensions:
    from the first of `dims` towards the second.

    ```python
    >>> opwright.rot90(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The nearest integer to each element, and of two equally near ones the even one. With
    `decimals`, the nearest number with so many digits after the point; a negative count rounds
    to tens, hundreds and so on.

    ```python
    >>> opwright.round(opwright.tensor([0.5, 1.5, -1.2]))
    tensor([ 0.,  2., -1.], dtype=float32, shape=(3,))
    >>> opwright.round(opwright.tensor([1.234]), decimals=1)
    tensor([1.2], dtype=float32, shape=(1,))
    ```
    """
@_overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor: ...
@_overload
def round_(input: Tensor) -> Tensor: ...
@_overload
def round_(input: Tensor, *, decimals: _int) -> Tensor: ...
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by the square root of each element.

    ```python
    >>> opwright.rsqrt(opwright.tensor([4.0, 16.0]))
    tensor([0.50, 0.25], dtype=float32, shape=(2,))
    ```
    """
def rsqrt_(input: Tensor) -> Tensor: ...
@_overload
def rsub(input: Tensor, other: Tensor, *, alpha: _Number = 1) -> Tensor:
    """The difference `other - alpha * input`: `sub` with its operands the other way
    round.

    ```python
    >>> opwright.rsub(opwright.tensor([1, 2]), 10)
    tensor([9, 8], dtype=int64, shape=(2,))
    ```
    """
@_overload
def rsub(input: Tensor, other: _Number, alpha: _Number = 1) -> Tensor: ...
def scalar_tensor(s: _Number, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor without dimensions that holds the number `s`, in the default dtype unless `dtype`
    says otherwise.

    ```python
    >>> opwright.scalar_tensor(3.0)
    tensor(3., dtype=float32, shape=())
    ```
    """
@_overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with each element of `src`, or one value, written to its own place but at the index in
    `index` along dimension `dim`. With `reduce`, which is `"add"` or `"multiply"`, it is combined
    with what is there.

    Raises `IndexError` for an index out of range.

    ```python
    >>> opwright.scatter(
    ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([2, 0]), opwright.tensor([5, 6])
    ... )
    tensor([6, 0, 5], dtype=int64, shape=(3,))
    ```
    """
@_overload
def scatter(input: Tensor, *, axis: _int, index: Tensor, src: Tensor, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, *, axis: _int, index: Tensor, value: _Number, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, reduce: _str, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, *, axis: _int, index: Tensor, src: Tensor, reduce: _str, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, dim: _int, index: Tensor, value: _Number, *, reduce: _str, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter(input: Tensor, *, axis: _int, index: Tensor, value: _Number, reduce: _str, out: Tensor | None = None) -> Tensor: ...
@_overload
def scatter_add(input: Tensor, dim: _int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with each element of `src` added to its own place but at the index in `index` along
    dimension `dim`.

    ```python
    >>> opwright.scatter_add(
    ...     opwright.tensor([0, 0, 0]), 0, opwright.tensor([2, 2, 0]), opwright.tensor([5, 6, 7])
    ... )
    tensor([ 7,  0, 11], dtype=int64, shape=(3,))
    ```
    """
@_overload
def scatter_add(input: Tensor, *, axis: _int, index: Tensor, src: Tensor, out: Tensor | None = None) -> Tensor: ...
@_overload
def searchsorted(sorted_sequence: Tensor, input: Tensor, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor:
    """Where the elements of `self` belong in sorted sequences: the index before which
    each can be inserted so that the order stays, on the left of equal elements, or
    with `right=True` or `side="right"` on their right. The sequences lie along
    the last dimension of `sorted_sequence`; there is one, or one for each row of
    `self`. With `sorter`, the sequences are not sorted, and `sorter` holds the
    indices that would sort them. The result is `int64`, or `int32` with
    `out_int32`.

    ```python
    >>> opwright.searchsorted(opwright.tensor([1, 3, 5]), opwright.tensor([0, 3, 9]))
    tensor([0, 1, 3], dtype=int64, shape=(3,))
    >>> opwright.searchsorted(
    ...     opwright.tensor([1, 3, 5]), opwright.tensor([0, 3, 9]), right=True
    ... )
    tensor([0, 2, 3], dtype=int64, shape=(3,))
    ```
    """
@_overload
def searchsorted(sorted_sequence: Tensor, self: _Number, *, out_int32: _bool = False, right: _bool = False, side: _str | None = None, sorter: Tensor | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def select(input: Tensor, dim: _int, index: _SupportsIndex) -> Tensor:
    """The part at one index of a dimension, which goes away, without a copy.

    Raises `IndexError` if there is no such dimension or index.

    ```python
    >>> opwright.select(opwright.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([3, 4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def select(input: Tensor, *, axis: _int, index: _SupportsIndex) -> Tensor: ...
def selu(input: Tensor) -> Tensor:
    """`scale * elu(x, alpha)`, with the constants for which a deep network normalizes
    itself (Klambauer et al., 2017).

    ```python
    >>> opwright.selu(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.1113,  0.0000,  1.0507], dtype=float32, shape=(3,))
    ```
    """
def selu_(input: Tensor) -> Tensor:
    """As `selu`, in place."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element, as `sign`; of complex numbers the number of magnitude 1 in the
    same direction, and 0 for 0.

    ```python
    >>> opwright.sgn(opwright.tensor([3 + 4j, 0j]))
    tensor([0.6+0.8j, 0.0+0.0j], dtype=complex64, shape=(2,))
    ```
    """
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logistic function `1 / (1 + exp(-x))` of each element.

    ```python
    >>> opwright.sigmoid(opwright.tensor([-1.0, 0.0, 1.0]))
    tensor([0.2689, 0.5000, 0.7311], dtype=float32, shape=(3,))
    ```
    """
def sigmoid_(input: Tensor) -> Tensor: ...
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 as each element is negative, zero or positive; NaN stays.

    ```python
    >>> opwright.sign(opwright.tensor([-3, 0, 5]))
    tensor([-1,  0,  1], dtype=int64, shape=(3,))
    ```
    """
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether the sign bit of each element is set, as it is for negative numbers and for `-0.0`.

    ```python
    >>> opwright.signbit(opwright.tensor([-1.0, -0.0, 0.0]))
    tensor([ True,  True, False], dtype=bool, shape=(3,))
    ```
    """
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of each element, an angle in radians.

    ```python
    >>> opwright.sin(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8415], dtype=float32, shape=(2,))
    ```
    """
def sin_(input: Tensor) -> Tensor: ...
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`sin(pi * x) / (pi * x)` of each element, and 1 for 0.

    ```python
    >>> opwright.sinc(opwright.tensor([0.0, 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122], dtype=float32, shape=(3,))
    ```
    """
def sinc_(input: Tensor) -> Tensor: ...
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of each element.

    ```python
    >>> opwright.sinh(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 1.1752], dtype=float32, shape=(2,))
    ```
    """
def sinh_(input: Tensor) -> Tensor: ...
def slogdet(input: Tensor, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.slogdet:
    """Sign and logarithm of the determinant; see `linalg.slogdet`.

    ```python
    >>> opwright.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
    slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
    ```
    """
@_overload
def softmax(input: Tensor, dim: _int, dtype: _DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """`exp(x) / sum(exp(x))` along a dimension: positive numbers whose sum is 1. With `dtype`, the
    input is cast first.

    ```python
    >>> opwright.softmax(opwright.tensor([[1.0, 1.0], [0.0, 1.0]]), dim=1)
    tensor([[0.5000, 0.5000],
            [0.2689, 0.7311]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def softmax(input: Tensor, *, axis: _int, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def sort(input: Tensor, *, stable: _bool | None, dim: _int = -1, descending: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.sort: ...
@_overload
def sort(input: Tensor, *, stable: _bool | None, axis: _int = -1, descending: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.sort: ...
@_overload
def sort(input: Tensor, dim: _int = -1, descending: _bool = False, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.sort:
    """The elements along `dim` in ascending or descending order, and where they came from, as a
    named tuple `(values, indices)`. Equal elements keep their order, whether `stable` asks for it
    or not; NaN counts as greatest.

    ```python
    >>> opwright.sort(opwright.tensor([3, 1, 2]))
    sort(values=tensor([1, 2, 3], dtype=int64, shape=(3,)), indices=tensor([1, 2, 0], dtype=int64, shape=(3,)))
    >>> opwright.sort(opwright.tensor([3, 1, 2]), descending=True).values
    tensor([3, 2, 1], dtype=int64, shape=(3,))
    ```
    """
@_overload
def sort(input: Tensor, *, axis: _int = -1, descending: _bool = False, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.sort: ...
@_overload
def split(input: Tensor, split_size: _SupportsIndex, dim: _int = 0) -> _tuple[Tensor, ...]:
    """Parts of a tensor along a dimension, which share its memory: all of size `split_size`, but the
    last one may be smaller; or of the sizes in a list, whose sum is that of the dimension.

    ```python
    >>> opwright.split(opwright.arange(5), 2)
    (tensor([0, 1], dtype=int64, shape=(2,)), tensor([2, 3], dtype=int64, shape=(2,)), tensor([4], dtype=int64, shape=(1,)))
    >>> opwright.split(opwright.arange(5), [1, 4])
    (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2, 3, 4], dtype=int64, shape=(4,)))
    ```
    """
@_overload
def split(input: Tensor, split_size: _SupportsIndex, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def split(input: Tensor, split_size: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def split(input: Tensor, split_size: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def split_with_sizes(input: Tensor, split_sizes: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]:
    """Parts of a tensor along a dimension, of these sizes, whose sum is that of the dimension; they
    share its memory.

    ```python
    >>> opwright.split_with_sizes(opwright.arange(5), [1, 4])
    (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2, 3, 4], dtype=int64, shape=(4,)))
    ```
    """
@_overload
def split_with_sizes(input: Tensor, split_sizes: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of each element; NaN for negative ones.

    ```python
    >>> opwright.sqrt(opwright.tensor([4.0, 2.0]))
    tensor([2.0000, 1.4142], dtype=float32, shape=(2,))
    ```
    """
def sqrt_(input: Tensor) -> Tensor: ...
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square of each element.

    ```python
    >>> opwright.square(opwright.tensor([-2, 3]))
    tensor([4, 9], dtype=int64, shape=(2,))
    ```
    """
def square_(input: Tensor) -> Tensor: ...
@_overload
def squeeze(input: Tensor) -> Tensor:
    """Without the dimensions of size one: all of them, or those that are said. Dimensions of another
    size stay.

    ```python
    >>> opwright.squeeze(opwright.ones(1, 3, 1)).shape
    opwright.Size([3])
    >>> opwright.squeeze(opwright.ones(1, 3, 1), dim=0).shape
    opwright.Size([3, 1])
    ```
    """
@_overload
def squeeze(input: Tensor, dim: _IntList) -> Tensor: ...
@_overload
def squeeze(input: Tensor, *, axis: _IntList) -> Tensor: ...
@_overload
def squeeze(input: Tensor, dim: _int) -> Tensor: ...
@_overload
def squeeze(input: Tensor, *, axis: _int) -> Tensor: ...
@_overload
def stack(tensors: _TensorList, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors of one shape next to each other along a new dimension.

    ```python
    >>> opwright.stack([opwright.tensor([1, 2]), opwright.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]], dtype=int64, shape=(2, 2))
    >>> opwright.stack([opwright.tensor([1, 2]), opwright.tensor([3, 4])], dim=1)
    tensor([[1, 3],
            [2, 4]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def stack(tensors: _TensorList, *, axis: _int = 0, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def std(input: Tensor, unbiased: _bool = True) -> Tensor:
    """The standard deviation, over all dimensions or along `dim`: the square root of `var` with the
    same arguments.

    ```python
    >>> opwright.std(opwright.tensor([1.0, 2.0, 3.0]))
    tensor(1., dtype=float32, shape=())
    >>> opwright.std(opwright.tensor([[1.0, 3.0], [2.0, 6.0]]), dim=1, correction=0)
    tensor([1., 2.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def std_mean(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def std_mean(input: Tensor, unbiased: _bool = True) -> _tuple[Tensor, Tensor]:
    """The standard deviation and the mean, from one pass; see `std`.

    ```python
    >>> opwright.std_mean(opwright.tensor([1.0, 2.0, 3.0]))
    (tensor(1., dtype=float32, shape=()), tensor(2., dtype=float32, shape=()))
    ```
    """
def sub(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """The difference `input - alpha * other`.

    Raises `RuntimeError` for truth values; `^` and `logical_xor` tell where they differ.

    ```python
    >>> opwright.sub(opwright.tensor([5, 6]), opwright.tensor([1, 2]))
    tensor([4, 4], dtype=int64, shape=(2,))
    >>> opwright.sub(opwright.tensor([5, 6]), 1, alpha=2)
    tensor([3, 4], dtype=int64, shape=(2,))
    ```
    """
def subtract(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> Tensor:
    """The difference `input - alpha * other`.

    Raises `RuntimeError` for truth values; `^` and `logical_xor` tell where they differ.

    ```python
    >>> opwright.sub(opwright.tensor([5, 6]), opwright.tensor([1, 2]))
    tensor([4, 4], dtype=int64, shape=(2,))
    >>> opwright.sub(opwright.tensor([5, 6]), 1, alpha=2)
    tensor([3, 4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def sum(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """The sum of all elements, or along dimensions: `dim` is one, a list, or `None` for all. Reduced
    dimensions go, or stay with size one if `keepdim` is set. Booleans and integers are added as
    `int64` unless `dtype` says otherwise; floating sums are blockwise, so that rounding errors
    stay small. No elements make 0.

    ```python
    >>> opwright.sum(opwright.tensor([[1, 2], [3, 4]]))
    tensor(10, dtype=int64, shape=())
    >>> opwright.sum(opwright.tensor([[1, 2], [3, 4]]), dim=0, keepdim=True)
    tensor([[4, 6]], dtype=int64, shape=(1, 2))
    ```
    """
@_overload
def sum(input: Tensor, dim: _int | _IntList | None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def sum(input: Tensor, *, axis: _int | _IntList | None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def sum(input: Tensor, dim: _int | _IntList | None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def sum(input: Tensor, *, axis: _int | _IntList | None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
def swapaxes(input: Tensor, axis0: _int, axis1: _int) -> Tensor:
    """Two dimensions exchanged; another name of `transpose`.

    ```python
    >>> opwright.swapaxes(opwright.ones(2, 3, 4), 0, 2).shape
    opwright.Size([4, 3, 2])
    ```
    """
def swapdims(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions exchanged; another name of `transpose`.

    ```python
    >>> opwright.swapdims(opwright.ones(2, 3, 4), 0, 2).shape
    opwright.Size([4, 3, 2])
    ```
    """
def t(input: Tensor) -> Tensor:
    """A matrix transposed, without a copy; vectors and tensors without dimensions as they are.

    ```python
    >>> opwright.t(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]], dtype=int64, shape=(2, 2))
    ```
    """
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements with these numbers, counted in row-major order; negative ones count from the end.

    ```python
    >>> opwright.take(opwright.tensor([[1, 2], [3, 4]]), opwright.tensor([0, 3]))
    tensor([1, 4], dtype=int64, shape=(2,))
    ```
    """
@_overload
def take_along_dim(input: Tensor, indices: Tensor, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The elements at indices along a dimension, all other dimensions broadcast; without a dimension,
    along all of them in row-major order. This is what `argsort` and `argmax` give indices for.

    ```python
    >>> opwright.take_along_dim(
    ...     opwright.tensor([[3, 1], [2, 4]]), opwright.tensor([[1, 0], [0, 1]]), dim=1
    ... )
    tensor([[1, 3],
            [2, 4]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def take_along_dim(input: Tensor, indices: Tensor, *, axis: _int | None = None, out: Tensor | None = None) -> Tensor: ...
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of each element, an angle in radians.

    ```python
    >>> opwright.tan(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574], dtype=float32, shape=(2,))
    ```
    """
def tan_(input: Tensor) -> Tensor: ...
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of each element.

    ```python
    >>> opwright.tanh(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616], dtype=float32, shape=(2,))
    ```
    """
def tanh_(input: Tensor) -> Tensor: ...
@_overload
def tensor_split(input: Tensor, indices: _IntList, dim: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def tensor_split(input: Tensor, indices: _IntList, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, dim: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def tensor_split(input: Tensor, tensor_indices_or_sections: Tensor, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def tensor_split(input: Tensor, sections: _SupportsIndex, dim: _int = 0) -> _tuple[Tensor, ...]:
    """Parts of a tensor along a dimension, which share its memory: so many that their sizes differ by
    at most one, the larger ones first; or those between indices, which are cut to the size of the
    dimension. Number and indices may also be tensors.

    ```python
    >>> opwright.tensor_split(opwright.arange(5), 2)
    (tensor([0, 1, 2], dtype=int64, shape=(3,)), tensor([3, 4], dtype=int64, shape=(2,)))
    >>> opwright.tensor_split(opwright.arange(5), (1, 3))
    (tensor([0], dtype=int64, shape=(1,)), tensor([1, 2], dtype=int64, shape=(2,)), tensor([3, 4], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def tensor_split(input: Tensor, sections: _SupportsIndex, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
def tensordot(input: Tensor, other: Tensor, dims_self: _IntList, dims_other: _IntList, *, out: Tensor | None = None) -> Tensor:
    """Sums of products along pairs of dimensions: `dims_self[i]` of `input` with
    `dims_other[i]` of `other`, of equal size, or of size one on one side. The
    result has the other dimensions of `input` and then those of `other`.

    ```python
    >>> opwright.tensordot(opwright.ones(2, 3), opwright.ones(3, 4), ([1], [0])).shape
    opwright.Size([2, 4])
    ```
    """
def threshold(input: Tensor, threshold: _Number, value: _Number, *, out: Tensor | None = None) -> Tensor:
    """`x` where it is greater than `threshold`, and `value` elsewhere.

    ```python
    >>> opwright.threshold(opwright.tensor([-1.0, 0.5, 2.0]), 0.5, 9.0)
    tensor([9., 9., 2.], dtype=float32, shape=(3,))
    ```
    """
def threshold_(input: Tensor, threshold: _Number, value: _Number) -> Tensor: ...
def tile(input: Tensor, dims: _IntList) -> Tensor:
    """Copies of the tensor side by side, `dims` of them along each dimension, as in
    `repeat`; if there are fewer numbers than dimensions, they are for the last
    ones.

    ```python
    >>> opwright.tile(opwright.tensor([1, 2]), (2, 2))
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]], dtype=int64, shape=(2, 4))
    ```
    """
@_overload
def topk(input: Tensor, k: _SupportsIndex, dim: _int = -1, largest: _bool = True, sorted: _bool = True, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.topk:
    """The `k` greatest elements along `dim`, or the least with `largest=False`, and where they are,
    as a named tuple `(values, indices)`. They are in order, whether `sorted` asks for it or not.
    Raises an error if there are fewer than `k`.

    ```python
    >>> opwright.topk(opwright.tensor([1, 4, 3]), 2)
    topk(values=tensor([4, 3], dtype=int64, shape=(2,)), indices=tensor([1, 2], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def topk(input: Tensor, k: _SupportsIndex, *, axis: _int = -1, largest: _bool = True, sorted: _bool = True, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.topk: ...
def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix; booleans and integers are added as
    `int64`.

    ```python
    >>> opwright.trace(opwright.tensor([[1, 2], [3, 4]]))
    tensor(5, dtype=int64, shape=())
    ```
    """
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """Two dimensions exchanged, without a copy.

    ```python
    >>> opwright.transpose(opwright.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([[1, 3],
            [2, 4]], dtype=int64, shape=(2, 2))
    ```
    """
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle of a matrix or of each matrix of a batch, with zeros above diagonal number
    `diagonal`; positive ones are above the main one.

    ```python
    >>> opwright.tril(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]], dtype=int64, shape=(2, 2))
    ```
    """
def tril_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Row and column numbers of the elements on and below a diagonal, in two rows:
    `offset` says how far it is above the main one.

    ```python
    >>> opwright.tril_indices(2, 2)
    tensor([[0, 1, 1],
            [0, 0, 1]], dtype=int64, shape=(2, 3))
    ```
    """
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle of a matrix or of each matrix of a batch, with zeros below diagonal number
    `diagonal`; positive ones are above the main one.

    ```python
    >>> opwright.triu(opwright.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]], dtype=int64, shape=(2, 2))
    >>> opwright.triu(opwright.tensor([[1, 2], [3, 4]]), diagonal=1)
    tensor([[0, 2],
            [0, 0]], dtype=int64, shape=(2, 2))
    ```
    """
def triu_indices(row: _int, col: _int, offset: _int = 0, *, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """Row and column numbers of the elements on and above a diagonal, in two rows:
    `offset` says how far it is above the main one.

    ```python
    >>> opwright.triu_indices(2, 2)
    tensor([[0, 0, 1],
            [0, 1, 1]], dtype=int64, shape=(2, 3))
    ```
    """
def true_divide(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient `input / other`; another name of `div`.

    ```python
    >>> opwright.true_divide(opwright.tensor([7, -7]), 2)
    tensor([ 3.5, -3.5], dtype=float32, shape=(2,))
    ```
    """
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element without its fraction. Integers stay as they are.

    ```python
    >>> opwright.trunc(opwright.tensor([-1.5, 1.5]))
    tensor([-1.,  1.], dtype=float32, shape=(2,))
    ```
    """
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element without its fraction. Integers stay as they are.

    ```python
    >>> opwright.trunc(opwright.tensor([-1.5, 1.5]))
    tensor([-1.,  1.], dtype=float32, shape=(2,))
    ```
    """
def trunc_(input: Tensor) -> Tensor: ...
def fix_(input: Tensor) -> Tensor: ...
@_overload
def unbind(input: Tensor, dim: _int = 0) -> _tuple[Tensor, ...]:
    """The parts at all indices of a dimension, which goes away, as a tuple; they share the memory of
    the input.

    ```python
    >>> opwright.unbind(opwright.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2], dtype=int64, shape=(2,)), tensor([3, 4], dtype=int64, shape=(2,)))
    ```
    """
@_overload
def unbind(input: Tensor, *, axis: _int = 0) -> _tuple[Tensor, ...]: ...
@_overload
def unflatten(input: Tensor, dim: _int, sizes: _IntList) -> Tensor:
    """The dimension `dim` split into dimensions of these `sizes`, one of which may
    be -1 and follows from the others. It shares the memory of the input.

    ```python
    >>> opwright.unflatten(opwright.ones(2, 6), 1, (2, -1)).shape
    opwright.Size([2, 2, 3])
    ```
    """
@_overload
def unflatten(input: Tensor, *, axis: _int, sizes: _IntList) -> Tensor: ...
@_overload
def unique_consecutive(input: Tensor, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None) -> _tuple[Tensor, Tensor, Tensor]:
    """Without repetitions: of each run of equal neighbours, or with `dim` of equal
    slices along it, only the first. Further results are, if they are asked for,
    where each element went and how long the runs were, else empty tensors.

    ```python
    >>> values, counts = opwright.unique_consecutive(
    ...     opwright.tensor([1, 1, 2, 1]), return_counts=True
    ... )
    >>> values, counts
    (tensor([1, 2, 1], dtype=int64, shape=(3,)), tensor([2, 1, 1], dtype=int64, shape=(3,)))
    ```
    """
@_overload
def unique_consecutive(input: Tensor, return_inverse: _bool = False, return_counts: _bool = False, *, axis: _int | None = None) -> _tuple[Tensor, Tensor, Tensor]: ...
@_overload
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """With a new dimension of size one before dimension `dim`, which may be one more than there are.

    ```python
    >>> opwright.unsqueeze(opwright.tensor([1, 2]), 1)
    tensor([[1],
            [2]], dtype=int64, shape=(2, 1))
    ```
    """
@_overload
def unsqueeze(input: Tensor, *, axis: _int) -> Tensor: ...
@_overload
def var(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False, out: Tensor | None = None) -> Tensor: ...
@_overload
def var(input: Tensor, unbiased: _bool = True) -> Tensor:
    """The variance, over all dimensions or along `dim`: the sum of squared distances from the mean,
    divided by the number of elements less `correction`, which is 1 unless given. `unbiased=False`
    is the same as `correction=0`. The variance of complex numbers is real. Where nothing is left
    to divide by, the result is NaN or infinite.

    ```python
    >>> opwright.var(opwright.tensor([1.0, 2.0, 3.0]))
    tensor(1., dtype=float32, shape=())
    >>> opwright.var(opwright.tensor([[1.0, 3.0], [2.0, 6.0]]), dim=1, correction=0)
    tensor([1., 4.], dtype=float32, shape=(2,))
    ```
    """
@_overload
def var_mean(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, dim: _int | _IntList | None, unbiased: _bool = True, *, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, *, axis: _int | _IntList | None, unbiased: _bool = True, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdim: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, dim: _int | _IntList | None = None, *, correction: _Number | None = None, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, *, axis: _int | _IntList | None = None, correction: _Number | None = None, keepdims: _bool = False) -> _tuple[Tensor, Tensor]: ...
@_overload
def var_mean(input: Tensor, unbiased: _bool = True) -> _tuple[Tensor, Tensor]:
    """The variance and the mean, from one pass; see `var`.

    ```python
    >>> opwright.var_mean(opwright.tensor([1.0, 2.0, 3.0]))
    (tensor(1., dtype=float32, shape=()), tensor(2., dtype=float32, shape=()))
    ```
    """
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of corresponding elements of two vectors, those of
    the first conjugated.

    ```python
    >>> opwright.vdot(opwright.tensor([1j, 2 + 0j]), opwright.tensor([1j, 1 + 0j]))
    tensor(3.+0.j, dtype=complex64, shape=())
    ```
    """
@_overload
def vsplit(input: Tensor, indices: _IntList) -> _tuple[Tensor, ...]:
    """The parts between these indices of the first of at least two dimensions."""
@_overload
def vsplit(input: Tensor, sections: _int) -> _tuple[Tensor, ...]:
    """Parts of equal size one below the other: along the first of at least two
    dimensions. They share the memory of the input.

    ```python
    >>> top, bottom = opwright.vsplit(opwright.tensor([[1, 2], [3, 4]]), 2)
    >>> top
    tensor([[1, 2]], dtype=int64, shape=(1, 2))
    ```
    """
def vstack(tensors: _TensorList, *, out: Tensor | None = None) -> Tensor:
    """The tensors one below the other; a vector is one row.

    ```python
    >>> opwright.vstack([opwright.tensor([1, 2]), opwright.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]], dtype=int64, shape=(2, 2))
    ```
    """
@_overload
def where(condition: Tensor) -> _tuple[Tensor, ...]:
    """The indices of the elements that are not 0, a tensor for each dimension."""
@_overload
def where(condition: Tensor, input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements of `self` where `condition` holds and those of `other` elsewhere. All three are
    broadcast, the latter two brought to one dtype. With `condition` alone: the indices of the
    elements that are not 0, a tensor for each dimension.

    Raises `RuntimeError` if `condition` is neither `bool` nor `uint8`.

    ```python
    >>> opwright.where(opwright.tensor([True, False]), opwright.tensor([1, 2]), 0)
    tensor([1, 0], dtype=int64, shape=(2,))
    >>> opwright.where(opwright.tensor([0, 3, 0, 5]))
    (tensor([1, 3], dtype=int64, shape=(2,)),)
    ```
    """
@_overload
def where(condition: Tensor, self: _Number, other: Tensor) -> Tensor: ...
@_overload
def where(condition: Tensor, input: Tensor, other: _Number) -> Tensor: ...
@_overload
def where(condition: Tensor, self: _Number, other: _Number) -> Tensor: ...
@_overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, and 0 where `input` is 0, unless `other` is NaN.

    ```python
    >>> opwright.xlogy(opwright.tensor([0.0, 2.0]), opwright.tensor([0.0, 2.0]))
    tensor([0.0000, 1.3863], dtype=float32, shape=(2,))
    ```
    """
@_overload
def xlogy(self: _Number, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def xlogy(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def xlogy_(input: Tensor, other: Tensor) -> Tensor: ...
@_overload
def xlogy_(input: Tensor, other: _Number) -> Tensor: ...
def zero_(input: Tensor) -> Tensor:
    """Writes 0 to every element of `input`.

    ```python
    >>> x = opwright.tensor([1, 2])
    >>> x.zero_()
    tensor([0, 0], dtype=int64, shape=(2,))
    ```
    """
@_overload
def zeros(size: _IntList, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` filled with 0. Without `dtype` it has the default dtype.

    ```python
    >>> opwright.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]], dtype=float32, shape=(2, 3))
    ```
    """
@_overload
def zeros(*size: _SupportsIndex, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of shape `size` filled with 0. Without `dtype` it has the default dtype.

    ```python
    >>> opwright.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]], dtype=float32, shape=(2, 3))
    ```
    """
def zeros_like(input: Tensor, *, memory_format: _memory_format | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """A tensor of 0 with the shape of `input`, and its dtype and device unless said otherwise.

    ```python
    >>> opwright.zeros_like(opwright.tensor([1, 2]))
    tensor([0, 0], dtype=int64, shape=(2,))
    ```
    """
