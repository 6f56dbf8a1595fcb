"""Arguments of calls, bound to the parameters of a function."""

from __future__ import annotations

import inspect
import linecache
from typing import TYPE_CHECKING, Any

from .errors import UnsupportedError

if TYPE_CHECKING:
    from types import FunctionType


def bind(function: FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
    """Return one argument for each parameter, with defaults.

    Raises:
        TypeError: They do not fit, in Python's words.
        UnsupportedError: The function takes whatever keywords there are.
    """
    signature = inspect.signature(function, follow_wrapped=False)
    for param in signature.parameters.values():
        if param.kind is param.VAR_KEYWORD:
            raise _refused(function, param.name)
    try:
        bound = signature.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f"{function.__name__}() {error}") from None
    bound.apply_defaults()
    return list(bound.arguments.values())


def _refused(function: FunctionType, name: str) -> UnsupportedError:
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1 :]
    # Decorators stand above.
    at, text = next(((at, it) for at, it in enumerate(lines) if f"**{name}" in it), (0, ""))
    return UnsupportedError(
        f"**{name} has no type: name the keywords",
        filename=code.co_filename,
        line=code.co_firstlineno + at,
        column=len(text.partition(f"**{name}")[0].encode()),
        text=text.rstrip("\n"),
    )
