"""Shared variables: variables with a value, which functions update."""

from __future__ import annotations

from .. import _C
from .._types.base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .._C._graph import Variable

_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class SharedVariable(Variable):
    """A variable with a value, which functions may update."""

    __slots__ = ()

    def get_value(self, borrow: bool = False) -> Any:
        """Return the value.

        Parameters
        ----------
        borrow
            Whether it is the value itself, and not a copy.

        Returns
        -------
        object
            A value of the type of the variable.
        """
        return _graph.shared_value(self, borrow)

    def set_value(self, value: object, borrow: bool = False) -> None:
        """Replace the value.

        A tensor of the same shape is copied to where the old one is, unless somebody else has that;
        types of one's own are asked by `filter_inplace`.

        Parameters
        ----------
        value
            The new value.
        borrow
            Whether the variable takes the memory of `value` itself, and not a copy.

        Raises
        ------
        TypeError
            The value is not of the type of the variable.
        """
        _graph.set_shared_value(self, value, borrow)

    @property
    def default_update(self) -> Variable | None:
        """The value after a call of a function that uses it, unless its `updates` has another."""
        return _graph.default_update(self)

    @default_update.setter
    def default_update(self, update: object) -> None:
        what = f"the default update of {self}"
        _graph.set_default_update(self, None if update is None else filtered(self, update, what))

    def __setstate__(self, update: Variable) -> None:
        """Give it the default update that a pickle has: a graph of this very variable."""
        _graph.set_default_update(self, update)


_graph.set_shared_class(SharedVariable)


def shared(
    value: object,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    type: Type | None = None,
    shape: Iterable[int | None] | None = None,
    borrow: bool = False,
) -> SharedVariable:
    """Return a variable that has a value, which functions may update.

    Parameters
    ----------
    value
        The first value.
    name
        The name of the variable.
    strict
        Whether only values that the type has are accepted, and none that it would convert.
    allow_downcast
        Whether values may lose precision; with `None`, the type decides.
    type
        The type of the variable; by default that of the value.
    shape
        The extents of a tensor, `None` for those that are unknown. By default all are, for updates
        may change them.
    borrow
        Whether the variable takes the memory of `value` itself, and not a copy.

    Returns
    -------
    SharedVariable
        The variable.

    Raises
    ------
    TypeError
        `value` is a variable, is not of the type, or no type is known for it.
    """
    if isinstance(value, Variable):
        raise TypeError("shared() takes a value, not a variable")
    if type is None:
        from ..types import TensorType, typeof

        type = typeof(value)
        if isinstance(type, TensorType):
            type = TensorType(type.dtype, (None,) * type.ndim if shape is None else shape)
    return _graph.new_shared(type, value, name, strict, allow_downcast, borrow)


def variable_of(value: object) -> Variable:
    """Return a variable as it is, and a value as a constant."""
    if isinstance(value, Variable):
        return value
    from ..types import typeof

    return _graph.constant(typeof(value), value, None)


def filtered(key: Variable, value: object, what: str) -> Variable:
    """Return a variable of the type of `key`, or raise what says `what` is wrong."""
    try:
        found: Variable = key.type.filter_variable(value)
    except TypeError as error:
        raise TypeError(f"{what}: {error}{_way_out(key, value)}") from None
    return found


def _way_out(key: Variable, value: object) -> str:
    """Return what to do where a value that is no tensor gets one without dimensions."""
    is_tensor = isinstance(value, Variable) and getattr(value.type, "ndim", None) == 0
    if not is_tensor or hasattr(key.type, "ndim"):
        return ""
    name = _C.__name__.rpartition(".")[0] or _C.__name__
    return f"; share a tensor instead: shared({name}.tensor(...))"
