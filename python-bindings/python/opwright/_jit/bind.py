"""Arguments of calls, bound to the parameters of a function."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FunctionType


def bind(function: FunctionType, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
    """Return one argument for each parameter, with defaults.

    Raises:
        TypeError: They do not fit, in Python's words.
    """
    signature = inspect.signature(function, follow_wrapped=False)
    try:
        bound = signature.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f"{function.__name__}() {error}") from None
    bound.apply_defaults()
    return list(bound.arguments.values())
