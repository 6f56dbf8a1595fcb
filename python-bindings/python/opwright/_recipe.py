"""What functions are made of: inputs, outputs and updates, as they are given and complete."""

from __future__ import annotations

import warnings

from . import _C
from ._shared import SharedVariable, filtered, shared, variable_of
from .graph import MissingInput, UnusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .graph import Variable


_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable


class In:
    """An input of a function, with what is said of it."""

    __slots__ = (
        "allow_downcast",
        "borrow",
        "mutable",
        "name",
        "strict",
        "update",
        "value",
        "variable",
    )

    def __init__(
        self,
        variable: Variable,
        name: str | None = None,
        value: Any = None,
        update: Variable | None = None,
        mutable: bool = False,
        borrow: bool | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
    ):
        if not isinstance(variable, Variable):
            raise TypeError(f"In() takes a variable, not {_class_of(variable)}")
        if mutable and borrow is False:
            raise ValueError("In(): what is mutable is borrowed")
        self.variable = variable
        self.name = variable.name if name is None else name
        self.value = value
        self.update = update
        self.mutable = mutable
        self.borrow = mutable if borrow is None else borrow
        self.strict = strict
        self.allow_downcast = allow_downcast
        if update is not None and value is None:
            raise ValueError(f"In({variable}): what is updated needs a value to begin with")
        if update is not None and not isinstance(value, SharedVariable):
            self.value = shared(value, name=self.name, type=variable.type)

    def __repr__(self) -> str:
        return f"In({self.variable})"


class Out:
    """An output of a function; one that is borrowed may be memory that others use."""

    __slots__ = ("borrow", "variable")

    def __init__(self, variable: Any, borrow: bool = False):
        self.variable = variable_of(variable)
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable})"


def _class_of(value: object) -> str:
    return type(value).__name__


def input_of(given: Any) -> In:
    """Return a variable as an input."""
    if not isinstance(given, Variable):
        raise TypeError(f"function(): inputs are variables or In, not {_class_of(given)}")
    return In(given)


def outputs_of(outputs: Any) -> tuple[list[Out], Any]:
    """Return the outputs, and how they are handed out: `True` is the only one itself."""

    def out(value: Any) -> Out:
        return value if isinstance(value, Out) else Out(value)

    if outputs is None:
        return [], None
    if isinstance(outputs, dict):
        for key in outputs:
            if not isinstance(key, str):
                raise TypeError(f"function(): names of outputs are texts, not {_class_of(key)}")
        return [out(it) for it in outputs.values()], list(outputs)
    if isinstance(outputs, (list, tuple)):
        return [out(it) for it in outputs], False
    return [out(outputs)], True


def pairs_of(what: str, pairs: Any) -> list[tuple[Any, Any]]:
    """Return variables and what becomes of each."""
    if pairs is None:
        return []
    found = [tuple(it) for it in (pairs.items() if hasattr(pairs, "items") else pairs)]
    for pair in found:
        if len(pair) != 2 or not isinstance(pair[0], Variable):
            raise TypeError(f"function(): {what} are pairs of a variable and what becomes of it")
    return found


def updates_of(updates: Any) -> list[tuple[Variable, Variable]]:
    """Return shared variables and their new values."""
    found: list[tuple[Variable, Variable]] = []
    for key, value in pairs_of("updates", updates):
        if not isinstance(key, SharedVariable):
            raise TypeError(f"function(): only shared variables are updated, and {key} is none")
        if any(key is known for known, _ in found):
            raise ValueError(f"function(): {key} is updated twice")
        found.append((key, filtered(key, value, f"function(): the update of {key}")))
    return found


def complete(recipe: dict[str, Any]) -> dict[str, Any]:
    """Check it, and put what `givens` and default updates say into the graph."""
    inputs, (outputs, results) = recipe["inputs"], recipe["outputs"]
    seen: list[Variable] = []
    for it in inputs:
        if isinstance(it.variable, SharedVariable) or _is_constant(it.variable):
            raise TypeError(
                f"function(): {it.variable} has a value and is no input; givens= replaces it"
            )
        if any(it.variable is other for other in seen):
            raise ValueError(f"function(): the input {it.variable} is there twice")
        seen.append(it.variable)
    updates = list(recipe["updates"])
    for it in inputs:
        if it.update is not None:
            value = filtered(it.value, it.update, f"function(): the update of {it.variable}")
            updates.append((it.value, value))
    pairs = [(old, _given(old, new)) for old, new in recipe["givens"]]
    wanted = [it.variable for it in outputs] + [value for _, value in updates]
    wanted = _graph.replace(wanted, pairs) if pairs else wanted
    updates = [(key, new) for (key, _), new in zip(updates, wanted[len(outputs) :], strict=True)]
    _add_default_updates(recipe, wanted, updates)
    outputs = [Out(new, it.borrow) for it, new in zip(outputs, wanted, strict=False)]
    recipe = {**recipe, "outputs": (outputs, results), "updates": updates, "givens": []}
    _check_inputs(recipe)
    return recipe


def _given(old: Variable, new: Any) -> Any:
    """What replaces a variable: another one, or a constant of its type."""
    return new if isinstance(new, Variable) else old.type.filter_variable(new)


def _is_constant(variable: Variable) -> bool:
    found: bool = _graph.is_constant(variable)
    return found


def _add_default_updates(
    recipe: dict[str, Any], wanted: list[Variable], updates: list[tuple[Variable, Variable]]
) -> None:
    without = recipe["no_default_updates"]
    if without is True:
        return
    excluded = list(without) if without else []
    given = [it.variable for it in recipe["inputs"]]
    looked = 0
    while True:
        used = _graph.shared_among(given, wanted + [new for _, new in updates])
        fresh = [
            it
            for it in used
            if it.default_update is not None
            and not any(it is key for key, _ in updates)
            and not any(it is other for other in excluded)
        ]
        if not fresh or looked == len(used):
            return
        looked = len(used)
        updates.extend((it, it.default_update) for it in fresh)


def _check_inputs(recipe: dict[str, Any]) -> None:
    given = [it.variable for it in recipe["inputs"]]
    wanted = [it.variable for it in recipe["outputs"][0]]
    wanted += [new for _, new in recipe["updates"]]
    name = recipe["name"]
    missing = _graph.missing(given, wanted)
    if missing is not None:
        raise MissingInput(_missing(name, *missing))
    if recipe["on_unused_input"] == "ignore":
        return
    for at in _graph.unused(given, wanted):
        text = (
            f"{name}(): nothing depends on the input {given[at]}; leave it out, or say "
            "on_unused_input='ignore'"
        )
        if recipe["on_unused_input"] == "raise":
            raise UnusedInput(text)
        warnings.warn(text, UserWarning, stacklevel=4)


def _missing(name: str, variable: Variable, node: Any) -> str:
    text = f"{name}(): {variable} is not given"
    if node is None:
        return f"{text}; it is an output"
    where = ""
    if node.place is not None:
        file, line, within = node.place
        where = f", built at {file}:{line} in {within}"
    return f"{text}; {node} uses it{where}"
