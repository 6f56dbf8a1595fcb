# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload

import opwright.return_types
from opwright import Tensor
from opwright._C import Generator
from opwright._C import Storage
from opwright._C import device as _device
from opwright._C import dtype as _dtype
from opwright._C import layout as _layout
from opwright._C import memory_format as _memory_format

_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]
class _NumpyDType(_Protocol):
    @property
    def char(self) -> _str: ...
    @property
    def num(self) -> _int: ...

class _NumpyScalar(_Protocol):
    @property
    def dtype(self) -> _Any: ...
    def tobytes(self) -> _Any: ...

_DType: _TypeAlias = (
    _dtype | _type[_float] | _type[_complex] | _NumpyDType | _type[_NumpyScalar]
)

__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn"]

@_overload
def fft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along `dim`, of `n` elements: the input is cut or
    continued with zeros. `norm` says what is divided by: nothing (`backward`, the
    default), `sqrt(n)` (`ortho`) or `n` (`forward`). The result is complex.

    ```python
    >>> opwright.fft.fft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64, shape=(4,))
    ```
    """
@_overload
def fft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def fft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along two dimensions; see `fftn`.

    ```python
    >>> opwright.fft.fft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[10.+0.j, -2.+0.j],
            [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def fft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
def fftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The frequencies of the elements of `fft` of `n` samples at distance `d`: from
    zero up, and then the negative ones, in units of `1 / (n * d)`.

    ```python
    >>> opwright.fft.fftfreq(4)
    tensor([ 0.00,  0.25, -0.50, -0.25], dtype=float32, shape=(4,))
    ```
    """
@_overload
def fftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The discrete Fourier transform along all dimensions, those of `dim`, or the last
    ones if there is only `s`, the sizes there; see `fft`.

    ```python
    >>> opwright.fft.fftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[10.+0.j, -2.+0.j],
            [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def fftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def fftshift(input: Tensor, dim: _int | _IntList | None = None) -> Tensor:
    """The spectrum rolled along all dimensions, or those of `dim`, so that frequency
    zero is in the middle.

    ```python
    >>> opwright.fft.fftshift(opwright.tensor([0, 1, -2, -1]))
    tensor([-2, -1,  0,  1], dtype=int64, shape=(4,))
    ```
    """
@_overload
def fftshift(input: Tensor, *, axis: _int | _IntList | None = None) -> Tensor: ...
@_overload
def hfft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform of `n` elements of which the input is the first half and
    whose other half mirrors it, so that the result is real.

    ```python
    >>> opwright.fft.hfft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
    tensor([ 4., 16., 12.,  8.], dtype=float32, shape=(4,))
    ```
    """
@_overload
def hfft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def hfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform along two dimensions of half of what mirrors itself; see
    `hfftn`.

    ```python
    >>> opwright.fft.hfft2(opwright.tensor([[10 + 0j, -2 + 0j]]), s=(1, 2))
    tensor([[ 8., 12.]], dtype=float32, shape=(1, 2))
    ```
    """
@_overload
def hfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def hfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform along dimensions as in `fftn` of an input that is half of
    what mirrors itself, so that the result is real; see `hfft`.

    ```python
    >>> opwright.fft.hfftn(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
    tensor([ 4., 16., 12.,  8.], dtype=float32, shape=(4,))
    ```
    """
@_overload
def hfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ifft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft` with the same `n`, `dim` and `norm`.

    ```python
    >>> opwright.fft.ifft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j, -2 - 2j]))
    tensor([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j], dtype=complex64, shape=(4,))
    ```
    """
@_overload
def ifft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ifft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fft2` with the same arguments.

    ```python
    >>> opwright.fft.ifft2(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
    tensor([[1.+0.j, 2.+0.j],
            [3.+0.j, 4.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def ifft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ifftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `fftn` with the same arguments.

    ```python
    >>> opwright.fft.ifftn(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
    tensor([[1.+0.j, 2.+0.j],
            [3.+0.j, 4.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def ifftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ifftshift(input: Tensor, dim: _int | _IntList | None = None) -> Tensor:
    """Undoes `fftshift`.

    ```python
    >>> opwright.fft.ifftshift(opwright.tensor([-2, -1, 0, 1]))
    tensor([ 0,  1, -2, -1], dtype=int64, shape=(4,))
    ```
    """
@_overload
def ifftshift(input: Tensor, *, axis: _int | _IntList | None = None) -> Tensor: ...
@_overload
def ihfft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `hfft`: half of the spectrum of real numbers.

    ```python
    >>> opwright.fft.ihfft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([ 2.5-0.0j, -0.5-0.5j, -0.5-0.0j], dtype=complex64, shape=(3,))
    ```
    """
@_overload
def ihfft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ihfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `hfft2`: half of the spectrum of real numbers.

    ```python
    >>> opwright.fft.ihfft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[ 2.5-0.j, -0.5-0.j],
            [-1.0-0.j,  0.0-0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def ihfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def ihfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `hfftn`: half of the spectrum of real numbers.

    ```python
    >>> opwright.fft.ihfftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[ 2.5-0.j, -0.5-0.j],
            [-1.0-0.j,  0.0-0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def ihfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def irfft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `rfft`: `n` real numbers from half of their spectrum. Without `n`
    it is the even one of the two lengths that fit.

    ```python
    >>> opwright.fft.irfft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
    tensor([1., 2., 3., 4.], dtype=float32, shape=(4,))
    ```
    """
@_overload
def irfft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def irfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `rfft2`: real numbers from half of their spectrum.

    ```python
    >>> opwright.fft.irfft2(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
    tensor([[1., 2.],
            [3., 4.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def irfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def irfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `rfftn`: real numbers from half of their spectrum.

    ```python
    >>> opwright.fft.irfftn(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
    tensor([[1., 2.],
            [3., 4.]], dtype=float32, shape=(2, 2))
    ```
    """
@_overload
def irfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def rfft(input: Tensor, n: _SupportsIndex | None = None, dim: _int = -1, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The first half of the Fourier transform of real numbers along `dim`, `n / 2 + 1`
    elements; the other half mirrors it. Other arguments are as in `fft`.

    ```python
    >>> opwright.fft.rfft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64, shape=(3,))
    ```
    """
@_overload
def rfft(input: Tensor, n: _SupportsIndex | None = None, *, axis: _int = -1, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def rfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList = (-2, -1), norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform of real numbers along two dimensions, of which the last is
    halved; see `rfftn`.

    ```python
    >>> opwright.fft.rfft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[10.+0.j, -2.+0.j],
            [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def rfft2(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList = (-2, -1), norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
def rfftfreq(n: _int, d: _float = 1.0, *, out: Tensor | None = None, dtype: _DType | None = None, layout: _layout | None = None, device: _device | _str | _int | None = None, pin_memory: _bool | None = False, requires_grad: _bool | None = False) -> Tensor:
    """The frequencies of the elements of `rfft` of `n` samples at distance `d`: from
    zero up, in units of `1 / (n * d)`.

    ```python
    >>> opwright.fft.rfftfreq(4)
    tensor([0.00, 0.25, 0.50], dtype=float32, shape=(3,))
    ```
    """
@_overload
def rfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, dim: _int | _IntList | None = None, norm: _str | None = None, *, out: Tensor | None = None) -> Tensor:
    """The Fourier transform of real numbers along dimensions as in `fftn`, of which the
    last is halved as in `rfft`.

    ```python
    >>> opwright.fft.rfftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[10.+0.j, -2.+0.j],
            [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
    ```
    """
@_overload
def rfftn(input: Tensor, s: _SupportsIndex | _IntList | None = None, *, axis: _int | _IntList | None = None, norm: _str | None = None, out: Tensor | None = None) -> Tensor: ...
