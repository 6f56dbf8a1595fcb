"""What nodes keep in another form: hooks of saved tensors, and saved tensors themselves."""

import gc
import math
import threading
import weakref
from typing import Any

import opwright
import pytest

graph = opwright.autograd.graph


def leaf(*values: float) -> opwright.Tensor:
    return opwright.tensor(values, dtype=opwright.float64, requires_grad=True)


def test_what_is_packed_is_unpacked() -> None:
    x = leaf(1.0, 2.0)
    packed: list[opwright.Tensor] = []

    def pack(tensor: opwright.Tensor) -> int:
        assert not tensor.requires_grad and not opwright.is_grad_enabled()
        packed.append(tensor)
        return len(packed) - 1

    with graph.saved_tensors_hooks(pack, lambda at: packed[at] * 10):
        y = x * x
    z = x * x
    assert len(packed) == 2
    y.sum().backward()
    assert x.grad.tolist() == [20.0, 40.0]
    z.sum().backward()
    assert x.grad.tolist() == [22.0, 44.0]


def test_the_innermost_pair_counts_in_its_thread() -> None:
    seen: list[str] = []
    x = leaf(1.0)

    def hooks(name: str) -> Any:
        return graph.saved_tensors_hooks(lambda it: seen.append(name) or it, lambda it: it)

    with hooks("out"):
        with hooks("in"):
            x.exp()
        x.exp()
        thread = threading.Thread(target=x.exp)
        thread.start()
        thread.join()
    x.exp()
    assert seen == ["in", "out"]


def test_numbers_are_not_packed() -> None:
    seen: list[object] = []
    with graph.saved_tensors_hooks(lambda it: seen.append(it) or it, lambda it: it):
        leaf(1.0) * 2
        opwright.ones(1) * opwright.ones(1)
    assert not seen


def test_second_gradients_go_through_hooks() -> None:
    x = leaf(2.0)
    with graph.saved_tensors_hooks(lambda it: it.tolist(), lambda it: opwright.tensor(it).double()):
        y = x * x * x
        (first,) = opwright.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = opwright.autograd.grad(first.sum(), x)
    assert (first.tolist(), second.tolist()) == ([12.0], [12.0])


def test_exceptions_come_out_as_they_are() -> None:
    x, raised = leaf(1.0), KeyError("mine")

    def refuse(_: object) -> Any:
        raise raised

    with graph.saved_tensors_hooks(refuse, lambda it: it), pytest.raises(KeyError) as info:
        x.exp()
    assert info.value is raised
    with graph.saved_tensors_hooks(lambda it: it, refuse):
        y = x.exp()
    with pytest.raises(KeyError) as info:
        y.sum().backward()
    assert info.value is raised
    with graph.saved_tensors_hooks(lambda it: it, lambda it: 5):
        y = x.exp()
    with pytest.raises(TypeError, match="unpack hook"):
        y.sum().backward()
    with pytest.raises(TypeError, match="called"):
        graph.saved_tensors_hooks(1, 2).__enter__()
    x.exp().sum().backward()


def test_a_pack_hook_may_not_write() -> None:
    x = leaf(1.0)
    y = x * 1
    hooks = graph.saved_tensors_hooks(lambda it: it.add_(1), lambda it: it)
    with hooks, pytest.raises(RuntimeError, match="in place"):
        y.exp()


def test_hooks_may_change_the_geometry_of_operands() -> None:
    x = opwright.ones(2, 3, requires_grad=True)
    k = opwright.ones(2, 3)

    def pack(tensor: opwright.Tensor) -> opwright.Tensor:
        k.data = opwright.zeros(1000)
        return tensor

    for _ in range(3):
        with graph.saved_tensors_hooks(pack, lambda it: it):
            y = x * k
        assert y.shape == (2, 3)
        k = opwright.ones(2, 3)


def test_released_tensors_are_gone_packed_or_not() -> None:
    x = leaf(1.0)
    with graph.saved_tensors_hooks(lambda it: it, lambda it: it):
        y = x.exp().sum()
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_copies_in_main_memory() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    with graph.save_on_cpu(pin_memory=True):
        z = (y * y).sum()
    y.data.zero_()
    z.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_writes_to_what_was_saved_can_be_allowed() -> None:
    x, k = leaf(1.0, 2.0), opwright.ones(2)
    with graph.allow_mutation_on_saved_tensors():
        y = (x * k).exp()
        k.add_(5)
        y.mul_(1)
        y.sum().backward()
    assert x.grad.tolist() == pytest.approx([math.e, math.e**2])


def test_hooks_can_be_forbidden() -> None:
    x = leaf(1.0)
    hooks = graph.saved_tensors_hooks(lambda it: it, lambda it: it)
    with graph.disable_saved_tensors_hooks("not here"):
        with graph.disable_saved_tensors_hooks("nor here"):
            pass
        with pytest.raises(RuntimeError, match=r"^not here$"), hooks:
            pass
        x.exp()
    late = graph.disable_saved_tensors_hooks("too late")
    with hooks, pytest.raises(RuntimeError, match="too late"), late:
        pass
    with hooks:
        x.exp()


def test_hooks_of_one_saved_tensor() -> None:
    x = leaf(1.0, 2.0)
    y = x * x
    node = y.grad_fn
    saved = node._raw_saved_self
    saved.register_hooks(lambda it: it.tolist(), lambda it: opwright.tensor(it).double() * 3)
    assert node._saved_self.tolist() == [3.0, 6.0]
    with pytest.raises(RuntimeError, match="already"):
        node._raw_saved_self.register_hooks(lambda it: it, lambda it: it)
    with pytest.raises(TypeError, match="called"):
        node._raw_saved_other.register_hooks(1, 2)
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 8.0]
    with pytest.raises(RuntimeError, match="second time"):
        node._raw_saved_other.register_hooks(lambda it: it, lambda it: it)
    assert "_raw_saved_self" in dir(node)
    with pytest.raises(AttributeError):
        _ = node._raw_saved_nothing
    with pytest.raises(TypeError):
        type(saved)()


def test_packed_values_go_with_the_graph() -> None:
    class Value:
        def __init__(self, tensor: opwright.Tensor) -> None:
            self.tensor = tensor

    values = []

    def pack(tensor: opwright.Tensor) -> Value:
        value = Value(tensor)
        values.append(weakref.ref(value))
        return value

    with graph.saved_tensors_hooks(pack, lambda it: it.tensor):
        y = leaf(1.0).exp()
    assert values[0]() is not None
    del y
    gc.collect()
    assert values[0]() is None
