"""Goes backward through operators whose gradients are said in each way there is."""

import subprocess
import sys

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
        (lambda x: my_ops.shrunken_twice(x)[1], [[3.0, 0.6]], [[1.0, 0.0]]),
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


def test_modes_are_those_of_the_module():
    x = tensor([1.5]).requires_grad_()
    with my_ops.no_grad():
        assert not my_ops.scale(x, 2.0).requires_grad
        with my_ops.enable_grad():
            assert my_ops.scale(x, 2.0).requires_grad
    assert not my_ops.no_grad()(my_ops.scale)(x, 2.0).requires_grad
    with my_ops.inference_mode():
        assert my_ops.scale(x, 2.0).is_inference()
    with my_ops.set_grad_enabled(False):
        assert not my_ops.is_grad_enabled()
    assert my_ops.is_grad_enabled()


def test_gradients_are_asked_for():
    x, y = (tensor([it], dtype=my_ops.float64).requires_grad_() for it in (3.0, 4.0))
    product = my_ops.times(x, y)
    (by_x,) = my_ops.autograd.grad(product, x, retain_graph=True)
    assert (by_x.tolist(), x.grad) == ([4.0], None)
    other = tensor([1.0]).requires_grad_()
    _, zeros = my_ops.autograd.grad(product, [x, other], materialize_grads=True, retain_graph=True)
    assert zeros.tolist() == [0.0]
    my_ops.autograd.backward([product], inputs=[y])
    assert (x.grad, y.grad.tolist()) == (None, [3.0])


def test_functions_bring_their_own_gradient():
    from my_ops.autograd.function import once_differentiable

    class Tripled(my_ops.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return my_ops.scale(x, 3.0)

        @staticmethod
        @once_differentiable
        def backward(ctx, grad):
            assert ctx.saved_tensors[0].tolist() == [2.0]
            return my_ops.scale(grad, 3.0)

    x = tensor([2.0], dtype=my_ops.float64).requires_grad_()
    y = Tripled.apply(x)
    assert y.grad_fn.name() == "TripledBackward"
    assert isinstance(y.grad_fn, my_ops.autograd.graph.Node)
    y.backward()
    assert x.grad.tolist() == [3.0]


def test_what_calls_save_has_another_form():
    x = tensor([2.0], dtype=my_ops.float64).requires_grad_()
    packed = []

    def pack(it):
        packed.append(it.tolist())
        return it

    with my_ops.autograd.graph.saved_tensors_hooks(pack, lambda it: it):
        my_ops.times(x, x)
    assert packed == [[2.0], [2.0]]
    with my_ops.autograd.graph.save_on_cpu():
        y = my_ops.times(x, x)
    y.backward()
    assert x.grad.tolist() == [4.0]


def test_what_is_made_of_operators_is_not_there():
    with pytest.raises(AttributeError, match="functional"):
        my_ops.autograd.functional  # noqa: B018
    assert not hasattr(my_ops.autograd, "gradcheck")


def test_anomalies_are_found():
    x = tensor([[1.5, 2.5]], dtype=my_ops.float64).requires_grad_()
    with pytest.warns(UserWarning, match="anomaly detection is on"):
        detection = my_ops.autograd.detect_anomaly()
    with detection:
        y = my_ops.row_norms(x)
        made = pytest.warns(UserWarning, match="its call was made here")
        with made, pytest.raises(NotImplementedError):
            y.backward()


def test_leaves_are_there_when_the_interpreter_ends():
    script = "import my_ops; x = my_ops.tensor([1.0]).requires_grad_()"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


def test_some_have_no_gradient_at_all():
    x = tensor([1.5]).requires_grad_()
    assert not my_ops.whole(x).requires_grad
