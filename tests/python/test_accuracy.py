"""Functions are as exact as the guide says."""

import re
from pathlib import Path

import pytest

import accuracy
from accuracy import DTYPES, FUNCTIONS, Function

PAGE = Path(__file__).parents[2] / "docs/src/accuracy.md"
# Few enough numbers for a test.
STEP = 200_003


def said(name: str) -> list[float]:
    """What the guide says of a function, of each dtype."""
    row = next(it for it in PAGE.read_text().splitlines() if it.startswith(f"| `{name}` |"))
    return [float(it) for it in re.findall(r"\| (\d+\.\d+) ", row)]


@pytest.mark.skipif(not accuracy.IS_EXACT, reason="`longdouble` has no more bits than `float64`")
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.name)
def test_functions_are_exact(function: Function) -> None:
    for dtype, most in zip(DTYPES, function.most, strict=True):
        assert accuracy.worst(function, dtype, STEP).units <= most


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda it: it.name)
def test_the_guide_tells_of_each(function: Function) -> None:
    assert all(
        units <= most for units, most in zip(said(function.name), function.most, strict=True)
    )
