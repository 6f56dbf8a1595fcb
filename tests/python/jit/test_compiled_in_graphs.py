"""Compiled functions that are called with variables of graphs."""

from __future__ import annotations

import pickle
import random
from typing import Any, NamedTuple

import numpy as np
import opwright
import pytest
from opwright import TensorType, function, graph, jit, types, vectorize
from opwright.extending import TypingError

VECTOR = TensorType("float64", (None,))
# Below and above the number of elements from which chains run block by block.
SIZES = [0, 1, 7, 64, 1000, 5000]


class Pair(NamedTuple):
    """Two results."""

    low: Any
    high: Any


@vectorize
def ramp(x):
    return x if x > 0 else 0 * x


@vectorize
def between(a, b):
    return a + 0.25 * (b - a)


@vectorize
def larger(a, b):
    return max(a, b)


@vectorize
def inverse(x):
    if x == 0:
        raise ValueError("no inverse of", x)
    return 1 / x


@vectorize
def power_of_two(x):
    found = 1 * x
    for _ in range(3):
        found = found * 2
    return found


@vectorize
def is_small(x):
    return abs(x) < 0.5


@vectorize
def madd(a, b, c):
    return a * b + c


@jit
def weighted(a, k=2.0):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * k
    return total


@jit
def doubled_and_sum(a):
    return a * 2.0, a.sum()


@jit
def scaled(pair, k):
    return pair, k * 2.0


@jit
def unchanged(pair, k):
    return pair


@jit
def whole(a):
    return a


@jit
def tail(a):
    return a[1:]


@jit
def writes(a):
    a[0] = 1.0
    return a


@jit
def nothing(a):
    pass


@jit
def noisy(x):
    return x + random.random()


@jit
def filled(shape, x):
    return np.full(shape, x)


def numbers(count: int, dtype: Any = opwright.float64) -> Any:
    rng = np.random.default_rng(count)
    return opwright.from_numpy(rng.normal(size=count)).to(dtype)


def same(a: Any, b: Any) -> bool:
    """Whether both are of one type, and have the same bits."""
    if isinstance(a, opwright.Tensor):
        return a.dtype == b.dtype and a.numpy().tobytes() == b.numpy().tobytes()
    return type(a) is type(b) and a == b


# --- types --------------------------------------------------------------------------------


def test_types_are_inferred():
    x, row = VECTOR("x"), TensorType("float64", (1, 3))("row")
    k = types.float64("k")
    assert ramp(x).type == VECTOR
    assert between(row, x).type == TensorType("float64", (1, 3))
    assert between(TensorType("float64", (4, 1))("c"), row).type == TensorType("float64", (4, 3))
    assert between(TensorType("float64", (None, 1))("c"), x).type == TensorType(
        "float64", (None, None)
    )
    assert is_small(x).type == TensorType("bool", (None,))
    assert ramp(TensorType("int32", (2,))("n")).type == TensorType("int64", (2,))
    assert larger(TensorType("float32", (2,))("f"), 2.0).type == TensorType("float32", (2,))
    assert ramp(k).type is types.float64
    assert weighted(x).type is types.float64
    product, total = doubled_and_sum(x)
    assert (product.type, total.type) == (VECTOR, types.float64)
    pair = unchanged(Pair(1, 2.0), k)
    assert isinstance(pair, Pair)
    assert (pair.low.type, pair.high.type) == (types.int64, types.float64)


def test_shapes_that_do_not_broadcast_are_refused_when_the_node_is_made():
    with pytest.raises(ValueError, match=r"between: shapes \(2,\), \(3,\) do not broadcast"):
        between(TensorType("float64", (2,))("a"), TensorType("float64", (3,))("b"))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: writes(x), "read-only"),
        (lambda x: nothing(x), "nothing returns none for these types"),
        (lambda x: weighted(x, 1, 2), r"weighted\(\) too many positional arguments"),
        (lambda x: weighted(b=x), r"weighted\(\)"),
        (lambda x: ramp(x, out=x), "variables are not written to"),
        (lambda x: between(x), "takes 2 arguments, 1 were given"),
        (lambda x: between(x, "text"), "argument 1 has no elements"),
        (lambda x: weighted(types.text("t")), "unicode_type has no attribute 'shape'"),
        (lambda x: scaled(Pair(1, 2.0), x.sum()), r"scaled returns .* no variable of a graph"),
    ],
)
def test_what_no_node_can_be_made_of_is_a_type_error(call, message):
    with pytest.raises(TypeError, match=message):
        call(VECTOR("x"))


def test_a_call_without_variables_is_as_before():
    with pytest.raises(TypingError, match="cannot type argument 0"):
        weighted(object())
    assert weighted(opwright.tensor([1.0, 2.0], dtype=opwright.float64)) == 6.0


# --- values -------------------------------------------------------------------------------


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_chains_have_the_bits_of_their_parts(count, dtype):
    kind = TensorType(dtype, (None,))
    x, y = kind("x"), kind("y")
    a, b = (numbers(count) * 10).to(getattr(opwright, dtype)), numbers(count + 1)[1:]
    b = (b * 10).to(getattr(opwright, dtype))

    def body(x: Any, y: Any) -> Any:
        return power_of_two(ramp(x * 2)) - ramp(y), between(ramp(x), y)

    for compiled, eager in zip(function([x, y], list(body(x, y)))(a, b), body(a, b), strict=True):
        assert same(compiled, eager)


@pytest.mark.parametrize("count", SIZES)
def test_functions_of_one_kind_are_links_of_chains(count):
    x, y = VECTOR("x"), VECTOR("y")
    chain = function([x, y], opwright.exp(between(ramp(x * 2.0), y)) + 1.0)
    text = graph.dprint(chain, ids=False, file="str")
    assert text.startswith("fused{mul.Tensor, ramp, between, exp, add.Tensor}")
    a, b = numbers(count), numbers(count + 1)[1:]
    assert same(chain(a, b), opwright.exp(between(ramp(a * 2.0), b)) + 1.0)


@pytest.mark.parametrize(
    "view", [lambda a: a[::2], lambda a: a.flip(0), lambda a: a[:1].expand(4000)]
)
def test_links_take_elements_wherever_they_lie(view):
    x = VECTOR("x")
    chain = function([x], power_of_two(ramp(x) + 1.0))
    a = view(numbers(8000))
    assert same(chain(a), power_of_two(ramp(a) + 1.0))


def test_a_link_broadcasts():
    x, y = TensorType("float64", (None, None))("x"), TensorType("float64", (None, 1))("y")
    chain = function([x, y], between(x, y) * 2.0)
    a, b = numbers(6000).reshape(100, 60), numbers(100).reshape(100, 1)
    assert same(chain(a, b), between(a, b) * 2.0)


def test_a_reduction_follows_on_a_link():
    x = VECTOR("x")
    total = function([x], (ramp(x) * 2.0).sum())
    a = numbers(5000)
    assert float(total(a)) == pytest.approx(float((ramp(a) * 2.0).sum()), rel=1e-13)


def test_functions_of_other_kinds_run_beside_chains():
    x, y = VECTOR("x"), VECTOR("y")
    made = function([x, y], opwright.where(is_small(x), madd(x, y, 1.0), y))
    for count in SIZES:
        a, b = numbers(count), numbers(count + 1)[1:]
        assert same(made(a, b), opwright.where(is_small(a), madd(a, b, 1.0), b))


@pytest.mark.parametrize("count", [10, 5000])
def test_what_fails_in_a_chain_raises_what_the_function_raises(count):
    x = VECTOR("x")
    chain = function([x], inverse(x + 1.0) * 2.0)
    a = opwright.zeros(count, dtype=opwright.float64)
    assert same(chain(a), a + 2.0)
    a[count // 2] = -1.0
    with pytest.raises(ValueError, match="no inverse of"):
        chain(a)
    # The next call is not disturbed.
    assert same(chain(a * 0), a * 0 + 2.0)


def test_numbers_and_arrays_are_inputs_and_others_are_part_of_the_op():
    x, k = VECTOR("x"), types.float64("k")
    a = numbers(10)
    assert function([x, k], weighted(x, k))(a, 0.5) == weighted(a, 0.5)
    assert function([x], weighted(x, k=3))(a) == weighted(a, 3)
    assert function([k], weighted(a, k))(2.0) == weighted(a, 2.0)
    assert function([k], weighted(a.numpy(), k))(2.0) == weighted(a, 2.0)
    made = function([k], filled((2, 3), k))(1.5)
    assert made.shape == (2, 3) and float(made.sum()) == 9.0
    assert function([k], [ramp(k), between(k, 4)])(-2.0) == [ramp(-2.0), between(-2.0, 4)]


def test_several_results():
    x = VECTOR("x")
    a = numbers(10)
    product, total = function([x], list(doubled_and_sum(x)))(a)
    assert same(product, a * 2.0) and total == a.sum()
    k = types.float64("k")
    pair = unchanged(Pair(1, 2.0), k)
    assert function([k], [pair.low, pair.high], on_unused_input="ignore")(0.5) == [1, 2.0]


@pytest.mark.parametrize("made", [whole, tail])
def test_results_share_no_memory_with_inputs(made):
    x = VECTOR("x")
    a = numbers(10)
    result = function([x], made(x))(a)
    result.zero_()
    assert float(a.abs().sum()) > 0


def test_declared_signatures_cast_variables():
    @vectorize(["float64(float64)"])
    def half(x):
        return x / 2

    n = TensorType("int64", (None,))("n")
    assert half(n).type == VECTOR
    a = opwright.arange(5)
    assert same(function([n], half(n))(a), half(a))


def test_the_debug_mode_finds_nothing():
    x = VECTOR("x")
    checked = function([x], ramp(x * 2.0) + weighted(x), mode="debug")
    a = numbers(2000)
    assert same(checked(a), ramp(a * 2.0) + weighted(a))


# --- graphs -------------------------------------------------------------------------------


def test_nodes_show_what_they_are():
    x = VECTOR("x")
    assert graph.dprint(ramp(x) + weighted(x, 3.0), ids=False, file="str").split() == (
        ["add.Tensor", "├─", "ramp", "│", "└─", "x", "└─", "weighted", "├─", "x", "└─", "3.0"]
    )
    assert ramp(x).owner.op.function is ramp
    assert "test_compiled_in_graphs.py" in ramp(x).owner.place[0]


def test_equal_calls_are_one_node():
    x, k = VECTOR("x"), types.float64("k")
    assert graph.equal_computations([ramp(x)], [ramp(x)])
    assert not graph.equal_computations([ramp(x)], [power_of_two(x)])
    assert not graph.equal_computations([filled((2,), k)], [filled((3,), k)])
    both = function([x], [weighted(x), weighted(x) + 1.0])
    assert graph.dprint(both, ids=False, file="str").count("weighted") == 2  # the second refers


def test_calls_that_draw_random_numbers_are_not_one():
    k = types.float64("k")
    first, second = function([k], [noisy(k), noisy(k)])(1.0)
    assert first != second
    opwright.manual_seed(0)
    drawn = function([k], noisy(k))(1.0)
    opwright.manual_seed(0)
    assert drawn == noisy(1.0)


def test_what_hangs_on_constants_is_computed_once():
    made = function([], weighted(graph.constant(numbers(10))) + types.float64.make_constant(1.0))
    assert "weighted" not in graph.dprint(made, ids=False, file="str")


def test_replaced_variables_change_the_types():
    x, y = VECTOR("x"), TensorType("float64", (4,))("y")
    assert graph.replace([ramp(x)], {x: y})[0].type == TensorType("float64", (4,))


def test_functions_pickle_by_the_names_of_what_they_call():
    x = VECTOR("x")
    made = function([x], opwright.exp(ramp(x)) + weighted(x, 3.0))
    again = pickle.loads(pickle.dumps(made))
    a = numbers(3000)
    assert same(again(a), made(a))
    node = pickle.loads(pickle.dumps(filled((2,), types.float64("k")).owner))
    assert node.op.function is filled and node.op.fixed == ((0, (2,)),)
    assert pickle.loads(pickle.dumps(ramp)) is ramp


@jit
def dotted(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def test_gradients_that_nobody_registered_are_refused_by_name():
    x, y = VECTOR("x"), VECTOR("y")
    with pytest.raises(
        NotImplementedError, match=r"gradient of dotted, .* for 'a'.*@dotted.derivative\('a'\)"
    ):
        graph.grad((opwright.zeros_like(x) + dotted(x, y)).sum(), x)
    cut = dotted(x, y)
    found = graph.grad((x * cut).sum(), x, consider_constant=[cut])
    a = numbers(6)
    assert same(function([x, y], found)(a, a), a * 0 + dotted(a, a))
