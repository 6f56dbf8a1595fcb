from collections.abc import Callable as _Callable
from typing import Any as _Any
from typing import ClassVar as _ClassVar

from opwright import _C

TYPE_CHECKING: bool

class FunctionCtx:
    """What a function says of its call: methods of its `ctx`."""

    __slots__ = ()

    def save_for_backward(self, *tensors: _Any) -> None:
        """Keep tensors, or None, for `backward`, which finds them in `saved_tensors`."""
    def save_for_forward(self, *tensors: _Any) -> None:
        """Keep tensors for derivatives in the direction of the call, which are not there yet."""
    def mark_dirty(self, *tensors: _Any) -> None:
        """Say which inputs `forward` has written to; it returns each of them."""
    def mark_non_differentiable(self, *tensors: _Any) -> None:
        """Say which outputs have no gradients."""
    def mark_shared_storage(self, *pairs: _Any) -> None:
        """Do nothing: which tensors share memory is known."""
    def set_materialize_grads(self, value: bool) -> None:
        """Say whether zeros stand for gradients that are absent; otherwise it is None."""

class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """A recorded call of a `Function`: its `ctx`, and its node in the graph."""

    _forward_cls: _ClassVar[type[Function]]

    def apply(self, *grads: _Any) -> _Any: ...  # type: ignore[override]

class FunctionMeta(type):
    """Gives each class the class of its nodes, `_backward_cls`."""

    _backward_cls: type[BackwardCFunction]

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, _Any]) -> None: ...

class Function(_C._FunctionBase, FunctionCtx, metaclass=FunctionMeta):
    """A function of tensors that brings its own gradient."""

    generate_vmap_rule: _ClassVar[bool]

    @staticmethod
    def forward(*args: _Any, **kwargs: _Any) -> _Any:
        """Calculate the outputs from `ctx` and the arguments of `apply`."""
    @staticmethod
    def setup_context(ctx: _Any, inputs: tuple[_Any, ...], output: _Any) -> _Any:
        """Keep what `backward` needs, after a `forward` without `ctx`."""
    @staticmethod
    def backward(*args: _Any, **kwargs: _Any) -> _Any:
        """Return a gradient, or None, for each argument, given `ctx` and one for each output."""
    @staticmethod
    def vjp(*args: _Any, **kwargs: _Any) -> _Any:
        """Another name of `backward`."""
    @staticmethod
    def jvp(*args: _Any, **kwargs: _Any) -> _Any:
        """Return derivatives of the outputs in the direction of the arguments: not available."""
    @staticmethod
    def vmap(*args: _Any, **kwargs: _Any) -> _Any:
        """Calculate a batch of calls at once: not available."""
    def __call__(self, *args: _Any) -> _Any:
        """Call the function with this instance as `ctx`, as was usual before `apply`."""

def once_differentiable(function: _Callable[..., _Any]) -> _Callable[..., _Any]:
    """Decorate a `backward` that is not made of operators: nobody can differentiate it again."""

class InplaceFunction(Function):
    """A function whose instances know whether they write to their inputs."""

    inplace: bool

    def __init__(self, inplace: bool = False) -> None: ...

class NestedIOFunction(Function):
    """A function of nested lists and tuples of tensors, called as an instance."""

    def _do_forward(self, *inputs: _Any) -> _Any: ...
    def forward(self, *flat: _Any) -> _Any: ...  # type: ignore[override]
    def backward(self, *grads: _Any) -> _Any: ...  # type: ignore[override]
    def forward_extended(self, *inputs: _Any) -> _Any:
        """Calculate the outputs."""
    def backward_extended(self, *grads: _Any) -> _Any:
        """Return gradients, nested as the inputs are."""
