"""Functions are as exact as the guide says for every `float32` there is."""

import os
from collections.abc import Iterator

import numpy as np
import opwright as ow
import pytest
from accuracy import FUNCTIONS, Function, Numbers, distances

# One of so many.
EVERY = int(os.environ.get("OPWRIGHT_EVERY", "1021"))
BLOCK = 1 << 18
# What `float64` adds to the distance of a `float32`, many times over.
NOISE = 1e-6


def blocks() -> Iterator[Numbers]:
    """All numbers, or a sample of them."""
    for start in range(0, 1 << 32, BLOCK * EVERY):
        places = np.arange(start, min(start + BLOCK * EVERY, 1 << 32), EVERY)
        yield places.astype(np.uint32).view(np.float32)


def exact(function: Function, x: Numbers) -> Numbers:
    """What the function is in `float64`: numpy's, and ours where it has none."""
    if isinstance(function.exact, np.ufunc):
        return np.asarray(function.exact(x.astype(np.float64)))
    return function(ow.from_numpy(x.astype(np.float64))).numpy()


OF_NUMBERS = [
    it
    for it in FUNCTIONS
    if it.of == "numbers" and (isinstance(it.exact, np.ufunc) or it.name in ("erf", "erfc"))
]


@pytest.mark.parametrize("function", OF_NUMBERS, ids=lambda it: it.name)
def test_every_float_is_exact(function: Function) -> None:
    most, where = 0.0, 0.0
    for x in blocks():
        with np.errstate(all="ignore"):
            found = function(ow.from_numpy(x)).numpy()
            away = distances(found, exact(function, x))
        place = int(np.argmax(away))
        if away[place] > most:
            most, where = float(away[place]), float(x[place])
    assert most <= function.most + NOISE, f"{most} units at {where!r}"
    print(f"{function.name}: {most:.3f} units at {where!r}")
