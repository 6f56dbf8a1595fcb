"""Gradients that others hold: nobody sees what another writes, and none is lost without a word."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from opwright import autograd
from opwright.autograd import Function


def leaf(count: int = 4) -> Any:
    return opwright.ones(count, requires_grad=True)


def own(forward: Callable[..., Any], backward: Callable[..., Any]) -> Callable[[Any], Any]:
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Own", (Function,), members).apply


def doubling(gradient: Any) -> Any:
    gradient.mul_(2)
    return None


PLACES: dict[str, Callable[[Any, Any], Any]] = {
    "a hook of a result": lambda _, z: z.register_hook(doubling),
    "a hook of a leaf": lambda x, _: x.register_hook(doubling),
    "a hook before a node": lambda _, z: z.grad_fn.register_prehook(lambda g: doubling(g[0])),
    "a hook after a node": lambda _, z: z.grad_fn.register_hook(lambda g, _: doubling(g[0])),
    "a hook that sees outputs": lambda _, z: z.grad_fn.register_hook(lambda _, g: doubling(g[0])),
    "a hook of several": lambda x, z: autograd.graph.register_multi_grad_hook(
        (x, z), lambda all: [doubling(it) for it in all if it is not None]
    ),
    "a hook of any": lambda x, z: autograd.graph.register_multi_grad_hook(
        (x, z), doubling, mode="any"
    ),
}


@pytest.mark.parametrize("make", [lambda x: x + 0, lambda x: x.view(2, 2), lambda x: x.sum()])
@pytest.mark.parametrize("name", PLACES)
def test_what_a_hook_writes_stays_with_it(name: str, make: Callable[[Any], Any]) -> None:
    x, other = leaf(), leaf()
    z = make(x + other)
    PLACES[name](x, z)
    given = opwright.ones_like(z)
    z.backward(given)
    assert given.eq(1).all()
    # The other leaf's gradient is that of the sum, or of what a hook before both has changed.
    changed = name in ("a hook of a result", "a hook before a node")
    assert set(other.grad.tolist()) in ([{2.0}] if changed else [{1.0}, {2.0}])
    if name == "a hook of a leaf":
        assert (x.grad.tolist(), other.grad.tolist()) == ([2.0] * 4, [1.0] * 4)


def test_a_backward_that_writes_to_its_gradient() -> None:
    writing = own(lambda ctx, x: x * 1, lambda ctx, g: g.mul_(2))
    x, given = leaf(), opwright.ones(4)
    a = x + 0
    (a + writing(a)).backward(given)
    assert given.tolist() == [1.0] * 4
    assert x.grad.tolist() == [3.0] * 4


def test_what_a_hook_keeps_is_its_own() -> None:
    kept: list[Any] = []
    x = leaf()
    y = x * 1
    y.register_hook(kept.append)
    y.register_hook(doubling)
    (y + 0).backward(opwright.ones(4))
    assert kept[0].tolist() == [1.0] * 4
    kept[0].zero_()
    assert x.grad.tolist() == [2.0] * 4


@pytest.mark.parametrize("recorded", [False, True])
@pytest.mark.parametrize("of", [lambda x: x + 0, lambda x: x.view(2, 2), lambda x: x.t()])
def test_results_are_not_what_was_given(of: Callable[[Any], Any], recorded: bool) -> None:
    x = leaf()
    y = of(x)
    given = opwright.ones_like(y).requires_grad_(recorded)
    (found,) = autograd.grad(y, x, given, create_graph=recorded)
    assert found is not given
    assert found.data_ptr() != given.data_ptr()
    if recorded:
        (second,) = autograd.grad(found.sum(), given)
        assert second.tolist() == opwright.ones_like(y).tolist()


def test_results_are_not_each_other() -> None:
    x, y = leaf(), leaf()
    first, second = autograd.grad(x + y, (x, y), opwright.ones(4))
    first.zero_()
    assert second.tolist() == [1.0] * 4


def test_tensors_in_lists_lose_their_gradients_with_a_warning() -> None:
    x = leaf(2)
    with pytest.warns(UserWarning, match="gradients of the tensors in the list are lost"):
        opwright.tensor([x[0], x[1]])
    z = opwright.zeros(2)
    with pytest.warns(UserWarning, match="gradients of the tensors in the list are lost"):
        z[:] = [x[0], x[1]]
    with opwright.no_grad():
        opwright.tensor([x[0], x[1]])
    opwright.tensor([x[0].detach(), x[1].detach()])


@pytest.mark.parametrize(
    "replace",
    [
        lambda x: setattr(x, "data", opwright.ones(3)),
        lambda x: setattr(x, "data", opwright.ones(1)),
        lambda x: setattr(x, "data", opwright.ones(4, 1)),
        lambda x: x.unsqueeze_(0),
    ],
)
def test_a_leaf_that_is_another_gets_no_gradient_of_what_it_was(
    replace: Callable[[Any], Any],
) -> None:
    x = leaf()
    y = (x * 2).sum()
    with opwright.no_grad():
        replace(x)
    with pytest.raises(RuntimeError, match="given other data after it was used"):
        y.backward()
    assert x.grad is None
    (x * 3).sum().backward()
    assert x.grad.shape == x.shape


def test_a_leaf_of_another_shape_than_its_gradient() -> None:
    x = leaf()
    x.sum().backward()
    x.data = opwright.ones(1)
    with pytest.raises(RuntimeError, match="set its grad to None"):
        x.sum().backward()
    x.grad = None
    x.sum().backward()
    assert x.grad.tolist() == [1.0]


@pytest.mark.parametrize(
    "write",
    [
        lambda z: z.mul_(2),
        lambda z: z.fill_(2),
        lambda z: z.copy_(opwright.zeros(4)),
        lambda z: z.__setitem__(0, 5.0),
        lambda z: z.view(2, 2).mul_(2),
        lambda z: z[1:].zero_(),
        lambda z: own(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], lambda ctx, g: g)(z),
    ],
)
def test_a_view_of_a_function_whose_base_is_written_to(write: Callable[[Any], Any]) -> None:
    viewing = own(lambda ctx, x: x.view(2, 2), lambda ctx, g: g.reshape(-1) * 10)
    x = leaf()
    z = x.clone()
    y = viewing(z)
    write(z)
    with pytest.raises(RuntimeError, match="the gradient that the function brings would be lost"):
        y.sum().backward()
    assert x.grad is None


def test_a_view_of_what_a_function_made_is_its_own() -> None:
    viewing = own(lambda ctx, x: (x * 2).view(2, 2), lambda ctx, g: g.reshape(-1) * 10)
    x = leaf()
    y = viewing(x)
    y.mul_(3)
    y.sum().backward()
    assert x.grad.tolist() == [30.0] * 4


def test_detached_in_place_after_it_was_saved() -> None:
    x = leaf()
    for a in (x.clone(), leaf()):
        b = a.sin()
        a.detach_()
        with pytest.raises(RuntimeError, match="was detached in place"):
            b.sum().backward()
    # A result is as good as it was.
    a = x.exp()
    b = a.sum()
    a.detach_()
    b.backward()
    assert x.grad.tolist() == x.exp().tolist()
    # What is only frozen was meant.
    y = leaf()
    b = y.sin().sum()
    y.requires_grad_(False)
    b.backward()
    assert y.grad is None


def test_hooks_of_an_output_to_which_no_gradient_comes() -> None:
    seen: list[Any] = []
    x = opwright.ones(2, 3, requires_grad=True)
    first, second = x.unbind()
    second.register_hook(seen.append)
    first.sum().backward(retain_graph=True)
    assert seen == [None]
    second.register_hook(lambda _: opwright.ones(3) * 5)
    first.sum().backward(retain_graph=True)
    assert x.grad.tolist() == [[2.0] * 3, [5.0] * 3]
    second.register_hook(lambda _: opwright.ones(7))
    with pytest.raises(RuntimeError, match=r"a hook .*shape \[3\].*shape \[7\]|a hook gives"):
        first.sum().backward()


def test_hooks_of_nodes_that_are_inputs() -> None:
    seen: list[str] = []
    x = leaf()
    y = x * 2
    y.grad_fn.register_prehook(lambda _: seen.append("before"))
    y.grad_fn.register_hook(lambda *_: seen.append("after"))
    y.grad_fn.next_functions[0][0].register_prehook(lambda _: seen.append("leaf"))
    y.sum().backward(inputs=[y], retain_graph=True)
    assert (seen, y.grad.tolist(), x.grad) == (["before", "after"], [1.0] * 4, None)
    seen.clear()
    y.sum().backward(inputs=[x])
    assert seen == ["before", "after", "leaf"]


def begun(place: str, go_on: Callable[[], Any]) -> Any:
    """A result whose pass backward calls `go_on` from a place."""
    x = leaf()
    if place == "a function":
        return own(lambda _, x: x * 2, lambda _, g: (go_on(), g)[1])(x).sum()
    if place == "a saved tensor":
        pair = autograd.graph.saved_tensors_hooks(lambda it: it, lambda it: (go_on(), it)[1])
        with pair:
            return (x * x).sum()
    y = x * 2
    {
        "a hook": lambda: y.register_hook(lambda _: go_on()),
        "a hook of a leaf": lambda: x.register_hook(lambda _: go_on()),
        "a hook after the sum": lambda: x.register_post_accumulate_grad_hook(lambda _: go_on()),
        "a hook of a node": lambda: y.grad_fn.register_hook(lambda *_: go_on()),
        "a hook before a node": lambda: y.grad_fn.register_prehook(lambda _: go_on()),
    }[place]()
    return y.sum()


NESTING = [
    "a hook",
    "a hook of a leaf",
    "a hook after the sum",
    "a hook of a node",
    "a hook before a node",
    "a function",
    "a saved tensor",
]


def nested(place: str, depth: int | None) -> tuple[int, int]:
    """How deep passes within passes came, and how many threads there were."""
    deepest, threads = 0, 0

    def go_on(level: int = 0) -> None:
        nonlocal deepest, threads
        deepest = max(deepest, level)
        if os.path.isdir("/proc/self/task") and level % 50 == 0:
            threads = max(threads, len(os.listdir("/proc/self/task")))
        if depth is None or level < depth:
            with opwright.enable_grad():
                begun(place, lambda: go_on(level + 1)).backward()

    if depth is None:
        with pytest.raises(RecursionError):
            go_on()
    else:
        go_on()
    return deepest, threads


@pytest.mark.parametrize("place", NESTING)
def test_passes_that_begin_passes_for_ever(place: str) -> None:
    """They end as deep as the limit of Python says, on a bounded number of threads."""
    before = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
    usual = sys.getrecursionlimit()
    # It takes seconds.
    for limit in (usual, usual // 2) if place == "a function" else (usual // 2,):
        sys.setrecursionlimit(limit)
        try:
            deepest, threads = nested(place, None)
        finally:
            sys.setrecursionlimit(usual)
        assert limit // 4 < deepest <= 12 * limit
        assert threads - before <= 12 * limit // 80 + 2


def test_passes_within_passes_that_end() -> None:
    assert nested("a function", 10_000)[0] == 10_000
