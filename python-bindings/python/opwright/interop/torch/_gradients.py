"""Gradients: the backward pass of an operator is an operator of its own.

`mul_backward.Tensor(Tensor?[] grad_outputs, bool[] needs_input_grad, …)` takes the arguments of
`mul.Tensor`, records the call once more, and returns the gradients of the arguments that need them.
That operator has one in its turn, so that gradients can be differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import torch

from ... import _C
from ..._tensor import Tensor
from ...autograd.grad_mode import enable_grad
from . import _kernels, _values
from ._kernels import Kernel
from ._private import (
    PLAIN,
    SingleLevelFunction,
    after_autograd,
    allow_single_level,
    any_requires_grad,
    below_autograd,
    forward_ad,
    is_single_level_allowed,
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
        is_recorded = _C.is_grad_enabled() and any(
            it.requires_grad for it in tensors_of((grads, *args), kwargs, Tensor)
        )
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


@dataclass(frozen=True)
class Derivative:
    """The operator for the gradients of another one."""

    # It finds the operator.
    op: Callable[[], Any]
    # That of this operator in its turn.
    derivative: Differentiate


# It returns a derivative, or raises an error that says why there is none.
Differentiate = Callable[[], Derivative]


def once(build: Differentiate) -> Differentiate:
    """A derivative that is registered when it is first needed, by one of the threads that do."""
    lock = Lock()
    found: list[Derivative] = []

    def derivative() -> Derivative:
        with lock:
            if not found:
                found.append(build())
            return found[0]

    return derivative


def no_derivative(reason: str) -> Differentiate:
    """What raises an error instead of returning a derivative."""

    def fail() -> Derivative:
        raise RuntimeError(reason)

    return fail


class _Call:
    """A call whose tensors are taken out, to be saved by autograd."""

    def __init__(
        self, op: Any, derivative: Differentiate, keyset: Any, args: Any, kwargs: Any
    ) -> None:
        self._op = op()
        self.derivative = derivative
        self._keyset = keyset
        self.tensors = tensors_of(args, kwargs, torch.Tensor)
        self._args = [_without(it) for it in args]
        self._kwargs = {name: _without(it) for name, it in kwargs.items()}
        self.shape: Any = None

    def below(self, args: Any, kwargs: Any) -> Any:
        """Calls what is below autograd; other transforms of `torch.func` record it, too."""
        keyset = self._keyset & after_autograd
        with below_autograd():
            if not transforms_are_active():
                return self._op.redispatch(keyset, *args, **kwargs)
            with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                return self._op.redispatch(keyset, *args, **kwargs)

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


class _Recording:
    """What autograd of PyTorch does with a call."""

    # Not with `setup_context`, for which each call would look up a signature.
    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Any) -> Any:
        args, kwargs = call.arguments(tensors)
        found = call.below(args, kwargs)
        call.shape = _without(found)
        ctx.call = call
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        results = tuple(flat(found))
        if forward_ad._current_level >= 0:
            # Whether there are tangents is no longer known here.
            ctx.save_for_forward(*tensors, *results)
        return results

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        call, tensors = ctx.call, ctx.saved_tensors
        needs = list(ctx.needs_input_grad[1:])
        backward = call.derivative().op()
        args, kwargs = call.arguments(tensors)
        found = iter(backward(list(grads), needs, *args, **kwargs))
        return None, *(next(found) if need else None for need in needs)

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
        """The tangents of the results.

        Gradients are linear in those of the results, and the gradient of that function is its
        transpose: what takes tangents of the arguments to those of the results.
        """
        call, saved = ctx.call, ctx.saved_tensors
        tensors, results = saved[: len(tangents)], saved[len(tangents) :]
        args, kwargs = call.arguments(tensors)
        needs = [it is not None for it in tangents]
        moving = [it.is_floating_point() or it.is_complex() for it in results]
        seeds = [
            torch.zeros_like(it) if moves else None
            for it, moves in zip(results, moving, strict=True)
        ]
        transpose = call.derivative().derivative().op()
        wanted = [True] * sum(moving) + [False] * len(tensors)
        given = [it for it in tangents if it is not None]
        found = iter(transpose(given, wanted, seeds, needs, *args, **kwargs))
        return tuple(next(found) if moves else None for moves in moving)


class _Recorded(_Recording, torch.autograd.Function):  # type: ignore[misc]
    """A call that autograd of PyTorch records."""


class _Transformed(_Recording, SingleLevelFunction):  # type: ignore[misc]
    """A call that the innermost transform of `torch.func` records, and no other."""


def autograd(op: Callable[[], Any], direct: Kernel, derivative: Differentiate) -> Kernel:
    """The kernel for autograd: it records if gradients are needed, and else hands on.

    `op` finds the operator.
    """

    def kernel(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_recorded(args, kwargs):
            if keyset.raw_repr() == PLAIN:
                return direct(*args, **kwargs)
            with below_autograd():
                return op().redispatch(keyset & after_autograd, *args, **kwargs)
        call = _Call(op, derivative, keyset, args, kwargs)
        found = iter(_apply(call))
        return _shaped(call.shape, found)

    return kernel


def is_recorded(args: Any, kwargs: Any) -> bool:
    """Whether autograd records a call: an argument needs a gradient, or has a tangent."""
    if torch.is_grad_enabled() and any_requires_grad(*args, *kwargs.values()):
        return True
    return has_tangents() and any(
        forward_ad.unpack_dual(it).tangent is not None
        for it in tensors_of(args, kwargs, torch.Tensor)
    )


def has_tangents() -> bool:
    """Whether tensors may have tangents that count."""
    return forward_ad._current_level >= 0 and bool(forward_ad._is_fwd_grad_enabled())


def _apply(call: _Call) -> Any:
    if not transforms_are_active():
        return _Recorded.apply(call, *call.tensors)
    before = is_single_level_allowed()
    allow_single_level(True)
    try:
        return _Transformed.apply(call, *call.tensors)
    finally:
        allow_single_level(before)


def _shaped(shape: Any, found: Any) -> Any:
    if isinstance(shape, list):
        return [_shaped(it, found) for it in shape]
    return next(found)
