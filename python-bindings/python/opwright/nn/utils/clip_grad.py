"""Gradients of all parameters: their norm, and limits to it and to their elements."""

from __future__ import annotations

from opwright import _C
from opwright._C import _linalg
from opwright._functions import with_own_name
from opwright.autograd.grad_mode import no_grad
from opwright.nn._arguments import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


@with_own_name()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale gradients down to a norm of `max_norm`, if that of all together is greater.

    Returns the `norm_type`-norm that they had. With `error_if_nonfinite`, one that is infinite or
    not a number is an error. What its dtype does not hold is a `float64`. `foreach` changes
    nothing.

        >>> p = opwright.nn.Parameter(opwright.ones(2))
        >>> (p * 3).sum().backward()
        >>> opwright.nn.utils.clip_grad_norm_([p], 1.0)
        tensor(4.2426, dtype=float32, shape=())
    """
    max_norm = number("clip_grad_norm_", "max_norm", max_norm)
    if max_norm < 0:
        raise ValueError(f"max_norm must not be negative, but got {max_norm}")
    gradients = _gradients(parameters)
    total = get_total_norm(gradients, norm_type, error_if_nonfinite)
    _scale(gradients, max_norm, total)
    return total


@with_own_name()
def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The `norm_type`-norm of all elements of tensors together; zero if there are no tensors.

    With `error_if_nonfinite`, one that is infinite or not a number is an error. What its dtype does
    not hold is a `float64`. `foreach` changes nothing. Nothing is recorded.

        >>> opwright.nn.utils.get_total_norm([opwright.tensor([3.0]), opwright.tensor([[4.0]])])
        tensor(5., dtype=float32, shape=())
    """
    given = _listed(tensors)
    # A text is "inf".
    is_text = isinstance(norm_type, str)
    order = float(norm_type) if is_text else number("get_total_norm", "norm_type", norm_type)
    if not given:
        return _C.tensor(0.0)
    with no_grad():
        norms = [_linalg.linalg_vector_norm(it, order) for it in given]
        total = _linalg.linalg_vector_norm(_C.stack(norms), order)
        if not bool(_C.isfinite(total)):
            total = _wide_norm(given, order)
    if error_if_nonfinite and not bool(_C.isfinite(total)):
        raise RuntimeError(
            f"the norm of the gradients is {total.item()}, so they cannot be scaled; leave "
            f"out error_if_nonfinite to scale them all the same"
        )
    return total


def _wide_norm(tensors: list[Tensor], norm_type: float) -> Tensor:
    """Their norm where the one in their dtype is infinite."""
    norms = []
    for it in tensors:
        wide = _C.complex128 if it.is_complex() else _C.float64
        norms.append(_linalg.linalg_vector_norm(it.to(wide), norm_type))
    return _linalg.linalg_vector_norm(_C.stack(norms), norm_type)


@with_own_name()
def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale gradients by `max_norm / total_norm`, if that is below 1.

    `total_norm` is what `get_total_norm` returned, for these parameters or more. `foreach` changes
    nothing.
    """
    limit = number("clip_grads_with_norm_", "max_norm", max_norm)
    _scale(_gradients(parameters), limit, total_norm)


def _scale(gradients: list[Tensor], max_norm: float, total: Tensor) -> None:
    with no_grad():
        factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Draw the elements of gradients to between `-clip_value` and `clip_value`.

    `foreach` changes nothing.
    """
    limit = number("clip_grad_value_", "clip_value", clip_value)
    with no_grad():
        for gradient in _gradients(parameters):
            gradient.clamp_(-limit, limit)


def clear_gradient(tensor: Tensor, set_to_none: bool) -> None:
    """Forget the gradient of a tensor, or set it to zero."""
    if set_to_none or tensor.grad is None:
        tensor.grad = None
        return
    if tensor.grad.requires_grad:
        tensor.grad = tensor.grad.detach()
    with no_grad():
        tensor.grad.zero_()


def _listed(tensors: Tensor | Iterable[Tensor]) -> list[Tensor]:
    is_one = isinstance(tensors, _C.TensorBase)
    given: Any = tensors
    return [given] if is_one else [*given]


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients that there are."""
    return [it.grad for it in _listed(parameters) if it.grad is not None]
