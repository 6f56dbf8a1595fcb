"""Sources of functions, as syntax trees.

The interpreter's own parser is called: importing `ast` and `dis` takes longer than compiling most
functions.
"""

from __future__ import annotations
import __future__

import _ast as ast
import os
from types import CodeType, ModuleType

from . import lines as known
from .errors import UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType

# The files of the package, which do not change.
_HOME = os.path.join(os.path.dirname(__file__), "")
# What files may ask of the compiler.
_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag

# A node, its file, the number of the first line of a text, that text, and what is added to the
# lines and columns of nodes.
Source = tuple[ast.AST, str, int, str, int, int]


def read(function: FunctionType) -> Source:
    """Return the syntax tree of a function.

    Raises:
        UnsupportedError: It has no source.
    """
    code = function.__code__
    lines = known.lines_of(code.co_filename, function.__globals__)
    first = code.co_firstlineno
    if not lines or first > len(lines):
        raise UnsupportedError(f"{function.__name__} has no source: write it to a file")
    last = _last_line(code, lines)
    text = "".join(lines[first - 1 : last])
    part = _part(code, text)
    if part is not None:
        node, columns = part
        _check(node, function)
        return node, code.co_filename, first, text, first - 1, columns
    node = _within(code, "".join(lines))
    _check(node, function)
    end = getattr(node, "end_lineno", last)
    text = "".join(lines[first - 1 : max(last, end)])
    return node, code.co_filename, first, text, 0, 0


def keep(function: FunctionType) -> None:
    """Keep the lines of a function's file as they are now."""
    known.keep(function.__code__.co_filename, function.__globals__)


def _check(node: ast.AST, function: FunctionType) -> None:
    """Refuse a source that is compiled to something else than the function.

    Raises:
        UnsupportedError: It is not the function's.
    """
    code = function.__code__
    if code.co_filename.startswith(_HOME):
        return
    # Tools for tests write what `assert` does anew.
    if any(isinstance(it, ast.Assert) for it in _walk(node)):
        return
    # The interpreter calls methods of what a file imports otherwise.
    modules = [it for it in code.co_names if isinstance(function.__globals__.get(it), ModuleType)]
    found = _compiled(node, code, modules)
    if found is None or _is_same(found, code):
        return
    if _plain(found) != _plain(code) or _steps(found) != _steps(code):
        raise _changed(code)


def _compiled(node: ast.AST, code: CodeType, modules: list[str]) -> CodeType | None:
    """The code of a function's node, within a function that has what it reads from around it."""
    if isinstance(node, ast.Lambda):
        inner: ast.stmt = ast.Expr(node)
    elif isinstance(node, ast.FunctionDef):
        fields = {name: getattr(node, name) for name in node._fields if hasattr(node, name)}
        inner = ast.FunctionDef(**{**fields, "decorator_list": []})
    else:
        return None
    imported = "".join(f"import {it}\n" for it in modules)
    whole = _parse(f"{imported}def around({', '.join(code.co_freevars)}): pass")
    around = whole.body[-1]
    assert isinstance(around, ast.FunctionDef)
    around.body = [_placed(inner, node)]
    if code.co_name.isidentifier() and code.co_name not in code.co_freevars:
        # Its own name is not around it.
        around.body.insert(0, _placed(ast.Global([code.co_name]), around))
    flags = code.co_flags & _FUTURE
    try:
        made = compile(whole, "<source>", "exec", flags, True)
    except (SyntaxError, ValueError):
        return None
    outer = next(it for it in made.co_consts if isinstance(it, CodeType))
    inside = (it for it in outer.co_consts if isinstance(it, CodeType))
    return next((it for it in inside if it.co_name == code.co_name), None)


def _parse(text: str) -> ast.Module:
    tree = compile(text, "<source>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _placed(node: ast.stmt, other: ast.AST) -> ast.stmt:
    """Return a new node, which stands where another does."""
    for name in other._attributes:
        setattr(node, name, getattr(other, name))
    return node


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Give a node, and all within it, those that are nearer first."""
    nodes = [node]
    # What is found is looked through in its turn.
    for it in nodes:
        yield it
        for name in it._fields:
            value = getattr(it, name, None)
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [item for item in value if isinstance(item, ast.AST)]


def _is_same(found: CodeType, code: CodeType) -> bool:
    return found.co_code == code.co_code and _plain(found) == _plain(code)


def _steps(code: CodeType) -> list[tuple[str, object]]:
    """What a function does, whichever way it calls methods."""
    import dis

    steps = []
    for it in dis.get_instructions(code):
        if it.opname in ("PUSH_NULL", "PRECALL", "RESUME", "EXTENDED_ARG"):
            continue
        is_jump = it.opcode in dis.hasjrel or it.opcode in dis.hasjabs
        is_code = isinstance(it.argval, CodeType)
        name = "LOAD_ATTR" if it.opname == "LOAD_METHOD" else it.opname
        steps.append((name, None if is_jump or is_code else it.argval))
    return steps


def _plain(code: CodeType) -> list[str]:
    """The constants of a function, but functions, and texts, whose indentation may have gone."""
    return [repr(it) for it in code.co_consts if not isinstance(it, (CodeType, str))]


def _changed(code: CodeType) -> UnsupportedError:
    return UnsupportedError(
        f"the source of {code.co_name} has changed since it was imported: import it again"
    )


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
        tree = _parse("".join(line[columns:] or "\n" for line in lines))
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
        tree = _trees[text] = _parse(text)
    return tree


def _within(code: CodeType, text: str) -> ast.AST:
    try:
        node = _find(_parsed(text), code, 0, 0)
    except SyntaxError:
        node = None
    if node is None:
        raise _changed(code)
    return node


def _find(tree: ast.AST, code: CodeType, lines: int, columns: int) -> ast.AST | None:
    """The node of a function in a tree whose places are shifted."""
    if code.co_name == "<lambda>":
        return _lambda(tree, code, lines, columns)
    first = code.co_firstlineno + lines
    for node in _walk(tree):
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
    for node in _walk(tree):
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
