"""Signals: windows of them."""

from opwright.signal import windows

__all__ = ["windows"]
