"""What is registered for operations: overloads, templates, lowerings, casts, models.

An operation is what a call, an operator, a method or an attribute resolves to. Methods and
attributes are operations of a class of types. The compiler asks for one with the types of its
arguments, gets what each candidate answers, and chooses.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import _C, types
from . import named
from .errors import TypingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# What an answer is: see `Answer`.
BODY, LOWERED, FIELD, DECLINED = "body", "lowered", "field", "declined"
# What only answers that are built in are: see `Elementwise` and `Forward` of overloads.
ELEMENTWISE, FORWARD = "elementwise", "forward"
# How well declared types match, the best first.
EXACT, CAST = 0, 2


@dataclass(frozen=True)
class Answer:
    """What a candidate says to the types of arguments.

    Attributes:
        kind: `body` with a function, `lowered` with a `Lowering`, `field` with the name of a
            member, or `declined`.
        value: That function, lowering or name.
        rank: How well declared types match.
        reason: Why the candidate declined.
    """

    kind: str
    value: Any = None
    rank: int = EXACT
    reason: str = ""


@dataclass(eq=False)
class Candidate:
    """What was registered for an operation.

    Attributes:
        ask: Returns the answer to arguments, as types.
        place: File and line of what was registered, and its name.
        priority: The greater is preferred.
        is_builtin: Whether it is there before anything is compiled, so that nothing changes by it.
    """

    ask: Callable[[tuple[Any, ...], dict[str, Any]], Answer]
    place: str
    priority: int = 0
    is_builtin: bool = False


@dataclass(eq=False)
class Operation:
    """What is registered under one key."""

    key: Any
    candidates: list[Candidate] = field(default_factory=list)


_operations: dict[Any, Operation] = {}


def key_of(op: Any) -> Any:
    """Return what tells an operation from others: a text by itself, an object by its identity."""
    return op if isinstance(op, (tuple, str)) else ("object", id(op))


def add(op: Any, candidate: Candidate) -> None:
    """Register a candidate for an operation: an object, or a tuple of class, role and name."""
    put(op, candidate)
    if not candidate.is_builtin:
        changed()


def put(op: Any, candidate: Candidate) -> None:
    """Register what has been there before anybody asked for it."""
    key = key_of(op)
    operation = _operations.get(key)
    if operation is None:
        # The object is kept, so that nobody else gets its identity.
        operation = _operations[key] = Operation(op)
    operation.candidates.append(candidate)


# What forgets what depends on what is registered.
on_change: list[Callable[[], None]] = []


def changed() -> None:
    """Have dispatchers look again at what they asked for."""
    for forget in on_change:
        forget()
    _C._jit.changed()


def operations() -> list[Any]:
    """Return the functions and classes that something is registered for, built-in ones included."""
    from .builtins import load
    from .known import functions

    load()
    found = [*functions(), *(it.key for it in _operations.values())]
    return [*{id(it): it for it in found if not isinstance(it, (tuple, str))}.values()]


def is_registered(op: Any) -> bool:
    """Whether something is registered for an object, or it brings something along."""
    if hasattr(op, "_opwright_overloads_"):
        from .native_functions import register

        register(op)
    return key_of(op) in _operations or named.is_named(op)


def ask(op: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return place, priority, kind, value, rank and reason for each candidate of an object."""
    operation = _operations.get(key_of(op))
    candidates = operation.candidates if operation else []
    if named.is_named(op):
        candidates = [*candidates, Candidate(named.asking(op), named.place_of(op), -1, True)]
    return _asked(candidates, args, keywords)


def ask_member(
    ty: Any, role: str, name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> list[tuple[Any, ...]]:
    """The same for a member of a type: `role` is `method`, `get`, `set` or `del`.

    Those of the nearest class are asked; if all of them decline, those of the classes above.
    """
    declined: list[tuple[Any, ...]] = []
    for candidates in _of_classes(ty, role, name):
        rows = _asked(candidates, args, keywords)
        if any(row[2] != DECLINED for row in rows):
            return declined + rows
        declined += rows
    return declined


def ask_class(
    cls: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> list[tuple[Any, ...]]:
    """The same for a method that is called on a class or type itself.

    The first argument is the type that the class stands for, or the class of types.
    """
    ty = _stands_for(cls)
    declined: list[tuple[Any, ...]] = []
    for candidates in _of_class(ty, name):
        rows = _asked(candidates, (ty, *args[1:]), keywords)
        if any(row[2] != DECLINED for row in rows):
            return declined + rows
        declined += rows
    return declined


def ask_bound(
    method: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> list[tuple[Any, ...]]:
    """The same for a method that a template of attributes answered with, and its receiver."""
    from .templates import bound

    return _asked([bound(method)], args, keywords)


def has_class_method(cls: Any, name: str) -> bool:
    """Whether a method of this name is registered that is called on a class or type."""
    return any(True for _ in _of_class(_stands_for(cls), name))


def _stands_for(cls: Any) -> Any:
    if isinstance(cls, types.Type) or (isinstance(cls, type) and issubclass(cls, types.Type)):
        return cls
    from .typeof import of_instances

    return of_instances(cls)


def _of_class(ty: Any, name: str) -> Iterator[list[Candidate]]:
    above = ty.__mro__ if isinstance(ty, type) else (ty, *type(ty).__mro__)
    for owner in above:
        found = _operations.get((owner, "classmethod", name))
        if found is not None:
            yield found.candidates


def has_method(ty: Any, name: str) -> bool:
    """Whether a method of this name is registered for a type."""
    return any(True for _ in _of_classes(ty, "method", name))


def _of_classes(ty: Any, role: str, name: str) -> Iterator[list[Candidate]]:
    """What is registered for a member, the nearest class first; after all, what is built in."""
    builtin: list[Candidate] = []
    for owner in (ty, *type(ty).__mro__):
        for key in ((owner, role, name), (owner, role, None)):
            found = _operations.get(key)
            if found is None:
                continue
            users = [it for it in found.candidates if not it.is_builtin]
            builtin += [it for it in found.candidates if it.is_builtin]
            if users:
                yield users
    if builtin:
        yield builtin


def _asked(
    candidates: list[Candidate], args: tuple[Any, ...], keywords: dict[str, Any]
) -> list[tuple[Any, ...]]:
    rows = []
    for it in candidates:
        try:
            answer = it.ask(args, keywords)
        except TypingError as error:
            answer = Answer(DECLINED, reason=str(error))
        except Exception as error:
            error.add_note(f"while {it.place} was asked for {_shown(args, keywords)}")
            raise
        rows.append((it.place, it.priority, answer.kind, answer.value, answer.rank, answer.reason))
    return rows


def _shown(args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    parts = [*map(str, args), *(f"{name}={ty}" for name, ty in keywords.items())]
    return f"({', '.join(parts)})"


def place_of(function: Any) -> str:
    """Return where a function or class stands, and its name."""
    name = getattr(function, "__qualname__", repr(function))
    code = getattr(function, "__code__", None)
    if code is not None:
        return f"{name} ({code.co_filename}:{code.co_firstlineno})"
    try:
        return f"{name} ({inspect.getsourcefile(function)}:{inspect.getsourcelines(function)[1]})"
    except (OSError, TypeError):
        return str(name)


def matched(args: tuple[Any, ...], declared: tuple[Any, ...]) -> tuple[int, ...] | None:
    """Return how well arguments fit declared types, one rank for each, or None if they do not."""
    if declared and isinstance(declared[-1], types.VarArg):
        *fixed, rest = declared
        if len(args) < len(fixed):
            return None
        declared = (*fixed, *[rest.dtype] * (len(args) - len(fixed)))
    if len(args) != len(declared):
        return None
    ranks = [_rank(ty, wanted) for ty, wanted in zip(args, declared, strict=True)]
    return None if None in ranks else tuple(ranks)  # type: ignore[arg-type]


def nearest(rows: list[tuple[tuple[int, ...], Any]]) -> list[Any]:
    """Return what no other is nearer than: in one place at least, and as near in all others."""
    best: list[tuple[tuple[int, ...], Any]] = []
    for ranks, what in rows:
        if any(_beats(it, ranks) for it, _ in rows):
            continue
        best.append((ranks, what))
    return [what for _, what in best]


def _beats(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return a != b and all(x <= y for x, y in zip(a, b, strict=True))


def _rank(ty: Any, wanted: Any) -> int | None:
    if isinstance(wanted, type) and isinstance(ty, wanted):
        # The nearer class is the better match.
        return (
            1 + type(ty).__mro__.index(wanted)
            if wanted in type(ty).__mro__
            else 1 + len(type(ty).__mro__)
        )
    return 0 if ty == wanted else None
