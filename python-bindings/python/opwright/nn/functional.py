"""Functions of neural networks: activations, losses, normalisation.

What is of use elsewhere too, such as `softmax` or `tanh`, is in `opwright` itself, and can be
called from here. The operators behind the functions of this module, with the parameters of their
schemas, are in `opwright._C` and `opwright._C._nn`; those whose parameters entries declare, such as
`elu`, are in `opwright._C._nn_functional`.
"""

# ruff: noqa: F401 (`publish` finds what is marked with `in_place_of`)

from __future__ import annotations

from math import inf

from opwright import _C, _functions
from opwright._C import _linalg
from opwright._functions import in_place_of, with_own_name
from opwright.autograd.grad_mode import no_grad as _no_grad
from opwright.nn._activations import (
    gumbel_softmax,
    rrelu,
    softmin,
    softsign,
    tanhshrink,
)
from opwright.nn._attention import multi_head_attention_forward
from opwright.nn._dropout import (
    alpha_dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from opwright.nn._losses import (
    binary_cross_entropy_with_logits,
    gaussian_nll_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    multilabel_soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from opwright.nn._normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    local_response_norm,
    normalize,
)
from opwright.nn._pooling import (
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)
from opwright.nn._resampling import (
    affine_grid,
    grid_sample,
    interpolate,
    upsample,
    upsample_bilinear,
    upsample_nearest,
)
from opwright.nn._unfolding import fold, unfold

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
        _shorten(weight, input, max_norm, norm_type)
    return _C.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def _shorten(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> None:
    """Scales down those rows with the numbers in `input` whose norm is greater."""
    places = input.reshape(-1)
    with _no_grad():
        rows = weight.index_select(0, places)
        norms = _linalg.linalg_vector_norm(rows, norm_type, 1, True)
        scale = (max_norm / (norms + 1e-7)).where(norms > max_norm, 1.0)
        weight.index_copy_(0, places, rows * scale)


@with_own_name()
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima of bags of rows of `weight`, by their numbers in `input`.

    Bags are rows of `input`, or what lies between `offsets` in a vector, up to the last of them if
    `include_last_offset` is true. Rows count `per_sample_weights` times in sums, and the row
    `padding_idx` does not count. `max_norm` and `scale_grad_by_freq` are as for `embedding`.

        >>> weight = opwright.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> opwright.nn.functional.embedding_bag(opwright.tensor([[0, 1]]), weight)
        tensor([[2., 3.]], dtype=float32, shape=(1, 2))
    """
    if input.is_floating_point() and not weight.is_floating_point():
        from warnings import warn

        warn("embedding_bag(): pass the numbers of rows first", DeprecationWarning, stacklevel=3)
        input, weight = weight, input
    bags, input, per_sample_weights = _bags(input, offsets, per_sample_weights, include_last_offset)
    if mode not in ("sum", "mean", "max"):
        raise ValueError(f"argument 'mode' must be 'sum', 'mean' or 'max', but is {mode!r}")
    if mode != "sum" and per_sample_weights is not None:
        raise NotImplementedError(
            f"argument 'per_sample_weights' goes with mode='sum' alone, not with {mode!r}"
        )
    rows = embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    counts = [end - start for start, end in bags]
    numbers = _C.arange(len(bags), device=input.device).repeat_interleave(
        _C.tensor(counts, dtype=_C.int64, device=input.device)
    )
    counted = _C.ones_like(input, dtype=weight.dtype)
    if padding_idx is not None:
        counted = (input != padding_idx % len(weight)).to(weight.dtype)
    if mode == "max":
        return _greatest(rows, counted, numbers, bags)
    if per_sample_weights is not None:
        counted = counted * per_sample_weights
    shape = (len(bags), weight.shape[1])
    sums = rows.new_zeros(shape).index_add(0, numbers, rows * counted.unsqueeze(-1))
    if mode == "sum":
        return sums
    lengths = rows.new_zeros(len(bags)).index_add(0, numbers, counted)
    return sums / lengths.clamp_min(1).unsqueeze(-1)


def _bags(
    input: Tensor,
    offsets: Tensor | None,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
) -> tuple[list[tuple[int, int]], Tensor, Tensor | None]:
    """Where each bag starts and ends in a vector of numbers, the vector, and its weights."""
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            f"argument 'per_sample_weights' must have the shape of the input, {list(input.shape)}, "
            f"but has {list(per_sample_weights.shape)}"
        )
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError("argument 'offsets' goes with an input of one dimension alone")
        count, length = input.shape
        bags = [(at * length, (at + 1) * length) for at in range(count)]
        weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
        return bags, input.reshape(-1), weights
    if input.ndim != 1:
        raise ValueError(
            f"the input must have 1 or 2 dimensions, but has shape {list(input.shape)}"
        )
    if offsets is None or offsets.ndim != 1:
        raise ValueError("argument 'offsets' must be a vector for an input of one dimension")
    starts = [int(it) for it in offsets.tolist()]
    if starts and (starts[0] != 0 or sorted(starts) != starts or starts[-1] > len(input)):
        raise RuntimeError(
            f"argument 'offsets' must rise from 0 to {len(input)} at most, but is {starts}"
        )
    if include_last_offset:
        if not starts:
            raise RuntimeError("argument 'offsets' must have the end of the last bag")
        ends = starts[1:]
    else:
        ends = [*starts[1:], len(input)]
    return [*zip(starts, ends, strict=False)], input, per_sample_weights


def _greatest(
    rows: Tensor, counted: Tensor, numbers: Tensor, bags: list[tuple[int, int]]
) -> Tensor:
    """The greatest elements of the rows of each bag that count; zeros where there is none."""
    longest = max((end - start for start, end in bags), default=0)
    if not longest:
        return rows.new_zeros((len(bags), rows.shape[1]))
    starts = _C.tensor([start for start, _ in bags], dtype=_C.int64, device=rows.device)
    first = bags[0][0]
    places = _C.arange(first, first + len(numbers), device=rows.device)
    places = numbers * longest + places - starts.index_select(0, numbers)
    kept = counted.bool().unsqueeze(-1)
    rows = rows[first : first + len(numbers)].masked_fill(~kept, -inf)
    padded = rows.new_full((len(bags) * longest, rows.shape[1]), -inf)
    padded = padded.index_copy(0, places, rows).reshape(len(bags), longest, rows.shape[1])
    greatest = padded.max(1)[0]
    return greatest.masked_fill(greatest == -inf, 0)


# Those that entries declare come before the operators' own.
__all__ = [
    *_functions.publish(globals(), "_nn_functional", "_nn"),
    "affine_grid",
    "alpha_dropout",
    "binary_cross_entropy_with_logits",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d_with_indices",
    "gaussian_nll_loss",
    "grid_sample",
    "gumbel_softmax",
    "interpolate",
    "local_response_norm",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_unpool1d",
    "multi_head_attention_forward",
    "multilabel_soft_margin_loss",
    "normalize",
    "softmin",
    "softsign",
    "tanhshrink",
    "triplet_margin_with_distance_loss",
    "unfold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]


def __getattr__(name: str) -> _Any:
    function = None if name.startswith("_") else vars(_C).get(name)
    if callable(function):
        return function
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
