"""Sources of functions, as syntax trees."""

from __future__ import annotations

import ast
import linecache
from typing import TYPE_CHECKING

from .errors import UnsupportedError

if TYPE_CHECKING:
    from types import CodeType, FunctionType

# A node, its file, the number of the first line of a text, that text, and what is added to the
# lines and columns of nodes.
Source = tuple[ast.AST, str, int, str, int, int]


def read(function: FunctionType) -> Source:
    """Return the syntax tree of a function.

    Raises:
        UnsupportedError: It has no source.
    """
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    first = code.co_firstlineno
    if not lines or first > len(lines):
        raise UnsupportedError(
            f"{function.__name__} has no source: write it to a file, or pass jit(source=...)"
        )
    last = _last_line(code, lines)
    text = "".join(lines[first - 1 : last])
    part = _part(code, text)
    if part is not None:
        node, columns = part
        return node, code.co_filename, first, text, first - 1, columns
    node = _within(code, "".join(lines))
    end = getattr(node, "end_lineno", last)
    text = "".join(lines[first - 1 : max(last, end)])
    return node, code.co_filename, first, text, 0, 0


def _last_line(code: CodeType, lines: list[str]) -> int:
    """The last line of a function: the last that its code knows, and deeper ones that follow."""
    last = max((end for _, end, _, _ in code.co_positions() if end is not None), default=1)
    last = max(last, code.co_firstlineno)
    if code.co_name == "<lambda>":
        return last
    depth = _depth(lines[code.co_firstlineno - 1])
    while last < len(lines) and (not lines[last].strip() or _depth(lines[last]) > depth):
        last += 1
    return last


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _part(code: CodeType, text: str) -> tuple[ast.AST, int] | None:
    """The function in the text of its own lines, and by how much these are indented."""
    columns = _depth(text)
    indent = text[:columns]
    lines = text.splitlines(keepends=True)
    if any(line.strip() and not line.startswith(indent) for line in lines):
        return None
    try:
        tree = ast.parse("".join(line[columns:] or "\n" for line in lines))
    except SyntaxError:
        return None
    node = _find(tree, code, 1 - code.co_firstlineno, -columns)
    return None if node is None else (node, columns)


# Trees of whole files, by their texts: few, as most functions are read alone.
_trees: dict[str, ast.AST] = {}


def _parsed(text: str) -> ast.AST:
    tree = _trees.get(text)
    if tree is None:
        _trees.clear()
        tree = _trees[text] = ast.parse(text)
    return tree


def _within(code: CodeType, text: str) -> ast.AST:
    try:
        node = _find(_parsed(text), code, 0, 0)
    except SyntaxError:
        node = None
    if node is None:
        raise UnsupportedError(f"the source of {code.co_name} has changed since it was imported")
    return node


def _find(tree: ast.AST, code: CodeType, lines: int, columns: int) -> ast.AST | None:
    """The node of a function in a tree whose places are shifted."""
    if code.co_name == "<lambda>":
        return _lambda(tree, code, lines, columns)
    first = code.co_firstlineno + lines
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            starts = [node.lineno, *(it.lineno for it in node.decorator_list)]
            if min(starts) == first:
                return node
    return None


def _lambda(tree: ast.AST, code: CodeType, lines: int, columns: int) -> ast.AST | None:
    places = {
        (line + lines, column + columns)
        for line, _, column, _ in code.co_positions()
        if line is not None and column is not None
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and len(node.args.args) == code.co_argcount - len(
            node.args.posonlyargs
        ):
            body = node.body
            start = (body.lineno, body.col_offset)
            end = (body.end_lineno or 0, body.end_col_offset or 0)
            inside = [place for place in places if start <= place < end]
            if inside and start == min(inside):
                found.append((len(inside), node))
    return max(found, key=lambda it: it[0])[1] if found else None
