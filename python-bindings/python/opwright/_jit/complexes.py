# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of complex numbers, by functions of real ones.

Methods are those of CPython's `cmath`; where that raises, as for the logarithm of zero, the result
has infinite parts or such that are no numbers, as with functions of real numbers.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

from .. import types
from .overloads import builtin

# The largest number whose exponential is finite, less one.
_LARGE = 708.0


def complex_sqrt(z):
    x, y = z.real, z.imag
    if math.isinf(y):
        return complex(math.inf, y)
    if math.isnan(x):
        return complex(math.nan, math.nan)
    if math.isinf(x):
        if x > 0:
            return complex(x, y if math.isnan(y) else math.copysign(0.0, y))
        return complex(y if math.isnan(y) else 0.0, math.copysign(math.inf, y))
    if x == 0.0 and y == 0.0:
        return complex(0.0, y)
    ax, ay = abs(x), abs(y)
    scale = 1.0
    if ax < 2.3e-308 and ay < 2.3e-308:
        # Subnormal numbers are brought up, by an even power of two.
        ax, ay, scale = ax * 2.0**54, ay * 2.0**54, 2.0**-27
    ax /= 8.0
    s = 2.0 * math.sqrt(ax + math.hypot(ax, ay / 8.0)) * scale
    d = ay * scale * scale / (2.0 * s)
    if x >= 0.0:
        return complex(s, math.copysign(d, y))
    return complex(d, math.copysign(s, y))


def complex_exp(z):
    x, y = z.real, z.imag
    if y == 0.0:
        return complex(math.exp(x), y)
    if math.isinf(x) and not math.isfinite(y):
        return complex(math.inf, math.nan) if x > 0 else complex(0.0, 0.0)
    if x > _LARGE and math.isfinite(x):
        size = math.exp(x - 1.0)
        return complex(size * math.cos(y) * math.e, size * math.sin(y) * math.e)
    size = math.exp(x)
    return complex(size * math.cos(y), size * math.sin(y))


def _log_of_modulus(x, y):
    ax, ay = abs(x), abs(y)
    size = math.hypot(ax, ay)
    if 0.71 <= size <= 1.73:
        most, least = max(ax, ay), min(ax, ay)
        return math.log1p((most - 1.0) * (most + 1.0) + least * least) / 2.0
    if math.isinf(size) and math.isfinite(ax) and math.isfinite(ay):
        return math.log(math.hypot(ax / 2.0, ay / 2.0)) + math.log(2.0)
    return math.log(size)


def complex_log(z):
    return complex(_log_of_modulus(z.real, z.imag), math.atan2(z.imag, z.real))


def complex_log10(z):
    found = complex_log(z)
    return complex(found.real / math.log(10.0), found.imag / math.log(10.0))


def complex_log2(z):
    found = complex_log(z)
    return complex(found.real / math.log(2.0), found.imag / math.log(2.0))


def complex_sinh(z):
    x, y = z.real, z.imag
    if abs(x) > _LARGE and math.isfinite(x):
        near = x - math.copysign(1.0, x)
        return complex(
            math.cos(y) * math.sinh(near) * math.e, math.sin(y) * math.cosh(near) * math.e
        )
    if y == 0.0:
        return complex(math.sinh(x), y)
    return complex(math.cos(y) * math.sinh(x), math.sin(y) * math.cosh(x))


def complex_cosh(z):
    x, y = z.real, z.imag
    if abs(x) > _LARGE and math.isfinite(x):
        near = x - math.copysign(1.0, x)
        return complex(
            math.cos(y) * math.cosh(near) * math.e, math.sin(y) * math.sinh(near) * math.e
        )
    if y == 0.0:
        return complex(math.cosh(x), math.copysign(0.0, x) * y)
    return complex(math.cos(y) * math.cosh(x), math.sin(y) * math.sinh(x))


def complex_tanh(z):
    x, y = z.real, z.imag
    if abs(x) > _LARGE:
        real = math.copysign(1.0, x)
        if math.isinf(x):
            turn = math.sin(2.0 * y) if math.isfinite(y) else y
            return complex(real, math.copysign(0.0, turn))
        return complex(real, 4.0 * math.sin(y) * math.cos(y) * math.exp(-2.0 * abs(x)))
    tx, ty, cx = math.tanh(x), math.tan(y), 1.0 / math.cosh(x)
    both = tx * ty
    by = 1.0 + both * both
    return complex(tx * (1.0 + ty * ty) / by, ((ty / by) * cx) * cx)


def complex_sin(z):
    found = complex_sinh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)


def complex_cos(z):
    return complex_cosh(complex(-z.imag, z.real))


def complex_tan(z):
    found = complex_tanh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)


def _is_large(z):
    return abs(z.real) > 4.4e307 or abs(z.imag) > 4.4e307


def _large_log(z):
    """The logarithm of twice the modulus."""
    return math.log(math.hypot(z.real / 2.0, z.imag / 2.0)) + math.log(2.0) * 2.0


def complex_arcsinh(z):
    if _is_large(z):
        real = math.copysign(_large_log(z), z.real)
        return complex(real, math.atan2(z.imag, abs(z.real)))
    a = complex_sqrt(complex(1.0 + z.imag, -z.real))
    b = complex_sqrt(complex(1.0 - z.imag, z.real))
    return complex(
        math.asinh(a.real * b.imag - b.real * a.imag),
        math.atan2(z.imag, a.real * b.real - a.imag * b.imag),
    )


def complex_arccosh(z):
    if _is_large(z):
        return complex(_large_log(z), math.atan2(z.imag, z.real))
    a = complex_sqrt(complex(z.real - 1.0, z.imag))
    b = complex_sqrt(complex(z.real + 1.0, z.imag))
    return complex(math.asinh(a.real * b.real + a.imag * b.imag), 2.0 * math.atan2(a.imag, b.real))


def complex_arccos(z):
    if _is_large(z):
        return complex(math.atan2(abs(z.imag), z.real), math.copysign(_large_log(z), -z.imag))
    a = complex_sqrt(complex(1.0 - z.real, -z.imag))
    b = complex_sqrt(complex(1.0 + z.real, z.imag))
    return complex(2.0 * math.atan2(a.real, b.real), math.asinh(b.real * a.imag - b.imag * a.real))


def complex_arcsin(z):
    found = complex_arcsinh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)


def _arctanh_right(x, y):
    """`arctanh` where the real part has no sign."""
    ay = abs(y)
    if x > 1e150 or ay > 1e150:
        size = math.hypot(x / 2.0, y / 2.0)
        return complex(x / 4.0 / size / size, math.copysign(math.pi / 2.0, y))
    if x == 1.0 and ay < 1e-154:
        if ay == 0.0:
            return complex(math.inf, y)
        real = -math.log(math.sqrt(ay) / math.sqrt(math.hypot(ay, 2.0)))
        return complex(real, math.copysign(math.atan2(2.0, -ay) / 2.0, y))
    real = math.log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + ay * ay)) / 4.0
    return complex(real, -math.atan2(-2.0 * y, (1.0 - x) * (1.0 + x) - ay * ay) / 2.0)


def complex_arctanh(z):
    if math.copysign(1.0, z.real) < 0.0:
        found = _arctanh_right(-z.real, -z.imag)
        return complex(-found.real, -found.imag)
    return _arctanh_right(z.real, z.imag)


def complex_arctan(z):
    found = complex_arctanh(complex(-z.imag, z.real))
    return complex(found.imag, -found.real)


def complex_isnan(z):
    return math.isnan(z.real) or math.isnan(z.imag)


def complex_isinf(z):
    return math.isinf(z.real) or math.isinf(z.imag)


def complex_isfinite(z):
    return math.isfinite(z.real) and math.isfinite(z.imag)


# What `cmath` has of one number, and the functions above.
_OF_ONE = {
    cmath.sqrt: complex_sqrt,
    cmath.exp: complex_exp,
    cmath.log10: complex_log10,
    cmath.sin: complex_sin,
    cmath.cos: complex_cos,
    cmath.tan: complex_tan,
    cmath.sinh: complex_sinh,
    cmath.cosh: complex_cosh,
    cmath.tanh: complex_tanh,
    cmath.asin: complex_arcsin,
    cmath.acos: complex_arccos,
    cmath.atan: complex_arctan,
    cmath.asinh: complex_arcsinh,
    cmath.acosh: complex_arccosh,
    cmath.atanh: complex_arctanh,
    cmath.isnan: complex_isnan,
    cmath.isinf: complex_isinf,
    cmath.isfinite: complex_isfinite,
}


def _is_number(ty: Any) -> bool:
    return isinstance(ty, (types.Number, types.Boolean))


def _of_one(function: Any, body: Any) -> None:
    def wide(z):
        return body(complex(z))

    @builtin(function)
    def _(z: Any) -> Any:
        return wide if _is_number(z) else None


for _function, _body in _OF_ONE.items():
    _of_one(_function, _body)


@builtin(cmath.log)
def _log(z: Any, base: Any = None) -> Any:
    if not _is_number(z):
        return None
    if not _is_number(base):
        return lambda z, base=None: complex_log(complex(z))
    return lambda z, base=None: complex_log(complex(z)) / complex_log(complex(base))


@builtin(cmath.phase)
def _phase(z: Any) -> Any:
    def phase(z):
        wide = complex(z)
        return math.atan2(wide.imag, wide.real)

    return phase if _is_number(z) else None


@builtin(cmath.polar)
def _polar(z: Any) -> Any:
    def polar(z):
        wide = complex(z)
        return math.hypot(wide.real, wide.imag), math.atan2(wide.imag, wide.real)

    return polar if _is_number(z) else None


@builtin(cmath.rect)
def _rect(r: Any, phi: Any) -> Any:
    return lambda r, phi: complex(r * math.cos(phi), r * math.sin(phi))


@builtin(cmath.isclose)
def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
        x, y = complex(a), complex(b)
        if x == y:
            return True
        if complex_isinf(x) or complex_isinf(y):
            return False
        distance = abs(x - y)
        return distance <= rel_tol * abs(y) or distance <= rel_tol * abs(x) or distance <= abs_tol

    return isclose if _is_number(a) and _is_number(b) else None
