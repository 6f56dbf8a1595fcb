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
    rows = []
    for wanted_source, wanted_target, function in _registered:
        found = registry.matched((source, target), (wanted_source, wanted_target))
        if found is not None:
            rows.append((found, function))
    best = registry.nearest(rows)
    if len(best) > 1:
        from .errors import AmbiguousOverloadError

        places = " and ".join(map(registry.place_of, best))
        raise AmbiguousOverloadError(f"the cast of {source} to {target} is ambiguous: {places}")
    return best[0] if best else None


# What a cast to a class of numbers may mean, the nearest first.
_NUMBERS = [
    types.float64,
    types.int64,
    types.complex128,
    types.float32,
    types.complex64,
    types.uint64,
    *(
        it
        for width in (32, 16, 8)
        for it in (getattr(types, f"{kind}{width}") for kind in ("int", "uint"))
    ),
    types.boolean,
]


def targets(source: Any) -> list[Any]:
    """Return what a type is cast to by what is registered, the nearest first.

    Casts of the type itself come before those of its class, and those to types before those to
    classes, which are to each type of the class.
    """
    rows = []
    for at, (wanted, target, _) in enumerate(_registered):
        found = registry.matched((source,), (wanted,))
        if found is None:
            continue
        if not isinstance(target, type):
            rows.append((found[0], 0, at, target))
            continue
        known = [*(it for it in _NUMBERS if isinstance(it, target)), *_instances(target)]
        rows += [(found[0], 1 + n, at, it) for n, it in enumerate(known)]
    ordered = [row[3] for row in sorted(rows, key=lambda it: it[:3]) if row[3] != source]
    return list(dict.fromkeys(ordered))


def _instances(cls: Any) -> list[Any]:
    """The types of a class of the user's own that somebody holds."""
    from .models import instances

    is_ours = cls.__module__.startswith(types.__name__.rpartition(".")[0] + ".")
    return [] if is_ours else instances(cls)


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
