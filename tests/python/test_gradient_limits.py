"""Gradients at zeros, infinities, ties and the ends of the scale, up to the third derivative.

The oracle is Taylor arithmetic in decimals (`jets.py`). Where the true value fits into the dtype,
the derivative has to be it; where the function has a kink, what `CONVENTIONS` says.
"""

from __future__ import annotations

import decimal
import math
import os
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import jets
import numpy as np
import opwright
import pytest
from jets import Jet, composed, cos, erfc, exp, log, power, sigmoid, sin, softplus, sqrt

F = opwright.nn.functional
EVERY = os.environ.get("OPWRIGHT_EVERY") == "1"
DTYPES = ["float32", "float64"] if EVERY else ["float32"]
HALVES = ["float16", "bfloat16"]

# Of each dtype: the greatest number, the least normal one, and the relative error of a step.
RANGES = {
    "float16": (65504.0, 2.0**-14, 2.0**-10),
    "bfloat16": (3.3895e38, 2.0**-126, 2.0**-7),
    "float32": (float(np.finfo(np.float32).max), 2.0**-126, 2.0**-23),
    "float64": (float(np.finfo(np.float64).max), 2.0**-1022, 2.0**-52),
}

Unary = Callable[[Any], Any]
Oracle = Callable[[Jet], Jet]


def inverse_sine(x: Jet) -> Jet:
    return composed(x, 1 / sqrt((1 - x) * (1 + x)))


def inverse_tangent(x: Jet) -> Jet:
    return composed(x, 1 / (1 + x * x))


def hyperbolic_sine(x: Jet) -> Jet:
    return (exp(x) - exp(-x)) / 2


def hyperbolic_cosine(x: Jet) -> Jet:
    return (exp(x) + exp(-x)) / 2


def hyperbolic_tangent(x: Jet) -> Jet:
    return 2 * sigmoid(2 * x) - 1


def inverse_hyperbolic_tangent(x: Jet) -> Jet:
    return composed(x, 1 / ((1 - x) * (1 + x)))


def sinc(x: Jet) -> Jet:
    angle = x * jets.pi()
    if abs(x.value) > Decimal("0.5"):
        return sin(angle) / angle
    square, total, term = -(angle * angle), jets.jet(1), jets.jet(1)
    for k in range(1, 60):
        term = term * square / (2 * k * (2 * k + 1))
        total = total + term
    return total


def normal_share(x: Jet) -> Jet:
    return erfc(x * -(Decimal(1) / 2).sqrt()) / 2


def gelu_by_tanh(x: Jet) -> Jet:
    inner = (x + x * x * x * Decimal(0.044715)) * (8 / jets.pi()).sqrt()
    return x * sigmoid(inner)


def mish(x: Jet) -> Jet:
    return x * hyperbolic_tangent(softplus(x))


def elu(x: Jet, alpha: float = 1.0, scale: float = 1.0, inner: float = 1.0) -> Jet:
    if x.value > 0:
        return x * scale
    return (exp(x * inner) - 1) * Decimal(alpha) * Decimal(scale)


def softplus_with_threshold(x: Jet) -> Jet:
    return x if x.value > 20 else softplus(x)


SELU = (1.6732632423543772848170429916717, 1.0507009873554804934193349852946)

UNARY: dict[str, tuple[Unary, Oracle]] = {
    "acos": (opwright.acos, lambda x: -inverse_sine(x)),
    "acosh": (opwright.acosh, lambda x: composed(x, 1 / (sqrt(x - 1) * sqrt(x + 1)))),
    "asin": (opwright.asin, inverse_sine),
    "asinh": (opwright.asinh, lambda x: composed(x, 1 / sqrt(1 + x * x))),
    "atan": (opwright.atan, inverse_tangent),
    "atanh": (opwright.atanh, inverse_hyperbolic_tangent),
    "celu": (lambda x: F.celu(x, 0.5), lambda x: elu(x, 0.5, 1.0, 2.0)),
    "cos": (opwright.cos, cos),
    "cosh": (opwright.cosh, hyperbolic_cosine),
    "deg2rad": (opwright.deg2rad, lambda x: x * (jets.pi() / 180)),
    "elu": (F.elu, elu),
    "entr": (opwright.special.entr, lambda x: -(x * log(x))),
    "erf": (opwright.erf, lambda x: -erfc(x)),
    "erfc": (opwright.erfc, erfc),
    "exp": (opwright.exp, exp),
    "exp2": (opwright.exp2, lambda x: exp(x * Decimal(2).ln())),
    "expm1": (opwright.expm1, exp),
    "gelu": (F.gelu, lambda x: x * normal_share(x)),
    "gelu by tanh": (lambda x: F.gelu(x, approximate="tanh"), gelu_by_tanh),
    "log": (opwright.log, log),
    "log10": (opwright.log10, lambda x: log(x) / Decimal(10).ln()),
    "log1p": (opwright.log1p, lambda x: log(1 + x)),
    "log2": (opwright.log2, lambda x: log(x) / Decimal(2).ln()),
    "logit": (opwright.logit, lambda x: composed(x, 1 / (x * (1 - x)))),
    "mish": (F.mish, mish),
    "pow(x, 0.5)": (lambda x: x**0.5, sqrt),
    "pow(x, 1)": (lambda x: opwright.pow(x, 1), lambda x: x),
    "pow(x, 2)": (lambda x: x**2, lambda x: x * x),
    "pow(x, 3)": (lambda x: x**3, lambda x: x * x * x),
    "pow(x, 2.5)": (lambda x: x**2.5, lambda x: power(x, Decimal(2.5))),
    "pow(x, -1)": (lambda x: x**-1, lambda x: 1 / x),
    "pow(x, -2)": (lambda x: x**-2, lambda x: 1 / (x * x)),
    "pow(2, x)": (lambda x: 2.0**x, lambda x: exp(x * Decimal(2).ln())),
    "quotient": (lambda x: 1 / x, lambda x: 1 / x),
    "rad2deg": (opwright.rad2deg, lambda x: x * (180 / jets.pi())),
    "reciprocal": (opwright.reciprocal, lambda x: 1 / x),
    "rsqrt": (opwright.rsqrt, lambda x: 1 / sqrt(x)),
    "selu": (F.selu, lambda x: elu(x, *SELU)),
    "sigmoid": (opwright.sigmoid, sigmoid),
    "silu": (F.silu, lambda x: x * sigmoid(x)),
    "sin": (opwright.sin, sin),
    "sinc": (opwright.sinc, sinc),
    "sinh": (opwright.sinh, hyperbolic_sine),
    "softplus": (F.softplus, softplus_with_threshold),
    "sqrt": (opwright.sqrt, sqrt),
    "square": (opwright.square, lambda x: x * x),
    "tan": (opwright.tan, lambda x: sin(x) / cos(x)),
    "tanh": (opwright.tanh, hyperbolic_tangent),
}

def points(dtype: str) -> list[float]:
    """Zeros, infinities, what is next to one, and the whole scale."""
    most, least, step = RANGES[dtype]
    near = [0.5, 1.0, 1.0 - step / 2, 1.0 + step, 1.5, 3.0, 10.0, 20.0, 30.0, 36.0, 42.0, 60.0, 75.0, 85.0]
    small = [1e-1, 1e-2, 1e-4, 1e-7]
    wide = {"float16": [1e3, 1e4, 6e4]}.get(dtype, [1e3, 1e4, 1e10, 1e20, 1e30, 3e38])
    tiny = {"float16": [1e-5]}.get(dtype, [1e-10, 1e-20, 1e-30])
    if dtype == "float64":
        wide, tiny = [*wide, 300.0, 690.0, 1e200, 1e300], [*tiny, 1e-200, 1e-300]
    sizes = [0.0, *near, *small, *wide, *tiny, least, least / 8, most, math.inf]
    column = [sign * it for it in sizes for sign in (1.0, -1.0)]
    return rounded(column, dtype)


def rounded(column: list[float], dtype: str) -> list[float]:
    return opwright.tensor(column, dtype=opwright.float64).to(getattr(opwright, dtype)).tolist()


def derivatives(function: Unary, x: opwright.Tensor) -> list[list[float]]:
    """The first, second and third derivative at each place."""
    found, value = [], function(x)
    for _ in range(3):
        if not value.requires_grad:
            found.append([0.0] * x.numel())
            continue
        (value,) = opwright.autograd.grad(
            value, x, opwright.ones_like(value), create_graph=True, materialize_grads=True
        )
        found.append(value.detach().tolist())
    return found


def expected(oracle: Oracle, x: float) -> list[Decimal | None]:
    """The derivatives; at an infinity what they approach, and nothing where that is nothing."""
    with decimal.localcontext(jets.CONTEXT):
        if math.isinf(x):
            sign = int(math.copysign(1, x))
            far, farther = (at(oracle, Decimal(f"1e{it}") * sign) for it in (900, 1800))
            return [limit(*pair) for pair in zip(far, farther, strict=True)]
        return at(oracle, Decimal(x))


def at(oracle: Oracle, x: Decimal) -> list[Decimal | None]:
    try:
        return [*oracle(Jet(x, Decimal(1))).derivatives()]
    except (decimal.DecimalException, ZeroDivisionError):
        return [None] * 3


def limit(far: Decimal | None, farther: Decimal | None) -> Decimal | None:
    if far is None or farther is None or not (far.is_finite() and farther.is_finite()):
        return None
    if abs(farther) < Decimal("1e-500"):
        return Decimal(0)
    return farther if abs(far - farther) < abs(far) * Decimal("1e-50") else None


def agrees(found: float, right: Decimal | None, dtype: str, order: int) -> bool:
    most, least, step = RANGES[dtype]
    with decimal.localcontext(jets.CONTEXT):
        if right is None or not right.is_finite() or abs(right) > Decimal(most):
            return True
        if not math.isfinite(found):
            return False
        error = abs(Decimal(found) - right)
        return error <= abs(right) * Decimal(step) * 100 * order + Decimal(least) * 2


def mistakes(name: str, function: Unary, oracle: Oracle, dtype: str) -> list[str]:
    column = points(dtype)
    x = opwright.tensor(column, dtype=getattr(opwright, dtype), requires_grad=True)
    found = derivatives(function, x)
    values = function(x).tolist()
    wrong = []
    for place, number in enumerate(column):
        if math.isnan(values[place]):
            continue
        rights = expected(oracle, number)
        for order in (1, 2, 3):
            right, value = rights[order - 1], found[order - 1][place]
            if not agrees(value, right, dtype, order):
                wrong.append(f"{name} {dtype}, order {order}, {number}: {value}, not {right:.6g}")
    return wrong


@pytest.mark.parametrize("dtype", DTYPES + HALVES)
@pytest.mark.parametrize("name", UNARY)
def test_unary(name: str, dtype: str) -> None:
    wrong = mistakes(name, *UNARY[name], dtype)
    assert not wrong, "\n".join(wrong)
