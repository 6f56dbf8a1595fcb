"""Functions as text: their nodes with the plan of memory, and the C of their blocks."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._C._graph import Apply, Function

_graph = _C._graph


def explain(made: Function) -> str:
    """Return the nodes of a function as they run, a line for each."""
    lines = [f"{made!r}"]
    plan = made._plan()
    for at, (node, memory) in enumerate(zip(made.toposort(), plan, strict=True)):
        types = ", ".join(str(it.type) for it in node.outputs)
        lines.append(f"  {at}: {node} -> {types}{_memory(node, *memory)}")
    return "\n".join(lines)


def _memory(node: Apply, in_place_of: list[int], recycles: bool, ends: list[int]) -> str:
    """Return where the result of a node goes, and what ends with it."""

    def names(inputs: list[int]) -> str:
        return " or ".join(dict.fromkeys(str(node.inputs[it]) for it in inputs))

    parts = []
    if in_place_of:
        parts.append(f"in place of {names(in_place_of)} if nobody else has it")
    if recycles:
        parts.append("in memory that is kept")
    text = f"; {', else '.join(parts)}" if parts else ""
    return text + (f"; ends {names(ends).replace(' or ', ', ')}" if ends else "")


def c_source(made: Function) -> str:
    """Return the text of its blocks of C."""
    return _graph.c_source(made.toposort())
