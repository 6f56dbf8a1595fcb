"""What functions of complex numbers give at zeros, infinities, NaN, and huge or tiny numbers.

Where Python's `cmath` has the function it is asked: it follows annex G of the C standard, but
raises where that asks for an infinity or a NaN, which is filled in here.
"""

import cmath
import math
from collections.abc import Callable
from fractions import Fraction
from math import copysign, inf, isfinite, isinf, isnan, nan

PARTS = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 1e30, -1e30, 1e-30, -1e-30]


def times(factor: float, part: float) -> float:
    """A product in which zero stays zero, even times infinity."""
    return part * copysign(1, factor) if part == 0 else factor * part


def turned(re: float, im: float, angle: float) -> complex:
    """`re * cos(angle) + 1j * im * sin(angle)`, if the angle is finite."""
    return complex(re * math.cos(angle), times(im, math.sin(angle)))


def exp(z: complex) -> complex:
    """`cmath.exp` without exceptions."""
    try:
        return cmath.exp(z)
    except OverflowError:
        return turned(inf, inf, z.imag)
    except ValueError:
        return complex(inf if z.real == inf else nan, nan)


def sinh(z: complex) -> complex:
    """`cmath.sinh` without exceptions."""
    try:
        return cmath.sinh(z)
    except OverflowError:
        return turned(copysign(inf, z.real), inf, z.imag)
    except ValueError:
        return complex(z.real if z.real == 0 or isinf(z.real) else nan, nan)


def cosh(z: complex) -> complex:
    """`cmath.cosh` without exceptions."""
    try:
        return cmath.cosh(z)
    except OverflowError:
        return turned(inf, copysign(inf, z.real), z.imag)
    except ValueError:
        return complex(inf if isinf(z.real) else nan, 0.0 if z.real == 0 else nan)


def tanh(z: complex) -> complex:
    """`cmath.tanh`; the imaginary axis is as in C23, which the array API standard repeats."""
    if z.real == 0 and not isfinite(z.imag):
        return complex(z.real, nan)
    try:
        return cmath.tanh(z)
    except ValueError:
        return complex(nan, nan)


def log(z: complex) -> complex:
    """`cmath.log` without exceptions."""
    return complex(-inf, math.atan2(z.imag, z.real)) if z == 0 else cmath.log(z)


def atanh(z: complex) -> complex:
    """`cmath.atanh` without exceptions."""
    return complex(copysign(inf, z.real), z.imag) if z in (1, -1) else cmath.atanh(z)


def acosh(z: complex) -> complex:
    """`cmath.acosh`; beside a real part of 0, NaN is as in C23."""
    if z.real == 0 and isnan(z.imag):
        return complex(nan, math.pi / 2)
    return cmath.acosh(z)


def times_i(z: complex) -> complex:
    """`1j * z`, exactly."""
    return complex(-z.imag, z.real)


def around(function: Callable[[complex], complex]) -> Callable[[complex], complex]:
    """`-1j * f(1j * z)`: how annex G defines the trigonometric functions."""
    return lambda z: -times_i(function(times_i(z)))


def divided(z: complex, divisor: float) -> complex:
    """Part by part."""
    return complex(z.real / divisor, z.imag / divisor)


def exp2(z: complex) -> complex:
    """2 to the power of a number."""
    return exp(complex(z.real * math.log(2), z.imag * math.log(2)))


def expm1(z: complex) -> complex:
    """`exp(z) - 1`, with all digits near 0."""
    if abs(z.real) < 1 and isfinite(z.imag):
        half = math.sin(z.imag / 2)
        re = math.expm1(z.real) * math.cos(z.imag) - 2 * half * half
        return complex(re, exp(z).imag)
    return complex(exp(z).real - 1, exp(z).imag)


def log1p(z: complex) -> complex:
    """`log(1 + z)`, by rational numbers."""
    if not cmath.isfinite(z) or z == -1:
        return log(complex(1 + z.real, z.imag))
    squared = (1 + Fraction(z.real)) ** 2 + Fraction(z.imag) ** 2
    rest = float(squared - 1) if squared < 10**6 else inf
    if abs(rest) < 0.5:
        re = math.log1p(rest) / 2
    else:
        re = (math.log(squared.numerator) - math.log(squared.denominator)) / 2
    return complex(re, math.atan2(z.imag, 1 + z.real))


def reciprocal(z: complex) -> complex:
    """`1 / z`, by rational numbers; infinities go to 0, and 0 to infinity."""
    if cmath.isinf(z):
        return complex(copysign(0, z.real), copysign(0, -z.imag))
    if cmath.isnan(z):
        return complex(nan, nan)
    if z == 0:
        return complex(copysign(inf, z.real), nan)
    re, im = Fraction(z.real), Fraction(z.imag)
    length = re * re + im * im
    return complex(float(re / length), copysign(float(abs(im) / length), -z.imag))


def sigmoid(z: complex) -> complex:
    """`1 / (1 + exp(-z))`."""
    power = exp(-z)
    return reciprocal(complex(1 + power.real, power.imag))


FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log2": lambda z: divided(log(z), math.log(2)),
    "log10": lambda z: divided(log(z), math.log(10)),
    "log1p": log1p,
    "sqrt": cmath.sqrt,
    "rsqrt": lambda z: reciprocal(cmath.sqrt(z)),
    "reciprocal": reciprocal,
    "sigmoid": sigmoid,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "asinh": cmath.asinh,
    "acosh": acosh,
    "atanh": atanh,
    "sin": around(sinh),
    "cos": lambda z: cosh(times_i(z)),
    "tan": around(tanh),
    "asin": around(cmath.asinh),
    "acos": cmath.acos,
    "atan": around(atanh),
}
"""By the names of the operators."""

SIGNLESS: dict[str, Callable[[complex], bool]] = {
    # At the end of the range that a NaN or an infinite angle leaves open.
    "exp": lambda z: z.real == -inf and not isfinite(z.imag),
    "exp2": lambda z: z.real == -inf and not isfinite(z.imag),
    "tanh": lambda z: isinf(z.real) and isinf(z.imag),
    "tan": lambda z: isinf(z.real) and isinf(z.imag),
    # No standard gives these zeros a sign.
    "expm1": lambda z: z.real in (-inf, 0),
    "rsqrt": lambda z: True,
    "reciprocal": lambda z: True,
    "sigmoid": lambda z: True,
}
"""Where the sign of a zero or an infinity is free, besides the places where there is a NaN."""


def has_free_signs(name: str, z: complex, result: complex) -> bool:
    """Whether the standard leaves signs open."""
    is_free = SIGNLESS.get(name)
    return cmath.isnan(z) or cmath.isnan(result) or (is_free is not None and is_free(z))
