"""Activations that are compositions of operators."""

from __future__ import annotations

from opwright import _C
from opwright._functions import in_place_of, with_own_name
from opwright.autograd.grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

__all__ = ["gumbel_softmax", "rrelu", "softmin", "softsign", "tanhshrink"]


@with_own_name()
def softsign(input: Tensor) -> Tensor:
    """`x / (1 + |x|)`.

    >>> opwright.nn.functional.softsign(opwright.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.5000,  0.0000,  0.7500], dtype=float32, shape=(3,))
    """
    return input / (input.abs() + 1)


@with_own_name()
def tanhshrink(input: Tensor) -> Tensor:
    """`x - tanh(x)`.

    >>> opwright.nn.functional.tanhshrink(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.2384], dtype=float32, shape=(2,))
    """
    return input - input.tanh()


@with_own_name()
def softmin(input: Tensor, dim: int | None = None, dtype: _C._DType | None = None) -> Tensor:
    """`softmax` of `-input` along a dimension.

    Without `dim` it is the first of one or three dimensions, and else the second, which is
    deprecated.

        >>> opwright.nn.functional.softmin(opwright.tensor([1.0, 1.0]), dim=0)
        tensor([0.5000, 0.5000], dtype=float32, shape=(2,))
    """
    if dim is None:
        dim = implicit_dim("softmin", input, stacklevel=4)
    return _C.softmax(-input, dim, dtype)


def implicit_dim(name: str, input: Tensor, stacklevel: int) -> int:
    """The dimension that is meant where none is given, which is deprecated."""
    from warnings import warn

    message = f"{name}(): give 'dim': to do without is deprecated"
    warn(message, DeprecationWarning, stacklevel=stacklevel)
    return 0 if input.ndim in (0, 1, 3) else 1


@in_place_of(_C.rrelu)
@with_own_name(self="input")
def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """`x` where it is positive, and elsewhere `x` times a random number from `lower` to `upper`.

    It is the middle of these unless `training` is true.

        >>> opwright.nn.functional.rrelu(opwright.tensor([-2.0, 2.0]), 0.25, 0.75)
        tensor([-1.,  2.], dtype=float32, shape=(2,))
    """
    result = _C.rrelu(input, lower, upper, training)
    return input.copy_(result) if inplace else result


@with_own_name()
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random draw of the categories along `dim`, softened so that it has a gradient.

    `tau` is the temperature: the lower, the nearer to a draw. With `hard` the result is one of 0
    and 1, with the gradient of the softened one (E. Jang et al., "Categorical reparameterization
    with Gumbel-softmax", 2017). `eps` has no effect.

        >>> opwright.nn.functional.gumbel_softmax(opwright.zeros(4), hard=True).sum()
        tensor(1., dtype=float32, shape=())
    """
    with no_grad():
        noise = -_C.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    chosen = soft.max(dim, keepdim=True)[1]
    drawn = _C.zeros_like(logits).scatter_(dim, chosen, 1.0)
    return drawn - soft.detach() + soft
