"""Files of measurements: what benchmarks record, and pages and plots show.

They stand in `docs/data`: `calls.json`, `kernels.json`, `accuracy.json`.
`cargo xtask bench --record` writes them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypedDict

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/data"


class Call(TypedDict):
    """What a call costs in each library, in nanoseconds."""

    call: str
    nanoseconds: dict[str, int]


class Calls(TypedDict):
    """What calls cost."""

    machine: str
    calls: list[Call]


class Family(TypedDict):
    """Workloads of a family beside the fastest other library: ratios of times."""

    name: str
    as_fast: int
    of: int
    mean: float
    worst: float
    workload: str


class Kernels(TypedDict):
    """How fast kernels are."""

    machine: str
    threads: int
    peers: dict[str, str]
    families: list[Family]
    all: Family


class Distance(TypedDict):
    """The greatest distance from the exact result, in units of the last place, and its argument."""

    ulp: float
    where: str


class Exactness(TypedDict):
    """How exact a function is in each dtype."""

    name: str
    float32: Distance
    float64: Distance


class Level(TypedDict):
    """How exact functions are with a set of instructions."""

    instructions: str
    functions: list[Exactness]


class Accuracy(TypedDict):
    """How exact functions are; one of `step` numbers was looked at."""

    step: int
    levels: list[Level]


def calls() -> Calls:
    """What is recorded of calls."""
    found: Calls = read("calls")
    return found


def kernels() -> Kernels:
    """What is recorded of kernels."""
    found: Kernels = read("kernels")
    return found


def accuracy() -> Accuracy:
    """What is recorded of the exactness of functions."""
    found: Accuracy = read("accuracy")
    return found


def read(name: str) -> Any:
    """A file of measurements."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def write(path: Path, measured: object) -> None:
    """Writes a file of measurements, a row a line, so that changes can be read."""
    path.write_text(text(measured) + "\n", encoding="utf-8")


def text(value: object, indent: str = "") -> str:
    """JSON in which what fits a line stands on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= 160 or not isinstance(value, dict | list):
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {text(it, inner)}" for key, it in value.items()]
        first, last = "{", "}"
    else:
        parts = [text(it, inner) for it in value]
        first, last = "[", "]"
    return f"{first}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{last}"
