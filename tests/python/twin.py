"""A second module of operators in the process.

It is the package under another name, with another copy of the native module, whose classes are its
own.
"""

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType

import opwright

NAME = "twin_ops"


def install(folder: Path) -> ModuleType:
    """Writes the package into a folder, and imports it from there."""
    source = Path(opwright.__file__).parent
    package = folder / NAME
    if not package.exists():
        shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__", "*.pyi"))
        for path in package.rglob("*.py"):
            text = path.read_text()
            for statement in ("import", "from"):
                text = text.replace(f"{statement} opwright", f"{statement} {NAME}")
            path.write_text(text)
    sys.path.insert(0, str(folder))
    try:
        twin = importlib.import_module(NAME)
    finally:
        sys.path.remove(str(folder))
    # As modules that stand alone do.
    for member in vars(twin._C).values():
        if isinstance(member, type) and member.__module__ == "opwright":
            member.__module__ = NAME
    return twin
