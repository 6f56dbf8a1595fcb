"""Pickles by name that arrive everywhere, and say what a worker lacks.

A worker that cannot unpickle a task loses its connection, and the program waits without end. What
stands in tasks is therefore pickled together with the few lines that import it. Where they find no
such module, they make a function that raises.
"""

from __future__ import annotations

import builtins
import copyreg
import pickle
from functools import lru_cache
from types import FunctionType

import cloudpickle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def named(module: str, path: str, args: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
    """What `__reduce__` returns for `module.path`, or for what it returns for arguments."""
    return pickle.loads, (
        _pickled(module, path, None if args is None else cloudpickle.dumps(args)),
    )


@lru_cache(maxsize=1024)
def _pickled(module: str, path: str, args: bytes | None) -> bytes:
    return bytes(cloudpickle.dumps(_Imported(module, path, args)))


class _Imported:
    """Unpickled, it is what the name says."""

    def __init__(self, *named: Any) -> None:
        self._named = named

    def __reduce__(self) -> tuple[Any, ...]:
        return _alone(_import), self._named


def _import(module: str, path: str, args: bytes | None) -> Any:
    """Run by the worker, which may have nothing of this package: hence no names of it."""
    import functools
    import importlib
    import pickle

    try:
        found: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
        return found if args is None else found(*pickle.loads(args))
    except (ImportError, AttributeError) as error:
        lacks = f"this process cannot import `{path}` of `{module}` ({error}); "
        message = lacks + f"install the package `{module.partition('.')[0]}` there, as it is here"

    def missing(*_: Any, **__: Any) -> Any:
        raise ModuleNotFoundError(message, name=module.partition(".")[0])

    return missing


def _alone(function: Any) -> Callable[..., Any]:
    """A copy that `cloudpickle` writes down whole, since no module has it."""
    copy = FunctionType(function.__code__, {"__builtins__": builtins}, function.__name__)
    copy.__module__ = "nowhere"
    return copy


def register(kind: type) -> None:
    """Have overloads or operators of a class pickled so."""
    copyreg.pickle(kind, _reduced)


def _reduced(row: Any) -> tuple[Any, ...]:
    return named(type(row).__module__, row.__qualname__)
