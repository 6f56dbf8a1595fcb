"""The examples as notebooks: what their cells are, how they run, and their pages."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "xtask/notebooks"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

EXAMPLE = '''\
"""Squares: numbers by `themselves`.

A paragraph with `code` & <tags>.
"""

from __future__ import annotations

import sys
from pathlib import Path

import opwright

# How many there are.
COUNT = 3


def squares(count: int) -> opwright.Tensor:
    """The first squares."""
    # In one go.
    return opwright.arange(count) ** 2


def main() -> None:
    """Prints the squares."""
    found = squares(COUNT)
    print(found)
    for it in found:
        print(it.item(), flush=True)
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "squares.svg")
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"></svg>', encoding="utf-8")


if __name__ == "__main__":
    main()
'''


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])


def cells_of(source: str) -> Any:
    import cells

    return cells.cells(source)


def test_prose_and_code_of_an_example() -> None:
    first, imports, constant, about, squares, does, *run = cells_of(EXAMPLE)
    assert first.text == "# Squares: numbers by `themselves`\n\nA paragraph with `code` & <tags>."
    assert imports.text.startswith("from __future__") and imports.text.endswith("import opwright")
    assert constant.text == "# How many there are.\nCOUNT = 3"
    assert about.text == "**`squares`**: The first squares." and not about.is_code
    assert squares.text.splitlines()[1] == "    # In one go."
    assert does.text == "Prints the squares."
    assert [it.text.splitlines()[0] for it in run] == [
        "found = squares(COUNT)",
        "for it in found:",
        'path = Path(sys.argv[1] if len(sys.argv) > 1 else "squares.svg")',
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda it: it.stem)
def test_the_examples_keep_all_their_statements(path: Path) -> None:
    import cells

    source = path.read_text(encoding="utf-8")
    try:
        made = cells.cells(source)
    except cells.NotebookError:
        assert "sys.argv[2]" in source
        return
    code = "\n\n".join(it.text for it in made if it.is_code)
    assert without_prose(code) == without_prose(flat(source))


def flat(source: str) -> str:
    """An example with the statements of `main` at its end."""
    tree = ast.parse(source)
    main = next(it for it in tree.body if getattr(it, "name", "") == "main")
    assert isinstance(main, ast.FunctionDef)
    tree.body = [*(it for it in tree.body[:-1] if it is not main), *main.body]
    return ast.unparse(tree)


def without_prose(source: str) -> str:
    """A program without its docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [it for it in body if not is_prose(it)] or [ast.Pass()]
    return ast.unparse(tree)


def is_prose(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_a_main_whose_names_are_taken_stays_a_function() -> None:
    taken = EXAMPLE.replace("found", "COUNT")
    assert cells_of(taken)[-1].text.endswith("\n\nmain()")
    returning = EXAMPLE.replace("    print(found)\n", "    if found is None:\n        return\n")
    assert cells_of(returning)[-1].text.endswith("\n\nmain()")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x = 1\n", "it has no docstring"),
        ('"""Text."""\n', "it has no function `main`"),
        ('"""Text."""\ndef main(path): ...\n', "its `main` takes arguments"),
    ],
)
def test_what_is_no_notebook_says_why(text: str, reason: str) -> None:
    import cells

    with pytest.raises(cells.NotebookError, match=reason):
        cells.cells(text)


def has_jupyter() -> bool:
    sys.path.insert(0, str(FOLDER))
    try:
        import execution

        return execution.has_jupyter()
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.parametrize(
    "plain",
    [
        True,
        pytest.param(
            False,
            marks=pytest.mark.skipif(
                not has_jupyter(), reason="needs nbclient, nbformat and ipykernel"
            ),
        ),
    ],
)
def test_cells_run(plain: bool, tmp_path: Path) -> None:
    import notebooks

    path = tmp_path / "squares.py"
    path.write_text(EXAMPLE, encoding="utf-8")
    made = notebooks.executed(path, plain)
    outputs = [it["outputs"] for it in made["cells"] if it["cell_type"] == "code"]
    texts = ["".join(it["text"] for it in cell) for cell in outputs]
    shown = "tensor([0, 1, 4], dtype=int64, shape=(3,))\n"
    assert texts == ["", "", "", shown, "0\n1\n4\n", ""]
    assert list(made["cells"][-1]["attachments"]) == ["squares.svg"]
    assert notebooks.write(path, made, tmp_path)["title"] == "Squares: numbers by themselves"
    assert json.loads((tmp_path / "squares.ipynb").read_text(encoding="utf-8")) == made
    check_page((tmp_path / "squares.html").read_text(encoding="utf-8"))


def check_page(text: str) -> None:
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)  # type: ignore[method-assign]
    parser.feed(text)
    assert "<code>code</code> &amp; &lt;tags&gt;" in text
    assert '<a href="#results">' in text and text.count('id="results"') == 1
    before, _, results = text.partition('id="results"')
    assert "tensor([0, 1, 4]" in results and "tensor([0, 1, 4]" not in before
    assert '<span class="k">def</span>' in text or find_spec("pygments") is None
    assert "<title>Squares: numbers by themselves</title>" in text
    assert tags.count("h1") == 1 and tags.count("img") == 1 and "script" not in tags


def test_a_cell_that_fails_ends_it(tmp_path: Path) -> None:
    import execution
    import notebooks

    path = tmp_path / "fails.py"
    path.write_text('"""Fails."""\ndef main():\n    assert 1 + 1 == 3\n', encoding="utf-8")
    with pytest.raises(execution.CellError, match="assert 1 \\+ 1 == 3"):
        notebooks.executed(path, plain=True)


def test_absent_packages_are_named(tmp_path: Path) -> None:
    import cells
    import notebooks

    (tmp_path / "other.py").write_text("import not_installed.part\n", encoding="utf-8")
    path = tmp_path / "needs.py"
    path.write_text('"""Needs."""\nimport os, other\ndef main(): ...\n', encoding="utf-8")
    with pytest.raises(cells.NotebookError, match="no package `not_installed`"):
        notebooks.executed(path, plain=True)


def test_the_program_lists_what_it_writes(tmp_path: Path) -> None:
    paths = os.pathsep.join(it for it in sys.path if it and it != str(FOLDER))
    command = [sys.executable, str(FOLDER / "notebooks.py"), str(tmp_path), "throw", "digits_in_c"]
    done = subprocess.run(
        [*command, "--plain"],
        env={**os.environ, "PYTHONPATH": paths},
        text=True,
        capture_output=True,
        check=True,
    )
    assert "digits_in_c: left out, as its `main` takes arguments" in done.stdout
    (listed,) = json.loads((tmp_path / "notebooks.json").read_text(encoding="utf-8"))
    assert listed["name"] == "throw" and (tmp_path / listed["page"]).is_file()
