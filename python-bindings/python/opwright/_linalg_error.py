"""The exception of linear algebra, in a module of its own so that numpy is loaded only for it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    # What it is where numpy is installed, and where it is not.
    _OfNumpy = ValueError
else:
    try:
        from numpy.linalg import LinAlgError as _OfNumpy
    except ImportError:
        _OfNumpy = ValueError


class LinAlgError(RuntimeError, _OfNumpy):
    """A matrix is singular or not positive-definite, or an algorithm does not converge.

    It is a `RuntimeError`, and `numpy.linalg.LinAlgError` where numpy is installed.

        >>> try:
        ...     opwright.linalg.inv(opwright.zeros(2, 2))
        ... except opwright.linalg.LinAlgError:
        ...     print("there is no inverse")
        there is no inverse
    """


LinAlgError.__module__ = f"{__package__}.linalg"
