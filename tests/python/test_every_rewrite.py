"""Every exact rewrite gives the same bits: all pairs of dtypes, special values, signs of zeros.

`OPWRIGHT_EVERY=1` tries all dtypes, otherwise those of a sample are tried.
"""

import ast
import itertools
import os
import warnings
from pathlib import Path

import numpy as np
import opwright as ow
import pytest

RULES = Path(__file__).resolve().parents[2] / "rewrites.yaml"
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -3.0, 1e-40, -1e-40, 3e38, float("inf"), float("-inf"),
           float("nan")]  # fmt: skip
SAMPLE = ["float32", "float64", "complex64", "int32", "bool"]
ALL = [*SAMPLE, "float16", "bfloat16", "complex128", "uint8", "int8", "int16", "int64"]
DTYPES = ALL if os.environ.get("OPWRIGHT_EVERY") else SAMPLE
NUMBERS = [0, 1, -1, 2, 4, 3, 0.0, -0.0, 0.5, 1.0, 2.0, -4.0, True, 0j, complex(0.0, -0.0), 1 + 0j]


# What moves elements, or is made of what other tests compare.
MOVES = {"t", "transpose", "reshape", "view", "squeeze", "unsqueeze", "expand", "broadcast_to",
         "shape", "linear", "cross_entropy_loss"}  # fmt: skip


def calculates(pattern):
    """Whether a pattern calculates with elements."""
    tree = ast.parse(pattern, mode="eval")
    functions = [it.func for it in ast.walk(tree) if isinstance(it, ast.Call)]
    names = {it.value.id if isinstance(it, ast.Attribute) else it.id for it in functions}
    return not names & MOVES


def rules():
    """Name and pattern of each rule that is exact."""
    found, name, pattern, approximate = [], None, None, False
    lines = RULES.read_text().splitlines()
    for line in [*lines, "- name: end"]:
        if line.startswith("- name:"):
            if name and pattern and not approximate and calculates(pattern):
                found.append((name, pattern))
            name, pattern, approximate = line.split(":", 1)[1].strip(), None, False
        elif line.strip().startswith("pattern:"):
            pattern = line.split(":", 1)[1].strip().strip("\"'")
        elif line.strip().startswith("approx: True"):
            approximate = True
    return found


def names_in(tree):
    """What stands for variables, in order of appearance."""
    called = {id(it.func) for it in ast.walk(tree) if isinstance(it, ast.Call)}
    called |= {id(it.value) for it in ast.walk(tree) if isinstance(it, ast.Attribute)}
    names = [it.id for it in ast.walk(tree) if isinstance(it, ast.Name) and id(it) not in called]
    return list(dict.fromkeys(names))


def built(tree, values):
    """The value of a pattern."""
    if isinstance(tree, ast.Expression):
        return built(tree.body, values)
    if isinstance(tree, ast.Name):
        return values[tree.id]
    if isinstance(tree, ast.Call):
        name = tree.func.value.id if isinstance(tree.func, ast.Attribute) else tree.func.id
        args = [built(it, values) for it in tree.args]
        kwargs = {it.arg: built(it.value, values) for it in tree.keywords}
        return getattr(ow, name)(*args, **kwargs)
    return ast.literal_eval(tree)


def tensor(dtype, column):
    """Special values, along another dimension for each variable."""
    if dtype == "bool":
        values = np.array([True, False])
    elif "complex" in dtype:
        parts = SPECIAL[:8] + SPECIAL[9:]
        values = np.array([complex(a, b) for a in parts for b in parts])
    elif "float" in dtype:
        values = np.array(SPECIAL)
    else:
        values = np.array([0, 1, 2, 3, 100] + ([] if dtype == "uint8" else [-1, -100, -128]))
    with np.errstate(all="ignore"):
        made = ow.tensor(values).to(getattr(ow, dtype))
    return made.reshape(-1, 1) if column else made


def bits(value):
    value = value if isinstance(value, ow.Tensor) else ow.tensor(value)
    kept = value.to(ow.float32) if value.dtype == ow.bfloat16 else value
    array = kept.contiguous().numpy().reshape(-1)
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag])
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return str(value.dtype), tuple(value.shape), array.tobytes()


def calls(names):
    """Values and variables for the names of a pattern."""
    kinds = [*DTYPES, *(repr(it) for it in NUMBERS)]
    for chosen in itertools.product(range(len(kinds)), repeat=len(names)):
        values = [
            tensor(DTYPES[it], at) if it < len(DTYPES) else NUMBERS[it - len(DTYPES)]
            for at, it in enumerate(chosen)
        ]
        if any(isinstance(it, ow.Tensor) for it in values):
            yield [kinds[it] for it in chosen], dict(zip(names, values, strict=True))


@pytest.mark.parametrize(("name", "pattern"), rules())
def test_exact_rewrites_give_the_same_bits(name, pattern):
    """With the rules and without."""
    tree = ast.parse(pattern, mode="eval")
    names = names_in(tree)
    wrong, tried = [], 0
    for kinds, values in calls(names):
        variables, given, passed = {}, [], []
        for key, value in values.items():
            variables[key] = value
            if isinstance(value, ow.Tensor):
                variables[key] = ow.TensorType(value.dtype, tuple(value.shape))(key)
                given.append(variables[key])
                passed.append(value)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                y = built(tree, variables)
                plain = ow.function(given, y, mode=ow.Mode("block", optimizer="none"))
                expected = bits(plain(*passed))
        except (TypeError, ValueError, RuntimeError, NotImplementedError, OverflowError):
            continue
        tried += 1
        safe = ow.function(given, y, mode=ow.Mode("block", optimizer="safe"))
        if bits(safe(*passed)) != expected:
            wrong.append(kinds)
    assert not wrong, f"{name} changes {pattern} of {wrong}"
    assert tried or not names, f"no call was found for {pattern}"
