"""Random numbers in compiled functions are those of the default generator."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import jit


@jit
def units(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = random.random()
    return out


@jit
def normals(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = random.gauss(0.0, 1.0)
    return out


@jit
def integers(n):
    out = np.empty(n, np.int64)
    for i in range(n):
        out[i] = np.random.randint(-5, 100)
    return out


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
@pytest.mark.parametrize(
    ("one_by_one", "at_once"),
    [
        (units, lambda n: opwright.rand(n, dtype=opwright.float64)),
        (normals, lambda n: opwright.randn(n, dtype=opwright.float64)),
        (integers, lambda n: opwright.randint(-5, 100, (n,))),
    ],
)
def test_a_loop_draws_what_a_tensor_would(one_by_one: Any, at_once: Any, n: int) -> None:
    opwright.manual_seed(3)
    found = one_by_one(n), one_by_one(n)
    opwright.manual_seed(3)
    expected = at_once(n), at_once(n)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


@jit
def arrays():
    return (
        np.random.random(5),
        np.random.uniform(1.0, 2.0, (2, 3)),
        np.random.normal(0.0, 2.0, 4),
        np.random.randint(0, 10, size=6),
        np.random.rand(2, 2),
        np.random.standard_normal(3),
    )


def test_arrays_are_filled_as_tensors_are() -> None:
    opwright.manual_seed(4)
    found = arrays()
    opwright.manual_seed(4)
    wide = opwright.float64
    expected = (
        opwright.rand(5, dtype=wide),
        opwright.empty(2, 3, dtype=wide).uniform_(1.0, 2.0),
        opwright.empty(4, dtype=wide).normal_(0.0, 2.0),
        opwright.randint(0, 10, (6,)),
        opwright.rand(2, 2, dtype=wide),
        opwright.randn(3, dtype=wide),
    )
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


@jit
def seeded(a):
    random.seed(a)
    first = random.random()
    np.random.seed(a)
    return first, np.random.random()


def test_seeds_are_those_of_the_generator() -> None:
    first, second = seeded(9)
    opwright.manual_seed(9)
    assert first == second == opwright.rand(1, dtype=opwright.float64).item()


@jit
def ranges():
    return (
        random.randrange(10),
        random.randrange(5, 8),
        random.randrange(0, 10, 3),
        random.randint(1, 6),
        random.uniform(2, 3),
        np.random.randint(4),
    )


def test_integers_lie_in_their_ranges() -> None:
    found = [ranges() for _ in range(300)]
    assert {it[0] for it in found} == set(range(10))
    assert {it[1] for it in found} == {5, 6, 7}
    assert {it[2] for it in found} == {0, 3, 6, 9}
    assert {it[3] for it in found} == {1, 2, 3, 4, 5, 6}
    assert all(2 <= it[4] < 3 for it in found)
    assert {it[5] for it in found} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "draw",
    [
        lambda: random.randrange(0),
        lambda: random.randrange(0, 5, 0),
        lambda: random.randint(3, 2),
        lambda: np.random.randint(3, 3),
        lambda: np.random.normal(0.0, -1.0),
        lambda: np.random.random(-1),
    ],
)
def test_what_is_empty_is_refused(draw: Any) -> None:
    with pytest.raises(ValueError):
        jit(draw)()


def test_threads_get_different_numbers() -> None:
    opwright.manual_seed(1)
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(units(2000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(np.unique(np.concatenate(found))) == 8000
