"""Compiled functions against recorded cases: the language, overloads, templates, structs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import recorded_cases

CATEGORIES = (
    "arithmetic",
    "control",
    "arrays",
    "math",
    "overload",
    "method",
    "attribute",
    "struct",
    "templates",
    "lowering",
    "runtime",
    "refusal",
    "jit",
    "vectorize",
    "native",
    "scope",
)
CASES = [case for category in CATEGORIES for case in recorded_cases.of(category)]


@pytest.mark.parametrize("case", CASES)
def test_recorded(case: dict[str, Any], tmp_path: Path) -> None:
    assert recorded_cases.wrong(case, tmp_path) is None
