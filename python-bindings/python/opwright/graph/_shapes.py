"""Shape operators: the extents of variables, and what is found of them when they are computed."""

from __future__ import annotations

from .. import _C, types
from ._variables import Apply, Variable, constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_graph = _C._graph


def specify_shape(x: object, shape: int | Iterable[int | None] | None) -> Variable:
    """Return a variable that is found to have a shape when it is computed.

    Parameters
    ----------
    x
        A variable of a type of tensors, or a value that becomes a constant.
    shape
        The extents, or the only one; None is any extent.

    Returns
    -------
    Variable
        A variable of a type with these extents, or `x` itself if the shape says nothing new.

    Raises
    ------
    TypeError
        The shape contradicts what is known.
    """
    x = constant(x)
    shape = (shape,) if isinstance(shape, int) or shape is None else tuple(shape)
    return _graph.specified(x, types.TensorType(x.dtype, shape))


class _HostShape:
    """The Op of `shape` for values that are no tensors: their own `shape`, or that of the type."""

    def __init__(self, type: types.Type, i: int | None = None):
        self.type, self.i = type, i

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        ask = getattr(self.type, "shape_of", None)
        found = getattr(inputs[0], "shape", None) if ask is None else ask(inputs[0])
        if found is None:
            raise TypeError(
                f"a value of {self.type} has no shape; give the type a method shape_of(value)"
            )
        found = tuple(found)
        if self.i is not None and not -len(found) <= self.i < len(found):
            raise IndexError(f"there is no dimension {self.i} in the shape {found}")
        output_storage[0][0] = list(found) if self.i is None else found[self.i]

    def make_node(self, x: Variable) -> Apply:
        result = types.list_of(types.int64) if self.i is None else types.int64
        return Apply(self, [x], [result()])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _HostShape) and (self.type, self.i) == (other.type, other.i)

    def __hash__(self) -> int:
        return hash((_HostShape, self.i))

    def __str__(self) -> str:
        return "shape" if self.i is None else "shape_i"


def shape(x: object) -> Variable:
    """Return the extents of a variable.

    Parameters
    ----------
    x
        A variable, or a value that becomes a constant.

    Returns
    -------
    Variable
        A variable that is a list of integers.

    Raises
    ------
    TypeError
        Values of the type have no shape.
    """
    x = constant(x)
    if isinstance(x.type, types.TensorType):
        return _graph.shape(x)
    return _host_shape(x, None)


def shape_i(x: object, i: int) -> Variable:
    """Return one extent of a variable.

    Parameters
    ----------
    x
        A variable, or a value that becomes a constant.
    i
        The dimension; a negative one counts from the end.

    Returns
    -------
    Variable
        A variable that is an integer.

    Raises
    ------
    IndexError
        The dimension is out of range.
    TypeError
        Values of the type have no shape.
    """
    x = constant(x)
    if isinstance(x.type, types.TensorType):
        return _graph.shape_i(x, i)
    from operator import index

    i = index(i)
    # The rank of other values may be unknown until they are computed.
    rank = getattr(x.type, "ndim", None)
    if isinstance(rank, int):
        if not -rank <= i < rank:
            raise IndexError(f"there is no dimension {i} in {x.type}, which has {rank}")
        i %= rank
    return _host_shape(x, i)


def _host_shape(x: Variable, i: int | None) -> Variable:
    if isinstance(x.type, types.PlainType | types.ListType) and not hasattr(x.type, "shape_of"):
        raise TypeError(f"values of {x.type} have no shape")
    return _HostShape(x.type, i).make_node(x).outputs[0]
