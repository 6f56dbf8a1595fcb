"""Casts between types, and how far they are from one another."""

from __future__ import annotations

from typing import Any

from .. import types
from . import registry

_registered: list[tuple[Any, Any, Any]] = []


def lower_cast(fromty: Any, toty: Any) -> Any:
    """Say how values of one type become values of another, both types or classes of types.

    The decorated function takes `(context, builder, fromty, toty, val)`.
    """
    source, target = _type(fromty), _type(toty)

    def register(function: Any) -> Any:
        _registered.append((source, target, function))
        registry.changed()
        return function

    return register


def _type(ty: Any) -> Any:
    struct = getattr(ty, "_opwright_type_", None)
    return struct if isinstance(ty, type) and isinstance(struct, types.Type) else ty


def find(source: Any, target: Any) -> Any:
    """Return the function that casts, or None.

    Raises:
        AmbiguousOverloadError: Several fit equally well.
    """
    best: list[Any] = []
    rank: Any = None
    for wanted_source, wanted_target, function in _registered:
        found = registry.matched((source, target), (wanted_source, wanted_target))
        if found is None:
            continue
        if rank is None or found < rank:
            best, rank = [function], found
        elif found == rank:
            best.append(function)
    if len(best) > 1:
        from .errors import AmbiguousOverloadError

        places = " and ".join(map(registry.place_of, best))
        raise AmbiguousOverloadError(f"the cast of {source} to {target} is ambiguous: {places}")
    return best[0] if best else None


def distance(source: Any, target: Any) -> int | None:
    """Return how far a type is from one that it casts to without loss, or None."""
    if source == target:
        return 0
    if isinstance(source, types.Boolean) and isinstance(target, types.Number):
        return 1 + _order(target)
    if isinstance(source, types.Number) and isinstance(target, types.Number):
        return _number_distance(source, target)
    if isinstance(target, types.Type) and find(source, target) is not None:
        return 100
    return None


def _order(ty: Any) -> int:
    kinds = (types.Integer, types.Float, types.Complex)
    kind = next((at for at, it in enumerate(kinds) if isinstance(ty, it)), 3)
    return 20 * kind + int(ty.bitwidth).bit_length()


def _number_distance(source: Any, target: Any) -> int | None:
    if isinstance(source, types.Integer) and isinstance(target, types.Integer):
        if source.minval < target.minval or source.maxval > target.maxval:
            return None
    elif isinstance(source, types.Integer) and isinstance(target, types.Float):
        # As numba has it: 64 bits count as enough for any integer.
        if target.bitwidth < 64 and source.bitwidth > 16:
            return None
    elif _order(source) > _order(target):
        return None
    away = _order(target) - _order(source)
    return away if away > 0 else None
