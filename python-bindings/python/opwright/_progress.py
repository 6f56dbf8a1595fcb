"""Progress of what takes long: one line on the standard error stream that goes away again.

It is there where somebody watches, on a terminal or in a notebook, and neither in files nor where
programs are built and tested, which the variable `CI` says. `OPWRIGHT_PROGRESS` and `set_progress`
decide otherwise. A line appears after a second, so that what is quick shows nothing.

One thread draws for all that run, as long as any does; the line is that of whoever began first.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from threading import Condition, Thread
    from types import TracebackType
    from typing import TextIO

_VARIABLE = "OPWRIGHT_PROGRESS"
_DELAY = 1.0
_INTERVAL = 0.2
# The width of a line in a notebook is unknown.
_WIDTH = 100

_wanted: bool | None = None


def set_progress(enabled: bool | None) -> None:
    """Say whether what takes long shows on the standard error stream how far it is.

    It is for this process, and comes before the variable `OPWRIGHT_PROGRESS`, which is 0 or 1.

    Args:
        enabled: Whether it does; with None, only on a terminal or in a notebook, and not where
            the variable `CI` is set.

    Raises:
        TypeError: `enabled` is neither a bool nor None.

    Examples:
        >>> opwright.set_progress(False)
        >>> opwright.set_progress(None)
    """
    global _wanted
    if not (enabled is None or isinstance(enabled, bool)):
        raise TypeError(
            f"set_progress(): argument 'enabled' must be a bool or None, not "
            f"{type(enabled).__name__}"
        )
    _wanted = enabled


def is_shown() -> bool:
    """Whether progress is shown now."""
    if sys.stderr is None:
        return False
    if _wanted is not None:
        return _wanted
    text = os.environ.get(_VARIABLE, "")
    if text in ("0", "1"):
        return text == "1"
    if text:
        import warnings

        warnings.warn(f"{_VARIABLE} is ignored: {text!r} is neither 0 nor 1", stacklevel=3)
    return not _is_automated() and _is_watched()


def _is_automated() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def _is_watched() -> bool:
    # A notebook's stream is a terminal to some versions, and none to others.
    if type(sys.stderr).__module__.partition(".")[0] == "ipykernel":
        return True
    try:
        return os.environ.get("TERM") != "dumb" and sys.stderr.isatty()
    except (AttributeError, ValueError):
        # The stream is closed, or no more than an object with `write`.
        return False


class Progress:
    """Something that takes long, while the context lasts.

    `of` says how much there is to do, in `unit`; `advance` says that a part of it is done.
    """

    def __init__(self, text: str, of: int | None = None, unit: str = "") -> None:
        self.text = text
        self.of = of
        self.unit = unit
        self.done = 0
        self.detail = ""
        self.start = 0.0
        self._painter: _Painter | None = None

    def __enter__(self) -> Progress:
        if is_shown():
            self._painter = _painter_of_process()
            try:
                self._painter.begin(self)
            except BaseException:
                # Interrupted in there, it would be drawn for ever.
                self._painter.end(self)
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._painter is not None:
            self._painter.end(self)
            self._painter = None

    def advance(self, by: int = 1) -> None:
        """Say that so much more is done."""
        self.done += by

    def at(self, detail: str) -> None:
        """Say what is done now."""
        self.detail = detail

    def line(self, now: float) -> str:
        """What is shown."""
        parts = [self.text]
        if self.of is not None:
            parts.append(_share(self.done, self.of, self.unit))
        if self.detail:
            parts.append(self.detail)
        return f"{', '.join(parts)} ({now - self.start:.0f} s)"


def _share(done: int, of: int, unit: str) -> str:
    if unit != "bytes":
        return f"{done:,} of {of:,} {unit}".rstrip()
    for name, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if of >= size:
            return f"{done / size:.1f} of {of / size:.1f} {name}"
    return f"{done} of {of} bytes"


class _Painter:
    """The line of a process, and the thread that draws it while anything runs."""

    def __init__(self) -> None:
        from threading import Condition, RLock

        self.running: list[Progress] = []
        # One that a thread may take again: an exception of a signal, or the collector, may come
        # anywhere.
        self.changed: Condition = Condition(RLock())
        self.thread: Thread | None = None
        self.stream: TextIO | None = None
        self.width = 0

    def begin(self, progress: Progress) -> None:
        from threading import Thread
        from time import monotonic

        progress.start = monotonic()
        with self.changed:
            self.running.append(progress)
            if self.thread is None:
                thread = Thread(target=self.run, name="progress", daemon=True)
                try:
                    thread.start()
                except RuntimeError:
                    # There can be no more threads, and nobody needs this one.
                    return
                self.thread = thread

    def end(self, progress: Progress) -> None:
        # What is not in the list is not drawn again, should a signal interrupt the rest.
        if progress in self.running:
            self.running.remove(progress)
        with self.changed:
            self.erase()
            self.changed.notify_all()

    def run(self) -> None:
        """Draws until nothing runs any more."""
        from time import monotonic

        with self.changed:
            while self.running:
                first = self.running[0]
                age = monotonic() - first.start
                if age >= _DELAY:
                    self.draw(first.line(monotonic()))
                self.changed.wait(_INTERVAL if age >= _DELAY else _DELAY - age)
            self.erase()
            self.thread = None

    def draw(self, text: str) -> None:
        """Puts a text in the place of the one before."""
        stream = sys.stderr
        if stream is not self.stream:
            self.erase()
        text = _cut(text, _columns(stream))
        if _written(stream, f"\r{text.ljust(self.width)}"):
            self.stream, self.width = stream, len(text)

    def erase(self) -> None:
        if self.width and self.stream is not None:
            _written(self.stream, f"\r{' ' * self.width}\r")
        self.stream, self.width = None, 0


def _columns(stream: TextIO) -> int:
    """How long a line may be that is not wrapped."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (AttributeError, OSError, ValueError):
        columns = 0
    # Some terminals do not say.
    return columns - 1 if columns > 0 else _WIDTH


def _cut(text: str, most: int) -> str:
    text = "".join(it if it.isprintable() else " " for it in text)
    return text if len(text) <= most else text[: max(most, 0)]


def _written(stream: TextIO | None, text: str) -> bool:
    """Writes what is no reason to fail for."""
    try:
        assert stream is not None
        stream.write(text)
        stream.flush()
    except Exception:
        return False
    return True


_painter: _Painter | None = None


def _painter_of_process() -> _Painter:
    global _painter
    if _painter is None:
        _painter = _Painter()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_forget)
    return _painter


def _forget() -> None:
    """In a child of a fork, which has neither the thread nor the line."""
    global _painter
    _painter = None
