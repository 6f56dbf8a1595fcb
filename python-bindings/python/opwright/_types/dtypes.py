"""Dtypes of tensors, and the types of their elements."""

from __future__ import annotations

import sys

from .. import _C
from .base import Type
from .native import NUMBERS
from .number import Boolean, Complex, Float, Integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# By the first letter of the name of a dtype.
_KINDS = {"b": Boolean, "i": Integer, "u": Integer, "f": Float, "c": Complex}


def dtype_of(ty: Type) -> Any:
    """Return the dtype whose elements are of a type.

    Raises:
        TypeError: There is none.
    """
    if ty.name in NUMBERS - _WITHOUT and ty == from_name(ty.name):
        return _C._graph.named_dtype(ty.name)
    raise TypeError(f"there is no dtype of {ty}")


# Tensors have no such elements, but arrays of numpy do.
_WITHOUT = {"uint64"}


def from_dtype(dtype: Any) -> Any:
    """Return the type of the elements of a dtype, of one of numpy's, or of what stands for one.

    >>> opwright.types.from_dtype(opwright.int8)
    int8

    Raises:
        TypeError: It is no dtype, or one whose elements have no type, such as `bfloat16`.
    """
    name = _name(dtype)
    if name not in NUMBERS:
        raise TypeError(f"elements of {name} have no type in compiled functions")
    return from_name(name)


def from_name(name: str) -> Any:
    """Return the type of the elements of a dtype by its name."""
    return _KINDS[name[0]](name)


def _name(dtype: Any) -> str:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(dtype, type) and issubclass(dtype, numpy.generic):
        dtype = numpy.dtype(dtype)
    if numpy is not None and isinstance(dtype, numpy.dtype):
        return dtype.name if dtype.isnative else str(dtype)
    return str(_C._graph.named_dtype(dtype)).rpartition(".")[2]
