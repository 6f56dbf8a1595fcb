"""Recorded cases of compiled functions, run against this module.

The recordings are not part of the project; they are looked for beside its folder, together with
the program that judges them.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from recorded import FOLDER, load

NAME = "extending_cases.json"


def of(category: str) -> list[Any]:
    """The cases of a category, as parameters of a test; one that is skipped if there are none."""
    cases = [it for it in load(NAME).get("cases", ()) if it["category"] == category]
    if not cases or not (FOLDER / "run_extending.py").exists():
        return [pytest.param(None, id=category, marks=pytest.mark.skip(f"{NAME} is not there"))]
    return [pytest.param(it, id=it["id"]) for it in cases]


def wrong(case: dict[str, Any], folder: Path) -> str | None:
    """What differs from what was recorded; nothing if nothing does.

    Each case runs in a process of its own, as it registers types and functions.
    """
    runner = _runner()
    got = runner.in_child(case, _names(), str(folder), 60)
    found: str | None = runner.judge(case, got)
    return found


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_extending", FOLDER / "run_extending.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _names() -> dict[str, Any]:
    """What cases use."""
    names: dict[str, Any] = _runner().opwright_namespace("opwright")
    return names
