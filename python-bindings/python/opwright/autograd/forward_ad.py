"""Forward mode for code that computes with dual numbers: tensors that carry a tangent.

    >>> forward_ad = opwright.autograd.forward_ad
    >>> x = opwright.tensor([1.0, 2.0])
    >>> with forward_ad.dual_level():
    ...     dual = forward_ad.make_dual(x, opwright.tensor([1.0, 0.0]))
    ...     forward_ad.unpack_dual(dual * dual).tangent
    tensor([2., 0.], dtype=float32, shape=(2,))

Inside of a level calls are recorded, and a tangent is computed when it is asked for: by a pass
backward that is recorded, and one through that. So a dual tensor requires gradients, and no tangent
goes through what `no_grad` inside of a level keeps from being recorded, or through an operator that
cannot be differentiated twice. `opwright.func.jvp` takes the function instead of its results.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from opwright import _C
from opwright.autograd.grad_mode import _Mode
from opwright.func._forward import Pushforward
from opwright.func._tape import is_differentiable, is_recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


class _Duals:
    """The dual tensors that were made in a level."""

    def __init__(self) -> None:
        self.was_recording: bool = _C._set_grad_enabled(True)
        self.primals: list[Tensor] = []
        self.tangents: list[Tensor] = []
        self.is_followed = False


class _Entered(threading.local):
    level: _Duals | None = None


_ENTERED = _Entered()


class UnpackedDualTensor(NamedTuple):
    """A tensor and its tangent, None if it has none."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Begin a level and return its number; there is one at a time."""
    if _ENTERED.level is not None:
        raise RuntimeError(
            "Nested forward mode AD is not supported at the moment; nest opwright.func.jvp instead"
        )
    _ENTERED.level = _Duals()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level: its dual tensors have no tangents any more."""
    current = _level("exit_dual_level", level)
    _ENTERED.level = None
    _C._set_grad_enabled(current.was_recording)


class dual_level(_Mode):  # noqa: N801
    """A level in which dual tensors can be made: `with dual_level():`."""

    __slots__ = ()

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *_: object) -> None:
        exit_dual_level()


def _level(name: str, level: int | None) -> _Duals:
    if _ENTERED.level is None:
        raise RuntimeError(
            f"{name}(): Trying to use forward AD outside of a level: call it inside of "
            f"`with dual_level():`"
        )
    if level not in (None, -1, 0):
        raise RuntimeError(f"{name}(): argument 'level' must be 0, the only level, not {level}")
    return _ENTERED.level


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """Return a copy of `tensor` that carries `tangent`, which has its shape and dtype."""
    current = _level("make_dual", level)
    for name, one in (("tensor", tensor), ("tangent", tangent)):
        if not isinstance(one, _C.TensorBase):
            raise TypeError(
                f"make_dual(): argument '{name}' must be Tensor, not {type(one).__name__}"
            )
    if not is_differentiable(tensor):
        raise ValueError(
            f"Expected primal to be floating point or complex, but got: {tensor.dtype}"
        )
    if not is_differentiable(tangent):
        raise ValueError(
            f"Expected tangent to be floating point or complex, but got: {tangent.dtype}"
        )
    if tangent.shape != tensor.shape or tangent.dtype != tensor.dtype:
        raise RuntimeError(
            f"make_dual(): the tangent has shape {list(tangent.shape)} and dtype {tangent.dtype}, "
            f"and the tensor {list(tensor.shape)} and {tensor.dtype}"
        )
    # No leaf, so that it can be written to as any other tensor.
    start = tensor if tensor.requires_grad else tensor.detach().requires_grad_()
    start = start.view_as(start)
    current.is_followed |= tensor.requires_grad or tangent.requires_grad
    current.primals.append(start)
    current.tangents.append(tangent)
    return start.clone()


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """Return the tensor without its tangent, and the tangent; outside of a level there is none."""
    current = _ENTERED.level
    if current is None:
        return UnpackedDualTensor(tensor, None)
    _level("unpack_dual", level)
    primal = tensor if current.is_followed else tensor.detach()
    if not is_recorded(tensor) or not current.primals:
        return UnpackedDualTensor(primal, None)
    derivative = Pushforward([tensor], current.primals)
    if not derivative.depends():
        return UnpackedDualTensor(tensor, None)
    (tangent,) = derivative(current.tangents, current.is_followed)
    return UnpackedDualTensor(primal, tangent)
