"""Gradients: the backward pass of an operator is an operator of its own.

`mul_backward.Tensor(Tensor?[] grad_outputs, bool[] needs_input_grad, …)` takes the arguments of
`mul.Tensor`, records the call once more, and returns the gradients of the arguments that need them.
That operator has one in its turn, so that gradients can be differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from ... import _C
from ..._tensor import Tensor
from ...autograd.grad_mode import enable_grad
from . import _kernels, _values
from ._kernels import Kernel
from ._private import (
    PLAIN,
    after_autograd,
    any_requires_grad,
    below_autograd,
    transforms_are_active,
)
from ._schema import Schema, Slot

_OWN = (
    Slot("grad_outputs", "Tensor", "?[]"),
    Slot("needs_input_grad", "bool", "[]"),
)


def backward_schema(schema: Schema, name: str) -> Schema:
    """The schema of the operator that returns the gradients of another one."""
    taken = {it.name for it in schema.params}
    own = []
    for slot in _OWN:
        free = slot.name
        while free in taken:
            free += "_"
        own.append(replace(slot, name=free))
    # Not by default: what is passed in front of them is not.
    params = (*own, *(replace(it, alias="") for it in schema.params))
    return Schema(name, schema.overload, params, (Slot("", "Tensor", "[]"),))


class Backward:
    """Calls an operator on our side, recorded, and returns gradients of its arguments."""

    def __init__(self, call: Kernel) -> None:
        self._call = call

    def __call__(self, grads: Any, needs: Any, *args: Any, **kwargs: Any) -> list[Any]:
        """The gradients of the tensors among the arguments for which `needs` has true.

        None stands for that of one which the results do not depend on.
        """
        inputs = [
            it for it, need in zip(tensors_of(args, kwargs, Tensor), needs, strict=True) if need
        ]
        # Whether this is recorded itself, for gradients of gradients.
        is_recorded = _C.is_grad_enabled() and any(it.requires_grad for it in inputs)
        with enable_grad():
            for it in inputs:
                if not it.requires_grad:
                    it.requires_grad = True
            outputs = flat(self._call(*args, **kwargs))
            pairs = [
                (output, grad)
                for output, grad in zip(outputs, grads, strict=True)
                if grad is not None and output is not None and output.requires_grad
            ]
            if not pairs:
                return [None] * len(inputs)
            ends, seeds = zip(*pairs, strict=True)
            return list(_C._grad(list(ends), inputs, list(seeds), None, is_recorded, True))


def flat(found: Any) -> list[Any]:
    """The results of a call, one after the other."""
    if not isinstance(found, (list, tuple)):
        return [found]
    return [it for each in found for it in flat(each)]


def tensors_of(args: Any, kwargs: Any, kind: Any) -> list[Any]:
    """The tensors among arguments, also in lists."""
    values = (*args, *kwargs.values())
    return [
        it
        for value in values
        for it in (value if isinstance(value, (list, tuple)) else (value,))
        if isinstance(it, kind)
    ]


def kernel(call: Backward, schema: Schema) -> Kernel:
    """The kernel of a backward operator."""
    convert = _kernels.arguments(schema)

    def backward(grads: Any, needs: Any, *args: Any, **kwargs: Any) -> list[Any]:
        ours, named = convert((grads, needs, *args), kwargs)
        theirs = _needed(needs, args, kwargs)
        found = call(*ours, **named)
        seen = {
            it.untyped_storage().data_ptr()
            for it in (*tensors_of(ours, named, Tensor),)
            if it.numel()
        }
        return [_own(it, like, seen) for it, like in zip(found, theirs, strict=True)]

    return backward


def _needed(needs: Any, args: Any, kwargs: Any) -> list[Any]:
    """The arguments whose gradients are asked for."""
    given = tensors_of(args, kwargs, torch.Tensor)
    return [it for it, need in zip(given, needs, strict=True) if need]


def _own(found: Any, like: Any, seen: set[int]) -> Any:
    """A gradient in row-major memory that nobody else has."""
    if found is None:
        return torch.zeros(like.shape, dtype=like.dtype, device=like.device)
    given = _values.give(found)
    place = found.untyped_storage().data_ptr()
    if place in seen or not given.is_contiguous():
        return given.clone(memory_format=torch.contiguous_format)
    seen.add(place)
    return given


def fake(grads: Any, needs: Any, *args: Any, **kwargs: Any) -> list[Any]:
    """The fake kernel of all backward operators."""
    return [
        torch.empty(it.shape, dtype=it.dtype, device=it.device)
        for it in _needed(needs, args, kwargs)
    ]


class _Call:
    """A call whose tensors are taken out, to be saved by autograd."""

    def __init__(self, op: Any, backward: Any, args: Any, kwargs: Any) -> None:
        self.op = op()
        self.backward = backward
        self.tensors = tensors_of(args, kwargs, torch.Tensor)
        self._args = [_without(it) for it in args]
        self._kwargs = {name: _without(it) for name, it in kwargs.items()}
        self.shape: Any = None

    def arguments(self, tensors: Any) -> tuple[list[Any], dict[str, Any]]:
        """The arguments, with these tensors."""
        rest = iter(tensors)
        args = [_with(it, rest) for it in self._args]
        return args, {name: _with(it, rest) for name, it in self._kwargs.items()}


class _Hole:
    """Where a tensor was."""


_HOLE = _Hole()


def _without(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_without(it) for it in value]
    return _HOLE if isinstance(value, torch.Tensor) else value


def _with(value: Any, rest: Any) -> Any:
    if isinstance(value, list):
        return [_with(it, rest) for it in value]
    return next(rest) if value is _HOLE else value


class _Recorded(torch.autograd.Function):  # type: ignore[misc]
    """A call that autograd of PyTorch records."""

    # Not with `setup_context`, for which each call would look up a signature.
    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Any) -> Any:
        args, kwargs = call.arguments(tensors)
        with below_autograd():
            found = call.op(*args, **kwargs)
        call.shape = _without(found)
        ctx.call = call
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        return tuple(flat(found))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        call, tensors = ctx.call, ctx.saved_tensors
        needs = list(ctx.needs_input_grad[1:])
        if isinstance(call.backward, str):
            raise RuntimeError(call.backward)
        args, kwargs = call.arguments(tensors)
        found = iter(call.backward()(list(grads), needs, *args, **kwargs))
        return None, *(next(found) if need else None for need in needs)


def autograd(op: Callable[[], Any], direct: Kernel, backward: Callable[[], Any] | str) -> Kernel:
    """The kernel for autograd: it records if gradients are needed, and else hands on.

    `op` finds the operator, and `backward` that for its gradients, or is the message of the error
    that they are.
    """

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if not torch.is_grad_enabled() or not any_requires_grad(*args, *kwargs.values()):
            if keyset.raw_repr() == PLAIN:
                return direct(*args, **kwargs)
            with below_autograd():
                return op().redispatch(keyset & after_autograd, *args, **kwargs)
        if transforms_are_active():
            raise RuntimeError(
                f"`{op()}` is differentiated by `torch.autograd`, and not by `torch.func`, which "
                f"knows operators of PyTorch alone; call `torch.autograd.grad`"
            )
        call = _Call(op, backward, args, kwargs)
        found = _Recorded.apply(call, *call.tensors)
        return _shaped(call.shape, iter(found))

    return kernel


def _shaped(shape: Any, found: Any) -> Any:
    if isinstance(shape, list):
        return [_shaped(it, found) for it in shape]
    return next(found)
