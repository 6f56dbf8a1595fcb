"""Whose licences go with a wheel: `xtask/packages/notices.py`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "xtask/packages/notices.py"


@pytest.fixture
def notices() -> Any:
    spec = importlib.util.spec_from_file_location("notices", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def crate(name: str, folder: Path, *, kind: str = "lib", is_ours: bool = False) -> dict[str, Any]:
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "source": None if is_ours else "registry",
        "targets": [{"kind": [kind]}],
        "manifest_path": str(folder / name / "Cargo.toml"),
        "license": "MIT",
        "authors": [],
    }


def edge(name: str, kind: str | None = None) -> dict[str, Any]:
    return {"pkg": name, "dep_kinds": [{"kind": kind}]}


def test_what_is_linked_is_followed_through_crates_of_ours(notices: Any, tmp_path: Path) -> None:
    found = {
        "packages": [
            crate("module", tmp_path, is_ours=True),
            crate("runtime", tmp_path, is_ours=True),
            crate("linked", tmp_path),
            crate("deep", tmp_path),
            crate("derive", tmp_path, kind="proc-macro"),
            crate("of_macros", tmp_path),
            crate("of_build", tmp_path),
            crate("of_tests", tmp_path),
        ],
        "resolve": {
            "nodes": [
                {"id": "module", "deps": [edge("runtime"), edge("of_build", "build")]},
                {"id": "runtime", "deps": [edge("linked"), edge("of_tests", "dev")]},
                {"id": "linked", "deps": [edge("deep"), edge("derive"), edge("linked")]},
                {"id": "deep", "deps": []},
                {"id": "derive", "deps": [edge("of_macros")]},
            ]
        },
    }
    names = [it["name"] for it in notices.linked(found, "module")]
    assert names == ["deep", "linked"]
    with pytest.raises(AssertionError, match="no package `other`"):
        notices.linked(found, "other")


def test_texts_are_those_beside_the_manifest(notices: Any, tmp_path: Path) -> None:
    package = crate("linked", tmp_path)
    folder = tmp_path / "linked"
    folder.mkdir()
    for name in ("Cargo.toml", "LICENSE-MIT", "COPYING", "NOTICE", "license.rs", "README.md"):
        (folder / name).write_text(f"{name}\n", encoding="utf-8")
    assert notices.texts(package) == ["COPYING", "LICENSE-MIT", "NOTICE"]
