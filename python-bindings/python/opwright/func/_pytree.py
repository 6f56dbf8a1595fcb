"""Pytrees: nested tuples, lists and dictionaries, whose leaves are all other objects.

Named tuples are made again as such, and dictionaries keep their class and the order of their keys.
None is a leaf.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


class Structure:
    """A pytree without its leaves."""

    __slots__ = ("children", "keys", "kind")

    def __init__(
        self, kind: type | None, keys: tuple[Any, ...], children: tuple[Structure, ...]
    ) -> None:
        self.kind = kind
        self.keys = keys
        self.children = children

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Structure) and (self.kind, self.keys, self.children) == (
            other.kind,
            other.keys,
            other.children,
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.keys, self.children))

    def __repr__(self) -> str:
        if self.kind is None:
            return "*"
        parts = [repr(it) for it in self.children]
        if issubclass(self.kind, dict):
            parts = [f"{key!r}: {it}" for key, it in zip(self.keys, parts, strict=True)]
        return f"{self.kind.__name__}({', '.join(parts)})"

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        """The pytree with these leaves."""
        left = iter(leaves)
        made = self._made(left)
        if next(left, self) is not self:
            raise ValueError(f"there are more leaves than places in {self!r}")
        return made

    def _made(self, leaves: Any) -> Any:
        kind: Any = self.kind
        if kind is None:
            return next(leaves)
        parts = [it._made(leaves) for it in self.children]
        if issubclass(kind, dict):
            return kind(zip(self.keys, parts, strict=True))
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)

    def broadcast(self, prefix: Any) -> list[Any] | None:
        """What a prefix of the pytree says of each leaf; None if it is no prefix.

        One leaf may stand for a whole part.
        """
        if self.kind is None or not _has_parts(prefix):
            is_leaf = not _has_parts(prefix)
            return [prefix] * self.count() if is_leaf else None
        keys, parts = _parts(prefix)
        if keys != self.keys or isinstance(prefix, dict) != issubclass(self.kind, dict):
            return None
        found: list[Any] = []
        for child, part in zip(self.children, parts, strict=True):
            said = child.broadcast(part)
            if said is None:
                return None
            found += said
        return found

    def count(self) -> int:
        """The number of leaves."""
        return 1 if self.kind is None else sum(it.count() for it in self.children)


LEAF = Structure(None, (), ())


def _has_parts(tree: Any) -> bool:
    if isinstance(tree, dict | list):
        return True
    # A size is a value, not a container of arguments.
    return isinstance(tree, tuple) and (type(tree) is tuple or hasattr(tree, "_fields"))


def _parts(tree: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """The keys of the parts of a tree, and the parts."""
    if isinstance(tree, dict):
        return tuple(tree), list(tree.values())
    return tuple(range(len(tree))), list(tree)


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a pytree in order, and what is left without them."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves)


def _flatten(tree: Any, leaves: list[Any]) -> Structure:
    if not _has_parts(tree):
        leaves.append(tree)
        return LEAF
    keys, parts = _parts(tree)
    return Structure(type(tree), keys, tuple(_flatten(it, leaves) for it in parts))


def mapped(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The pytree whose leaves are what a function makes of those of trees of one structure."""
    leaves, structure = flatten(tree)
    columns = [leaves, *(flatten(it)[0] for it in others)]
    return structure.unflatten([function(*it) for it in zip(*columns, strict=True)])
