"""Graphs as lists of entries, which pickles hold."""

from __future__ import annotations

from . import _C
from ._shared import SharedVariable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .graph import Apply, Variable

_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class Place:
    """Which of the variables of a pickle it is."""

    def __init__(self, at: int):
        self.at = at


def written_of(roots: list[Variable]) -> tuple[dict[Variable, int], list[Any]]:
    """Return the numbers of all variables that these hang on, and how to make each of them."""
    number: dict[Variable, int] = {}
    entries: list[Any] = []
    pending = [(it, False) for it in reversed(roots)]
    while pending:
        variable, is_ready = pending.pop()
        if variable in number:
            continue
        node = variable.owner
        if node is None:
            number[variable] = len(entries)
            entries.append(_leaf(variable))
        elif is_ready:
            _write_node(node, number, entries)
        else:
            pending.append((variable, True))
            pending.extend((it, False) for it in reversed(node.inputs))
    return number, entries


def _write_node(node: Any, number: dict[Variable, int], entries: list[Any]) -> None:
    inputs = [number[it] for it in node.inputs]
    names = [it.name for it in node.outputs]
    first = len(entries)
    entries.append(("node", node.op, _arguments(node), inputs, names))
    for output in node.outputs:
        number[output] = first + output.index
        if output.index > 0:
            entries.append(("result", output.index))


def _leaf(variable: Variable) -> tuple[Any, ...]:
    if isinstance(variable, SharedVariable):
        return ("shared", variable.type, variable.get_value(borrow=True), variable.name)
    if _graph.is_constant(variable):
        return ("constant", variable.type, variable.data, variable.name)
    return ("input", variable.type, variable.name)


def _arguments(node: Any) -> Any:
    """Return the arguments, with numbers of inputs in the places of variables."""
    known = list(node.inputs)

    def written(value: Any) -> Any:
        if isinstance(value, Variable):
            return Place(next(at for at, it in enumerate(known) if it is value))
        if isinstance(value, (list, tuple)):
            return [written(it) for it in value]
        return value

    if isinstance(node.op, str):
        if not node.arguments:
            return [it.type for it in node.outputs]
        return [written(it) for it in node.arguments.values()]
    return None


def read_from(entries: list[Any]) -> list[Variable]:
    variables: list[Variable] = []
    for entry in entries:
        kind = entry[0]
        if kind == "shared":
            _, ty, value, name = entry
            variables.append(_graph.new_shared(ty, value, name, False, None, True))
        elif kind == "constant":
            variables.append(_graph.constant(*entry[1:]))
        elif kind == "input":
            variables.append(Variable(*entry[1:]))
        elif kind == "node":
            outputs = _remade(entry, variables)
            for output, name in zip(outputs, entry[4], strict=True):
                output.name = name
            variables.append(outputs[0])
            rest = outputs
        else:
            variables.append(rest[entry[1]])
    return variables


def _remade(entry: tuple[Any, ...], variables: list[Variable]) -> list[Variable]:
    _, op, arguments, inputs, _ = entry
    given = [variables[at] for at in inputs]

    def read(value: Any) -> Any:
        if isinstance(value, Place):
            return given[value.at]
        return [read(it) for it in value] if isinstance(value, list) else value

    if not isinstance(op, str):
        outputs: list[Variable] = op.make_node(*given).outputs
        return outputs
    if op == "specify_shape":
        return [_graph.specified(given[0], arguments[0])]
    found = _graph.row_node(op, [read(it) for it in arguments])
    while isinstance(found, (list, tuple)):
        found = found[0]
    node: Apply = found.owner
    return node.outputs
