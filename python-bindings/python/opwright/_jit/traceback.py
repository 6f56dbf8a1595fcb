"""Tracebacks of compiled functions: an entry for each, as if the interpreter had run it."""

from __future__ import annotations

import ast
import functools
import sys
from types import CodeType, FrameType, FunctionType, TracebackType

# First and last line, from 1; first and last column in bytes, from 0.
Span = tuple[int, int, int, int]
Place = tuple[str, str, Span]


def add_places(error: BaseException, places: list[Place]) -> None:
    """Add the places that an exception went through, innermost first, to its traceback and notes.

    Of a place, there are a file, the name of a function, and a span.
    """
    found = error.__traceback__
    for file, function, span in places:
        error.add_note(f"in {function}, {file}:{span[0]}")
        frame = _frame(file, function, span)
        found = TracebackType(found, frame, frame.f_lasti, span[0])
    error.__traceback__ = found


def _frame(file: str, function: str, span: Span) -> FrameType:
    """Return a frame that stands at a place."""
    made = FunctionType(_code(file, function, span), {"here": sys._getframe})
    frame: FrameType = made()
    return frame


@functools.lru_cache(maxsize=256)
def _code(file: str, function: str, span: Span) -> CodeType:
    """Return the code of a function that returns its frame, from a call at a place."""
    line, end_line, column, end_column = span
    call = ast.Expression(ast.Call(ast.Name("here", ast.Load()), [], []))
    for node in ast.walk(call):
        if isinstance(node, ast.expr):
            node.lineno, node.end_lineno = line, max(end_line, line)
            node.col_offset, node.end_col_offset = column, end_column
    code = compile(call, file, "eval")
    return code.replace(co_name=function, co_qualname=function)
