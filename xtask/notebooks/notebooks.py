"""`python notebooks.py OUT_DIR [EXAMPLE...]`: the examples as executed notebooks.

Each `examples/NAME.py` becomes `OUT_DIR/NAME.ipynb`, with outputs and pictures, and
`OUT_DIR/NAME.html`, a page that stands alone. `OUT_DIR/notebooks.json` lists them, with titles.

They run in a kernel of Jupyter where `nbclient`, `nbformat` and `ipykernel` are installed, else in
a plain Python. An example that imports what is not installed is left out and named, and so is one
that needs arguments; one that fails ends all with an error.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import sys
import tempfile
import time
from base64 import b64encode
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cells import Cell, NotebookError, cells, title_of
from execution import CellError, has_jupyter, run
from page import page

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def main() -> int:
    """Writes the notebooks; 1 if an example fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the notebooks are written")
    parser.add_argument("examples", nargs="*", help="names of examples; all if none")
    parser.add_argument("--plain", action="store_true", help="without Jupyter, also if it is there")
    options = parser.parse_args()
    plain = options.plain or not has_jupyter()
    if plain and not options.plain:
        print("there is no Jupyter, so a plain Python runs the cells", file=sys.stderr)
    options.folder.mkdir(parents=True, exist_ok=True)
    paths = [EXAMPLES / f"{it}.py" for it in options.examples] or sorted(EXAMPLES.glob("*.py"))
    listed = []
    for path in paths:
        start = time.monotonic()
        try:
            notebook = executed(path, plain)
        except NotebookError as reason:
            print(f"{path.stem}: left out, as {reason}")
            continue
        except CellError as error:
            print(f"{path.stem}: failed\n{error}", file=sys.stderr)
            return 1
        listed.append(write(path, notebook, options.folder))
        count = len(notebook["cells"])
        print(f"{path.stem}: {count} cells in {time.monotonic() - start:.1f} s", flush=True)
    text = json.dumps(listed, indent=1, ensure_ascii=False)
    (options.folder / "notebooks.json").write_text(text + "\n", encoding="utf-8")
    return 0


def executed(path: Path, plain: bool) -> dict[str, Any]:
    """The notebook of an example, with what its cells print and the pictures that they write.

    Raises:
        NotebookError: It cannot be one, or something that it imports is not installed.
        CellError: A cell fails.
    """
    source = path.read_text(encoding="utf-8")
    made = cells(source)
    absent = missing(source, path.parent)
    if absent:
        raise NotebookError(f"there is no package `{'`, `'.join(absent)}`")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        codes = [it.text for it in made if it.is_code]
        outputs = run(codes, folder, variables(path.parent), plain)
        pictures = {it.name: it.read_text(encoding="utf-8") for it in sorted(folder.glob("*.svg"))}
    return notebook_of(path.stem, made, outputs, pictures)


def variables(examples: Path) -> dict[str, str]:
    """What the programs are told: examples import each other, and nobody watches."""
    paths = [str(examples), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join(paths), "OPWRIGHT_PROGRESS": "0"}


def missing(source: str, examples: Path) -> list[str]:
    """The packages that an example, or one that it imports, needs and that are not installed."""
    found: dict[str, None] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            names = [it.name for it in node.names]
        else:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in (it.partition(".")[0] for it in names):
            sibling = examples / f"{name}.py"
            if sibling.is_file():
                found |= dict.fromkeys(missing(sibling.read_text(encoding="utf-8"), examples))
            elif name and find_spec(name) is None:
                found[name] = None
    return list(found)


def notebook_of(
    name: str, made: list[Cell], outputs: list[list[dict[str, Any]]], pictures: dict[str, str]
) -> dict[str, Any]:
    """What a file of a notebook has, in version 4.5 of the format."""
    shown: list[dict[str, Any]] = []
    results = iter(outputs)
    for number, cell in enumerate(made):
        entry: dict[str, Any] = {"id": f"{name}-{number}", "metadata": {}, "source": cell.text}
        if cell.is_code:
            count = 1 + sum(it["cell_type"] == "code" for it in shown)
            entry |= {"cell_type": "code", "execution_count": count}
            entry["outputs"] = [_counted(it, count) for it in next(results)]
        else:
            entry["cell_type"] = "markdown"
        shown.append(entry)
    for file, svg in pictures.items():
        shown.append(
            {
                "id": f"{name}-{file.partition('.')[0]}",
                "cell_type": "markdown",
                "metadata": {},
                "source": f"![{file}](attachment:{file})",
                "attachments": {file: {"image/svg+xml": b64encode(svg.encode()).decode()}},
            }
        )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "cells": shown,
    }


def _counted(output: dict[str, Any], count: int) -> dict[str, Any]:
    return output | {"execution_count": count} if "execution_count" in output else output


def write(path: Path, notebook: dict[str, Any], folder: Path) -> dict[str, str]:
    """Writes the notebook and its page, and returns what the list says of them."""
    file, html = f"{path.stem}.ipynb", f"{path.stem}.html"
    # It is shown as plain text: code in it is not marked.
    title = title_of(path.read_text(encoding="utf-8")).replace("`", "")
    text = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    (folder / file).write_text(text, encoding="utf-8")
    (folder / html).write_text(page(title, notebook, file), encoding="utf-8")
    return {"name": path.stem, "title": title, "notebook": file, "page": html}


if __name__ == "__main__":
    sys.exit(main())
