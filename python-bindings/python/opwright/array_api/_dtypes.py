"""Limits of dtypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import opwright
from opwright import _C

if TYPE_CHECKING:
    from opwright import Tensor


@dataclass(frozen=True)
class FloatLimits:
    """What `finfo` returns."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: _C.dtype


@dataclass(frozen=True)
class IntegerLimits:
    """What `iinfo` returns."""

    bits: int
    max: int
    min: int
    dtype: _C.dtype


def finfo(type: _C.dtype | Tensor, /) -> FloatLimits:
    """Limits of a floating dtype, of that of the parts of a complex one, or of a tensor's.

    Raises `TypeError` for other dtypes.
    """
    found = opwright.finfo(_dtype_of(type))
    dtype: _C.dtype = getattr(_C, found.dtype)
    return FloatLimits(found.bits, found.eps, found.max, found.min, found.smallest_normal, dtype)


def iinfo(type: _C.dtype | Tensor, /) -> IntegerLimits:
    """Limits of a dtype of integers, or of a tensor's.

    Raises `TypeError` for other dtypes.
    """
    found = opwright.iinfo(_dtype_of(type))
    dtype: _C.dtype = getattr(_C, found.dtype)
    return IntegerLimits(found.bits, found.max, found.min, dtype)


def _dtype_of(value: _C.dtype | Tensor) -> _C.dtype:
    return value.dtype if isinstance(value, _C.TensorBase) else value
