"""Nodes as objects, hooks of several tensors, cycles through hooks, and passes within passes."""

import gc
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref

import opwright
import pytest

autograd = opwright.autograd
graph = autograd.graph


def leaf(*values: float) -> opwright.Tensor:
    return opwright.tensor(values, dtype=opwright.float64, requires_grad=True)


def test_a_node_keeps_what_people_note() -> None:
    y = leaf(1.0, 2.0) * 2
    y.grad_fn.metadata["note"] = 1
    assert y.grad_fn.metadata == {"note": 1}
    assert y.grad_fn.metadata is y.grad_fn.metadata
    (like,) = y.grad_fn._input_metadata
    assert (like.shape, like.dtype, like.device.type) == ((2,), opwright.float64, "cpu")


def test_the_object_of_a_node_stays_while_it_is_held() -> None:
    y = opwright.ones(2, requires_grad=True) * 2
    node = y.grad_fn
    assert y.grad_fn is node
    assert type(node) is type((y * 2).grad_fn)
    seen = []
    kept = weakref.ref(node, lambda _: seen.append(y.grad_fn.name()))
    del node
    # An object that is about to go is not handed out any more.
    assert seen == ["MulBackward0"]
    assert kept() is None
    assert y.grad_fn is y.grad_fn
    with pytest.raises(TypeError, match="made by calls"):
        type(y.grad_fn)()


def test_tensors_are_freed_while_the_interpreter_ends() -> None:
    code = """
import builtins, opwright

def look(gradient):
    pass

look.x = opwright.ones(2, requires_grad=True)
look.y = look.x * 2
look.y.register_hook(look)
builtins.kept = look
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_hooks_of_a_gradient_are_listed() -> None:
    x = leaf(1.0)
    assert x._backward_hooks is None

    def hook(gradient: opwright.Tensor) -> None: ...

    handle = x.register_hook(hook)
    assert x._backward_hooks == {handle.id: hook}
    handle.remove()
    assert x._backward_hooks == {}


def test_all_gradients_of_several_tensors() -> None:
    x, y, k = leaf(1.0), leaf(2.0), leaf(3.0)
    z = x * y
    seen: list[list[object]] = []
    handle = graph.register_multi_grad_hook(
        (x, z, k, x), lambda gs: seen.append([g if g is None else g.item() for g in gs])
    )
    (z * k).sum().backward(retain_graph=True)
    assert seen == [[6.0, 3.0, 2.0, 6.0]]
    z.sum().backward(retain_graph=True)
    assert seen[1:] == [[2.0, 1.0, None, 2.0]]
    autograd.grad(z.sum(), z, retain_graph=True)
    assert seen[2:] == [[None, 1.0, None, None]]
    handle.remove()
    z.sum().backward()
    assert len(seen) == 3


def test_the_first_gradient_of_several_tensors() -> None:
    x, y = leaf(1.0), leaf(2.0)
    seen: list[float] = []
    with graph.register_multi_grad_hook((x, y), lambda g: seen.append(g.item()), mode="any"):
        for _ in range(3):
            (x * y).sum().backward()
    (x * y).sum().backward()
    assert len(seen) == 3
    with pytest.raises(ValueError, match="mode"):
        graph.register_multi_grad_hook((x, y), print, mode="some")
    with pytest.raises(RuntimeError, match="require"):
        graph.register_multi_grad_hook((opwright.ones(1),), print)


def test_threads_with_several_tensors() -> None:
    x, y = leaf(1.0), leaf(2.0)
    seen: list[int] = []
    graph.register_multi_grad_hook((x, y), lambda gs: seen.append(len(gs)))

    def work() -> None:
        for _ in range(50):
            (x * y).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    assert seen == [2] * 200


def is_collected(make: object) -> bool:
    tensor = make()
    reference = weakref.ref(tensor)
    del tensor
    gc.collect()
    return reference() is None


def test_cycles_through_hooks_are_collected() -> None:
    def of_leaf() -> opwright.Tensor:
        x = leaf(1.0)
        x.register_hook(lambda g: x)
        x.register_post_accumulate_grad_hook(lambda _: x)
        return x

    def of_result() -> opwright.Tensor:
        y = leaf(1.0) * 2
        y.register_hook(lambda g: y)
        return y

    def of_used_leaf() -> opwright.Tensor:
        x = leaf(1.0)
        x.register_hook(lambda g: None if x is None else g)
        (x * x).sum().backward()
        return x

    class Named(opwright.Tensor):
        pass

    def of_subclass() -> opwright.Tensor:
        x = opwright.ones(1).as_subclass(Named).requires_grad_()
        x.register_hook(lambda g: x)
        return x

    for make in (of_leaf, of_result, of_used_leaf, of_subclass):
        assert is_collected(make), make
        assert is_collected(make), make


def test_what_is_held_is_not_collected() -> None:
    seen = []
    x = leaf(1.0)
    x.register_hook(lambda g: seen.append(x))
    y = (x * 2).sum()
    gc.collect()
    y.backward()
    assert seen == [x]

    def hook(g: opwright.Tensor) -> None:
        seen.append(held())

    made = leaf(1.0)
    held = weakref.ref(made)
    made.register_hook(hook)
    z = (made * 2).sum()
    del made
    gc.collect()
    z.backward()
    assert len(seen) == 2
    assert not gc.is_tracked(opwright.ones(1))


def test_nodes_in_cycles_are_collected() -> None:
    node = (leaf(1.0) * 2).grad_fn
    reference = weakref.ref(node)
    node.register_hook(lambda *_, node=node: None)
    del node
    gc.collect()
    assert reference() is None


def test_data_counts_writes_apart() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    first, second = y.data, y.data
    first.add_(1)
    first.add_(1)
    assert (y._version, first._version, second._version) == (0, 2, 0)
    assert first.data_ptr() == y.data_ptr()
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx([2 + 2.718281828, 2 + 7.389056099])
    x.data = opwright.tensor([5.0, 6.0, 7.0], dtype=opwright.float64)
    assert x.requires_grad and x.is_leaf and x.shape == (3,) and x._version == 0
    for _ in range(100_000):
        x.data = x.data
    assert x.tolist() == [5.0, 6.0, 7.0]


def test_versions_can_be_preserved_and_counted() -> None:
    x = opwright.ones(2)
    with autograd._unsafe_preserve_version_counter((x,)):
        x.add_(1)
    assert x._version == 0
    graph.increment_version([x, x])
    assert x._version == 2


def test_rows_of_an_iteration_are_one_call() -> None:
    x = leaf(1.0, 2.0, 3.0)
    rows = list(x * 1)
    assert [it.grad_fn.name() for it in rows] == ["UnbindBackward0"] * 3
    assert [it.output_nr for it in rows] == [0, 1, 2]
    with pytest.raises(RuntimeError, match="several views"):
        rows[0].add_(1)
    assert [it.item() for it in reversed(x)] == [3.0, 2.0, 1.0]
    sum(row * number for number, row in enumerate(x)).backward()
    assert x.grad.tolist() == [0.0, 1.0, 2.0]


def test_the_gradient_of_a_result_is_warned_of() -> None:
    x = leaf(1.0)
    y = x * 2
    with pytest.warns(UserWarning, match="retain_grad"):
        assert y.grad is None
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None and x.grad is None and opwright.ones(1).grad is None


@opwright.enable_grad()
def nested(levels: int) -> float:
    x = leaf(1.0)

    def hook(gradient: opwright.Tensor) -> opwright.Tensor:
        return gradient + nested(levels - 1) if levels else gradient

    x.register_hook(hook)
    (x * x).sum().backward()
    return x.grad.item()


@pytest.mark.parametrize("levels", [60, 1500])
def test_passes_begin_within_hooks(levels: int) -> None:
    assert nested(levels) == 2.0 * (levels + 1)


def test_an_exception_of_a_deep_pass_is_the_same() -> None:
    raised = KeyError("deep")

    @opwright.enable_grad()
    def deep(levels: int) -> None:
        x = leaf(1.0)

        def hook(_: opwright.Tensor) -> None:
            if not levels:
                raise raised
            deep(levels - 1)

        x.register_hook(hook)
        (x * x).sum().backward()

    with pytest.raises(KeyError) as info:
        deep(150)
    assert info.value is raised


def test_a_deep_pass_is_interrupted() -> None:
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals come to the main thread")

    @opwright.enable_grad()
    def wait(levels: int) -> None:
        x = leaf(1.0)

        @opwright.enable_grad()
        def hook(_: opwright.Tensor) -> None:
            if levels:
                wait(levels - 1)
                return
            threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,)).start()
            end = time.monotonic() + 2
            while time.monotonic() < end:
                (leaf(1.0) * 2).sum().backward()

        x.register_hook(hook)
        (x * x).sum().backward()

    with pytest.raises(KeyboardInterrupt):
        wait(50)
    (leaf(1.0) * 2).sum().backward()


def test_a_shared_number_that_gets_a_tensor_says_what_to_share() -> None:
    x = opwright.TensorType("float64", ())("x")
    number, held = (
        opwright.shared(0.0),
        opwright.shared(opwright.tensor(0.0, dtype=opwright.float64)),
    )
    with pytest.raises(TypeError, match=r"share a tensor instead: shared\(opwright\.tensor"):
        opwright.function([x], [], updates=[(number, number + x)])
    opwright.function([x], [], updates=[(held, held + x)])(2.0)
    assert held.get_value().item() == 2.0
