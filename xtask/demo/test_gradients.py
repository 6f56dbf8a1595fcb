"""Goes backward through operators whose gradients are said in each way there is."""

import my_ops
import pytest
from my_ops import tensor


def gradients(function, *inputs, **kwargs):
    leaves = [tensor(it, dtype=my_ops.float64).requires_grad_() for it in inputs]
    result = function(*leaves, **kwargs)
    result.backward(tensor([1.0] * len(inputs[0]), dtype=my_ops.float64))
    return [[float(it) for it in leaf.grad.tolist()] for leaf in leaves]


@pytest.mark.parametrize(
    ("function", "inputs", "expected"),
    [
        # By a formula, by a function, by a helper.
        (lambda x: my_ops.scale(x, 3.0), [[1.0, 2.0]], [[3.0, 3.0]]),
        (my_ops.times, [[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]),
        (my_ops.grow, [[0.0]], [[1.0]]),
        # By the kernel itself.
        (my_ops.norm2, [[3.0], [4.0]], [[0.6], [0.8]]),
        (my_ops.shrink, [[3.0, 0.1]], [[1.0, 0.0]]),
        (my_ops.multiply_add, [[3.0], [2.0], [7.0]], [[2.0], [3.0], [1.0]]),
        # By the operators that it is made of.
        (my_ops.shrunken_norm, [[3.0], [4.0]], [[0.6], [0.8]]),
    ],
)
def test_operators_have_gradients(function, inputs, expected):
    assert gradients(function, *inputs) == expected


def test_what_is_written_in_place_has_a_gradient():
    x = tensor([3.0, 0.1], dtype=my_ops.float64).requires_grad_()
    y = my_ops.scale(x, 2.0)
    y.shrink_(0.5)
    y.backward(tensor([1.0, 1.0], dtype=my_ops.float64))
    assert x.grad.tolist() == [2.0, 0.0]


@pytest.mark.parametrize("name", ["behind_point", "row_norms", "between"])
def test_gradients_that_nobody_has_written_are_named(name):
    x = tensor([[1.5, 2.5]], dtype=my_ops.float64).requires_grad_()
    inputs = [x, x] if name == "between" else [x]
    y = getattr(my_ops, name)(*inputs)
    ones = [1.0] if name == "row_norms" else [[1.0, 1.0]]
    with pytest.raises(NotImplementedError, match=name):
        y.backward(tensor(ones, dtype=my_ops.float64))


def test_some_have_no_gradient_at_all():
    x = tensor([1.5]).requires_grad_()
    assert not my_ops.whole(x).requires_grad
