"""Recorded cases of compiled functions, run against this module.

The recordings are not part of the project; they are looked for beside its folder, together with
the program that judges them.
"""

from __future__ import annotations

import importlib.util
import math
import operator
import warnings
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import types
from opwright._jit import errors, typeof
from recorded import FOLDER, load

NAME = "extending_cases.json"


def of(category: str) -> list[Any]:
    """The cases of a category, as parameters of a test; one that is skipped if there are none."""
    cases = [it for it in load(NAME).get("cases", ()) if it["category"] == category]
    if not cases or not (FOLDER / "run_extending.py").exists():
        return [pytest.param(None, id=category, marks=pytest.mark.skip(f"{NAME} is not there"))]
    return [pytest.param(it, id=it["id"]) for it in cases]


def wrong(case: dict[str, Any], folder: Path) -> str | None:
    """What differs from what was recorded; nothing if nothing does."""
    runner = _runner()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        got = runner.run(case, _names(), str(folder))
    found: str | None = runner.judge(case, got)
    return found


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_extending", FOLDER / "run_extending.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _names() -> dict[str, Any]:
    """What cases use; what the module has not got yet is not called by those that are run here."""
    extending = SimpleNamespace(
        signature=types.signature,
        typeof=typeof.typeof,
        typeof_impl=typeof.typeof_impl,
        typeof_hook=typeof.typeof_hook,
        TypingError=errors.TypingError,
    )
    names = {it: getattr(opwright, it, None) for it in ("jit", "njit", "vectorize")}
    numeric = {"np": np, "math": math, "operator": operator}
    return {**names, **numeric, "ow": opwright, "ext": extending, "types": types} | {
        "typeof": typeof.typeof
    }
