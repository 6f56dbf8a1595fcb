"""The lines of the files that functions stand in.

They are those of `linecache`, which consoles and others fill with what is no file. Importing that
takes longer than compiling most functions, so files are read here as long as nobody has done so.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The lines of files, with the time and size that these had.
_known: dict[str, tuple[tuple[int, int], list[str]]] = {}


def keep(file: str, names: dict[str, Any]) -> None:
    """Keep the lines of a file as they are now; `names` are the globals of its module."""
    if _is_filled(file):
        import linecache

        linecache.getlines(file, names)
        return
    try:
        state = os.stat(file)
    except (OSError, ValueError):
        return
    now = state.st_mtime_ns, state.st_size
    known = _known.get(file)
    if known is None or known[0] != now:
        found = _read(file)
        if found is not None:
            _known[file] = now, found


def lines_of(file: str, names: dict[str, Any]) -> list[str]:
    """Return the lines of a file as they were kept, or none if there is no such file."""
    known = None if _is_filled(file) else _known.get(file)
    if known is not None:
        return known[1]
    import linecache

    return linecache.getlines(file, names)


def _is_filled(file: str) -> bool:
    """Whether `linecache` may know more of a file than its folder does."""
    known = sys.modules.get("linecache")
    return known is not None and (file in known.cache or not os.path.isabs(file))


def _read(file: str) -> list[str] | None:
    """The lines of a file in the usual encoding, or None if it says that it has another."""
    with open(file, "rb") as opened:
        head = opened.readline(), opened.readline()
        if any(b"coding" in it for it in head):
            return None
        opened.seek(0)
        content = opened.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [it + "\n" for it in lines[:-1]]
    # The last line has an end, as `linecache` gives it.
    return [*found, lines[-1] + "\n"] if lines[-1] else found
