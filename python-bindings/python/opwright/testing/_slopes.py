"""Gradients of modules that have no operators to calculate with, compared with differences.

What `gradcheck` does with tensors is done with lists here, and for real numbers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

# How far elements are moved, and by how much slopes may differ.
_STEP = 1e-6
_TOLERANCE = 1e-4

Function = Callable[..., Sequence[Any]]


def check(native: ModuleType, function: Function, inputs: Sequence[Any]) -> None:
    """Compares the gradients of a function of some leaves.

    Raises:
        ArithmeticError: A gradient differs from the difference of results.
    """
    outputs = list(function(*inputs))
    learnt = [at for at, it in enumerate(outputs) if it.requires_grad]
    for number, tensor in enumerate(inputs):
        for place in _places(tensor.tolist()):
            slopes = _slopes(native, function, inputs, number, place)
            for at in learnt:
                gradients = _gradients(native, outputs[at], tensor)
                for slope, gradient in zip(slopes[at], gradients, strict=True):
                    found = _element(gradient, place)
                    if abs(found - slope) > _TOLERANCE * (1 + abs(slope)):
                        where = f"output {at} with respect to {list(place)} of input {number}"
                        raise ArithmeticError(f"{where}: a pass says {found}, results {slope}")


def gradients_of(native: ModuleType, function: Function, count: int) -> Function:
    """The gradients of a function of so many leaves, of these and of those of the outputs."""

    def recorded(*inputs: Any) -> Sequence[Any]:
        leaves, seeds = inputs[:count], inputs[count:]
        outputs = [it for it in function(*leaves) if it.requires_grad]
        found = native._grad(outputs, list(leaves), list(seeds), True, True, True)
        return [it for it in found if it is not None]

    return recorded


def seeds(native: ModuleType, function: Function, inputs: Sequence[Any]) -> list[Any]:
    """Gradients of the outputs to begin with, which require gradients themselves."""
    outputs = [it for it in function(*inputs) if it.requires_grad]
    ones = [_mapped(it.tolist(), lambda _: 1.0) for it in outputs]
    return [native.tensor(it, dtype=native.float64).requires_grad_() for it in ones]


def _slopes(
    native: ModuleType,
    function: Function,
    inputs: Sequence[Any],
    number: int,
    place: tuple[int, ...],
) -> list[list[float]]:
    """How fast the elements of each output change with an element of an input."""
    ends = []
    for step in (_STEP, -_STEP):
        moved = list(inputs)
        values = _moved(inputs[number].tolist(), place, step)
        moved[number] = native.tensor(values, dtype=native.float64).requires_grad_()
        ends.append([list(_flat(it.tolist())) for it in function(*moved)])
    return [
        [(up - down) / (2 * _STEP) for up, down in zip(*pair, strict=True)]
        for pair in zip(*ends, strict=True)
    ]


def _gradients(native: ModuleType, output: Any, tensor: Any) -> Iterator[Any]:
    """What passes give for a tensor, for each element of an output."""
    zeros = _mapped(output.tolist(), lambda _: 0.0)
    for place in _places(zeros):
        seed = native.tensor(_moved(zeros, place, 1.0), dtype=native.float64)
        (found,) = native._grad([output], [tensor], [seed], True, False, True)
        yield _mapped(tensor.tolist(), lambda _: 0.0) if found is None else found.tolist()


def _places(values: Any) -> Iterator[tuple[int, ...]]:
    """The indices of all elements."""
    if not isinstance(values, list):
        yield ()
        return
    for at, part in enumerate(values):
        yield from ((at, *place) for place in _places(part))


def _element(values: Any, place: tuple[int, ...]) -> float:
    for at in place:
        values = values[at]
    return float(values)


def _moved(values: Any, place: tuple[int, ...], step: float) -> Any:
    """The same but for an element."""
    if not place:
        return values + step
    first, *rest = place
    return [_moved(it, tuple(rest), step) if at == first else it for at, it in enumerate(values)]


def _mapped(values: Any, change: Callable[[float], float]) -> Any:
    return [_mapped(it, change) for it in values] if isinstance(values, list) else change(values)


def _flat(values: Any) -> Iterator[float]:
    if isinstance(values, list):
        for it in values:
            yield from _flat(it)
    else:
        yield values
