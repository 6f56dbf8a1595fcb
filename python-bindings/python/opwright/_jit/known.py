"""Objects of Python that the compiler knows, under its own names."""

from __future__ import annotations

import builtins
import math
import operator
import sys
from typing import Any

from .. import _C

_DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]

# What to write instead of builtins of Python that are not compiled.
REFUSED = {
    "print": "return what it would show",
    "input": "return what it would show",
    "open": "return what it would show",
    "sorted": "there are no lists; np.sort gives a sorted array",
    "map": "write a loop, or a function of numpy over the array",
    "filter": "write a loop, or take items by an array of truth values",
    "iter": "loop over the value itself",
    "next": "loop over the value itself",
    "hash": "there are no dicts or sets; compare values",
    "id": "compare with `is`",
    "getattr": "write the attribute with a dot",
    "setattr": "write the attribute with a dot",
    "hasattr": "test the type with isinstance",
    "vars": "write the attributes with a dot",
    "dir": "write the attributes with a dot",
    "eval": "pass a function",
    "exec": "pass a function",
    "repr": "return the value, and show it outside",
    "format": "return the value, and show it outside",
    "chr": "return the number, and show it outside",
    "bin": "return the number, and show it outside",
    "hex": "return the number, and show it outside",
    "oct": "return the number, and show it outside",
    "globals": "read the names themselves",
    "locals": "read the names themselves",
}

_MODULES: dict[str, Any] = {"": builtins, "operator": operator}
_table: dict[int, tuple[Any, str]] = {}
# Modules whose functions are known, once somebody imported them.
_filled: set[str] = set()


def table() -> dict[int, tuple[Any, str]]:
    """Return, by identity, objects and what the compiler calls them."""
    if not _table:
        _fill()
    if "numpy" not in _filled and "numpy" in sys.modules:
        _filled.add("numpy")
        _fill_numpy(sys.modules["numpy"])
    return _table


def _add(value: Any, name: str) -> None:
    _table.setdefault(id(value), (value, name))


def _fill() -> None:
    # The compiler says which it has.
    for name in _C._jit.builtin_names():
        module, _, function = name.rpartition(".")
        if module in _MODULES:
            _add(getattr(_MODULES[module], function), name)
    for name in REFUSED:
        _add(getattr(builtins, name), f"refused.{name}")
    for name, function in vars(math).items():
        if callable(function):
            _add(function, f"math.{name}")
    _fill_ours()
    from .standing import STANDING

    for name, function in STANDING.items():
        _add(function, name)
    for name, ours in (("neg", "neg"), ("pos", "pos"), ("invert", "invert"), ("abs", "abs")):
        _add(getattr(operator, name), ours)


def _fill_ours() -> None:
    """Functions that are operators, by their names; those of modules within go by other ones."""
    package = sys.modules[__name__.rpartition("._jit")[0]]
    modules = [package, package.linalg, package.special, package.fft, package.nn.functional]
    operators = set(dir(package.ops))
    for module in modules:
        for name, function in list(vars(module).items()):
            home = getattr(function, "__name__", name)
            if callable(function) and not isinstance(function, type) and home in operators:
                _add(function, f"opwright.{home}")
    for name in ("tensor", "asarray"):
        _add(getattr(package, name), f"opwright.{name}")


def _fill_numpy(numpy: Any) -> None:
    for name in _DTYPES:
        scalar = getattr(numpy, "bool_" if name == "bool" else name)
        _add(scalar, f"dtype.{name}")
    # Not by `dir`, whose names import modules when they are asked for.
    for name, function in list(vars(numpy).items()):
        if name.startswith("_"):
            continue
        if isinstance(function, type) and issubclass(function, numpy.generic):
            continue
        if name in ("ndindex", "ndenumerate"):
            _add(function, name)
        elif callable(function) and not isinstance(function, type):
            _add(function, f"numpy.{getattr(function, '__name__', name)}")
    for name, function in list(vars(numpy.linalg).items()):
        if not name.startswith("_") and callable(function) and not isinstance(function, type):
            _add(function, f"numpy.linalg.{name}")


def functions() -> list[Any]:
    """Return the functions that compiled functions know without anything being registered."""
    from .operators import names

    known = set(names())
    found = []
    for value, name in table().values():
        is_array = name.startswith("numpy.") and name.removeprefix("numpy.") in known
        if callable(value) and (is_array or _C._jit.is_builtin(name)):
            found.append(value)
    return found
