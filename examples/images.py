"""Handwritten digits as images: a convolutional network and a transformer.

The same lines build and train both with PyTorch, where it is installed: from the same weights and
batches, the losses are the same but for rounding. The picture of what was learned is written to the
file that is named, or to `images.svg`: how the losses fell, and the first filters of the network.

scikit-learn lends only its data set, 1,797 digits of 8 by 8 pixels.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import opwright
from sklearn.datasets import load_digits

Array = np.ndarray[Any, np.dtype[Any]]

SIZE = 8
DIGITS = 10
HELD_OUT = 359
EPOCHS = 12
BATCH = 64
LEARNING_RATE = 3e-3
SEED = 1
REQUIRED_ACCURACY = 0.9


def convolutional(nn: Any) -> Any:
    """Filters of three by three pixels in two layers, and what regions have of them."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(128, DIGITS),
    )


def transformer(nn: Any) -> Any:
    """Rows of pixels as words, that attend to each other."""

    class Rows(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embed = nn.Linear(SIZE, 32)
            self.place = nn.Embedding(SIZE, 32)
            layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, 2)
            self.head = nn.Linear(32, DIGITS)

        def forward(self, images: Any) -> Any:
            words = self.embed(images.squeeze(1)) + self.place.weight
            return self.head(self.encoder(words).mean(1))

    return Rows()


MODELS: dict[str, Callable[[Any], Any]] = {
    "convolutional network": convolutional,
    "transformer": transformer,
}


def batches(count: int) -> Iterator[Array]:
    """The numbers of the digits of each step, in an order that is the same for all."""
    draws = np.random.default_rng(SEED)
    for _ in range(EPOCHS):
        order = draws.permutation(count)
        yield from np.split(order[: count - count % BATCH], count // BATCH)


def train(library: Any, model: Any, images: Array, labels: Array) -> list[float]:
    """Trains a model of a library, and returns the loss of each step."""
    optimizer = library.optim.Adam(model.parameters(), LEARNING_RATE)
    pixels, digits = library.from_numpy(images), library.from_numpy(labels)
    losses = []
    for batch in batches(len(images)):
        numbers = library.from_numpy(batch)
        optimizer.zero_grad()
        found = model(pixels[numbers])
        loss = library.nn.functional.cross_entropy(found, digits[numbers])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def accuracy(library: Any, model: Any, images: Array, labels: Array) -> float:
    """The share of images whose digit the model finds."""
    model.eval()
    with library.no_grad():
        found = model(library.from_numpy(images)).argmax(1)
    return float((found.numpy() == labels).mean())


def with_pytorch(name: str, state: dict[str, Array], images: Array, labels: Array) -> list[float]:
    """The losses that PyTorch has from the same weights."""
    import torch  # type: ignore[import-not-found, unused-ignore]

    torch.set_num_threads(1)
    model = MODELS[name](torch.nn)
    model.load_state_dict({name: torch.from_numpy(it) for name, it in state.items()})
    return train(torch, model, images, labels)


def picture(curves: dict[str, list[float]], filters: Array) -> str:
    """An image in SVG of losses by step, and of filters as squares of three by three."""
    shapes = []
    for at, (name, losses) in enumerate(curves.items()):
        color = ("#b5402a", "#2a6fb5")[at]
        steps = 640 / len(losses)
        points = " ".join(
            f"{40 + it * steps:.1f},{220 - 70 * min(loss, 2.8):.1f}"
            for it, loss in enumerate(losses)
        )
        shapes.append(f'<polyline points="{points}" fill="none" stroke="{color}"/>')
        shapes.append(f'<text x="460" y="{40 + 20 * at}" fill="{color}">loss: {name}</text>')
    for number, one in enumerate(filters / np.abs(filters).max()):
        for (row, column), weight in np.ndenumerate(one):
            x, y = 40 + 42 * number + 12 * column, 250 + 12 * row
            shade = round(255 * (1 - abs(weight)))
            color = f"rgb(255,{shade},{shade})" if weight > 0 else f"rgb({shade},{shade},255)"
            shapes.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{color}"/>')
    shapes.append('<text x="40" y="310">the first filters: red for light, blue for dark</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="330">'
    return "\n".join([head, *shapes, "</svg>\n"])


def main() -> None:
    """Trains both models, compares them with PyTorch's, and writes the picture."""
    digits = load_digits()
    images = (digits.images / 16).astype(np.float32)[:, None]
    order = np.random.default_rng(SEED).permutation(len(images))
    unseen, rest = order[:HELD_OUT], order[HELD_OUT:]
    labels = digits.target.astype(np.int64)
    has_pytorch = importlib.util.find_spec("torch") is not None
    curves, filters = {}, np.zeros((0, 3, 3))
    for name, build in MODELS.items():
        opwright.manual_seed(SEED)
        model = build(opwright.nn)
        state = {name: it.numpy().copy() for name, it in model.state_dict().items()}
        start = time.perf_counter()
        curves[name] = train(opwright, model, images[rest], labels[rest])
        seconds = time.perf_counter() - start
        share = accuracy(opwright, model, images[unseen], labels[unseen])
        print(f"{name}: {len(curves[name])} steps in {seconds:.2f} s")
        print(f"  loss {curves[name][0]:.4f} at first, {np.mean(curves[name][-10:]):.4f} at last")
        print(f"  {share:.1%} of {HELD_OUT} other digits are recognised")
        if has_pytorch:
            start = time.perf_counter()
            theirs = with_pytorch(name, state, images[rest], labels[rest])
            seconds = time.perf_counter() - start
            apart = max(abs(a - b) for a, b in zip(curves[name][:20], theirs, strict=False))
            print(f"  PyTorch: {seconds:.2f} s; losses of 20 steps differ by {apart:.1e} at most")
        if share < REQUIRED_ACCURACY:
            sys.exit(f"the {name} should recognise {REQUIRED_ACCURACY:.0%}")
        if name == "convolutional network":
            filters = model[0].weight.detach().numpy()[:, 0]
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "images.svg")
    path.write_text(picture(curves, filters), encoding="utf-8")
    print(f"the picture is in {path}")


if __name__ == "__main__":
    main()
