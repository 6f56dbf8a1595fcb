"""Calls variants that follow from operators that write, and what returns many."""

import my_ops
import pytest
from my_ops import tensor


def test_a_list_is_copied():
    xs = [tensor([1.0, 2.0]), tensor([3.0])]
    doubled = my_ops.ops.double_all.default(xs)
    assert [it.tolist() for it in doubled] == [[2.0, 4.0], [6.0]]
    assert [it.tolist() for it in xs] == [[1.0, 2.0], [3.0]]
    out = [tensor([0.0, 0.0]), tensor([0.0])]
    my_ops.ops.double_all.out(xs, out=out)
    assert [it.tolist() for it in out] == [[2.0, 4.0], [6.0]]


def test_all_that_is_written_is_returned():
    total, count = tensor([0.0]), tensor([1.0])
    before, after, total_out, count_out = my_ops.ops.take_in_functional.default(
        tensor([5.0]), total, count
    )
    assert (before.tolist(), after.tolist()) == ([0.0], [5.0])
    assert (total_out.tolist(), count_out.tolist()) == ([5.0], [7.0])
    assert (total.tolist(), count.tolist()) == ([0.0], [1.0])
    assert my_ops.ops.take_in_functional.default(tensor([5.0]), total, None)[3] is None


def test_nine_results():
    parts = my_ops.nine_parts(tensor([4.0]))
    assert [it.tolist() for it in parts[:8]] == [[4.0]] * 8 and parts[8] == 9


def test_what_follows_loses_no_gradient_unsaid():
    x = tensor([1.0], requires_grad=True)
    (doubled,) = my_ops.ops.double_all.default([x])
    assert doubled.requires_grad
    with pytest.raises(NotImplementedError):
        doubled.backward()
