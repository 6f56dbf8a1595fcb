"""What gradients cost: recording, passes backward, and steps of training.

PyTorch stands beside it if it is installed, and numpy with gradients that are written by hand. All
run in one process, on one thread, in alternation.
"""

from __future__ import annotations

import gc
import statistics
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import opwright

ROUNDS = 15
SMALL = [1.0, 2.0, 3.0, 4.0]
LONG = 200_000
BATCH, PIXELS, HIDDEN, DIGITS = 64, 64, 128, 10
LEARNING_RATE = 0.01

Library = Any
Names = dict[str, Any]
Times = dict[str, float]


def libraries() -> dict[str, Library]:
    """Those that are there, limited to one thread."""
    found: dict[str, Library] = {"opwright": opwright}
    if find_spec("torch") is not None:
        found["torch"] = import_module("torch")
    for library in found.values():
        library.set_num_threads(1)
    return found


@dataclass
class Row:
    """A statement, and how many microseconds it should take at most.

    `setup` is run before every round, of at most so many statements.
    """

    name: str
    code: str
    goal: float | None = None
    setup: str = "pass"
    most: int = field(default=1_000_000)


ROWS = [
    Row("add(a, b)", "add(a, b)"),
    Row("add(x, b), x requires gradients", "add(x, b)", 0.30),
    Row("mul(a, b)", "mul(a, b)"),
    Row("mul(x, b)", "mul(x, b)", 0.32),
    Row("a + 1.0", "a + 1.0"),
    Row("x + 1.0", "x + 1.0", 0.33),
    Row("with no_grad(): add(x, b)", "with no_grad():\n    add(x, b)", 0.60),
    Row("a.view(2, 2)", "a.view(2, 2)"),
    Row("x.view(2, 2)", "x.view(2, 2)", 0.25),
    Row("x.detach()", "x.detach()", 0.12),
    Row("y.add_(b), y being a result", "y.add_(b)", 0.40, "y = x * b", 500),
    Row("(x * b).sum().backward()", "(x * b).sum().backward()", 2.5),
    Row("grad((x * b).sum(), x)", "grad((x * b).sum(), x)", 2.5),
    Row("hook, x * b, backward", "y = x * b\ny.register_hook(look)\ny.backward(b)", 3.0),
    Row("x.grad", "x.grad", 0.03, "(x * b).sum().backward()"),
    Row("y.grad_fn", "y.grad_fn", 0.03, "y = x * b"),
    Row("x.requires_grad", "x.requires_grad", 0.03),
]

FUNCTIONS = [
    Row("Function.apply(a)", "double(a)", 1.5),
    Row("Function.apply(x)", "double(x)", 1.8),
    Row("Function.apply(x), which saves it", "square(x)", 2.0),
    Row("Function.apply(x), backward", "double(x).backward(b)", 4.5),
]


def names(library: Library) -> Names:
    """What stands in the statements."""
    return {
        "a": library.tensor(SMALL),
        "b": library.tensor(SMALL),
        "x": library.tensor(SMALL, requires_grad=True),
        "add": library.add,
        "mul": library.mul,
        "grad": library.autograd.grad,
        "no_grad": library.no_grad,
        "look": lambda gradient: None,
    }


def functions(library: Library) -> Names:
    """Functions whose gradients are written in Python."""

    class Double(library.autograd.Function):  # type: ignore[misc,name-defined,unused-ignore]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x + x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient + gradient

    class Square(library.autograd.Function):  # type: ignore[misc,name-defined,unused-ignore]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (x,) = ctx.saved_tensors
            return gradient * x * 2

    return {"double": Double.apply, "square": Square.apply}


def in_turns(works: dict[str, Callable[[], float]]) -> Times:
    """Medians over rounds in which everybody has a turn."""
    rounds: dict[str, list[float]] = {it: [] for it in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            rounds[name].append(work())
    return {name: statistics.median(times) for name, times in rounds.items()}


def microseconds(row: Row, values: dict[str, Names]) -> Times:
    """The time of a statement; what other programs do meanwhile is not counted."""

    def timed(known: Names) -> Callable[[], float]:
        timer = timeit.Timer(row.code, row.setup, globals=known, timer=time.thread_time)
        count = min(row.most, max(1, timer.autorange()[0] // 10)) if row.most > 1000 else row.most
        return lambda: timer.timeit(count) / count * 1e6

    return in_turns({library: timed(known) for library, known in values.items()})


def print_line(name: str, times: Times, goal: float | None, digits: int = 2) -> None:
    """Prints who takes how long, and whether that is what it should be."""
    cells = [f"{times[it]:,.{digits}f}" if it in times else "" for it in ("opwright", "torch")]
    verdict = ""
    if goal is not None:
        verdict = "reached" if times["opwright"] <= goal else "MISSED"
    text = "" if goal is None else f"{goal:,.{digits}f}"
    print(f"{name:<40}" + "".join(f"{it:>12}" for it in [*cells, text]) + f"  {verdict}")


# --- chains of calls ----------------------------------------------------------------------


def chain(known: Names, length: int) -> Any:
    """So many multiplications, one after the other."""
    y, b = known["x"], known["b"]
    for _ in range(length):
        y = y * b
    return y


def forward_and_backward(known: Names, length: int) -> tuple[float, float]:
    """Microseconds of recording a chain, and of going back, without dropping it."""
    count = max(1, 2000 // length)
    b = known["b"]
    gc.disable()
    start = time.thread_time()
    chains = [chain(known, length) for _ in range(count)]
    middle = time.thread_time()
    for y in chains:
        y.backward(b)
    end = time.thread_time()
    gc.enable()
    return (middle - start) / count * 1e6, (end - middle) / count * 1e6


def print_chains(values: dict[str, Names]) -> None:
    """Chains of different lengths."""
    for length, forward_goal, backward_goal in [
        (1, None, 1.2),
        (10, 3.2, 4.0),
        (100, None, 35.0),
        (1000, None, 350.0),
    ]:
        rounds: dict[str, list[tuple[float, float]]] = {it: [] for it in values}
        for _ in range(ROUNDS):
            for library, known in values.items():
                rounds[library].append(forward_and_backward(known, length))
        for at, (part, goal) in enumerate(
            [("forward", forward_goal), ("backward alone", backward_goal)]
        ):
            times = {
                it: statistics.median(pair[at] for pair in all_) for it, all_ in rounds.items()
            }
            what = "multiplication" if length == 1 else "multiplications"
            print_line(f"{length:,} {what}, {part}", times, goal)


def resident() -> int:
    """Bytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def long_chain(library: Library, length: int) -> dict[str, float]:
    """Bytes for each of very many additions, seconds of going back, and of dropping them."""
    x = library.tensor(SMALL, requires_grad=True)
    ones = library.ones(4)
    gc.collect()
    before = resident()
    y = x
    for _ in range(length):
        y = y + 1.0
    size = (resident() - before) / length
    start = time.thread_time()
    y.backward(ones)
    middle = time.thread_time()
    del y
    end = time.thread_time()
    return {"bytes": size, "backward": middle - start, "drop": end - middle}


def print_long_chains(found: dict[str, Library]) -> None:
    """What a graph of very many nodes costs."""
    for library in found.values():
        # What is loaded and kept for later is not counted.
        long_chain(library, 1000)
    measured = {name: long_chain(library, LONG) for name, library in found.items()}
    for what, unit, goal, digits in [
        ("bytes", "bytes per node", 250.0, 0),
        ("backward", "backward, in s", 0.06, 3),
        ("drop", "drop, in s", 0.02, 3),
    ]:
        times = {library: it[what] for library, it in measured.items()}
        print_line(f"{LONG:,} additions: {unit}", times, goal, digits)


# --- a step of training ------------------------------------------------------------------


def data() -> tuple[Any, Any, list[Any]]:
    """Points, labels, and the parameters of a model of one hidden layer."""
    rng = np.random.default_rng(0)
    points = rng.random((BATCH, PIXELS), np.float32)
    labels = rng.integers(0, DIGITS, BATCH)
    shapes = [(HIDDEN, PIXELS), (HIDDEN,), (DIGITS, HIDDEN), (DIGITS,)]
    return points, labels, [rng.normal(0, 0.1, it).astype(np.float32) for it in shapes]


def step_of_tensors(library: Library) -> Callable[[], None]:
    """Tensors alone, which are changed under `no_grad`."""
    points, labels, start = data()
    x, target = library.from_numpy(points), library.from_numpy(labels)
    parameters = [library.tensor(it, requires_grad=True) for it in start]
    weight1, bias1, weight2, bias2 = parameters
    linear, loss_of = library.nn.functional.linear, library.nn.functional.cross_entropy

    def step() -> None:
        hidden = linear(x, weight1, bias1).relu()
        loss_of(linear(hidden, weight2, bias2), target).backward()
        with library.no_grad():
            for parameter in parameters:
                parameter.sub_(parameter.grad, alpha=LEARNING_RATE)
                parameter.grad = None

    return step


def step_of_modules(library: Library, optimizer_name: str) -> Callable[[], None]:
    """Modules, and an optimizer."""
    points, labels, start = data()
    x, target = library.from_numpy(points), library.from_numpy(labels)
    nn = library.nn
    model = nn.Sequential(nn.Linear(PIXELS, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, DIGITS))
    for parameter, array in zip(model.parameters(), start, strict=True):
        parameter.data.copy_(library.tensor(array))
    optimizer = getattr(library.optim, optimizer_name)(model.parameters(), lr=LEARNING_RATE)
    loss_of = nn.CrossEntropyLoss()

    def step() -> None:
        optimizer.zero_grad()
        loss_of(model(x), target).backward()
        optimizer.step()

    return step


def step_of_numpy() -> Callable[[], None]:
    """The same by hand."""
    x, target, parameters = data()
    weight1, bias1, weight2, bias2 = parameters
    rows = np.arange(BATCH)

    def step() -> None:
        hidden = x @ weight1.T + bias1
        active = hidden > 0
        hidden = hidden * active
        scores = hidden @ weight2.T + bias2
        scores -= scores.max(1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(1, keepdims=True)
        chances[rows, target] -= 1
        chances /= BATCH
        back = (chances @ weight2) * active
        gradients = [back.T @ x, back.sum(0), chances.T @ hidden, chances.sum(0)]
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter -= LEARNING_RATE * gradient

    return step


def timed_steps(step: Callable[[], None], count: int = 20) -> Callable[[], float]:
    """Microseconds of a step, by the clock: libraries may have threads."""
    for _ in range(count):
        step()

    def run() -> float:
        start = time.perf_counter()
        for _ in range(count):
            step()
        return (time.perf_counter() - start) / count * 1e6

    return run


def print_steps(found: dict[str, Library]) -> None:
    """What a step of training costs beside numpy."""
    kinds: list[tuple[str, float, Callable[[Library], Callable[[], None]]]] = [
        ("tensors, by hand", 110, step_of_tensors),
        ("nn, SGD", 140, lambda library: step_of_modules(library, "SGD")),
        ("nn, Adam", 180, lambda library: step_of_modules(library, "Adam")),
    ]
    works = {
        (name, kind): timed_steps(make(library))
        for kind, _, make in kinds
        for name, library in found.items()
    }
    by_kind = {f"{name}: {kind}": work for (name, kind), work in works.items()}
    times = in_turns(by_kind | {"numpy": timed_steps(step_of_numpy())})
    for kind, goal, _ in kinds:
        of_kind = {it: times[f"{it}: {kind}"] for it in found}
        print_line(f"step of a model: {kind}", of_kind, goal, 0)
    print(f"{'step of a model: numpy, by hand':<40}{times['numpy']:>12,.0f}")
    for kind, _, _ in kinds:
        ratio = times[f"opwright: {kind}"] / times["numpy"]
        print_line(f"step of a model: {kind} / numpy", {"opwright": ratio}, 0.7)


def main() -> None:
    """Prints the table, with the most that opwright should take."""
    found = libraries()
    print(f"{'us':<40}{'opwright':>12}{'torch':>12}{'at most':>12}")
    # First, while no freed memory waits to be used again.
    print_long_chains(found)
    values = {name: names(library) for name, library in found.items()}
    for row in ROWS:
        print_line(row.name, microseconds(row, values), row.goal)
    if hasattr(opwright.autograd, "Function"):
        for name, library in found.items():
            values[name] |= functions(library)
        for row in FUNCTIONS:
            print_line(row.name, microseconds(row, values), row.goal)
    else:
        print("no autograd.Function: its rows are left out")
    print_chains(values)
    print_steps(found)


if __name__ == "__main__":
    main()
