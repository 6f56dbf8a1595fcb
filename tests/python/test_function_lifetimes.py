"""How long calls of functions that bring their own gradient live, with their objects."""

import gc
import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from functions import Cube, Doubled, Passed, function, leaf
from opwright import autograd
from opwright.autograd import Function
from opwright.autograd.graph import GradientEdge, get_gradient_edge


def is_collected(make: Callable[[], Any]) -> bool:
    reference = weakref.ref(make())
    gc.collect()
    return reference() is None


def test_what_is_dropped_goes_at_once() -> None:
    gc.disable()
    try:
        y = Cube.apply(leaf(1.0))
        reference = weakref.ref(y.grad_fn)
        del y
        assert reference() is None
        y = Cube.apply(Cube.apply(leaf(1.0)))
        references = [weakref.ref(y.grad_fn), weakref.ref(y.grad_fn.next_functions[0][0])]
        node = y.grad_fn
        del y
        assert references[0]() is node
        del node
        assert [it() for it in references] == [None, None]
    finally:
        gc.enable()


def test_cycles_through_attributes_are_collected() -> None:
    def node_of(note: Callable[[Any, Any], None], backward: Any = None) -> Callable[[], Any]:
        def make() -> Any:
            y = Cube.apply(leaf(1.0))
            note(y.grad_fn, y)
            return y.grad_fn

        return make

    def outputs(ctx: Any, y: Any) -> None:
        ctx.y = y

    def nested(ctx: Any, y: Any) -> None:
        ctx.all = [{"y": (y,)}]

    def itself(ctx: Any, y: Any) -> None:
        ctx.me = [ctx, lambda: ctx]
        ctx.metadata["me"] = ctx

    for note in (outputs, nested, itself):
        assert is_collected(node_of(note)), note

    # What somebody else holds stays whole.
    kept: list[Any] = []
    node = node_of(lambda ctx, y: (outputs(ctx, y), kept.append(y)))()
    reference = weakref.ref(node)
    del node
    gc.collect()
    assert reference() is not None and reference().y is kept[0]
    kept[0].sum().backward()
    y = kept.pop()
    graph = y * 2
    del y
    gc.collect()
    assert reference().y.tolist() == [1.0]
    del graph
    gc.collect()
    assert reference() is None


def test_old_instances_in_cycles_are_collected() -> None:
    class Keeps(Function):
        def forward(self, a: Any) -> Any:  # type: ignore[override]
            self.out = a * 2
            return self.out

    def make() -> Any:
        keeps = Keeps()
        with warnings.catch_warnings(action="ignore"):
            keeps(leaf(1.0))
        assert keeps.out.grad_fn is keeps
        return keeps

    assert is_collected(make)


def test_deep_chains_need_no_deep_stack() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = Passed.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    node = y.grad_fn
    reference = weakref.ref(node.next_functions[0][0])
    del y
    assert reference() is not None
    del node
    assert reference() is None


def test_an_object_that_outlives_its_node_knows_the_edges() -> None:
    x = leaf(1.0)
    y = Cube.apply(x * 2)
    node = y.grad_fn
    number = node._sequence_nr()
    del y
    ((before, output),) = node.next_functions
    assert before.name() == "MulBackward0" and output == 0
    assert node._sequence_nr() == number > before._sequence_nr()
    assert node.saved_tensors[0].tolist() == [2.0]
    node.register_hook(print).remove()
    z = Doubled.apply(x)
    edge = get_gradient_edge(z)
    assert edge == GradientEdge(z.grad_fn, 0)
    (gradient,) = autograd.grad((z * 5).sum(), edge)
    assert gradient.tolist() == [5.0]


def test_saved_tensors_are_freed_and_attributes_are_not() -> None:
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        ctx.note = a
        return a * 1

    x = leaf(1.0)
    y = function(forward, lambda ctx, grad: grad * ctx.saved_tensors[0]).apply(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.grad_fn.saved_tensors  # noqa: B018
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()
    assert y.grad_fn.note is x
    with pytest.warns(DeprecationWarning, match="saved_tensors"), pytest.raises(RuntimeError):
        y.grad_fn.saved_variables  # noqa: B018


def test_a_pass_that_frees_nodes_lets_go_of_their_objects() -> None:
    """Leaves keep the gradients of passes that are recorded; these go while no lock is held."""
    x = leaf(1.0)
    references = []
    for _ in range(3):
        y = Cube.apply(x)
        references.append(weakref.ref(y.grad_fn))
        y.sum().backward(create_graph=True)
        del y
        x.grad = None
    opwright.ones(1)
    gc.collect()
    assert [it() for it in references] == [None] * 3


def test_counts_of_references_stay() -> None:
    x = leaf(1.0)
    note = object()

    def call() -> None:
        y = Cube.apply(x)
        y.grad_fn.note = note
        y.sum().backward()

    call()
    before = sys.getrefcount(note), sys.getrefcount(Cube), sys.getrefcount(Cube._backward_cls)
    for _ in range(100):
        call()
    gc.collect()
    after = sys.getrefcount(note), sys.getrefcount(Cube), sys.getrefcount(Cube._backward_cls)
    assert after == before


def results_of_later_calls(ctx: Any, y: Any) -> None:
    ctx.z = y * 2


def results_that_are_led_to_twice(ctx: Any, y: Any) -> None:
    ctx.all = [(y * y).sin(), {"y": y}]


def both_results(ctx: Any, y: Any) -> None:
    ctx.z = y * 2
    ctx.y = y


def hooks_of_the_node(ctx: Any, y: Any) -> None:
    ctx.register_hook(lambda *_: ctx.name() and None)
    ctx.register_prehook(lambda *_: ctx.name() and None)


def hooks_with_the_result(ctx: Any, y: Any) -> None:
    ctx.register_hook(lambda *_: y.sum() and None)


def hooks_of_the_result(ctx: Any, y: Any) -> None:
    y.register_hook(lambda grad: grad * ctx.saved_tensors[0])
    ctx.y = y


@pytest.mark.parametrize(
    "note",
    [
        results_of_later_calls,
        results_that_are_led_to_twice,
        both_results,
        hooks_of_the_node,
        hooks_with_the_result,
        hooks_of_the_result,
    ],
)
def test_cycles_through_the_graph_are_collected(note: Callable[[Any, Any], None]) -> None:
    def make() -> Any:
        y = Cube.apply(leaf(1.0))
        note(y.grad_fn, y)
        return y.grad_fn

    assert is_collected(make)
    # What somebody else holds stays whole.
    x = leaf(2.0)
    y = Cube.apply(x)
    note(y.grad_fn, y)
    z, reference = y * 1, weakref.ref(y.grad_fn)
    del y
    gc.collect()
    z.sum().backward()
    assert x.grad is not None and reference() is not None
    del z
    gc.collect()
    assert reference() is None
