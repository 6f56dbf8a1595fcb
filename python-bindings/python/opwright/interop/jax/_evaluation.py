"""Calls on tensors: an operator, batches of it, and derivatives by its gradient."""

from __future__ import annotations

from functools import lru_cache

from ... import _C, autograd
from ..._tensor import Tensor
from ._arguments import Template, name_of
from ._calls import PULLBACK, PUSHFORWARD
from ._formulas import pullback
from ._randomness import drawless
from ._results import flat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._calls import Call, Step

    _Function = Callable[[Sequence[Tensor]], list[Any]]


@lru_cache(maxsize=4096)
def function_of(call: Call) -> _Function:
    """What a call stands for, as a function of tensors; numbers among the results stay numbers."""
    function = _operator(call)
    for mask in call.batches:
        function = _batched(function, mask, call.is_random())
    if call.may_write():
        function = _on_copies(call, function)
    if call.steps and call.is_random():
        function = drawless(call.operator, function)
    for at, step in enumerate(call.steps, 1):
        make = _pushforward if step.kind == PUSHFORWARD else _pullback
        function = make(function, step, is_recorded=at < len(call.steps))
    if not call.steps:
        return _untracked(function)
    is_gradient = not call.batches and [it.kind for it in call.steps] == [PULLBACK]
    is_checked = call.is_random() or call.may_write()
    return _by_formula(call, function) if is_gradient and not is_checked else function


def _by_formula(call: Call, recorded: _Function) -> _Function:
    count = len(call.steps[0].outputs)

    def gradient(tensors: Sequence[Tensor]) -> list[Any]:
        seeds = [_conjugate(it) for it in tensors[-count:]]
        found = pullback(call, [*tensors[:-count], *seeds])
        return recorded(tensors) if found is None else [_conjugate(it) for it in found]

    return gradient


def _untracked(function: _Function) -> _Function:
    def untracked(tensors: Sequence[Tensor]) -> list[Any]:
        with autograd.no_grad():
            return function(tensors)

    return untracked


def _operator(call: Call) -> _Function:
    row, template = call.row, Template(call.arguments)
    return lambda tensors: flat(row(**template.filled(tensors)))


def _on_copies(call: Call, function: _Function) -> _Function:
    """A function of arrays, which are immutable, so that what it would write is refused."""

    def copied(tensors: Sequence[Tensor]) -> list[Any]:
        copies = [it.clone() for it in tensors]
        results = function(copies)
        written = [name_of(call.arguments, at) for at, it in enumerate(copies) if it._version]
        if written:
            raise TypeError(
                f"{call.operator}() writes to `{written[0]}` here, and arrays of JAX are "
                "immutable; wrap an operator that returns what this one writes"
            )
        return results

    return copied


def _batched(function: _Function, mask: tuple[bool, ...], is_random: bool) -> _Function:
    # There in the reference module alone.
    from ...func import vmap

    in_dims = tuple(0 if it else None for it in mask)
    randomness = "different" if is_random else "error"
    batched = vmap(lambda *tensors: function(tensors), in_dims, randomness=randomness)
    return lambda tensors: list(batched(*tensors))


def _pullback(function: _Function, step: Step, is_recorded: bool) -> _Function:
    """The gradient; JAX takes the transpose, and ours is its conjugate."""

    def pulled(tensors: Sequence[Tensor]) -> list[Any]:
        count = len(tensors) - len(step.outputs)
        with autograd.enable_grad():
            inputs, chosen = _recorded(tensors[:count], step)
            outputs = _chosen(function(inputs), step)
            seeds = [_conjugate(it) for it in tensors[count:]]
            pairs = [
                (it, _like(seed, it))
                for it, seed in zip(outputs, seeds, strict=True)
                if it.requires_grad
            ]
            found = _gradients(pairs, chosen, is_recorded)
        return [_conjugate(it) for it in found]

    return pulled


def _pushforward(function: _Function, step: Step, is_recorded: bool) -> _Function:
    """The derivative of the gradient by its seed, in which it is linear."""

    def pushforward(tensors: Sequence[Tensor]) -> list[Any]:
        count = len(tensors) - len(step.inputs)
        with autograd.enable_grad():
            inputs, chosen = _recorded(tensors[:count], step)
            outputs = _chosen(function(inputs), step)
            seeds = [_zeros(it).requires_grad_(True) for it in outputs]
            pairs = [
                (it, seed) for it, seed in zip(outputs, seeds, strict=True) if it.requires_grad
            ]
            gradients = _gradients(pairs, chosen, is_recorded=True)
            pushed = [
                (it, _like(tangent, it))
                for it, tangent in zip(gradients, tensors[count:], strict=True)
                if it.requires_grad
            ]
            return _gradients(pushed, seeds, is_recorded)

    return pushforward


def _recorded(primals: Sequence[Tensor], step: Step) -> tuple[list[Tensor], list[Tensor]]:
    """The inputs, of which those that derivatives are taken by are recorded, and these."""
    inputs = list(primals)
    for at in step.inputs:
        if not inputs[at].requires_grad:
            inputs[at] = _alias(inputs[at]).requires_grad_(True)
    return inputs, [inputs[at] for at in step.inputs]


def _alias(tensor: Tensor) -> Tensor:
    """Another tensor over the same memory: what is recorded of it does not show elsewhere."""
    alias: Tensor = tensor.data
    return alias


def _chosen(outputs: list[Any], step: Step) -> list[Any]:
    return [outputs[at] for at in step.outputs]


def _gradients(
    pairs: Sequence[tuple[Any, Any]], inputs: Sequence[Tensor], is_recorded: bool
) -> list[Tensor]:
    """The sum of gradients of outputs with these seeds; zeros where none depends on an input."""
    if not pairs:
        return [_zeros(it) for it in inputs]
    outputs, seeds = [it for it, _ in pairs], [it for _, it in pairs]
    found = _C._grad(outputs, list(inputs), seeds, True, is_recorded, True)
    return [_zeros(one) if it is None else it for it, one in zip(found, inputs, strict=True)]


def _zeros(tensor: Tensor) -> Tensor:
    zeros = tensor.new(tensor.shape)
    zeros.untyped_storage().fill_(0)
    return zeros


def _like(seed: Tensor, output: Tensor) -> Tensor:
    """A seed of the dtype of its output, which JAX may have without its 64 bits."""
    return seed if seed.dtype == output.dtype else seed.to(output.dtype)


def _conjugate(tensor: Tensor) -> Tensor:
    return tensor.conj() if tensor.dtype.is_complex else tensor
