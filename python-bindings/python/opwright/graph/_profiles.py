"""Profiles of functions: calls, times and sizes of their nodes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._C._graph import Apply


class NodeProfile:
    """The calls of a node, their time, and the size of its results."""

    __slots__ = ("bytes", "calls", "node", "op", "place", "time")

    def __init__(self, node: Apply, calls: int, time: float, size: int | None):
        self.node = node
        self.op = str(node.op)
        self.calls = calls
        self.time = time
        self.bytes = size
        self.place = node.place


class Profile:
    """Where the time of the calls of a function went."""

    __slots__ = ("calls", "name", "nodes", "total")

    def __init__(self, name: str, noted: Iterable[tuple[Apply, int, float, int | None]]):
        self.name = name
        self.nodes = [NodeProfile(*it) for it in noted]
        self.calls = max((it.calls for it in self.nodes), default=0)
        self.total = sum(it.time for it in self.nodes)

    def __str__(self) -> str:
        lines = [f"{self.name}(): {self.calls} calls, {self.total:.6f} s in nodes"]
        for it in sorted(self.nodes, key=lambda it: -it.time):
            share = 100 * it.time / self.total if self.total else 0.0
            size = "" if it.bytes is None else f"  {it.bytes} bytes"
            where = "" if it.place is None else f"  {it.place[0]}:{it.place[1]}"
            lines.append(f"{share:5.1f} %  {it.time:.6f} s  {it.calls} x {it.op}{size}{where}")
        return "\n".join(lines)
