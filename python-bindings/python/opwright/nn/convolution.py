"""Convolution layers: modules with the weights of a convolution, transposed or not."""

from __future__ import annotations

from math import prod, sqrt

from opwright import _C
from opwright.nn import functional, init
from opwright.nn._arguments import of_each, size
from opwright.nn._functional_layer import with_own_init
from opwright.nn.module import Module
from opwright.nn.parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from opwright import Tensor

    _Sizes = int | Sequence[int]
    _PaddingMode = Literal["zeros", "reflect", "replicate", "circular"]

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
]

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _Convolution(Module):
    """What convolutions of all numbers of dimensions have in common.

    `weight` and `bias` start evenly distributed, up to `1 / sqrt(n)` from zero, where `n` is the
    number of weights in a row of `weight`.
    """

    __constants__ = [  # noqa: RUF012
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]

    weight: Parameter
    bias: Parameter | None
    padding: tuple[int, ...] | str
    padding_mode: _PaddingMode
    _dims: int
    _transposed = False

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _Sizes,
        stride: _Sizes,
        padding: _Sizes | str,
        dilation: _Sizes,
        output_padding: _Sizes,
        groups: int,
        bias: bool,
        padding_mode: _PaddingMode,
        device: Any,
        dtype: _C._DType | None,
    ) -> None:
        super().__init__()
        name, dims = type(self).__name__, self._dims
        self.in_channels = size(name, "in_channels", in_channels)
        self.out_channels = size(name, "out_channels", out_channels)
        self.groups = size(name, "groups", groups)
        if not self.groups:
            raise ValueError(f"{name}(): argument 'groups' must be positive, but is 0")
        for what in ("in_channels", "out_channels"):
            if getattr(self, what) % self.groups:
                raise ValueError(
                    f"{name}(): argument {what!r} must be divisible by groups={self.groups}, but "
                    f"is {getattr(self, what)}"
                )
        self.kernel_size = of_each(name, "kernel_size", kernel_size, dims)
        self.stride = of_each(name, "stride", stride, dims)
        self.dilation = of_each(name, "dilation", dilation, dims)
        self.output_padding = of_each(name, "output_padding", output_padding, dims)
        self.padding = self._checked_padding(padding)
        if padding_mode not in _PADDING_MODES:
            *others, last = map(repr, _PADDING_MODES)
            raise ValueError(
                f"{name}(): argument 'padding_mode' must be {', '.join(others)} or {last}, but is "
                f"{padding_mode!r}"
            )
        self.padding_mode = padding_mode
        sides = (self.in_channels, self.out_channels)
        outer, inner = sides if self._transposed else sides[::-1]
        shape = (outer, inner // self.groups, *self.kernel_size)
        self.weight = Parameter(_C.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(_C.empty(self.out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _checked_padding(self, padding: Any) -> tuple[int, ...] | str:
        name = type(self).__name__
        if not isinstance(padding, str) or self._transposed:
            return of_each(name, "padding", padding, self._dims)
        if padding not in ("same", "valid"):
            raise ValueError(
                f"{name}(): argument 'padding' must be 'same', 'valid' or integers, but is "
                f"{padding!r}"
            )
        if padding == "same" and any(it != 1 for it in self.stride):
            raise ValueError(f"{name}(): padding='same' is not supported for strided convolutions")
        return padding

    def reset_parameters(self) -> None:
        """Draw the parameters again."""
        count = prod(self.weight.shape[1:])
        bound = 1 / sqrt(count) if count else 0.0
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        """The sizes, and what is not as it is by default."""
        one, zero = (1,) * self._dims, (0,) * self._dims
        shown = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"]
        shown.append(f"stride={self.stride}")
        others = {
            "padding": (self.padding, zero),
            "dilation": (self.dilation, one),
            "output_padding": (self.output_padding, zero),
            "groups": (self.groups, 1),
            "bias": (self.bias is not None, True),
            "padding_mode": (self.padding_mode, "zeros"),
        }
        shown += [f"{it}={value}" for it, (value, usual) in others.items() if value != usual]
        return ", ".join(shown)


class _Conv(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _Sizes,
        stride: _Sizes = 1,
        padding: _Sizes | str = 0,
        dilation: _Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: _PaddingMode = "zeros",
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _border(self) -> list[int]:
        """The padding as `functional.pad` takes it: before and after, the last dimension first."""
        if isinstance(self.padding, tuple):
            return [it for pad in reversed(self.padding) for it in (pad, pad)]
        if self.padding == "valid":
            return [0] * (2 * self._dims)
        totals = [
            gap * (taps - 1) for gap, taps in zip(self.dilation, self.kernel_size, strict=True)
        ]
        return [it for total in reversed(totals) for it in (total // 2, total - total // 2)]

    def _convolve(self, function: Any, input: Tensor) -> Tensor:
        padding: tuple[int, ...] | str = self.padding
        if self.padding_mode != "zeros":
            input = functional.pad(input, self._border(), mode=self.padding_mode)
            padding = (0,) * self._dims
        result: Tensor = function(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )
        return result


@with_own_init
class Conv1d(_Conv):
    """The convolution of images of one dimension with learnt weights.

    `padding` may be `"same"` or `"valid"`; `padding_mode` says what lies around the image.

        >>> opwright.nn.Conv1d(16, 33, 3, stride=2)(opwright.ones(20, 16, 50)).shape
        opwright.Size([20, 33, 24])
    """

    _dims = 1

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.conv1d` returns for the padded input."""
        return self._convolve(functional.conv1d, input)


@with_own_init
class Conv2d(_Conv):
    """The convolution of images of two dimensions with learnt weights.

    `padding` may be `"same"` or `"valid"`; `padding_mode` says what lies around the image.

        >>> opwright.nn.Conv2d(3, 8, 3, padding=1)(opwright.ones(4, 3, 28, 28)).shape
        opwright.Size([4, 8, 28, 28])
    """

    _dims = 2

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.conv2d` returns for the padded input."""
        return self._convolve(functional.conv2d, input)


@with_own_init
class Conv3d(_Conv):
    """The convolution of images of three dimensions with learnt weights.

    `padding` may be `"same"` or `"valid"`; `padding_mode` says what lies around the image.

        >>> opwright.nn.Conv3d(1, 2, (1, 3, 3))(opwright.ones(1, 1, 4, 8, 8)).shape
        opwright.Size([1, 2, 4, 6, 6])
    """

    _dims = 3

    def forward(self, input: Tensor) -> Tensor:
        """What `functional.conv3d` returns for the padded input."""
        return self._convolve(functional.conv3d, input)


class _ConvTranspose(_Convolution):
    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _Sizes,
        stride: _Sizes = 1,
        padding: _Sizes = 0,
        output_padding: _Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: _Sizes = 1,
        padding_mode: Literal["zeros"] = "zeros",
        device: Any = None,
        dtype: _C._DType | None = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(
                f"{type(self).__name__}(): argument 'padding_mode' must be 'zeros', but is "
                f"{padding_mode!r}"
            )
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _transpose(self, function: Any, input: Tensor, output_size: Any) -> Tensor:
        behind = self.output_padding
        if output_size is not None:
            behind = self._behind(input, output_size)
        result: Tensor = function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            behind,
            self.groups,
            self.dilation,
        )
        return result

    def _behind(self, input: Tensor, output_size: Sequence[int]) -> tuple[int, ...]:
        """The output padding by which the result has a size."""
        dims = self._dims
        wanted = [int(it) for it in output_size][-dims:]
        if len(wanted) != dims or len(output_size) not in (dims, dims + 1, dims + 2):
            raise ValueError(
                f"{type(self).__name__}: output_size must have {dims} elements, or {dims + 2} with "
                f"batch and channels, but is {list(output_size)}"
            )
        behind = []
        for dim, size_ in enumerate(wanted):
            assert isinstance(self.padding, tuple)
            least = (input.shape[dim - dims] - 1) * self.stride[dim] - 2 * self.padding[dim]
            least += self.dilation[dim] * (self.kernel_size[dim] - 1) + 1
            if not least <= size_ < least + self.stride[dim]:
                raise ValueError(
                    f"{type(self).__name__}: requested an output size of {wanted}, but along "
                    f"dimension {dim} it can be {least} to {least + self.stride[dim] - 1} for an "
                    f"input of {list(input.shape)}"
                )
            behind.append(size_ - least)
        return tuple(behind)


@with_own_init
class ConvTranspose1d(_ConvTranspose):
    """The transposed convolution of images of one dimension with learnt weights.

    >>> opwright.nn.ConvTranspose1d(2, 3, 4, stride=2)(opwright.ones(1, 2, 5)).shape
    opwright.Size([1, 3, 12])
    """

    _dims = 1

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """What `functional.conv_transpose1d` returns, of this size if it is given."""
        return self._transpose(functional.conv_transpose1d, input, output_size)


@with_own_init
class ConvTranspose2d(_ConvTranspose):
    """The transposed convolution of images of two dimensions with learnt weights.

    >>> opwright.nn.ConvTranspose2d(2, 3, 2, stride=2)(opwright.ones(1, 2, 7, 7)).shape
    opwright.Size([1, 3, 14, 14])
    """

    _dims = 2

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """What `functional.conv_transpose2d` returns, of this size if it is given."""
        return self._transpose(functional.conv_transpose2d, input, output_size)


@with_own_init
class ConvTranspose3d(_ConvTranspose):
    """The transposed convolution of images of three dimensions with learnt weights.

    >>> opwright.nn.ConvTranspose3d(1, 1, 2)(opwright.ones(1, 1, 2, 2, 2)).shape
    opwright.Size([1, 1, 3, 3, 3])
    """

    _dims = 3

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """What `functional.conv_transpose3d` returns, of this size if it is given."""
        return self._transpose(functional.conv_transpose3d, input, output_size)
