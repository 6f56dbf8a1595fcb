"""The extension `fft` of the array API standard.

What differs from `opwright.fft` is in the table `DIFFERENCES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import opwright
from opwright._functions import with_own_name
from opwright.fft import fftfreq as fftfreq
from opwright.fft import rfftfreq as rfftfreq

if TYPE_CHECKING:
    from opwright import Tensor

    _Sizes = tuple[int, ...] | list[int]
    _Norm = Literal["backward", "ortho", "forward"]

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


@with_own_name(input="x", dim="axis")
def fft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The transform along `axis`, to the size `n`, by default that of `x`."""
    return opwright.fft.fft(x, n, axis, norm)


@with_own_name(input="x", dim="axes")
def fftn(
    x: Tensor,
    /,
    *,
    s: _Sizes | None = None,
    axes: _Sizes | None = None,
    norm: _Norm = "backward",
) -> Tensor:
    """The transforms along `axes`, to the sizes `s`, by default along all."""
    return opwright.fft.fftn(x, s, axes, norm)


@with_own_name(input="x", dim="axes")
def fftshift(x: Tensor, /, *, axes: int | _Sizes | None = None) -> Tensor:
    """The halves along `axes` exchanged, so that frequency 0 is in the middle."""
    return opwright.fft.fftshift(x, axes)


@with_own_name(input="x", dim="axis")
def hfft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The transform of a signal that is Hermitian along `axis`, which is real; `n` is its size."""
    return opwright.fft.hfft(x, n, axis, norm)


@with_own_name(input="x", dim="axis")
def ifft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The inverse of `fft`."""
    return opwright.fft.ifft(x, n, axis, norm)


@with_own_name(input="x", dim="axes")
def ifftn(
    x: Tensor,
    /,
    *,
    s: _Sizes | None = None,
    axes: _Sizes | None = None,
    norm: _Norm = "backward",
) -> Tensor:
    """The inverse of `fftn`."""
    return opwright.fft.ifftn(x, s, axes, norm)


@with_own_name(input="x", dim="axes")
def ifftshift(x: Tensor, /, *, axes: int | _Sizes | None = None) -> Tensor:
    """The inverse of `fftshift`."""
    return opwright.fft.ifftshift(x, axes)


@with_own_name(input="x", dim="axis")
def ihfft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The inverse of `hfft`."""
    return opwright.fft.ihfft(x, n, axis, norm)


@with_own_name(input="x", dim="axis")
def irfft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The inverse of `rfft`, whose size is `n`, or even if that is not there."""
    return opwright.fft.irfft(x, n, axis, norm)


@with_own_name(input="x", dim="axes")
def irfftn(
    x: Tensor,
    /,
    *,
    s: _Sizes | None = None,
    axes: _Sizes | None = None,
    norm: _Norm = "backward",
) -> Tensor:
    """The inverse of `rfftn`, whose last size is `s[-1]`, or even if that is not there."""
    return opwright.fft.irfftn(x, s, axes, norm)


@with_own_name(input="x", dim="axis")
def rfft(x: Tensor, /, n: int | None = None, axis: int = -1, norm: _Norm = "backward") -> Tensor:
    """The transform of real numbers along `axis`, of which the first half is kept."""
    return opwright.fft.rfft(x, n, axis, norm)


@with_own_name(input="x", dim="axes")
def rfftn(
    x: Tensor,
    /,
    *,
    s: _Sizes | None = None,
    axes: _Sizes | None = None,
    norm: _Norm = "backward",
) -> Tensor:
    """The transforms of real numbers along `axes`, of which the last keeps its first half."""
    return opwright.fft.rfftn(x, s, axes, norm)
