"""Layers that compare vectors in pairs."""

from __future__ import annotations

from opwright import _C
from opwright.nn._functional_layer import FunctionalLayer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class _OfPairs(FunctionalLayer):
    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:  # type: ignore[override]
        """What the function returns."""
        raise NotImplementedError


class CosineSimilarity(_OfPairs, function=_C.cosine_similarity, shown=()):
    """The cosines of the angles between vectors along a dimension; `eps` keeps norms from 0.

    >>> opwright.nn.CosineSimilarity()(opwright.ones(1, 2), opwright.tensor([[1.0, 0.0]]))
    tensor([0.7071], dtype=float32, shape=(1,))
    """

    dim: int = 1
    eps: float = 1e-8


class PairwiseDistance(_OfPairs, function=_C.pairwise_distance, shown=()):
    """The `p`-norms of differences of vectors, to which `eps` is added.

    >>> opwright.nn.PairwiseDistance()(opwright.zeros(1, 2), opwright.tensor([[3.0, 4.0]]))
    tensor([5.], dtype=float32, shape=(1,))
    """

    p: float = 2.0
    eps: float = 1e-6
    keepdim: bool = False

    @property
    def norm(self) -> float:
        """Which norm it is."""
        return self.p
