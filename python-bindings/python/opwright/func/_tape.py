"""Transforms over the recorded graph: inputs with histories of their own, and gradients of them.

A transform gives its function aliases of the inputs and differentiates with respect to these, so
that transforms nest: what is computed inside stays recorded for those around it, whose inputs the
aliases lead to. Below `vmap`, inputs are taken to the whole batch first, as each sample has
derivatives of its own.
"""

from __future__ import annotations

import threading

from opwright import _C
from opwright.autograd import grad as _grad

from . import _batched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Self

    from opwright import Tensor


class _Depth(threading.local):
    """How many transforms that differentiate this thread is in."""

    value = 0


_DEPTH = _Depth()


class Level:
    """A transform that differentiates: what is inside is recorded.

    Attributes:
        creates_graph: Whether what comes out has to be recorded for who is outside.
        was_recording: Whether calls were recorded outside.
    """

    def __init__(self, given: Iterable[Any]) -> None:
        was_recording = _C.is_grad_enabled()
        is_followed = _DEPTH.value > 0 or any(is_recorded(it) for it in given)
        self.creates_graph = was_recording and is_followed
        self.was_recording = was_recording
        self._inputs: list[Tensor] = []

    def __enter__(self) -> Self:
        self._before = _C._set_grad_enabled(True)
        _DEPTH.value += 1
        return self

    def __exit__(self, *_: object) -> None:
        _DEPTH.value -= 1
        _C._set_grad_enabled(self._before)

    def apart(self, tensor: Tensor) -> Tensor:
        """The same elements with a history of their own."""
        physical, levels = _batched.spread(tensor)
        is_leaf = not (self.creates_graph and physical.requires_grad)
        own = physical.detach().requires_grad_() if is_leaf else physical.view_as(physical)
        self._inputs.append(own)
        found: Tensor = _batched.wrapped(own, levels)
        return found

    def look_at(self, outputs: Iterable[Tensor]) -> None:
        """Finds out whether outputs depend on anything recorded besides the inputs.

        Functions see variables around them.
        """
        if self.was_recording and not self.creates_graph:
            own = {id(it) for it in self._inputs}
            self.creates_graph = any(
                _has_other_leaf(_batched.physical(it), own) for it in outputs if is_recorded(it)
            )

    def outcome(self, tensor: Any) -> Any:
        """What people get of a tensor that was computed inside."""
        if self.creates_graph or not is_recorded(tensor):
            return tensor
        return tensor.detach()


def is_recorded(value: Any) -> bool:
    """Whether it is a tensor whose gradients are recorded."""
    return isinstance(value, _C.TensorBase) and value.requires_grad


def is_differentiable(tensor: Any) -> bool:
    """Whether there can be gradients of the tensor."""
    return bool(tensor.is_floating_point() or tensor.is_complex())


def _has_other_leaf(output: Tensor, own: set[int]) -> bool:
    start = output.grad_fn
    if start is None:
        return id(output) not in own
    seen, left = {start}, [start]
    while left:
        node = left.pop()
        variable = getattr(node, "variable", None)
        if variable is not None and id(variable) not in own:
            return True
        for following, _ in node.next_functions:
            if following is not None and following not in seen:
                seen.add(following)
                left.append(following)
    return False


def gradients(
    outputs: Sequence[Tensor | None],
    inputs: Sequence[Tensor],
    seeds: Sequence[Tensor],
    create_graph: bool,
    keep: bool = False,
) -> list[Tensor | None]:
    """The gradients of those outputs that have any; None for an input without."""
    pairs = [
        _with_seed(output, seed)
        for output, seed in zip(outputs, seeds, strict=True)
        if is_recorded(output)
    ]
    if not pairs:
        return [None] * len(inputs)
    found = _grad(
        [output for output, _ in pairs],
        [_batched.physical(it) for it in inputs],
        [seed for _, seed in pairs],
        retain_graph=True if keep else None,
        create_graph=create_graph,
        allow_unused=True,
    )
    return [
        None if it is None else _batched.wrapped(it, _batched.levels_of(one))
        for it, one in zip(found, inputs, strict=True)
    ]


def _with_seed(output: Any, seed: Tensor) -> tuple[Tensor, Tensor]:
    """An output and its gradient over the same batches."""
    levels = _batched.union([output, seed])
    if levels == _batched.levels_of(output):
        return _batched.physical(output), _batched.expanded(seed, levels)
    return _batched.expanded(output, levels), _batched.expanded(seed, levels)


def zeros(like: Tensor) -> Tensor:
    """Zeros of the shape and dtype of a tensor, and of its batches."""
    physical = _C.zeros_like(_batched.physical(like).detach())
    found: Tensor = _batched.wrapped(physical, _batched.levels_of(like))
    return found


def seed(like: Tensor) -> Tensor:
    """Recorded zeros, in which a gradient is linear."""
    physical = _C.zeros_like(_batched.physical(like).detach()).requires_grad_()
    found: Tensor = _batched.wrapped(physical, _batched.levels_of(like))
    return found


def filled(found: Sequence[Tensor | None], like: Sequence[Tensor]) -> list[Tensor]:
    """Derivatives, zero where there is none."""
    return [zeros(one) if it is None else it for it, one in zip(found, like, strict=True)]
