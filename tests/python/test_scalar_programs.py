"""Functions of numbers alone have the bits of their operators, called one by one."""

from __future__ import annotations

import itertools
import math
import operator
import struct
from typing import Any

import opwright
import pytest
from opwright import function, types

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    1e-310,
    -1e-310,
    1e300,
    -1e300,
    math.pi,
    2.0**52 + 0.5,
    1e-5,
    709.9,
    -745.2,
    math.inf,
    -math.inf,
    math.nan,
]

ONE = """
neg abs sqrt floor ceil trunc exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh
cosh tanh asinh acosh atanh erf erfc reciprocal square sign sigmoid rsqrt round isnan relu
""".split()  # noqa: SIM905
TWO = """
add sub mul div eq ne lt le gt ge copysign pow remainder floor_divide fmod
""".split()  # noqa: SIM905


def bits(value: Any) -> tuple[type, bytes]:
    """The type and the bits of a number; what is none is one, whatever its bits."""
    if isinstance(value, float):
        return float, b"nan" if math.isnan(value) else struct.pack("d", value)
    return type(value), repr(value).encode()


def alike(inputs: Any, output: Any, calls: Any) -> None:
    """Compares a function with the same graph, node by node."""
    fast = function(inputs, output, on_unused_input="ignore")
    slow = function(inputs, output, mode="per_op", on_unused_input="ignore")
    for call in calls:
        assert bits(fast(*call)) == bits(slow(*call)), call


def number(name: str) -> Any:
    return types.float64(name)


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one(name):
    x = number("x")
    alike([x], getattr(x, name)(), [(it,) for it in SPECIAL])


@pytest.mark.parametrize("name", TWO)
def test_functions_of_two(name):
    x, y = number("x"), number("y")
    calls = list(itertools.product(SPECIAL, SPECIAL))
    alike([x, y], getattr(x, name)(y), calls)
    alike([x], getattr(x, name)(2.0), [(it,) for it in SPECIAL])


@pytest.mark.parametrize(
    "name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "eq", "ne"]
)
def test_operators_of_the_language(name):
    x, y = number("x"), number("y")
    body = getattr(operator, name)
    alike([x, y], body(x, y), list(itertools.product(SPECIAL, SPECIAL)))
    alike([x], body(x, 3.0), [(it,) for it in SPECIAL])
    alike([x], body(-0.5, x), [(it,) for it in SPECIAL])


def test_other_arguments_than_defaults_count():
    x, y = number("x"), number("y")
    alike([x, y], x.add(y, alpha=3), [(1.0, 2.0), (0.5, 1e300)])
    alike([x, y], x.sub(y, alpha=0.5), [(1.0, 2.0)])


def test_chains_of_instructions_and_loops():
    x, y, z = number("x"), number("y"), number("z")
    calls = list(itertools.product([0.25, -1.5, 1e10, math.nan, math.inf], repeat=3))
    chain = ((x + y) * z - x.exp()) / (y.abs() + 1.0)
    alike([x, y, z], chain, calls)
    alike([x, y, z], chain.copysign(2.0) - x.pow(2.0) - z.floor(), calls)
    alike([x, y, z], (chain > y) == (z != z), calls)


def test_several_results_in_any_order():
    x, y = number("x"), number("y")
    total = x + y
    made = function([x, y], [total * 2.0, y, total, total < 1.0, x.pow(y)])
    assert made(1.5, 2.0) == [7.0, 2.0, 3.5, False, 2.25]


def test_integers_and_long_chains_take_the_other_way():
    x = number("x")
    chain = x
    for _ in range(40):
        chain = chain * 1.5 - x
    alike([x], chain, [(0.1,), (3.0,), (2,)])
    n = types.int64("n")
    assert function([n], n * 3 + 1)(2) == 7


def test_a_function_is_used_by_threads_at_once():
    from concurrent.futures import ThreadPoolExecutor

    x = number("x")
    made = function([x], (x * 2.0 + 1.0).pow(2.0).sqrt())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(made, map(float, range(2000))))
    assert found == [2.0 * it + 1.0 for it in range(2000)]


def test_what_an_operator_refuses_is_said_by_it():
    n, m = types.int64("n"), types.int64("m")
    with pytest.raises((ZeroDivisionError, RuntimeError)):
        function([n, m], n.floor_divide(m))(1, 0)
    assert opwright.isnan(opwright.tensor(math.nan))
