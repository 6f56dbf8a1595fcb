"""`python -m opwright.testing.observe MODULE`: what calls show of operators, as JSON.

The operators are called with samples made from their signatures. The command `opwright reference`
puts what is seen on their pages: the dtypes and shapes that they take and return.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from opwright._functions import native_of
from opwright.testing import _dtypes, _shapes
from opwright.testing._operator import operators


def observed(module: ModuleType) -> dict[str, Any]:
    """What is seen of a module: its `module` name, and its `operators` by their native names.

    Methods that the language calls, `Tensor.__and__`, are among them. What has a function's name or
    does the same in place is not called beside it.

    Raises:
        ValueError: The module has no operators.
    """
    package = module.__name__
    public = _public_names(package)
    found: dict[str, Any] = {}
    # Samples are of all shapes, also of those that operators warn of.
    warnings.simplefilter("ignore", UserWarning)
    for operator in operators(module, protocol=True):
        plain = operator.name.removeprefix("Tensor.").removesuffix("_")
        is_twin = not found.keys().isdisjoint({plain, f"Tensor.{plain}", f"{plain}_"})
        name, written = public.get(id(operator.function), ("", ""))
        found[operator.name] = {
            "public": name,
            "written": written,
            "dtypes": [] if is_twin else _dtypes.rows(operator),
            "shapes": [] if is_twin else _shapes.rows(operator),
        }
    return {"module": package, "operators": found}


def _public_names(package: str) -> dict[int, tuple[str, str]]:
    """The names by which people know the functions of a package.

    Where they know one that is written in Python instead of a native one, its definition follows.
    """
    names: dict[int, tuple[str, str]] = {}
    written: dict[int, tuple[str, str]] = {}
    for path in sorted(it for it in sys.modules if f"{it}.".startswith(f"{package}.")):
        if "._" not in path and ".testing" not in path:
            for name, value in vars(sys.modules[path]).items():
                if callable(value):
                    names.setdefault(id(value), (f"{path}.{name}", ""))
                    if (native := native_of(value)) is not value:
                        found = (f"{path}.{name}", _definition(name, value))
                        written.setdefault(id(native), found)
    return {**written, **names}


def _definition(name: str, function: Callable[..., Any]) -> str:
    """The first line of a function, as a stub has it."""
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(function)))
    return f"def {name}{signature}"


def main() -> None:
    """Prints what is seen of the module that is named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m opwright.testing.observe", description=__doc__)
    parser.add_argument("module", help="the name under which the module is imported")
    name = parser.parse_args().module
    try:
        seen = observed(importlib.import_module(name))
    except (ImportError, ValueError) as error:
        parser.error(str(error))
    json.dump(seen, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
