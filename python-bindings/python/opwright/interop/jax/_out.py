"""Operators that write their results where XLA wants them: calls of the overload with `out=`.

It saves the copy of what the operator would return. Calls of few elements are faster without it.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache

import jax.numpy as jnp

from ... import _C, autograd
from ._arguments import Template
from ._calls import row_of
from ._results import flat, raw_dtypes, returned_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._calls import Call

_FEWEST_BYTES = 1 << 16


def writer(call: Call, inputs: Sequence[Any], outputs: Sequence[Any]) -> str:
    """The name of the overload that writes the results of a call; nothing if none does better."""
    if call.steps or call.batches or call.row.is_view or call.is_random() or call.may_write():
        return ""
    sizes = [math.prod(it.shape) * it.dtype.itemsize for it in outputs]
    if not sizes or 0 in sizes or sum(sizes) < _FEWEST_BYTES:
        return ""
    name = _writing_overload(call.row)
    is_exact = bool(name) and raw_dtypes(call, inputs) == [
        jnp.dtype(it.dtype).name for it in outputs
    ]
    return name if is_exact else ""


@cache
def _writing_overload(row: Any) -> str:
    """The overload that has the parameters of another one, and one more for each result."""
    if set(returned_types(row)) != {"Tensor"}:
        return ""
    operator = getattr(_C.ops, row.name.partition(".")[0])
    wanted = _parameters(row)
    for it in (getattr(operator, name) for name in operator.overloads):
        outs = out_names(it)
        left = [pair for pair in _parameters(it) if pair[0] not in outs]
        if left == wanted and len(outs) == len(returned_types(row)):
            return str(it.name)
    return ""


def _parameters(row: Any) -> list[tuple[str, str]]:
    return [(it.name, str(it.annotation)) for it in row.__signature__.parameters.values()]


@cache
def out_names(row: Any) -> tuple[str, ...]:
    """The parameters by name that are written to."""
    parameters = row.__signature__.parameters.values()
    return tuple(
        it.name
        for it in parameters
        if it.kind is it.KEYWORD_ONLY and re.search(r"Tensor\(\w!\)$", str(it.annotation))
    )


@lru_cache(maxsize=4096)
def writing_function(call: Call, name: str) -> Callable[[Sequence[Any], Sequence[Any]], None]:
    """A call as a function of its tensors, and of those that it writes to."""
    row, template = row_of(name), Template(call.arguments)
    names = out_names(row)

    def write(tensors: Sequence[Any], outs: Sequence[Any]) -> None:
        with autograd.no_grad():
            returned = row(**template.filled(tensors), **dict(zip(names, outs, strict=True)))
        for out, result in zip(outs, flat(returned), strict=True):
            if result.data_ptr() != out.data_ptr():
                raise RuntimeError(f"{name}() gave its result other memory than that of `out`")

    return write
