"""Modes of functions: which rewrites are applied, and how nodes are executed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MODES = ("block", "per_op", "debug", "profile", "c")


class Mode:
    """How functions are made simpler, and how they run.

    Parameters
    ----------
    name
        `"block"`, `"per_op"`, `"debug"`, `"profile"` or `"c"`.
    blocks
        `"graph"` for blocks of many nodes, `"per_op"` for one of each node.
    optimizer
        Which rewrites are applied: `"none"`, `"safe"` or `"full"`.
    fuse
        Whether chains of element-wise operators become one node; only with `optimizer="full"`.
    on_event
        A function that is called with what happens, as two texts.
    check_input
        Whether arguments are checked by the `filter` of types that are written in Python.
    threads
        The most threads that a call uses; with `None`, as many as other operators.
    cc
        The C compiler; with `None`, the one that is found.

    Raises
    ------
    ValueError
        A word is not one of those above, or `threads` is less than one.
    TypeError
        `threads` is no integer.
    """

    __slots__ = (
        "blocks",
        "cc",
        "check_input",
        "fuse",
        "name",
        "on_event",
        "optimizer",
        "threads",
    )

    def __init__(
        self,
        name: str = "block",
        *,
        blocks: str = "graph",
        optimizer: str = "full",
        fuse: bool = True,
        on_event: Callable[[str, str], object] | None = None,
        check_input: bool = True,
        threads: int | None = None,
        cc: str | None = None,
    ):
        among("mode", name, _MODES)
        among("blocks", blocks, ("graph", "per_op"))
        among("optimizer", optimizer, ("none", "safe", "full"))
        is_per_op = name == "per_op"
        self.name = name
        self.blocks = "per_op" if is_per_op else blocks
        self.optimizer = optimizer
        may_fuse = optimizer == "full" and not is_per_op and name != "c"
        self.fuse = fuse and may_fuse
        self.on_event = on_event
        self.check_input = check_input
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
            raise TypeError(f"Mode(): threads is a number, not {type(threads).__name__}")
        if threads is not None and threads < 1:
            raise ValueError(f"Mode(): a function needs a thread, not {threads}")
        self.threads = threads
        self.cc = cc

    def __repr__(self) -> str:
        return f"Mode({self.name!r}, blocks={self.blocks!r}, optimizer={self.optimizer!r})"

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Mode], tuple[dict[str, Any]]]:
        return _restored_mode, ({name: getattr(self, name) for name in self.__slots__},)


def _restored_mode(settings: dict[str, Any]) -> Mode:
    return Mode(settings.pop("name"), **settings)


def among(what: str, word: str, words: tuple[str, ...]) -> None:
    """Raise unless a word is one of some."""
    if word not in words:
        known = ", ".join(repr(it) for it in words)
        raise ValueError(f"there is no {what} {word!r}; there are {known}")


def mode_of(mode: Mode | str | None, profile: bool) -> Mode:
    """Return the mode that is asked for: by its name, none, or as one that notes times."""
    if mode is None or isinstance(mode, str):
        mode = Mode(mode or "block")
    if not isinstance(mode, Mode):
        raise TypeError(f"function(): mode is a Mode or its name, not {type(mode).__name__}")
    if not profile:
        return mode
    if mode.name not in {"block", "profile"}:
        raise ValueError(f"function(): profile=True is a mode of its own, not {mode.name!r}")
    return _restored_mode({**mode.__reduce__()[1][0], "name": "profile"})


Mode.__module__ = __name__.rpartition(".graph.")[0]
_restored_mode.__module__ = __name__.rpartition(".")[0]
