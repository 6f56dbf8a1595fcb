"""Discrete Fourier transforms."""

from opwright import _functions

__all__ = _functions.publish(globals(), "_fft", prefix="fft_")
