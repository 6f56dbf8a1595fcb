"""Errors while functions are compiled."""

from __future__ import annotations


class TypingError(TypeError):
    """Types do not go together, or nothing fits.

    Attributes:
        filename: The file of the function, or None.
        line: The line, from 1.
        column: The column, from 0, as `ast` counts.
        text: The text of the line.
    """

    filename: str | None = None
    line: int | None = None
    column: int | None = None
    text: str | None = None


class UnsupportedError(TypingError):
    """What was met is outside of the language."""


class AmbiguousOverloadError(TypingError):
    """Several overloads fit equally well."""
