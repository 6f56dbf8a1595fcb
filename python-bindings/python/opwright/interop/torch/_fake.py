"""Fake kernels: Meta kernels of ours, run for tensors of PyTorch that have no elements.

Sizes that are symbols stay symbols where results have the broadcast shape of the arguments, which
operators with the tag `pointwise` say; anywhere else a symbol becomes the number that it stands
for, with a guard that makes PyTorch compile anew for another one.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch._subclasses.fake_tensor import (
    DynamicOutputShapeException,
    FakeTensor,
    UnsupportedOperatorException,
)

from ... import _C
from ..._tensor import Tensor
from . import _gradients, _kernels, _values
from ._kernels import Kernel
from ._schema import Schema

# What a symbol stands for if nothing is known: no size that PyTorch treats as a case of its own.
_UNKNOWN_SIZE = 5

# Tags of operators whose results are not known before the elements of the arguments are.
_DEPENDING = {"dynamic_output_shape", "data_dependent_output"}


def meta(tensor: Any, number: Any = int) -> Any:
    """A meta tensor of ours like a tensor of PyTorch; `number` makes numbers of symbols."""
    dtype = _values.dtype(tensor.dtype)
    shape = [number(it) for it in tensor.shape]
    if not _values.HAS_STRIDES:
        return _C._rebuild(Tensor, None, dtype, shape)
    strides = [number(it) for it in tensor.stride()]
    return _C.empty_strided(shape, strides, dtype=dtype, device="meta")


def kernel(call: Kernel, schema: Schema, tags: tuple[str, ...], namespace: str) -> Kernel:
    """The fake kernel of an operator whose results, but for those it wrote to, are new."""
    name = f"{namespace}::{schema.full_name}"
    concrete, symbolic = _kernel(call, schema, meta), _broadcast(call, schema)
    is_pointwise = "pointwise" in tags
    returns_nothing = all(it.alias for it in schema.results)

    def fake(*args: Any, **kwargs: Any) -> Any:
        try:
            if is_pointwise and any(map(_is_symbolic, (*args, *kwargs.values()))):
                return symbolic(args, kwargs)
            return concrete(args, kwargs)
        except NotImplementedError as error:
            # No shape has to be found out.
            if returns_nothing:
                return None
            if not any(map(_is_fake, (*args, *kwargs.values()))):
                raise
            if _DEPENDING.isdisjoint(tags):
                raise UnknownResult(name, error) from error
            raise DependsOnElements(name, error) from error

    return fake


class UnknownResult(UnsupportedOperatorException):  # type: ignore[misc]
    """A result of which no Meta kernel says the shape.

    PyTorch makes two graphs of one where it may, and prints what stands for the operator.
    """

    def __init__(self, name: str, reason: NotImplementedError) -> None:
        super().__init__(
            f"`{name}` has no Meta kernel that says what it returns ({reason}); give it one with "
            f'`torch.library.register_fake("{name}")`, or call it outside of the graph'
        )

    def __str__(self) -> str:
        return str(self.func)


class DependsOnElements(DynamicOutputShapeException):  # type: ignore[misc]
    """A result that is not known before the elements of the arguments are.

    PyTorch makes two graphs of one where it may, and calls the operator between them.
    """

    def __init__(self, name: str, reason: NotImplementedError) -> None:
        super().__init__(name)
        self._reason = reason

    def __str__(self) -> str:
        return (
            f"what `{self.func}` returns depends on the elements of its arguments, which a graph "
            f"of PyTorch does not know; call it outside of the graph: {self._reason}"
        )


def known(call: Kernel, schema: Schema, tensor: Any) -> Kernel:
    """The call, which tells PyTorch if its result depends on the elements of a fake tensor."""
    if not _is_fake(tensor):
        return call

    def telling(*args: Any, **kwargs: Any) -> Any:
        try:
            return call(*args, **kwargs)
        except NotImplementedError as error:
            raise DependsOnElements(schema.full_name, error) from error

    return telling


def _is_fake(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_fake, value))
    return isinstance(value, FakeTensor)


def _kernel(call: Kernel, schema: Schema, tensors: _values.Convert) -> Kernel:
    convert = _kernels.arguments(schema, tensors)
    fresh = [at for at, it in enumerate(schema.results) if not it.alias]
    slots = tuple(schema.results[at] for at in fresh)
    is_silent = not schema.written
    takes_device = any(it.name == "device" for it in schema.keywords)

    def fake(args: Any, kwargs: Any) -> Any:
        ours, named = convert(*whole(args, kwargs))
        if "device" in named or (takes_device and not _has_tensors(ours)):
            named["device"] = "meta"
        check = _kernels.check_sizes(schema, ours, named)
        found = call(*ours, **named)
        check()
        for it in _gradients.tensors_of(ours, named, Tensor) if is_silent else ():
            if it._version:
                raise RuntimeError(
                    f"`{schema.full_name}` writes to an argument without declaring it, which a "
                    f"graph of PyTorch cannot take in; call it outside of the graph"
                )
        if len(schema.results) > 1:
            found = [found[at] for at in fresh]
            found = found[0] if len(fresh) == 1 else found
        device = _device(args, kwargs)
        return _values.results(slots, lambda it: _like(it, device))(found)

    return fake


def _has_tensors(values: Any) -> bool:
    return any(
        isinstance(it, Tensor) or (isinstance(it, (list, tuple)) and _has_tensors(it))
        for it in values
    )


def whole(args: Any, kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
    """Arguments without symbols."""
    return [_whole(it) for it in args], {name: _whole(it) for name, it in kwargs.items()}


def _whole(value: Any) -> Any:
    """An argument without symbols."""
    if isinstance(value, torch.SymInt):
        return int(value)
    if isinstance(value, torch.SymFloat):
        return float(value)
    if isinstance(value, torch.SymBool):
        return bool(value)
    if isinstance(value, (list, tuple)):
        return [_whole(it) for it in value]
    return value


def _device(args: Any, kwargs: Any) -> Any:
    """The device of the results: that of the first tensor."""
    if kwargs.get("device") is not None:
        return kwargs["device"]
    for value in (*args, *kwargs.values()):
        for it in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(it, torch.Tensor):
                return it.device
    return torch.device("cpu")


def _like(found: Any, device: Any) -> Any:
    return torch.empty_strided(
        tuple(found.shape),
        tuple(found.stride()),
        dtype=_values.torch_dtype(found.dtype),
        device=device,
    )


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return any(isinstance(it, torch.SymInt) for it in value.shape)
    return isinstance(value, (list, tuple)) and any(map(_is_symbolic, value))


def _broadcast(call: Kernel, schema: Schema) -> Kernel:
    """The fake kernel for sizes that are symbols, of an operator that is element by element."""

    def hinted(tensor: Any) -> Any:
        return meta(tensor, _hint)

    convert = _kernels.arguments(schema, hinted)
    slots = tuple(it for it in schema.results if not it.alias)

    def fake(args: Any, kwargs: Any) -> Any:
        ours, named = convert(*whole(args, kwargs))
        found = call(*ours, **named)
        if not slots:
            return None
        values = (*args, *kwargs.values())
        shape = torch.broadcast_shapes(*[it.shape for it in values if isinstance(it, torch.Tensor)])
        device = _device(args, kwargs)
        return _values.results(slots, lambda it: _in_order(it, shape, device))(found)

    return fake


def _hint(size: Any) -> int:
    """What a symbol stands for at the moment, without a guard."""
    if not isinstance(size, torch.SymInt):
        return int(size)
    hint = size.node.hint
    return _UNKNOWN_SIZE if hint is None else int(hint)


def _in_order(found: Any, shape: Any, device: Any) -> Any:
    """A dense tensor of a shape, whose dimensions lie in memory as those of `found`."""
    order = sorted(range(len(shape)), key=lambda at: (-found.stride(at), at))
    strides: list[Any] = [1] * len(shape)
    for place, at in enumerate(order):
        strides[at] = math.prod(shape[it] for it in order[place + 1 :])
    dtype = _values.torch_dtype(found.dtype)
    return torch.empty_strided(tuple(shape), tuple(strides), dtype=dtype, device=device)
