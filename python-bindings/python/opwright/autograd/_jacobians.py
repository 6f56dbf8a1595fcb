"""Jacobians of functions, by differences and by passes, for `gradcheck`.

Matrices have a row for each component of an output and a column for each element of an input. A
complex output has twice as many components: the real parts, then the imaginary parts. Entries of
a complex input are the derivative along the real axis plus `i` times that along the imaginary one,
as gradients are.
"""

from __future__ import annotations

from opwright import _C
from opwright.autograd import grad as _grad
from opwright.autograd.grad_mode import enable_grad, no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from opwright import Tensor

# The outputs of a call that count, by their places among all.
_Places = list[int]


class Trial:
    """A function and copies of its inputs, which can be changed and have gradients of their own."""

    def __init__(self, func: Callable[..., Any], inputs: Sequence[Any]) -> None:
        self._func = func
        copies: dict[int, Tensor] = {}
        self.inputs = tuple(_copied(it, copies) for it in inputs)
        self.places = [at for at, it in enumerate(self.inputs) if is_learnt(it)]
        self.learnt: list[Tensor] = [self.inputs[at] for at in self.places]

    def outputs(self) -> list[Any]:
        """What the function returns, recorded."""
        with enable_grad():
            found = self._func(*self.inputs)
        return list(found) if isinstance(found, tuple | list) else [found]

    def tangents(self, given: Tensor, direction: Tensor, places: _Places) -> list[Tensor]:
        """The tangents of outputs where an input moves in a direction, zero where there is none."""
        from opwright.autograd import forward_ad

        with forward_ad.dual_level():
            dual = forward_ad.make_dual(given.detach(), direction)
            found = self._func(*(dual if it is given else it for it in self.inputs))
            found = list(found) if isinstance(found, tuple | list) else [found]
            tangents = [forward_ad.unpack_dual(found[at]).tangent for at in places]
        return [
            _C.zeros_like(found[at].detach()) if it is None else it
            for at, it in zip(places, tangents, strict=True)
        ]

    def differentiable(self) -> _Places:
        """Which outputs have gradients."""
        return [at for at, it in enumerate(self.outputs()) if is_learnt(it)]

    def continuous(self) -> _Places:
        """Which outputs have elements that can change little by little."""
        return [at for at, it in enumerate(self.outputs()) if _is_continuous(it)]

    def recorded(self, places: _Places) -> list[Tensor]:
        """Outputs of a new call."""
        outputs = self.outputs()
        return [outputs[at] for at in places]


def is_learnt(value: Any) -> bool:
    """Whether it is a tensor whose gradients are recorded."""
    return isinstance(value, _C.TensorBase) and value.requires_grad


def _is_continuous(value: Any) -> bool:
    return isinstance(value, _C.TensorBase) and (value.is_floating_point() or value.is_complex())


def _copied(value: Any, copies: dict[int, Tensor]) -> Any:
    """A copy of a tensor, the same for the same tensor; other things as they are."""
    if not isinstance(value, _C.TensorBase):
        return value
    if id(value) not in copies:
        copy = value.detach().clone()
        copies[id(value)] = copy.requires_grad_() if value.requires_grad else copy
    return copies[id(value)]


# --- by differences --------------------------------------------------------------


def by_differences(trial: Trial, given: Tensor, places: _Places, eps: float) -> list[Tensor]:
    """For each output the matrix of `(f(x + eps) - f(x - eps)) / (2 * eps)`."""
    from itertools import product

    # The same memory: the function sees what is written.
    values = given.detach()
    columns = []
    for place in product(*map(range, values.shape)):
        column = _slopes(trial, values, place, eps, places)
        if given.is_complex():
            imaginary = _slopes(trial, values, place, eps * 1j, places)
            column = [_C.complex(*pair) for pair in zip(column, imaginary, strict=True)]
        columns.append(column)
    if columns:
        return [_C.stack(it, 1) for it in zip(*columns, strict=True)]
    return [_components(it).reshape(-1, 1)[:, :0] for it in trial.recorded(places)]


def _slopes(
    trial: Trial, values: Tensor, place: tuple[int, ...], step: complex, places: _Places
) -> list[Tensor]:
    """How fast all outputs change with one element."""
    before = values[place].item()

    def move(times: int) -> None:
        values[place] = before + times * step

    return _difference(trial, move, abs(step), places)


def _difference(
    trial: Trial, move: Callable[[int], None], step: float, places: _Places
) -> list[Tensor]:
    """How fast outputs change when something is moved, which is then put back."""
    ends = []
    try:
        for times in (1, -1):
            with no_grad():
                move(times)
            ends.append([_components(it) for it in trial.recorded(places)])
    finally:
        with no_grad():
            move(0)
    return [(up - down) / (2 * step) for up, down in zip(*ends, strict=True)]


def _components(output: Tensor) -> Tensor:
    """All components of an output, in double precision."""
    flat = output.detach().reshape(-1)
    if flat.is_complex():
        flat = _C.cat([flat.real, flat.imag])
    # An output may share memory with an input, which is going to change.
    return flat.to(_C.float64, copy=True)


# --- by tangents ------------------------------------------------------------------------


def by_tangents(trial: Trial, given: Tensor, places: _Places) -> list[Tensor]:
    """For each output the matrix of what forward mode gives, as that of differences."""
    columns = []
    for seed in _C.eye(given.numel(), dtype=given.dtype).unbind():
        direction = seed.reshape(given.shape)
        column = slope_by_tangents(trial, given, direction, places)
        if given.is_complex():
            imaginary = slope_by_tangents(trial, given, direction * 1j, places)
            column = [_C.complex(*pair) for pair in zip(column, imaginary, strict=True)]
        columns.append(column)
    if columns:
        return [_C.stack(it, 1) for it in zip(*columns, strict=True)]
    return [_components(it).reshape(-1, 1)[:, :0] for it in trial.recorded(places)]


# --- by passes ----------------------------------------------------------------------


def by_passes(trial: Trial, output: Tensor) -> list[Tensor]:
    """For each input the matrix of the gradients of an output."""
    rows = [
        _gradients(trial, output, seed.reshape(output.shape))
        for seed in _seeds(output.numel(), output)
    ]
    if rows:
        return [_C.stack(it) for it in zip(*rows, strict=True)]
    return [_row(None, it).reshape(1, -1)[:0] for it in trial.learnt]


def _seeds(count: int, output: Tensor) -> Iterator[Tensor]:
    """Gradients of an output that ask for one of its components after the other."""
    for unit in (1.0, 1j) if output.is_complex() else (1.0,):
        for at in range(count):
            seed = _C.zeros(count, dtype=output.dtype, device=output.device)
            seed[at] = unit
            yield seed


def _gradients(trial: Trial, output: Tensor, seed: Tensor) -> list[Tensor]:
    """The rows that a pass gives, one for each input."""
    found = gradients([output], trial.learnt, [seed])
    return [_row(it, one) for it, one in zip(found, trial.learnt, strict=True)]


def gradients(
    outputs: Sequence[Tensor], inputs: Sequence[Tensor], seeds: Sequence[Tensor]
) -> tuple[Tensor | None, ...]:
    """The gradients of a pass that can be repeated; None for an input that gets none."""
    return _grad(outputs, inputs, seeds, retain_graph=True, allow_unused=True)


def _row(gradient: Tensor | None, given: Tensor) -> Tensor:
    if gradient is None:
        gradient = _C.zeros_like(given)
    double = _C.complex128 if given.is_complex() else _C.float64
    return gradient.detach().to(double).reshape(-1)


# --- along random directions ------------------------------------------------------------


class Directions:
    """Random tensors of length 1, the same in every check."""

    def __init__(self) -> None:
        self._generator = _C.Generator().manual_seed(0)

    def like(self, tensor: Tensor) -> Tensor:
        """One of the shape and dtype of a tensor."""
        shape = tuple(tensor.shape)
        parts = [
            _C.randn(shape, generator=self._generator, dtype=_C.float64)
            for _ in range(1 + tensor.is_complex())
        ]
        found = parts[0] if len(parts) == 1 else _C.complex(*parts)
        length = found.abs().square().sum().sqrt().item() or 1.0
        return (found / length).to(tensor.dtype)


def slope_by_differences(
    trial: Trial, given: Tensor, direction: Tensor, places: _Places, eps: float
) -> list[Tensor]:
    """For each output how fast its components change when an input moves in a direction."""
    values = given.detach()
    before = values.clone()

    def move(times: int) -> None:
        values.copy_(before + direction * (times * eps))

    return _difference(trial, move, eps, places)


def slope_by_tangents(
    trial: Trial, given: Tensor, direction: Tensor, places: _Places
) -> list[Tensor]:
    """For each output how fast its components change by forward mode, as by differences."""
    return [_components(it) for it in trial.tangents(given, direction, places)]


def along(components: Tensor, direction: Tensor) -> float:
    """The part of an output's change that goes in a direction."""
    return float((components * _components(direction)).sum().item())


def slope_by_pass(gradient: Tensor | None, direction: Tensor) -> float:
    """How fast something with this gradient changes when its input moves in a direction."""
    if gradient is None:
        return 0.0
    return along(_components(gradient), direction)
