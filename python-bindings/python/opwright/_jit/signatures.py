"""Signatures that are declared: which of them arguments are cast to."""

from __future__ import annotations

from typing import Any

from .. import types
from .casts import distance, find
from .errors import AmbiguousOverloadError, TypingError

# Casts that lose something come after all that do not.
_LOSSY = 1000


def read(given: Any) -> list[types.Signature]:
    """Return the signatures of a text, a signature, or a list of these.

    Raises:
        TypeError: It is none.
    """
    if given is None:
        return []
    if isinstance(given, (list, tuple)) and not isinstance(given, types.Type):
        if given and all(isinstance(it, types.Type) for it in given):
            return [types.Signature(types.none, tuple(given))]
        return [one for it in given for one in read(it)]
    if isinstance(given, str):
        return read(_evaluated(given))
    if isinstance(given, types.Signature):
        return [given]
    if type(given).__name__ == "Variable":
        raise TypeError(
            "a type without arguments makes a variable of a graph: write signature(t), or "
            'a text such as "int64()"'
        )
    raise TypeError(f"a signature is a text or made by calling a type with types, not {given!r}")


def _evaluated(text: str) -> Any:
    if text.rstrip().endswith("()"):
        return types.signature(eval(text.rstrip()[:-2], dict(vars(types))))
    try:
        return eval(text, {name: getattr(types, name) for name in dir(types)})
    except (NameError, SyntaxError, AttributeError) as error:
        raise TypeError(f"no signature is written {text!r}: {error}") from None


def choose(declared: list[types.Signature], given: tuple[Any, ...]) -> types.Signature:
    """Return the nearest signature: exact, then without loss, then by any cast.

    Raises:
        TypingError: None takes the arguments.
        AmbiguousOverloadError: Several are equally near.
    """
    best: list[types.Signature] = []
    nearest: int | None = None
    for signature in declared:
        far = _distance(given, signature.args)
        if far is None or (nearest is not None and far > nearest):
            continue
        best = [*best, signature] if far == nearest else [signature]
        nearest = far
    shown = ", ".join(map(str, given))
    if not best:
        listed = ", ".join(map(str, declared))
        raise TypingError(f"no signature takes ({shown}), of: {listed}")
    if len(best) > 1:
        raise AmbiguousOverloadError(
            f"a call with ({shown}) is ambiguous: {best[0]} and {best[1]} are equally near"
        )
    return best[0]


def _distance(given: tuple[Any, ...], wanted: tuple[Any, ...]) -> int | None:
    if len(given) != len(wanted):
        return None
    total = 0
    for source, target in zip(given, wanted, strict=True):
        far = _one(source, target)
        if far is None:
            return None
        total += far
    return total


def _one(source: Any, target: Any) -> int | None:
    far = distance(source, target)
    if far is not None:
        return far
    if isinstance(source, (types.Number, types.Boolean)) and isinstance(
        target, (types.Number, types.Boolean)
    ):
        is_narrower = isinstance(source, types.Complex) and not isinstance(target, types.Complex)
        return None if is_narrower else _LOSSY
    if isinstance(source, types.Array) and isinstance(target, types.Array):
        return _array(source, target)
    if isinstance(source, types.BaseTuple) and isinstance(target, types.BaseTuple):
        return _distance(tuple(source), tuple(target))
    if isinstance(target, types.Optional):
        return 1 if source is types.none else _one(source, target.type)
    return 100 if find(source, target) is not None else None


def _array(source: Any, target: Any) -> int | None:
    fits = source.dtype == target.dtype and source.ndim == target.ndim
    if not fits or target.layout not in (source.layout, "A"):
        return None
    return 1
