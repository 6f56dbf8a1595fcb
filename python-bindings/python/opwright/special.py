"""Special functions."""

from typing import TYPE_CHECKING, Any

from opwright import _C, _functions

__all__ = _functions.publish(_C._special, globals(), prefix="special_")

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
