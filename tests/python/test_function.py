"""Functions that bring their own gradient: what they may do, and what they are told not to.

What the recorded cases of such functions hold is checked with the other gradients.
"""

import gc
import sys
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from opwright import autograd
from opwright.autograd import Function, gradcheck, gradgradcheck
from opwright.autograd.function import (
    BackwardCFunction,
    FunctionCtx,
    InplaceFunction,
    NestedIOFunction,
    once_differentiable,
)
from opwright.autograd.graph import GradientEdge, Node, get_gradient_edge


def leaf(*values: float) -> opwright.Tensor:
    return opwright.tensor(values, dtype=opwright.float64, requires_grad=True)


class _Passed(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.before = a
        return a.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad


class _Doubled(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        return a * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


class _Cube(Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * a * a

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (a,) = ctx.saved_tensors
        return grad * 3 * a * a


def function(forward: Callable[..., Any], backward: Callable[..., Any]) -> type[Function]:
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


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


def test_an_object_that_outlives_its_node_knows_the_edges() -> None:
    x = leaf(1.0)
    y = _Cube.apply(x * 2)
    node = y.grad_fn
    number = node._sequence_nr()
    del y
    ((before, output),) = node.next_functions
    assert before.name() == "MulBackward0" and output == 0
    assert node._sequence_nr() == number > before._sequence_nr()
    assert node.saved_tensors[0].tolist() == [2.0]
    node.register_hook(print).remove()
    z = _Doubled.apply(x)
    edge = get_gradient_edge(z)
    assert edge == GradientEdge(z.grad_fn, 0)
    (gradient,) = autograd.grad((z * 5).sum(), edge)
    assert gradient.tolist() == [5.0]


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


def test_gradients_are_right_twice() -> None:
    x = leaf(0.3, -1.2, 2.1)
    assert gradcheck(_Cube.apply, (x,))
    assert gradgradcheck(_Cube.apply, (x,))

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

    class Both(_Doubled):
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
        _Doubled.apply(a=x)
    with pytest.raises(NotImplementedError, match="vmap"):
        _Doubled.vmap(None, None, x)
    with pytest.raises(NotImplementedError):
        _Doubled.jvp(None, x)


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
    assert y.grad_fn.name() == "MadeBackward" and y.grad_fn.out.grad_fn.name() == "SumBackward1"
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
    z = _Cube.apply(x)
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
        z = _Cube()(x)
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


def is_collected(make: Callable[[], Any]) -> bool:
    reference = weakref.ref(make())
    gc.collect()
    return reference() is None


def test_what_is_dropped_goes_at_once() -> None:
    gc.disable()
    try:
        y = _Cube.apply(leaf(1.0))
        reference = weakref.ref(y.grad_fn)
        del y
        assert reference() is None
        y = _Cube.apply(_Cube.apply(leaf(1.0)))
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
            y = _Cube.apply(leaf(1.0))
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
        y = _Passed.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [1.0]
    node = y.grad_fn
    reference = weakref.ref(node.next_functions[0][0])
    del y
    assert reference() is not None
    del node
    assert reference() is None


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
    shared = _Cube.apply(x)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                _Cube.apply(x).sum().backward()
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


def test_a_pass_that_frees_nodes_lets_go_of_their_objects() -> None:
    """Leaves keep the gradients of passes that are recorded; these go while no lock is held."""
    x = leaf(1.0)
    references = []
    for _ in range(3):
        y = _Cube.apply(x)
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
        y = _Cube.apply(x)
        y.grad_fn.note = note
        y.sum().backward()

    call()
    before = sys.getrefcount(note), sys.getrefcount(_Cube), sys.getrefcount(_Cube._backward_cls)
    for _ in range(100):
        call()
    gc.collect()
    after = sys.getrefcount(note), sys.getrefcount(_Cube), sys.getrefcount(_Cube._backward_cls)
    assert after == before


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
