"""Special functions."""

from opwright import _functions

__all__ = _functions.publish(globals(), "_special", prefix="special_")
