"""Variables and nodes: their classes, constants, and variables made of other variables."""

from __future__ import annotations

from .. import _C, types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from .. import Tensor
    from .._C._graph import Apply as Apply
    from .._C._graph import Variable as Variable

    # Of an operator, type checkers know that it returns a tensor, whatever it takes.
    _Result: TypeAlias = Variable | Tensor
    _Variables: TypeAlias = _Result | Iterable[_Result]

_graph = _C._graph
if not TYPE_CHECKING:
    Apply = _graph.Apply
    Variable = _graph.Variable


class _ConstantClass(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Variable) and _graph.kind(instance) == "constant"


class Constant(metaclass=_ConstantClass):
    """The variables that never change.

    `Constant(type, value)` makes one, which is a `Variable`.
    """

    def __new__(cls, type: types.Type, value: object, name: str | None = None) -> Variable:
        """Make a variable of a type and a value."""
        return _graph.constant(type, value, name)


def constant(value: object, name: str | None = None, type: types.Type | None = None) -> Variable:
    """Return a variable that never changes.

    Parameters
    ----------
    value
        The value. A variable is returned as it is.
    name
        The name of the variable.
    type
        The type of the variable; without it, the most specific type of the value.

    Returns
    -------
    Variable
        A constant, or `value` itself if it is a variable.

    Raises
    ------
    TypeError
        The value is not one of the type, or no type is known for it.
    """
    if isinstance(value, Variable):
        return value
    made: Variable = (types.typeof(value) if type is None else type).make_constant(value, name)
    return made


def listed(variables: _Variables) -> list[Variable]:
    """Return one variable or several as a list."""
    given: Any = variables
    return [given] if isinstance(given, Variable) else list(given)


def view(x: object) -> Variable:
    """Return a variable with the same values as another one.

    Parameters
    ----------
    x
        A variable, or a value that becomes a constant.

    Returns
    -------
    Variable
        The result of a node whose values share memory with those of `x`.
    """
    return _graph.view(constant(x))


def deep_copy(x: object) -> Variable:
    """Return a variable whose values share nothing with those of another one.

    Parameters
    ----------
    x
        A variable, or a value that becomes a constant.

    Returns
    -------
    Variable
        The result of a node that copies.
    """
    return _graph.deep_copy(constant(x))


def set_item(x: object, key: object, value: object) -> Variable:
    """Return `x` with `value` in the place of what `x[key]` picks out.

    Parameters
    ----------
    x
        A variable of a type of tensors, or a value that becomes a constant. It does not change.
    key
        An index as in `x[key]`.
    value
        The new elements: a variable or a value, broadcast to the shape of `x[key]`.

    Returns
    -------
    Variable
        A variable of the shape and the dtype of `x`.

    Raises
    ------
    TypeError
        The values of `x` are not tensors.
    IndexError
        An index is out of range, or there are too many of them.
    """
    return _graph.set_item(constant(x), key, value)
