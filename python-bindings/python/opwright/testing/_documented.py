"""Calls in the documentation of an operator, as samples."""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Iterator
from typing import Any

import opwright
from opwright.testing._elements import of
from opwright.testing._examples import parsed
from opwright.testing._operator import Operator


def calls(operator: Operator) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments and keywords of each call that the examples make, tensors as what makes them."""
    test = parsed(operator)
    names = dict(test.globs)
    for example in test.examples:
        tree = ast.parse(example.source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in _known_as(operator):
                yield from _call(operator, node, names)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, str(operator), "exec"), names)


def _known_as(operator: Operator) -> set[str]:
    """What an operator is called, with and without the name of its module."""
    module, _, name = operator.name.rpartition(".")
    return {name, name.removeprefix(f"{module.lstrip('_')}_")}


def _name(function: ast.expr) -> str | None:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return None


def _call(
    operator: Operator, node: ast.Call, names: dict[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    given = list(node.args)
    if operator.is_method and isinstance(node.func, ast.Attribute):
        given.insert(0, node.func.value)
    try:
        args = tuple(_sample(_value(it, names)) for it in given)
        kwargs = {str(it.arg): _sample(_value(it.value, names)) for it in node.keywords}
    except (TypeError, SyntaxError):
        # It unpacks something, or has a tensor that cannot be made anew.
        return
    yield args, kwargs


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "argument", "eval"), names)


def _sample(value: Any) -> Any:
    if isinstance(value, opwright.Tensor):
        return of(value.detach().numpy(), str(value.dtype).rpartition(".")[2])
    if isinstance(value, (list, tuple)):
        return type(value)(_sample(it) for it in value)
    return value
