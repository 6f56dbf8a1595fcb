"""Straight lines for calls that need nothing but their tensors taken: what a call costs, is here.

Such a call is on one, two or three plain tensors and whatever passes as it is, with no gradient
needed and no mode of PyTorch around it. Any other goes the general way.
"""

from __future__ import annotations

from typing import Any

import torch

from . import _kernels, _values
from ._kernels import Kernel
from ._private import PLAIN, forward_ad, from_dlpack, to_dlpack
from ._schema import Schema

_Tensor = torch.Tensor
_import, _export = _values.import_, _values.export
_IS_ROW_MAJOR = not _values.HAS_STRIDES


def functional(call: Kernel, schema: Schema, otherwise: Kernel) -> Kernel:
    """The kernel of an operator that returns one new tensor."""
    results = [(it.base, it.suffix) for it in schema.results]
    if results != [("Tensor", "")]:
        return otherwise
    count = _kernels.leading_tensors(schema)

    def of_one(keyset: Any, x: Any, *rest: Any, **named: Any) -> Any:
        if (
            named
            or type(x) is not _Tensor
            or x.requires_grad
            or keyset.raw_repr() != PLAIN
            or forward_ad._current_level >= 0
            or (_IS_ROW_MAJOR and not x.is_contiguous())
        ):
            return otherwise(keyset, x, *rest, **named)
        try:
            a = _import(to_dlpack(x))
        except Exception:
            return otherwise(keyset, x, *rest)
        return from_dlpack(_export(call(a, *rest)))

    def of_two(keyset: Any, x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        if (
            named
            or type(x) is not _Tensor
            or type(y) is not _Tensor
            or x.requires_grad
            or y.requires_grad
            or keyset.raw_repr() != PLAIN
            or forward_ad._current_level >= 0
            or (_IS_ROW_MAJOR and not (x.is_contiguous() and y.is_contiguous()))
        ):
            return otherwise(keyset, x, y, *rest, **named)
        try:
            a, b = _import(to_dlpack(x)), _import(to_dlpack(y))
        except Exception:
            return otherwise(keyset, x, y, *rest)
        return from_dlpack(_export(call(a, b, *rest)))

    def of_three(keyset: Any, x: Any, y: Any, z: Any, *rest: Any, **named: Any) -> Any:
        if (
            named
            or not type(x) is type(y) is type(z) is _Tensor
            or x.requires_grad
            or y.requires_grad
            or z.requires_grad
            or keyset.raw_repr() != PLAIN
            or forward_ad._current_level >= 0
            or (_IS_ROW_MAJOR and not all(it.is_contiguous() for it in (x, y, z)))
        ):
            return otherwise(keyset, x, y, z, *rest, **named)
        try:
            a, b, c = _import(to_dlpack(x)), _import(to_dlpack(y)), _import(to_dlpack(z))
        except Exception:
            return otherwise(keyset, x, y, z, *rest)
        return from_dlpack(_export(call(a, b, c, *rest)))

    return [otherwise, of_one, of_two, of_three][count]


def in_place(call: Kernel, schema: Schema, otherwise: Kernel) -> Kernel:
    """The kernel of an operator that writes to its first argument and returns it."""
    first = schema.params[0]
    if len(schema.results) != 1 or schema.written != (first,) or first.suffix:
        return otherwise
    count = _kernels.leading_tensors(schema)
    written = _kernels.increment_version

    def of_one(keyset: Any, x: Any, *rest: Any, **named: Any) -> Any:
        if (
            named
            or type(x) is not _Tensor
            or x.requires_grad
            or keyset.raw_repr() != PLAIN
            or forward_ad._current_level >= 0
        ):
            return otherwise(keyset, x, *rest, **named)
        try:
            a = _import(to_dlpack(x))
        except Exception:
            return otherwise(keyset, x, *rest)
        call(a, *rest)
        written(x)
        return x

    def of_two(keyset: Any, x: Any, y: Any, *rest: Any, **named: Any) -> Any:
        if (
            named
            or type(x) is not _Tensor
            or type(y) is not _Tensor
            or x.requires_grad
            or y.requires_grad
            or keyset.raw_repr() != PLAIN
            or forward_ad._current_level >= 0
        ):
            return otherwise(keyset, x, y, *rest, **named)
        try:
            a, b = _import(to_dlpack(x)), _import(to_dlpack(y))
        except Exception:
            return otherwise(keyset, x, y, *rest)
        call(a, b, *rest)
        written(x)
        return x

    return [otherwise, of_one, of_two, otherwise][count]


def view(call: Kernel, schema: Schema, otherwise: Kernel) -> Kernel:
    """What an operator is composed of that returns one view of its first argument."""
    results = [(it.base, it.suffix) for it in schema.results]
    if results != [("Tensor", "")] or _kernels.leading_tensors(schema) != 1:
        return otherwise

    def kernel(keyset: Any, x: Any, *rest: Any, **named: Any) -> Any:
        if named or type(x) is not _Tensor or keyset.raw_repr() != PLAIN:
            return otherwise(keyset, x, *rest, **named)
        try:
            a = _import(to_dlpack(x))
        except Exception:
            return otherwise(keyset, x, *rest)
        found = call(a, *rest)
        # It may be a copy, or of another dtype.
        if found._base is not a or found.dtype is not a.dtype:
            return otherwise(keyset, x, *rest)
        offset = x.storage_offset() + found.storage_offset()
        return x.as_strided(found.shape, found.stride(), offset)

    return kernel
