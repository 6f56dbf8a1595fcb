"""Linear algebra."""

from opwright import _functions

__all__ = _functions.publish(globals(), "_linalg", prefix="linalg_")
