"""Elementwise functions that take numbers or promote as the standard says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import opwright
from opwright._functions import with_own_name

from ._promotion import comparing, promoted, promoting
from ._searching import nonzero

if TYPE_CHECKING:
    from opwright import Tensor

add = promoting(opwright.add, "add", takes_numbers=True)
atan2 = promoting(opwright.atan2, "atan2")
bitwise_and = promoting(opwright.bitwise_and, "bitwise_and", takes_numbers=True)
bitwise_left_shift = promoting(
    opwright.bitwise_left_shift, "bitwise_left_shift", takes_numbers=True
)
bitwise_or = promoting(opwright.bitwise_or, "bitwise_or", takes_numbers=True)
bitwise_right_shift = promoting(
    opwright.bitwise_right_shift, "bitwise_right_shift", takes_numbers=True
)
bitwise_xor = promoting(opwright.bitwise_xor, "bitwise_xor", takes_numbers=True)
copysign = promoting(opwright.copysign, "copysign")
divide = promoting(opwright.divide, "divide", takes_numbers=True)
equal = comparing(opwright.eq, opwright.eq, "equal")
floor_divide = promoting(opwright.floor_divide, "floor_divide", takes_numbers=True)
greater = comparing(opwright.greater, opwright.less, "greater")
greater_equal = comparing(opwright.greater_equal, opwright.less_equal, "greater_equal")
hypot = promoting(opwright.hypot, "hypot")
less = comparing(opwright.less, opwright.greater, "less")
less_equal = comparing(opwright.less_equal, opwright.greater_equal, "less_equal")
logaddexp = promoting(opwright.logaddexp, "logaddexp")
logical_and = promoting(opwright.logical_and, "logical_and")
logical_or = promoting(opwright.logical_or, "logical_or")
logical_xor = promoting(opwright.logical_xor, "logical_xor")
maximum = promoting(opwright.maximum, "maximum")
minimum = promoting(opwright.minimum, "minimum")
multiply = promoting(opwright.multiply, "multiply", takes_numbers=True)
nextafter = promoting(opwright.nextafter, "nextafter")
not_equal = comparing(opwright.not_equal, opwright.not_equal, "not_equal")
pow = promoting(opwright.pow, "pow", takes_numbers=True)
remainder = promoting(opwright.remainder, "remainder", takes_numbers=True)
subtract = promoting(opwright.subtract, "subtract", takes_numbers=True)


@with_own_name(input="x")
def clip(
    x: Tensor, /, min: Tensor | float | None = None, max: Tensor | float | None = None
) -> Tensor:
    """The elements, or the bounds that they exceed; the dtype is that of `x`.

    A bound is a number or a tensor that broadcasts, and `None` is none.
    """
    if min is None and max is None:
        return x.clone()
    bounds = [
        opwright.full((), it, dtype=x.dtype, device=x.device) if isinstance(it, int | float) else it
        for it in (min, max)
    ]
    return opwright.clip(x, *bounds).to(x.dtype)


@with_own_name(input="x")
def round(x: Tensor, /) -> Tensor:
    """The nearest integers, of two the even one; of complex numbers both parts are rounded."""
    if not x.dtype.is_complex:
        return opwright.round(x)
    return opwright.complex(opwright.round(x.real), opwright.round(x.imag))


@with_own_name(input="x")
def sign(x: Tensor, /) -> Tensor:
    """The elements divided by their magnitudes, and 0 of 0; complex ones, too."""
    return opwright.sgn(x) if x.dtype.is_complex else opwright.sign(x)


@with_own_name(input="x1", other="x2")
def where(
    condition: Tensor, x1: Tensor | complex | None = None, x2: Tensor | complex | None = None, /
) -> Any:
    """The elements of `x1` where `condition` is true, and those of `x2` elsewhere.

    One of both may be a number. Tensors without dimensions count for the dtype of the result like
    all others. Without both these are the indices of what is true, as `nonzero` gives them. Raises
    `TypeError` if both are numbers.
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    return opwright.where(condition, *promoted(x1, x2))
