"""Layers that arrange elements otherwise: dimensions, windows of images, channels and pixels."""

from __future__ import annotations

from opwright import _C
from opwright._kinds import kind
from opwright.nn import functional
from opwright.nn._arguments import integer
from opwright.nn._functional_layer import FunctionalLayer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opwright import Tensor

    _Sizes = int | Sequence[int]

__all__ = [
    "ChannelShuffle",
    "Flatten",
    "Fold",
    "PixelShuffle",
    "PixelUnshuffle",
    "Unflatten",
    "Unfold",
]


class Flatten(FunctionalLayer, function=_C.flatten):
    """Dimensions joined to one, by default all but the first."""

    start_dim: int = 1
    end_dim: int = -1


class Unflatten(FunctionalLayer, function=_C.unflatten):
    """A dimension of which several are made, of sizes `unflattened_size`.

    >>> opwright.nn.Unflatten(1, (2, 5))(opwright.ones(3, 10)).shape
    opwright.Size([3, 2, 5])
    """

    dim: int
    unflattened_size: tuple[int, ...] | list[int]

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        integer("Unflatten", "dim", parameters["dim"])
        sizes = parameters["unflattened_size"]
        if not isinstance(sizes, tuple | list):
            raise TypeError(
                f"Unflatten(): argument 'unflattened_size' must be a tuple of int, not "
                f"{kind(sizes)}"
            )
        for size in sizes:
            integer("Unflatten", "unflattened_size", size)
        return parameters

    def forward(self, input: Tensor) -> Tensor:
        """What `opwright.unflatten` returns."""
        return _C.unflatten(input, self.dim, self.unflattened_size)


class Fold(FunctionalLayer, function=functional.fold):
    """Images whose elements are the sums of the columns that have them.

    `(N, C * taps, windows)` becomes `(N, C, *output_size)`; so does one without a batch.

        >>> opwright.nn.Fold((2, 3), 2)(opwright.ones(4, 2)).tolist()
        [[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]
    """

    output_size: _Sizes
    kernel_size: _Sizes
    dilation: _Sizes = 1
    padding: _Sizes = 0
    stride: _Sizes = 1


class Unfold(FunctionalLayer, function=functional.unfold):
    """The windows of images as columns: `(N, C, H, W)` becomes `(N, C * taps, windows)`.

    >>> opwright.nn.Unfold(2)(opwright.ones(1, 3, 4, 4)).shape
    opwright.Size([1, 12, 9])
    """

    kernel_size: _Sizes
    dilation: _Sizes = 1
    padding: _Sizes = 0
    stride: _Sizes = 1


class PixelShuffle(FunctionalLayer, function=_C.pixel_shuffle):
    """Images `upscale_factor` times as large, each of whose pixels was a channel.

    >>> opwright.nn.PixelShuffle(2)(opwright.ones(1, 12, 2, 3)).shape
    opwright.Size([1, 3, 4, 6])
    """

    upscale_factor: int


class PixelUnshuffle(FunctionalLayer, function=_C.pixel_unshuffle):
    """What undoes `PixelShuffle`: each pixel of a square becomes a channel.

    >>> opwright.nn.PixelUnshuffle(2)(opwright.ones(1, 3, 4, 6)).shape
    opwright.Size([1, 12, 2, 3])
    """

    downscale_factor: int


class ChannelShuffle(FunctionalLayer, function=_C.channel_shuffle):
    """The first channels of `groups` groups, then the second ones, and so on.

    >>> opwright.nn.ChannelShuffle(2)(opwright.arange(4.0).reshape(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.], dtype=float32, shape=(4,))
    """

    groups: int
