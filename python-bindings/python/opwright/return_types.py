"""The classes of results that have names, such as what `opwright.max(x, 0)` returns."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def __getattr__(name: str) -> Any:
    if name not in _C._named_tuple_names:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = _C._named_tuple(name)
    return found


def __dir__() -> list[str]:
    return sorted(_C._named_tuple_names)
