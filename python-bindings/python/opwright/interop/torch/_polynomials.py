"""Polynomials that whole numbers are values of, found by interpolation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Any

# A function of whole numbers, also of such that are symbols.
Number = Callable[[Sequence[Any]], Any]
Values = Callable[[tuple[int, ...]], int]

# Strides and the like divide sizes; most of them divide this.
FAR = 20160
_LARGEST_DIVISOR = 64
_MOST_UNKNOWNS = 3
# Of the polynomials in one unknown, and in more.
_DEGREE, _DEGREE_OF_EACH = 4, 2


def moved(values: tuple[int, ...], place: int, by: int) -> tuple[int, ...]:
    """The values, one of them moved."""
    return (*values[:place], values[place] + by, *values[place + 1 :])


def fit(here: tuple[int, ...], value: Values) -> Number | None:
    """A function that has these values around `here`, None if none is found.

    It is a polynomial, or the floor of a linear function of one unknown. That it has the values
    farther away has to be looked at.
    """
    first = value(here)
    moving = [at for at in range(len(here)) if value(moved(here, at, FAR)) != first]
    if not moving:
        return lambda _: first
    if len(moving) > _MOST_UNKNOWNS:
        return None
    found = _quotient(here, moving[0], value) if len(moving) == 1 else None
    return found or _polynomial(here, moving, value)


def _quotient(here: tuple[int, ...], place: int, value: Values) -> Number | None:
    """`(a * x + b) // c` of one of the unknowns."""
    first = value(here)
    slope = Fraction(value(moved(here, place, FAR)) - first, FAR)
    a, c = slope.numerator, slope.denominator
    if c > _LARGEST_DIVISOR:
        return None
    rests = [c * value(moved(here, place, by)) - a * (here[place] + by) for by in range(max(c, 2))]
    b = max(rests)
    if b - min(rests) >= c:
        return None

    def number(values: Sequence[Any]) -> Any:
        total = _sum([(a, [values[place]]), (b, [])])
        return total if c == 1 else total // c

    return number


def _polynomial(here: tuple[int, ...], moving: list[int], value: Values) -> Number:
    """The polynomial that agrees with the values on a grid that begins here."""
    degree = _DEGREE if len(moving) == 1 else _DEGREE_OF_EACH
    bases = [_lagrange(here[place], degree) for place in moving]
    grid = list(product(range(degree + 1), repeat=len(moving)))
    coefficients: dict[tuple[int, ...], Fraction] = dict.fromkeys(grid, Fraction(0))
    for nodes in grid:
        values = here
        for place, by in zip(moving, nodes, strict=True):
            values = moved(values, place, by)
        height = value(values)
        for powers in grid:
            parts = zip(bases, nodes, powers, strict=True)
            coefficients[powers] += height * prod(base[node][power] for base, node, power in parts)
    kept = {powers: it for powers, it in coefficients.items() if it}
    divisor = lcm(*(it.denominator for it in kept.values()))

    def number(values: Sequence[Any]) -> Any:
        terms = [
            (
                int(it * divisor),
                [
                    values[at]
                    for at, power in zip(moving, powers, strict=True)
                    for _ in range(power)
                ],
            )
            for powers, it in kept.items()
        ]
        return _sum(terms) // divisor if divisor > 1 else _sum(terms)

    return number


def _lagrange(start: int, degree: int) -> list[list[Fraction]]:
    """For each of the nodes from `start` on, the coefficients of the polynomial that is 1 there.

    At the other nodes it is 0.
    """
    nodes = range(start, start + degree + 1)
    found = []
    for node in nodes:
        polynomial = [Fraction(1)]
        for other in nodes:
            if other != node:
                # Times `(x - other) / (node - other)`.
                scaled = [it / (node - other) for it in polynomial]
                polynomial = [
                    low - other * high
                    for low, high in zip(
                        [Fraction(0), *scaled], [*scaled, Fraction(0)], strict=True
                    )
                ]
        found.append(polynomial)
    return found


def _sum(terms: list[tuple[int, list[Any]]]) -> Any:
    """The sum of products, without ones and zeros, which a graph would have to carry on."""
    found = []
    for factor, values in terms:
        if factor:
            found.append(
                prod(values, start=factor) if factor != 1 or not values else _times(values)
            )
    return sum(found[1:], start=found[0]) if found else 0


def _times(values: list[Any]) -> Any:
    return prod(values[1:], start=values[0])
