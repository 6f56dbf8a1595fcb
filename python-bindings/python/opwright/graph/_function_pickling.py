"""Pickling of functions: their specs, behind the nodes that these depend on."""

from __future__ import annotations

from ._function_spec import In, Out
from ._functions import made_of
from ._pickling import ahead_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._C._graph import Function


def reduced_function(made: Function) -> tuple[object, ...]:
    """Return how a function is made again."""
    if made._spec is None:
        raise TypeError(f"cannot pickle {made!r}: it was made for one use; make it by function()")
    spec: dict[str, Any] = dict(made._spec)
    inputs, (outputs, results) = spec.pop("inputs"), spec.pop("outputs")
    updates = spec.pop("updates")
    roots = [it.variable for it in outputs] + [new for _, new in updates]
    nodes, end = ahead_of(roots)
    said = [
        (it.variable, it.name, it.value, it.mutable, it.borrow, it.strict, it.allow_downcast)
        for it in inputs
    ]
    given = [(it.variable, it.borrow) for it in outputs]
    return _restored_function, (nodes, end, said, given, results, updates, spec)


def _restored_function(
    _nodes: Any,
    _end: Any,
    said: Any,
    given: Any,
    results: Any,
    updates: Any,
    spec: Any,
) -> Function:
    inputs = [
        In(variable, name, value, None, mutable, borrow, strict, loose)
        for variable, name, value, mutable, borrow, strict, loose in said
    ]
    outputs = [Out(variable, borrow) for variable, borrow in given]
    updates = [tuple(it) for it in updates]
    completed: Any = {**spec, "inputs": inputs, "outputs": (outputs, results), "updates": updates}
    return made_of(completed)


_restored_function.__module__ = __name__.rpartition(".")[0]
