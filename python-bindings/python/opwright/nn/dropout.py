"""Dropout layers: parts of the input are left out at random while training."""

from __future__ import annotations

from opwright.nn import functional
from opwright.nn._dropout import check_probability
from opwright.nn._functional_layer import FunctionalLayer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "AlphaDropout",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "FeatureAlphaDropout",
]


class _Dropout(FunctionalLayer):
    p: float = 0.5
    inplace: bool = False

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        check_probability(type(self).__name__, parameters["p"])
        return parameters

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout, function=functional.dropout, passes_training=True):
    """Zeros with probability `p`, and other elements scaled up; while training only."""


class Dropout1d(_Dropout, function=functional.dropout1d, passes_training=True):
    """Zeros in whole channels of `(N, C, L)` with probability `p`; while training only."""


class Dropout2d(_Dropout, function=functional.dropout2d, passes_training=True):
    """Zeros in whole channels of `(N, C, H, W)` with probability `p`; while training only."""


class Dropout3d(_Dropout, function=functional.dropout3d, passes_training=True):
    """Zeros in whole channels of `(N, C, D, H, W)` with probability `p`; while training only."""


class AlphaDropout(_Dropout, function=functional.alpha_dropout, passes_training=True):
    """Dropout that keeps mean 0 and variance 1, for layers with the activation `SELU`."""


class FeatureAlphaDropout(
    _Dropout, function=functional.feature_alpha_dropout, passes_training=True
):
    """`AlphaDropout` of whole channels, the second dimension."""
