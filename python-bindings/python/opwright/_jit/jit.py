"""`jit`: functions that are compiled when they are called."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from .. import _C
from .errors import UnsupportedError

# What numba takes and means nothing here, and what is not there.
_IGNORED = {
    "cache",
    "parallel",
    "nopython",
    "nogil",
    "boundscheck",
    "error_model",
    "fastmath",
    "inline",
    "backend",
}


def jit(signature_or_function: Any = None, *, signatures: Any = None, **options: Any) -> Any:
    """Compile a function for the types that it is called with.

        >>> @jit
        ... def f(x):
        ...     return x + 1
        >>> f(1), f(1.5)
        (2, 2.5)

    Args:
        signature_or_function: The function; or a signature, a text such as
            `"float64(float64, int64)"`, or a list of them, to which arguments are cast.
        signatures: Signatures, if the function comes first.
        options: `nogil`, `boundscheck`, `error_model`, `fastmath`, `inline`; `backend`, one of
            `"vm"`, `"cranelift"`, `"cc"` and `"tiered"`, instead of what the variable
            `OPWRIGHT_JIT` says; `cache`, `parallel` and `nopython` do nothing.

    Raises:
        UnsupportedError: The function has no source.
        ValueError: There is no back end of this name.
        NotImplementedError: An option asks for what is not there.
    """
    _check_options(options)
    given = signature_or_function
    if inspect.isfunction(given):
        return _dispatcher(given, signatures, options)
    if isinstance(given, (staticmethod, classmethod)):
        return type(given)(jit(given.__func__, signatures=signatures, **options))
    if given is not None and _is_callable(given):
        raise UnsupportedError(f"jit() compiles functions of Python, not {given!r}")
    return lambda it: jit(it, signatures=given, **options)


njit = jit


def _is_callable(given: Any) -> bool:
    from .. import types

    return callable(given) and not isinstance(given, (types.Type, types.Signature))


def _check_options(options: dict[str, Any]) -> None:
    if options.get("forceobj"):
        raise NotImplementedError("forceobj=True: everything is compiled, or refused")
    target = options.get("target", "cpu")
    if target != "cpu":
        raise NotImplementedError(
            f"target={target!r} is not there: functions are compiled for the CPU"
        )
    unknown = set(options) - _IGNORED - {"forceobj", "target"}
    if unknown:
        raise TypeError(f"jit() got an unexpected keyword argument '{min(unknown)}'")


def _dispatcher(function: Any, signatures: Any, options: dict[str, Any]) -> Any:
    params = inspect.signature(function, follow_wrapped=False).parameters.values()
    by_place = all(it.kind in (it.POSITIONAL_ONLY, it.POSITIONAL_OR_KEYWORD) for it in params)
    declared = None
    if signatures is not None:
        from .signatures import read

        declared = read(signatures)
    arity = len(params) if by_place else None
    made = _C._jit.dispatcher(function, arity, declared, options.get("backend"))
    functools.update_wrapper(made, function)
    made.py_func = function
    made._declared = declared
    for signature in declared or ():
        made.compile_for(signature.args)
    return made


def from_text(text: str, names: dict[str, Any] | None = None) -> Any:
    """Compile the function of a text, which knows these names."""
    import linecache

    file = f"<opwright {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = dict(names or {})
    known = set(made)
    exec(compile(text, file, "exec"), made)
    return jit(next(it for key, it in made.items() if key not in known and key != "__builtins__"))
