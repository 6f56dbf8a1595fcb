"""Layers that make images of another size."""

from __future__ import annotations

from opwright.nn import functional
from opwright.nn._arguments import number
from opwright.nn._functional_layer import FunctionalLayer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    _Sizes = int | Sequence[int]
    _Factors = float | Sequence[float]

__all__ = ["Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]


class Upsample(FunctionalLayer, function=functional.interpolate):
    """A batch of images at another size, or at `scale_factor` times their own.

    The modes are those of `functional.interpolate`.

        >>> opwright.nn.Upsample(scale_factor=2)(opwright.tensor([[[1.0, 3.0]]]))
        tensor([[[1., 1., 3., 3.]]], dtype=float32, shape=(1, 1, 4))
    """

    size: _Sizes | None = None
    scale_factor: _Factors | None = None
    mode: str = "nearest"
    align_corners: bool | None = None
    recompute_scale_factor: bool | None = None

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        name, factor = type(self).__name__, parameters["scale_factor"]
        if isinstance(factor, tuple | list):
            factors = tuple(number(name, "scale_factor", it) for it in factor)
            parameters["scale_factor"] = factors
        elif factor is not None:
            parameters["scale_factor"] = number(name, "scale_factor", factor)
        return parameters

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def extra_repr(self) -> str:
        """The size or the factor, and the mode."""
        known = "size" if self.scale_factor is None else "scale_factor"
        return f"{known}={getattr(self, known)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """`Upsample` with the mode `"nearest"`, by an older name."""

    def __init__(self, size: _Sizes | None = None, scale_factor: _Factors | None = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """`Upsample` with the mode `"bilinear"` and aligned corners, by an older name."""

    def __init__(self, size: _Sizes | None = None, scale_factor: _Factors | None = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
