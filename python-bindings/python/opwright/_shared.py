"""Variables that have a value, and what takes the place of others."""

from __future__ import annotations

from . import _C
from ._types.base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .graph import Variable

_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class SharedVariable(Variable):
    """A variable with a value, which functions may update."""

    __slots__ = ()

    def get_value(self, borrow: bool = False) -> Any:
        """Return a copy of the value, or with `borrow` the value itself."""
        return _graph.shared_value(self, borrow)

    def set_value(self, value: Any, borrow: bool = False) -> None:
        """Give it another value, or with `borrow` this very object's.

        A tensor of the same shape is copied to where the old one is, unless somebody else has that;
        types of one's own are asked by `filter_inplace`.
        """
        _graph.set_shared_value(self, value, borrow)

    @property
    def default_update(self) -> Variable | None:
        """What functions that use it update it to, unless they say otherwise."""
        found: Variable | None = _graph.default_update(self)
        return found

    @default_update.setter
    def default_update(self, update: Any) -> None:
        if update is not None:
            update = filtered(self, update, f"the default update of {self}")
        _graph.set_default_update(self, update)

    def __setstate__(self, update: Variable) -> None:
        """Give it the default update that a pickle has: a graph of this very variable."""
        _graph.set_default_update(self, update)


_graph.set_shared_class(SharedVariable)


def shared(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    type: Type | None = None,
    shape: Iterable[int | None] | None = None,
    borrow: bool = False,
) -> SharedVariable:
    """Return a variable that has a value, which functions may update.

    Its extents are unknown unless `shape` says more, for updates may change them.
    """
    if isinstance(value, Variable):
        raise TypeError("shared() takes a value, not a variable")
    if type is None:
        from .types import TensorType, typeof

        type = typeof(value)
        if isinstance(type, TensorType):
            type = TensorType(type.dtype, (None,) * type.ndim if shape is None else shape)
    made: SharedVariable = _graph.new_shared(type, value, name, strict, allow_downcast, borrow)
    return made


def variable_of(value: Any) -> Variable:
    if isinstance(value, Variable):
        return value
    from .types import typeof

    made: Variable = _graph.constant(typeof(value), value, None)
    return made


def filtered(key: Variable, value: Any, what: str) -> Variable:
    """Return a variable of the type of `key`, or raise what says `what` is wrong."""
    try:
        found: Variable = key.type.filter_variable(value)
    except TypeError as error:
        raise TypeError(f"{what}: {error}{_way_out(key, value)}") from None
    return found


def _way_out(key: Variable, value: Any) -> str:
    """Return what to do where a value that is no tensor gets one without dimensions."""
    is_tensor = isinstance(value, Variable) and getattr(value.type, "ndim", None) == 0
    if not is_tensor or hasattr(key.type, "ndim"):
        return ""
    name = _C.__name__.rpartition(".")[0] or _C.__name__
    return f"; share a tensor instead: shared({name}.tensor(...))"
