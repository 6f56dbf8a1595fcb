"""What has to hold of an operator before it is called: that all descriptions of it agree."""

from __future__ import annotations

import ast
import inspect
import keyword
from collections.abc import Callable, Iterator
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

from opwright._overloads import is_native_op
from opwright.testing import _examples
from opwright.testing._operator import Operator

Check = Callable[[Operator], Iterator[str]]


def signature(operator: Operator) -> Iterator[str]:
    """`inspect.signature` is that of the only overload, or takes whatever any of them takes."""
    try:
        whole = inspect.signature(operator.function)
    except ValueError:
        yield "inspect.signature has no answer"
        return
    found = list(whole.parameters)
    if len(operator.overloads) == 1:
        expected = list(operator.overloads[0].signature.parameters)
        if [it.rstrip("_") for it in found] != [it.rstrip("_") for it in expected]:
            yield f"inspect.signature has the parameters {found}; the overload has {expected}"
        return
    for overload in operator.overloads:
        for args, kwargs in _forms(overload.signature):
            try:
                whole.bind(*args, **kwargs)
            except TypeError as error:
                # A list that may also be given element by element has no name to be given by.
                if not any(it.kind is it.VAR_POSITIONAL for it in whole.parameters.values()):
                    yield f"inspect.signature does not take {overload.text}: {error}"


def _forms(signature: inspect.Signature) -> Iterator[tuple[list[str], dict[str, str]]]:
    """All arguments: as far as possible by position, and as far as possible by name."""
    parameters = signature.parameters.values()
    for by_position in (
        [it.name for it in parameters if it.kind is not it.KEYWORD_ONLY],
        # Nobody can give `from` by name.
        [
            it.name
            for it in parameters
            if it.kind is it.POSITIONAL_ONLY or keyword.iskeyword(it.name.rstrip("_"))
        ],
    ):
        yield by_position, {it: it for it in signature.parameters if it not in by_position}


def documentation(operator: Operator) -> Iterator[str]:
    """The documentation shows every overload."""
    text = operator.function.__doc__ or ""
    for overload in operator.overloads:
        if len(overload.signature.parameters) > operator.is_method and (
            overload.text.partition("(")[2] not in text
        ):
            yield f"the documentation does not show {overload.text}"


def stub(operator: Operator) -> Iterator[str]:
    """The stub has every overload, with the same parameters."""
    if is_native_op(operator.function):
        yield from _stub_of_defined(operator)
        return
    definitions = _definitions(operator.native)
    if definitions is None:
        yield f"{operator.native.__name__} has no stub"
        return
    found = definitions.get(operator.name, [])
    for overload in operator.overloads:
        names = list(overload.signature.parameters)
        if not any(_same(names, it) for it in found):
            yield f"the stub lacks {overload.text}"


def _stub_of_defined(operator: Operator) -> Iterator[str]:
    """The stub that would be printed of one that was defined in Python."""
    from opwright.stubs import stub

    (node,) = ast.parse(stub(operator.function)).body
    assert isinstance(node, ast.FunctionDef), "it is printed as a function"
    names = list(operator.overloads[0].signature.parameters)
    if not _same(names, _parameters(node)):
        yield f"the stub lacks {operator.overloads[0].text}"


def _same(names: list[str], found: list[str]) -> bool:
    return [it.rstrip("_") for it in names] == [it.rstrip("_") for it in found]


# For each name the parameters of its definitions.
Definitions = dict[str, list[list[str]]]

# What was read, by the names of modules.
_READ: dict[str, Definitions | None] = {}


def _definitions(native: ModuleType) -> Definitions | None:
    """What the stubs of a module define; `None` if there are none."""
    if native.__name__ not in _READ:
        folder = _stubs(native)
        _READ[native.__name__] = None if folder is None else _read(folder)
    return _READ[native.__name__]


def _read(folder: Path) -> Definitions:
    found: Definitions = {}
    for path in folder.glob("*.pyi"):
        prefix = "" if path.stem == "__init__" else f"{path.stem}."
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found.setdefault(prefix + node.name, []).append(_parameters(node))
            if isinstance(node, ast.ClassDef) and node.name in {"Tensor", "TensorBase"}:
                for it in node.body:
                    if isinstance(it, ast.FunctionDef):
                        found.setdefault(f"Tensor.{it.name}", []).append(_parameters(it))
    return found


def _parameters(node: ast.FunctionDef) -> list[str]:
    several = [node.args.vararg] if node.args.vararg else []
    listed = [*node.args.posonlyargs, *node.args.args, *several, *node.args.kwonlyargs]
    return [it.arg for it in listed]


def _stubs(native: ModuleType) -> Path | None:
    """The folder of what is native; one that is a package by itself has `_C` in it."""
    spec = util.find_spec(native.__name__)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "_C"
    return folder if (folder / "__init__.pyi").exists() else None


def wrong_arguments(operator: Operator) -> Iterator[str]:
    """Arguments that fit no overload raise `TypeError`, and the message names the operator."""
    for args, kwargs in _wrong(operator):
        try:
            operator.function(*args, **kwargs)
        except TypeError as error:
            home, _, name = operator.name.rpartition(".")
            # Those of submodules go without the submodule's name.
            name = name.removeprefix(f"{home[1:]}_") if home.startswith("_") else name
            if f"{name}()" not in str(error):
                yield f"the message names no operator: {error}"
        except Exception as error:
            yield f"raises {type(error).__name__}, which is no TypeError: {error}"
        else:
            yield f"takes {args[:2]}, {kwargs}"


def _wrong(operator: Operator) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Calls that no overload takes, each wrong in another way."""
    many = len(operator.overloads[0].signature.parameters) + 9
    receiver = (operator.native.tensor([[4.0, 1.0], [1.0, 3.0]]),) if operator.is_method else ()
    stranger = object()
    yield (*receiver, *[stranger] * many), {}
    yield (*receiver, stranger), {"no_such_keyword": 1}
    yield (*receiver, {}, {1: 2}), {}
    yield receiver, {"no_such_keyword": stranger, "another": [stranger]}


CHECKS: dict[str, Check] = {
    "signature": signature,
    "documentation": documentation,
    "stub": stub,
    "wrong arguments": wrong_arguments,
    "examples": _examples.examples,
}
