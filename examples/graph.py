"""The network of `digits.py` as a graph: a step of training is one compiled function.

The loss, its gradients and what Adam makes of them are variables; the function computes them and
updates the parameters. The same model, trained call by call, stands beside it: both learn the same,
and as most of a step is products of matrices, in about the same time.

What a graph saves is memory traffic. A chain of element-wise operators is one loop of it, without
the results in between that calls write and read again; that is what is timed.

The picture of a step is written to the file that is named, or to `step.svg`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import opwright
from digits import (
    HIDDEN,
    LEARNING_RATE,
    REQUIRED_ACCURACY,
    Split,
    lessons,
    train,
    untrained,
)
from opwright import Tensor, TensorType, graph, nn
from opwright.graph import Variable
from sklearn.datasets import load_digits

Updates = dict[Variable, Variable]

# Its stubs speak of tensors; it takes variables as well.
functional: Any = nn.functional

NAMES = ["weight1", "bias1", "weight2", "bias2"]
# How many elements a chain goes over, and how often.
CHAINED, RUNS = 1_000_000, 10
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Network:
    """One hidden layer, as variables."""

    points: Variable
    labels: Variable
    parameters: list[Variable]

    @classmethod
    def beginning_as(cls, model: nn.Module) -> Network:
        """The same layers, whose parameters begin with the same numbers."""
        parameters: list[Variable] = [
            opwright.shared(it.detach(), name=name, shape=it.shape)
            for name, it in zip(NAMES, model.parameters(), strict=True)
        ]
        pixels = parameters[0].type.shape[1]
        points = TensorType("float32", (None, pixels))("points")
        labels = TensorType("int64", (None,))("labels")
        return cls(points, labels, parameters)

    def scores(self) -> Variable:
        """A number for each digit."""
        weight1, bias1, weight2, bias2 = self.parameters
        hidden = functional.linear(self.points, weight1, bias1).relu()
        scores: Variable = functional.linear(hidden, weight2, bias2)
        return scores

    def loss(self) -> Variable:
        """The mean cross entropy."""
        loss: Variable = functional.cross_entropy(self.scores(), self.labels)
        return loss


def descent(parameters: list[Variable], gradients: list[Variable], rate: float) -> Updates:
    """A step against the gradients."""
    return {it: it - rate * gradient for it, gradient in zip(parameters, gradients, strict=True)}


def adam(parameters: list[Variable], gradients: list[Variable], rate: float) -> Updates:
    """A step of Adam, whose state are shared variables, too."""
    steps = opwright.shared(opwright.tensor(0.0), name="steps")
    count = steps + 1.0
    scaled = rate / (1 - MEAN_DECAY**count)
    bias = (1 - SQUARE_DECAY**count) ** 0.5
    updates: Updates = {steps: count}
    for parameter, gradient in zip(parameters, gradients, strict=True):
        zeros = opwright.zeros(parameter.type.shape)
        mean = opwright.shared(zeros, name=f"{parameter.name}.mean", shape=zeros.shape)
        square = opwright.shared(zeros, name=f"{parameter.name}.square", shape=zeros.shape)
        updates[mean] = mean + (1 - MEAN_DECAY) * (gradient - mean)
        updates[square] = square + (1 - SQUARE_DECAY) * (gradient * gradient - square)
        size = updates[square].sqrt() / bias + EPSILON
        updates[parameter] = parameter - scaled * updates[mean] / size
    return updates


def picture(pixels: int = 64) -> str:
    """A step of plain descent: the loss, and what becomes of the parameters."""
    network = Network.beginning_as(untrained(pixels))
    loss = network.loss()
    gradients = graph.grad(loss, network.parameters)
    updates = descent(network.parameters, gradients, LEARNING_RATE)
    step = opwright.function([network.points, network.labels], loss, updates=updates)
    return graph.to_svg(step)


def compiled(network: Network) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    """What trains, and what classifies."""
    loss = network.loss()
    gradients = graph.grad(loss, network.parameters)
    updates = adam(network.parameters, gradients, LEARNING_RATE)
    given = [network.points, network.labels]
    step = opwright.function(given, loss, updates=updates, name="step")
    classify = opwright.function([network.points], network.scores().argmax(1), name="classify")
    return step, classify


def train_compiled(model: nn.Module, split: Split, batches: list[list[Tensor]]) -> float:
    """Teaches the graph of a model, and returns its accuracy on digits that it has not seen."""
    step, classify = compiled(Network.beginning_as(model))
    for epoch, of_epoch in enumerate(batches, 1):
        losses = [step(split.points[it], split.labels[it]).item() for it in of_epoch]
        if epoch == 1 or epoch % 4 == 0:
            known = share_of(classify, split)
            print(f"{epoch:>8}{sum(losses) / len(losses):>12.4f}{known:>12.4f}", flush=True)
    return share_of(classify, split)


def share_of(classify: Callable[..., Tensor], split: Split) -> float:
    """How many of the digits that it has not seen it knows."""
    return float((classify(split.unseen) == split.truth).float().mean().item())


def chain(x: Any, y: Any) -> Any:
    """Eight element-wise operators, of tensors or of variables."""
    return (x * y + 0.5).tanh() * (x - y) / (1 + x * x)


def least_time(run: Callable[[], Any]) -> float:
    """Of several runs, in milliseconds: what else the machine does only adds to it."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


def compare_chain() -> None:
    """Prints the time of the chain, compiled and by calls, and what compiling takes."""
    x, y = opwright.rand(CHAINED), opwright.rand(CHAINED)
    inputs = [TensorType("float32", (None,))(name) for name in "xy"]
    begin = time.perf_counter()
    fused = opwright.function(inputs, chain(*inputs), name="chain")
    compiling = (time.perf_counter() - begin) * 1000
    if not opwright.allclose(fused(x, y), chain(x, y)):
        sys.exit("the chain gives something else when it is compiled")
    print(f"\nA chain of 8 element-wise operators over {CHAINED:,} elements:\n")
    print(f"{'':<10} {'time':>10}")
    print(f"{'compiled':<10} {least_time(lambda: fused(x, y)):>7.1f} ms, once {compiling:.1f} ms")
    print(f"{'by calls':<10} {least_time(lambda: chain(x, y)):>7.1f} ms")


def main() -> None:
    """Prints accuracies, and times of a chain; writes the picture."""
    digits = load_digits()
    points, labels = opwright.from_numpy(digits.data), opwright.from_numpy(digits.target)
    split, batches = lessons(points, labels)
    model = untrained(points.shape[1])
    print(f"A graph of {HIDDEN} hidden numbers learns {len(split.points)} digits:\n")
    print(f"{'round':>8}{'loss':>12}{'accuracy':>12}")
    accuracy = train_compiled(model, split, batches)
    by_calls = train(model, split, batches, show=False)
    print(f"\n{'':<10} {'accuracy':>9}")
    print(f"{'compiled':<10} {accuracy:>9.4f}")
    print(f"{'by calls':<10} {by_calls:>9.4f}")
    compare_chain()
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "step.svg")
    path.write_text(picture(), encoding="utf-8")
    print(f"\nA step of plain descent is drawn in {path}.")
    if min(accuracy, by_calls) < REQUIRED_ACCURACY:
        sys.exit(f"the accuracy should be at least {REQUIRED_ACCURACY}")


if __name__ == "__main__":
    main()
