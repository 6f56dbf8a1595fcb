# Bodies are typed by the compiler.
# mypy: disallow-untyped-defs=False, disallow-untyped-decorators=False, disallow-untyped-calls=False
"""Functions of numpy over elements that are no instructions: each is one of numbers.

Over arrays they are loops over all elements, one with the operators around them and without arrays
in between. Dtypes are numpy's: what a function of numbers returns is cast to that of the result.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import types
from .errors import TypingError
from .operators import body, scalar_type
from .overloads import Elementwise, Forward, builtin


def _element(ty: Any) -> Any:
    return ty.dtype if isinstance(ty, types.Array) else ty


def _have_elements(*tys: Any) -> bool:
    return all(isinstance(_element(ty), types.Number | types.Boolean) for ty in tys)


def _are_real(*tys: Any) -> bool:
    return all(isinstance(_element(ty), (types.Integer, types.Float, types.Boolean)) for ty in tys)


def _is_whole(ty: Any) -> bool:
    return isinstance(_element(ty), (types.Integer, types.Boolean))


def _common(*tys: Any) -> Any:
    """The dtype that numpy gives a result: numbers give way to arrays beside them."""
    if not any(isinstance(ty, types.Array) for ty in tys):
        return scalar_type(np.result_type(*[str(ty) for ty in tys]).name)

    def operand(ty: Any) -> Any:
        if isinstance(ty, types.Array):
            return np.dtype(str(ty.dtype))
        if isinstance(ty, types.Boolean):
            return np.dtype(bool)
        return 0 if isinstance(ty, types.Integer) else 0.0 if isinstance(ty, types.Float) else 0j

    return scalar_type(np.result_type(*map(operand, tys)).name)


def _real(*tys: Any) -> Any:
    """The same for a function whose results are no integers."""
    found = np.dtype(_common(*tys))
    return found.type if found.kind in "fc" else np.float64


def _is_given(ty: Any) -> bool:
    return ty is not None and ty is not types.none and not isinstance(ty, types.Omitted)


@body
def _chosen(dtype: Any) -> Any:
    return lambda condition, x, y: dtype(x) if condition else dtype(y)


@builtin(np.where)
def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        return Forward(np.nonzero)
    if not _have_elements(condition, x, y):
        return None
    return Elementwise(_chosen(_common(x, y)), ("condition", "x", "y"))


@body
def _clipped(has_low: bool, has_high: bool, dtype: Any) -> Any:
    # Bounds come first: they are taken of equal numbers, and are tested for nan but once.
    if has_low and has_high:
        return lambda a, low, high: dtype(np.minimum(high, np.maximum(low, a)))
    if has_low:
        return lambda a, low: dtype(np.maximum(low, a))
    return lambda a, high: dtype(np.minimum(high, a))


@builtin(np.clip)
def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> Any:
    given = {name: ty for name, ty in (("a_min", a_min), ("a_max", a_max)) if _is_given(ty)}
    if _is_given(out):
        raise TypingError("clip() with out: assign to out[...]")
    if not given:
        raise TypingError("clip() takes a least or a greatest number")
    if not _are_real(a, *given.values()):
        return None
    function = _clipped("a_min" in given, "a_max" in given, _common(a, *given.values()))
    return Elementwise(function, ("a", *given))


@body
def _rounded(decimals: int, dtype: Any, is_whole: bool) -> Any:
    if is_whole and decimals >= 0:
        return lambda a: a
    scale = dtype(10.0 ** abs(decimals)) if not is_whole else 10.0 ** abs(decimals)
    if decimals == 0:
        return lambda a: np.rint(a)
    if decimals > 0:
        return lambda a: np.rint(a * scale) / scale
    return lambda a: dtype(np.rint(a / scale) * scale)


def _round(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    if _is_given(out):
        raise TypingError("round() with out: assign to out[...]")
    if not _are_real(a):
        return None
    places = decimals.value if isinstance(decimals, types.Omitted) else decimals
    places = getattr(places, "literal_value", places)
    if not isinstance(places, int):
        raise TypingError("decimals has to be a constant")
    return Elementwise(_rounded(places, _common(a), _is_whole(a)), ("a",))


for _function in {id(it): it for it in (np.round, np.around)}.values():
    builtin(_function, prefer_literal=True)(_round)


@body
def _heaviside(dtype: Any) -> Any:
    def heaviside(x1, x2):
        if x1 != x1:
            return dtype(x1)
        return dtype(x2) if x1 == 0 else dtype(1 if x1 > 0 else 0)

    return heaviside


@builtin(np.heaviside)
def _heaviside_of(x1: Any, x2: Any) -> Any:
    return Elementwise(_heaviside(_real(x1, x2)), ("x1", "x2")) if _are_real(x1, x2) else None


@body
def _sinc(dtype: Any) -> Any:
    def sinc(x):
        y = dtype(math.pi) * dtype(x)
        return dtype(1) if x == 0 else dtype(np.sin(y) / y)

    return sinc


@builtin(np.sinc)
def _sinc_of(x: Any) -> Any:
    return Elementwise(_sinc(_real(x)), ("x",)) if _are_real(x) else None


@body
def _angle(dtype: Any, by: float) -> Any:
    return lambda z: dtype(np.arctan2(z.imag, z.real)) * dtype(by)


@builtin(np.angle, prefer_literal=True)
def _angle_of(z: Any, deg: Any = False) -> Any:
    in_degrees = getattr(deg, "literal_value", getattr(deg, "value", None))
    if not _have_elements(z) or not isinstance(in_degrees, bool):
        return None
    found = np.dtype(_real(z))
    part = {"complex64": np.float32, "complex128": np.float64}.get(found.name, found.type)
    return Elementwise(_angle(part, 180 / math.pi if in_degrees else 1.0), ("z",))


@body
def _logaddexp(dtype: Any, is_two: bool) -> Any:
    def logaddexp(x1, x2):
        a, b = dtype(x1), dtype(x2)
        if a == b:
            # Infinities, too.
            return a + dtype(1 if is_two else math.log(2))
        distance = a - b
        if distance > 0:
            rest = np.log1p(np.exp2(-distance) if is_two else np.exp(-distance))
            return a + (rest * dtype(1 / math.log(2)) if is_two else rest)
        if distance <= 0:
            rest = np.log1p(np.exp2(distance) if is_two else np.exp(distance))
            return b + (rest * dtype(1 / math.log(2)) if is_two else rest)
        return distance

    return logaddexp


def _of_exponents(function: Any, is_two: bool) -> None:
    @builtin(function)
    def _(x1: Any, x2: Any) -> Any:
        if not _are_real(x1, x2):
            return None
        return Elementwise(_logaddexp(_real(x1, x2), is_two), ("x1", "x2"))


_of_exponents(np.logaddexp, False)
_of_exponents(np.logaddexp2, True)


@body
def _is_infinity(sign: int) -> Any:
    infinity = sign * math.inf
    return lambda x: x == infinity


def _of_infinity(function: Any, sign: int) -> None:
    @builtin(function)
    def _(x: Any) -> Any:
        return Elementwise(_is_infinity(sign), ("x",)) if _are_real(x) else None


_of_infinity(np.isposinf, 1)
_of_infinity(np.isneginf, -1)


@body
def _finite(dtype: Any, given: tuple[str, ...]) -> Any:
    info = np.finfo(dtype)
    places = {name: at for at, name in enumerate(given)}
    nan_at, high_at, low_at = (places.get(name, -1) for name in ("nan", "posinf", "neginf"))
    high, low = float(info.max), float(info.min)

    def finite(x, values):
        if x != x:
            return dtype(values[nan_at] if nan_at >= 0 else 0.0)
        if x == np.inf:
            return dtype(values[high_at] if high_at >= 0 else high)
        if x == -np.inf:
            return dtype(values[low_at] if low_at >= 0 else low)
        return dtype(x)

    return (
        lambda x: finite(x, ()),
        lambda x, a: finite(x, (a,)),
        lambda x, a, b: finite(x, (a, b)),
        lambda x, a, b, c: finite(x, (a, b, c)),
    )[len(given)]


@body
def _unchanged() -> Any:
    return lambda x: x


@builtin(np.nan_to_num)
def _nan_to_num(
    x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    given = [("nan", nan), ("posinf", posinf), ("neginf", neginf)]
    names = tuple(name for name, ty in given if _is_given(ty))
    if not _are_real(x, *(ty for name, ty in given if name in names)):
        return None
    if _is_whole(x):
        return Elementwise(_unchanged(), ("x",))
    return Elementwise(_finite(_common(x), names), ("x", *names))


@body
def _float_power() -> Any:
    return lambda x1, x2: np.float64(x1) ** np.float64(x2)


@builtin(np.float_power)
def _float_power_of(x1: Any, x2: Any) -> Any:
    return Elementwise(_float_power(), ("x1", "x2")) if _are_real(x1, x2) else None


@body
def _bit_count() -> Any:
    def bit_count(x):
        bits = np.uint64(abs(x))
        count = 0
        while bits != 0:
            bits &= bits - np.uint64(1)
            count += 1
        return np.uint8(count)

    return bit_count


if hasattr(np, "bitwise_count"):

    @builtin(np.bitwise_count)
    def _bitwise_count(x: Any) -> Any:
        return Elementwise(_bit_count(), ("x",)) if _is_whole(x) else None


@builtin(np.iscomplexobj)
def _iscomplexobj(x: Any) -> Any:
    found = isinstance(_element(x), types.Complex)
    return lambda x: found


@builtin(np.isrealobj)
def _isrealobj(x: Any) -> Any:
    found = not isinstance(_element(x), types.Complex)
    return lambda x: found


@builtin(np.isscalar)
def _isscalar(element: Any) -> Any:
    found = isinstance(element, types.Number | types.Boolean | types.UnicodeType)
    return lambda element: found


@builtin(np.divmod)
def _divmod(x1: Any, x2: Any) -> Any:
    return (lambda x1, x2: (x1 // x2, x1 % x2)) if _are_real(x1, x2) else None


@body
def _has_part(is_complex: bool) -> Any:
    return (lambda x: x.imag != 0) if is_complex else (lambda x: x.imag == 0)


@builtin(np.iscomplex)
def _iscomplex(x: Any) -> Any:
    return Elementwise(_has_part(True), ("x",)) if _have_elements(x) else None


@builtin(np.isreal)
def _isreal(x: Any) -> Any:
    return Elementwise(_has_part(False), ("x",)) if _have_elements(x) else None
