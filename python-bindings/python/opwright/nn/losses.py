"""Losses: layers that say how far predictions are from targets."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional
from opwright.nn._arguments import number
from opwright.nn._functional_layer import FunctionalLayer
from opwright.nn.distance import PairwiseDistance
from opwright.nn.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from opwright import Tensor

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "NLLLoss2d",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class _Loss(FunctionalLayer):
    """A function of a prediction and a target, of which the mean, the sum or each is returned.

    That is what `reduction` says: `"mean"`, `"sum"` or `"none"`. `size_average` and `reduce` are
    older words for it.
    """

    _consumed = frozenset({"size_average", "reduce"})

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        size_average = parameters.pop("size_average", None)
        reduce = parameters.pop("reduce", None)
        if size_average is not None or reduce is not None:
            word = _C._reduction(parameters["reduction"], size_average, reduce, 4)
            parameters["reduction"] = word
        return parameters

    def forward(self, input: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]
        """What the function returns."""
        raise NotImplementedError


class _Reduced(_Loss):
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"


# --- of numbers ---------------------------------------------------------------------------


class MSELoss(_Reduced, function=functional.mse_loss, shown=()):
    """The squares of the differences.

    >>> opwright.nn.MSELoss()(opwright.tensor([1.0, 2.0]), opwright.tensor([2.0, 4.0]))
    tensor(2.5, dtype=float32, shape=())
    """


class L1Loss(_Reduced, function=functional.l1_loss, shown=()):
    """The distances."""


class SmoothL1Loss(_Reduced, function=functional.smooth_l1_loss, shown=()):
    """The distances, and squares of those below `beta`."""

    beta: float = 1.0


class HuberLoss(_Loss, function=functional.huber_loss, shown=()):
    """The squares of the differences, and distances for those above `delta`."""

    reduction: str = "mean"
    delta: float = 1.0


# --- of probabilities -----------------------------------------------------------------


class BCELoss(_Loss, function=functional.binary_cross_entropy, shown=()):
    """How unlikely the targets, 0 or 1, were held to be, given probabilities of 1."""

    weight: Tensor | None = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"


class BCEWithLogitsLoss(_Loss, function=functional.binary_cross_entropy_with_logits, shown=()):
    """`BCELoss` of the sigmoid of the input, without loss of digits."""

    weight: Tensor | None = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"
    pos_weight: Tensor | None = None


class NLLLoss(_Loss, function=functional.nll_loss, shown=()):
    """How unlikely the right classes were held to be, given logarithms of probabilities.

    Classes count as often as `weight` says, and targets `ignore_index` do not.
    """

    weight: Tensor | None = None
    size_average: bool | None = None
    ignore_index: int = -100
    reduce: bool | None = None
    reduction: str = "mean"


class NLLLoss2d(NLLLoss, function=functional.nll_loss, shown=()):
    """The older name of `NLLLoss` for images."""


class CrossEntropyLoss(_Loss, function=functional.cross_entropy, shown=()):
    """`NLLLoss` of the logarithm of the softmax along the dimension of the classes.

    >>> opwright.nn.CrossEntropyLoss()(opwright.zeros(2, 3), opwright.tensor([0, 1]))
    tensor(1.0986, dtype=float32, shape=())
    """

    weight: Tensor | None = None
    size_average: bool | None = None
    ignore_index: int = -100
    reduce: bool | None = None
    reduction: str = "mean"
    label_smoothing: float = 0.0


class CTCLoss(Module):
    """How unlikely sequences of labels are, given logarithms of probabilities at each step.

    `blank` is the class for nothing new. Infinite losses, of targets that are too long, count 0
    with `zero_infinity`; `reduction` is that of other losses.
    """

    __constants__ = ["blank", "reduction"]  # noqa: RUF012

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__()
        self.blank = blank
        self.reduction = reduction
        self.zero_infinity = zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Tensor | Sequence[int],
        target_lengths: Tensor | Sequence[int],
    ) -> Tensor:
        """What `functional.ctc_loss` returns."""
        lengths: Any = (input_lengths, target_lengths)
        loss: Tensor = functional.ctc_loss(
            log_probs, targets, *lengths, self.blank, self.reduction, self.zero_infinity
        )
        return loss


class KLDivLoss(_Reduced, function=functional.kl_div, shown=()):
    """How far distributions are from those whose logarithms are the input.

    `reduction="batchmean"` is the sum over the size of the first dimension, which is what the
    divergence is. With `log_target` targets are logarithms as well.
    """

    log_target: bool = False


class PoissonNLLLoss(_Loss, function=functional.poisson_nll_loss, shown=()):
    """How unlikely counts are for Poisson distributions of these rates.

    With `log_input` the input has their logarithms; `full` adds an approximation of what depends
    on the counts alone, and `eps` keeps rates from 0.
    """

    log_input: bool = True
    full: bool = False
    size_average: bool | None = None
    eps: float = 1e-8
    reduce: bool | None = None
    reduction: str = "mean"


class GaussianNLLLoss(_Loss, function=functional.gaussian_nll_loss, shown=(), kw_only=True):
    """How unlikely targets are for normal distributions of these means and variances.

    >>> opwright.nn.GaussianNLLLoss()(*opwright.tensor([[0.0], [2.0], [1.0]]))
    tensor(2., dtype=float32, shape=())
    """

    full: bool = False
    eps: float = 1e-6
    reduction: str = "mean"

    def forward(  # type: ignore[override]
        self, input: Tensor, target: Tensor, var: Tensor | float
    ) -> Tensor:
        """What `functional.gaussian_nll_loss` returns."""
        result: Tensor = functional.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )
        return result


# --- of scores and margins -----------------------------------------------------------


class SoftMarginLoss(_Reduced, function=functional.soft_margin_loss, shown=()):
    """`log(1 + exp(-target * input))`, for targets 1 and -1."""


class MultiLabelMarginLoss(_Reduced, function=functional.multilabel_margin_loss, shown=()):
    """How much less than 1 scores of the right classes are above others.

    Targets are numbers of classes, up to the first that is -1.
    """


class MultiLabelSoftMarginLoss(_Loss, function=functional.multilabel_soft_margin_loss, shown=()):
    """The means over classes of how unlikely labels are, each 0 or 1."""

    weight: Tensor | None = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"


class MultiMarginLoss(_Loss, function=functional.multi_margin_loss, shown=()):
    """How much less than `margin` the score of the right class is above others, to the power `p`.

    `p` is 1 or 2, and classes count as often as `weight` says.
    """

    p: int = 1
    margin: float = 1.0
    weight: Tensor | None = None
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        if number("MultiMarginLoss", "p", parameters["p"]) not in (1, 2):
            raise ValueError(
                f"MultiMarginLoss(): argument 'p' must be 1 or 2, but is {parameters['p']}"
            )
        weight = parameters["weight"]
        if isinstance(weight, _C.TensorBase) and weight.ndim != 1:
            raise ValueError(
                f"MultiMarginLoss(): argument 'weight' must be a vector, but has shape "
                f"{list(weight.shape)}"
            )
        return super()._checked(parameters)


class HingeEmbeddingLoss(_Loss, function=functional.hinge_embedding_loss, shown=()):
    """Distances where targets are 1, and how much less than `margin` they are where it is -1."""

    margin: float = 1.0
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"


# --- of pairs and triples -----------------------------------------------------------


class _LossOfPairs(_Loss):
    margin: float = 0.0
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def forward(  # type: ignore[override]
        self, input1: Tensor, input2: Tensor, target: Tensor
    ) -> Tensor:
        """What the function returns."""
        raise NotImplementedError


class CosineEmbeddingLoss(_LossOfPairs, function=functional.cosine_embedding_loss, shown=()):
    """How far cosines of pairs are from 1 where targets are 1, and above `margin` where -1."""


class MarginRankingLoss(_LossOfPairs, function=functional.margin_ranking_loss, shown=()):
    """How much less than `margin` the first of two is greater where targets are 1, or less."""


class _LossOfTriples(_Loss):
    def forward(  # type: ignore[override]
        self, anchor: Tensor, positive: Tensor, negative: Tensor
    ) -> Tensor:
        """What the function returns."""
        raise NotImplementedError


class TripletMarginLoss(_LossOfTriples, function=functional.triplet_margin_loss, shown=()):
    """How much less than `margin` anchors are nearer to what is alike than to what is not.

    Distances are `p`-norms. With `swap` that between the two counts if it is less.
    """

    margin: float = 1.0
    p: float = 2.0
    eps: float = 1e-6
    swap: bool = False
    size_average: bool | None = None
    reduce: bool | None = None
    reduction: str = "mean"

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        _check_margin("TripletMarginLoss", parameters["margin"])
        return super()._checked(parameters)


class TripletMarginWithDistanceLoss(
    _LossOfTriples,
    function=functional.triplet_margin_with_distance_loss,
    shown=(),
    kw_only=True,
):
    """`TripletMarginLoss` by a distance of one's own, `PairwiseDistance` if there is none."""

    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None
    margin: float = 1.0
    swap: bool = False
    reduction: str = "mean"

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        _check_margin("TripletMarginWithDistanceLoss", parameters["margin"])
        if parameters["distance_function"] is None:
            parameters["distance_function"] = PairwiseDistance()
        return super()._checked(parameters)


def _check_margin(function: str, margin: float) -> None:
    if number(function, "margin", margin) <= 0:
        raise ValueError(f"{function}(): argument 'margin' must be greater than 0, but is {margin}")
