"""What compiled functions cost: calls, chains of operators, a step of training, building.

Beside them stand numpy and eager calls, and PyTensor and numba if they are installed. All run in
one process, on one thread, in alternation.
"""

from __future__ import annotations

import os
import statistics
import time
import timeit
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import opwright
from opwright import TensorType, function, graph, shared
from opwright.types import double

ROUNDS = 15
MANY = 1_000_000
NODES = 1000
BATCH, PIXELS, HIDDEN, DIGITS = 64, 64, 128, 10
LEARNING_RATE = 0.01

Work = Callable[[], object]
Works = dict[str, Work]
Array = np.ndarray[Any, np.dtype[Any]]


def found(name: str) -> Any:
    """A module, or nothing if it is not installed."""
    return import_module(name) if find_spec(name) is not None else None


PYTENSOR, NUMBA = found("pytensor"), found("numba")
VECTOR = TensorType("float64", (None,))


# --- what is measured ---------------------------------------------------------------------


def of_sums(x: Any, y: Any, z: Any) -> Any:
    """Two operators."""
    return (x + y) * z


def chain(x: Any, y: Any, z: Any) -> Any:
    """Seven operators."""
    return ((x + y) * z - x) * y + z * 0.5 - x


def compiled(body: Callable[..., Any], type_: Any) -> Any:
    """A function of three values of a type."""
    inputs = [type_(name) for name in "xyz"]
    return function(inputs, body(*inputs))


def of_pytensor(body: Callable[..., Any], kind: str) -> Any:
    """The same with PyTensor."""
    inputs = [getattr(PYTENSOR.tensor, kind)(name) for name in "xyz"]
    return PYTENSOR.function(inputs, body(*inputs), trust_input=False)


def calls(body: Callable[..., Any], type_: Any, kind: str, values: tuple[Any, ...]) -> Works:
    """One body by everybody who is there; arrays are what others take."""
    arrays = tuple(it.numpy() if isinstance(it, opwright.Tensor) else it for it in values)
    mine = compiled(body, type_)
    works: Works = {"opwright": lambda: mine(*values)}
    works["eager"] = lambda: body(*values)
    works["numpy"] = lambda: body(*arrays)
    if PYTENSOR is not None:
        other = of_pytensor(body, kind)
        works["PyTensor"] = lambda: other(*arrays)
    if NUMBA is not None:
        loops = NUMBA.njit(body)
        works["numba"] = lambda: loops(*arrays)
    expected = body(*arrays)
    for name, work in works.items():
        np.testing.assert_allclose(np.asarray(work()), expected, err_msg=name)
    return works


def vectors(count: int) -> tuple[opwright.Tensor, ...]:
    """Three vectors of numbers that are all different."""
    rng = np.random.default_rng(count)
    return tuple(opwright.from_numpy(rng.random(count)) for _ in range(3))


# --- a step of training -------------------------------------------------------------------


def data() -> tuple[Array, Array, list[Array]]:
    """Points, labels, and the parameters of a model of one hidden layer."""
    rng = np.random.default_rng(0)
    points = rng.random((BATCH, PIXELS), np.float32)
    labels = rng.integers(0, DIGITS, BATCH)
    shapes = [(HIDDEN, PIXELS), (HIDDEN,), (DIGITS, HIDDEN), (DIGITS,)]
    return points, labels, [rng.normal(0, 0.1, it).astype(np.float32) for it in shapes]


def loss_of(x: Any, target: Any, parameters: list[Any]) -> Any:
    """The mean cross entropy of the model, for tensors and for variables."""
    weight1, bias1, weight2, bias2 = parameters
    of = opwright.nn.functional
    hidden = of.linear(x, weight1, bias1).relu()
    return of.cross_entropy(of.linear(hidden, weight2, bias2), target)


def eager_step() -> tuple[Work, list[opwright.Tensor]]:
    """Tensors, which are changed under `no_grad`."""
    points, labels, start = data()
    x, target = opwright.from_numpy(points), opwright.from_numpy(labels)
    parameters = [opwright.tensor(it, requires_grad=True) for it in start]

    def step() -> None:
        loss_of(x, target, parameters).backward()
        with opwright.no_grad():
            for parameter in parameters:
                assert parameter.grad is not None
                parameter.sub_(parameter.grad, alpha=LEARNING_RATE)
                parameter.grad = None

    return step, parameters


def compiled_step() -> tuple[Work, list[Any]]:
    """A function that updates shared variables."""
    points, labels, start = data()
    x, target = TensorType("float32", (None, PIXELS))("x"), TensorType("int64", (None,))("target")
    parameters = [shared(opwright.tensor(it), shape=it.shape) for it in start]
    loss = loss_of(x, target, parameters)
    gradients = graph.grad(loss, parameters)
    updates = {
        it: it - LEARNING_RATE * gradient
        for it, gradient in zip(parameters, gradients, strict=True)
    }
    step = function([x, target], loss, updates=updates)
    batch = opwright.from_numpy(points), opwright.from_numpy(labels)
    return lambda: step(*batch), parameters


def steps() -> Works:
    """A step of training, after a look at whether both learn the same."""
    (eager, tensors), (block, variables) = eager_step(), compiled_step()
    for _ in range(20):
        eager()
        block()
    for tensor, variable in zip(tensors, variables, strict=True):
        close = opwright.allclose(tensor.detach(), variable.get_value(), rtol=1e-4, atol=1e-6)
        assert close, "both learn the same"
    return {"opwright": block, "eager": eager}


# --- building -----------------------------------------------------------------------------


def built(count: int) -> Any:
    """A graph of so many nodes, none of which comes to less, and its function."""
    x, y = VECTOR("x"), VECTOR("y")
    result = x
    for at in range(count // 4):
        result = opwright.cumsum(opwright.sin(result) * y + float(at), 0)
    return function([x, y], result)


# --- measuring ----------------------------------------------------------------------------


def microseconds(works: Works) -> dict[str, float]:
    """Medians over rounds in which everybody has a turn."""
    timers = {name: timeit.Timer(work, timer=time.perf_counter) for name, work in works.items()}
    counts = {name: max(1, timer.autorange()[0] // 20) for name, timer in timers.items()}
    rounds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, timer in timers.items():
            rounds[name].append(timer.timeit(counts[name]) / counts[name] * 1e6)
    return {name: statistics.median(times) for name, times in rounds.items()}


COLUMNS = ["opwright", "eager", "numpy", "PyTensor", "numba"]


def measured(name: str, works: Works) -> dict[str, float]:
    """Prints a row, and returns its times."""
    times = microseconds(works)
    cells = [f"{times[it]:,.2f}" if it in times else "" for it in COLUMNS]
    print(f"{name:<44}" + "".join(f"{it:>12}" for it in cells), flush=True)
    return times


def target(what: str, value: float, most: float) -> None:
    """Prints what a figure should be at most, and is."""
    verdict = "reached" if value <= most else "MISSED"
    print(f"{what:<52}{value:>10.2f}{most:>10.2f}  {verdict}")


def main() -> None:
    """Prints the table and what it says of the targets."""
    opwright.set_num_threads(1)
    print(f"{'us':<44}" + "".join(f"{it:>12}" for it in COLUMNS))
    floats = measured("(x + y) * z of floats", calls(of_sums, double, "dscalar", (1.0, 2.0, 3.0)))
    few = measured("(x + y) * z of vectors of 8", calls(of_sums, VECTOR, "dvector", vectors(8)))
    name = f"seven operators on {MANY:,}"
    many = measured(name, calls(chain, VECTOR, "dvector", vectors(MANY)))
    step = measured("a step of training", steps())
    build = measured(f"a graph of {NODES:,} nodes", {"opwright": lambda: built(NODES)})

    print(f"\n{'':<52}{'is':>10}{'at most':>10}")
    target("(x + y) * z of floats, in us", floats["opwright"], 0.15)
    target("(x + y) * z of vectors of 8, in us", few["opwright"], 0.3)
    target(f"{name} / numpy", many["opwright"] / many["numpy"], 0.35)
    if "PyTensor" in many:
        target(f"{name} / PyTensor", many["opwright"] / many["PyTensor"], 2.0)
    target("a step of training / eager", step["opwright"] / step["eager"], 0.7)
    target(f"a graph of {NODES:,} nodes, in ms", build["opwright"] / 1e3, 100.0)


if __name__ == "__main__":
    # PyTensor and numpy read them when they start.
    if os.environ.get("OMP_NUM_THREADS") != "1":
        print("OMP_NUM_THREADS is not 1: others may use several threads")
    main()
