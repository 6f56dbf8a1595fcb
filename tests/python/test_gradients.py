"""Gradients: of operators, through views and writes, with hooks and modes, in threads.

The recordings are not part of the project: without them the tests that use them are skipped.
"""

import gc
import math
import re
import subprocess
import sys
import threading
import tomllib
import weakref
from pathlib import Path
from typing import Any

import opwright
import pytest
import recorded

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
RUNNER = recorded.FOLDER / "run_grad.py"


def leaf(*values: float) -> opwright.Tensor:
    return opwright.tensor(values, dtype=opwright.float64, requires_grad=True)


@pytest.mark.skipif(not RUNNER.exists(), reason=f"the recorded gradients are not at {RUNNER}")
@pytest.mark.parametrize("file", ["grad_values.json", "grad_cases.json"])
def test_recorded_cases(file: str) -> None:
    """Each case passes, but for those that the table explains, and for what is not there yet."""
    command = [sys.executable, "-P", str(RUNNER), str(RUNNER.with_name(file))]
    output = subprocess.run(
        [*command, "--module", "opwright", "--show", "1000"], capture_output=True, text=True
    ).stdout
    failed = {line.split(" | ")[1] for line in output.splitlines() if line.startswith("FAIL |")}
    known = {name for it in TABLE["difference"] for name in it["cases"]}
    assert failed <= known, output
    assert " passed, " in output.splitlines()[-1]


def test_a_pass_leaves_gradients_at_leaves() -> None:
    x, k = leaf(2.0, 3.0), opwright.tensor(4.0)
    y = (x * x * k).sum()
    assert y.requires_grad and not y.is_leaf and x.is_leaf
    assert y.grad_fn is y.grad_fn
    y.backward()
    assert x.grad.tolist() == [16.0, 24.0]
    assert x.grad is x.grad
    assert k.grad is None
    (x * 1).sum().backward()
    assert x.grad.tolist() == [17.0, 25.0]


def test_gradients_have_gradients() -> None:
    x = leaf(0.5, 1.0)
    (first,) = opwright.autograd.grad(x.sin().sum(), x, create_graph=True)
    (second,) = opwright.autograd.grad(first.sum(), x)
    assert second.tolist() == pytest.approx([-math.sin(0.5), -math.sin(1.0)])
    assert x.grad is None


def test_a_second_pass_is_refused() -> None:
    x = leaf(2.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_writes_through_views_are_recorded() -> None:
    x = leaf(1.0, 2.0)
    base = opwright.zeros(2, 2, dtype=opwright.float64)
    row = base[1]
    other = base[:, 0]
    row += x
    row *= 3
    assert base.requires_grad and base.grad_fn.name() == "CopySlices"
    assert other.grad_fn.name() == "AsStridedBackward0"
    (base.sum() + other.sum()).backward()
    assert x.grad.tolist() == [6.0, 3.0]


def test_setting_items_is_recorded() -> None:
    x = leaf(5.0, 7.0)
    base = opwright.zeros(4, dtype=opwright.float64)
    base[1:3] = x
    (base * opwright.arange(4.0, dtype=opwright.float64)).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]


def test_what_was_saved_must_not_change() -> None:
    x, factor = leaf(1.0, 2.0), opwright.ones(2, dtype=opwright.float64)
    y = x * factor
    factor[0] = 3
    with pytest.raises(RuntimeError, match="modified in place"):
        y.sum().backward()


def test_leaves_are_not_written_to() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="leaf"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="view of a leaf"):
        x[0] = 3
    with opwright.no_grad():
        x.add_(1)
    assert x.tolist() == [2.0]
    assert x._version == 1


def test_out_is_refused_while_something_is_recorded() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="out"):
        opwright.add(x, x, out=opwright.zeros(1, dtype=opwright.float64))


def test_modes() -> None:
    x = leaf(1.0)
    with opwright.no_grad():
        assert not (x * 2).requires_grad
        with opwright.enable_grad():
            assert (x * 2).requires_grad
    assert opwright.is_grad_enabled()

    @opwright.no_grad
    def steps() -> object:
        yield opwright.is_grad_enabled()
        yield opwright.is_grad_enabled()

    inside = steps()
    assert next(inside) is False
    assert opwright.is_grad_enabled()
    assert next(inside) is False
    opwright.set_grad_enabled(False)
    try:
        assert not opwright.is_grad_enabled()
    finally:
        opwright.set_grad_enabled(True)


def test_a_mode_is_entered_within_itself() -> None:
    mode, seen = opwright.no_grad(), []

    def deeper(levels: int) -> None:
        with mode:
            seen.append(opwright.is_grad_enabled())
            if levels:
                with opwright.enable_grad():
                    deeper(levels - 1)
            seen.append(opwright.is_grad_enabled())

    deeper(20)
    assert seen == [False] * 42
    assert opwright.is_grad_enabled()
    with pytest.raises(RuntimeError, match="nobody has entered"):
        mode.__exit__(None, None, None)
    with pytest.raises(TypeError, match="function to decorate"):
        opwright.no_grad(deeper, deeper)
    with pytest.raises(ZeroDivisionError), opwright.no_grad():
        _ = 1 / 0
    assert opwright.is_grad_enabled()


def test_modes_are_classes() -> None:
    class quiet(opwright.no_grad):  # noqa: N801
        """A mode of one's own."""

    @quiet
    def inside() -> bool:
        """Tells."""
        return opwright.is_grad_enabled()

    assert not inside()
    assert not quiet()(inside)()
    assert (inside.__name__, inside.__doc__) == ("inside", "Tells.")
    with quiet() as nothing:
        assert nothing is None
        assert not opwright.is_grad_enabled()
    assert opwright.is_grad_enabled()


def test_hooks_see_gradients_and_change_them() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    seen = []
    handle = y.register_hook(lambda gradient: seen.append(gradient.tolist()))
    y.register_hook(lambda gradient: gradient * 10)
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    assert seen == [[1.0, 1.0]]
    assert y.grad.tolist() == [10.0, 10.0]
    assert x.grad.tolist() == [20.0, 20.0]
    handle.remove()
    handle.remove()
    y.sum().backward()
    assert len(seen) == 1


def test_what_passes_retain_adds_up() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    y.retain_grad()
    y.sum().backward(retain_graph=True)
    first = y.grad
    (y * y).sum().backward(retain_graph=True)
    assert y.grad.tolist() == [5.0, 9.0]
    assert first.tolist() == [1.0, 1.0]
    y.grad = opwright.full((2,), 5.0, dtype=opwright.float64)
    given = opwright.ones(2, dtype=opwright.float64)
    y.backward(given, inputs=[y], retain_graph=True)
    assert y.grad.tolist() == [6.0, 6.0]
    y.grad = None
    y.backward(given, create_graph=True)
    y.backward(given)
    assert (y.grad.tolist(), given.tolist()) == ([2.0, 2.0], [1.0, 1.0])


@pytest.mark.parametrize("given", ["a", 1, None, 1.5, opwright.tensor(True)])
def test_modes_are_bools(given: Any) -> None:
    for of_name, make in {
        "set_grad_enabled(): argument 'mode'": opwright.set_grad_enabled,
        "inference_mode(): argument 'mode'": opwright.inference_mode,
        "set_detect_anomaly(): argument 'mode'": opwright.autograd.set_detect_anomaly,
        "detect_anomaly(): argument 'check_nan'": opwright.autograd.detect_anomaly,
        "Variable(): argument 'requires_grad'": (
            lambda it: opwright.autograd.Variable(opwright.ones(2), it)
        ),
    }.items():
        with pytest.raises(TypeError, match=re.escape(f"{of_name} must be bool, not ")):
            make(given)
    with pytest.raises(TypeError, match="'check_nan' must be bool"):
        opwright.autograd.set_detect_anomaly(False, given)
    assert opwright.is_grad_enabled()
    assert not opwright.is_anomaly_enabled()
    if given is not None:
        with pytest.raises(TypeError, match="takes a function to decorate"):
            opwright.no_grad(given)


@pytest.mark.parametrize("answer", [lambda it: it[0] * 5, lambda it: [*it], lambda _: 5])
def test_hooks_of_nodes_give_tuples(answer: Any) -> None:
    for register in ("register_hook", "register_prehook"):
        y = leaf(1.0, 2.0).exp()
        getattr(y.grad_fn, register)(lambda it, *_: answer(it))
        with pytest.raises(TypeError, match="returns a tuple or None, not"):
            y.sum().backward()


def test_what_a_hook_raises_comes_out_as_it_is() -> None:
    class OwnError(Exception):
        pass

    def hook(gradient: opwright.Tensor) -> None:
        raise OwnError(gradient)

    x = leaf(1.0)
    x.register_hook(hook)
    with pytest.raises(OwnError):
        (x * 2).backward()
    y = x * 2
    y.register_hook(lambda _: 5)
    with pytest.raises(TypeError, match="hook"):
        y.backward()


def test_operators_without_a_formula_say_so() -> None:
    x = opwright.rand(3, 3, dtype=opwright.float64, requires_grad=True)
    values = opwright.floor_divide(x, 0.5)
    assert values.requires_grad
    with pytest.raises(NotImplementedError, match="floor_divide"):
        values.sum().backward()


def test_a_deep_graph_needs_no_deep_stack() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1
    del y
    y = x
    for _ in range(100_000):
        y = y.view(1)
    del y


def test_threads_add_up() -> None:
    x = leaf(1.0)

    def work() -> None:
        for _ in range(300):
            (x * 2).backward()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad.item() == 8 * 300 * 2


NODES = {
    "hook": lambda node, kept: node.register_hook(lambda inputs, outputs: kept),
    "hook before": lambda node, kept: node.register_prehook(lambda outputs: kept),
    "metadata": lambda node, kept: node.metadata.update(kept=kept),
}


@pytest.mark.parametrize("keep", NODES.values(), ids=NODES)
def test_a_cycle_through_a_node_is_collected(keep: Any) -> None:
    class Held:
        pass

    held, y = Held(), leaf(1.0).exp()
    seen = weakref.ref(held)
    keep(y.grad_fn, (y, held))
    del y, held
    gc.collect()
    assert seen() is None


def test_a_graph_goes_with_its_last_tensor() -> None:
    x = leaf(1.0)
    y = (x * x).exp()
    node = y.grad_fn
    del y
    gc.collect()
    assert node.name() == "ExpBackward0"
    assert node._saved_result.item() == pytest.approx(math.e)


def test_what_numpy_sees_is_not_recorded() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="detach"):
        x.numpy()
    assert x.detach().numpy()[0] == 1.0
    assert x.tolist() == [1.0]


def test_points_between_tensors_have_no_gradient_yet() -> None:
    start = leaf(1.0).sum()
    points = opwright.linspace(start, 5.0, 3)
    with pytest.raises(
        NotImplementedError, match=r"the gradient of `linspace\.Tensor_Scalar` is not"
    ):
        points.sum().backward()
