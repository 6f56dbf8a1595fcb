"""Batches of calls, for `jax.vmap`.

pointwise  ranks are aligned behind the samples, and the rest is broadcasting
rule       in the reference module, by the rules of its `func.vmap`
loop       one call for each sample, by `jax.lax.map`
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

import jax
import jax.numpy as jnp
import numpy as np

from ... import _C
from ._calls import PUSHFORWARD
from ._evaluation import function_of
from ._results import abstract, on_meta, returned_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._calls import Call

    _Bind = Callable[[Call, Sequence[Any]], list[Any]]

# What is made of operators, such as `func`, is not there in a module that stands alone.
_IN_PACKAGE = _C.__name__.endswith("._C")


def batched(call: Call, args: Sequence[Any], dims: Sequence[Any], bind: _Bind) -> list[Any]:
    """What a call returns for all samples, which come first in the results."""
    samples = [
        it if dim is None else jnp.moveaxis(it, dim, 0) for it, dim in zip(args, dims, strict=True)
    ]
    mask = tuple(dim is not None for dim in dims)
    if not call.steps and not call.batches and _is_pointwise(call.row):
        aligned = _aligned(samples, mask)
        if aligned is not None:
            return bind(call, aligned)
    found = _by_rule(call, samples, mask, bind)
    return _loop(call, samples, mask, bind) if found is None else found


@cache
def _is_pointwise(row: Any) -> bool:
    is_random = "nondeterministic_seeded" in row.tags
    return "pointwise" in row.tags and not is_random and returned_types(row) == ("Tensor",)


def _aligned(samples: Sequence[Any], mask: Sequence[bool]) -> list[Any] | None:
    """The arguments with ones behind the samples, so that they broadcast as one sample does."""
    ranks = [it.ndim - is_in for it, is_in in zip(samples, mask, strict=True)]
    if len({it.dtype for it in samples}) > 1 and 0 in ranks:
        # Tensors without dimensions decide less about the dtype.
        return None
    rank = max(ranks)
    return [
        it.reshape(it.shape[0], *[1] * (rank - own), *it.shape[1:]) if is_in else it
        for it, own, is_in in zip(samples, ranks, mask, strict=True)
    ]


def _by_rule(
    call: Call, samples: Sequence[Any], mask: Sequence[bool], bind: _Bind
) -> list[Any] | None:
    """The samples become a batch of the operator, and derivatives are of that; None without a rule.

    Sums over samples would be in derivatives by what all share, so it is repeated for each.
    """
    size = next(it.shape[0] for it, is_in in zip(samples, mask, strict=True) if is_in)
    count = _own_count(call, len(samples))
    active = {at for step in call.steps for at in step.inputs}
    is_shared = [not is_in and at < count and at not in active for at, is_in in enumerate(mask)]
    spread = [
        it if is_in or shared else jnp.broadcast_to(it, (size, *it.shape))
        for it, is_in, shared in zip(samples, mask, is_shared, strict=True)
    ]
    own = tuple(not it for it in is_shared[:count])
    batch = replace(call, batches=(*call.batches, own))
    shapes = tuple((tuple(it.shape), np.dtype(it.dtype).name) for it in spread[:count])
    return bind(batch, spread) if _has_rule(replace(batch, steps=()), shapes) else None


@lru_cache(maxsize=4096)
def _has_rule(call: Call, shapes: Any) -> bool:
    """Whether the rules take a batch, which is tried without elements."""
    if not _IN_PACKAGE or not all(it.startswith("Tensor") for it in returned_types(call.row)):
        return False
    try:
        function_of(call)([on_meta(*it) for it in shapes])
    except Exception:  # whatever a rule does not take, the loop does
        return False
    return True


def _own_count(call: Call, count: int) -> int:
    """How many of the inputs are those of the operator, which come first."""
    for step in call.steps:
        count -= len(step.inputs if step.kind == PUSHFORWARD else step.outputs)
    return count


def _loop(call: Call, samples: Sequence[Any], mask: Sequence[bool], bind: _Bind) -> list[Any]:
    mapped = [it for it, is_in in zip(samples, mask, strict=True) if is_in]
    if mapped[0].shape[0] == 0:
        return _empty(call, samples, mask)

    def one(own: Sequence[Any]) -> list[Any]:
        each = iter(own)
        args = [next(each) if is_in else it for it, is_in in zip(samples, mask, strict=True)]
        return bind(call, args)

    found: list[Any] = jax.lax.map(one, mapped)
    return found


def _empty(call: Call, samples: Sequence[Any], mask: Sequence[bool]) -> list[Any]:
    avals = [
        jax.ShapeDtypeStruct(it.shape[is_in:], np.dtype(it.dtype))
        for it, is_in in zip(samples, mask, strict=True)
    ]
    return [jnp.zeros((0, *it.shape), it.dtype) for it in abstract(call, avals)]
