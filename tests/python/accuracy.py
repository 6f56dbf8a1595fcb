"""How far results of functions are from the exact ones, in units of the last place.

The exact ones are calculated in numpy's `longdouble`, which has 64 bits on x86-64. How far
results may be off is said by the rows `[[accuracy]]` of `ops/src`.

Usage: accuracy.py [STEP] [--out FILE]

Prints a table of every STEP-th `float32`, and of as many `float64`, for each set of instructions
that the processor has. With a file, they are kept there: `docs/data/accuracy.json` is what the
guide shows.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import opwright as ow
from exact_special import EXACT as EXACT_SPECIAL
from rows import rows
from test_levels import LEVELS

sys.path.append(str(Path(__file__).parents[2] / "xtask/site"))
import measurements
from measurements import Exactness, Level

Long = npt.NDArray[np.longdouble]
Numbers = npt.NDArray[Any]

# Whether `longdouble` has enough bits to tell what is exact.
IS_EXACT = np.finfo(np.longdouble).nmant >= 63
DTYPES = ("float32", "float64")
STEP = 4099
# So many numbers at once.
BLOCK = 1 << 18
LINES = 1000
PI = 4 * np.arctan(np.longdouble(1))


# --- exact functions that numpy does not have -------------------------------------------------


def erf_by_series(x: Long) -> Long:
    """The error function by terms of one sign, for what is not large."""
    term = total = x
    for n in range(1, 60):
        term = term * (2 * x * x / (2 * n + 1))
        total = total + term
    return 2 / np.sqrt(PI) * np.exp(-x * x) * total


def erfc_by_fraction(x: Long) -> Long:
    """Its complement by a continued fraction, for what is not small."""
    below = x
    for n in range(150, 0, -1):
        below = x + np.longdouble(n) / 2 / below
    # What is lost of a square counts where it is large.
    head = x.astype(np.float32).astype(np.longdouble)
    power = np.exp(-head * head) * np.exp(-(x - head) * (x + head))
    return power / below / np.sqrt(PI)


def erfc(x: Long) -> Long:
    """One less the error function."""
    a = np.minimum(np.abs(x), 120)
    far = erfc_by_fraction(np.maximum(a, 2))
    near = erf_by_series(np.minimum(a, 2))
    result = np.where(x < 0, np.where(a < 2, 1 + near, 2 - far), np.where(a < 2, 1 - near, far))
    return np.where(np.isnan(x), x, result)


def erf(x: Long) -> Long:
    """The error function."""
    a = np.minimum(np.abs(x), 120)
    near = erf_by_series(np.minimum(a, 2))
    far = 1 - erfc_by_fraction(np.maximum(a, 2))
    return np.where(np.isnan(x), x, np.copysign(np.where(a < 2, near, far), x))


def sigmoid(x: Long) -> Long:
    """The share of `exp(x)` in `1 + exp(x)`."""
    return 1 / (1 + np.exp(-x))


def gelu(x: Long) -> Long:
    """`x` times the share of a normal distribution that is below."""
    return x * erfc(-x / np.sqrt(np.longdouble(2))) / 2


def softplus(x: Long) -> Long:
    """`log(1 + exp(x))`, and `x` from 20 on."""
    return np.where(x > 20, x, np.log1p(np.exp(x)))


def softmax(x: Long) -> Long:
    """Exponentials of rows by their sums."""
    powers = np.exp(x - x.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def logsumexp(x: Long) -> Long:
    """Logarithms of sums of exponentials of rows."""
    greatest = x.max(1, keepdims=True)
    return np.log(np.exp(x - greatest).sum(1)) + greatest[:, 0]


# --- functions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Function:
    """An operator and what it calculates, of one or two numbers or of rows of them."""

    name: str
    exact: Callable[..., Long]
    # The most units of the last place that it may be off, of each dtype.
    most: float
    of: str = "numbers"
    # Of numbers that are greater, or less than its opposite, nothing is said.
    up_to: float = np.inf
    # Nor of lesser ones than this.
    down_to: float = -np.inf

    def __call__(self, *tensors: ow.Tensor) -> ow.Tensor:
        """What the operator makes of them."""
        arguments = (*tensors, 1) if self.of == "rows" else tensors
        name = self.name.removeprefix("special_")
        home = ow if hasattr(ow, self.name) else ow.nn.functional
        result: ow.Tensor = getattr(ow.special if name != self.name else home, name)(*arguments)
        return result


# Exact functions, by the base names of operators.
EXACT: dict[str, Callable[..., Long]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "atan2": np.arctan2,
    "hypot": np.hypot,
    "pow": np.power,
    "erf": erf,
    "erfc": erfc,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x),
    "gelu": gelu,
    "softplus": softplus,
    "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "softmax": softmax,
    "logsumexp": logsumexp,
    **EXACT_SPECIAL,
}


def functions() -> tuple[Function, ...]:
    """Those of the rows `[[accuracy]]`, in the order of the exact ones.

    Raises:
        ValueError: A function has no row, or a row no function.
    """
    found = {}
    for place, row in rows("accuracy"):
        name = row["op"].partition(".")[0]
        others = {key: it for key, it in row.items() if key not in ("op", "ulp", "about")}
        if name not in EXACT or name in found or not others.keys() <= {"of", "up_to", "down_to"}:
            raise ValueError(f"{place}: no exact function, a second row, or an unknown key: {row}")
        found[name] = Function(name, EXACT[name], row["ulp"], **others)
    if lacking := EXACT.keys() - found.keys():
        raise ValueError(f"no rows of {lacking}")
    return tuple(found[name] for name in EXACT)


FUNCTIONS = functions()


# --- numbers ----------------------------------------------------------------------------------


def numbers(dtype: str, step: int) -> Iterator[Numbers]:
    """Every so manieth `float32`, or as many `float64`: of all sizes, and more of usual ones."""
    rng = np.random.default_rng(step)
    for start in range(0, 1 << 32, BLOCK * step):
        if dtype == "float32":
            places = np.arange(start, min(start + BLOCK * step, 1 << 32), step)
            yield places.astype(np.uint32).view(np.float32)
        else:
            usual = rng.uniform(-1, 1, BLOCK // 2) * 10.0 ** rng.integers(-4, 4, BLOCK // 2)
            places = rng.integers(0, 1 << 64, BLOCK // 2, dtype=np.uint64)
            yield np.concatenate([usual, places.view(np.float64)])


def arguments(function: Function, dtype: str, step: int) -> Iterator[tuple[Numbers, ...]]:
    """What a function is called with."""
    rng = np.random.default_rng(step)
    for x in numbers(dtype, step):
        usual = x[(np.abs(x) <= function.up_to) & (x >= function.down_to)]
        if function.of == "rows":
            count = len(x) // LINES * LINES
            yield (rng.uniform(-10, 10, count).astype(dtype).reshape(-1, LINES),)
        elif function.of == "numbers":
            yield (usual,)
        elif function.name == "pow":
            # So that powers are neither 0 nor infinite.
            base = np.abs(usual[usual != 0])
            with np.errstate(all="ignore"):
                ends = 80 / np.maximum(np.abs(np.log(base)), 0.01)
            yield base, (rng.uniform(-1, 1, len(base)) * ends).astype(dtype)
        else:
            # Of like size, so that neither vanishes beside the other.
            with np.errstate(all="ignore"):
                yield usual, (usual * rng.uniform(-2, 2, len(usual))).astype(dtype)


# --- distances --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worst:
    """The greatest distance, and of which arguments."""

    units: float
    where: tuple[float, ...]


def distances(found: Numbers, exact: Numbers) -> Numbers:
    """In units of the last place; none where both are infinite, or no numbers."""
    nearest = exact.astype(found.dtype)
    unit = np.spacing(np.abs(nearest)).astype(exact.dtype)
    away = np.abs(found.astype(exact.dtype) - exact) / unit
    is_same = (found == nearest) & ~np.isfinite(nearest) | np.isnan(found) & np.isnan(nearest)
    is_other = ~np.isfinite(nearest) | ~np.isfinite(found)
    return np.where(is_same, 0, np.where(is_other, np.inf, away))


def worst(function: Function, dtype: str, step: int) -> Worst:
    """How far a function is off at most."""
    result = Worst(0.0, ())
    for arrays in arguments(function, dtype, step):
        with np.errstate(all="ignore"):
            found = function(*(ow.from_numpy(it) for it in arrays)).numpy()
            away = distances(found, function.exact(*(it.astype(np.longdouble) for it in arrays)))
        if away.size == 0:
            continue
        place = np.unravel_index(np.argmax(away), away.shape)
        if away[place] > result.units:
            where = () if function.of == "rows" else tuple(float(it[place]) for it in arrays)
            result = Worst(float(away[place]), where)
    return result


def shown(found: Worst) -> str:
    """The distance, and where it is."""
    places = ", ".join(f"{it:.9g}" for it in found.where)
    return f"{found.units:.2f} | {places or 'a row'}"


def level() -> str:
    """The set of instructions that is used."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        ow.show_config()
    lines = said.getvalue().splitlines()
    return next(it for it in lines if it.startswith("instructions: ")).split()[1]


def main(step: int, out: Path | None) -> None:
    """Prints a table for the greatest set of instructions and each below it, and may keep them."""
    levels: list[Level] = []
    for name in LEVELS[LEVELS.index(level()) :: -1]:
        print(f"\nWith `OPWRIGHT_CPU={name}`:\n", flush=True)
        command = [sys.executable, __file__, str(step), "--alone"]
        environment = {**os.environ, "OPWRIGHT_CPU": name}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as table:
            assert table.stdout is not None
            lines = [passed_on(it) for it in table.stdout]
        if table.returncode != 0:
            raise subprocess.CalledProcessError(table.returncode, command)
        levels.append({"instructions": name, "functions": [recorded(it) for it in lines[2:]]})
    if out is not None:
        measurements.write(out, {"step": step, "levels": levels})


def passed_on(line: str) -> str:
    """Prints a line at once."""
    print(line, end="", flush=True)
    return line


def recorded(line: str) -> Exactness:
    """A row of the table as it is kept."""
    name, first, at_first, second, at_second = (it.strip() for it in line.strip("|\n").split("|"))
    return {
        "name": name.strip("`"),
        "float32": {"ulp": float(first), "where": at_first},
        "float64": {"ulp": float(second), "where": at_second},
    }


def print_table(step: int) -> None:
    """Prints the table of the set of instructions that is used."""
    print("| function | `float32` | where | `float64` | where |")
    print("|---|---|---|---|---|")
    for function in FUNCTIONS:
        cells = " | ".join(shown(worst(function, it, step)) for it in DTYPES)
        print(f"| `{function.name}` | {cells} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measures how exact functions are.")
    parser.add_argument("step", type=int, nargs="?", default=STEP)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--alone", action="store_true", help="with the instructions in use alone")
    args = parser.parse_args()
    if args.alone:
        print_table(args.step)
    else:
        main(args.step, args.out)
