"""Functions that stand for what the compiler has: draws of random numbers, and operators.

What is built in and written in the language calls them; nobody else does.
"""

from __future__ import annotations

from typing import Any


def unit() -> float:
    """Stand for a draw: a number from 0 to before 1."""
    raise NotImplementedError


def normal() -> float:
    """Stand for a draw: a number of the standard normal distribution."""
    raise NotImplementedError


def below(count: int) -> int:
    """Stand for a draw: an integer from 0 to before `count`."""
    raise NotImplementedError


def seed(number: int) -> int:
    """Stand for a new beginning from a seed."""
    raise NotImplementedError


def fill_uniform(out: Any, low: float, high: float) -> Any:
    """Stand for the operator that fills an array with evenly distributed numbers."""


def fill_normal(out: Any, mean: float, deviation: float) -> Any:
    """Stand for the operator that fills an array with numbers of the normal distribution."""


def fill_integers(out: Any, low: int, high: int) -> Any:
    """Stand for the operator that fills an array with integers."""


def inv_ex(a: Any) -> Any:
    """Stand for the operator of this name: the inverse, and what is wrong."""


def solve_ex(a: Any, b: Any) -> Any:
    """Stand for the operator of this name: the solution, and what is wrong."""


def cholesky_ex(a: Any) -> Any:
    """Stand for the operator of this name: the factor, and what is wrong."""


def det_of(a: Any) -> Any:
    """Stand for the operator of determinants."""


# By the compiler's names.
STANDING = {
    "draw.unit": unit,
    "draw.normal": normal,
    "draw.below": below,
    "draw.seed": seed,
    "opwright.uniform_": fill_uniform,
    "opwright.normal_": fill_normal,
    "opwright.random_": fill_integers,
    "opwright.linalg_inv_ex": inv_ex,
    "opwright.linalg_solve_ex": solve_ex,
    "opwright.linalg_cholesky_ex": cholesky_ex,
    "opwright.linalg_det": det_of,
}
