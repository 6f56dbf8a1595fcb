"""Linear algebra."""

from typing import TYPE_CHECKING, Any

from opwright import _C, _functions

__all__ = _functions.publish(_C._linalg, globals(), prefix="linalg_")

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
