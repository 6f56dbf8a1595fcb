"""Views: where our Meta kernel says that the elements lie, PyTorch's own `as_strided` finds them.

An operator of `torch.library` may not return the memory of an argument unless PyTorch knows how to
follow it. A view is therefore composed of operators that it does know: gradients, writes through
the view and compiled graphs follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from . import _fake, _gradients, _kernels, _values
from ._kernels import Kernel
from ._private import PLAIN, transforms_are_active
from ._schema import Schema


def composite(call: Kernel, schema: Schema, copying: Callable[[], Any] | None) -> Kernel:
    """What a view is composed of; `copying` is called where the result is none."""
    of_metas, of_elements = (
        _kernels.arguments(schema, _meta),
        _kernels.arguments(schema, _values.take),
    )
    place = next(at for at, it in enumerate(schema.params) if it.alias)

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        base = args[place]
        if keyset.raw_repr() == PLAIN or _has_elements(args):
            # Where the view begins may be an element of another argument.
            ours, named = of_elements(args, kwargs)
        else:
            ours, named = of_metas(*_fake.whole(args, kwargs))
        found = _fake.known(call, schema, base)(*ours, **named)
        if isinstance(found, (list, tuple)):
            return [_view(base, it) for it in found]
        if found is ours[place] or found._base is ours[place]:
            return _view(base, found)
        if copying is None:
            raise RuntimeError(f"`{schema.full_name}` returned no view of `{_name(schema, place)}`")
        return copying()(*args, **kwargs)

    return kernel


def _has_elements(args: Any) -> bool:
    """Whether all tensors have elements, although a mode of PyTorch looks on."""
    if transforms_are_active():
        return False
    return all(map(_values.is_plain, _gradients.tensors_of(args, {}, torch.Tensor)))


def _name(schema: Schema, place: int) -> str:
    return schema.params[place].name


def _meta(tensor: Any) -> Any:
    if not _values.HAS_STRIDES and not tensor.is_contiguous():
        raise RuntimeError(
            "a view of a tensor that is not contiguous is there in modules that have "
            "`empty_strided`; pass `.contiguous()`"
        )
    return _fake.meta(tensor)


def _view(base: Any, found: Any) -> Any:
    """The view of a tensor of PyTorch that lies as one of ours."""
    dtype = _values.torch_dtype(found.dtype)
    if dtype != base.dtype:
        base = _reinterpreted(base, dtype)
    offset = base.storage_offset() + found.storage_offset()
    return base.as_strided(tuple(found.shape), tuple(found.stride()), offset)


def _reinterpreted(base: Any, dtype: Any) -> Any:
    """The same memory, as elements of another dtype."""
    if base.is_complex() and dtype == base.real.dtype:
        return torch.view_as_real(base)
    if dtype.is_complex and base.dtype == dtype.to_real():
        return torch.view_as_complex(base)
    return base.view(dtype)


def reshaping(call: Kernel, schema: Schema) -> Kernel:
    """What an operator is composed of that changes the shape of its argument, not its elements."""
    convert = _kernels.arguments(schema, _meta)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        base = args[0]
        ours, named = convert(*_fake.whole(args, kwargs))
        call(*ours, **named)
        found = ours[0]
        offset = base.storage_offset() + found.storage_offset()
        return base.as_strided_(tuple(found.shape), tuple(found.stride()), offset)

    return kernel
