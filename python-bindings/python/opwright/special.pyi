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

__all__ = ["entr", "erf", "erfc", "exp2", "expit", "expm1", "log1p", "logit", "round", "sinc", "xlog1py", "xlogy"]

def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The term `-x * log(x)` of an entropy for each element: 0 for 0, negative infinity for
    negative ones.

    ```python
    >>> opwright.special.entr(opwright.tensor([0.0, 0.5]))
    tensor([0.0000, 0.3466], dtype=float32, shape=(2,))
    ```
    """
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function of each element; another name of `erf`.

    ```python
    >>> opwright.special.erf(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8427], dtype=float32, shape=(2,))
    ```
    """
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One minus the error function of each element; another name of `erfc`.

    ```python
    >>> opwright.special.erfc(opwright.tensor([0.0, 1.0]))
    tensor([1.0000, 0.1573], dtype=float32, shape=(2,))
    ```
    """
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 raised to the power of each element; another name of `exp2`.

    ```python
    >>> opwright.special.exp2(opwright.tensor([0.0, 3.0]))
    tensor([1., 8.], dtype=float32, shape=(2,))
    ```
    """
def expit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logistic function `1 / (1 + exp(-x))` of each element; another name of `sigmoid`.

    ```python
    >>> opwright.special.expit(opwright.tensor([0.0, 1.0]))
    tensor([0.5000, 0.7311], dtype=float32, shape=(2,))
    ```
    """
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e raised to the power of each element, minus 1; another name of `expm1`.

    ```python
    >>> opwright.special.expm1(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183], dtype=float32, shape=(2,))
    ```
    """
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of 1 plus each element; another name of `log1p`.

    ```python
    >>> opwright.special.log1p(opwright.tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931], dtype=float32, shape=(2,))
    ```
    """
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the odds of each element; another name of `logit`.

    ```python
    >>> opwright.special.logit(opwright.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
    ```
    """
def round(input: Tensor, *, decimals: _int = 0, out: Tensor | None = None) -> Tensor:
    """The nearest number to each element with so many decimals; another name of `round`.

    ```python
    >>> opwright.special.round(opwright.tensor([0.5, 1.5]))
    tensor([0., 2.], dtype=float32, shape=(2,))
    ```
    """
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`sin(pi * x) / (pi * x)` of each element, and 1 for 0; another name of `sinc`.

    ```python
    >>> opwright.special.sinc(opwright.tensor([0.0, 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122], dtype=float32, shape=(3,))
    ```
    """
@_overload
def xlog1py(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log1p(other)`, and 0 where `input` is 0, unless `other` is NaN.

    ```python
    >>> opwright.special.xlog1py(opwright.tensor([0.0, 2.0]), opwright.tensor([-1.0, 1.0]))
    tensor([0.0000, 1.3863], dtype=float32, shape=(2,))
    ```
    """
@_overload
def xlog1py(self: _Number, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def xlog1py(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def xlogy(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input * log(other)`, and 0 where `input` is 0; another name of `xlogy`.

    ```python
    >>> opwright.special.xlogy(opwright.tensor([0.0, 2.0]), opwright.tensor([0.0, 2.0]))
    tensor([0.0000, 1.3863], dtype=float32, shape=(2,))
    ```
    """
@_overload
def xlogy(self: _Number, other: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@_overload
def xlogy(input: Tensor, other: _Number, *, out: Tensor | None = None) -> Tensor: ...
