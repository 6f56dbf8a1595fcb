"""Exceptions of functions: their inputs, and findings of the debug mode."""

from __future__ import annotations


class UnusedInput(ValueError):  # noqa: N818
    """An input that nothing depends on."""


class MissingInput(ValueError):  # noqa: N818
    """A variable that has to be given, and is not."""


class DebugError(RuntimeError):
    """What the debug mode finds."""


class BadType(DebugError):  # noqa: N818
    """A value that its type does not have."""


class BadView(DebugError):  # noqa: N818
    """Memory that is shared without saying so."""


class BadWrite(DebugError):  # noqa: N818
    """An input that was written to without saying so."""


class BadResult(DebugError):  # noqa: N818
    """Results that differ between calls, or between forms of an operator."""


class BadRewrite(DebugError):  # noqa: N818
    """Results that a rewrite changed."""


class BadCleanup(DebugError):  # noqa: N818
    """C code that leaves variables without their cleanup, or does not give back references."""
