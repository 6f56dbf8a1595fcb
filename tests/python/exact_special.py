"""Special functions in numpy's `longdouble`, by integrals and series that are slow and simple.

Integrals are sums over points that lie evenly: of functions that are periodic, or vanish at both
ends with all their derivatives, these are exact to the last digit (Trefethen and Weideman, 2014).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import opwright as ow

Long = npt.NDArray[np.longdouble]

PI = 4 * np.arctan(np.longdouble(1))
EULER = np.longdouble("0.57721566490153286060651209008240243")
# The values of Airy's function and of the opposite of its derivative at zero.
AIRY = np.longdouble("0.35502805388781723926006318600418318")
AIRY_SLOPE = np.longdouble("0.25881940379280679840518356018920396")
# Of even index, from the second on, each by its index.
BERNOULLI = [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510)]
SHIFT = 30


def ratio(above: int, below: int) -> np.longdouble:
    """A quotient of whole numbers."""
    return np.longdouble(above) / np.longdouble(below)


# --- gamma functions --------------------------------------------------------------------------


def shifted(x: Long) -> Long:
    """Greater by whole numbers, so that Stirling's series has all digits."""
    return np.where(x < SHIFT, x + SHIFT, x)


def lgamma(x: Long) -> Long:
    """The logarithm of the gamma function of positive numbers."""
    far = shifted(x)
    result = (far - 0.5) * np.log(far) - far + np.log(2 * PI) / 2
    for at, (above, below) in enumerate(BERNOULLI, 1):
        result += ratio(above, below * 2 * at * (2 * at - 1)) / far ** (2 * at - 1)
    product = np.ones_like(x)
    for at in range(SHIFT):
        product = product * (x + at)
    return np.where(x < SHIFT, result - np.log(product), result)


def digamma(x: Long) -> Long:
    """The derivative of that."""
    far = shifted(x)
    result = np.log(far) - 0.5 / far
    for at, (above, below) in enumerate(BERNOULLI, 1):
        result -= ratio(above, below * 2 * at) / far ** (2 * at)
    for at in range(SHIFT):
        result = np.where(x < SHIFT, result - 1 / (x + at), result)
    return result


# --- the normal distribution ------------------------------------------------------------------


def erfcx_of_positive(x: Long) -> Long:
    """`exp(x ** 2)` times the complement of the error function, for what is not small."""
    below = x
    for n in range(150, 0, -1):
        below = x + np.longdouble(n) / 2 / below
    return 1 / below / np.sqrt(PI)


def erf_by_series(x: Long) -> Long:
    """The error function, for what is not large."""
    term = total = x
    for n in range(1, 90):
        term = term * (2 * x * x / (2 * n + 1))
        total = total + term
    return 2 / np.sqrt(PI) * np.exp(-x * x) * total


def gaussian(x: Long) -> Long:
    """`exp(-x ** 2)`, without what a square loses."""
    head = x.astype(np.float32).astype(np.longdouble)
    return np.exp(-head * head) * np.exp(-(x - head) * (x + head))


def erfcx(x: Long) -> Long:
    """The complement of the error function, times `exp(x ** 2)`."""
    near = (1 - erf_by_series(np.clip(x, -2, 2))) / gaussian(np.clip(x, -2, 2))
    far = erfcx_of_positive(np.maximum(np.abs(x), 2))
    opposite = 2 / gaussian(np.minimum(x, -2)) - far
    return np.where(np.abs(x) < 2, near, np.where(x < 0, opposite, far))


def below(x: Long) -> Long:
    """The share of a normal distribution below what is not positive, by its exponential."""
    return erfcx(-x / np.sqrt(np.longdouble(2))) / 2


def log_ndtr(x: Long) -> Long:
    """The logarithm of the share below any number."""
    tail = below(-np.abs(x))
    above = np.log1p(-tail * gaussian(np.abs(x) / np.sqrt(np.longdouble(2))))
    return np.where(x < 0, np.log(tail) - x * x / 2, above)


def quantile(found: Callable[[Any], Any], share: Long, twice: Long, tail: Long) -> Long:
    """By two steps of Newton from what is found in `float64`, each of which doubles its digits."""
    start = found(ow.from_numpy(share.astype(np.float64))).numpy().astype(np.longdouble)
    x = centre = start
    root = np.sqrt(np.longdouble(2))
    for _ in range(2):
        slope = np.sqrt(2 / PI) * np.exp(-centre * centre / 2)
        centre = centre - (erf_by_series(np.clip(centre, -3, 3) / root) - twice) / slope
        size = -np.abs(x)
        step = (log_ndtr(size) - np.log(tail)) * below(size) * np.sqrt(2 * PI)
        x = np.copysign(size - step, x)
    return np.where(np.abs(twice) < 0.8, centre, np.where(tail > 0, x, start))


def ndtri(x: Long) -> Long:
    """Below which number a share lies."""
    tail = np.minimum(x, 1 - x)
    return np.where(tail < 0, np.nan, quantile(ow.special.ndtri, x, 2 * x - 1, tail))


def erfinv(x: Long) -> Long:
    """The inverse of the error function."""
    root = np.sqrt(np.longdouble(2))
    return quantile(lambda it: ow.erfinv(it) * float(root), x, x, (1 - np.abs(x)) / 2) / root


# --- Bessel functions -------------------------------------------------------------------------


def mean(f: Callable[[np.longdouble], Long], points: int) -> Long:
    """The mean of a function of an angle from 0 to half a turn."""
    angles = (np.arange(points, dtype=np.longdouble) + 0.5) * PI / points
    return sum((f(it) for it in angles[1:]), f(angles[0])) / points


def j0(x: Long) -> Long:
    """Of the first kind."""
    return mean(lambda it: np.cos(x * np.sin(it)), 32)


def j1(x: Long) -> Long:
    """Of the first kind, of order one."""
    return x * mean(lambda it: np.cos(x * np.sin(it)) * np.cos(it) ** 2, 32)


def i0e(x: Long) -> Long:
    """Modified, by its exponential."""
    # Of half an angle, as the cosine less one loses digits.
    return mean(lambda it: np.exp(-2 * np.abs(x) * np.sin(it / 2) ** 2), 128)


def i1e(x: Long) -> Long:
    """The same of order one."""
    exponential = lambda it: np.exp(-2 * np.abs(x) * np.sin(it / 2) ** 2)  # noqa: E731
    return x * mean(lambda it: exponential(it) * np.sin(it) ** 2, 128)


def decaying(x: Long, factor: Callable[[np.longdouble], np.longdouble]) -> Long:
    """The integral of `exp(-x * (cosh(t) - 1))` and of a factor over positive `t`."""
    step = np.longdouble(1) / 16
    total = 0.5 * np.ones_like(x)
    for at in range(1, 200):
        t = at * step
        total = total + np.exp(-2 * x * np.sinh(t / 2) ** 2) * factor(t)
    return np.where(x > 0, total * step, np.nan)


def k0e(x: Long) -> Long:
    """Modified of the second kind, times its exponential."""
    return decaying(x, np.ones_like)


def k1e(x: Long) -> Long:
    """The same of order one."""
    return decaying(x, np.cosh)


def y0(x: Long) -> Long:
    """Of the second kind, of what is small."""
    quarter = x * x / 4
    term, harmonic, total = np.ones_like(x), np.longdouble(0), np.zeros_like(x)
    for n in range(1, 40):
        term = -term * quarter / (n * n)
        harmonic = harmonic + np.longdouble(1) / n
        total = total - term * harmonic
    return 2 / PI * ((np.log(x / 2) + EULER) * j0(x) + total)


def y1(x: Long) -> Long:
    """The same of order one."""
    quarter = x * x / 4
    term, total = x / 2, np.zeros_like(x)
    harmonic = np.longdouble(0)
    for n in range(40):
        following = harmonic + np.longdouble(1) / (n + 1)
        total = total + term * (harmonic + following - 2 * EULER)
        term = -term * quarter / ((n + 1) * (n + 2))
        harmonic = following
    result = 2 / PI * (np.log(x / 2) * j1(x) - 1 / x) - total / PI
    return np.where(x == 0, -np.inf, result)


def airy_ai(x: Long) -> Long:
    """Airy's function, by its series."""
    even, odd = np.ones_like(x), x
    first, second = even, odd
    for n in range(1, 40):
        even = even * x**3 / ((3 * n - 1) * (3 * n))
        odd = odd * x**3 / ((3 * n) * (3 * n + 1))
        first, second = first + even, second + odd
    return AIRY * first - AIRY_SLOPE * second


EXACT: dict[str, Callable[..., Long]] = {
    "lgamma": lgamma,
    "digamma": digamma,
    "erfinv": erfinv,
    "special_erfcx": erfcx,
    "special_ndtri": ndtri,
    "special_log_ndtr": log_ndtr,
    "i0": lambda x: np.exp(np.abs(x)) * i0e(x),
    "special_i0e": i0e,
    "special_i1": lambda x: np.exp(np.abs(x)) * i1e(x),
    "special_i1e": i1e,
    "special_modified_bessel_i0": lambda x: np.exp(np.abs(x)) * i0e(x),
    "special_modified_bessel_i1": lambda x: np.exp(np.abs(x)) * i1e(x),
    "special_modified_bessel_k0": lambda x: np.exp(-x) * k0e(x),
    "special_modified_bessel_k1": lambda x: np.exp(-x) * k1e(x),
    "special_scaled_modified_bessel_k0": k0e,
    "special_scaled_modified_bessel_k1": k1e,
    "special_bessel_j0": j0,
    "special_bessel_j1": j1,
    "special_bessel_y0": y0,
    "special_bessel_y1": y1,
    "special_spherical_bessel_j0": lambda x: np.where(x == 0, 1, np.sin(x) / x),
    "special_airy_ai": airy_ai,
}
