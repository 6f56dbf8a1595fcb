"""What is raised when a function cannot be compiled."""

from __future__ import annotations


class TypingError(TypeError):
    """Types do not go together, or nothing is known that takes them.

    It prints the place in the source, if that is known.

        >>> error = TypingError("x is a tuple", filename="f.py", line=3, column=4, text="y = x + 1")
        >>> print(error)
        f.py:3:4: x is a tuple
            y = x + 1
                ^

    Attributes:
        message: What is wrong, without the place.
        filename: The file, or None.
        line: The number of the line, from 1, or None.
        column: The offset of the first byte of what is meant, from 0, or None.
        text: The line, or None.
    """

    def __init__(
        self,
        message: str = "",
        *,
        filename: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.filename = filename
        self.line = line
        self.column = column
        self.text = text

    def __str__(self) -> str:
        if self.filename is None:
            return str(self.message)
        numbers = [str(it) for it in (self.line, self.column) if it is not None]
        head = f"{':'.join([self.filename, *numbers])}: {self.message}"
        return head if self.text is None else f"{head}\n{self._marked()}"

    def _marked(self) -> str:
        """The line without its indentation, and what it is about."""
        line = (self.text or "").rstrip()
        shown = f"    {line.strip()}"
        if self.column is None:
            return shown
        before = line.encode()[: self.column].decode(errors="ignore")
        at = len(before) - (len(line) - len(line.lstrip()))
        return f"{shown}\n    {' ' * max(at, 0)}^"


class UnsupportedError(TypingError):
    """Something is outside of the language that functions are compiled from."""


class AmbiguousOverloadError(TypingError):
    """Several overloads with different bodies take the same arguments equally well."""


class UntypedError(TypingError, ValueError):
    """No type is known for a value."""
