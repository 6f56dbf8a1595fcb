"""Functions are as exact as the guide says."""

from pathlib import Path

import accuracy
import numpy as np
import opwright as ow
import pytest
from accuracy import DTYPES, FUNCTIONS, Function

PAGE = Path(__file__).parents[2] / "docs/src/accuracy.md"
# Few enough numbers for a test.
STEP = 200_003


def said(name: str) -> list[list[float]]:
    """What the guide says of a function, of each dtype for each set of instructions."""
    rows = [it for it in PAGE.read_text().splitlines() if it.startswith(f"| `{name}` |")]
    cells = [row.strip("| ").split(" | ") for row in rows]
    return [[float(single), float(double)] for _, single, _, double, _ in cells]


@pytest.mark.skipif(not accuracy.IS_EXACT, reason="`longdouble` has no more bits than `float64`")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.name)
def test_functions_are_exact(function: Function) -> None:
    for dtype in DTYPES:
        assert accuracy.worst(function, dtype, STEP).units <= function.most


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.name)
def test_the_guide_tells_of_each(function: Function) -> None:
    tables = said(function.name)
    assert len(tables) == 3
    for row in tables:
        assert all(units <= function.most for units in row)


# What has to do with signs, zeros, infinities and numbers that are not normal.
SPECIAL = [0.0, 1.0, 0.1, 2.5, 3.0, 7.0, 1e-45, 1e-38, 1e-310, 5e-324, 1e30, 1e300, np.inf, np.nan]


@pytest.mark.parametrize("dtype", DTYPES)
def test_remainders_are_exact(dtype: str) -> None:
    with np.errstate(all="ignore"):
        ends = np.array([*SPECIAL, *(-it for it in SPECIAL)]).astype(dtype)
        rng = np.random.default_rng(0)
        usual = (rng.standard_normal(3000) * 10.0 ** rng.integers(-3, 4, 3000)).astype(dtype)
        blocks = [np.meshgrid(ends, ends), (usual, usual[::-1].copy()), (usual * 1e4, usual[::-1])]
        for a, b in blocks:
            found = ow.fmod(ow.from_numpy(a), ow.from_numpy(b)).numpy()
            np.testing.assert_array_equal(found, np.fmod(a, b))
            is_zero = found == 0
            np.testing.assert_array_equal(np.signbit(found[is_zero]), np.signbit(a[is_zero]))
            # numpy takes a divisor for the remainder of a number of the other sign by infinity.
            finite = np.isfinite(b)
            found = ow.remainder(ow.from_numpy(a), ow.from_numpy(b)).numpy()
            np.testing.assert_array_equal(found[finite], np.remainder(a, b)[finite])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 70, 5), (130, 2), (1, 1, 9), (65, 129), (2, 3, 4, 5)])
def test_exponentials_are_summed_along_any_dimensions(dtype: str, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(1).uniform(-700, 700, shape).astype(dtype)
    x[..., 0] = -np.inf
    x[0, ..., -1] = np.inf
    for first in range(len(shape)):
        for end in range(first + 1, len(shape) + 1):
            dims = tuple(range(first, end))
            found = ow.logsumexp(ow.from_numpy(x), list(dims)).numpy()
            with np.errstate(all="ignore"):
                exact = np.logaddexp.reduce(x.astype(np.longdouble), axis=dims)
            np.testing.assert_allclose(found, exact.astype(dtype), rtol=1e-6)


@pytest.mark.parametrize("count", [1, 31, 32, 33, 1000, 1024, 1025, 5000])
def test_places_are_the_first_ones(count: int) -> None:
    rng = np.random.default_rng(count)
    for x in (rng.integers(0, 7, (3, count)), rng.integers(0, 7, (3, count)).astype(np.float32)):
        for name in ("argmax", "argmin"):
            found = getattr(ow, name)(ow.from_numpy(x), 1).numpy()
            np.testing.assert_array_equal(found, getattr(np, name)(x, 1))
    x = np.zeros(count)
    x[count // 2 :] = np.nan
    assert ow.argmax(ow.from_numpy(x)).item() == count // 2
    runs = np.repeat(rng.integers(0, 3, count), 2)
    first = np.concatenate(([True], runs[1:] != runs[:-1]))
    np.testing.assert_array_equal(ow.unique_consecutive(ow.from_numpy(runs)).numpy(), runs[first])


def test_bytes_of_truth_are_of_any_value() -> None:
    for at in (0, 5, 4099, 9999):
        x = np.zeros(10_000, np.uint8)
        x[at] = 2
        truth = ow.from_numpy(x).view(ow.bool)
        assert (truth.any().item(), truth.all().item()) == (True, False)
        assert ow.count_nonzero(truth).item() == 1
        assert truth.view(100, 100).any(1).sum().item() == 1


def test_rows_are_kept_as_they_are_printed() -> None:
    kept = accuracy.recorded("| `pow` | 0.52 | 5.6e-23, 0.3 | 21.24 | a row |\n")
    assert kept == {
        "name": "pow",
        "float32": {"ulp": 0.52, "where": "5.6e-23, 0.3"},
        "float64": {"ulp": 21.24, "where": "a row"},
    }
