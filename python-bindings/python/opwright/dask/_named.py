"""Pickles by name that arrive everywhere, and say what a worker lacks.

A worker that cannot unpickle a task loses its connection, and the program waits without end. What
stands in tasks is therefore pickled together with the few lines that import it. Where they find no
such module, they make a stand-in: whoever uses it is told what is missing, and whoever sends it on
sends what it stands for.
"""

from __future__ import annotations

import builtins
import copyreg
import pickle
from functools import cache
from types import FunctionType

import cloudpickle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def named(module: str, path: str, args: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
    """What `__reduce__` returns for `module.path`, or for what it returns for arguments."""
    # As bytes, the arguments are read after the module was found.
    return IMPORTED, (module, path, None if args is None else cloudpickle.dumps(args))


class Loader:
    """A function of this package that is pickled whole, so that it runs where the package is not.

    It may use `names`, and what it imports.
    """

    def __init__(self, function: Callable[..., Any], **names: Any) -> None:
        self._function, self._names = function, names

    def __call__(self, *args: Any) -> Any:
        """What the function returns."""
        return self._function(*args)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle.loads, (_pickled(self),)

    def alone(self) -> Any:
        """A copy that `cloudpickle` writes down whole, since no module has it."""
        function: Any = self._function
        known = {name: it.alone() for name, it in self._names.items()}
        copy = FunctionType(function.__code__, {"__builtins__": builtins, **known})
        copy.__globals__[function.__name__] = copy
        copy.__module__ = "nowhere"
        return copy


@cache
def _pickled(loader: Loader) -> bytes:
    return bytes(cloudpickle.dumps(loader.alone()))


def imported(module: str, path: str, args: bytes | tuple[Any, ...] | None) -> Any:
    """Run by the worker, which may have nothing of this package: hence no names of it."""
    import functools
    import importlib
    import pickle

    try:
        found: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
        if args is None:
            return found
        return found(*(pickle.loads(args) if isinstance(args, bytes) else args))
    except (ImportError, AttributeError) as error:
        lacks = f"this process cannot import `{path}` of `{module}` ({error}); "
        package = module.partition(".")[0]
        message = lacks + f"install the package `{package}` there, as it is here"

    def refuse(*_: Any, **__: Any) -> Any:
        raise ModuleNotFoundError(message, name=package)

    def attribute(_: Any, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        refuse()

    used = "call getitem setitem iter len bool float int array array_ufunc array_function"
    binary = "add sub mul matmul truediv floordiv mod pow and or xor"
    compared = "lt le gt ge neg abs invert"
    names = [
        *used.split(),
        *compared.split(),
        *binary.split(),
        *(f"r{it}" for it in binary.split()),
    ]
    members: dict[str, Any] = dict.fromkeys((f"__{name}__" for name in names), refuse)
    members["__module__"] = "builtins"
    members["__getattr__"] = attribute
    members["__reduce__"] = lambda _: (imported, (module, path, args))
    return type("Missing", (), members)()


IMPORTED = Loader(imported)


def register(kind: type) -> None:
    """Have overloads or operators of a class pickled so."""
    copyreg.pickle(kind, _reduced)


def _reduced(row: Any) -> tuple[Any, ...]:
    return named(type(row).__module__, row.__qualname__)
