"""Stubs of what is known at run time alone, for type checkers and editors.

`python -m opwright.stubs my_package.operators my_ops` imports modules and prints a stub of each
namespace that they define operators in, and of each module with functions of Rust that
`#[overload]` made. `-o FOLDER` writes `FOLDER/opwright-stubs/ops/my.pyi` instead, and
`FOLDER/my_ops-stubs/__init__.pyi` for modules that were installed without stubs of their own.
"""

from __future__ import annotations

import argparse
import importlib
import keyword
import re
import sys
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _C

if TYPE_CHECKING:
    from types import ModuleType

_TYPES = {
    "Tensor": "Tensor",
    "int": "int",
    "SymInt": "SupportsIndex",
    "DeviceIndex": "int",
    "bool": "bool",
    "SymBool": "bool",
    "float": "float",
    "Scalar": "complex",
    "str": "str",
    "ScalarType": "dtype",
    "Layout": "layout",
    "Device": "device | str | int",
    "MemoryFormat": "memory_format",
    "Reduction": "str | int",
    "Generator": "Generator",
    "Storage": "UntypedStorage",
}

_HEAD = """\
# Operators of the namespace {namespace}, which were defined in Python. Printed by opwright.stubs.

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

from opwright import Generator, Tensor, UntypedStorage, device, dtype, layout, memory_format
"""


def stubs(names: Any = None) -> dict[str, str]:
    """Return the stub of each namespace of operators that were defined in Python.

    Args:
        names: The namespaces, or all.
    """
    found: dict[str, list[Any]] = {}
    for operator in _C._jit.defined():
        namespace = operator.name.partition("::")[0]
        if names is None or namespace in names:
            found.setdefault(namespace, []).append(operator)
    return {
        namespace: "\n".join([_HEAD.format(namespace=namespace), *map(stub, operators)])
        for namespace, operators in found.items()
    }


def stub(operator: Any) -> str:
    """Return the definition of an operator as a stub has it."""
    parts = []
    starred = False
    for parameter in signature(operator).parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        default = "" if parameter.default is Parameter.empty else " = ..."
        parts.append(f"{_spelt(parameter.name)}: {_annotation(parameter.annotation)}{default}")
    returned = operator.schema.rpartition(" -> ")[2]
    listed = f"def {operator.__name__}({', '.join(parts)}) -> {_returned(returned)}:"
    return f'{listed}\n    """{operator.schema}"""\n'


def _spelt(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _annotation(text: str) -> str:
    """The type of an argument: `Tensor(a!)`, `int[2]?`."""
    text = re.sub(r"\([^)]*\)", "", text)
    if text.endswith("?"):
        return f"{_annotation(text[:-1])} | None"
    sized = re.fullmatch(r"(.*)\[(\d*)\]", text)
    if sized is not None:
        element = _annotation(sized[1])
        several = f"Sequence[{element}]"
        return f"{several} | {element}" if sized[2] else several
    words = _C._STR_ENUMS.get(text)
    if words is not None:
        return f"Literal[{', '.join(map(_quoted, words))}]"
    return _TYPES.get(text, "Any")


def _quoted(word: str) -> str:
    return f'"{word}"'


def _returned(text: str) -> str:
    if text == "()":
        return "None"
    if text.startswith("("):
        parts = [re.sub(r" \w+$", "", it.strip()) for it in text[1:-1].split(",")]
        return f"tuple[{', '.join(map(_result, parts))}]"
    return _result(text)


def _result(text: str) -> str:
    text = re.sub(r"\([^)]*\)", "", text)
    if text.endswith("?"):
        return f"{_result(text[:-1])} | None"
    if text.endswith("]"):
        return f"tuple[{_result(text[: text.rindex('[')])}, ...]"
    if text in _C._STR_ENUMS:
        return "str"
    return "int" if text == "SymInt" else _TYPES.get(text, "Any")


# What parameters and results of functions of Rust are, by the names of their types. A module has
# dtypes that are called like classes of Python.
_NUMBERS = {
    **{f"{kind}{bits}": "_builtins.int" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "float32": "_builtins.float",
    "float64": "_builtins.float",
    "boolean": "_builtins.bool",
}


def overloads(module: ModuleType) -> str:
    """Return the stub of the functions of a module that `#[overload]` made of functions of Rust."""
    functions = [it for it in vars(module).values() if hasattr(it, "_opwright_overloads_")]
    # A package of one native file shows what the file within it has.
    functions = [it for it in functions if f"{it.__module__}.".startswith(f"{module.__name__}.")]
    return "\n".join(map(_overloaded, sorted(functions, key=lambda it: it.__name__)))


def _overloaded(function: Any) -> str:
    """The definitions of a function, one for each signature that Python tells from others."""
    listed = []
    for text, names, *_ in function._opwright_overloads_:
        returned, _, params = text.removesuffix(")").rpartition("(")
        types = [it.strip() for it in params.split(",") if it.strip()]
        pairs = zip(names, types, strict=True)
        given = ", ".join(f"{_spelt(name)}: {_NUMBERS[ty]}" for name, ty in pairs)
        definition = f"def {function.__name__}({given}) -> {_numbers(returned)}: ..."
        if definition not in listed:
            listed.append(definition)
    # One that takes whole numbers is asked for before one that takes others, too.
    listed.sort(key=lambda it: it.count(": _builtins.float"))
    mark = "@_overload\n" if len(listed) > 1 else ""
    return "\n".join(f"{mark}{it}" for it in listed) + "\n"


def _numbers(text: str) -> str:
    if text.startswith("Tuple(("):
        parts = text.removeprefix("Tuple((").rstrip(")").split(",")
        return f"_builtins.tuple[{', '.join(_NUMBERS[it.strip()] for it in parts)}]"
    return _NUMBERS[text]


_MODULE_HEAD = """\
# Functions of {module} that are overloads in Rust. Printed by opwright.stubs.

import builtins as _builtins
from typing import overload as _overload
"""


def module_stub(module: ModuleType) -> str | None:
    """Return the stub of a module with such functions, or None if it has none."""
    functions = overloads(module)
    return f"{_MODULE_HEAD.format(module=module.__name__)}\n{functions}" if functions else None


def has_stub(module: ModuleType) -> bool:
    """Whether a module was installed with a stub, which has these functions."""
    if module.__file__ is None:
        return False
    name = module.__name__.rpartition(".")[2]
    folder = Path(module.__file__).parent
    return any((folder / it).is_file() for it in ("__init__.pyi", f"{name}.pyi"))


def main(arguments: list[str] | None = None) -> None:
    """Print or write the stubs of what modules define."""
    parser = argparse.ArgumentParser(prog="python -m opwright.stubs", description=__doc__)
    parser.add_argument("modules", nargs="+", help="what is imported")
    parser.add_argument("-o", "--output", type=Path, help="the folder of opwright-stubs")
    given = parser.parse_args(arguments)
    sys.path.insert(0, "")
    modules = [importlib.import_module(it) for it in given.modules]
    found = {("opwright", f"ops/{namespace}"): text for namespace, text in stubs().items()}
    known = False
    for module in modules:
        text = module_stub(module)
        if text and given.output is not None and has_stub(module):
            print(f"{module.__name__} has a stub of its own, with its functions")
            known = True
        elif text:
            package, *inner = module.__name__.split(".")
            found[package, "/".join([*inner, "__init__"])] = text
    if not found and not known:
        parser.exit(
            1,
            f"{', '.join(given.modules)}: no operator is defined by native_op, and no function of "
            f"Rust by #[overload]\n",
        )
    for (package, path), text in found.items():
        if given.output is None:
            print(text)
            continue
        folder = given.output / f"{package}-stubs"
        file = folder / f"{path}.pyi"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        (folder / "py.typed").write_text("partial\n", encoding="utf-8")


if __name__ == "__main__":
    main()
