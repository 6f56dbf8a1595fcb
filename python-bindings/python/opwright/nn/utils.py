"""What is done with the gradients and the values of all parameters of a model."""

from __future__ import annotations

from opwright import _C
from opwright._C import _linalg
from opwright._functions import with_own_name
from opwright.autograd.grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "parameters_to_vector",
    "vector_to_parameters",
]


@with_own_name()
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Tensor:
    """Scale gradients down to a norm of `max_norm`, if that of all together is greater.

    Returns the `norm_type`-norm that they had. With `error_if_nonfinite`, one that is infinite or
    not a number is an error. What its dtype does not hold is a `float64`.

        >>> p = opwright.nn.Parameter(opwright.ones(2))
        >>> (p * 3).sum().backward()
        >>> opwright.nn.utils.clip_grad_norm_([p], 1.0)
        tensor(4.2426, dtype=float32, shape=())
    """
    if max_norm < 0:
        raise ValueError(f"max_norm must not be negative, but got {max_norm}")
    with no_grad():
        gradients = _gradients(parameters)
        if not gradients:
            return _C.tensor(0.0)
        norms = [_linalg.linalg_vector_norm(it, norm_type) for it in gradients]
        total = _linalg.linalg_vector_norm(_C.stack(norms), norm_type)
        if not bool(_C.isfinite(total)):
            total = _wide_norm(gradients, norm_type)
        if error_if_nonfinite and not bool(_C.isfinite(total)):
            raise RuntimeError(
                f"the norm of the gradients is {total.item()}, so they cannot be scaled; leave "
                f"out error_if_nonfinite to scale them all the same"
            )
        factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
    return total


def _wide_norm(gradients: list[Tensor], norm_type: float) -> Tensor:
    """Their norm where the one in their dtype is infinite."""
    norms = []
    for it in gradients:
        wide = _C.complex128 if it.is_complex() else _C.float64
        norms.append(_linalg.linalg_vector_norm(it.to(wide), norm_type))
    return _linalg.linalg_vector_norm(_C.stack(norms), norm_type)


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float) -> None:
    """Draw the elements of gradients to between `-clip_value` and `clip_value`."""
    with no_grad():
        for gradient in _gradients(parameters):
            gradient.clamp_(-clip_value, clip_value)


@with_own_name()
def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters, one after the other.

    >>> opwright.nn.utils.parameters_to_vector([opwright.ones(2, 2), opwright.zeros(1)])
    tensor([1., 1., 1., 1., 0.], dtype=float32, shape=(5,))
    """
    return _C.cat([it.reshape(-1) for it in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Write the elements of a vector to parameters, unrecorded; it has as many as they."""
    given = [*parameters]
    count = sum(it.numel() for it in given)
    if vec.shape != (count,):
        raise ValueError(
            f"vector_to_parameters(): argument 'vec' must have the shape [{count}], for all "
            f"elements of the parameters, but has {list(vec.shape)}"
        )
    with no_grad():
        parts: Any = vec.split([it.numel() for it in given])
        for parameter, part in zip(given, parts, strict=True):
            parameter.copy_(part.reshape(parameter.shape))


def clear_gradient(tensor: Tensor, set_to_none: bool) -> None:
    """Forget the gradient of a tensor, or set it to zero."""
    if set_to_none or tensor.grad is None:
        tensor.grad = None
        return
    if tensor.grad.requires_grad:
        tensor.grad = tensor.grad.detach()
    with no_grad():
        tensor.grad.zero_()


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients that there are."""
    given: Any = [parameters] if isinstance(parameters, _C.TensorBase) else parameters
    return [it.grad for it in given if it.grad is not None]
