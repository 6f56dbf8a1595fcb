"""Normalizations with the parameters that people know, which check what operators leave alone."""

from __future__ import annotations

from math import prod

from opwright import _C
from opwright._C import _linalg, _nn
from opwright._functions import in_place_of, with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

__all__ = ["batch_norm", "group_norm", "instance_norm", "local_response_norm", "normalize"]


def _check_several(what: str, count: int, input: Tensor) -> None:
    """Refuses to normalize single elements, of which nothing but 0 would be left."""
    if count == 1:
        raise ValueError(
            f"Expected more than 1 {what} when training, got input size {list(input.shape)}"
        )


@in_place_of(_C.batch_norm)
@with_own_name()
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel, the second dimension, brought to mean 0 and variance 1.

    Then it is multiplied by its number of `weight`, and that of `bias` is added. While `training`,
    mean and variance are those of the batch, and move the running ones by `momentum`; else they are
    the running ones.

        >>> opwright.nn.functional.batch_norm(
        ...     opwright.tensor([[1.0], [3.0]]), None, None, training=True, eps=0.0
        ... )
        tensor([[-1.],
                [ 1.]], dtype=float32, shape=(2, 1))
    """
    if training:
        shape = tuple(input.shape)
        _check_several("value per channel", prod((*shape[:1], *shape[2:])), input)
    return _C.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, True
    )


@in_place_of(_C.instance_norm)
@with_own_name()
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """`batch_norm` of each element of a batch for itself.

    >>> opwright.nn.functional.instance_norm(opwright.tensor([[[1.0, 3.0]]]), eps=0.0)
    tensor([[[-1.,  1.]]], dtype=float32, shape=(1, 1, 2))
    """
    if use_input_stats:
        _check_several("spatial element", prod(tuple(input.shape)[2:]), input)
    return _C.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
    )


@in_place_of(_C.group_norm)
@with_own_name()
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The channels in groups, each of which is brought to mean 0 and variance 1.

    Then each channel is multiplied by its number of `weight`, and that of `bias` is added.

        >>> opwright.nn.functional.group_norm(opwright.tensor([[1.0, 3.0, 2.0, 6.0]]), 2, eps=0.0)
        tensor([[-1.,  1., -1.,  1.]], dtype=float32, shape=(1, 4))
    """
    if input.ndim < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.ndim}"
        )
    batch, channels, *rest = input.shape
    if num_groups:
        _check_several("value per channel", prod((batch * channels // num_groups, *rest)), input)
    return _C.group_norm(input, num_groups, weight, bias, eps)


@with_own_name()
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """The input over `(k + alpha * m)**beta`, for the mean `m` of squares of `size` channels.

    >>> opwright.nn.functional.local_response_norm(opwright.ones(1, 2, 1), 1, 3.0, 1.0, 1.0)
    tensor([[[0.2500],
             [0.2500]]], dtype=float32, shape=(1, 2, 1))
    """
    if input.ndim < 3:
        raise ValueError(
            f"expected 3D or higher dimensionality input (got {input.ndim} dimensions)"
        )
    if not input.numel():
        return input
    batch, channels, *rest = input.shape
    squares = (input * input).reshape(batch, 1, channels, prod(rest))
    squares = _nn.pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = _nn.avg_pool2d(squares, (size, 1), 1).reshape(input.shape)
    return input / (means * alpha + k) ** beta


@with_own_name(self="input")
def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Tensor:
    """Rows along `dim` over their `p`-norms, which count as `eps` if they are less.

    >>> opwright.nn.functional.normalize(opwright.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]], dtype=float32, shape=(1, 2))
    """
    norms = _linalg.linalg_vector_norm(input, p, dim, True)
    return _C.div(input, norms.clamp_min(eps), out=out)
