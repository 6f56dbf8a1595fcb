"""An operator as its module describes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Signature
from types import ModuleType
from typing import Any

from opwright import _C
from opwright._functions import native_of as native_of_written
from opwright._overloads import (
    is_native_op,
    native_module,
    native_names,
    native_of,
    parse_signature,
)
from opwright.testing import _schema
from opwright.testing._schema import Schema

# Functions with other parameters than the operators that they call.
FUNCTIONAL = "_nn_functional."


@dataclass(frozen=True)
class Overload:
    """One way to call an operator, and the schemas behind it."""

    text: str
    signature: Signature
    base: Schema | None
    out: Schema | None


@dataclass(frozen=True)
class Operator:
    """A function or method, as the native module knows it: `add`, `Tensor.add`, `_nn.gelu`."""

    native: ModuleType
    name: str
    function: Callable[..., Any]
    overloads: tuple[Overload, ...]

    def __str__(self) -> str:
        return self.name

    @property
    def is_method(self) -> bool:
        """Whether its first argument is a tensor that it is called on."""
        return self.name.startswith("Tensor.")


def find(function: Callable[..., Any]) -> Operator:
    """The operator of a function or method, also of one that is written in Python for it.

    Raises:
        ValueError: It belongs to no module of operators.
    """
    if is_native_op(function):
        return _defined(function)
    function = native_of_written(function)
    native = native_module(function)
    if native is not None:
        for name in native_names(function):
            if native._signatures(name):
                return named(native, name)
    raise ValueError(f"{function!r} is not a function or method of an operator")


def _defined(function: Any) -> Operator:
    """An operator that was defined in Python."""
    schema = _schema.parse(function.schema)
    overload = Overload(function.schema, inspect.signature(function), schema, None)
    return Operator(_C, function.name, function, (overload,))


def called_by(operator: Operator) -> Operator | None:
    """The operator that a function with other parameters calls."""
    native = operator.native
    if not operator.name.startswith(FUNCTIONAL):
        return None
    schemas = native._schemas(operator.name)
    others = (it for it in native._operators if not it.startswith((FUNCTIONAL, "Tensor.")))
    return next((named(native, it) for it in others if schemas[0] in native._schemas(it)), None)


def operators(module: ModuleType, *, protocol: bool = False) -> Iterator[Operator]:
    """All functions and methods of a module's operators.

    `protocol` says whether those count that the language calls, such as `Tensor.__and__`.

    Raises:
        ValueError: The module has no operators.
    """
    native = native_of(module)
    if native is None:
        raise ValueError(f"{module.__name__} is not a module of operators")
    for name in native._operators:
        # What needs names of dimensions is called by nobody.
        if native._signatures(name) and (protocol or not name.startswith("Tensor.__")):
            yield named(native, name)


def named(native: ModuleType, name: str) -> Operator:
    """The operator of a name."""
    is_method = name.startswith("Tensor.")
    texts, schemas = native._signatures(name), native._schemas(name)
    if name.startswith(FUNCTIONAL) or not schemas:
        # No call that fits the schema need fit the function, and what is no operator has none.
        schemas = [[None, None]] * len(texts)
    overloads = tuple(
        Overload(text, parse_signature(text, is_method), _parsed(base), _parsed(out))
        for text, (base, out) in zip(texts, schemas, strict=True)
    )
    return Operator(native, name, _get(native, name), overloads)


def _get(native: ModuleType, name: str) -> Any:
    owner, _, attribute = name.rpartition(".")
    found: Any = native
    if owner:
        found = native.TensorBase if owner == "Tensor" else getattr(native, owner)
    function = getattr(found, attribute, None)
    return function if callable(function) or inspect.ismethoddescriptor(function) else None


def _parsed(text: str | None) -> Schema | None:
    return None if text is None else _schema.parse(text)
