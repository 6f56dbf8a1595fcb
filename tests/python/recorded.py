"""Recorded calls of the library that the schemas come from, run against this one.

The recordings are not part of the project; they are looked for beside its folder.
"""

import ast
import importlib
import json
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import opwright

FOLDER = Path(__file__).parents[3] / "shared" / "cases"

# What expressions call the library, and its submodules that they import.
NAME = "torch"
SUBMODULES = ["_C", "fft", "linalg", "nn", "nn.functional", "special"]

# Values of the matrix that are written shorter there than Python can read.
OBJECTS = {
    "Parameter": "par",
    "Generator": "g",
    "storage": "t.untyped_storage()",
    "strided": "torch.strided",
    "contiguous_format": "torch.contiguous_format",
    "TF()": "TFA()",
    "[TF()]": "[TFA()]",
}


class MissingError(Exception):
    """The module has not got what a call needs."""


def load(name: str) -> Any:
    """The recording of this name; nothing if it is not there."""
    path = FOLDER / name
    return json.loads(path.read_text()) if path.exists() else {}


@contextmanager
def stand_in() -> Iterator[None]:
    """Lets the module stand in for the library."""
    names = {NAME: opwright}
    for submodule in SUBMODULES:
        names[f"{NAME}.{submodule}"] = importlib.import_module(f"opwright.{submodule}")
    loaded = set(sys.modules)
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
        for name in set(sys.modules) - loaded:
            if name.startswith(f"{NAME}."):
                del sys.modules[name]
        for module in {opwright, *names.values()}:
            _forget(module)


def _forget(module: ModuleType) -> None:
    """Lets go of copies of submodules, which an import below the library's name left behind."""
    for name, it in list(vars(module).items()):
        if isinstance(it, ModuleType) and it.__name__.startswith(f"{NAME}."):
            own = sys.modules.get(f"{module.__name__}.{name}")
            if own is None:
                delattr(module, name)
            else:
                setattr(module, name, own)


def namespace(setup: str) -> dict[str, Any]:
    """The names that calls use; those that cannot be made here are left out."""
    names: dict[str, Any] = {}
    for statement in ast.parse(_own(setup)).body:
        code = compile(ast.Module([statement], []), "<setup>", "exec")
        try:
            exec(code, names)
        except (AttributeError, ImportError, NotImplementedError):
            continue
    return names


def value(expression: str, names: dict[str, Any]) -> Any:
    """What a call returns; warnings are not what is compared.

    Raises:
        MissingError: The module has not got what the call needs.
    """
    with warnings.catch_warnings(), _lacking():
        warnings.simplefilter("ignore")
        return eval(_own(expression), names)


@contextmanager
def _lacking() -> Iterator[None]:
    """Tells what the module lacks apart from other errors."""
    try:
        yield
    except (NameError, ImportError) as error:
        raise MissingError(str(error)) from error
    except AttributeError as error:
        if "has no attribute" in str(error):
            raise MissingError(str(error)) from error
        raise


def run(case: dict[str, Any], names: dict[str, Any]) -> str | None:
    """What differs between a recorded call and the same call here; nothing if they agree."""
    try:
        if "setup" in case:
            with _lacking():
                exec(_own(case["setup"]), names)
        got = value(case["expr"], names)
    except MissingError:
        if case.get("error_type") == "AttributeError":
            return None
        raise
    except Exception as error:
        return _compare_errors(case, error)
    if case["outcome"] == "error":
        return f"it returns {got!r}, not {case['error_type']}: {case['message']}"
    return _compare_values(case, got)


def object_of(text: str) -> str:
    """The expression that makes an object of the matrix."""
    known = OBJECTS.get(text)
    if known is not None:
        return known
    text = text.replace(",rg)", ",requires_grad=True)")
    return re.sub(r"(?<![\w.'])(tensor|Size|device)\(", rf"{NAME}.\1(", text)


def _own(text: str) -> str:
    return text.replace("__torch_function__", "__opwright_function__")


def _compare_errors(case: dict[str, Any], error: Exception) -> str | None:
    if case["outcome"] == "value":
        return f"it raises {type(error).__name__}: {error}"
    if case["error_type"] not in [it.__name__ for it in type(error).__mro__]:
        return f"it raises {type(error).__name__}, not {case['error_type']}: {error}"
    wanted = _names(case["message"])
    if wanted and not any(re.search(rf"\b{it}\b", str(error)) for it in wanted):
        return f"its message names none of {sorted(wanted)}: {error}"
    return None


def _names(message: str) -> set[str]:
    """The arguments and keywords that a message names."""
    names = set(re.findall(r"argument '(\w+)'", message))
    if re.search(r'arguments?: "', message):
        names.update(re.findall(r'"(\w+)"', message))
    return names


def _compare_values(case: dict[str, Any], got: Any) -> str | None:
    if not isinstance(got, opwright.Tensor):
        text = re.sub(r"0x[0-9a-f]+", "0xADDR", repr(got))
        text = text.replace("opwright.", f"{NAME}.")
        return None if _same(text, case["value"]) else f"it returns {text}, not {case['value']}"
    dtype = str(got.dtype).replace("opwright.", f"{NAME}.")
    if dtype != case["dtype"]:
        return f"the dtype is {dtype}, not {case['dtype']}"
    if list(got.shape) != case["shape"]:
        return f"the shape is {list(got.shape)}, not {case['shape']}"
    # Random numbers come from another generator.
    if "rand" in case["expr"] or _same(str(got.tolist()), case["value"]):
        return None
    return f"the elements are {got.tolist()}, not {case['value']}"


def _same(got: str, wanted: str) -> bool:
    if got == wanted:
        return True
    constants = {"nan": float("nan"), "inf": float("inf"), "__builtins__": {}}
    try:
        return _near(eval(got, constants), eval(wanted, constants))
    except (SyntaxError, NameError, TypeError):
        return False


def _near(got: Any, wanted: Any) -> bool:
    if isinstance(got, list | tuple) and isinstance(wanted, list | tuple):
        return len(got) == len(wanted) and all(map(_near, got, wanted))
    if got == wanted or (got != got and wanted != wanted):
        return True
    return bool(abs(got - wanted) <= 1e-5 * max(abs(got), abs(wanted)))
