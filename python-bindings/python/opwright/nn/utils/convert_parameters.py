"""Parameters as one vector, and back."""

from __future__ import annotations

from opwright import _C
from opwright._functions import with_own_name
from opwright._kinds import kind
from opwright.autograd.grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opwright import Tensor


@with_own_name()
def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The elements of all parameters, one after the other.

    >>> opwright.nn.utils.parameters_to_vector([opwright.ones(2, 2), opwright.zeros(1)])
    tensor([1., 1., 1., 1., 0.], dtype=float32, shape=(5,))
    """
    return _C.cat([it.reshape(-1) for it in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Write the elements of a vector to parameters, unrecorded; it has as many as they."""
    if not isinstance(vec, _C.TensorBase):
        raise TypeError(f"vector_to_parameters(): argument 'vec' must be a Tensor, not {kind(vec)}")
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
