"""Functions that bring their own gradient: what they may do.

What the recorded cases of such functions hold is checked with the other gradients.
"""

import threading
from typing import Any

import opwright
import pytest
from functions import Cube, function, leaf
from opwright import autograd
from opwright.autograd import Function, gradcheck, gradgradcheck
from opwright.autograd.function import (
    BackwardCFunction,
    FunctionCtx,
    InplaceFunction,
    NestedIOFunction,
    once_differentiable,
)
from opwright.autograd.graph import Node


def test_the_node_is_the_ctx() -> None:
    seen: list[Any] = []

    def forward(ctx: Any, a: Any) -> Any:
        seen.append(ctx)
        ctx.note = "kept"
        return a + 1

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(ctx)
        return grad

    made = function(forward, backward)
    x = leaf(1.0, 2.0)
    y = made.apply(x * 3)
    y.sum().backward()
    assert y.grad_fn is seen[0] is seen[1]
    assert y.grad_fn.note == "kept" and vars(y.grad_fn) == {"note": "kept"}
    assert isinstance(y.grad_fn, (Node, FunctionCtx)) and isinstance(y.grad_fn, BackwardCFunction)
    assert isinstance((x * 1).grad_fn, Node)
    assert type(y.grad_fn) is made._backward_cls and y.grad_fn.name() == "MadeBackward"
    assert made._backward_cls._forward_cls is made
    assert y.grad_fn.requires_grad and y.grad_fn.metadata == {}
    y.grad_fn.metadata["a"] = 1
    assert y.grad_fn.metadata == {"a": 1}
    assert "grad_fn=<MadeBackward>" in repr(y)


def test_gradients_are_right_twice() -> None:
    x = leaf(0.3, -1.2, 2.1)
    assert gradcheck(Cube.apply, (x,))
    assert gradgradcheck(Cube.apply, (x,))

    class Product(Function):
        @staticmethod
        def forward(a: Any, b: Any, k: Any) -> Any:
            return a * b * k, a.exp()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            a, b, ctx.k = inputs
            ctx.save_for_backward(a, b, output[1])

        @staticmethod
        def backward(ctx: Any, grad: Any, of_exp: Any) -> Any:
            a, b, exp = ctx.saved_tensors
            return grad * b * ctx.k + of_exp * exp, grad * a * ctx.k, None

    def call(a: Any, b: Any) -> Any:
        return Product.apply(a, b, 3.0)

    assert gradcheck(call, (x, leaf(1.0, 0.5, -2.0)))
    assert gradgradcheck(call, (x, leaf(1.0, 0.5, -2.0)))


def test_the_same_tensor_is_saved_and_found_again() -> None:
    def backward(ctx: Any, grad: Any) -> Any:
        a, none, out = ctx.saved_tensors
        found.append((a is x, none, out.tolist(), out.grad_fn is y.grad_fn))
        return grad

    def forward(ctx: Any, a: Any) -> Any:
        out = a + 1
        ctx.save_for_backward(a)
        ctx.save_for_backward(a, None, out)
        return out

    found: list[Any] = []
    x = leaf(1.0)
    y = function(forward, backward).apply(x)
    y.sum().backward()
    assert found == [(True, None, [2.0], True)]


def test_hooks_of_nodes() -> None:
    x, k = leaf(1.0), leaf(3.0)
    made = function(lambda ctx, a, n, b: a * b, lambda ctx, grad: (grad * k, None, grad * x))
    seen: list[Any] = []
    y = made.apply(x, "n", k)
    y.grad_fn.register_prehook(lambda grads: (grads[0] * 10,))
    handle = y.grad_fn.register_hook(
        lambda inputs, outputs: seen.append((len(inputs), len(outputs)))
    )
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 2, inputs[1]))
    hooks = {0: lambda inputs, outputs: (inputs[0], inputs[1] + 1)}
    y.grad_fn._register_hook_dict(hooks)
    y.backward(retain_graph=True)
    assert seen == [(2, 1)]
    assert x.grad.tolist() == [60.0] and k.grad.tolist() == [11.0]
    handle.remove()
    hooks.clear()
    y.backward()
    assert seen == [(2, 1)] and k.grad.tolist() == [21.0]


def test_once_differentiable() -> None:
    made = function(
        lambda ctx, a: a * 2, once_differentiable(lambda ctx, grad: grad.detach().exp())
    )
    x = leaf(1.0)
    (first,) = autograd.grad(made.apply(x).sum(), x, create_graph=True)
    assert not first.requires_grad
    out = leaf(1.0)
    (first,) = autograd.grad(made.apply(x), x, out, create_graph=True)
    assert first.requires_grad
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


def test_instances_are_called_the_old_way() -> None:
    class Scaled(Function):
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def forward(self, a: Any) -> Any:  # type: ignore[override]
            self.save_for_backward(a)
            return a * self.factor

        def backward(self, grad: Any) -> Any:  # type: ignore[override]
            assert len(self.saved_tensors) == 1
            return grad * self.factor

    x = leaf(1.0)
    scaled = Scaled(5.0)
    with pytest.warns(DeprecationWarning, match=r"Scaled\.apply"):
        y = scaled(x)
    assert y.grad_fn is scaled and scaled.name() == "ScaledBackward"
    y.sum().backward()
    assert x.grad.tolist() == [5.0]
    with pytest.warns(DeprecationWarning), pytest.raises(RuntimeError, match="another instance"):
        scaled(x)
    with pytest.warns(DeprecationWarning):
        z = Cube()(x)
    (gradient,) = z.grad_fn._do_backward((opwright.ones(1, dtype=opwright.float64),), False)
    assert gradient.tolist() == [3.0]
    with pytest.raises(RuntimeError, match="second time"):
        z.grad_fn.saved_tensors  # noqa: B018
    assert InplaceFunction(True).inplace


def test_nested_inputs_and_outputs() -> None:
    class Swapped(NestedIOFunction):
        def forward_extended(self, pair: Any, rest: Any) -> Any:
            a, b = pair
            return [b * 2, (a * 3, rest)]

        def backward_extended(self, first: Any, rest: Any) -> Any:
            return (rest[0] * 3, first * 2), None

    a, b = leaf(1.0), leaf(2.0)
    with pytest.warns(DeprecationWarning):
        first, (second, rest) = Swapped()((a, b), "rest")
    assert rest == "rest" and first.tolist() == [4.0]
    (first + second * 10).sum().backward()
    assert a.grad.tolist() == [30.0] and b.grad.tolist() == [2.0]


@pytest.mark.parametrize("depth", [60, 200, 10_000])
def test_passes_begin_within_passes(depth: int) -> None:
    class Deep(Function):
        left = depth

        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            if Deep.left:
                Deep.left -= 1
                with opwright.enable_grad():
                    Deep.apply(grad.detach().requires_grad_()).sum().backward()
            elif depth == 200:
                raise KeyError("at the bottom")
            return grad

    x = leaf(1.0)
    if depth == 200:
        with pytest.raises(KeyError, match="at the bottom"):
            Deep.apply(x).sum().backward()
        return
    Deep.apply(x).sum().backward()
    assert Deep.left == 0 and x.grad.tolist() == [1.0]


def test_threads_share_a_leaf_and_a_graph() -> None:
    x = leaf(1.0, 2.0)
    shared = Cube.apply(x)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                Cube.apply(x).sum().backward()
                shared.sum().backward(retain_graph=True)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert x.grad.tolist() == [3.0 * 800, 12.0 * 800]


def test_saved_tensors_can_be_kept_in_another_form() -> None:
    class Square(opwright.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return 2 * ctx.saved_tensors[0] * grad

    x = opwright.tensor([3.0], requires_grad=True)
    y = Square.apply(x)
    (raw,) = y.grad_fn._raw_saved_tensors
    raw.register_hooks(lambda it: it.tolist(), lambda it: opwright.tensor(it) + 1)
    y.backward()
    assert x.grad.tolist() == [8.0]
    with pytest.raises(RuntimeError, match="second time"):
        _ = y.grad_fn._raw_saved_tensors
