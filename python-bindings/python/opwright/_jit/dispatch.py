"""What dispatchers are."""

from __future__ import annotations

from typing import Any

from .. import _C


def is_jitted(function: Any) -> bool:
    """Whether a function was made by `jit`.

    >>> is_jitted(len)
    False
    """
    return isinstance(function, _C._jit.Dispatcher)
