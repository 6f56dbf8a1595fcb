"""A softmax over many classes, of which rare ones are looked at in clusters.

E. Grave et al., "Efficient softmax approximation for GPUs", 2017.
"""

from __future__ import annotations

from typing import NamedTuple

from opwright import _C
from opwright.nn._arguments import size, sizes
from opwright.nn.containers import ModuleList, Sequential
from opwright.nn.linear import Linear
from opwright.nn.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opwright import Tensor

__all__ = ["AdaptiveLogSoftmaxWithLoss"]


class _Scored(NamedTuple):
    """The logarithms of the probabilities of targets, and the mean of what they lack to 0."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """`NLLLoss` of a log-softmax over `n_classes`, which are sorted from frequent to rare.

    The head has the classes before the first of `cutoffs`, and one class for each cluster: the
    classes between two cutoffs, whose scores are made of `div_value` times as few features as
    those of the cluster before. Inputs are `(N, in_features)`, or one alone.

        >>> loss = opwright.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [4, 10], 2.0)
        >>> loss.log_prob(opwright.ones(3, 8)).shape
        opwright.Size([3, 20])
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__()
        name = "AdaptiveLogSoftmaxWithLoss"
        self.in_features = size(name, "in_features", in_features)
        self.n_classes = size(name, "n_classes", n_classes)
        limits = [*sizes(name, "cutoffs", cutoffs)]
        if not limits or limits != sorted({*limits}) or not 0 < limits[0] <= limits[-1] < n_classes:
            raise ValueError(
                f"{name}(): argument 'cutoffs' must be integers between 1 and {n_classes - 1} that "
                f"rise, but is {limits}"
            )
        self.cutoffs = [*limits, self.n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = limits[0]
        self.n_clusters = len(limits)
        self.head_size = self.shortlist_size + self.n_clusters
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(self.in_features, self.head_size, bias=head_bias, **place)
        self.tail = ModuleList()
        for at, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            features = int(self.in_features // div_value ** (at + 1))
            self.tail.append(
                Sequential(
                    Linear(self.in_features, features, bias=False, **place),
                    Linear(features, high - low, bias=False, **place),
                )
            )

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        self.head.reset_parameters()
        for projection in self.tail:
            for linear in projection:
                linear.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _Scored:
        """The logarithms of the probabilities of targets as `output`, and `loss`."""
        if target_.ndim not in (0, 1) or input_.ndim != target_.ndim + 1:
            raise RuntimeError(
                f"the input must be (N, {self.in_features}) for N targets, or one alone, but has "
                f"shape {list(input_.shape)} for targets of {list(target_.shape)}"
            )
        if input_.shape[:-1] != target_.shape:
            raise RuntimeError(
                f"there must be as many inputs as targets, but there are {input_.shape[0]} and "
                f"{target_.shape[0]}"
            )
        input, target = input_.reshape(-1, input_.shape[-1]), target_.reshape(-1)
        if bool(((target < 0) | (target >= self.n_classes)).any()):
            raise RuntimeError(
                f"targets must be between 0 and {self.n_classes - 1}, but are between "
                f"{target.min().item()} and {target.max().item()}"
            )
        within = input.new_zeros(len(target))
        column = target
        for at, (low, high) in enumerate(zip(self.cutoffs, self.cutoffs[1:], strict=False)):
            rows = ((target >= low) & (target < high)).nonzero().squeeze(1)
            if not rows.numel():
                continue
            scores = _C.log_softmax(self.tail[at](input.index_select(0, rows)), 1)
            own = target.index_select(0, rows) - low
            within = within.index_add(0, rows, scores.gather(1, own.unsqueeze(1)).squeeze(1))
            column = column.index_fill(0, rows, self.shortlist_size + at)
        head = _C.log_softmax(self.head(input), 1)
        output = within + head.gather(1, column.unsqueeze(1)).squeeze(1)
        return _Scored(output.reshape(target_.shape), (-output).mean())

    def log_prob(self, input: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes, `(N, n_classes)`."""
        head = _C.log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for at, projection in enumerate(self.tail):
            of_cluster = head[:, self.shortlist_size + at].unsqueeze(1)
            parts.append(_C.log_softmax(projection(input), 1) + of_cluster)
        return _C.cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """The class with the greatest probability, for each input.

        Clusters are looked at only where the head takes one of them for more likely than its
        classes.
        """
        found: Tensor = self.head(input).argmax(1)
        rows = (found >= self.shortlist_size).nonzero().squeeze(1)
        if not rows.numel():
            return found
        best = self.log_prob(input.index_select(0, rows)).argmax(1)
        kept: Tensor = found.index_copy(0, rows, best)
        return kept
