"""Templates: the types of an operation, whose kernel is registered with `lower_builtin`."""

from __future__ import annotations

import inspect
from typing import Any

from .. import types
from . import lowering, registry
from .casts import distance
from .context import Context
from .registry import CAST, DECLINED, EXACT, LOWERED, Answer, Candidate


class _Template:
    """What templates have in common.

    Attributes:
        key: What they type.
        context: Where they ask for other types.
    """

    key: Any = None
    prefer_literal = False

    def __init__(self, context: Any = None) -> None:
        self.context = context if context is not None else Context()


class ConcreteTemplate(_Template):
    """Types an operation by `cases`, signatures: the nearest that the arguments cast to."""

    cases: tuple[Any, ...] | list[Any] = ()


class AbstractTemplate(_Template):
    """Types an operation by `generic(self, args, kws)`, which returns a signature or None."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Return the signature for the types of arguments, or None."""
        raise NotImplementedError(f"{type(self).__name__} has no generic()")


class CallableTemplate(_Template):
    """Types an operation by `generic(self)`, which returns a typer.

    The typer has the parameters of what is typed, and returns the type of the result, a signature,
    or None.
    """

    def generic(self) -> Any:
        """Return the typer."""
        raise NotImplementedError(f"{type(self).__name__} has no generic()")


class AttributeTemplate(_Template):
    """Types the attributes of a class of types, its `key`.

    `resolve_<name>(self, ty)` returns the type of one, `generic_resolve(self, ty, name)` that of
    any.
    """

    def generic_resolve(self, ty: Any, name: str) -> Any:
        """Return the type of an attribute, or None."""
        return None


def infer(template: Any) -> Any:
    """Register a template for its `key`."""
    _add(template.key, template)
    return template


def infer_global(value: Any, typ: Any = None) -> Any:
    """Register a template for a function, as a decorator; or say what type a value has."""
    if typ is not None:
        if isinstance(typ, types.Function):
            for template in typ.templates:
                _add(value, template)
        return None

    def register(template: Any) -> Any:
        if template.key is None:
            template.key = value
        _add(value, template)
        return template

    return register


def infer_getattr(template: Any) -> Any:
    """Register a template of the attributes of its `key`."""
    owner = template.key
    for name in dir(template):
        if name.startswith("resolve_"):
            attribute = name.removeprefix("resolve_")
            registry.add((owner, "get", attribute), _attribute(template, attribute))
    if template.generic_resolve is not AttributeTemplate.generic_resolve:
        registry.add((owner, "get", None), _attribute(template, None))
    return template


def type_callable(func: Any) -> Any:
    """Register a typer: the decorated function takes a context, and returns one."""

    def register(make: Any) -> Any:
        typer = type(
            getattr(make, "__name__", "typer"),
            (CallableTemplate,),
            {"key": func, "generic": lambda self: make(self.context)},
        )
        registry.add(func, Candidate(_callable(func, typer), registry.place_of(make)))
        return make

    return register


def _add(op: Any, template: Any) -> None:
    registry.add(op, Candidate(_asker(op, template), registry.place_of(template)))


# An answer whose lowering is still to be looked for.
SIGNATURE = "signature"


def _asker(op: Any, template: Any) -> Any:
    """What answers by a template; without an operation, with a signature."""
    if issubclass(template, ConcreteTemplate):
        return _concrete(op, template)
    if issubclass(template, AbstractTemplate):
        return _abstract(op, template)
    if issubclass(template, CallableTemplate):
        return _callable(op, template)
    raise TypeError(f"{template!r} is no template of a function")


def _lowered(op: Any, signature: Any, rank: int) -> Answer:
    if op is None:
        return Answer(SIGNATURE, signature, rank)
    return Answer(LOWERED, lowering.of_call(op, signature), rank)


def _concrete(op: Any, template: Any) -> Any:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        if keywords:
            return Answer(DECLINED, reason="takes no keywords")
        args = tuple(map(types.unliteral, args))
        best, far = None, None
        for case in template.cases:
            found = _distance(args, case.args)
            if found is not None and (far is None or found < far):
                best, far = case, found
        if best is None:
            listed = ", ".join(map(str, template.cases))
            return Answer(DECLINED, reason=f"no case takes these arguments, of: {listed}")
        return _lowered(op, best, EXACT if far == 0 else CAST)

    return ask


def _distance(args: tuple[Any, ...], wanted: tuple[Any, ...]) -> int | None:
    if len(args) != len(wanted):
        return None
    found = [distance(a, b) for a, b in zip(args, wanted, strict=True)]
    return None if None in found else sum(found)  # type: ignore[arg-type]


def _abstract(op: Any, template: Any) -> Any:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        found = template().generic(tuple(map(types.unliteral, args)), keywords)
        if found is None:
            return Answer(DECLINED, reason="declined (returned None; a missing return?)")
        return _lowered(op, found, EXACT)

    return ask


def _callable(op: Any, template: Any) -> Any:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        typer = template().generic()
        formal = inspect.signature(typer)
        args = tuple(map(types.unliteral, args))
        try:
            bound = formal.bind(*args, **keywords)
        except TypeError as error:
            return Answer(DECLINED, reason=str(error))
        found = typer(*args, **keywords)
        if found is None:
            return Answer(DECLINED, reason="declined (returned None; a missing return?)")
        if not isinstance(found, types.Signature):
            found = types.signature(found, *bound.args, *bound.kwargs.values())
        return _lowered(op, found, EXACT)

    return ask


def bound(method: Any) -> Candidate:
    """Return the candidate of a method that is typed by a template, whose receiver is `this`.

    The template gets the other arguments, and may ask for `self.this`.
    """

    class Method(method.template):  # type: ignore[misc]
        this = method.this

    Method.__qualname__ = method.template.__qualname__
    key = method.typing_key
    found = _asker(None, Method)

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        answer: Answer = found(args[1:], keywords)
        if answer.kind != SIGNATURE:
            return answer
        receiver = answer.value.recvr if answer.value.recvr is not None else method.this
        signature = types.signature(answer.value.return_type, receiver, *answer.value.args)
        return Answer(LOWERED, lowering.of_call(key, signature), answer.rank)

    return Candidate(ask, registry.place_of(method.template))


def _attribute(template: Any, attribute: str | None) -> Candidate:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        ty, name = args[0], keywords["name"]
        resolve = getattr(template(), f"resolve_{name}", None)
        if attribute is None and resolve is not None:
            return Answer(DECLINED, reason="there is a special one")
        found = resolve(ty) if resolve is not None else template().generic_resolve(ty, name)
        if found is None:
            known = sorted(
                it.removeprefix("resolve_") for it in dir(template) if it.startswith("resolve_")
            )
            return Answer(DECLINED, reason=f"knows {', '.join(known) or 'none by name'}")
        if isinstance(found, types.BoundFunction):
            return Answer("method", found)
        return Answer(LOWERED, lowering.of_attribute(ty, name, found))

    return Candidate(ask, registry.place_of(template))
