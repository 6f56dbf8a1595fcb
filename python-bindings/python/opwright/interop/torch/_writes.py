"""In-place and `out=` overloads: composed of an operator that writes and returns nothing.

PyTorch takes operators into compiled graphs that write to their arguments, but none that return
one of them. So `add_.Tensor` calls `_writes_add_.Tensor`, which does, and returns its argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from . import _gradients, _kernels
from ._kernels import Kernel
from ._private import PLAIN, after_views, below_views
from ._schema import Schema


def inner_schema(schema: Schema) -> Schema:
    """The schema without the results that are arguments.

    What is called `self` has another name, since graphs pass what is written to by names.
    """
    fresh = tuple(it for it in schema.results if not it.alias)
    taken = {it.name for it in schema.params}
    free = next(it for it in ("input", "input_", "input__") if it not in taken)
    params = tuple(replace(it, name=free) if it.name == "self" else it for it in schema.params)
    return replace(schema, name=f"_writes_{schema.name}", params=params, results=fresh)


def counting(find: Callable[[], Any], schema: Schema) -> Kernel:
    """Has writes counted, which autograd asks for before it uses what it saved."""
    count = _kernels.count_writes(schema)

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        count(args, kwargs)
        with below_views():
            return find().redispatch(keyset & after_views, *args, **kwargs)

    return kernel


def composite(
    schema: Schema,
    inner: Callable[[], Any],
    direct: Kernel,
    functional: Callable[[], Any] | None,
) -> Kernel:
    """What the overload is composed of.

    `functional` is the operator that returns what this one writes, if it can be differentiated.
    """
    find, count = _kernels.written(schema), _kernels.count_writes(schema)
    count_of_results = len(schema.results)

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if _gradients.is_recorded(args, kwargs):
            return _differentiable(schema, functional, args, kwargs)
        if keyset.raw_repr() == PLAIN:
            direct(*args, **kwargs)
            count(args, kwargs)
        else:
            _resolved(schema, inner(), args, kwargs)
        if count_of_results == 1:
            return find(args, kwargs)[0]
        return find(args, kwargs) if count_of_results else None

    return kernel


def _resolved(schema: Schema, inner: Any, args: Any, kwargs: Any) -> None:
    """Calls an operator on tensors whose elements are as they lie in memory.

    PyTorch does this itself for operators that return something.
    """
    pairs: list[tuple[Any, Any]] = []

    def resolved(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or not (value.is_conj() or value.is_neg()):
            return value
        pairs.append((value, value.resolve_conj().resolve_neg()))
        return pairs[-1][1]

    inner(*map(resolved, args), **{name: resolved(it) for name, it in kwargs.items()})
    written = [_kernels.argument(schema, it, args, kwargs) for it in schema.written]
    for value, copy in pairs:
        if any(value is it for it in written):
            value.copy_(copy)


def _differentiable(schema: Schema, functional: Any, args: Any, kwargs: Any) -> Any:
    """The call where gradients are needed: what it would write is computed, and copied."""
    if any(it.keyword_only for it in schema.written):
        names = ", ".join(f"`{it.name}`" for it in schema.written)
        raise RuntimeError(
            f"`{schema.full_name}` writes to {names}, through which no gradient flows, and an "
            f"argument requires grad; leave {names} out, or call it under `torch.no_grad()`"
        )
    if functional is None:
        raise RuntimeError(
            f"`{schema.full_name}` has no gradient, and an argument requires grad; call it under "
            f"`torch.no_grad()`"
        )
    target = args[0]
    # What is saved for the gradient is what was there before.
    before = args[0].clone()
    args = [before if it is args[0] else it for it in args]
    return target.copy_(functional()(*args, **kwargs))
