"""Gradients through compiled functions: by dual numbers, by registered formulas, or refused."""

from __future__ import annotations

import gc
import math
import weakref
from typing import Any

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright import jit, vectorize
from opwright.autograd import gradcheck, gradgradcheck
from opwright.extending import TypingError

FLOATS = [opwright.float32, opwright.float64]


def leaf(values: Any, dtype: Any = opwright.float64) -> Any:
    return opwright.tensor(values, dtype=dtype, requires_grad=True)


def gradients(function: Any, *inputs: Any) -> list[list[float]]:
    found = opwright.autograd.grad(function(*inputs).sum(), inputs)
    return [it.tolist() for it in found]


# --- against operators


ONES = {
    name: (getattr(np, numpy_name), points)
    for name, numpy_name, points in [
        ("exp", "exp", [-1.5, 0.0, 2.0]),
        ("exp2", "exp2", [-1.5, 0.0, 2.0]),
        ("expm1", "expm1", [-1.5, 0.0, 2.0]),
        ("log", "log", [0.2, 1.0, 5.0]),
        ("log2", "log2", [0.2, 1.0, 5.0]),
        ("log10", "log10", [0.2, 1.0, 5.0]),
        ("log1p", "log1p", [-0.5, 0.0, 5.0]),
        ("sqrt", "sqrt", [0.2, 1.0, 5.0]),
        ("sin", "sin", [-1.0, 0.0, 2.0]),
        ("cos", "cos", [-1.0, 0.0, 2.0]),
        ("tan", "tan", [-1.0, 0.0, 0.7]),
        ("asin", "arcsin", [-0.9, 0.0, 0.5]),
        ("acos", "arccos", [-0.9, 0.0, 0.5]),
        ("atan", "arctan", [-3.0, 0.0, 0.5]),
        ("sinh", "sinh", [-1.0, 0.0, 2.0]),
        ("cosh", "cosh", [-1.0, 0.0, 2.0]),
        ("tanh", "tanh", [-1.0, 0.0, 2.0]),
        ("asinh", "arcsinh", [-3.0, 0.0, 0.5]),
        ("acosh", "arccosh", [1.1, 2.0, 9.0]),
        ("atanh", "arctanh", [-0.9, 0.0, 0.5]),
        ("abs", "abs", [-2.0, 0.0, 0.5]),
        ("floor", "floor", [-2.5, 0.5, 1.5]),
        ("sign", "sign", [-2.5, 0.0, 1.5]),
    ]
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ONES)
def test_functions_have_the_gradients_of_operators(name: str, dtype: Any) -> None:
    function, points = ONES[name]
    compiled = vectorize(lambda x: function(x))
    x = leaf(points, dtype)
    (found,) = gradients(compiled, x)
    (expected,) = gradients(getattr(opwright, name), x)
    rtol = 1e-5 if dtype == opwright.float32 else 1e-13
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)
    assert opwright.autograd.grad(compiled(x).sum(), x)[0].dtype == dtype


TWOS = {
    "add": (lambda x, y: x + y, opwright.add),
    "sub": (lambda x, y: x - y, opwright.sub),
    "mul": (lambda x, y: x * y, opwright.mul),
    "div": (lambda x, y: x / y, opwright.div),
    "pow": (lambda x, y: x**y, opwright.pow),
    "atan2": (lambda x, y: math.atan2(x, y), opwright.atan2),
    "hypot": (lambda x, y: math.hypot(x, y), opwright.hypot),
    "fmod": (lambda x, y: math.fmod(x, y), opwright.fmod),
    "remainder": (lambda x, y: x % y, opwright.remainder),
    "copysign": (lambda x, y: math.copysign(x, y), opwright.copysign),
    "maximum": (lambda x, y: max(x, y), opwright.maximum),
    "minimum": (lambda x, y: min(x, y), opwright.minimum),
}


@pytest.mark.parametrize("name", TWOS)
def test_functions_of_two_have_the_gradients_of_operators(name: str) -> None:
    function, operator = TWOS[name]
    x, y = leaf([0.3, 2.5, 4.0, 1.25]), leaf([1.7, 0.4, 3.0, 2.0])
    found = gradients(vectorize(function), x, y)
    np.testing.assert_allclose(found, gradients(operator, x, y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("point", [(0.0, 2.0), (0.0, 0.0), (2.0, 0.0), (-2.0, 3.0)])
def test_powers_at_their_edges(point: tuple[float, float]) -> None:
    x, y = leaf([point[0]]), leaf([point[1]])
    found = gradients(vectorize(lambda x, y: x**y), x, y)
    np.testing.assert_equal(found, gradients(opwright.pow, x, y))


STEPS: dict[str, tuple[Any, Any]] = {
    "sin": (lambda x, y: math.sin(x) * y, lambda x, y: x.sin() * y),
    "ratio": (lambda x, y: x / (1.0 + y * y), lambda x, y: x / (1.0 + y * y)),
    "tanh": (lambda x, y: math.tanh(x + y), lambda x, y: (x + y).tanh()),
    "exp": (lambda x, y: math.exp(-x * x) - y, lambda x, y: (-x * x).exp() - y),
    "atan": (lambda x, y: math.atan(x - y), lambda x, y: (x - y).atan()),
    "branch": (
        lambda x, y: x * y if x < y else x - y,
        lambda x, y: opwright.where(x < y, x * y, x - y),
    ),
}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=5))
def test_random_programs_have_the_gradients_of_operators(steps: list[str]) -> None:
    numbers = [STEPS[step][0] for step in steps]
    tensors = [STEPS[step][1] for step in steps]
    source = "def f(x, y):\n" + "".join(f"    x = s{at}(x, y)\n" for at in range(len(steps)))
    from opwright._jit.jit import from_text

    known = {f"s{at}": function for at, function in enumerate(numbers)}
    compiled = vectorize(from_text(source + "    return x\n", known))

    def by_operators(x: Any, y: Any) -> Any:
        for step in tensors:
            x = step(x, y)
        return x

    x, y = leaf([0.3, -1.2, 0.9]), leaf([0.5, 0.1, -0.7])
    np.testing.assert_allclose(
        gradients(compiled, x, y), gradients(by_operators, x, y), rtol=1e-10, atol=1e-12
    )


# --- control, loops, calls


@vectorize
def horner(x, n):
    total = 1.0
    for _ in range(n):
        total = total * x + 1.0
    return total


@vectorize
def newton(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = (x + a / x) / 2.0
    return x


@vectorize
def steps(x):
    if x < 0.0:
        return 0.25 * x
    if x < 1.0:
        return x * x
    return math.log(x) + 1.0


@jit
def cube(x):
    for _ in range(1):
        x = x * x * x
    return x


@vectorize
def called(x, y):
    return cube(x) * y + cube(2.0)


@vectorize
def recursive(x, n):
    return x if n == 0 else x * recursive_of(x, n - 1)


@jit
def recursive_of(x, n):
    if n == 0:
        return x
    return x * recursive_of(x, n - 1)


@vectorize
def pair(x, y):
    both = (x * y, x + y)
    first, second = both
    return first * second


@vectorize
def by_complex(x, y):
    z = complex(x, y)
    return abs(z * z) + (z / (1.0 + 2.0j)).real


COUNTS = opwright.tensor([0, 1, 2, 5])
POINTS = [0.3, 0.7, 1.4, 2.0]


def test_loops_carry_gradients() -> None:
    x = leaf(POINTS)
    (found,) = gradients(lambda x: horner(x, COUNTS), x)
    expected = [
        sum(k * point ** (k - 1) for k in range(1, int(n) + 1))
        for point, n in zip(POINTS, COUNTS.tolist(), strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    (found,) = gradients(newton, x)
    np.testing.assert_allclose(found, [0.5 / math.sqrt(point) for point in POINTS], rtol=1e-9)


@pytest.mark.parametrize(
    ("function", "count"), [(steps, 1), (called, 2), (pair, 2), (by_complex, 2)]
)
def test_gradcheck(function: Any, count: int) -> None:
    inputs = (leaf([-0.6, 0.4, 2.5]), leaf([[1.3], [-0.7]]))[:count]
    assert gradcheck(function, inputs)
    assert gradgradcheck(function, inputs)


def test_recursion_has_gradients() -> None:
    x = leaf(POINTS)
    (found,) = gradients(lambda x: recursive(x, COUNTS), x)
    expected = [(n + 1) * point**n for point, n in zip(POINTS, COUNTS.tolist(), strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_gamma_has_all_derivatives() -> None:
    gamma = vectorize(lambda x: math.gamma(x) + math.lgamma(x) * math.erf(x))
    x = leaf([0.7, 1.5, 3.25])
    assert gradcheck(gamma, (x,))
    assert gradgradcheck(gamma, (x,))

    x, euler = leaf([1.0, 0.5]), 0.5772156649015329
    log_gamma = vectorize(lambda x: math.lgamma(x))
    (first,) = opwright.autograd.grad(log_gamma(x).sum(), x, create_graph=True)
    np.testing.assert_allclose(first.tolist(), [-euler, -euler - 2 * math.log(2)], rtol=1e-13)
    (second,) = opwright.autograd.grad(first.sum(), x, create_graph=True)
    np.testing.assert_allclose(second.tolist(), [math.pi**2 / 6, math.pi**2 / 2], rtol=1e-13)


def test_what_does_not_matter_brings_no_nan() -> None:
    function = vectorize(lambda x, y: x + (math.log(y) if y > 0.0 else 0.0) + 0.0 * y)
    x, y = leaf([1.0, 2.0]), opwright.tensor([0.0, 1.0], dtype=opwright.float64)
    assert gradients(lambda x: function(x, y), x) == [[1.0, 1.0]]


def test_third_derivatives() -> None:
    x = leaf([0.5, 2.0])
    y = vectorize(lambda x: x**5)(x)
    for _ in range(3):
        (y,) = opwright.autograd.grad(y.sum(), x, create_graph=True)
    np.testing.assert_allclose(y.tolist(), [60 * 0.25, 60 * 4.0], rtol=1e-14)


# --- arguments and results


def test_broadcast_arguments_get_sums() -> None:
    x, y = leaf([[1.0], [2.0]]), leaf([3.0, 4.0, 5.0])
    z = leaf(2.0)
    product = vectorize(lambda x, y, z: x * y * z)
    assert gradients(product, x, y, z) == [[[24.0], [24.0]], [6.0, 6.0, 6.0], 36.0]
    for inputs in ((x, y, z), (x.t().detach().requires_grad_(), x, z)):
        assert gradcheck(product, inputs)


def test_a_tensor_without_dimensions_stays_one() -> None:
    square = vectorize(lambda x: x * x)
    x = leaf(3.0, opwright.float32)
    y = square(x)
    assert (y.shape, y.dtype, y.item()) == ((), opwright.float32, 9.0)
    y.backward()
    assert x.grad.item() == 6.0
    plain = square(x.detach())
    assert (plain.shape, plain.dtype, plain.requires_grad) == ((), opwright.float32, False)
    assert type(square(3.0)) is float


def test_arguments_of_other_kinds() -> None:
    function = vectorize(lambda x, k, y: x * k + y)
    x = leaf([1.0, 2.0], opwright.float32)
    found = function(x, 3, np.array([0.5, 1.5], np.float32))
    assert (found.tolist(), found.dtype) == ([3.5, 7.5], opwright.float32)
    found.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    whole = opwright.tensor([2, 3])
    wide = leaf([1.0, 2.0])
    assert gradients(lambda x: function(x, whole, 1.5), wide) == [[2.0, 3.0]]


def test_mixed_dtypes() -> None:
    product = vectorize(lambda x, y: x * y)
    x, y = leaf([1.0, 2.0], opwright.float32), leaf([3.0, 4.0])
    found = opwright.autograd.grad(product(x, y).sum(), (x, y))
    assert [it.dtype for it in found] == [opwright.float32, opwright.float64]
    assert [it.tolist() for it in found] == [[3.0, 4.0], [1.0, 2.0]]


def test_results_that_are_no_real_numbers_have_no_gradient() -> None:
    x = leaf([-1.0, 2.0])
    for function in (lambda x: x > 0.0, lambda x: int(x)):
        found = vectorize(function)(x)
        assert not found.requires_grad


def test_strided_and_empty_inputs() -> None:
    square = vectorize(lambda x: x * x)
    x = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for part in (x.t(), x[:, ::2], x[::-1], x[0:0]):
        (found,) = opwright.autograd.grad(square(part).sum(), x)
        (expected,) = opwright.autograd.grad((part * part).sum(), x)
        assert found.tolist() == expected.tolist()


def test_signatures_cast_with_gradients() -> None:
    square = vectorize(["float64(float64)"])(lambda x: x * x)
    x = leaf([1.5], opwright.float32)
    (found,) = opwright.autograd.grad(square(x).sum(), x)
    assert (found.tolist(), found.dtype) == ([3.0], opwright.float32)


def test_nothing_is_recorded_without_need() -> None:
    square = vectorize(lambda x: x * x)
    x = leaf([1.0])
    with opwright.no_grad():
        assert not square(x).requires_grad
    with opwright.inference_mode():
        assert not square(x).requires_grad
    assert not square(x.detach()).requires_grad
    assert jit(lambda x: x[0])(x.detach()) == 1.0
    with opwright.no_grad():
        assert jit(lambda x: x[0])(x) == 1.0


def test_what_was_saved_may_not_change() -> None:
    square = vectorize(lambda x: x * x)
    x = leaf([1.0])
    y = x * 1.0
    z = square(y)
    y.add_(1.0)
    with pytest.raises(RuntimeError):
        z.sum().backward()


def test_graphs_are_let_go() -> None:
    square = vectorize(lambda x: x * x)
    x = leaf([1.0, 2.0])
    y = x * 2.0
    known = weakref.ref(y)
    z = square(y).sum()
    z.backward()
    del y, z
    gc.collect()
    assert known() is None


# --- what has no dual numbers


def test_arrays_within_are_refused() -> None:
    @vectorize
    def buffered(x):
        a = np.zeros(2)
        a[0] = x
        return a[0] + a[1]

    with pytest.raises(
        TypingError, match=r"'buffered' is not differentiated.*derivative\(\)"
    ) as it:
        buffered(leaf([1.0]))
    assert "opwright " not in str(it.value)
    assert buffered(leaf([1.0]).detach()).tolist() == [1.0]
    buffered.derivative("x")(lambda x: 1.0 + 0.0 * x)
    assert gradients(buffered, leaf([1.0, 2.0])) == [[1.0, 1.0]]


def test_complex_numbers_are_refused() -> None:
    square = vectorize(lambda z: z * z)
    z = opwright.tensor([1 + 2j], requires_grad=True)
    with pytest.raises(TypingError, match=r"complex64, not a real number; register a gradient"):
        square(z)
    square.derivative(0)(lambda z: 2.0 * z)
    (found,) = opwright.autograd.grad(square(z), z, opwright.ones(1, dtype=opwright.complex64))
    (expected,) = opwright.autograd.grad(z * z, z, opwright.ones(1, dtype=opwright.complex64))
    assert found.tolist() == expected.tolist()


# --- registered formulas of functions of numbers


def test_formulas_come_first() -> None:
    @vectorize
    def step(x, scale):
        return scale if x > 0.0 else 0.0

    @step.derivative("x")
    def slope(grad, x, scale):
        return grad * scale * 0.25

    assert slope.__name__ == "slope"
    x, scale = leaf([-1.0, 2.0]), leaf([4.0, 8.0])
    assert gradients(step, x, scale) == [[1.0, 2.0], [0.0, 1.0]]
    step.derivative("x")(lambda x, scale: x * x)
    assert gradients(step, x, scale)[0] == [1.0, 4.0]
    # It is differentiated like anything else.
    (first,) = opwright.autograd.grad(step(x, scale).sum(), x, create_graph=True)
    (second,) = opwright.autograd.grad(first.sum(), x)
    assert second.tolist() == [-2.0, 4.0]


def test_compiled_functions_are_callable() -> None:
    assert callable(jit(lambda x: x))
    assert jit(lambda x, y: x - y).__call__(3, y=1) == 2


def test_wrong_registrations() -> None:
    square = vectorize(lambda x: x * x)
    with pytest.raises(TypeError, match="has no parameter 'y': it has x"):
        square.derivative("y")
    with pytest.raises(TypeError, match="has no parameter 1"):
        square.derivative(1)
    with pytest.raises(TypeError, match="takes its 1 arguments, or grad and then these"):
        square.derivative("x")(lambda x, y: x)
    plain = jit(lambda x: x[0])
    with pytest.raises(TypeError, match="has no parameter 'y'"):
        plain.derivative("y")
    with pytest.raises(TypeError, match="a gradient is a function, not 3"):
        plain.derivative("x")(3)


# --- functions of arrays


def test_functions_of_arrays_need_a_formula() -> None:
    @jit
    def total(a, k):
        s = 0.0
        for x in a:
            s += x * x * k
        return s

    a = leaf([1.0, 2.0])
    with pytest.raises(
        NotImplementedError, match=r"no gradient for 'a'.*total\.derivative\('a'\).*"
    ):
        total(a, 3.0)
    assert total(a.detach(), 3.0) == 15.0

    @total.derivative("a")
    def of_a(grad, a, k, result):
        assert result.shape == ()
        return grad * 2.0 * k * a

    found = total(a, 3.0)
    assert (found.item(), found.shape, found.dtype) == (15.0, (), opwright.float64)
    found.backward()
    assert a.grad.tolist() == [6.0, 12.0]
    assert gradcheck(lambda a: total(a, 3.0), (a,))
    assert gradgradcheck(lambda a: total(a, 3.0), (a,))
    # The other argument has none.
    k = leaf(3.0)
    with pytest.raises((NotImplementedError, TypingError)):
        total(a, k)
    assert type(total(a.detach(), 3.0)) is float


def test_several_results() -> None:
    @jit
    def parts(a, b):
        return a * b, a.sum(), 3, None

    parts.derivative("a")(lambda grads, a, b, results: grads[0] * b + grads[1])
    parts.derivative(1)(lambda grads, a, b, results: grads[0] * a)
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    product, total, three, none = parts(a, b)
    assert (three, none) == (3, None)
    (product.sum() + 10.0 * total).backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([13.0, 14.0], [1.0, 2.0])


def test_a_compiled_formula() -> None:
    @jit
    def smooth(a):
        out = np.empty_like(a)
        for i in range(a.size):
            out[i] = (a[i] + a[i - 1]) / 2.0
        return out

    @smooth.derivative("a")
    @jit
    def back(grad, a, result):
        out = np.empty_like(a)
        for i in range(a.size):
            out[i - 1] = (grad[i] + grad[i - 1]) / 2.0
        return out

    back.derivative("grad")(lambda grad, g, a, result: smooth(grad))
    back.derivative("a")(lambda grad, g, a, result: grad * 0.0)
    assert gradcheck(smooth, (leaf([1.0, 2.0, 4.0, 8.0]),))


def test_tensors_within_objects_are_refused() -> None:
    first = jit(lambda pair: pair[0][0] + pair[1])
    with pytest.raises(NotImplementedError, match="within another object"):
        first((leaf([1.0]), 2.0))
    assert first((leaf([1.0]).detach(), 2.0)) == 3.0
    nested = jit(lambda a: ((a, a), a))
    nested.derivative("a")(lambda grads, a, results: grads[1])
    with pytest.raises(NotImplementedError, match="returns an object of class tuple"):
        nested(leaf([1.0]))


def test_keywords_and_defaults() -> None:
    @jit
    def scaled(a, k=2.0):
        return a * k

    scaled.derivative("a")(lambda grad, a, k, result: grad * k)
    a = leaf([1.0])
    assert gradients(lambda a: scaled(k=5.0, a=a), a) == [[5.0]]
    assert gradients(scaled, a) == [[2.0]]
