"""Results in the memory of what an expression made on the way, and of nothing else."""

import ctypes
import functools
import operator
import platform
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import opwright
import pytest
from opwright import Tensor

COUNT = 1 << 16

ARRAYS = {name: np.arange(COUNT, dtype=np.float64) + k for k, name in enumerate("abc")}

EXPRESSIONS = [
    "a + b * c",
    "b * c + a",
    "a * b + b * c",
    "2 - b * c",
    "(b * c) * 2.0",
    "-(b * c)",
    "abs(b * c - a * a)",
    "(a * b + c) * a - b",
    "a / (b * c + 1)",
    "(b * c + 1) / a.sum()",
    "(b * c) ** 2",
    "a * b < b * c",
    "(a * b)[1:] + (b * c)[:-1]",
    "(b * c).reshape(2, -1) + (a * b).reshape(2, -1)",
    "(a + b).reshape(-1, 1)[:256] + (b * c)[:256]",
    "(lambda x: x + x * x)(a * b)",
    "[x + 1 for x in [a * b]][0] + b",
]

SAYS_WHO_CALLS = pytest.mark.skipif(
    platform.system() != "Linux" or platform.libc_ver()[0] != "glibc",
    reason="nobody says here who calls, or how much memory was used at most",
)


def tensors() -> dict[str, Tensor]:
    return {name: opwright.tensor(it) for name, it in ARRAYS.items()}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_are_those_of_numpy(expression: str) -> None:
    ours, expected = tensors(), eval(expression, dict(ARRAYS))
    result = eval(expression, dict(ours))
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-15)
    for name, tensor in ours.items():
        assert np.array_equal(tensor.numpy(), ARRAYS[name])


MEASURED = """
import re
import opwright
a, b, c = (opwright.ones(8_000_000, dtype=opwright.float64) for _ in range(3))
def used():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
before = used()
{statement}
print((used() - before) / (64e6 / 1024))
"""


@SAYS_WHO_CALLS
@pytest.mark.parametrize(
    ("statement", "results"),
    [
        ("r = a + b * c", 1),
        ("r = -(b * c + a) * 2", 1),
        ("t = b * c; r = a + t", 2),
        ("r = a * b + b * c", 2),
    ],
)
def test_an_expression_needs_room_for_what_it_keeps(statement: str, results: int) -> None:
    program = MEASURED.format(statement=statement)
    command = [sys.executable, "-P", "-c", program]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert results - 0.2 < float(output) < results + 0.5


def pairs_in_c(left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """The sum, and the left operand as code in C sees it after the call."""
    add = ctypes.pythonapi.PyNumber_Add
    add.restype = ctypes.py_object
    add.argtypes = [ctypes.py_object, ctypes.py_object]
    return add(left, right), left


HOLDERS: dict[str, Callable[[Tensor, Tensor], list[Tensor]]] = {
    "a variable": lambda x, y: [x + y, x],
    "a list": lambda x, y: [(lambda many: [many[0] + y, many[0]])([x * 1])[k] for k in (0, 1)],
    "code in C": lambda x, y: list(pairs_in_c(x * 1, y)),
    "a function": lambda x, y: (lambda z: [z + y, z])(x * 1),
    "an attribute": lambda x, y: (lambda z: [z.real + y, z])(x * 1),
    "an assignment": lambda x, y: [(z := x * 1) + y, z],
    "a view": lambda x, y: (lambda z: [z.view(-1) + y, z])(x * 1),
    "an array": lambda x, y: (lambda z: [opwright.from_numpy(z) + y, opwright.from_numpy(z)])(
        (x * 1).numpy()
    ),
    "a storage": lambda x, y: (lambda s: [opwright.Tensor().double().set_(s) + y, x])(
        (x * 1).untyped_storage()
    ),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_what_somebody_holds_stays(holder: str) -> None:
    x, y = tensors()["a"], tensors()["b"]
    result, held = HOLDERS[holder](x, y)
    assert np.array_equal(result.numpy(), ARRAYS["a"] + ARRAYS["b"])
    assert np.array_equal(held.numpy(), ARRAYS["a"])


def test_functions_of_the_interpreter_get_right_results() -> None:
    a, b = tensors()["a"], tensors()["b"]
    expected = ARRAYS["a"] * 6
    assert np.array_equal(sum([a * 1, a * 2, a * 3]).numpy(), expected)
    assert np.array_equal(
        functools.reduce(operator.add, (a * k for k in (1, 2, 3))).numpy(), expected
    )
    assert np.array_equal(operator.add(a * 1, b * 2).numpy(), ARRAYS["a"] + ARRAYS["b"] * 2)
    many = [a * 1, a * 2]
    assert [it.numpy()[5] for it in map(operator.add, many, many)] == [10, 20]
    assert [it.numpy()[5] for it in many] == [5, 10]


def test_what_a_gradient_needs_stays() -> None:
    x = tensors()["a"].requires_grad_()
    y = tensors()["b"]
    ((x * y) * (y * 2.0)).sum().backward()
    assert x.grad is not None
    assert np.array_equal(x.grad.numpy(), 2 * ARRAYS["b"] ** 2)
    (y * 3.0 * x).sum().backward()
    assert np.array_equal(x.grad.numpy(), 2 * ARRAYS["b"] ** 2 + 3 * ARRAYS["b"])


def test_a_subclass_sees_its_operands_whole() -> None:
    seen = []

    class Watching(Tensor):
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):
            seen.append(args[0])
            return super().__opwright_function__(function, types, args, kwargs or {})

    a = tensors()["a"]
    watching = tensors()["b"].as_subclass(Watching)
    result = (a * 2) + watching
    assert np.array_equal(np.asarray(seen[-1]), 2 * ARRAYS["a"])
    assert np.array_equal(np.asarray(result), 2 * ARRAYS["a"] + ARRAYS["b"])


def test_threads_do_not_share_what_is_given_away() -> None:
    ours = tensors()
    expected = ARRAYS["a"] + ARRAYS["b"] * ARRAYS["c"] - ARRAYS["a"]

    def evaluated(_: int) -> bool:
        a, b, c = ours["a"], ours["b"], ours["c"]
        return np.array_equal((a + b * c - a).numpy(), expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(evaluated, range(200)))
