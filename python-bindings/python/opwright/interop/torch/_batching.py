"""Batching rules: operators under `torch.vmap`.

Operators that are element by element, and their gradients, are called once on all samples. Any
other is called for each sample, and its results are stacked; views stay views where they can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from . import _gradients, _kernels
from ._kernels import Kernel
from ._private import add_batch_dim, batched_interpreter, below_batching, is_wrapped, unwrap_batched
from ._schema import Schema


@dataclass(frozen=True)
class Rule:
    """What an operator has to be told about."""

    # Whether results depend on elements at the same place alone.
    is_pointwise: bool = False
    # Whether it is an operator for gradients.
    is_gradient: bool = False
    is_view: bool = False
    draws: bool = False


@dataclass(frozen=True)
class _Batched:
    """A tensor whose first dimension is that of the samples."""

    samples: Any

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape of each sample."""
        return tuple(self.samples.shape)[1:]


class _Level:
    """The samples of the innermost `vmap`."""

    def __init__(self, interpreter: Any) -> None:
        self.size = interpreter.batch_size()
        self.randomness = interpreter.randomness()
        self._level = interpreter.level()

    def unwrapped(self, value: Any) -> Any:
        """An argument; batched tensors are found out."""
        if isinstance(value, (list, tuple)):
            return [self.unwrapped(it) for it in value]
        if not isinstance(value, torch.Tensor):
            return value
        tensor, dim = unwrap_batched(value, self._level)
        return tensor if dim is None else _Batched(tensor.movedim(dim, 0))

    def wrapped(self, value: Any) -> Any:
        """A result, the first dimension of whose tensors is that of the samples."""
        if isinstance(value, (list, tuple)):
            return type(value)(self.wrapped(it) for it in value)
        return add_batch_dim(value, 0, self._level) if isinstance(value, torch.Tensor) else value


def kernel(op: Callable[[], Any], schema: Schema, rule: Rule) -> Kernel:
    """The kernel of an operator for batched tensors."""

    def batched(_: Any, *args: Any, **kwargs: Any) -> Any:
        level = _Level(batched_interpreter())
        values, named = level.unwrapped(args), {k: level.unwrapped(v) for k, v in kwargs.items()}
        with below_batching():
            found = _call(op(), schema, rule, level, values, named)
        if not schema.written:
            return level.wrapped(found)
        results: Any = _kernels.written(schema)(args, kwargs) if schema.aliased else ()
        return results[0] if len(results) == 1 else results or None

    return batched


def _call(op: Any, schema: Schema, rule: Rule, level: _Level, args: Any, kwargs: Any) -> Any:
    if rule.draws and level.randomness != "different":
        raise RuntimeError(
            f"`{op}` draws random numbers, and `vmap` was called with "
            f"`randomness={level.randomness!r}`; pass `randomness='different'`"
        )
    if not level.size:
        raise RuntimeError(f"`{op}` cannot be called for no samples: the batch has the size 0")
    if rule.is_pointwise and _is_alike(args, kwargs):
        return _at_once(op, rule, level, args, kwargs)
    if rule.is_view and _is_of_view(schema, args, kwargs):
        found = _view(op, args, kwargs)
        if found is not None:
            return found
    _check_written(op, schema, args, kwargs)
    return _stacked(op, [_sample(op, args, kwargs, at) for at in range(level.size)])


def _values(args: Any, kwargs: Any) -> list[Any]:
    return _gradients.flat((*args, *kwargs.values()))


def _tensors(args: Any, kwargs: Any) -> list[Any]:
    return [it for it in _values(args, kwargs) if isinstance(it, (torch.Tensor, _Batched))]


def _is_alike(args: Any, kwargs: Any) -> bool:
    """Whether dtypes are promoted in the same way with a dimension more."""
    tensors = _tensors(args, kwargs)
    dtypes = {(it.samples if isinstance(it, _Batched) else it).dtype for it in tensors}
    return len(dtypes) == 1 or all(len(it.shape) for it in tensors)


def _at_once(op: Any, rule: Rule, level: _Level, args: Any, kwargs: Any) -> Any:
    """One call on all samples, which are broadcast behind the first dimension."""
    rank = max(len(it.shape) for it in _tensors(args, kwargs))

    def aligned(value: Any) -> Any:
        if isinstance(value, list):
            return [aligned(it) for it in value]
        if isinstance(value, _Batched):
            missing = [1] * (rank - len(value.shape))
            return value.samples.reshape([level.size, *missing, *value.shape])
        if rule.is_gradient and isinstance(value, torch.Tensor):
            # Each sample has a gradient of its own.
            missing = [1] * (rank - value.dim())
            return value.reshape([*missing, *value.shape]).expand(
                level.size, *missing, *value.shape
            )
        return value

    found = op(*map(aligned, args), **{name: aligned(it) for name, it in kwargs.items()})
    if not rule.is_gradient:
        return found
    _, needs, *rest = args
    wanted = [it for it, need in zip(_tensors(rest, kwargs), needs, strict=True) if need]
    return [each.reshape([level.size, *it.shape]) for each, it in zip(found, wanted, strict=True)]


def _sample(op: Any, args: Any, kwargs: Any, at: int) -> Any:
    """The call for one of the samples."""

    def of(value: Any) -> Any:
        if isinstance(value, list):
            return [of(it) for it in value]
        return value.samples[at] if isinstance(value, _Batched) else value

    return op(*map(of, args), **{name: of(it) for name, it in kwargs.items()})


def _stacked(op: Any, found: list[Any]) -> Any:
    """One result of those for all samples."""
    first = found[0]
    if isinstance(first, (list, tuple)):
        return type(first)(_stacked(op, list(it)) for it in zip(*found, strict=True))
    if not isinstance(first, torch.Tensor):
        if any(it != first for it in found):
            raise RuntimeError(f"`{op}` returns other numbers for other samples of `vmap`")
        return first
    if any(it.shape != first.shape for it in found):
        shapes = ", ".join(str(list(it.shape)) for it in found[:3])
        raise RuntimeError(f"`{op}` returns other shapes for other samples of `vmap`: {shapes}")
    return torch.stack(found)


def _check_written(op: Any, schema: Schema, args: Any, kwargs: Any) -> None:
    if not any(isinstance(it, _Batched) for it in _values(args, kwargs)):
        return
    for slot in schema.written:
        for it in _gradients.flat(_kernels.argument(schema, slot, args, kwargs)):
            if isinstance(it, torch.Tensor):
                raise RuntimeError(
                    f"`{op}` would write all samples of `vmap` to `{slot.name}`, which has no "
                    f"samples; make it inside of `vmap`, of a tensor that has"
                )


def _is_of_view(schema: Schema, args: Any, kwargs: Any) -> bool:
    """Whether the tensor that is viewed is the only one with samples, and nothing is behind it."""
    batched = [it for it in _values(args, kwargs) if isinstance(it, _Batched)]
    place = next(at for at, it in enumerate(schema.params) if it.alias)
    return [args[place]] == batched and not is_wrapped(batched[0].samples)


def _view(op: Any, args: Any, kwargs: Any) -> Any:
    """The view of all samples that lies as that of the first; None if that is no view."""
    samples = next(it.samples for it in args if isinstance(it, _Batched))
    found = _sample(op, args, kwargs, 0)

    def of_all(view: Any) -> Any:
        offset = samples.storage_offset() + view.storage_offset() - samples[0].storage_offset()
        shape, strides = [len(samples), *view.shape], [samples.stride(0), *view.stride()]
        return samples.as_strided(shape, strides, offset)

    views = _gradients.flat(found)
    if not all(it._is_view() and it.dtype == samples.dtype for it in views):
        return None
    return [*map(of_all, found)] if isinstance(found, (list, tuple)) else of_all(found)
