"""Linear algebra."""

from typing import TYPE_CHECKING, Any

from opwright import _functions

__all__ = _functions.publish(globals(), "_linalg", prefix="linalg_")

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
