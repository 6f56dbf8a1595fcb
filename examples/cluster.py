"""Points that no worker could hold: a model and clusters of them, by two processes.

The points are drawn chunk by chunk where they are needed, so that only a few chunks are in memory
at any time. Each step of either fit sees all of them: a step is one graph of dask, whose chunks are
tensors. If a worker dies, dask makes what it had again on another one.

The picture of both is written to the file that is named, or to `cluster.svg`: how the loss fell,
and some of the points in the colors of their clusters.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import dask.array as da
import opwright
import opwright.dask
from distributed import Client, LocalCluster, progress
from opwright import Tensor, ops

FEATURES = 16
MEMORY_LIMIT = 400 << 20
# A quarter more than a worker may have: elements are of eight bytes.
ROWS = MEMORY_LIMIT * 5 // 4 // (8 * FEATURES)
CHUNK = 1 << 17
SAMPLE = 600
STEPS = 6
LEARNING_RATE = 2.0
CLUSTERS = ((-4.0, -2.0), (0.0, 4.0), (4.0, -2.0))
REQUIRED_ACCURACY = 0.95
COLORS = ("#b5402a", "#2a6fb5", "#3d8a3d")


def points(rows: int = ROWS, chunk: int = CHUNK) -> Any:
    """Points around the centers, of which only the first two coordinates tell them apart."""
    sizes = da.core.normalize_chunks((chunk, FEATURES), (rows, FEATURES))
    return da.map_blocks(
        draw, chunks=sizes, dtype="float64", meta=opwright.empty(0, 0, dtype=opwright.float64)
    )


def draw(block_info: Any = None) -> Tensor:
    """The points of a chunk: the same ones each time, whichever worker draws them."""
    chunk = block_info[None]
    random = opwright.random.default_rng(chunk["chunk-location"])
    drawn: Tensor = random.standard_normal(chunk["chunk-shape"])
    drawn[:, :2] += true_centers()[random.integers(len(CLUSTERS), size=len(drawn))]
    return drawn


def true_centers() -> Tensor:
    """The centers around which the points lie."""
    return opwright.tensor(CLUSTERS, dtype=opwright.float64)


def computed(array: Any, shows_progress: bool = True) -> Any:
    """The values of arrays, with dask's bar while they are calculated."""
    futures = Client.current().compute(array)
    if shows_progress:
        progress(futures, notebook=False)
        print()
    return Client.current().gather(futures)


def fit(x: Any, shows_progress: bool = True) -> tuple[Tensor, list[float]]:
    """Logistic regression: which points lie above a plane, by gradient descent over all of them.

    Returns the weights, and the loss before each step.
    """
    above = (x @ plane() > 0).astype("float64")
    weights, losses = opwright.zeros(FEATURES, dtype=opwright.float64), []
    for _ in range(STEPS):
        found = x @ weights
        error = opwright.dask.map(ops.sigmoid, found) - above
        # Of one sign for each side: the logarithm of the chance that the model gives to the truth.
        loss = opwright.dask.map(ops.softplus, found * (1 - 2 * above)).mean()
        loss, gradient = computed([loss, x.T @ error / len(x)], shows_progress)
        weights = weights - LEARNING_RATE * gradient
        losses.append(float(loss))
    return weights, losses


def plane() -> Tensor:
    """The weights by which points are told apart: what `fit` has to find, but for a factor."""
    truth: Tensor = opwright.random.default_rng(0).standard_normal(FEATURES)
    return truth


def nearest(x: Any, centers: Tensor) -> Any:
    """The number of the center that is closest to each point."""
    distances = (centers * centers).sum(1) - 2 * (x @ centers.T)
    return opwright.dask.map(ops.argmin, distances, 1)


def apart(sample: Tensor) -> Tensor:
    """Points to begin with: each is the one farthest from those before."""
    chosen = [0]
    while len(chosen) < len(CLUSTERS):
        distances = (sample[:, None] - sample[chosen]).square().sum(2)
        chosen.append(int(distances.amin(1).argmax()))
    return sample[chosen]


def k_means(x: Any, shows_progress: bool = True) -> Tensor:
    """The centers of clusters of points."""
    centers = apart(x[:SAMPLE].compute())
    for _ in range(STEPS):
        is_of = (nearest(x, centers)[:, None] == opwright.arange(len(centers))).astype("float64")
        sums, counts = computed([is_of.T @ x, is_of.sum(0)], shows_progress)
        # A center that no point is close to stays where it is.
        means = sums / counts.clamp(min=1)[:, None]
        centers = opwright.where(counts[:, None] > 0, means, centers)
    return centers


def picture(losses: list[float], sample: Tensor, labels: Tensor, centers: Tensor) -> str:
    """An image in SVG of the losses, and of points in the colors of their clusters."""
    steps = 300 / len(losses)
    line = " ".join(
        f"{30 + at * steps:.1f},{250 - 280 * loss:.1f}" for at, loss in enumerate(losses)
    )
    shapes = [
        f'<polyline points="{line}" fill="none" stroke="{COLORS[0]}" stroke-width="2"/>',
        '<text x="30" y="290">loss of each step over all points</text>',
        '<text x="390" y="290">some of the points, and the centers</text>',
    ]
    for (x, y), label in zip(sample[:, :2].tolist(), labels.tolist(), strict=True):
        at = f'cx="{540 + 20 * x:.1f}" cy="{150 - 16 * y:.1f}"'
        shapes.append(f'<circle {at} r="2" fill="{COLORS[label]}" fill-opacity="0.5"/>')
    for x, y in centers[:, :2].tolist():
        at = f'cx="{540 + 20 * x:.1f}" cy="{150 - 16 * y:.1f}"'
        shapes.append(f'<circle {at} r="7" fill="none" stroke="black" stroke-width="3"/>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="310">'
    return "\n".join([head, *shapes, "</svg>\n"])


def main() -> None:
    """Fits both over all points, says how well, and writes the picture."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=MEMORY_LIMIT, dashboard_address=":0"
        ) as cluster,
        Client(cluster),
    ):
        x = points()
        print(f"{x.nbytes >> 20} MiB of points, workers of {MEMORY_LIMIT >> 20} MiB")
        start = time.perf_counter()
        scale = computed(x.std(axis=0))
        weights, losses = fit(x / scale)
        centers = k_means(x)
        print(f"{2 * STEPS + 1} passes over all points in {time.perf_counter() - start:.1f} s")
        sample = x[:SAMPLE].compute()
        labels = nearest(x[:SAMPLE], centers).compute()
        scaled = sample / scale
        share = ((scaled @ weights > 0) == (scaled @ plane() > 0)).double().mean().item()
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    print(f"{share:.1%} of {len(sample)} points are on the side that the model says")
    off = (centers[:, :2].sort(0)[0] - true_centers().sort(0)[0]).abs().max().item()
    print(f"the centers are {off:.3f} from the true ones at most")
    if share < REQUIRED_ACCURACY or off > 0.1:
        sys.exit("the model or the centers should be better")
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "cluster.svg")
    path.write_text(picture(losses, sample, labels, centers), encoding="utf-8")
    print(f"the picture is in {path}")


if __name__ == "__main__":
    main()
