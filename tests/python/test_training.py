"""Training: memory stays, graphs go wherever they are dropped, threads lose no gradient."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable

import opwright
import pytest
from opwright import Tensor, nn, optim

THREADS = 8


def run(code: str) -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-P", "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_memory_stays_while_a_model_learns(kind: str) -> None:
    """Ten thousand steps take as much as the first few hundred."""
    grown = run(f"""
        import opwright
        from opwright import nn

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096

        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        optimizer = opwright.optim.{kind}(model.parameters(), lr=1e-3)
        points, labels = opwright.rand(16, 8), opwright.arange(16) % 4

        def train(steps):
            for _ in range(steps):
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(points), labels).backward()
                optimizer.step()

        train(500)
        before = resident()
        train(10_000)
        print(resident() - before)
    """)
    assert int(grown) < 2 << 20


@pytest.mark.timeout(600)
def test_a_deep_graph_is_dropped_by_another_thread() -> None:
    """A million nodes, on stacks that are too small for a call for each."""
    assert (
        run("""
        import threading
        import opwright

        threading.stack_size(256 << 10)
        x = opwright.ones(1, requires_grad=True)
        kept = []

        def record():
            y = x
            for _ in range(1_000_000):
                y = y + 1
            kept.append(y)

        def backward():
            kept[0].backward()

        for work in (record, backward, kept.clear):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        print(x.grad.tolist(), len(kept))
    """)
        == "[1.0] 0\n"
    )


def test_graphs_may_be_dropped_while_others_are_made() -> None:
    x = opwright.ones(3, requires_grad=True)
    graphs: list[Tensor] = []
    done = threading.Event()

    def drop() -> None:
        while not done.is_set() or graphs:
            if graphs:
                graphs.pop()

    thread = threading.Thread(target=drop)
    thread.start()
    for _ in range(2_000):
        y = x * 2
        for _ in range(5):
            y = y * x + y
        graphs.append(y.sum())
    done.set()
    thread.join()
    (x * 2).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def test_no_gradient_is_lost_between_threads() -> None:
    """Each has a graph and a leaf of its own, and all have a leaf in common."""
    shared = opwright.zeros(2, dtype=opwright.float64, requires_grad=True)
    own = [opwright.ones(2, dtype=opwright.float64, requires_grad=True) for _ in range(THREADS)]
    passes = 2_500
    failures: list[BaseException] = []

    def learn(number: int) -> None:
        try:
            for _ in range(passes):
                (shared * float(number + 1) + own[number] * own[number]).sum().backward()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=learn, args=(it,)) for it in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    total = float(passes * sum(range(1, THREADS + 1)))
    assert shared.grad is not None
    assert shared.grad.tolist() == [total, total]
    for leaf in own:
        assert leaf.grad is not None
        assert leaf.grad.tolist() == [2.0 * passes] * 2


def test_threads_share_a_part_of_a_graph() -> None:
    x = opwright.ones(4, dtype=opwright.float64, requires_grad=True)
    common = (x * 3).exp().log()

    def learn() -> None:
        for _ in range(500):
            (common * 2).sum().backward(retain_graph=True)

    threads = [threading.Thread(target=learn) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.grad is not None
    assert x.grad.tolist() == pytest.approx([6.0 * 500 * THREADS] * 4)


@pytest.mark.parametrize("kind", [optim.SGD, optim.Adam])
def test_a_model_learns(kind: Callable[..., optim.Optimizer]) -> None:
    opwright.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    options = {"lr": 0.05} | ({"momentum": 0.9} if kind is optim.SGD else {})
    optimizer = kind(model.parameters(), **options)
    points = opwright.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    labels = opwright.tensor([[0.0], [1.0], [1.0], [0.0]])
    for _ in range(500):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(points), labels)
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05
