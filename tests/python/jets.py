"""Taylor arithmetic: a function's value and first three derivatives, in hundreds of digits.

A jet is a power series cut off behind its third term. Numbers are `decimal`s, whose exponents have
no end that matters here, so that neither squares overflow nor differences cancel.
"""

from __future__ import annotations

import decimal
import os
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache

COUNT = 4

CONTEXT = decimal.Context(
    prec=700 if os.environ.get("OPWRIGHT_EVERY") == "1" else 200,
    Emax=decimal.MAX_EMAX,
    Emin=decimal.MIN_EMIN,
    traps=[decimal.InvalidOperation],
)

Number = "Jet | Decimal | int | float"


class Jet:
    """A power series by its first coefficients."""

    def __init__(self, *terms: Decimal) -> None:
        self.terms = [*terms, *[Decimal(0)] * (COUNT - len(terms))]

    def __add__(self, other: Number) -> Jet:
        pairs = zip(self.terms, jet(other).terms, strict=True)
        return Jet(*(a + b for a, b in pairs))

    def __mul__(self, other: Number) -> Jet:
        a, b = self.terms, jet(other).terms
        return Jet(*(sum_of(a[j] * b[k - j] for j in range(k + 1)) for k in range(COUNT)))

    def __truediv__(self, other: Number) -> Jet:
        a, b = self.terms, jet(other).terms
        terms: list[Decimal] = []
        for k in range(COUNT):
            known = sum_of(terms[j] * b[k - j] for j in range(k))
            terms.append((a[k] - known) / b[0])
        return Jet(*terms)

    def __neg__(self) -> Jet:
        return self * -1

    def __sub__(self, other: Number) -> Jet:
        return self + jet(other) * -1

    def __rsub__(self, other: Number) -> Jet:
        return jet(other) - self

    def __rtruediv__(self, other: Number) -> Jet:
        return jet(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def value(self) -> Decimal:
        """The value itself."""
        return self.terms[0]

    def slope(self) -> Jet:
        """The derivative, one term shorter."""
        return Jet(*((k + 1) * self.terms[k + 1] for k in range(COUNT - 1)))

    def derivatives(self) -> list[Decimal]:
        """The first, second and third derivative."""
        return [self.terms[1], self.terms[2] * 2, self.terms[3] * 6]


def jet(number: Number) -> Jet:
    """The number as a series that does not change."""
    return number if isinstance(number, Jet) else Jet(Decimal(number))


def sum_of(terms: Iterable[Decimal]) -> Decimal:
    """The sum, exact as far as the digits go."""
    return sum(terms, Decimal(0))


def integral(slope: Jet, value: Decimal = Decimal(0)) -> Jet:
    """The series with this derivative and this value."""
    return Jet(value, *(slope.terms[k] / (k + 1) for k in range(COUNT - 1)))


def composed(x: Jet, slope: Jet, value: Decimal = Decimal(0)) -> Jet:
    """`f(x)` by `f'(x)`; the value is left out where only derivatives count."""
    return integral(slope * x.slope(), value)


def exp(x: Jet) -> Jet:
    """The exponential function."""
    if abs(x.value) > Decimal("1e15"):
        return Jet(*[Decimal(0 if x.value < 0 else "inf")] * COUNT)
    terms = [x.value.exp()]
    for k in range(1, COUNT):
        terms.append(sum_of(j * x.terms[j] * terms[k - j] for j in range(1, k + 1)) / k)
    return Jet(*terms)


def log(x: Jet) -> Jet:
    """The natural logarithm."""
    return composed(x, 1 / x, x.value.ln())


def sqrt(x: Jet) -> Jet:
    """The square root."""
    terms = [x.value.sqrt()]
    for k in range(1, COUNT):
        known = sum_of(terms[j] * terms[k - j] for j in range(1, k))
        terms.append((x.terms[k] - known) / (2 * terms[0]))
    return Jet(*terms)


def power(x: Jet, exponent: Decimal) -> Jet:
    """`x ** exponent` of a number that does not change."""
    if exponent == exponent.to_integral_value() and abs(exponent) < 10:
        product = jet(1)
        for _ in range(abs(int(exponent))):
            product = product * x
        return product if exponent >= 0 else 1 / product
    return exp(log(x) * exponent)


@cache
def pi() -> Decimal:
    """Pi, by Machin's formula."""

    def arctan_of_inverse(n: int) -> Decimal:
        term = total = Decimal(1) / n
        k = 1
        while abs(term) > Decimal(10) ** -(CONTEXT.prec + 5):
            term = -term / (n * n)
            k += 2
            total += term / k
        return total

    return 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))


def series(x: Decimal, first: Decimal, ratio: Callable[[int], Decimal]) -> Decimal:
    """The sum of terms that each are the last one times `ratio`."""
    term = total = first
    k = 0
    while abs(term) > abs(total) * Decimal(10) ** -(CONTEXT.prec + 2):
        term = term * ratio(k)
        total += term
        k += 1
        if term == 0:
            break
    return total


def sine_and_cosine(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Both, of an angle that is brought near zero first, if there are digits for it."""
    if angle.adjusted() > CONTEXT.prec - 30:
        raise decimal.InvalidOperation
    rest = angle - (angle / (2 * pi())).to_integral_value() * 2 * pi()
    square = -rest * rest
    sine = series(rest, rest, lambda k: square / ((2 * k + 2) * (2 * k + 3)))
    cosine = series(rest, Decimal(1), lambda k: square / ((2 * k + 1) * (2 * k + 2)))
    return sine, cosine


def sin(x: Jet) -> Jet:
    """The sine."""
    s, c = sine_and_cosine(x.value)
    d = Jet(Decimal(0), *x.terms[1:])
    square, cube = d * d, d * d * d
    return s + d * c - square * (s / 2) - cube * (c / 6)


def cos(x: Jet) -> Jet:
    """The cosine."""
    s, c = sine_and_cosine(x.value)
    d = Jet(Decimal(0), *x.terms[1:])
    square, cube = d * d, d * d * d
    return c - d * s - square * (c / 2) + cube * (s / 6)


def erfc(x: Jet) -> Jet:
    """The complement of the error function."""
    slope = exp(-(x * x)) * (-2 / pi().sqrt())
    return composed(x, slope, erfc_of(x.value))


def erfc_of(x: Decimal) -> Decimal:
    """The complement of the error function of a number."""
    if x < 0:
        return 2 - erfc_of(-x)
    if x > 8:
        # Divergent, but good for far more digits than any dtype has.
        square = 2 * x * x
        term = total = Decimal(1)
        for k in range(1, 40):
            term = -term * (2 * k - 1) / square
            total += term
        return total * (-x * x).exp() / (x * pi().sqrt())
    square = -x * x
    term = total = x
    k = 0
    while abs(term) > Decimal(10) ** -(CONTEXT.prec - 2):
        k += 1
        term = term * square / k
        total += term / (2 * k + 1)
    return 1 - total * 2 / pi().sqrt()


def sigmoid(x: Jet) -> Jet:
    """`1 / (1 + exp(-x))`."""
    if x.value < 0:
        power_ = exp(x)
        return power_ / (1 + power_)
    return 1 / (1 + exp(-x))


def softplus(x: Jet) -> Jet:
    """`log(1 + exp(x))`."""
    if x.value > 0:
        return x + softplus(-x)
    return log(1 + exp(x))
