"""What a schema says of memory: who writes to what, and which results are views."""

from __future__ import annotations

import re
from dataclasses import dataclass

from opwright._overloads import split

_DECLARATION = re.compile(
    r"(?P<base>\w+)(\((?P<alias>[^)]*)\))?(?P<suffix>(\[\d*\]|\?)*)( (?P<name>\w+))?(=.*)?"
)


@dataclass(frozen=True)
class Slot:
    """A parameter or a result."""

    name: str
    type: str
    # The alias sets that it belongs to; a parameter in `*` may be part of any result.
    sets: frozenset[str]
    writes: bool


@dataclass(frozen=True)
class Schema:
    """The schema of an overload."""

    text: str
    name: str
    params: tuple[Slot, ...]
    results: tuple[Slot, ...]

    @property
    def function(self) -> str:
        """The name without that of the overload."""
        return self.name.partition(".")[0]


def parse(text: str) -> Schema:
    """Reads `add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)`."""
    name, _, rest = text.partition("(")
    params, _, results = rest.partition(") -> ")
    if results.startswith("("):
        results = results[1:-1]
    return Schema(text, name, _slots(params), _slots(results))


def _slots(text: str) -> tuple[Slot, ...]:
    return tuple(_slot(part) for part in split(text) if part != "*")


def _slot(text: str) -> Slot:
    match = _DECLARATION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} declares no parameter")
    before, _, after = (match["alias"] or "").partition("->")
    names = re.findall(r"[\w*]+", f"{before} {after}")
    return Slot(
        match["name"] or "", match["base"] + match["suffix"], frozenset(names), "!" in before
    )
