"""Pooling layers: maxima, means and norms of windows of images."""

from __future__ import annotations

from opwright import _C
from opwright.nn import functional
from opwright.nn._arguments import of_each
from opwright.nn._functional_layer import FunctionalLayer
from opwright.nn._pooling import ratios

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, ClassVar

    from opwright import Tensor

    _Sizes = int | Sequence[int]
    _OutputSize = int | Sequence[int | None] | None

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "LPPool1d",
    "LPPool2d",
    "LPPool3d",
    "MaxPool1d",
    "MaxPool2d",
    "MaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]


def _with_stride(parameters: dict[str, Any]) -> dict[str, Any]:
    """Windows are as far apart as they are large, unless something else is said."""
    if parameters["stride"] is None:
        parameters["stride"] = parameters["kernel_size"]
    return parameters


# --- maxima ------------------------------------------------------------------------------


class _MaxPool(FunctionalLayer):
    kernel_size: _Sizes
    stride: _Sizes | None = None
    padding: _Sizes = 0
    dilation: _Sizes = 1
    return_indices: bool = False
    ceil_mode: bool = False

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return _with_stride(parameters)


_MAX_SHOWN = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")


class MaxPool1d(_MaxPool, function=functional.max_pool1d, shown=_MAX_SHOWN):
    """The greatest elements of windows of the last dimension.

    With `return_indices` also where they are, as `MaxUnpool1d` takes it.

        >>> opwright.nn.MaxPool1d(2)(opwright.tensor([[1.0, 3.0, 2.0, 0.0]]))
        tensor([[3., 2.]], dtype=float32, shape=(1, 2))
    """


class MaxPool2d(_MaxPool, function=functional.max_pool2d, shown=_MAX_SHOWN):
    """The greatest elements of windows of the last two dimensions.

    With `return_indices` also where they are, as `MaxUnpool2d` takes it.

        >>> opwright.nn.MaxPool2d(2)(opwright.ones(1, 3, 8, 6)).shape
        opwright.Size([1, 3, 4, 3])
    """


class MaxPool3d(_MaxPool, function=functional.max_pool3d, shown=_MAX_SHOWN):
    """The greatest elements of windows of the last three dimensions.

    With `return_indices` also where they are, as `MaxUnpool3d` takes it.
    """


class _MaxUnpool(FunctionalLayer):
    kernel_size: _Sizes
    stride: _Sizes | None = None
    padding: _Sizes = 0

    _dims: ClassVar[int]

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        name, given = type(self).__name__, _with_stride(parameters)
        return {it: of_each(name, it, value, self._dims) for it, value in given.items()}

    def forward(  # type: ignore[override]
        self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None
    ) -> Tensor:
        """What the function returns."""
        raise NotImplementedError


class MaxUnpool1d(_MaxUnpool, function=functional.max_unpool1d):
    """Zeros, and the elements of the input where `MaxPool1d` found them.

    Of several possible sizes it is the least, unless `output_size` is given.
    """

    _dims = 1


class MaxUnpool2d(_MaxUnpool, function=functional.max_unpool2d):
    """Zeros, and the elements of the input where `MaxPool2d` found them.

    Of several possible sizes it is the least, unless `output_size` is given.
    """

    _dims = 2


class MaxUnpool3d(_MaxUnpool, function=functional.max_unpool3d):
    """Zeros, and the elements of the input where `MaxPool3d` found them.

    Of several possible sizes it is the least, unless `output_size` is given.
    """

    _dims = 3


# --- means and norms ----------------------------------------------------------------------


_AVG_SHOWN = ("kernel_size", "stride", "padding")


class AvgPool1d(FunctionalLayer, function=_C.avg_pool1d, shown=_AVG_SHOWN):
    """The means of windows of the last dimension.

    Zeros of the padding count, unless `count_include_pad` is false. With `ceil_mode` windows may
    reach beyond the end.

        >>> opwright.nn.AvgPool1d(2)(opwright.tensor([[1.0, 3.0, 2.0, 0.0]]))
        tensor([[2., 1.]], dtype=float32, shape=(1, 2))
    """

    kernel_size: _Sizes
    stride: _Sizes | None = None
    padding: _Sizes = 0
    ceil_mode: bool = False
    count_include_pad: bool = True

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        _with_stride(parameters)
        for name in _AVG_SHOWN:
            parameters[name] = of_each("AvgPool1d", name, parameters[name], 1)
        return parameters


class _AvgPool(FunctionalLayer):
    kernel_size: _Sizes
    stride: _Sizes | None = None
    padding: _Sizes = 0
    ceil_mode: bool = False
    count_include_pad: bool = True
    divisor_override: int | None = None

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return _with_stride(parameters)


class AvgPool2d(_AvgPool, function=functional.avg_pool2d, shown=_AVG_SHOWN):
    """The means of windows of the last two dimensions, as those of `AvgPool1d`.

    They are sums over `divisor_override`, if that is given.
    """


class AvgPool3d(_AvgPool, function=functional.avg_pool3d, shown=_AVG_SHOWN):
    """The means of windows of the last three dimensions, as those of `AvgPool1d`.

    They are sums over `divisor_override`, if that is given.
    """


class _LPPool(FunctionalLayer):
    norm_type: float
    kernel_size: _Sizes
    stride: _Sizes | None = None
    ceil_mode: bool = False


class LPPool1d(_LPPool, function=functional.lp_pool1d):
    """The `norm_type`-norms of windows of the last dimension."""


class LPPool2d(_LPPool, function=functional.lp_pool2d):
    """The `norm_type`-norms of windows of the last two dimensions."""


class LPPool3d(_LPPool, function=functional.lp_pool3d):
    """The `norm_type`-norms of windows of the last three dimensions."""


# --- to a size ----------------------------------------------------------------------------


class AdaptiveAvgPool1d(FunctionalLayer, function=_C.adaptive_avg_pool1d):
    """The means of `output_size` windows of about the same size that cover the last dimension."""

    output_size: _OutputSize


class AdaptiveAvgPool2d(FunctionalLayer, function=functional.adaptive_avg_pool2d):
    """The means of windows of about the same size that cover the last two dimensions.

    A dimension whose `output_size` is None stays as it is.

        >>> opwright.nn.AdaptiveAvgPool2d((None, 1))(opwright.ones(1, 3, 8, 6)).shape
        opwright.Size([1, 3, 8, 1])
    """

    output_size: _OutputSize


class AdaptiveAvgPool3d(FunctionalLayer, function=functional.adaptive_avg_pool3d):
    """The means of windows of about the same size that cover the last three dimensions.

    A dimension whose `output_size` is None stays as it is.
    """

    output_size: _OutputSize


class _AdaptiveMaxPool(FunctionalLayer):
    output_size: _OutputSize
    return_indices: bool = False


class AdaptiveMaxPool1d(
    _AdaptiveMaxPool, function=functional.adaptive_max_pool1d, shown=("output_size",)
):
    """The greatest elements of windows of about the same size that cover the last dimension.

    With `return_indices` also where they are.
    """


class AdaptiveMaxPool2d(
    _AdaptiveMaxPool, function=functional.adaptive_max_pool2d, shown=("output_size",)
):
    """The greatest elements of windows of about the same size that cover the last two dimensions.

    With `return_indices` also where they are. A dimension whose `output_size` is None stays.
    """


class AdaptiveMaxPool3d(
    _AdaptiveMaxPool, function=functional.adaptive_max_pool3d, shown=("output_size",)
):
    """The greatest elements of windows of about the same size that cover the last three dimensions.

    With `return_indices` also where they are. A dimension whose `output_size` is None stays.
    """


class _FractionalMaxPool(FunctionalLayer):
    kernel_size: _Sizes
    output_size: _Sizes | None = None
    output_ratio: float | Sequence[float] | None = None
    return_indices: bool = False

    _dims: ClassVar[int]

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        name, dims = type(self).__name__, self._dims
        size, ratio = parameters["output_size"], parameters["output_ratio"]
        if (size is None) == (ratio is None):
            raise ValueError(
                f"{name}(): either argument 'output_size' or argument 'output_ratio' must be given"
            )
        kernel = of_each(name, "kernel_size", parameters["kernel_size"], dims)
        if 0 in kernel:
            raise ValueError(f"{name}(): argument 'kernel_size' must be positive, but is {kernel}")
        parameters["kernel_size"] = kernel
        if size is not None:
            parameters["output_size"] = of_each(name, "output_size", size, dims)
        else:
            parameters["output_ratio"] = ratios(name, ratio, dims)
        return parameters


class FractionalMaxPool2d(_FractionalMaxPool, function=functional.fractional_max_pool2d, shown=()):
    """The greatest elements of windows at random distances in the last two dimensions.

    There are `output_size` of them, or `output_ratio` times as many as there are elements; one of
    both is given. With `return_indices` also where they are, as `MaxUnpool2d` takes it.

        >>> opwright.nn.FractionalMaxPool2d(2, output_ratio=0.75)(opwright.ones(1, 3, 8, 6)).shape
        opwright.Size([1, 3, 6, 4])
    """

    _random_samples: Tensor | None = None

    _dims = 2


class FractionalMaxPool3d(_FractionalMaxPool, function=functional.fractional_max_pool3d, shown=()):
    """The greatest elements of windows at random distances in the last three dimensions.

    There are `output_size` of them, or `output_ratio` times as many as there are elements; one of
    both is given. With `return_indices` also where they are, as `MaxUnpool3d` takes it.
    """

    _random_samples: Tensor | None = None

    _dims = 3
