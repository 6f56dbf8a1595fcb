"""`jit`: functions that are compiled when they are called."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from .. import _C
from .errors import UnsupportedError

_TARGETS = ("cpu",)


def jit(function: Any = None, signatures: Any = None, **options: Any) -> Any:
    """Compile a function for the types that it is called with."""
    _check_options(options)
    if function is None or not callable(function):
        return lambda it: jit(it, function, **options)
    return _dispatcher(function)


def _check_options(options: dict[str, Any]) -> None:
    if options.get("forceobj"):
        raise NotImplementedError("forceobj=True: everything is compiled, or refused")
    target = options.get("target", "cpu")
    if target not in _TARGETS:
        raise NotImplementedError(f"target={target!r}: functions are compiled for the CPU")


def _dispatcher(function: Any) -> Any:
    if not inspect.isfunction(function):
        raise UnsupportedError(f"jit() compiles functions of Python, not {function!r}")
    params, takes_rest = [], False
    for param in inspect.signature(function, follow_wrapped=False).parameters.values():
        takes_rest |= param.kind is param.VAR_POSITIONAL
        is_positional = param.kind in (param.POSITIONAL_ONLY, param.POSITIONAL_OR_KEYWORD)
        is_keyword = param.kind in (param.KEYWORD_ONLY, param.POSITIONAL_OR_KEYWORD)
        default = () if param.default is param.empty else (param.default,)
        params.append((param.name, is_positional, is_keyword, default))
    made = _C._jit.dispatcher(function, params, takes_rest)
    functools.update_wrapper(made, function)
    made.py_func = function
    return made


def from_text(text: str) -> Any:
    """Compile the function of a text."""
    import linecache

    name = f"<opwright {len(linecache.cache)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    made: dict[str, Any] = {}
    exec(compile(text, name, "exec"), made)
    return jit(next(it for key, it in made.items() if key != "__builtins__"))


njit = jit
