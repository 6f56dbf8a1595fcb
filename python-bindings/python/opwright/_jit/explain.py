"""What calls resolve to."""

from __future__ import annotations

from typing import Any

from .. import types


def explain(dispatcher: Any, args: tuple[Any, ...]) -> str:
    """Return a line for each call in a function: where it stands, and what it resolves to."""
    from .typeof import typeof

    tys = tuple(map(typeof, args))
    lines = [f"{dispatcher.__name__}({', '.join(map(str, tys))})"]
    lines += [f"  {place}: {text}" for place, text in dispatcher.calls(tys)]
    return "\n".join(lines)


def signature_of(op: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Return the signature of a call of an operation, or None if nothing takes it."""
    from .errors import TypingError
    from .jit import from_text

    names = "".join(f", a{at}" for at in range(len(args)))[2:]
    call = from_text(f"def call({names}):\n    return op({names})\n", {"op": op})
    try:
        call.compile_for(args)
    except TypingError:
        return None
    result = next(result for tys, result in call.compiled if tys == args)
    return types.Signature(result, args)


def attribute_of(ty: Any, name: str) -> Any:
    """Return the type of an attribute, or None if there is none."""
    from .errors import TypingError
    from .jit import from_text

    get = from_text(f"def get(value):\n    return value.{name}\n", {})
    try:
        get.compile_for((ty,))
    except TypingError:
        return None
    return get.compiled[0][1]
