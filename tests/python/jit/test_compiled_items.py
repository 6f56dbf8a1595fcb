"""Items by arrays of indices and truth values, slices of ranges, and what `in` looks through."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opwright import jit, types
from opwright.extending import TypingError, overload


def check_same(function: Any, *args: Any) -> None:
    """Compiled, a function returns and writes what it does in Python."""
    ours, theirs = [
        [np.copy(it) if isinstance(it, np.ndarray) else it for it in args] for _ in range(2)
    ]
    found, expected = jit(function)(*ours), function(*theirs)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)


A = np.arange(12.0).reshape(3, 4)
V = np.array([3.0, 1.0, 2.0, 5.0])
ROWS, COLUMNS = np.array([2, 0]), np.array([3, 1])
OF_ROWS, OF_COLUMNS = np.array([True, False, True]), np.array([False, True, True, False])


def by_mask(a):
    a[a > 2] += 1
    return a.sum()


def by_indices(a, i):
    a[i] *= 2
    return a.sum()


def by_indices_of_rows(a, i):
    a[i] -= 1
    a[i, 1] += 5
    return a.sum()


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (by_mask, (V,)),
        (by_mask, (A,)),
        (by_indices, (V, ROWS)),
        (by_indices, (V, OF_COLUMNS)),
        (by_indices, (A, OF_ROWS)),
        (by_indices_of_rows, (A, ROWS)),
        (by_indices_of_rows, (A, OF_ROWS)),
    ],
)
def test_what_indices_take_is_written_back(function: Any, args: Any) -> None:
    check_same(function, *args)


def test_an_item_of_a_view_is_written_in_place() -> None:
    def f(a):
        a[1:][0] += 1.0
        a[0] *= 2.0
        return a[0, 0]

    check_same(f, A)


@pytest.mark.parametrize(
    "item",
    [
        lambda a, i, j: a[i, j],
        lambda a, i, j: a[:, j],
        lambda a, i, j: a[1:, j],
        lambda a, i, j: a[i, 1:3],
        lambda a, i, j: a[i, 2],
        lambda a, i, j: a[1, j],
        lambda a, i, j: a[i][:, j],
    ],
)
def test_lists_of_indices_beside_others(item: Any) -> None:
    check_same(item, A, ROWS, COLUMNS)


@pytest.mark.parametrize(
    "item", [lambda a, m: a[:, m], lambda a, m: a[1, m], lambda a, m: a[:2, m]]
)
def test_truth_values_beside_others(item: Any) -> None:
    check_same(item, A, OF_COLUMNS)


def set_pairs(a, i, j):
    a[i, j] = 9.0


def set_pairs_each(a, i, j):
    a[i, j] = a[0, :2]


def set_columns(a, i, j):
    a[:, j] = 1.0


def set_columns_each(a, i, j):
    a[:, j] = a[:, :2] * 10


def set_column_row(a, i, j):
    a[:, j] = a[0, :2]


def set_in_column(a, i, j):
    a[i, 1] = 7.0


def set_in_row(a, i, j):
    a[1, j] = a[0, :2]


@pytest.mark.parametrize(
    "function",
    [
        set_pairs,
        set_pairs_each,
        set_columns,
        set_columns_each,
        set_column_row,
        set_in_column,
        set_in_row,
    ],
)
def test_lists_of_indices_are_assigned(function: Any) -> None:
    ours, theirs = A.copy(), A.copy()
    jit(function)(ours, ROWS, COLUMNS)
    function(theirs, ROWS, COLUMNS)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("value", [0.0, np.arange(4.0), np.arange(8.0).reshape(2, 4)])
def test_rows_by_truth_values_are_assigned(value: Any) -> None:
    def f(a, m, value):
        a[m] = value

    ours, theirs = A.copy(), A.copy()
    jit(f)(ours, OF_ROWS, value)
    f(theirs, OF_ROWS, value)
    np.testing.assert_array_equal(ours, theirs)


def test_pairs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(IndexError):
        jit(lambda a, i, j: a[i, j])(A, np.array([0, 1, 2]), COLUMNS)
    with pytest.raises(IndexError):
        jit(lambda a, i, j: a[i, j])(A, ROWS, COLUMNS + 3)
    with pytest.raises(TypingError, match="write a loop"):
        jit(lambda a, i: a[i])(A, ROWS.astype(np.float64))


@jit
def in_range(x, start, stop, step):
    return x in range(start, stop, step), x not in range(start, stop, step)


@given(
    st.one_of(st.integers(-30, 30), st.floats(-30, 30), st.booleans()),
    st.integers(-20, 20),
    st.integers(-20, 20),
    st.integers(-5, 5).filter(bool),
)
def test_ranges_are_looked_through(x: Any, start: int, stop: int, step: int) -> None:
    assert in_range(x, start, stop, step) == in_range.py_func(x, start, stop, step)


@jit
def sliced(start, stop, step, first, last, by):
    r = range(start, stop, step)[first:last:by]
    total = 0
    for i in r:
        total = total * 31 + i
    for i in reversed(r):
        total = total * 31 + i
    return len(r), total, r.step, range(start, stop, step)[::-1].step


@given(
    st.integers(-9, 9),
    st.integers(-9, 9),
    st.integers(-3, 3).filter(bool),
    st.integers(-9, 9),
    st.integers(-9, 9),
    st.integers(-3, 3).filter(bool),
)
def test_ranges_are_sliced_and_reversed(
    start: int, stop: int, step: int, first: int, last: int, by: int
) -> None:
    args = (start, stop, step, first, last, by)
    length, total, by_step, back = sliced.py_func(*args)
    wrapped = (total + 2**63) % 2**64 - 2**63
    assert sliced(*args) == (length, wrapped, by_step, back)


def test_the_ends_of_ranges_are_attributes() -> None:
    def f(n):
        r = range(2, n, 3)
        return r.start, r.stop, r.step, r[-1]

    assert jit(f)(20) == f(20)
    with pytest.raises(TypingError, match="range indices are integers or slices"):
        jit(lambda n: range(n)[1.5])(3)


@jit
def among(x, a, t):
    return x in a, x not in a, x in t


@pytest.mark.parametrize("x", [2.0, 7.0, np.nan, 1, True])
def test_arrays_and_tuples_are_looked_through(x: Any) -> None:
    for a in (V, A, np.array([1, 2]), np.array([np.nan])):
        assert among(x, a, (1, 2.0)) == among.py_func(x, a, (1, 2.0))


def test_in_may_be_of_ones_own() -> None:
    with pytest.raises(TypingError, match="`in` looks through tuples, arrays and ranges"):
        jit(lambda n: n in 5)(1)

    @overload(operator.contains)
    def _(a: Any, b: Any) -> Any:
        if isinstance(a, types.Float) and isinstance(b, types.Integer):
            return lambda a, b: b < a
        return None

    assert jit(lambda n, x: n in x)(1, 2.5)
    assert not jit(lambda n, x: n in x)(3, 2.5)
    assert jit(lambda n: n in (1, 2))(1)


@jit
def walked(a):
    total = 0.0
    for x in reversed(a):
        total = total * 2 + x
    for x in reversed((1, 2.5)):
        total = total * 2 + x
    return total


def test_arrays_are_reversed() -> None:
    assert walked(V) == walked.py_func(V)
    with pytest.raises(TypingError, match="ranges, tuples and arrays, not int64"):
        jit(lambda n: reversed(n))(3)


@jit
def truths(a, t, n):
    return any(a), all(a), any(t), all(t), any(range(n)), all(range(n))


def test_any_and_all_stop_at_the_first() -> None:
    for a in (V, V * 0, V[:0], OF_ROWS):
        assert truths(a, (0, 1.5), 3) == truths.py_func(a, (0, 1.5), 3)
    with pytest.raises(ValueError, match="ambiguous"):
        jit(lambda a: any(a))(A)
    with pytest.raises(TypingError, match="any"):
        jit(lambda n: any(n))(3)


def test_lengths_of_what_is_no_array() -> None:
    def f(a, n):
        return len(a.flat), len(range(n, 0, -3)), len("text"), len((n, 1.5)), len(a)

    assert jit(f)(A, 10) == f(A, 10)
