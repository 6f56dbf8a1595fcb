from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Iterable as _Iterable
from inspect import Signature as _Signature
from types import TracebackType as _TracebackType
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import overload as _overload

import numpy as _np
from opwright import autograd as autograd
from opwright import c as c
from opwright import graph as graph
from opwright import interop as interop
from opwright import return_types as return_types
from opwright import typed as typed
from opwright import types as types
from opwright._C import *
from opwright._C import TensorBase as TensorBase
from opwright._C import _DType
from opwright._C import dtype as _dtype
from opwright._progress import set_progress as set_progress
from opwright.autograd.grad_mode import enable_grad as enable_grad
from opwright.autograd.grad_mode import inference_mode as inference_mode
from opwright.autograd.grad_mode import no_grad as no_grad
from opwright.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from opwright.graph import Constant as Constant
from opwright.graph import Variable as Variable
from opwright.graph import dprint as dprint
from opwright.graph import specify_shape as specify_shape
from opwright.graph._functions import In as In
from opwright.graph._functions import Mode as Mode
from opwright.graph._functions import Out as Out
from opwright.graph._functions import function as function
from opwright.graph._functions import shared as shared
from opwright.types import TensorType as TensorType
from opwright.types import Type as Type
from opwright.types import typeof as typeof

class Tensor(TensorBase):
    """An array of elements of one type, in any number of dimensions.

    `Tensor(2, 3)` has this size and elements that are not set, `Tensor([1, 2])` these elements, and
    `Tensor(x)` those of another tensor, of an array or of a storage: a tensor and a storage share
    their memory. The elements are of `dtype`, which is the default dtype unless it is said; a
    tensor alone keeps its own. `opwright.tensor` takes the dtype that the elements ask for.
    """

    @classmethod
    def __opwright_function__(
        cls,
        function: _Callable[..., _Any],
        types: _tuple[type, ...],
        args: _tuple[_Any, ...] = (),
        kwargs: dict[_str, _Any] | None = None,
    ) -> _Any: ...

    __array_priority__: _int

    def _repr_html_(self) -> _str: ...
    def __format__(self, spec: _str) -> _str: ...
    def __contains__(self, element: _object) -> _bool: ...
    def __array__(
        self, dtype: _Any = None, copy: _bool | None = None
    ) -> _np.ndarray[_Any, _Any]: ...
    def __array_ufunc__(
        self, ufunc: _Any, method: _str, *inputs: _Any, **keywords: _Any
    ) -> _Any: ...
    __array_function__: _Any

    def __array_wrap__(
        self,
        array: _np.ndarray[_Any, _Any],
        context: _Any = None,
        return_scalar: _bool = False,
    ) -> Tensor: ...
    def __copy__(self) -> Tensor: ...
    def __deepcopy__(self, memo: dict[_int, _Any]) -> Tensor:
        """A copy with memory of its own, of a leaf together with its gradient."""
    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: _bool | None = None,
        create_graph: _bool = False,
        inputs: _Any = None,
    ) -> None:
        """Add the gradients of this tensor to `grad` of the leaves that it was made of."""
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Say whether gradients are recorded for a leaf, and return it."""
    def register_hook(self, hook: _Callable[[Tensor], Tensor | None]) -> _Any:
        """Call `hook` with the gradient of this tensor whenever a pass has completed it."""
    def register_post_accumulate_grad_hook(self, hook: _Callable[[Tensor], None]) -> _Any:
        """Call `hook` with this leaf after a gradient was added to `grad`."""
    def retain_grad(self) -> None:
        """Have passes leave a gradient in `grad` although this is a result."""
    def astype(self, dtype: _Any, *, copy: _bool = True) -> Tensor:
        """Return a copy of another dtype, which may be a name, or numpy's."""
    def to_device(self, device: _Any, /, *, stream: None = None) -> Tensor:
        """The tensor on another device, and itself if it is there."""
    def __divmod__(self, other: _Any) -> _tuple[Tensor, Tensor]: ...
    def __rdiv__(self, other: _Any) -> Tensor: ...
    def __rdivmod__(self, other: _Any) -> _tuple[Tensor, Tensor]: ...
    def __round__(self, ndigits: _int | None = None) -> Tensor: ...
    def __trunc__(self) -> _int: ...
    def as_integer_ratio(self) -> _tuple[_int, _int]: ...

class Size(_tuple[_int, ...]):
    """The sizes of the dimensions of a tensor: a tuple of integers."""

    def __new__(cls, sizes: _Iterable[_SupportsIndex] = ()) -> Size: ...
    def numel(self) -> _int:
        """The number of elements of a tensor of this size."""
    @_overload
    def __getitem__(self, key: _SupportsIndex, /) -> _int: ...
    @_overload
    def __getitem__(self, key: slice, /) -> Size: ...
    def __add__(self, other: _Any) -> _Any: ...
    def __radd__(self, other: _Any) -> _Any: ...
    def __mul__(self, count: _SupportsIndex) -> Size: ...
    def __rmul__(self, count: _SupportsIndex) -> Size: ...

class _Explanation:
    overload: _str | None
    text: _str

def explain(function: _Callable[..., _Any], /, *args: _Any, **kwargs: _Any) -> _Explanation:
    """Says which overload of a function or method takes a call, and why the others do not."""

def get_overloads(function: _Callable[..., _Any]) -> _list[_Signature]:
    """The signatures of a function or method, in the order in which they are tried."""

def set_printoptions(
    precision: _int | None = None,
    threshold: _int | None = None,
    edgeitems: _int | None = None,
    linewidth: _int | None = None,
    profile: _str | None = None,
    sci_mode: _bool | None = None,
) -> None:
    """Decides how tensors are shown; what is `None` stays as it is, but for `sci_mode`."""

class default_dtype:
    """A context manager in which another dtype is the default."""

    dtype: _DType

    def __init__(self, dtype: _DType) -> None: ...
    def __enter__(self) -> None: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: _TracebackType | None,
    ) -> None: ...
