"""Axes of a mesh over which an array varies inside of `jax.shard_map`: a part of its type.

JAX infers from them what is replicated, and where gradients are sums over devices.
"""

from __future__ import annotations

import jax

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    _Axes = frozenset[Any]

# Before 0.10 they are an attribute `vma`, a set.
_HAS_TYPE = hasattr(jax.sharding, "ManualAxisType")
_NONE: frozenset[Any] = frozenset()


def axes_of(avals: Sequence[Any]) -> _Axes:
    """The axes over which any of these varies."""
    return _NONE.union(*map(_varying, avals))


def _varying(aval: Any) -> _Axes:
    found: _Axes = aval.manual_axis_type.varying if _HAS_TYPE else getattr(aval, "vma", _NONE)
    return found


def shaped_array(shape: tuple[int, ...], dtype: Any, axes: _Axes) -> Any:
    """The type of an array that varies over these axes."""
    if not axes:
        return jax.core.ShapedArray(shape, dtype)
    mesh = jax.sharding.get_abstract_mesh()
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*[None] * len(shape)))
    manual = {"manual_axis_type": jax.sharding.ManualAxisType(varying=axes)} if _HAS_TYPE else {}
    return jax.core.ShapedArray(shape, dtype, sharding=sharding, **(manual or {"vma": axes}))


def aligned(arrays: Sequence[Any]) -> Sequence[Any]:
    """The arrays, all varying over the axes over which one of them does."""
    if len(arrays) < 2:
        return arrays
    own = [_varying(jax.typeof(it)) for it in arrays]
    every = _NONE.union(*own)
    return [_cast(it, every - axes) for it, axes in zip(arrays, own, strict=True)]


def _cast(array: Any, axes: _Axes) -> Any:
    if not axes:
        return array
    names = tuple(sorted(axes, key=str))
    if hasattr(jax.lax, "pcast"):
        return jax.lax.pcast(array, names, to="varying")
    return jax.lax.pvary(array, names)
