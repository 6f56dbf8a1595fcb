"""Rows of operators: the tables of `ops/src/<family>/<file>.toml`, beside the kernels."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "ops/src"


def rows(table: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a table in all files, in order, with names such as `nn/softmax-3`.

    Raises:
        LookupError: There are none.
    """
    is_empty = True
    for file in sorted(FOLDER.rglob("*.toml")):
        stem = file.relative_to(FOLDER).with_suffix("").as_posix()
        for number, row in enumerate(tomllib.loads(file.read_text()).get(table, []), start=1):
            is_empty = False
            yield f"{stem}-{number}", row
    if is_empty:
        raise LookupError(f"no file of {FOLDER} has a `[[{table}]]`")
