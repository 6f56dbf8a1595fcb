"""Writes of compiled functions to tensors: as in-place operators, they are counted or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import opwright
import pytest
from opwright import jit, vectorize
from opwright.extending import TypingError


def element(a, b):
    a[0] = b[1]


def slices(a, b):
    a[1:] = b[:2]


def rows(a, b):
    for row in a:
        row[0] = 1.0
    return b[0, 0]


def in_place(a, b):
    a += b


def flat(a, b):
    a.flat[1] = b[0]


def filled(a, b):
    a.fill(b[0])


def masked(a, b):
    a[b > 0] = 7.0


def chosen(a, b):
    c = a if b[0] > 0 else a[1:]
    c[0] = 2.0


def set_first(x):
    for i in range(1):
        x[i] = 3.0
    return x


def through_calls(a, b):
    set_first(a)
    return b[0]


def through_results(a, b):
    c = set_first(np.zeros(3, np.float32)) if b[0] > 9.0 else view_of(a)
    c[0] = 1.0


def view_of(x):
    for _ in range(1):
        x = x[1:]
    return x


def reads(a, b):
    c = a + b
    c[0] = 1.0
    d = a.copy()
    d[0] = 2.0
    return c.sum() + d[0]


def both(a, b):
    a[0], b[0] = b[0], a[0]


WRITING = [
    element,
    slices,
    in_place,
    flat,
    filled,
    masked,
    chosen,
    through_calls,
    through_results,
]


def versions(*tensors: Any) -> list[int]:
    return [tensor._version for tensor in tensors]


@pytest.mark.parametrize("function", WRITING)
def test_only_writes_are_counted(function: Any) -> None:
    a, b = opwright.ones(3), opwright.ones(3)
    compiled = jit(function)
    for turn in range(1, 3):
        compiled(a, b)
        assert versions(a, b) == [turn, 0]


def test_loops_over_rows_write() -> None:
    a, b = opwright.zeros(2, 2), opwright.ones(2, 2)
    jit(rows)(a, b)
    assert versions(a, b) == [1, 0]
    assert a.tolist() == [[1, 0], [1, 0]]


def test_what_is_only_read_is_not_counted() -> None:
    a, b = opwright.ones(3), opwright.ones(3)
    jit(reads)(a, b)
    assert versions(a, b) == [0, 0]
    assert b.tolist() == [1, 1, 1]


def test_each_argument_is_counted() -> None:
    a, b = opwright.ones(2), opwright.zeros(2)
    jit(both)(a, b)
    assert versions(a, b) == [1, 1]
    assert a.tolist() == [0, 1]


@jit
def of_pair(pair, k):
    pair[k][0] = 5.0


def test_arrays_in_tuples_are_counted() -> None:
    @jit
    def second(pair):
        pair[1][0] = 5.0

    a, b = opwright.ones(2), opwright.ones(2)
    second((a, b))
    assert versions(a, b) == [0, 1]
    # Which of them it is, is known when it runs.
    of_pair((a, b), 0)
    assert versions(a, b) == [1, 2]
    assert a.tolist() == [5, 1]


def test_views_share_the_count() -> None:
    base = opwright.zeros(2, 3)
    jit(element)(base[1], opwright.ones(3))
    assert base._version == 1
    assert base.tolist() == [[0, 0, 0], [1, 0, 0]]


def test_a_write_is_seen_by_backward() -> None:
    x = opwright.ones(3, requires_grad=True)
    data = opwright.ones(3)
    y = (x * data).sum()
    jit(element)(data, opwright.zeros(3))
    with pytest.raises(RuntimeError) as found:
        y.backward()
    with pytest.raises(RuntimeError) as expected:
        _by_operator()
    assert str(found.value) == str(expected.value)


def _by_operator() -> None:
    x = opwright.ones(3, requires_grad=True)
    data = opwright.ones(3)
    y = (x * data).sum()
    data.mul_(2.0)
    y.backward()


def test_a_write_that_fails_is_counted() -> None:
    @jit
    def fails(a):
        a[0] = 1.0
        raise ValueError("no")

    a = opwright.zeros(2)
    with pytest.raises(ValueError, match="no"):
        fails(a)
    assert a._version == 1
    assert a.tolist() == [1, 0]


def test_leaves_are_refused() -> None:
    write = jit(element)
    leaf = opwright.ones(3, requires_grad=True)
    for target in (leaf, leaf[0:2], leaf.view(3, 1)[:, 0]):
        with pytest.raises(RuntimeError, match=r"`element` writes to a .*leaf that requires grad"):
            write(target, opwright.ones(3))
    assert leaf.tolist() == [1, 1, 1]
    with opwright.no_grad():
        write(leaf, opwright.zeros(3))
    assert leaf.tolist() == [0, 1, 1]
    assert leaf._version == 1


def test_histories_are_not_lost() -> None:
    write = jit(element)
    x = opwright.ones(3, requires_grad=True)
    with pytest.raises(
        RuntimeError, match="`element` writes to an argument, which is not recorded"
    ):
        write(x * 2.0, opwright.ones(3))
    out = opwright.zeros(3)
    with pytest.raises(RuntimeError, match="which is not recorded"):
        write(out, x)
    assert (out._version, out.tolist()) == (0, [0, 0, 0])
    write(out, x.detach())
    assert out.tolist() == [1, 0, 0]


def test_a_registered_gradient_is_none_of_what_is_written() -> None:
    @jit
    def into(out, x):
        out[0] = x[0]
        return x * 2.0

    into.derivative("x")(lambda grad, out, x, result: grad * 2.0)
    out = opwright.zeros(1)
    with pytest.raises(RuntimeError, match="which is not recorded"):
        into(out, opwright.ones(1, requires_grad=True))


def test_expanded_tensors_are_refused() -> None:
    write, read = jit(element), jit(lambda a, b: a[0] + b[1])
    wide = opwright.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="single memory location"):
        write(wide, opwright.zeros(3))
    assert read(wide, wide) == 2.0
    write(opwright.zeros(3), wide)
    with pytest.raises(RuntimeError, match="single memory location"):
        write(opwright.ones(2, 1).expand(2, 3)[1], opwright.zeros(3))
    write(opwright.ones(2, 1).expand(2, 3)[:, 1], opwright.zeros(3))
    write(opwright.ones(1).expand(1), opwright.zeros(3))


def test_inference_tensors_are_refused() -> None:
    with opwright.inference_mode():
        made = opwright.ones(3)
        jit(element)(made, made)
    with pytest.raises(RuntimeError, match="inference tensor"):
        jit(element)(made, opwright.ones(3))
    assert jit(reads)(made, opwright.ones(3)) == 7.0


def test_read_only_arrays_are_refused_by_name() -> None:
    a, b = np.ones(3), np.ones(3)
    a.flags.writeable = False
    for function in (element, slices, in_place, flat, filled):
        with pytest.raises(TypingError, match=r"argument 0 \(a\) is read-only"):
            jit(function)(a, b)
    assert jit(reads)(a, b) == 7.0

    @jit
    def outer(x, y):
        return through_calls(y, x)

    with pytest.raises(TypingError, match=r"argument \d \(\w\)( of \w+)? is read-only"):
        outer(b, a)

    @jit
    def of_view(first, second):
        part = second[1:]
        part[0] = first

    with pytest.raises(TypingError, match=r"argument 1 \(second\) is read-only"):
        of_view(1.0, a)


TABLE = np.arange(3.0)


def test_frozen_arrays_are_refused() -> None:
    @jit
    def write(x):
        TABLE[0] = x

    with pytest.raises(TypingError, match="an array that was frozen is read-only"):
        write(1.0)


LEARNT = opwright.ones(3, requires_grad=True)


def test_tensors_that_require_grad_are_not_frozen() -> None:
    @jit
    def first():
        return LEARNT[0]

    with pytest.raises(NotImplementedError, match="pass it as an argument, or detach"):
        first()


def test_meta_tensors_are_refused() -> None:
    meta = opwright.empty(3, device="meta")
    for call in (jit(element), vectorize(lambda x, y: x + y)):
        with pytest.raises(TypeError, match="meta tensor"):
            call(meta, opwright.ones(3))
        with pytest.raises(TypeError, match="meta tensor"):
            call(opwright.ones(3), meta)


def test_conjugated_tensors_are_what_they_show() -> None:
    z = opwright.tensor([1 + 2j, 3 - 1j])
    assert jit(lambda a: a[0])(z.conj()) == 1 - 2j
    write = jit(element)
    target = z.conj()
    write(target, opwright.tensor([0j, 5j]))
    assert target.tolist() == [5j, 3 + 1j]
    assert z.tolist() == [1 + 2j, 3 - 1j]


def test_out_is_counted() -> None:
    double = vectorize(lambda x: x * 2)
    out = opwright.zeros(3)
    double(opwright.ones(3), out=out)
    assert out._version == 1
    with pytest.raises(RuntimeError, match="leaf that requires grad"):
        double(opwright.ones(3), out=opwright.zeros(3, requires_grad=True))
    with pytest.raises(RuntimeError, match="which is not recorded"):
        double(opwright.ones(3, requires_grad=True), out=out)
    with pytest.raises(RuntimeError, match="single memory location"):
        double(opwright.ones(3), out=opwright.zeros(1).expand(3))
