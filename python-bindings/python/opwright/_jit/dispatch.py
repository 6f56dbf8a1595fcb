"""What dispatchers are."""

from __future__ import annotations

from typing import Any

from .. import _C


def is_jitted(function: Any) -> bool:
    """Whether a function was made by `jit`.

    >>> is_jitted(len)
    False
    """
    return isinstance(function, _C._jit.Dispatcher)


def signatures(dispatcher: Any) -> list[tuple[Any, ...]]:
    """Return the types that a function was declared or compiled for."""
    if dispatcher._declared is not None:
        return [signature.args for signature in dispatcher._declared]
    return [tys for tys, _ in dispatcher.compiled]


def nopython_signatures(dispatcher: Any) -> list[Any]:
    """Return the signatures that a function was compiled for."""
    from .. import types

    return [types.Signature(result, tys) for tys, result in dispatcher.compiled]


def compile(dispatcher: Any, sig: Any) -> None:
    """Compile a function for a signature, or for types in a tuple."""
    from .. import types
    from .signatures import read

    if isinstance(sig, tuple) and all(isinstance(it, types.Type) for it in sig):
        dispatcher.compile_for(sig)
        return
    for signature in read(sig):
        dispatcher.compile_for(signature.args)


def inspect_ir(dispatcher: Any, args: Any) -> Any:
    """Return the typed program of a function for types, or those of all that it has."""
    if args is not None:
        return dispatcher.ir_text(args)
    return {tys: dispatcher.ir_text(tys) for tys, _ in dispatcher.compiled}


def inspect_asm(dispatcher: Any, args: Any) -> Any:
    """Return what a function runs as for types, or for all that it has."""
    if args is not None:
        return dispatcher.asm_text(args)
    return {tys: dispatcher.asm_text(tys) for tys, _ in dispatcher.compiled}


def stats(dispatcher: Any) -> Any:
    """Return what a dispatcher counts."""
    from .stats import Stats

    return Stats.of(dispatcher.measured())


def explain(dispatcher: Any, args: tuple[Any, ...]) -> str:
    """Return what the calls of a function resolve to for arguments."""
    from .explain import explain as explained

    return explained(dispatcher, args)


def derivative(dispatcher: Any, arg: Any) -> Any:
    """Return what registers a gradient of a function for an argument."""
    from .gradients import derivative as registered

    return registered(dispatcher, arg)
