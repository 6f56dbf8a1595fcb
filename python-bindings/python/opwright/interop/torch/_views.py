"""Views: where our Meta kernel says that the elements lie, PyTorch's own `as_strided` finds them.

An operator of `torch.library` may not return the memory of an argument unless PyTorch knows how to
follow it. A view is therefore composed of operators that it does know: gradients, writes through
the view and compiled graphs follow.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import torch

from . import _fake, _gradients, _kernels, _sizes, _values
from ._kernels import Kernel
from ._private import PLAIN, transforms_are_active
from ._schema import Schema
from ._sizes import Replace


def composite(call: Kernel, schema: Schema, copying: Callable[[], Any] | None) -> Kernel:
    """What a view is composed of; `copying` is called where the result is none."""
    of_elements = _kernels.arguments(schema, _values.take)
    place = next(at for at, it in enumerate(schema.params) if it.alias)

    def of_metas(args: Any, kwargs: Any, replace: Replace) -> tuple[Any, Any]:
        convert = _kernels.arguments(schema, lambda it: _meta(it, replace))
        ours, named = convert(*_fake.replaced(args, kwargs, replace))
        return _fake.known(call, schema, args[place])(*ours, **named), ours[place]

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        base = args[place]
        numbers: Any = None
        if keyset.raw_repr() == PLAIN or _has_elements(args):
            # Where the view begins may be an element of another argument.
            ours, named = of_elements(args, kwargs)
            found, ours_base = call(*ours, **named), ours[place]
        elif _fake.is_symbolic((args, list(kwargs.values()))):
            found, ours_base = of_metas(args, kwargs, _sizes.hint)
            numbers = iter(
                _sizes.results(
                    _fake.symbolic_numbers(args, kwargs),
                    lambda replace: _answer(*of_metas(args, kwargs, replace)),
                )
            )
        else:
            found, ours_base = of_metas(args, kwargs, _fake.whole)
        if isinstance(found, (list, tuple)):
            return [_view(base, it, numbers) for it in found]
        if _is_view(found, ours_base):
            return _view(base, found, numbers)
        if copying is None:
            raise RuntimeError(f"`{schema.full_name}` returned no view of `{_name(schema, place)}`")
        return copying()(*args, **kwargs)

    return kernel


def _is_view(found: Any, base: Any) -> bool:
    return found is base or found._base is base


def _answer(found: Any, base: Any) -> _sizes.Answer:
    """What a Meta kernel returned, without and with the numbers that say where views lie."""
    views = _gradients.flat(found)
    kept = [(it.dtype, it.dim(), _is_view(it, base)) for it in views]
    numbers = []
    for it in views:
        shape, strides, offset = _geometry(it)
        numbers += [
            *shape,
            *(None if size == 1 else each for size, each in zip(shape, strides, strict=True)),
            offset,
        ]
    return kept, tuple(numbers)


def _geometry(found: Any) -> tuple[Any, Any, Any]:
    return tuple(found.shape), tuple(found.stride()), found.storage_offset()


def _has_elements(args: Any) -> bool:
    """Whether all tensors have elements, although a mode of PyTorch looks on."""
    if transforms_are_active():
        return False
    return all(map(_values.is_plain, _gradients.tensors_of(args, {}, torch.Tensor)))


def _name(schema: Schema, place: int) -> str:
    return schema.params[place].name


def _meta(tensor: Any, replace: Replace = _fake.whole) -> Any:
    if not _values.HAS_STRIDES and not tensor.is_contiguous():
        raise RuntimeError(
            "a view of a tensor that is not contiguous is there in modules that have "
            "`empty_strided`; pass `.contiguous()`"
        )
    return _fake.meta(tensor, replace)


def _view(base: Any, found: Any, numbers: Any = None) -> Any:
    """The view of a tensor of PyTorch that lies as one of ours, or as `numbers` say."""
    dtype = _values.torch_dtype(found.dtype)
    if dtype != base.dtype:
        base = _reinterpreted(base, dtype)
    shape, strides, offset = _geometry(found)
    if numbers is not None:
        shape = tuple(islice(numbers, found.dim()))
        symbols = islice(numbers, found.dim())
        strides = tuple(
            known if it is None else it for known, it in zip(strides, symbols, strict=True)
        )
        offset = next(numbers)
    return base.as_strided(shape, strides, base.storage_offset() + offset)


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
        ours, named = convert(*_fake.replaced(args, kwargs, _fake.whole))
        call(*ours, **named)
        found = ours[0]
        offset = base.storage_offset() + found.storage_offset()
        return base.as_strided_(tuple(found.shape), tuple(found.stride()), offset)

    return kernel
