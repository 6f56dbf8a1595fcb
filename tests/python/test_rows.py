"""What types, graphs and the C back end have to do is tested: `test_rows.toml` says where."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import recorded

ROOT = Path(__file__).resolve().parents[2]
ROWS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
RECORDED = [recorded.FOLDER / name for name in ("type_cases.json", "graph_cases.json")]


def test_every_row_is_there() -> None:
    assert list(ROWS) == [f"C{at}" for at in range(1, 40)] + [f"T{at}" for at in range(1, 35)]
    assert not [row for row, it in ROWS.items() if bool(it.get("tests")) == ("left_out" in it)]


@cache
def found_in(path: str) -> frozenset[str]:
    """The names of the tests of a file, those in classes behind the class."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".rs"):
        return frozenset(re.findall(r"#\[test\]\s+(?:#\[[^\n]*\]\s+)*fn (\w+)", text))
    return frozenset(named(ast.parse(text).body, ""))


def named(body: list[ast.stmt], before: str) -> Iterator[str]:
    for it in body:
        if isinstance(it, ast.ClassDef):
            yield from named(it.body, f"{it.name}::")
        elif isinstance(it, ast.FunctionDef) and it.name.startswith("test_"):
            yield before + it.name


@pytest.mark.parametrize("row", ROWS)
def test_the_tests_of_a_row_exist(row: str) -> None:
    for test in ROWS[row].get("tests", []):
        path, _, name = test.partition("::")
        assert name in found_in(path), f"{row}: there is no {name} in {path}"


@pytest.mark.skipif(not RECORDED[0].exists(), reason="the recorded cases are not there")
def test_recorded_cases_name_the_row() -> None:
    cases = [case for path in RECORDED for case in json.loads(path.read_text())["cases"]]
    for row, it in ROWS.items():
        groups = {case["id"].rpartition("-")[0] for case in cases if row in case["rows"]}
        assert set(it.get("cases", [])) == groups, row
