"""Functions of neural networks: activations, losses, normalisation.

What is of use elsewhere too, such as `softmax` or `tanh`, is in `opwright` itself, and can be
called from here. The operators behind the functions of this module, with the parameters of their
schemas, are in `opwright._C` and `opwright._C._nn`; those whose parameters entries declare, such as
`elu`, are in `opwright._C._nn_functional`.
"""

from __future__ import annotations

from opwright import _C, _functions
from opwright._C import _linalg, _nn
from opwright._functions import in_place_of, with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from opwright import Tensor

# --- layers -------------------------------------------------------------------


@in_place_of(_C.embedding)
@with_own_name()
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` with the numbers in `input`.

    With `max_norm`, those of them whose `norm_type`-norm is greater are scaled down first, in
    `weight` itself.

        >>> weight = opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> opwright.nn.functional.embedding(opwright.tensor([1, 0]), weight)
        tensor([[3., 4.],
                [1., 2.]], dtype=float32, shape=(2, 2))
    """
    count = len(weight) if isinstance(weight, _C.TensorBase) and weight.ndim else 0
    if padding_idx is None:
        padding_idx = -1
    elif not -count <= padding_idx < count:
        raise ValueError(
            f"embedding(): argument 'padding_idx' must be the number of one of {count} rows, "
            f"but is {padding_idx}"
        )
    else:
        padding_idx = padding_idx % count  # Not in place: it may be a tensor.
    if max_norm is not None:
        # Whatever is refused is refused before anything is written.
        _C.embedding(weight.detach(), input, padding_idx, scale_grad_by_freq, sparse)
        places = input.reshape(-1)
        rows = weight.index_select(0, places)
        norms = _linalg.linalg_vector_norm(rows, norm_type, 1, True)
        scale = (max_norm / (norms + 1e-7)).where(norms > max_norm, 1.0)
        weight.index_copy_(0, places, rows * scale)
    return _C.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


@in_place_of(_nn.adaptive_avg_pool2d)
def adaptive_avg_pool2d(
    input: Tensor, output_size: int | tuple[int | None, ...] | list[int | None] | None
) -> Tensor:
    """The means of so many windows of about the same size that cover the last two dimensions.

    A dimension of which `None` is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.adaptive_avg_pool2d(image, (None, 1)).tolist()
        [[[1.5], [5.5], [9.5], [13.5]]]
    """
    if isinstance(input, _C.TensorBase):
        if input.ndim < 3:
            raise ValueError(
                f"adaptive_avg_pool2d(): expected 3D or 4D (batch mode) tensor as input, but got "
                f"shape {list(input.shape)}"
            )
        if output_size is None:
            output_size = (None, None)
        if isinstance(output_size, tuple | list) and len(output_size) == 2:
            kept = input.shape[-2:]
            output_size = [kept[at] if it is None else it for at, it in enumerate(output_size)]
    return _nn.adaptive_avg_pool2d(input, output_size)


# --- losses ----------------------------------------------------------------------


def _reduction(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> str:
    """The word of a reduction: numbers are for the operators."""
    return _C._reduction(reduction, size_average, reduce, 3)


def _extents(x: Tensor) -> tuple[int | None, ...]:
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
    reduction = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted(_nn.mse_loss(input, target, "none"), weight, reduction)
    return _nn.mse_loss(input, target, reduction, out=out)


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
    reduction = _reduction(reduction, size_average, reduce)
    if weight is not None:
        return _weighted(_nn.l1_loss(input, target, "none"), weight, reduction)
    return _nn.l1_loss(input, target, reduction)


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
    reduction = _reduction(reduction)
    if weight is not None:
        return _weighted(_nn.huber_loss(input, target, "none", delta), weight, reduction)
    return _nn.huber_loss(input, target, reduction, delta, out=out)


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
    reduction = _reduction(reduction, size_average, reduce)
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
    if reduction == "none":
        return losses
    return losses.mean() if reduction == "mean" else losses.sum()


def _share(factor: Tensor, loss: Tensor) -> Tensor:
    """The product, and 0 where nothing of something infinite counts."""
    return loss.masked_fill(loss.isinf() & (factor == 0), 0) * factor


# Those that entries declare come before the operators' own.
__all__ = [
    *_functions.publish(globals(), "_nn_functional", "_nn"),
    "binary_cross_entropy_with_logits",
]


def __getattr__(name: str) -> _Any:
    function = None if name.startswith("_") else vars(_C).get(name)
    if callable(function):
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
