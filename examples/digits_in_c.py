"""Hands the digits of digits.py to digits.c, and compares what both take them for.

`python digits_in_c.py PROGRAM FOLDER`: the program is digits.c, compiled; what it reads and writes
is in the folder.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import opwright
from digits import AXES, REQUIRED_ACCURACY, Array, Split, with_opwright
from sklearn.datasets import load_digits


def write(path: Path, array: Array) -> None:
    """Two sizes, then the elements."""
    columns = array.shape[1] if array.ndim == 2 else 1
    sizes = np.array([len(array), columns], dtype=np.int64)
    path.write_bytes(sizes.tobytes() + np.ascontiguousarray(array).tobytes())


def main(program: str, folder: Path) -> None:
    """Prints on how many digits both agree, and fails if that is not all of them."""
    digits = load_digits()
    points, labels = opwright.from_numpy(digits.data), opwright.from_numpy(digits.target)
    generator = opwright.Generator()
    generator.manual_seed(0)
    order = opwright.rand(len(points), generator=generator).argsort()
    split = Split.of(points, labels, order, len(points) // 3)
    start = opwright.randn(AXES, points.shape[1], dtype=points.dtype, generator=generator)
    folder.mkdir(parents=True, exist_ok=True)
    names = ["known", "labels", "unseen", "truth", "start"]
    for name, array in zip(names, [*split.arrays(), start.numpy()], strict=True):
        write(folder / name, array)
    subprocess.run([program, str(folder)], check=True)
    in_c = np.fromfile(folder / "predicted", dtype=np.int64)
    predicted = with_opwright(split.points, split.labels, split.unseen, start).numpy()
    agreeing = int((in_c == predicted).sum())
    accuracy = float((predicted == split.truth.numpy()).mean())
    print(f"in Python: accuracy {accuracy:.4f}")
    print(f"\nThey agree on {agreeing} of {len(predicted)} digits.")
    if agreeing != len(predicted) or accuracy < REQUIRED_ACCURACY:
        sys.exit("the program in C takes digits for others")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
