"""Pooling with the parameters that people know: sizes that stay, indices if they are asked for."""

from __future__ import annotations

from math import prod

from opwright import _C
from opwright._C import _nn
from opwright._functions import in_place_of, with_own_name
from opwright.nn._arguments import number, of_each, sizes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from opwright import Tensor

    _Sizes: TypeAlias = int | tuple[int, ...] | list[int]
    _OutputSize: TypeAlias = int | Sequence[int | None] | None
    _Ratios: TypeAlias = float | Sequence[float]
    _Indexed: TypeAlias = Tensor | tuple[Tensor, Tensor]

__all__ = [
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
]


def _kept(function: str, input: Any, output_size: Any, dims: int) -> Any:
    """The sizes that are wanted, with those of the input where there is none."""
    if not isinstance(input, _C.TensorBase):
        return output_size
    if input.ndim <= dims:
        raise ValueError(
            f"{function}(): expected {dims + 1}D or {dims + 2}D (batch mode) tensor as input, but "
            f"got shape {list(input.shape)}"
        )
    if output_size is None:
        output_size = (None,) * dims
    if isinstance(output_size, tuple | list) and len(output_size) == dims:
        own = input.shape[-dims:]
        return [own[at] if it is None else it for at, it in enumerate(output_size)]
    return output_size


@in_place_of(_nn.adaptive_avg_pool2d)
def adaptive_avg_pool2d(input: Tensor, output_size: _OutputSize) -> Tensor:
    """The means of so many windows of about the same size that cover the last two dimensions.

    A dimension of which `None` is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.adaptive_avg_pool2d(image, (None, 1)).tolist()
        [[[1.5], [5.5], [9.5], [13.5]]]
    """
    return _nn.adaptive_avg_pool2d(input, _kept("adaptive_avg_pool2d", input, output_size, 2))


@in_place_of(_nn.adaptive_avg_pool3d)
def adaptive_avg_pool3d(input: Tensor, output_size: _OutputSize) -> Tensor:
    """The means of so many windows of about the same size that cover the last three dimensions.

    A dimension of which `None` is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 1, 4, 4)
        >>> opwright.nn.functional.adaptive_avg_pool3d(image, (None, None, 1)).tolist()
        [[[[1.5], [5.5], [9.5], [13.5]]]]
    """
    return _nn.adaptive_avg_pool3d(input, _kept("adaptive_avg_pool3d", input, output_size, 3))


@in_place_of(_C.adaptive_max_pool1d)
@with_own_name(self="input")
def adaptive_max_pool1d(
    input: Tensor, output_size: _OutputSize, return_indices: bool = False
) -> _Indexed:
    """The greatest elements of so many windows of about one size that cover the last dimension.

    With `return_indices` also their numbers among all elements of these. One of which `None`
    is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 16)
        >>> opwright.nn.functional.adaptive_max_pool1d(image, 2).tolist()
        [[7.0, 15.0]]
    """
    wanted = _kept("adaptive_max_pool1d", input, output_size, 1)
    values, indices = _C.adaptive_max_pool1d(input, wanted)
    return (values, indices) if return_indices else values


@in_place_of(_nn.adaptive_max_pool2d)
@with_own_name(self="input")
def adaptive_max_pool2d(
    input: Tensor, output_size: _OutputSize, return_indices: bool = False
) -> _Indexed:
    """The greatest elements of so many windows of about one size that cover the last dimensions.

    With `return_indices` also their numbers among all elements of these. One of which `None`
    is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.adaptive_max_pool2d(image, (None, 1)).tolist()
        [[[3.0], [7.0], [11.0], [15.0]]]
    """
    wanted = _kept("adaptive_max_pool2d", input, output_size, 2)
    values, indices = _nn.adaptive_max_pool2d(input, wanted)
    return (values, indices) if return_indices else values


@in_place_of(_nn.adaptive_max_pool3d)
@with_own_name(self="input")
def adaptive_max_pool3d(
    input: Tensor, output_size: _OutputSize, return_indices: bool = False
) -> _Indexed:
    """The greatest elements of so many windows of about one size that cover the last dimensions.

    With `return_indices` also their numbers among all elements of these. One of which `None`
    is wanted stays as it is.

        >>> image = opwright.arange(16.0).reshape(1, 1, 4, 4)
        >>> opwright.nn.functional.adaptive_max_pool3d(image, (None, None, 1)).tolist()
        [[[[3.0], [7.0], [11.0], [15.0]]]]
    """
    wanted = _kept("adaptive_max_pool3d", input, output_size, 3)
    values, indices = _nn.adaptive_max_pool3d(input, wanted)
    return (values, indices) if return_indices else values


@in_place_of(_C.max_pool1d)
@with_own_name(self="input")
def max_pool1d(
    input: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    dilation: _Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> _Indexed:
    """The greatest elements of windows of the last dimension, as far apart as they are large.

    With `return_indices` also their numbers among all elements of it. `stride` sets them apart
    otherwise, and `dilation` their elements; nothing in the border of `padding` is greater than
    anything. With `ceil_mode` windows may reach beyond the end.

        >>> image = opwright.arange(16.0).reshape(1, 16)
        >>> opwright.nn.functional.max_pool1d(image, 8).tolist()
        [[7.0, 15.0]]
    """
    pool = _C.max_pool1d_with_indices if return_indices else _C.max_pool1d
    return pool(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


@in_place_of(_C.max_pool2d)
@with_own_name(self="input")
def max_pool2d(
    input: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    dilation: _Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> _Indexed:
    """The greatest elements of windows of the last dimensions, as far apart as they are large.

    With `return_indices` also their numbers among all elements of these. `stride` sets them apart
    otherwise, and `dilation` their elements; nothing in the border of `padding` is greater than
    anything. With `ceil_mode` windows may reach beyond the end.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.max_pool2d(image, 2).tolist()
        [[[5.0, 7.0], [13.0, 15.0]]]
    """
    pool = _nn.max_pool2d_with_indices if return_indices else _C.max_pool2d
    return pool(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


@in_place_of(_C.max_pool3d)
@with_own_name(self="input")
def max_pool3d(
    input: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    dilation: _Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> _Indexed:
    """The greatest elements of windows of the last dimensions, as far apart as they are large.

    With `return_indices` also their numbers among all elements of these. `stride` sets them apart
    otherwise, and `dilation` their elements; nothing in the border of `padding` is greater than
    anything. With `ceil_mode` windows may reach beyond the end.

        >>> image = opwright.arange(16.0).reshape(1, 1, 4, 4)
        >>> opwright.nn.functional.max_pool3d(image, (1, 2, 2)).tolist()
        [[[[5.0, 7.0], [13.0, 15.0]]]]
    """
    pool = _nn.max_pool3d_with_indices if return_indices else _C.max_pool3d
    return pool(input, kernel_size, () if stride is None else stride, padding, dilation, ceil_mode)


def ratios(function: str, value: Any, dims: int) -> tuple[float, ...]:
    """A share for each of `dims` dimensions, of which there may be one for all."""
    found = [*value] if isinstance(value, tuple | list) else [value] * dims
    if len(found) != dims:
        raise ValueError(
            f"{function}(): argument 'output_ratio' must be a number or {dims} of them, but is "
            f"{value}"
        )
    each = tuple(number(function, "output_ratio", it) for it in found)
    if not all(0 < it < 1 for it in each):
        raise ValueError(
            f"{function}(): argument 'output_ratio' must be between 0 and 1, but is {value}"
        )
    return each


def _of_ratio(function: str, input: Any, output_size: Any, output_ratio: Any, dims: int) -> Any:
    """The sizes that are wanted, or so large a part of those of the input."""
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(f"{function}(): argument 'output_size' or 'output_ratio' must be given")
    each = ratios(function, output_ratio, dims)
    if not isinstance(input, _C.TensorBase):
        return [0] * dims  # The operator refuses it.
    return [int(size * it) for size, it in zip(input.shape[-dims:], each, strict=False)]


def _drawn(input: Any, dims: int) -> Any:
    """Random numbers for each image, each channel and each of the last dimensions."""
    if not isinstance(input, _C.TensorBase) or input.ndim not in (dims + 1, dims + 2):
        return _C.rand(1, 1, dims)  # The operator refuses the input.
    leading = (1, *input.shape[:-dims])[-2:]
    dtype = input.dtype if input.is_floating_point() else None
    return _C.rand(*leading, dims, dtype=dtype, device=input.device)


@with_own_name(self="input", random_samples="_random_samples")
def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: _Sizes,
    output_size: _Sizes | None = None,
    output_ratio: _Ratios | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The values and indices of `fractional_max_pool2d`, whatever `return_indices` is.

    >>> image = opwright.arange(16.0).reshape(1, 4, 4)
    >>> _, indices = opwright.nn.functional.fractional_max_pool2d_with_indices(image, 2, (1, 2))
    >>> indices.tolist()
    [[[13, 15]]]
    """
    name = "fractional_max_pool2d"
    size = _of_ratio(name, input, output_size, output_ratio, 2)
    samples = _drawn(input, 2) if _random_samples is None else _random_samples
    values, indices = _nn.fractional_max_pool2d(input, kernel_size, size, samples)
    return values, indices


@in_place_of(_nn.fractional_max_pool2d)
@with_own_name(self="input", random_samples="_random_samples")
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: _Sizes,
    output_size: _Sizes | None = None,
    output_ratio: _Ratios | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> _Indexed:
    """The greatest elements of windows at random distances in the last two dimensions.

    There are `output_size` of them, or `output_ratio` times as many as there are elements, and they
    reach from one end to the other. With `return_indices` also their numbers among all elements of
    these dimensions. The distances follow from random numbers for each image, each channel and each
    dimension, which are drawn unless they are given.

        >>> image = opwright.arange(16.0).reshape(1, 4, 4)
        >>> opwright.nn.functional.fractional_max_pool2d(image, 2, (1, 2)).tolist()
        [[[13.0, 15.0]]]
    """
    found = fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return found if return_indices else found[0]


@with_own_name(self="input", random_samples="_random_samples")
def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: _Sizes,
    output_size: _Sizes | None = None,
    output_ratio: _Ratios | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The values and indices of `fractional_max_pool3d`, whatever `return_indices` is.

    >>> image = opwright.arange(16.0).reshape(1, 1, 4, 4)
    >>> _, indices = opwright.nn.functional.fractional_max_pool3d_with_indices(
    ...     image, (1, 2, 2), (1, 1, 2)
    ... )
    >>> indices.tolist()
    [[[[13, 15]]]]
    """
    name = "fractional_max_pool3d"
    size = _of_ratio(name, input, output_size, output_ratio, 3)
    samples = _drawn(input, 3) if _random_samples is None else _random_samples
    values, indices = _nn.fractional_max_pool3d(input, kernel_size, size, samples)
    return values, indices


@in_place_of(_nn.fractional_max_pool3d)
@with_own_name(self="input", random_samples="_random_samples")
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: _Sizes,
    output_size: _Sizes | None = None,
    output_ratio: _Ratios | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> _Indexed:
    """The greatest elements of windows at random distances in the last three dimensions.

    There are `output_size` of them, or `output_ratio` times as many as there are elements, and they
    reach from one end to the other. With `return_indices` also their numbers among all elements of
    these dimensions. The distances follow from random numbers for each image, each channel and each
    dimension, which are drawn unless they are given.

        >>> image = opwright.arange(16.0).reshape(1, 1, 4, 4)
        >>> opwright.nn.functional.fractional_max_pool3d(image, (1, 2, 2), (1, 1, 2)).tolist()
        [[[[13.0, 15.0]]]]
    """
    found = fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )
    return found if return_indices else found[0]


def _of_powers(means: Tensor, norm_type: float, count: int) -> Tensor:
    """The norms of windows of so many elements, given the means of their powers."""
    sums = means.sign() * means.abs() * count
    return sums ** (1.0 / norm_type)


@with_own_name(self="input")
def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norms of windows of the last dimension: the `norm_type`-th roots of sums of powers.

    >>> opwright.nn.functional.lp_pool1d(opwright.tensor([[3.0, 4.0, 0.0, 2.0]]), 2, 2)
    tensor([[5., 2.]], dtype=float32, shape=(1, 2))
    """
    step = kernel_size if stride is None else stride
    means = _C.avg_pool1d(input**norm_type, kernel_size, step, 0, ceil_mode)
    return _of_powers(means, norm_type, prod(of_each("lp_pool1d", "kernel_size", kernel_size, 1)))


@with_own_name(self="input")
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norms of windows of the last two dimensions; see `lp_pool1d`.

    >>> opwright.nn.functional.lp_pool2d(opwright.ones(1, 4, 4), 2, 2).tolist()
    [[[2.0, 2.0], [2.0, 2.0]]]
    """
    step = kernel_size if stride is None else stride
    means = _nn.avg_pool2d(input**norm_type, kernel_size, step, 0, ceil_mode)
    return _of_powers(means, norm_type, prod(of_each("lp_pool2d", "kernel_size", kernel_size, 2)))


@with_own_name(self="input")
def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """The norms of windows of the last three dimensions; see `lp_pool1d`.

    >>> opwright.nn.functional.lp_pool3d(opwright.ones(1, 1, 4, 4), 2, (1, 2, 2)).tolist()
    [[[[2.0, 2.0], [2.0, 2.0]]]]
    """
    step = kernel_size if stride is None else stride
    means = _nn.avg_pool3d(input**norm_type, kernel_size, step, 0, ceil_mode)
    return _of_powers(means, norm_type, prod(of_each("lp_pool3d", "kernel_size", kernel_size, 3)))


def _unpooled_size(
    function: str,
    input: Tensor,
    windows: tuple[_Sizes, _Sizes | None, _Sizes],
    output_size: Sequence[int] | None,
    dims: int,
) -> list[int]:
    """The size of what was pooled: of several possible ones the least but for `output_size`."""
    kernel_size, stride, padding = windows
    given = (kernel_size, kernel_size if stride is None else stride, padding)
    names = ("kernel_size", "stride", "padding")
    each = [sizes(function, *it) for it in zip(names, given, strict=True)]
    for name, found in zip(names, each, strict=True):
        if len(found) not in (1, dims):
            raise ValueError(
                f"{function}(): argument {name!r} must be one or {dims} integers, but is {found}"
            )
    kernel, step, border = ([*it] * dims if len(it) == 1 else [*it] for it in each)
    if input.ndim not in (dims + 1, dims + 2):
        raise ValueError(
            f"{function}(): expected {dims + 1}D or {dims + 2}D (batch mode) tensor as input, but "
            f"got shape {list(input.shape)}"
        )
    counts = input.shape[-dims:]
    least = [(counts[at] - 1) * step[at] + kernel[at] - 2 * border[at] for at in range(dims)]
    if output_size is None:
        return least
    wanted = [*output_size][-dims:] if len(output_size) in (dims, input.ndim) else [*output_size]
    if len(wanted) != dims:
        raise ValueError(
            f"{function}(): argument 'output_size' must have {dims} or {input.ndim} numbers, not "
            f"{list(output_size)}"
        )
    for at in range(dims):
        if not least[at] - step[at] < wanted[at] < least[at] + step[at]:
            raise ValueError(
                f"{function}(): argument 'output_size' must be between "
                f"{[a - b for a, b in zip(least, step, strict=True)]} and "
                f"{[a + b for a, b in zip(least, step, strict=True)]}, but is {wanted}"
            )
    return wanted


@with_own_name(self="input")
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Zeros, and the elements of `input` where `max_pool1d` found them.

    >>> values, indices = opwright.nn.functional.max_pool1d(
    ...     opwright.tensor([[1.0, 3.0, 2.0, 0.0]]), 2, return_indices=True
    ... )
    >>> opwright.nn.functional.max_unpool1d(values, indices, 2)
    tensor([[0., 3., 2., 0.]], dtype=float32, shape=(1, 4))
    """
    windows = (kernel_size, stride, padding)
    wanted = _unpooled_size("max_unpool1d", input, windows, output_size, 1)
    result = _nn.max_unpool2d(input.unsqueeze(-2), indices.unsqueeze(-2), [1, *wanted])
    return result.squeeze(-2)


@in_place_of(_nn.max_unpool2d)
@with_own_name(self="input")
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Zeros, and the elements of `input` where `max_pool2d` found them; see `max_unpool1d`.

    >>> values, indices = opwright.nn.functional.max_pool2d(
    ...     opwright.arange(4.0).reshape(1, 2, 2), 2, return_indices=True
    ... )
    >>> opwright.nn.functional.max_unpool2d(values, indices, 2).flatten().tolist()
    [0.0, 0.0, 0.0, 3.0]
    """
    windows = (kernel_size, stride, padding)
    wanted = _unpooled_size("max_unpool2d", input, windows, output_size, 2)
    return _nn.max_unpool2d(input, indices, wanted)


@in_place_of(_nn.max_unpool3d)
@with_own_name(self="input")
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: _Sizes,
    stride: _Sizes | None = None,
    padding: _Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Zeros, and the elements of `input` where `max_pool3d` found them; see `max_unpool1d`.

    >>> values, indices = opwright.nn.functional.max_pool3d(
    ...     opwright.arange(8.0).reshape(1, 2, 2, 2), 2, return_indices=True
    ... )
    >>> opwright.nn.functional.max_unpool3d(values, indices, 2).flatten().tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0]
    """
    windows = (kernel_size, stride, padding)
    wanted = _unpooled_size("max_unpool3d", input, windows, output_size, 3)
    return _nn.max_unpool3d(input, indices, wanted, [1, 1, 1], [0, 0, 0])
