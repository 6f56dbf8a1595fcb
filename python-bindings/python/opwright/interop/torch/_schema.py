"""Schemas of operators in the grammar of `torch.library`.

Both grammars are that of `native_functions.yaml`; the types differ in three ways. String-valued
enumerations are `str` to PyTorch, `Reduction` is `int`, and types of a crate's own, names of
dimensions and storages have no values there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ... import _C
from ..._overloads import split

# Types of arguments that have values on both sides, and how PyTorch spells them.
_SPELLINGS = {
    **{
        name: name
        for name in (
            "Tensor",
            "Scalar",
            "int",
            "SymInt",
            "float",
            "bool",
            "SymBool",
            "str",
            "ScalarType",
            "Device",
            "Layout",
            "MemoryFormat",
            "Generator",
        )
    },
    "Reduction": "int",
    **dict.fromkeys(_C._STR_ENUMS, "str"),
}

# Results of other types have no value that a graph of PyTorch can hold.
_RESULTS = {"Tensor", "Scalar", "int", "SymInt", "float", "bool", "SymBool", "ScalarType", "str"}

_DECLARATION = re.compile(
    r"(?P<base>\w+)(\((?P<alias>[^)]*)\))?(?P<suffix>(\[\d*\]|\?)*)"
    r"( (?P<name>\w+))?(=(?P<default>.*))?"
)


class InexpressibleError(Exception):
    """A schema that has no counterpart in PyTorch; the message says why."""


@dataclass(frozen=True)
class Slot:
    """A parameter or a result."""

    name: str
    base: str
    # What follows the base: `?`, `[]`, `?[]`, `[2]`, `[1]?`.
    suffix: str
    alias: str = ""
    default: str | None = None
    keyword_only: bool = False

    @property
    def writes(self) -> bool:
        """Whether the call writes to it."""
        return "!" in self.alias

    @property
    def is_list(self) -> bool:
        """Whether its values are lists."""
        return "[" in self.suffix

    def text(self) -> str:
        """The declaration, as PyTorch reads it."""
        mark = f"({self.alias})" if self.alias else ""
        name = f" {self.name}" if self.name else ""
        default = "" if self.default is None else f"={self.default}"
        return f"{_SPELLINGS[self.base]}{mark}{self.suffix}{name}{default}"


@dataclass(frozen=True)
class Schema:
    """The schema of an overload."""

    name: str
    overload: str
    params: tuple[Slot, ...]
    results: tuple[Slot, ...]

    @cached_property
    def full_name(self) -> str:
        """`add.Tensor`, or `relu`."""
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @cached_property
    def written(self) -> tuple[Slot, ...]:
        """The parameters that the call writes to."""
        return tuple(it for it in self.params if it.writes)

    @cached_property
    def aliased(self) -> tuple[Slot, ...]:
        """The results that are, or share the memory of, an argument."""
        return tuple(it for it in self.results if it.alias)

    @cached_property
    def positional(self) -> tuple[Slot, ...]:
        """The parameters in front of `*`."""
        return tuple(it for it in self.params if not it.keyword_only)

    @cached_property
    def keywords(self) -> tuple[Slot, ...]:
        """The parameters behind `*`."""
        return tuple(it for it in self.params if it.keyword_only)

    def without_aliases(self, name: str) -> Schema:
        """The schema of an operator that returns memory of its own instead."""
        params = tuple(replace(it, alias="") for it in self.params)
        return Schema(
            name, self.overload, params, tuple(replace(it, alias="") for it in self.results)
        )

    def text(self) -> str:
        """The schema, as PyTorch reads it."""
        params = [it.text() for it in self.positional]
        if self.keywords:
            params += ["*", *(it.text() for it in self.keywords)]
        results = ", ".join(it.text() for it in self.results)
        if len(self.results) != 1:
            results = f"({results})"
        return f"{self.full_name}({', '.join(params)}) -> {results}"


def of(row: Any) -> Schema:
    """The schema of an overload of ours.

    Raises:
        InexpressibleError: PyTorch has no values of the type of a parameter or a result.
    """
    full_name, _, rest = row.schema.partition("(")
    name, _, overload = full_name.partition(".")
    inside, _, results = rest.rpartition(" -> ")
    if results.startswith("("):
        results = results[1:-1]
    schema = Schema(
        name,
        overload,
        _params(row, inside.removesuffix(")")),
        tuple(_slot(it) for it in split(results) if it),
    )
    _check(schema)
    return schema


def _params(row: Any, text: str) -> tuple[Slot, ...]:
    found: list[Slot] = []
    keyword_only = False
    for part in split(text):
        if part == "*":
            keyword_only = True
        elif part:
            found.append(_slot(part, row, keyword_only=keyword_only))
    return tuple(found)


def _slot(text: str, row: Any = None, *, keyword_only: bool = False) -> Slot:
    match = _DECLARATION.fullmatch(text)
    if match is None:
        raise InexpressibleError(f"`{text}` declares no parameter that PyTorch knows")
    name, base, default = match["name"] or "", match["base"], match["default"]
    if base == "Reduction" and default is not None:
        # PyTorch knows the number, and not the word.
        default = str(int(row.__signature__.parameters[name].default))
    return Slot(name, base, match["suffix"], match["alias"] or "", default, keyword_only)


def _check(schema: Schema) -> None:
    if 0 < len(schema.aliased) < len(schema.results) and schema.written:
        raise InexpressibleError("it returns arguments and new tensors together")
    for it in schema.params:
        if it.base not in _SPELLINGS:
            raise InexpressibleError(
                f"PyTorch has no values of type `{it.base}`, which `{it.name}` takes"
            )
    for it in schema.results:
        if it.base not in _RESULTS:
            raise InexpressibleError(f"PyTorch has no values of type `{it.base}`, which it returns")
