"""What functions that bring their own gradient are told when they go wrong."""

import traceback
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from functions import Cube, Doubled, function, leaf
from opwright.autograd import Function


@pytest.mark.parametrize(
    ("mark", "kind", "words"),
    [
        (lambda ctx: ctx.save_for_backward(5), TypeError, "argument 0 is int"),
        (lambda ctx: ctx.save_for_backward(None, "text"), TypeError, "argument 1 is str"),
        (lambda ctx: ctx.mark_dirty(3), TypeError, "mark_dirty"),
        (lambda ctx: ctx.mark_dirty(None), TypeError, "mark_dirty"),
        (lambda ctx: ctx.mark_non_differentiable(3), TypeError, "mark_non_differentiable"),
        (lambda ctx: ctx.mark_dirty(opwright.ones(1)), RuntimeError, "not among its inputs"),
        (lambda ctx: ctx.set_materialize_grads("no"), TypeError, "materialize_grads"),
        (lambda ctx: setattr(ctx, "to_save", [1]), TypeError, "keeps a tuple, not list"),
        (lambda ctx: setattr(ctx, "saved_tensors", ()), AttributeError, "not writable"),
    ],
)
def test_wrong_marks(mark: Callable[[Any], None], kind: type[Exception], words: str) -> None:
    def forward(ctx: Any, a: Any) -> Any:
        mark(ctx)
        return a * 1

    made = function(forward, lambda ctx, grad: grad)
    for input in (leaf(1.0), leaf(1.0) * 1, opwright.ones(1)):
        with pytest.raises(kind, match=words):
            made.apply(input)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ((1.0, None), TypeError, "MadeBackward returned float for argument 1"),
        (opwright.ones(3), RuntimeError, r"expected 2.*got 1"),
        ((opwright.ones(3), None, opwright.ones(3)), RuntimeError, r"expected 2.*got 3"),
        ((opwright.ones(3), opwright.ones(3)), RuntimeError, "argument 2, which was no tensor"),
        ((opwright.ones(4), None), RuntimeError, r"MadeBackward gives a gradient .*\[4\]"),
        ([opwright.ones(3), None], RuntimeError, r"expected 2.*got 1"),
    ],
)
def test_wrong_gradients(answer: Any, kind: type[Exception], words: str) -> None:
    made = function(lambda ctx, a, k: a * k, lambda ctx, grad: answer)
    with pytest.raises(kind, match=words):
        made.apply(leaf(1.0, 2.0, 3.0), 2).sum().backward()


def test_more_gradients_than_arguments_are_fine_if_they_are_none() -> None:
    made = function(lambda ctx, a: a * 2, lambda ctx, grad: (grad * 2, None, None))
    x = leaf(1.0)
    made.apply(x).sum().backward()
    assert x.grad.tolist() == [2.0]


def test_classes_without_their_methods() -> None:
    x = leaf(1.0)

    class Both(Doubled):
        @staticmethod
        def vjp(ctx: Any, grad: Any) -> Any:
            return grad

    y = Both.apply(x)
    with pytest.raises(RuntimeError, match="both `backward` and `vjp`"):
        y.sum().backward()

    class Neither(Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

    z = Neither.apply(x)
    with pytest.raises(NotImplementedError, match="backward"):
        z.sum().backward()
    with pytest.raises(NotImplementedError, match="forward"):
        Function.apply(x)
    with pytest.raises(TypeError, match="derived from Function"):
        opwright._C._FunctionBase.apply(x)
    with pytest.raises(TypeError):
        Doubled.apply(a=x)
    with pytest.raises(NotImplementedError, match="vmap"):
        Doubled.vmap(None, None, x)
    with pytest.raises(NotImplementedError):
        Doubled.jvp(None, x)


def test_what_a_function_raises_comes_out_as_it_is() -> None:
    class OwnError(Exception):
        pass

    error = OwnError("mine")

    def backward(ctx: Any, grad: Any) -> Any:
        raise error

    x = leaf(1.0)
    y = function(lambda ctx, a: a * 2, backward).apply(x)
    for _ in range(2):
        with pytest.raises(OwnError) as caught:
            (y * y).sum().backward(retain_graph=True)
        assert caught.value is error
        frames = [it.name for it in traceback.extract_tb(caught.value.__traceback__)]
        assert frames[-2:] == ["apply", "backward"]
    # What did not run is there still.
    z = Cube.apply(x)
    w = function(lambda ctx, a: a * 2, backward).apply(z)
    with pytest.raises(OwnError):
        w.sum().backward()
    z.sum().backward()
    assert x.grad.tolist() == [3.0]

    def forward(ctx: Any, a: Any) -> Any:
        raise error

    with pytest.raises(OwnError):
        function(forward, backward).apply(x)
    assert opwright.is_grad_enabled()


def test_a_call_that_is_not_recorded_says_so() -> None:
    kept: list[Any] = []

    def forward(ctx: Any, a: Any) -> Any:
        kept.append(ctx)
        ctx.save_for_backward(a)
        assert ctx.saved_tensors == () and not opwright.is_grad_enabled()
        return a * 2

    made = function(forward, lambda ctx, grad: grad)
    assert made.apply(opwright.ones(2)).grad_fn is None
    with opwright.no_grad():
        assert not made.apply(leaf(1.0)).requires_grad
    for ctx in kept:
        assert not ctx.requires_grad
        with pytest.raises(RuntimeError, match="not recorded"):
            ctx.next_functions  # noqa: B018
        with pytest.raises(RuntimeError, match="not recorded"):
            ctx.register_hook(print)
    assert [it.needs_input_grad for it in kept] == [(False,), (True,)]
