"""Signs of zeros, of every function that numpy has too."""

import math

import numpy as np
import opwright
import pytest

DTYPES = {
    "float32": np.float32,
    "float64": np.float64,
    "float16": np.float16,
    "bfloat16": np.float32,
}

# Which of two equal zeros is greater, nobody says.
UNSAID = {"maximum", "minimum", "fmax", "fmin"}

# What is not there for a dtype, as in PyTorch.
LACKING = {("nextafter", "float16")}

OPERANDS = [-0.0, 0.0, 1.0, -1.0, 2.5, -2.5, math.inf, -math.inf]


def shared(count: int) -> list[str]:
    """Functions of so many numbers that have one name here and in numpy."""
    both = (it for it in dir(np) if callable(getattr(opwright, it, None)))
    ufuncs = ((it, getattr(np, it)) for it in both)
    floats = "f" * count + "->f"
    return [
        name
        for name, it in ufuncs
        if isinstance(it, np.ufunc)
        and it.signature is None
        and floats in it.types
        and name not in UNSAID
    ]


def test_many_functions_are_shared() -> None:
    assert len(shared(1)) > 35
    assert len(shared(2)) > 8


def check(name: str, operands: list[tuple[float, ...]], dtype: str) -> None:
    columns = list(zip(*operands, strict=True))
    arrays = [np.array(column, DTYPES[dtype]) for column in columns]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(*arrays)
    tensors = [opwright.tensor(column, dtype=getattr(opwright, dtype)) for column in columns]
    found = np.array(getattr(opwright, name)(*tensors).tolist())
    zeros = (expected == 0) & ~np.isnan(expected)
    np.testing.assert_array_equal(found[zeros], expected[zeros])
    for at in np.flatnonzero(zeros):
        signs = math.copysign(1.0, found[at]), math.copysign(1.0, expected[at])
        assert signs[0] == signs[1], f"{name}{operands[at]} is {found[at]}, not {expected[at]}"


@pytest.mark.parametrize("repeated", [1, 40])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", shared(1))
def test_of_one(name: str, dtype: str, repeated: int) -> None:
    check(name, [(it,) for it in OPERANDS] * repeated, dtype)


@pytest.mark.parametrize("repeated", [1, 40])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", shared(2))
def test_of_two(name: str, dtype: str, repeated: int) -> None:
    if (name, dtype) in LACKING:
        pytest.skip("not there for this dtype")
    pairs = [(a, b) for a in OPERANDS for b in OPERANDS]
    check(name, pairs * repeated, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "name", ["elu", "selu", "celu", "gelu", "silu", "mish", "relu", "hardswish", "leaky_relu"]
)
def test_activations(name: str, dtype: str) -> None:
    function = getattr(opwright.nn.functional, name)
    zeros = opwright.tensor([-0.0, 0.0] * 20, dtype=getattr(opwright, dtype))
    signs = [math.copysign(1.0, it) for it in function(zeros).tolist()]
    assert signs == [-1.0, 1.0] * 20
