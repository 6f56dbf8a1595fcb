"""Handwritten digits: nearest neighbours, and a model that learns, with opwright alone.

The neighbours are found among principal components; the model has one hidden layer.

scikit-learn lends only its data set, 1,797 digits of 8 by 8 pixels.
The same computations in numpy stand beside them, to compare results and time: gradients, which
opwright finds by itself, are written by hand there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import opwright
from opwright import Tensor, nn, optim
from sklearn.datasets import load_digits

Result = TypeVar("Result")
Array = np.ndarray[Any, np.dtype[Any]]

AXES = 30
ROUNDS = 20
NEIGHBOURS = 3
DIGITS = 10
HIDDEN = 128
EPOCHS = 20
BATCH = 64
LEARNING_RATE = 1e-3
SEED = 1
REQUIRED_ACCURACY = 0.97


@dataclass(frozen=True)
class Split:
    """Digits to learn from, and others."""

    points: Tensor
    labels: Tensor
    unseen: Tensor
    truth: Tensor

    @classmethod
    def of(cls, points: Tensor, labels: Tensor, order: Tensor, held_out: int) -> Split:
        """The first so many of the digits in this order are held out."""
        unseen, rest = order[:held_out], order[held_out:]
        return cls(points[rest], labels[rest], points[unseen], labels[unseen])

    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """The same for numpy."""
        return (
            self.points.numpy(),
            self.labels.numpy(),
            self.unseen.numpy(),
            self.truth.numpy(),
        )


def orthonormal(rows: Tensor) -> Tensor:
    """Gram-Schmidt: rows of length one, at right angles, that span the same space."""
    basis = opwright.zeros_like(rows)
    for i, row in enumerate(rows.unbind()):
        rest = row - (basis @ row) @ basis
        basis[i] = rest / rest.norm()
    return basis


def principal_axes(points: Tensor, start: Tensor) -> Tensor:
    """The directions in which the points differ most, by subspace iteration."""
    centred = points - points.mean(0)
    covariance = centred.t() @ centred / len(points)
    axes = orthonormal(start)
    for _ in range(ROUNDS):
        axes = orthonormal(axes @ covariance)
    return axes


def squared_distances(a: Tensor, b: Tensor) -> Tensor:
    """From each row of `a` to each row of `b`: |x|^2 - 2 x.y + |y|^2."""
    return (a * a).sum(1, keepdim=True) - 2 * (a @ b.t()) + (b * b).sum(1)


def classify(known: Tensor, labels: Tensor, unknown: Tensor) -> Tensor:
    """What most of the nearest known points are."""
    nearest = squared_distances(unknown, known).topk(NEIGHBOURS, dim=1, largest=False).indices
    votes = (labels[nearest].unsqueeze(-1) == opwright.arange(DIGITS)).sum(1)
    return votes.argmax(1)


def with_opwright(known: Tensor, labels: Tensor, unknown: Tensor, start: Tensor) -> Tensor:
    """Projects onto the principal axes, then classifies."""
    axes = principal_axes(known, start)
    return classify(known @ axes.t(), labels, unknown @ axes.t())


def with_numpy(known: Array, labels: Array, unknown: Array, start: Array) -> Array:
    """The same, step by step."""

    def orthonormal(rows: Array) -> Array:
        basis = np.zeros_like(rows)
        for i, row in enumerate(rows):
            rest = row - (basis @ row) @ basis
            basis[i] = rest / np.linalg.norm(rest)
        return basis

    centred = known - known.mean(0)
    covariance = centred.T @ centred / len(known)
    axes = orthonormal(start)
    for _ in range(ROUNDS):
        axes = orthonormal(axes @ covariance)
    a, b = unknown @ axes.T, known @ axes.T
    distances = (a * a).sum(1, keepdims=True) - 2 * (a @ b.T) + (b * b).sum(1)
    nearest = np.argpartition(distances, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    votes = (labels[nearest][..., None] == np.arange(DIGITS)).sum(1)
    predicted: Array = votes.argmax(1)
    return predicted


# --- a model that learns ----------------------------------------------------------------


def untrained(pixels: int) -> nn.Sequential:
    """A model of one hidden layer."""
    return nn.Sequential(nn.Linear(pixels, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, DIGITS))


def train(model: nn.Module, split: Split, batches: list[list[Tensor]], show: bool) -> float:
    """Teaches a model with Adam, and returns its accuracy on digits that it has not seen."""
    optimizer = optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for epoch, of_epoch in enumerate(batches, 1):
        total = 0.0
        for batch in of_epoch:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(split.points[batch]), split.labels[batch])
            loss.backward()
            optimizer.step()
            total += loss.item()
        if show and (epoch == 1 or epoch % 4 == 0):
            known = share_of(model, split)
            print(f"{epoch:>8}{total / len(of_epoch):>12.4f}{known:>12.4f}", flush=True)
    return share_of(model, split)


def share_of(model: nn.Module, split: Split) -> float:
    """How many of the digits that it has not seen a model knows."""
    with opwright.no_grad():
        hits = model(split.unseen).argmax(1) == split.truth
    return float(hits.float().mean().item())


class ByHand:
    """The same model in numpy, with its gradients."""

    def __init__(self, parameters: list[Array]) -> None:
        self.parameters = [it.copy() for it in parameters]
        self.means = [np.zeros_like(it) for it in parameters]
        self.squares = [np.zeros_like(it) for it in parameters]
        self.steps = 0

    def forward(self, points: Array) -> tuple[Array, Array]:
        """The hidden layer, and a number for each digit."""
        weight1, bias1, weight2, bias2 = self.parameters
        hidden = np.maximum(points @ weight1.T + bias1, 0)
        return hidden, hidden @ weight2.T + bias2

    def gradients(self, points: Array, labels: Array) -> list[Array]:
        """Those of the mean cross entropy."""
        hidden, scores = self.forward(points)
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        chances[np.arange(len(labels)), labels] -= 1
        chances /= len(labels)
        back = (chances @ self.parameters[2]) * (hidden > 0)
        return [back.T @ points, back.sum(0), chances.T @ hidden, chances.sum(0)]

    def step(self, gradients: list[Array]) -> None:
        """Adam."""
        self.steps += 1
        rate = LEARNING_RATE / (1 - 0.9**self.steps)
        bias = np.sqrt(1 - 0.999**self.steps)
        lists = zip(self.parameters, gradients, self.means, self.squares, strict=True)
        for parameter, gradient, mean, square in lists:
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            parameter -= (rate * mean / (np.sqrt(square) / bias + 1e-8)).astype(parameter.dtype)


def train_by_hand(start: list[Array], split: Split, batches: list[list[Tensor]]) -> float:
    """Teaches the model in numpy, from the same start with the same batches."""
    points, labels, unseen, truth = split.arrays()
    model = ByHand(start)
    for of_epoch in batches:
        for batch in of_epoch:
            at = batch.numpy()
            model.step(model.gradients(points[at], labels[at]))
    return float(np.mean(model.forward(unseen)[1].argmax(1) == truth))


# --- what is shown ------------------------------------------------------------------------


def best_time(run: Callable[[], Result], repeats: int = 5) -> tuple[Result, float]:
    """The result, and the shortest time that it took, in milliseconds."""
    times = []
    while True:
        start = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - start)
        if len(times) >= repeats:
            return result, min(times) * 1000


def print_row(name: str, accuracy: float, milliseconds: float) -> None:
    """Prints how good and how fast somebody was."""
    print(f"{name:<10} {accuracy:>9.4f} {milliseconds:>7.1f} ms")


def show_neighbours(points: Tensor, labels: Tensor, generator: opwright.Generator) -> float:
    """Classifies a held-out third, and returns the accuracy."""
    order = opwright.rand(len(points), generator=generator).argsort()
    split = Split.of(points, labels, order, len(points) // 3)
    start = opwright.randn(AXES, points.shape[1], dtype=points.dtype, generator=generator)
    data = (split.points, split.labels, split.unseen, start)
    arrays = tuple(tensor.numpy() for tensor in data)

    predicted, milliseconds = best_time(lambda: with_opwright(*data))
    accuracy = (predicted == split.truth).sum().item() / len(split.truth)
    predicted_by_numpy, milliseconds_of_numpy = best_time(lambda: with_numpy(*arrays))
    accuracy_of_numpy = float(np.mean(predicted_by_numpy == split.truth.numpy()))
    agreeing = int((predicted.numpy() == predicted_by_numpy).sum())

    print(f"{len(split.points)} digits to learn from, {len(split.truth)} held out")
    print(f"{AXES} of {points.shape[1]} dimensions kept, {NEIGHBOURS} neighbours vote\n")
    print(f"{'':<10} {'accuracy':>9} {'time':>10}")
    print_row("opwright", accuracy, milliseconds)
    print_row("numpy", accuracy_of_numpy, milliseconds_of_numpy)
    print(f"\nThey agree on {agreeing} of {len(split.truth)} digits.")
    return float(accuracy)


def lessons(points: Tensor, labels: Tensor) -> tuple[Split, list[list[Tensor]]]:
    """A fifth of the digits is held out; of the others, the batches of each round."""
    opwright.manual_seed(SEED)
    generator = opwright.Generator()
    generator.manual_seed(SEED)
    order = opwright.rand(len(points), generator=generator).argsort()
    split = Split.of(points.float(), labels, order, len(points) // 5)
    count = len(split.points)
    batches = [
        list(opwright.rand(count, generator=generator).argsort().split(BATCH))
        for _ in range(EPOCHS)
    ]
    return split, batches


def show_training(points: Tensor, labels: Tensor) -> float:
    """Teaches a model, tests it on a held-out fifth, and returns the accuracy."""
    split, batches = lessons(points, labels)
    model = untrained(points.shape[1])
    start = [it.detach().numpy().copy() for it in model.parameters()]
    count = len(split.points)
    print(f"\nA model of {HIDDEN} hidden numbers learns {count} digits in {EPOCHS} rounds:\n")
    print(f"{'round':>8}{'loss':>12}{'accuracy':>12}")
    begin = time.perf_counter()
    accuracy = train(model, split, batches, show=True)
    middle = time.perf_counter()
    by_hand = train_by_hand(start, split, batches)
    end = time.perf_counter()
    print(f"\n{'':<10} {'accuracy':>9} {'time':>10}")
    print_row("opwright", accuracy, (middle - begin) * 1000)
    print_row("numpy", by_hand, (end - middle) * 1000)
    print(f"\nThat is on {len(split.truth)} held-out digits; numpy's gradients are by hand.")
    return accuracy


def main() -> None:
    """Prints accuracy and time of both."""
    digits = load_digits()
    points, labels = opwright.from_numpy(digits.data), opwright.from_numpy(digits.target)
    generator = opwright.Generator()
    generator.manual_seed(0)
    accuracies = [
        show_neighbours(points, labels, generator),
        show_training(points, labels),
    ]
    if min(accuracies) < REQUIRED_ACCURACY:
        sys.exit(f"the accuracy should be at least {REQUIRED_ACCURACY}")


if __name__ == "__main__":
    main()
