"""Pickling of variables and nodes.

Each is an object of its own to a pickle, so that whatever shares it shares it afterwards. The nodes
that one depends on come first, in the order in which they run: however deep the graph is, nothing
recurses over it.
"""

from __future__ import annotations

import threading
from weakref import ref

from .. import _C
from ._shared_variables import SharedVariable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .._C._graph import Apply, Variable
    from ..types import Type

_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class _Ahead(threading.local):
    """The nodes of a thread that a pickle has in the order that it is about to write."""

    def __init__(self) -> None:
        self.nodes: dict[Apply, int] = {}


_ahead = _Ahead()


class _End:
    """Stands behind nodes that come first: when it is written, they were, or never will be."""

    def __init__(self, nodes: list[Apply]):
        known = _ahead.nodes
        for node in nodes:
            known[node] = known.get(node, 0) + 1
        self._close = _closing(known, nodes)
        self._gone = ref(self, self._close)

    def __reduce__(self) -> tuple[object, ...]:
        self._close(None)
        return _restored_nothing, ()


def _closing(known: dict[Apply, int], nodes: list[Apply]) -> Callable[[object], None]:
    left = list(nodes)

    def close(_: object) -> None:
        while left:
            node = left.pop()
            count = known.get(node, 0)
            if count > 1:
                known[node] = count - 1
            else:
                known.pop(node, None)

    return close


def _restored_nothing() -> None:
    """Stand for what a pickle only needs while it is written."""


def ahead_of(roots: list[Variable]) -> tuple[list[Apply], _End | None]:
    """Return the nodes that a pickle holds before what uses them, and what stands behind them."""
    if all(it.owner is None or it.owner in _ahead.nodes for it in roots):
        return [], None
    nodes = _graph.nodes([], roots)
    return nodes, _End(nodes)


def reduced(variable: Variable) -> tuple[object, ...]:
    """Return how a variable is made again."""
    node = variable.owner
    if node is not None:
        nodes, end = ahead_of([variable])
        return _restored_result, (nodes, end, node, variable.index)
    if isinstance(variable, SharedVariable):
        strict, loose = _graph.shared_coercion(variable)
        value = variable.get_value(borrow=True)
        made = (_restored_shared, (variable.type, value, variable.name, strict, loose))
        update = variable.default_update
        return made if update is None else (*made, update)
    if _graph.is_constant(variable):
        return _restored_constant, (variable.type, variable.data, variable.name)
    return Variable, (variable.type, variable.name)


def reduced_node(node: Apply) -> tuple[object, ...]:
    """Return how a node is made again."""
    nodes, end = ([], None) if node in _ahead.nodes else ahead_of(list(node.outputs)[:1])
    names = [it.name for it in node.outputs]
    return _restored_node, (nodes, end, *_graph.described_node(node), names)


def _restored_result(_nodes: list[Apply], _end: None, node: Apply, index: int) -> Variable:
    return node.outputs[index]


def _restored_constant(type: Type, value: object, name: str | None) -> Variable:
    return _graph.constant(type, value, name)


def _restored_shared(
    type: Type, value: object, name: str | None, strict: bool, loose: bool | None
) -> SharedVariable:
    return _graph.new_shared(type, value, name, strict, loose, True)


def _restored_node(
    _nodes: list[Apply],
    _end: None,
    op: object,
    arguments: list[object],
    inputs: list[Variable],
    types: list[Type],
    place: tuple[str, int, str] | None,
    names: list[str | None],
) -> Apply:
    node = _graph.node_of(op, arguments, inputs, types, place)
    for output, name in zip(node.outputs, names, strict=True):
        if name is not None:
            output.name = name
    return node


# What pickles name stays where people import it from, however the files here are cut.
for _restored in (
    _restored_constant,
    _restored_node,
    _restored_nothing,
    _restored_result,
    _restored_shared,
):
    _restored.__module__ = __name__.rpartition(".")[0]
del _restored
