"""Special functions."""

from typing import TYPE_CHECKING, Any

from opwright import _functions

__all__ = _functions.publish(globals(), "_special", prefix="special_")

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
