"""Gradients at zeros, infinities, ties and the ends of the scale, up to the third derivative.

The oracle is Taylor arithmetic in decimals (`jets.py`). Where the true value fits into the dtype,
the derivative has to be it; where the function has a kink, what `CONVENTIONS` says.
"""

from __future__ import annotations

import decimal
import math
import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
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
    inner = (x + x * x * x * Decimal("0.044715")) * (8 / jets.pi()).sqrt()
    return x * sigmoid(inner)


def mish(x: Jet) -> Jet:
    return x * hyperbolic_tangent(softplus(x))


def elu(x: Jet, alpha: float = 1.0, scale: float = 1.0, inner: float = 1.0) -> Jet:
    if x.value > 0:
        return x * scale
    return (exp(x * inner) - 1) * Decimal(alpha) * Decimal(scale)


def softplus_with_threshold(x: Jet) -> Jet:
    return x if x.value > 20 else softplus(x)


def piecewise(x: Jet, kinks: list[float], slopes: list[float]) -> Jet:
    """Straight between kinks, where there is no derivative."""
    if any(x.value == Decimal(it) for it in kinks):
        raise decimal.InvalidOperation
    return x * slopes[sum(x.value > Decimal(it) for it in kinks)]


SELU = (1.6732632423543772848170429916717, 1.0507009873554804934193349852946)

UNARY: dict[str, tuple[Unary, Oracle]] = {
    "abs": (opwright.abs, lambda x: piecewise(x, [0], [-1, 1])),
    "acos": (opwright.acos, lambda x: -inverse_sine(x)),
    "acosh": (opwright.acosh, lambda x: composed(x, 1 / (sqrt(x - 1) * sqrt(x + 1)))),
    "asin": (opwright.asin, inverse_sine),
    "asinh": (opwright.asinh, lambda x: composed(x, 1 / sqrt(1 + x * x))),
    "atan": (opwright.atan, inverse_tangent),
    "atanh": (opwright.atanh, inverse_hyperbolic_tangent),
    "clamp": (lambda x: x.clamp(-2, 2), lambda x: piecewise(x, [-2, 2], [0, 1, 0])),
    "clamp_max": (lambda x: x.clamp_max(2), lambda x: piecewise(x, [2], [1, 0])),
    "clamp_min": (lambda x: x.clamp_min(2), lambda x: piecewise(x, [2], [0, 1])),
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
    "frac": (opwright.frac, lambda x: x),
    "gelu": (F.gelu, lambda x: x * normal_share(x)),
    "gelu by tanh": (lambda x: F.gelu(x, approximate="tanh"), gelu_by_tanh),
    "hardsigmoid": (F.hardsigmoid, lambda x: piecewise(x, [-3, 3], [0, 1, 0]) / 6),
    "hardtanh": (F.hardtanh, lambda x: piecewise(x, [-1, 1], [0, 1, 0])),
    "log": (opwright.log, log),
    "log10": (opwright.log10, lambda x: log(x) / Decimal(10).ln()),
    "log1p": (opwright.log1p, lambda x: log(1 + x)),
    "log2": (opwright.log2, lambda x: log(x) / Decimal(2).ln()),
    "logit": (opwright.logit, lambda x: composed(x, 1 / (x * (1 - x)))),
    "mish": (F.mish, mish),
    "neg": (opwright.neg, lambda x: -x),
    "pow(x, 0.5)": (lambda x: x**0.5, sqrt),
    "pow(x, 1)": (lambda x: opwright.pow(x, 1), lambda x: x),
    "pow(x, 2)": (lambda x: x**2, lambda x: x * x),
    "pow(x, 3)": (lambda x: x**3, lambda x: x * x * x),
    "pow(x, 2.5)": (lambda x: x**2.5, lambda x: power(x, Decimal("2.5"))),
    "pow(x, -1)": (lambda x: x**-1, lambda x: 1 / x),
    "pow(x, -2)": (lambda x: x**-2, lambda x: 1 / (x * x)),
    "pow(2, x)": (lambda x: 2.0**x, lambda x: exp(x * Decimal(2).ln())),
    "quotient": (lambda x: 1 / x, lambda x: 1 / x),
    "rad2deg": (opwright.rad2deg, lambda x: x * (180 / jets.pi())),
    "reciprocal": (opwright.reciprocal, lambda x: 1 / x),
    "relu": (F.relu, lambda x: piecewise(x, [0], [0, 1])),
    "rsqrt": (opwright.rsqrt, lambda x: 1 / sqrt(x)),
    "selu": (F.selu, lambda x: elu(x, *SELU)),
    "sigmoid": (opwright.sigmoid, sigmoid),
    "silu": (F.silu, lambda x: x * sigmoid(x)),
    "sin": (opwright.sin, sin),
    "sinc": (opwright.sinc, sinc),
    "sinh": (opwright.sinh, hyperbolic_sine),
    "softshrink": (F.softshrink, lambda x: piecewise(x, [-0.5, 0.5], [1, 0, 1])),
    "softplus": (F.softplus, softplus_with_threshold),
    "sqrt": (opwright.sqrt, sqrt),
    "square": (opwright.square, lambda x: x * x),
    "tan": (opwright.tan, lambda x: sin(x) / cos(x)),
    "tanh": (opwright.tanh, hyperbolic_tangent),
    "threshold": (lambda x: F.threshold(x, 2, 7), lambda x: piecewise(x, [2], [0, 1])),
}


def points(dtype: str) -> list[float]:
    """Zeros, infinities, what is next to one, and the whole scale."""
    most, least, step = RANGES[dtype]
    near = [0.5, 1.0, 1.0 - step / 2, 1.0 + step, 1.5, 3.0]
    tails = [10.0, 20.0, 30.0, 36.0, 42.0, 60.0, 75.0, 85.0]
    small = [1e-1, 1e-2, 1e-4, 1e-7]
    wide = {"float16": [1e3, 1e4, 6e4]}.get(dtype, [1e3, 1e4, 1e10, 1e20, 1e30, 3e38])
    tiny = {"float16": [1e-5]}.get(dtype, [1e-10, 1e-20, 1e-30])
    if dtype == "float64":
        wide, tiny = [*wide, 300.0, 690.0, 1e200, 1e300], [*tiny, 1e-200, 1e-300]
    sizes = [0.0, *near, *tails, *small, *wide, *tiny, least, least / 8, most, math.inf]
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


def agrees(
    found: float, right: Decimal | None, dtype: str, order: int, scale: Decimal = Decimal(0)
) -> bool:
    most, least, step = RANGES[dtype]
    with decimal.localcontext(jets.CONTEXT):
        if right is None or not right.is_finite() or abs(right) > Decimal(most):
            return True
        if not math.isfinite(found):
            return False
        error = abs(Decimal(found) - right)
        size = abs(right) + scale
        # An exponential is as many times less exact than its exponent as that is large.
        exponent = abs(abs(right).ln()) if right else Decimal(0)
        return error <= size * Decimal(step) * (100 * order + exponent) + Decimal(least) * 2


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


# -- Of two numbers -----------------------------------------------------------------------------


def angle_of(y: Jet, x: Jet) -> Jet:
    return jets.integral((y.slope() * x - x.slope() * y) / (x * x + y * y))


def raised(x: Jet, y: Jet) -> Jet:
    is_fixed = not any(y.terms[1:])
    if is_fixed and y.value == y.value.to_integral_value() and abs(y.value) < 5:
        return power(x, y.value)
    return exp(y * log(x))


def cross_entropy(x: Jet, y: Jet) -> Jet:
    if y.value == 0 and not any(y.terms[1:]):
        return -log(1 - x)
    if y.value == 1 and not any(y.terms[1:]):
        return -log(x)
    return -(y * log(x) + (1 - y) * log(1 - x))


BINARY: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Jet, Jet], Jet]]] = {
    "add": (opwright.add, lambda x, y: x + y),
    "addcdiv": (lambda x, y: opwright.addcdiv(x, x, y), lambda x, y: x + x / y),
    "addcmul": (lambda x, y: opwright.addcmul(x, x, y), lambda x, y: x + x * y),
    "atan2": (opwright.atan2, angle_of),
    "cross entropy": (
        lambda x, y: F.binary_cross_entropy(x, y, reduction="none"),
        cross_entropy,
    ),
    "cross entropy with logits": (
        lambda x, y: F.binary_cross_entropy_with_logits(x, y, reduction="none"),
        lambda x, y: (1 - y) * softplus(x) + y * softplus(-x),
    ),
    "div": (opwright.div, lambda x, y: x / y),
    "hypot": (opwright.hypot, lambda x, y: sqrt(x * x + y * y)),
    "lerp": (lambda x, y: opwright.lerp(x, y, 0.25), lambda x, y: (x * 3 + y) / 4),
    "logaddexp": (opwright.logaddexp, lambda x, y: y + softplus(x - y)),
    "logaddexp2": (
        opwright.logaddexp2,
        lambda x, y: y + softplus((x - y) * Decimal(2).ln()) * (1 / Decimal(2).ln()),
    ),
    "mul": (opwright.mul, lambda x, y: x * y),
    "pow": (opwright.pow, raised),
    "sub": (opwright.sub, lambda x, y: x - y),
    "xlog1py": (opwright.special.xlog1py, lambda x, y: x * log(1 + y)),
    "xlogy": (opwright.xlogy, lambda x, y: x * log(y)),
}

# Logarithms no less than -100 are taken there.
DOMAINS: dict[str, Callable[[float, float], bool]] = {
    "cross entropy": lambda x, y: 0 <= y <= 1 and (1e-11 < x < 1 or (x, y) in ((0, 0), (1, 1))),
    "cross entropy with logits": lambda x, y: 0 <= y <= 1,
    # The factors of high derivatives are infinite beyond, and so are powers that they are made of.
    "pow": lambda x, y: (abs(y) < 1e6 or math.isinf(y)) and (x == 0 or abs(x) > 1e-9),
}

# Element-wise functions with derivatives that the tables need not have.
APART = {
    **dict.fromkeys(["ceil", "floor", "round", "sgn", "sign", "trunc"], "steps"),
    **dict.fromkeys(["fmod", "remainder"], "jump, as often as one divides the other"),
    **dict.fromkeys(["angle", "copysign"], "have directions alone, see `CONVENTIONS`"),
    **dict.fromkeys(["fmax", "fmin", "max", "maximum", "min", "minimum"], "choose one"),
    **dict.fromkeys(["clone", "masked_fill", "where"], "take elements as they are"),
    "conj_physical": "takes real numbers as they are",
    **dict.fromkeys(["bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor"], "of integers"),
    **dict.fromkeys(["bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm"], "of integers"),
    **dict.fromkeys(["digamma", "lgamma", "polygamma", "igamma", "igammac", "zeta"], "see cases"),
    **dict.fromkeys(["erfcx", "erfinv", "log_ndtr", "ndtri"], "see cases"),
    **dict.fromkeys(["i0", "i0e", "i1", "i1e"], "see cases"),
    **dict.fromkeys([f"bessel_{it}" for it in ("j0", "j1", "y0", "y1")], "have none"),
    **dict.fromkeys([f"modified_bessel_{it}" for it in ("i0", "i1", "k0", "k1")], "have none"),
    **dict.fromkeys(["scaled_modified_bessel_k0", "scaled_modified_bessel_k1"], "have none"),
    **dict.fromkeys(["airy_ai", "nextafter", "spherical_bessel_j0"], "have none"),
    **dict.fromkeys([f"chebyshev_polynomial_{it}" for it in "tuvw"], "have none"),
    **dict.fromkeys([f"shifted_chebyshev_polynomial_{it}" for it in "tuvw"], "have none"),
    **dict.fromkeys(["hermite_polynomial_h", "hermite_polynomial_he"], "have none"),
    **dict.fromkeys(["laguerre_polynomial_l", "legendre_polynomial_p"], "have none"),
    **dict.fromkeys(["eq", "ge", "gt", "le", "lt", "ne"], "say yes or no"),
    **dict.fromkeys(["isfinite", "isinf", "isnan"], "say yes or no"),
}

ROOT = Path(__file__).parents[2]


def test_no_function_is_missing() -> None:
    entries = re.split(r"\n(?=- func: )", (ROOT / "native_functions.yaml").read_text())
    pointwise = {
        re.match(r"- func: (\w+)", it)[1] for it in entries if re.search("tags:.*pointwise", it)
    }
    formulas = {re.match(r"- func: (\w+)", it)[1] for it in entries if "\n  derivative:\n" in it}
    names = {it.removeprefix("special_") for it in pointwise & formulas if it[-1] != "_"}
    assert len(names) > 80
    assert names <= {*UNARY, *BINARY, *APART}


# Errors beside others of the size 1, where two sides of a loss are equal.
SLACK = {"cross entropy with logits": Decimal(1)}


def pairs(dtype: str) -> list[tuple[float, float]]:
    """Zeros, infinities, ties and both ends of the scale, with each other."""
    most, least, _ = RANGES[dtype]
    wide = {"float16": [3e4], "float64": [1e20, 1e200]}.get(dtype, [1e20, 1e30])
    tiny = {"float16": [1e-4], "float64": [1e-20, 1e-200]}.get(dtype, [1e-20, 1e-25])
    sizes = [0.0, 1.0, 0.5, 3.0, 20.0, 60.0, *wide, *tiny, least, most, math.inf]
    column = rounded([sign * it for it in sizes for sign in (1.0, -1.0)], dtype)
    return [(x, y) for x in column for y in column]


def expected_of_pair(
    oracle: Callable[[Jet, Jet], Jet], pair: tuple[float, float], by: int
) -> list[Decimal | None]:
    """The derivatives by one of two numbers; of two infinities nothing is known."""
    if all(map(math.isinf, pair)):
        return [None] * 3

    def beside(other: Decimal) -> list[Decimal | None]:
        fixed = jets.jet(other)
        return expected(lambda x: oracle(x, fixed) if by == 0 else oracle(fixed, x), pair[by])

    other = pair[1 - by]
    if not math.isinf(other):
        return beside(Decimal(other))
    # What is infinite is far away, and known is what vanishes the farther that is.
    sign = int(math.copysign(1, other))
    far = (beside(Decimal(it) * sign) for it in ("1e900", "1e1800"))
    vanishes = [all(it is not None and abs(it) < Decimal("1e-300") for it in both)
                for both in zip(*far, strict=True)]  # fmt: skip
    return [Decimal(0) if it else None for it in vanishes]


def scale_of(pair: tuple[float, float], rights: list[Decimal | None], order: int) -> Decimal:
    """How much greater what cancels may be, from the second derivative on."""
    size = max(map(abs, pair))
    first = rights[0]
    if order == 1 or first is None or not first.is_finite() or not 0 < size < math.inf:
        return Decimal(0)
    return abs(first) / Decimal(size) ** (order - 1)


# From which order on what is below is known to leave the dtype on the way: `atan2` multiplies by
# `1 / size ** 2`.
KNOWN = {"atan2": 2}


def is_tiny(pair: tuple[float, float], dtype: str) -> bool:
    """Whether high derivatives are finite only because what no dtype holds meets a small factor."""
    return 0 < min((abs(it) for it in pair if it), default=0.0) < RANGES[dtype][0] ** -0.25


def mistakes_of_pairs(name: str, dtype: str) -> list[str]:
    function, oracle = BINARY[name]
    holds = DOMAINS.get(name, lambda x, y: True)
    grid = [it for it in pairs(dtype) if holds(*it)]
    wrong = []
    for by in (0, 1):
        columns = [
            opwright.tensor(it, dtype=getattr(opwright, dtype)) for it in zip(*grid, strict=True)
        ]
        x = columns[by].requires_grad_()
        values = function(*columns).tolist()
        found = derivatives(lambda it, columns=columns: function(*columns), x)
        for place, pair in enumerate(grid):
            if math.isnan(values[place]):
                continue
            rights = expected_of_pair(oracle, pair, by)
            for order in (1, 2, 3):
                right, value = rights[order - 1], found[order - 1][place]
                if order >= KNOWN.get(name, 3) and is_tiny(pair, dtype):
                    continue
                with decimal.localcontext(jets.CONTEXT):
                    slack = scale_of(pair, rights, order) + SLACK.get(name, Decimal(0))
                if not agrees(value, right, dtype, order, slack):
                    wrong.append(f"{name} {dtype}, order {order} by {by}, {pair}: {value}, "
                                 f"not {right:.6g}")  # fmt: skip
    return wrong


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, dtype: str) -> None:
    wrong = mistakes_of_pairs(name, dtype)
    assert not wrong, "\n".join(wrong)


# -- Where there is no derivative ---------------------------------------------------------------

INF = math.inf
CONVENTIONS: list[tuple[str, Callable[..., Any], list[float], list[float]]] = [
    ("a corner", opwright.abs, [0.0], [0.0]),
    ("a corner", F.relu, [0.0], [0.0]),
    ("a corner", opwright.hypot, [0.0, 0.0], [0.0, 0.0]),
    ("no direction", opwright.atan2, [0.0, -0.0], [0.0, 0.0]),
    ("a tie", opwright.maximum, [2.0, 2.0], [0.5, 0.5]),
    ("a tie", opwright.maximum, [INF, INF], [0.5, 0.5]),
    ("a tie", opwright.minimum, [-INF, -INF], [0.5, 0.5]),
    ("a tie", opwright.logaddexp, [INF, INF], [0.5, 0.5]),
    ("a tie", opwright.logaddexp, [-INF, -INF], [0.5, 0.5]),
    ("no change", opwright.xlogy, [0.0, 0.0], [0.0, 0.0]),
    ("no change", opwright.special.xlog1py, [0.0, -1.0], [0.0, 0.0]),
    ("no change", opwright.pow, [INF, -1.0], [0.0, 0.0]),
    ("no change", opwright.copysign, [0.0, 1.0], [0.0, 0.0]),
    ("a sign", opwright.copysign, [-INF, 1.0], [-1.0, 0.0]),
    ("a direction", opwright.hypot, [-INF, 3.0], [-1.0, 0.0]),
    ("a direction", opwright.hypot, [INF, INF], [0.5**0.5, 0.5**0.5]),
]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize(("reason", "function", "places", "right"), CONVENTIONS)
def test_conventions(
    reason: str, function: Callable[..., Any], places: list[float], right: list[float], dtype: str
) -> None:
    numbers = [
        opwright.tensor([it], dtype=getattr(opwright, dtype), requires_grad=True) for it in places
    ]
    found = opwright.autograd.grad(function(*numbers).sum(), numbers, create_graph=True)
    tolerance = RANGES[dtype][2]
    np.testing.assert_allclose([it.item() for it in found], right, rtol=tolerance, err_msg=reason)
    for gradient in found:
        # Where nothing changes with one number, the other may have an infinite say in that.
        if gradient.requires_grad and reason != "no change":
            second = opwright.autograd.grad(
                gradient.sum(), numbers, materialize_grads=True, retain_graph=True
            )
            assert all(math.isfinite(it.item()) for it in second), reason


# -- Products, losses and shares ----------------------------------------------------------------

PRODUCTS = [
    ([1e13] * 4 + [0.0, 0.0], [0.0] * 6),
    ([1e30, 1e30, 1e-30, 3.0], [3.0, 3.0, INF, 1e30]),
    ([1e30, 1e30], [1e30, 1e30]),
    ([1e-30, 1e-30], [1e-30, 1e-30]),
    ([1e30] * 5 + [1e-30] * 5 + [0.0], [0.0] * 10 + [1.0]),
    ([2.0, -3.0, 0.0], [-0.0, 0.0, -6.0]),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("factors", "right"), PRODUCTS)
def test_products_of_all_others(factors: list[float], right: list[float], dtype: str) -> None:
    if dtype == "float64":
        factors = [it if it in (0.0, 2.0, -3.0, 3.0) else it**10 for it in factors]
        right = [it if it in (0.0, 1.0, 3.0, -6.0, INF) else it**10 for it in right]
    kind = getattr(opwright, dtype)
    for product in (lambda x: x.prod(), lambda x: x.prod(0), lambda x: x.prod(0, keepdim=True)):
        x = opwright.tensor(factors, dtype=kind, requires_grad=True)
        product(x).sum().backward()
        np.testing.assert_allclose(x.grad.tolist(), right, rtol=1e-5)


def test_second_derivatives_of_products_with_zeros() -> None:
    x = opwright.tensor([[2.0, 0.0, 0.0], [3.0, 4.0, 0.0]], requires_grad=True)
    (first,) = opwright.autograd.grad(x.prod(1).sum(), x, create_graph=True)
    (second,) = opwright.autograd.grad(first.sum(), x)
    assert second.tolist() == [[0.0, 2.0, 2.0], [4.0, 3.0, 7.0]]


def test_losses_of_infinite_logits() -> None:
    logits = opwright.tensor([-INF, INF, -INF, INF], requires_grad=True)
    targets = opwright.tensor([0.0, 1.0, 1.0, 0.0])
    losses = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    assert losses.tolist() == [0.0, 0.0, INF, INF]
    losses.sum().backward()
    assert logits.grad.tolist() == [0.0, 0.0, -1.0, 1.0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_shares_close_to_one(dtype: str) -> None:
    x = opwright.tensor([20.0, 0.0], dtype=getattr(opwright, dtype), requires_grad=True)
    (first,) = opwright.autograd.grad(F.softmax(x, 0)[0], x, create_graph=True)
    (second,) = opwright.autograd.grad(first[0], x)
    share = 2.0611536224385578e-09
    density = share * (1 - share)
    np.testing.assert_allclose(first.tolist(), [density, -density], rtol=1e-5)
    slope = -density * (1 - 2 * share)
    np.testing.assert_allclose(second.tolist(), [slope, -slope], rtol=1e-5)


COMPLEX = ["acos", "acosh", "angle", "asin", "asinh", "atan", "atanh", "reciprocal"]
SIZES = [1e20, 1e-20, 1e15, 1e-15]


@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("size", SIZES)
def test_complex_numbers_at_the_ends_of_the_scale(name: str, size: float) -> None:
    """`complex128` has room for what `complex64` has not."""

    def gradient(dtype: opwright.dtype) -> Any:
        z = opwright.tensor([complex(size, 2 * size)], dtype=dtype, requires_grad=True)
        value = getattr(opwright, name)(z)
        (value.real if value.dtype.is_complex else value).sum().backward()
        return np.asarray(z.grad.resolve_conj() if hasattr(z.grad, "resolve_conj") else z.grad)

    right, found = gradient(opwright.complex128), gradient(opwright.complex64)
    if abs(right[0]) < 3e38:
        np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-38)
