"""Reads with numpy what files.c has written, and writes files for it to read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

NAMES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
SHORT = ["BOOL", "U8", "I8", "I16", "I32", "I64", "F16", "F32", "F64", "C64"]


def counted(name: str) -> np.ndarray[Any, Any]:
    """The array of a dtype that both sides write."""
    return np.arange(6).astype(name).reshape(3, 2).T


def check(found: np.ndarray[Any, Any], name: str) -> None:
    """Compare an array with it."""
    np.testing.assert_array_equal(found, counted(name), strict=True)


def read(folder: Path) -> None:
    """Compare what the program in C has written."""
    with np.load(folder / "all.npz", allow_pickle=False) as archive:
        assert archive.files == NAMES
        for name in NAMES:
            check(np.load(folder / f"{name}.npy", allow_pickle=False), name)
            check(archive[name], name)
    data = (folder / "all.safetensors").read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    assert list(header) == NAMES[:-1] and start % 8 == 0
    for name, short in zip(NAMES, SHORT, strict=False):
        entry = header[name]
        assert (entry["dtype"], entry["shape"]) == (short, [2, 3])
        begin, end = entry["data_offsets"]
        elements = np.frombuffer(data[start + begin : start + end], name)
        check(elements.reshape(2, 3), name)
    assert not (folder / "none.safetensors").exists()


def write(folder: Path) -> None:
    """Write what the program in C reads, and what it refuses."""
    arrays = {name: counted(name) for name in NAMES}
    for at, (name, array) in enumerate(arrays.items()):
        # In both orders of bytes, and of elements.
        order = ">" if at % 2 else "<"
        array = array.astype(array.dtype.newbyteorder(order))
        np.save(folder / f"{name}.npy", array if at % 3 else np.ascontiguousarray(array))
    np.savez(folder / "all.npz", **arrays)
    np.savez_compressed(folder / "compressed.npz", **arrays)
    np.save(folder / "objects.npy", np.array([None, {}], object), allow_pickle=True)
    safetensors(folder / "all.safetensors", list(arrays.items())[:-1])
    broken(folder)


def safetensors(path: Path, arrays: list[tuple[str, np.ndarray[Any, Any]]]) -> None:
    """Write a file as its description says, by hand."""
    header: dict[str, Any] = {"__metadata__": {"made by": "hand"}}
    data = b""
    for (name, array), short in zip(arrays, SHORT, strict=True):
        place = [len(data), len(data) + array.nbytes]
        header[name] = {"dtype": short, "shape": list(array.shape), "data_offsets": place}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def broken(folder: Path) -> None:
    """Write files that end too early, and one that claims too much."""
    for name in ["float64.npy", "all.npz"]:
        whole = (folder / name).read_bytes()
        (folder / f"cut{Path(name).suffix}").write_bytes(whole[: len(whole) - 30])
    whole = (folder / "float64.npy").read_bytes()
    huge = whole.replace(b"(2, 3), }" + b" " * 10, b"(2, 30000000000), }")
    assert huge != whole
    (folder / "huge.npy").write_bytes(huge)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    read(folder)
    write(folder)
