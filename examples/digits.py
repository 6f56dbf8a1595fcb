"""Handwritten digits: principal components and k nearest neighbours, with opwright alone.

scikit-learn lends only its data set, 1,797 digits of 8 by 8 pixels.
The same computation in numpy stands beside it, to compare results and time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import opwright
from opwright import Tensor
from sklearn.datasets import load_digits

Result = TypeVar("Result")
Array = np.ndarray[Any, np.dtype[Any]]

AXES = 30
ROUNDS = 20
NEIGHBOURS = 3
DIGITS = 10
REQUIRED_ACCURACY = 0.97


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


def best_time(run: Callable[[], Result], repeats: int = 5) -> tuple[Result, float]:
    """The result, and the shortest time that it took, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - start)
    return result, min(times) * 1000


def main() -> None:
    """Prints accuracy and time on a held-out third of the digits."""
    digits = load_digits()
    points, labels = opwright.from_numpy(digits.data), opwright.from_numpy(digits.target)

    generator = opwright.Generator()
    generator.manual_seed(0)
    order = opwright.rand(len(points), generator=generator).argsort()
    held_out, rest = order[: len(points) // 3], order[len(points) // 3 :]
    start = opwright.randn(AXES, points.shape[1], dtype=points.dtype, generator=generator)

    data = (points[rest], labels[rest], points[held_out], start)
    arrays = tuple(tensor.numpy() for tensor in data)
    truth = labels[held_out]

    predicted, milliseconds = best_time(lambda: with_opwright(*data))
    accuracy = (predicted == truth).sum().item() / len(truth)
    predicted_by_numpy, milliseconds_of_numpy = best_time(lambda: with_numpy(*arrays))
    accuracy_of_numpy = float(np.mean(predicted_by_numpy == truth.numpy()))
    agreeing = int((predicted.numpy() == predicted_by_numpy).sum())

    print(f"{len(rest)} digits to learn from, {len(held_out)} held out")
    print(f"{AXES} of {points.shape[1]} dimensions kept, {NEIGHBOURS} neighbours vote\n")
    print(f"{'':<10} {'accuracy':>9} {'time':>10}")
    print(f"{'opwright':<10} {accuracy:>9.4f} {milliseconds:>7.1f} ms")
    print(f"{'numpy':<10} {accuracy_of_numpy:>9.4f} {milliseconds_of_numpy:>7.1f} ms")
    print(f"\nThey agree on {agreeing} of {len(held_out)} digits.")
    if accuracy < REQUIRED_ACCURACY:
        sys.exit(f"the accuracy should be at least {REQUIRED_ACCURACY}")


if __name__ == "__main__":
    main()
