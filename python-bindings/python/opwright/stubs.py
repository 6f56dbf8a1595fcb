"""Stubs of operators that are defined in Python, for type checkers and editors.

`python -m opwright.stubs my_package.operators` imports modules and prints a stub of each namespace
that they define operators in; `-o FOLDER` writes `FOLDER/opwright-stubs/ops/my.pyi` instead.
"""

from __future__ import annotations

import argparse
import importlib
import keyword
import re
import sys
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from . import _C

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
    "Generator": "Generator",
    "Storage": "UntypedStorage",
}

_HEAD = """\
# Operators of the namespace {namespace}, which were defined in Python. Printed by opwright.stubs.

from collections.abc import Sequence
from typing import Any, SupportsIndex

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
    return _TYPES.get(text, "Any")


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
    return "int" if text == "SymInt" else _TYPES.get(text, "Any")


def main(arguments: list[str] | None = None) -> None:
    """Print or write the stubs of what modules define."""
    parser = argparse.ArgumentParser(prog="python -m opwright.stubs", description=__doc__)
    parser.add_argument("modules", nargs="+", help="what is imported")
    parser.add_argument("-o", "--output", type=Path, help="the folder of opwright-stubs")
    given = parser.parse_args(arguments)
    sys.path.insert(0, "")
    for module in given.modules:
        importlib.import_module(module)
    found = stubs()
    if not found:
        parser.exit(1, f"{', '.join(given.modules)}: no operator is defined by native_op\n")
    for namespace, text in found.items():
        if given.output is None:
            print(text)
            continue
        folder = given.output / "opwright-stubs" / "ops"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{namespace}.pyi").write_text(text, encoding="utf-8")
        (folder.parent / "py.typed").write_text("partial\n", encoding="utf-8")


if __name__ == "__main__":
    main()
