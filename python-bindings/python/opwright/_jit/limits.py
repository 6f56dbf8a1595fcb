# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""`np.finfo` and `np.iinfo`: what numbers of a dtype reach, as constants."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from .. import types
from .operators import body
from .overloads import builtin

_OF_REAL = ("bits", "eps", "epsneg", "max", "min", "resolution", "smallest_normal", "tiny")
_OF_WHOLE = ("bits", "max", "min")
_Real = namedtuple("_Real", _OF_REAL)  # type: ignore[misc]
_Whole = namedtuple("_Whole", _OF_WHOLE)  # type: ignore[misc]


@body
def _limits(made: Any, values: tuple[Any, ...], name: str) -> Any:
    return (lambda dtype: made(*values)) if name == "dtype" else (lambda type: made(*values))


@builtin(np.finfo)
def _finfo(dtype: Any) -> Any:
    if not isinstance(dtype, types.DType) or not isinstance(
        dtype.dtype, (types.Float, types.Complex)
    ):
        return None
    found = np.finfo(str(dtype.dtype))
    values = tuple(float(getattr(found, name)) for name in _OF_REAL[1:])
    return _limits(_Real, (found.bits, *values), "dtype")


@builtin(np.iinfo)
def _iinfo(type: Any) -> Any:
    if not isinstance(type, types.DType) or not isinstance(type.dtype, types.Integer):
        return None
    found = np.iinfo(str(type.dtype))
    return _limits(_Whole, (found.bits, int(found.max), int(found.min)), "type")
