"""Losses whose parameters or reductions no operator has."""

from __future__ import annotations

from math import pi

from opwright import _C
from opwright._C import _nn
from opwright._functions import in_place_of, with_own_name
from opwright.autograd.grad_mode import no_grad

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opwright import Tensor

__all__ = [
    "binary_cross_entropy_with_logits",
    "gaussian_nll_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "multilabel_soft_margin_loss",
    "triplet_margin_with_distance_loss",
]


def _reduction(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> Any:
    """The word of a reduction: numbers are for the operators."""
    return _C._reduction(reduction, size_average, reduce, 3)


def _extents(x: Any) -> tuple[int | None, ...]:
    """The shape; of a variable what is known of it."""
    extents: tuple[int | None, ...] = x.type.shape if isinstance(x, _C._graph.Variable) else x.shape
    return extents


def _differ(a: Tensor, b: Tensor) -> bool:
    """Whether two shapes are known to be different."""
    one, other = _extents(a), _extents(b)
    return one != other and (
        len(one) != len(other)
        or any(None not in pair and pair[0] != pair[1] for pair in zip(one, other, strict=True))
    )


def _weighted(losses: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Losses of which each counts as often as its weight says, reduced."""
    if _differ(losses, weight):
        raise ValueError(
            f"argument 'weight' must have the shape of the losses, {list(_extents(losses))}, but "
            f"has {list(_extents(weight))}"
        )
    losses = losses * weight
    if reduction == "none":
        return losses
    return losses.sum() / weight.sum() if reduction == "mean" else losses.sum()


@in_place_of(_nn.mse_loss)
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The squares of the differences, of which the mean, the sum or each (`"none"`) is returned.

    >>> opwright.nn.functional.mse_loss(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(2.5, dtype=float32, shape=())
    """
    word = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted(_nn.mse_loss(input, target, "none"), weight, word)
    return _nn.mse_loss(input, target, word, out=out)


@in_place_of(_nn.l1_loss)
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The distances `|input - target|`, of which the mean, the sum or each (`"none"`) is returned.

    >>> opwright.nn.functional.l1_loss(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(1.5, dtype=float32, shape=())
    """
    word = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted(_nn.l1_loss(input, target, "none"), weight, word)
    return _nn.l1_loss(input, target, word)


@in_place_of(_nn.huber_loss)
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`d**2 / 2` for distances `d` up to `delta`, and `delta * (d - delta / 2)` for others.

    The mean, the sum or each (`"none"`) is returned.

        >>> opwright.nn.functional.huber_loss(opwright.tensor([1.0]), opwright.tensor([3.0]))
        tensor(1.5, dtype=float32, shape=())
    """
    word = _reduction(reduction)
    if weight is not None:
        return _weighted(_nn.huber_loss(input, target, "none", delta), weight, word)
    return _nn.huber_loss(input, target, word, delta, out=out)


@with_own_name()
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of `sigmoid(input)`, without loss of digits.

    Targets count `pos_weight` times where they are 1. The mean, the sum or each (`"none"`) is
    returned.

        >>> opwright.nn.functional.binary_cross_entropy_with_logits(
        ...     opwright.tensor([0.0, 100.0]), opwright.tensor([1.0, 0.0]), reduction="none"
        ... )
        tensor([  0.6931, 100.0000], dtype=float32, shape=(2,))
    """
    word = _reduction(reduction, size_average, reduce)
    if _differ(target, input):
        raise ValueError(
            f"argument 'target' must have the shape of the input, {list(_extents(input))}, but has "
            f"{list(_extents(target))}"
        )
    # The logarithms of `1 + exp(x)` and `1 + exp(-x)`, neither of which loses digits of the other.
    zeros = _C.zeros_like(input)
    hits = _share(target, _C.logaddexp(-input, zeros))
    if pos_weight is not None:
        hits = hits * pos_weight
    losses = _share(1 - target, _C.logaddexp(input, zeros)) + hits
    if weight is not None:
        losses = losses * weight
    if word == "none":
        return losses
    return losses.mean() if word == "mean" else losses.sum()


def _share(factor: Tensor, loss: Tensor) -> Tensor:
    """The product, and 0 where nothing of something infinite counts."""
    return loss.masked_fill(loss.isinf() & (factor == 0), 0) * factor


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


@in_place_of(_C.kl_div)
@with_own_name(self="input")
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """How far the distribution `target` is from the one whose logarithms `input` has.

    The losses are `target * (log(target) - input)`, of which the mean, the sum, the sum over the
    size of the first dimension (`"batchmean"`) or each (`"none"`) is returned. With `log_target`,
    `target` has logarithms as well.

        >>> opwright.nn.functional.kl_div(
        ...     opwright.tensor([[0.5, 0.5]]).log(),
        ...     opwright.tensor([[1.0, 0.0]]),
        ...     reduction="batchmean",
        ... )
        tensor(0.6931, dtype=float32, shape=())
    """
    if reduction == "batchmean" and size_average is None and reduce is None:
        total = _C.kl_div(input, target, "sum", log_target=log_target)
        return total / input.shape[0] if input.ndim else total
    word = _reduction(reduction, size_average, reduce)
    return _C.kl_div(input, target, word, log_target=log_target)


@with_own_name()
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Tensor | float,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """How unlikely targets are for normal distributions of these means and variances.

    The losses are `(log(var) + (input - target)**2 / var) / 2`, of which the mean, the sum or each
    (`"none"`) is returned. Variances count as `eps` if they are less; `full` adds a constant.

        >>> opwright.nn.functional.gaussian_nll_loss(
        ...     opwright.tensor([0.0]), opwright.tensor([2.0]), opwright.tensor([1.0])
        ... )
        tensor(2., dtype=float32, shape=())
    """
    word = _reduction(reduction)
    if not isinstance(var, _C.TensorBase):
        if var < 0:
            raise ValueError(f"argument 'var' must not be negative, but is {var}")
        var = _C.full_like(input, var)
    elif bool((var < 0).any()):
        raise ValueError("argument 'var' must not have negative elements")
    shape, of_var = tuple(input.shape), tuple(var.shape)
    if of_var != shape:
        if of_var == shape[:-1]:
            var = var.unsqueeze(-1)
        elif not (shape[:-1] == of_var[:-1] and of_var[-1:] == (1,)):
            raise ValueError(
                f"argument 'var' must have the shape of the input, {list(shape)}, or one number "
                f"for each row of it, but has {list(of_var)}"
            )
    # The gradient is that of the variance, also where it counts as `eps`.
    var = var.clone()
    with no_grad():
        var.clamp_min_(eps)
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        from math import log

        losses = losses + 0.5 * log(2 * pi)
    return _reduced(losses, word)


@with_own_name()
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The means over classes of how unlikely labels are, each 0 or 1, for scores `input`.

    The mean, the sum or each (`"none"`) of the samples, the rows, is returned.

        >>> opwright.nn.functional.multilabel_soft_margin_loss(
        ...     opwright.tensor([[0.0, 0.0]]), opwright.tensor([[1.0, 0.0]])
        ... )
        tensor(0.6931, dtype=float32, shape=())
    """
    word = _reduction(reduction, size_average, reduce)
    losses = -(target * _nn.log_sigmoid(input) + (1 - target) * _nn.log_sigmoid(-input))
    if weight is not None:
        losses = losses * weight
    return _reduced(losses.mean(dim=-1), word)


@with_own_name()
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` by a distance of one's own, `pairwise_distance` if there is none.

    >>> opwright.nn.functional.triplet_margin_with_distance_loss(
    ...     opwright.tensor([[0.0]]),
    ...     opwright.tensor([[3.0]]),
    ...     opwright.tensor([[1.0]]),
    ...     distance_function=lambda a, b: (a - b).abs().sum(-1),
    ... )
    tensor(3., dtype=float32, shape=())
    """
    word = _reduction(reduction)
    if margin <= 0:
        raise ValueError(f"argument 'margin' must be greater than 0, but is {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            f"arguments 'anchor', 'positive' and 'negative' must have as many dimensions, but have "
            f"{anchor.ndim}, {positive.ndim} and {negative.ndim}"
        )
    distance = _C.pairwise_distance if distance_function is None else distance_function
    near, apart = distance(anchor, positive), distance(anchor, negative)
    if swap:
        apart = _C.minimum(apart, distance(positive, negative))
    return _reduced(_C.clamp_min(margin + near - apart, 0), word)
