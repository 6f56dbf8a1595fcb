"""Completion of function specs: checks, substitutions and default updates."""

from __future__ import annotations

import warnings

from .. import _C
from ._errors import MissingInput, UnusedInput
from ._function_spec import Out
from ._shared_variables import SharedVariable, filtered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._C._graph import Apply, Variable
    from ._function_spec import _FunctionSpec

_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


def complete(spec: _FunctionSpec) -> _FunctionSpec:
    """Return a checked spec, with `givens` and default updates put into the graph."""
    inputs, (outputs, results) = spec["inputs"], spec["outputs"]
    seen: list[Variable] = []
    for it in inputs:
        if isinstance(it.variable, SharedVariable) or _is_constant(it.variable):
            raise TypeError(
                f"function(): {it.variable} has a value and is no input; givens= replaces it"
            )
        if any(it.variable is other for other in seen):
            raise ValueError(f"function(): the input {it.variable} is there twice")
        seen.append(it.variable)
    updates = list(spec["updates"])
    for it in inputs:
        if it.update is not None:
            value = filtered(it.value, it.update, f"function(): the update of {it.variable}")
            updates.append((it.value, value))
    pairs = [(old, _given(old, new)) for old, new in spec["givens"]]
    requested = [it.variable for it in outputs] + [value for _, value in updates]
    requested = _graph.replace(requested, pairs) if pairs else requested
    updates = [(key, new) for (key, _), new in zip(updates, requested[len(outputs) :], strict=True)]
    _add_default_updates(spec, requested, updates)
    outputs = [Out(new, it.borrow) for it, new in zip(outputs, requested, strict=False)]
    spec = {**spec, "outputs": (outputs, results), "updates": updates, "givens": []}
    _check_inputs(spec)
    return spec


def _given(old: Variable, new: object) -> Variable:
    """Return what replaces a variable: another one, or a constant of its type."""
    if isinstance(new, Variable):
        return new
    constant: Variable = old.type.filter_variable(new)
    return constant


def _is_constant(variable: Variable) -> bool:
    return _graph.is_constant(variable)


def _add_default_updates(
    spec: _FunctionSpec, requested: list[Variable], updates: list[tuple[Variable, Variable]]
) -> None:
    without = spec["no_default_updates"]
    if without is True:
        return
    excluded = list(without) if without else []
    given = [it.variable for it in spec["inputs"]]
    looked = 0
    while True:
        used = _graph.shared_among(given, requested + [new for _, new in updates])
        fresh = [
            (it, update)
            for it in used
            if (update := it.default_update) is not None
            and not any(it is key for key, _ in updates)
            and not any(it is other for other in excluded)
        ]
        if not fresh or looked == len(used):
            return
        looked = len(used)
        updates.extend(fresh)


def _check_inputs(spec: _FunctionSpec) -> None:
    given = [it.variable for it in spec["inputs"]]
    requested = [it.variable for it in spec["outputs"][0]]
    requested += [new for _, new in spec["updates"]]
    name = spec["name"]
    missing = _graph.missing(given, requested)
    if missing is not None:
        raise MissingInput(_missing(name, *missing))
    if spec["on_unused_input"] == "ignore":
        return
    for at in _graph.unused(given, requested):
        text = (
            f"{name}(): nothing depends on the input {given[at]}; leave it out, or say "
            "on_unused_input='ignore'"
        )
        if spec["on_unused_input"] == "raise":
            raise UnusedInput(text)
        warnings.warn(text, UserWarning, stacklevel=4)


def _missing(name: str, variable: Variable, node: Apply | None) -> str:
    text = f"{name}(): {variable} is not given"
    if node is None:
        return f"{text}; it is an output"
    where = ""
    if node.place is not None:
        file, line, within = node.place
        where = f", built at {file}:{line} in {within}"
    return f"{text}; {node} uses it{where}"
