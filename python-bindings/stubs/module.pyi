from opwright._C import _nn as _nn
from opwright._C import _special as _special

__version__: _str
_named_tuple_names: _list[_str]
default_generator: Generator

bool: dtype
uint8: dtype
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
strided: layout
contiguous_format: memory_format
preserve_format: memory_format
channels_last: memory_format
channels_last_3d: memory_format

def _named_tuple(name: _str, /) -> _Any: ...
def _rebuild(data: Tensor | None, dtype: dtype, shape: _IntList, device: _device | _str | _int) -> Tensor: ...
def _set_classes(tensor: type[Tensor], size: type[Size]) -> None: ...
def _signatures(name: _str, /) -> _list[_str]: ...
def tensor(data: _Any, *, dtype: _dtype | None = None, device: _device | _str | _int | None = None, requires_grad: _bool = False, pin_memory: _bool = False) -> Tensor:
    """A new tensor from numbers, nested sequences, arrays or other tensors.

    It never shares memory with `data`. Without `dtype`, the elements decide: bools, integers (int64),
    floating-point numbers (the default dtype), complex numbers; arrays and numpy scalars keep theirs.
    """
def as_tensor(data: _Any, dtype: _dtype | None = None, device: _device | _str | _int | None = None) -> Tensor:
    """A tensor with the elements of `data`, whose memory it shares if that is possible.

    A tensor that needs no change is returned itself; a read-only array is copied.
    """
def asarray(obj: _Any, *, dtype: _dtype | None = None, device: _device | _str | _int | None = None, copy: _bool | None = None, requires_grad: _bool = False) -> Tensor:
    """A tensor with the elements of `obj`.

    With `copy=True` it has memory of its own, with `copy=False` that of `obj` or there is a ValueError;
    by default it shares what it can.
    """
def from_numpy(ndarray: _np.ndarray[_Any, _Any]) -> Tensor:
    """A tensor over the memory of a numpy array, so that each sees what is written to the other.

    A read-only array is copied, since a tensor can always be written to.
    """
def frombuffer(buffer: _Any, *, dtype: _dtype, count: _int = -1, offset: _int = 0, requires_grad: _bool = False) -> Tensor:
    """A one-dimensional tensor over the bytes of any object with a buffer.

    `offset` counts bytes, `count` elements; -1 stands for all. Bytes that are read-only are copied.
    """
def is_tensor(obj: _object, /) -> _bool:
    """Whether an object is a tensor."""
def seed() -> _int:
    """Starts the default generator again from a seed that nobody knows, and returns it."""
def manual_seed(seed: _int) -> Generator:
    """Starts the default generator again from a seed, and returns the generator."""
def initial_seed() -> _int:
    """The seed that the default generator started from."""
def get_default_dtype() -> dtype:
    """The dtype of floating-point results that nothing else decides."""
def set_default_dtype(dtype: _dtype, /) -> None:
    """Decides the dtype of floating-point results that nothing else decides."""
def get_num_threads() -> _int:
    """How many threads one call uses at most."""
def set_num_threads(num: _int, /) -> None:
    """Decides how many threads one call uses at most."""
