"""Prints the licences of the crates that a library of the workspace is linked from.

They want to be handed on with what contains their code, as wheels and archives do.

Called as `notices.py PACKAGE [TRIPLE]` in the project. Crates with the same text share it; of one
without a text it is said what its manifest says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

TEXTS = ("license", "licence", "copying", "notice", "unlicense")


def metadata(triple: str | None) -> dict[str, Any]:
    """What cargo says of all crates, for one system or all of them."""
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--format-version", "1", "--locked"]
    if triple:
        command += ["--filter-platform", triple]
    found: dict[str, Any] = json.loads(subprocess.check_output(command))
    return found


def linked(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The crates of others whose code is in the library of a package, by name and version."""
    packages = {it["id"]: it for it in found["packages"]}
    nodes = {it["id"]: it["deps"] for it in found["resolve"]["nodes"]}
    waiting = [it["id"] for it in found["packages"] if it["name"] == name]
    assert waiting, f"the workspace has no package `{name}`"
    seen = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]:
            target = dependency["pkg"]
            is_run = any(it["kind"] is None for it in dependency["dep_kinds"])
            is_macro = any("proc-macro" in it["kind"] for it in packages[target]["targets"])
            if is_run and not is_macro and target not in seen:
                seen.add(target)
                waiting.append(target)
    theirs = [packages[it] for it in seen if packages[it]["source"]]
    return sorted(theirs, key=lambda it: (it["name"], it["version"]))


def texts(package: dict[str, Any]) -> list[str]:
    """The licences that lie beside a crate's manifest."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(it for it in folder.iterdir() if it.is_file())
    named = [it for it in files if it.name.lower().startswith(TEXTS) and it.suffix != ".rs"]
    return [it.read_text(encoding="utf-8", errors="replace").strip() for it in named]


def main() -> None:
    """Prints them, each text once."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    name, triple = sys.argv[1], next(iter(sys.argv[2:]), None)
    crates_of: dict[str, list[str]] = defaultdict(list)
    texts_of: dict[str, str] = {}
    for package in linked(metadata(triple), name):
        crate = f"{package['name']} {package['version']}"
        said = f"{package['license']}, as its manifest says; by {', '.join(package['authors'])}"
        for text in texts(package) or [said.removesuffix("; by ")]:
            # Many differ in where lines end.
            words = " ".join(text.split())
            texts_of.setdefault(words, text)
            crates_of[words].append(crate)
    print("This library contains code of the crates below, under these licences.")
    for words, crates in sorted(crates_of.items(), key=lambda it: it[1]):
        names = ", ".join(dict.fromkeys(crates))
        print(f"\n{'=' * 80}\n{names}\n{'-' * 80}\n{texts_of[words]}")


if __name__ == "__main__":
    main()
