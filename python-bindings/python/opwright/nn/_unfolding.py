"""Windows of images as columns, with the parameters that people know."""

from __future__ import annotations

from opwright._C import _nn
from opwright._functions import with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opwright import Tensor

    _Sizes = int | tuple[int, ...] | list[int]

__all__ = ["fold", "unfold"]


@with_own_name(self="input")
def unfold(
    input: Tensor,
    kernel_size: _Sizes,
    dilation: _Sizes = 1,
    padding: _Sizes = 0,
    stride: _Sizes = 1,
) -> Tensor:
    """The windows of an image, or of a batch of images, as columns.

    `(*, C, H, W)` becomes `(*, C * taps, windows)`.

        >>> opwright.nn.functional.unfold(opwright.arange(4.0).reshape(1, 2, 2), 2).shape
        opwright.Size([4, 1])
    """
    return _nn.im2col(input, kernel_size, dilation, padding, stride)


@with_own_name(self="input")
def fold(
    input: Tensor,
    output_size: _Sizes,
    kernel_size: _Sizes,
    dilation: _Sizes = 1,
    padding: _Sizes = 0,
    stride: _Sizes = 1,
) -> Tensor:
    """Images of this size whose elements are the sums of the columns that have them.

    >>> opwright.nn.functional.fold(opwright.ones(4, 2), (2, 3), 2).tolist()
    [[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]
    """
    return _nn.col2im(input, output_size, kernel_size, dilation, padding, stride)
