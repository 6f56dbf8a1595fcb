"""Calls of named tuples make them, with defaults and keywords as in Python."""

from __future__ import annotations

import inspect
from typing import Any

from .. import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .lowering import Lowering
    from .registry import Answer


def is_named(cls: Any) -> bool:
    """Whether a class is that of named tuples, and makes them as such classes do."""
    return isinstance(cls, type) and cls.__bases__ == (tuple,) and hasattr(cls, "_fields")


def asking(cls: Any) -> Callable[[tuple[Any, ...], dict[str, Any]], Answer]:
    """Return what answers to the types of the arguments of such a class."""
    from .registry import DECLINED, LOWERED, Answer

    formal = inspect.signature(cls)

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        try:
            formal.bind(*args, **keywords)
        except TypeError as error:
            return Answer(DECLINED, reason=str(error))
        order = [*list(formal.parameters)[: len(args)], *keywords]
        given = tuple(map(types.unliteral, (*args, *keywords.values())))
        return Answer(LOWERED, _made(cls, order, given))

    return ask


def place_of(cls: Any) -> str:
    """Return what messages call it."""
    return f"{cls.__qualname__} ({cls.__module__})"


def _made(cls: Any, order: list[str], given: tuple[Any, ...]) -> Lowering:
    from .lowering import Lowering
    from .typeof import typeof

    found = dict(zip(order, given, strict=True))
    defaults = {name: value for name, value in cls._field_defaults.items() if name not in found}
    found.update({name: typeof(value) for name, value in defaults.items()})

    def run(builder: Any, args: Any) -> Any:
        values = dict(zip(order, args, strict=True))
        for name, value in defaults.items():
            values[name] = builder.constant(found[name], value)
        return builder.step("tuple", tuple(values[name] for name in cls._fields))

    result = types.NamedTuple(tuple(found[name] for name in cls._fields), cls)
    return Lowering(given, result, run)
