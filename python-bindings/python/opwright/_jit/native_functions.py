"""Functions of other libraries that compiled functions call: what `#[overload]` makes of Rust's.

An object has them as `_opwright_overloads_`, a row each: the signature, the names of parameters,
the address of a function over words, that of one with its arguments in registers or 0, and where it
stands.
"""

from __future__ import annotations

from typing import Any

from . import registry
from .casts import distance
from .lowering import Lowering
from .registry import CAST, DECLINED, EXACT, LOWERED, Answer, Candidate
from .signatures import read

ATTRIBUTE = "_opwright_overloads_"

_registered: set[int] = set()


def register(op: Any) -> None:
    """Register what an object has, once."""
    if id(op) in _registered:
        return
    _registered.add(id(op))
    for text, names, words, direct, place in getattr(op, ATTRIBUTE):
        (signature,) = read(text)
        registry.put(op, Candidate(_candidate(signature, list(names), words, direct), place))


def _candidate(signature: Any, names: list[str], words: int, direct: int) -> Any:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        given = [*args, *keywords.values()]
        if len(given) != len(names) or list(keywords) != names[len(args) :]:
            listed = ", ".join(names)
            return Answer(DECLINED, reason=f"takes, in this order: {listed}")
        far = [distance(ty, wanted) for ty, wanted in zip(given, signature.args, strict=True)]
        if None in far:
            return Answer(DECLINED, reason=f"takes {signature}")
        total = sum(it for it in far if it is not None)
        rank = EXACT if total == 0 else CAST + total
        return Answer(LOWERED, Lowering(signature.args, signature.return_type, run), rank)

    def run(builder: Any, args: Any) -> Any:
        return builder.step("native", tuple(args), (signature.return_type, words, direct))

    return ask
