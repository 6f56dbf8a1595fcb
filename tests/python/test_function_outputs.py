"""Outputs of functions that bring their own gradient: dirty ones, views, constants."""

from typing import Any

import opwright
import pytest
from functions import function, leaf


def test_dirty_tensors_are_returned_as_they_are() -> None:
    def forward(ctx: Any, a: Any) -> Any:
        a.mul_(2)
        ctx.mark_dirty(a)
        return a

    made = function(forward, lambda ctx, grad: grad * 2)
    x = leaf(1.0, 2.0)
    y = x * 1
    version = y._version
    assert made.apply(y) is y
    assert y.grad_fn.name() == "MadeBackward" and y._version == version + 2
    (y * y).sum().backward()
    assert x.grad.tolist() == [8.0, 16.0]
    with pytest.raises(RuntimeError, match="leaf"):
        made.apply(leaf(1.0))
    with pytest.raises(RuntimeError, match="view of a leaf"):
        made.apply(leaf(1.0, 2.0)[:1])
    plain = opwright.ones(2)
    assert made.apply(plain) is plain and plain.tolist() == [2.0, 2.0]


def test_dirty_views_change_the_history_of_their_base() -> None:
    def forward(ctx: Any, k: Any, a: Any) -> Any:
        ctx.save_for_backward(k)
        a.mul_(k)
        ctx.mark_dirty(a)
        return a

    def backward(ctx: Any, grad: Any) -> Any:
        return None, grad * ctx.saved_tensors[0]

    made = function(forward, backward)
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    view = base[1:]
    # The view is not the first input.
    assert made.apply(opwright.tensor(5.0, dtype=opwright.float64), view) is view
    assert base.grad_fn.name() == "CopySlices"
    base.sum().backward()
    assert x.grad.tolist() == [1.0, 5.0, 5.0]

    def two(ctx: Any, a: Any) -> Any:
        ctx.mark_dirty(a)
        return a, a * 2

    with pytest.raises(RuntimeError, match="return that alone"):
        function(two, lambda ctx, *grads: grads[0]).apply((x * 1)[1:])


def test_views_and_inputs_that_are_returned() -> None:
    x = leaf(1.0, 2.0)
    same = function(lambda ctx, a: a, lambda ctx, grad: grad * 7)
    y = same.apply(x)
    assert y is not x and y.data_ptr() == x.data_ptr() and y.grad_fn.name() == "MadeBackward"
    y.sum().backward()
    assert x.grad.tolist() == [7.0, 7.0]
    with opwright.no_grad():
        z = same.apply(x)
    assert z is not x and not z.requires_grad and z.data_ptr() == x.data_ptr()
    view = function(lambda ctx, a: a.view(1, 2), lambda ctx, grad: grad.view(2)).apply(x * 1)
    assert view._base is not None
    with pytest.raises(RuntimeError, match="view"):
        view.add_(1)
    with opwright.no_grad():
        view.add_(1)


def test_what_forward_records_for_itself_stays_apart() -> None:
    def forward(ctx: Any, a: Any) -> Any:
        with opwright.enable_grad():
            ctx.inner = a.detach().requires_grad_()
            ctx.out = (ctx.inner * ctx.inner).sum()
        return ctx.out

    def backward(ctx: Any, grad: Any) -> Any:
        ctx.out.backward()
        return ctx.inner.grad * grad

    x = leaf(1.0, 2.0)
    y = function(forward, backward).apply(x)
    assert y.grad_fn.name() == "MadeBackward" and y.grad_fn.out.grad_fn.name() == "SumBackward0"
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_outputs_without_gradients() -> None:
    def forward(ctx: Any, a: Any) -> Any:
        constant = a * 3
        ctx.mark_non_differentiable(constant, a)
        return a * 2, constant, a > 1, a, "text"

    seen: list[Any] = []

    def backward(ctx: Any, *grads: Any) -> Any:
        seen.append([it if it is None else (it.dtype, it.tolist()) for it in grads])
        return grads[0]

    x = leaf(1.0, 2.0)
    y, constant, mask, same, text = function(forward, backward).apply(x)
    assert [it.requires_grad for it in (y, constant, mask, same, x)] == [
        True,
        False,
        False,
        False,
        True,
    ]
    assert text == "text" and same is not x
    y.sum().backward()
    zeros, none = (opwright.float64, [0.0, 0.0]), (opwright.bool, [False, False])
    assert seen == [[(opwright.float64, [1.0, 1.0]), zeros, none, zeros, None]]


def test_absent_gradients_may_stay_absent() -> None:
    def forward(ctx: Any, a: Any) -> Any:
        ctx.set_materialize_grads(False)
        return a * 2, a * 3

    made = function(forward, lambda ctx, a, b: b * 3 if a is None else a)
    x = leaf(1.0)
    made.apply(x)[1].sum().backward()
    assert x.grad.tolist() == [3.0]
