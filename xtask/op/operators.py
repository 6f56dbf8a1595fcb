"""An operator by any of its names: of its schema, of an overload, of a function or a method."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

import opwright
from opwright.testing import _operator
from opwright.testing._operator import Operator, operators
from opwright.testing.observe import _public_names

# How many names the error about an unknown one shows.
NEAREST = 5


class UnknownOperatorError(LookupError):
    """No function or method belongs to an operator of this name."""


@dataclass(frozen=True)
class Target:
    """An operator with its in-place and `out=` forms, or one overload of it."""

    # The base name of its schemas, `linalg_norm`, without the underscore of the in-place form.
    base: str
    # The only overload that is asked for, `add.Tensor`.
    overload: str | None
    # The functions and methods that call it.
    operators: tuple[Operator, ...]

    def __str__(self) -> str:
        return self.overload or self.base

    def has(self, schema: str) -> bool:
        """Whether the overload of this name belongs to it."""
        return schema == self.overload if self.overload else base_of(schema) == self.base


def find(name: str) -> Target:
    """The operator of a name: `softmax`, `linalg_norm`, `linalg.norm`, `add.Tensor`, `Tensor.add`.

    Raises:
        UnknownOperatorError: There is none; the message has the nearest names.
    """
    every = list(operators(opwright))
    short = name.removeprefix("opwright.")
    schemas = {it for operator in every for it in schemas_of(operator)}
    bases = {base_of(it) for it in schemas}
    if "." in short and short in schemas:
        base, overload = base_of(short), short
    elif "." not in short and base_of(short) in bases:
        base, overload = base_of(short), None
    elif (called := _called(short)) is not None:
        base, overload = base_of(next(schemas_of(called))), None
    else:
        known = schemas | bases | {public_name(it) for it in every}
        nearest = difflib.get_close_matches(short, sorted(known), NEAREST, 0.5)
        hint = f"; the nearest names: {', '.join(nearest)}" if nearest else ""
        raise UnknownOperatorError(f"no function or method calls an operator `{name}`{hint}")
    target = Target(base, overload, ())
    found = tuple(it for it in every if any(map(target.has, schemas_of(it))))
    return Target(base, overload, found)


def base_of(schema: str) -> str:
    """The name without the overload; an in-place operator counts with the others."""
    base = schema.partition(".")[0]
    return base if base.endswith("__") else base.rstrip("_")


def schemas_of(operator: Operator) -> Iterator[str]:
    """The overloads that a function or method calls."""
    for overload in operator.overloads:
        yield from (it.name for it in (overload.base, overload.out) if it is not None)


def public_name(operator: Operator) -> str:
    """What people call it: `linalg.norm`, `Tensor.add_`."""
    function = _functional().get(operator.name, operator).function
    name, _ = _names().get(id(operator.function)) or _names().get(id(function)) or ("", "")
    return name.removeprefix("opwright.") or operator.name


@functools.cache
def _functional() -> dict[str, Operator]:
    """Functions with other parameters, by the names of the operators that they call."""
    pairs = ((_operator.called_by(it), it) for it in operators(opwright))
    return {called.name: it for called, it in pairs if called is not None}


@functools.cache
def _names() -> dict[int, tuple[str, str]]:
    return _public_names("opwright")


def _called(path: str) -> Operator | None:
    """The operator of a function or method that people call by this path."""
    try:
        operator = _operator.find(attrgetter(path)(opwright))
        return _operator.called_by(operator) or operator
    except (AttributeError, TypeError, ValueError):
        return None
