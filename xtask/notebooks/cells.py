"""An example as the cells of a notebook: prose of its docstrings, code of its definitions.

What `main` does is not hidden in a function: its statements are cells, each of which ends with what
it prints. An example whose `main` takes arguments, or that has none, is no notebook.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Cell:
    """Prose in Markdown, or code."""

    text: str
    is_code: bool = True


class NotebookError(Exception):
    """An example that cannot be one, with the reason."""


def title_of(source: str) -> str:
    """The first sentence of an example."""
    first = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    return first.removesuffix(".")


def cells(source: str) -> list[Cell]:
    """The cells of an example.

    Raises:
        NotebookError: It has no documentation, or no `main` without parameters.
    """
    tree = ast.parse(source)
    prose = ast.get_docstring(tree)
    if not prose:
        raise NotebookError("it has no docstring")
    body = [it for it in tree.body[1:] if not _is_guard(it)]
    main = next((it for it in body if isinstance(it, ast.FunctionDef) and it.name == "main"), None)
    if main is None:
        raise NotebookError("it has no function `main`")
    if ast.unparse(main.args):
        raise NotebookError("its `main` takes arguments")
    script = _Script(source)
    body.remove(main)
    rest = prose.partition("\n")[2].strip()
    made = [Cell(f"# {title_of(source)}" + (f"\n\n{rest}" if rest else ""), is_code=False)]
    for kind, group in groupby(body, key=_kind):
        for several in [[it] for it in group] if kind == "definition" else [list(group)]:
            made += script.cells(several)
    return made + list(script.run(main, _names(body)))


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def _kind(node: ast.stmt) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return "import"
    return "definition" if isinstance(node, Definition) else "statement"


def _names(body: Iterable[ast.AST]) -> set[str]:
    """What is defined or assigned at the top, or in the statements of a function."""
    names = set()
    for node in body:
        if isinstance(node, Definition):
            names.add(node.name)
            continue
        stored = (it for it in ast.walk(node) if isinstance(it, ast.Name))
        names |= {it.id for it in stored if isinstance(it.ctx, ast.Store)}
    return names


class _Script:
    """The lines of an example."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines()

    def cells(self, several: list[ast.stmt]) -> Iterator[Cell]:
        """Statements as one cell; what a definition says of itself comes before it."""
        first, last = several[0], several[-1]
        begin, end = self.begin(first), last.end_lineno or last.lineno
        lines = self.lines[begin:end]
        if isinstance(first, Definition) and len(first.body) > 1:
            prose = ast.get_docstring(first)
            if prose:
                yield Cell(f"**`{first.name}`**: {prose}", is_code=False)
                doc = first.body[0]
                rest = self.lines[doc.end_lineno : end]
                rest = rest[1:] if not rest[0].strip() else rest
                lines = self.lines[begin : doc.lineno - 1] + rest
        yield Cell("\n".join(_without_outer_blanks(lines)))

    def begin(self, node: ast.stmt) -> int:
        """The line where a statement begins, with its decorators and the comments above it."""
        decorators = node.decorator_list if isinstance(node, Definition) else []
        line = min([node.lineno, *(it.lineno for it in decorators)]) - 1
        while line and self.lines[line - 1].lstrip().startswith("#"):
            line -= 1
        return line

    def run(self, main: ast.FunctionDef, taken: set[str]) -> Iterator[Cell]:
        """What `main` does, without the function where that is the same."""
        prose = ast.get_docstring(main)
        body = main.body[1:] if prose else main.body
        if prose:
            yield Cell(prose, is_code=False)
        inner = [it for node in body for it in ast.walk(node)]
        returns = any(isinstance(it, ast.Return | ast.Yield | ast.Await) for it in inner)
        if returns or _names(body) & taken:
            yield Cell("\n".join(self.lines[self.begin(main) : main.end_lineno]) + "\n\nmain()")
            return
        lines: list[str] = []
        for node in body:
            lines += self.lines[self.begin(node) : node.end_lineno]
            if _prints(node):
                yield Cell(textwrap.dedent("\n".join(lines)))
                lines = []
        if lines:
            # Nobody wants to see what the last call returns.
            end = ";" if isinstance(body[-1], ast.Expr) else ""
            yield Cell(textwrap.dedent("\n".join(lines)) + end)


def _prints(node: ast.stmt) -> bool:
    calls = [it.func for it in ast.walk(node) if isinstance(it, ast.Call)]
    return any(isinstance(it, ast.Name) and it.id == "print" for it in calls)


def _without_outer_blanks(lines: list[str]) -> list[str]:
    return "\n".join(lines).strip("\n").split("\n")
