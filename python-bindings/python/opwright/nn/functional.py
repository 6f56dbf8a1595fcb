"""Functions of neural networks: activations, losses, normalisation.

What is of use elsewhere too, such as `softmax` or `tanh`, is in `opwright` itself, and can be
called from here. The operators behind the functions of this module, with the parameters of their
schemas, are in `opwright._C` and `opwright._C._nn`; those whose parameters entries declare, such as
`elu`, are in `opwright._C._nn_functional`.
"""

from __future__ import annotations

from opwright import _C, _functions
from opwright._C import _linalg
from opwright._functions import in_place_of, with_own_name
from opwright.nn._activations import (
    gumbel_softmax,
    rrelu,
    softmin,
    softsign,
    tanhshrink,
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
        places = input.reshape(-1)
        rows = weight.index_select(0, places)
        norms = _linalg.linalg_vector_norm(rows, norm_type, 1, True)
        scale = (max_norm / (norms + 1e-7)).where(norms > max_norm, 1.0)
        weight.index_copy_(0, places, rows * scale)
    return _C.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


# Those that entries declare come before the operators' own.
__all__ = [
    *_functions.publish(globals(), "_nn_functional", "_nn"),
    "affine_grid",
    "binary_cross_entropy_with_logits",
    "fold",
    "gaussian_nll_loss",
    "grid_sample",
    "gumbel_softmax",
    "interpolate",
    "local_response_norm",
    "max_unpool1d",
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
