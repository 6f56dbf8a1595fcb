"""Overloads: what a function, a method or an attribute is for given types."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from .. import types
from . import registry
from .errors import TypingError
from .registry import BODY, DECLINED, Answer, Candidate

if TYPE_CHECKING:
    from collections.abc import Callable


def overload(
    func: Any,
    jit_options: Any = None,
    strict: bool = True,
    inline: str = "auto",
    prefer_literal: bool = False,
    *,
    priority: int = 0,
    **options: Any,
) -> Callable[[Any], Any]:
    """Say what a function is for given types, by returning a body.

    The decorated function has the parameters of `func`, and gets types; it returns a function with
    the same parameters, which is compiled, or None if it is not for these types.

        >>> def twice(x): ...
        >>> @overload(twice)
        ... def _(x):
        ...     if isinstance(x, types.Float):
        ...         return lambda x: x * 2

    Args:
        func: A function, a class, a builtin, or one of `operator`, which serves the operator.
        jit_options: Accepted for numba's sake, as `strict`, `inline` and further options are.
        strict: Accepted.
        inline: Accepted.
        prefer_literal: Whether constants come as literal types.
        priority: Among several that answer, those of the greatest are taken.
        options: Accepted.

    Raises:
        TypeError: `func` cannot be called.
    """
    if not callable(func):
        raise TypeError(f"overload() takes what can be called, not {func!r}")

    def register(decide: Any) -> Any:
        registry.add(func, _candidate(decide, priority, prefer_literal))
        return decide

    return register


def overload_method(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what a method of the values of a class of types is; its first parameter is the receiver.

    Args:
        typ: A class of types, whose subclasses have the method too, or a native struct.
        attr: The name.
        options: As `overload` takes them, and `replace` for names that a class has already.
    """
    owner = _owner(typ)

    def register(decide: Any) -> Any:
        candidate = _candidate(
            decide, options.get("priority", 0), options.get("prefer_literal", False)
        )
        registry.add((owner, "method", attr), candidate)
        from .members import publish

        publish(owner, attr, is_method=True, replace=options.get("replace", False))
        return decide

    return register


def overload_attribute(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what an attribute of the values of a class of types is.

    The decorated function gets the type, and returns a getter, or a tuple of getter, setter and
    deleter, with None for what there is not.
    """
    owner = _owner(typ)

    def register(decide: Any) -> Any:
        priority = options.get("priority", 0)
        for role, at in (("get", 0), ("set", 1), ("del", 2)):
            candidate = _attribute_candidate(decide, role, at, priority)
            registry.add((owner, role, attr), candidate)
        from .members import publish

        publish(owner, attr, is_method=False, replace=options.get("replace", False))
        return decide

    return register


def overload_classmethod(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what `T.name(...)` is, for a class that stands for a type."""
    owner = _owner(typ)

    def register(decide: Any) -> Any:
        registry.add(
            (owner, "classmethod", attr), _candidate(decide, options.get("priority", 0), False)
        )
        return decide

    return register


def _owner(typ: Any) -> Any:
    """The class of types, or the type, that a member is registered for."""
    struct = getattr(typ, "_opwright_type_", None)
    if isinstance(typ, type) and isinstance(struct, types.Type):
        return struct
    if isinstance(typ, types.Type) or (isinstance(typ, type) and issubclass(typ, types.Type)):
        return typ
    raise TypeError(f"members are of a class of types or of a native struct, not of {typ!r}")


def _candidate(decide: Any, priority: int, prefer_literal: bool) -> Candidate:
    formal = inspect.signature(decide)

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        if not prefer_literal:
            args = tuple(map(types.unliteral, args))
            keywords = {name: types.unliteral(ty) for name, ty in keywords.items()}
        try:
            bound = formal.bind(*args, **keywords)
        except TypeError as error:
            return Answer(DECLINED, reason=str(error))
        return _body(decide(*_all(formal, bound), **_named(formal, bound)), decide, formal)

    return Candidate(ask, registry.place_of(decide), priority)


def _left_out(param: inspect.Parameter) -> Any:
    return None if param.default is None else types.Omitted(param.default)


def _all(formal: inspect.Signature, bound: inspect.BoundArguments) -> list[Any]:
    values: list[Any] = []
    for name, param in formal.parameters.items():
        if param.kind is param.VAR_POSITIONAL:
            values.extend(bound.arguments.get(name, ()))
        elif param.kind in (param.POSITIONAL_ONLY, param.POSITIONAL_OR_KEYWORD):
            values.append(bound.arguments[name] if name in bound.arguments else _left_out(param))
    return values


def _named(formal: inspect.Signature, bound: inspect.BoundArguments) -> dict[str, Any]:
    values = {}
    for name, param in formal.parameters.items():
        if param.kind is param.KEYWORD_ONLY:
            values[name] = bound.arguments[name] if name in bound.arguments else _left_out(param)
    return values


def _body(body: Any, decide: Any, formal: inspect.Signature) -> Answer:
    if body is None:
        return Answer(DECLINED, reason="declined (returned None; a missing return?)")
    body = getattr(body, "py_func", body)
    if not inspect.isfunction(body):
        raise TypeError(f"an overload returns a function or None, not {body!r}")
    own = inspect.signature(body, follow_wrapped=False)
    if not _same_parameters(formal, own):
        raise TypingError(
            f"the body {registry.place_of(body)}{own} has other parameters than "
            f"{registry.place_of(decide)}{formal}"
        )
    defaults = {
        name: param.default
        for name, param in formal.parameters.items()
        if param.default is not param.empty
    }
    return Answer(BODY, (body, defaults))


def _same_parameters(formal: inspect.Signature, own: inspect.Signature) -> bool:
    def shape(it: inspect.Signature) -> list[Any]:
        return [(param.name, param.kind) for param in it.parameters.values()]

    return shape(formal) == shape(own)


def _attribute_candidate(decide: Any, role: str, at: int, priority: int) -> Candidate:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        found = decide(types.unliteral(args[0]))
        if found is None:
            return Answer(DECLINED, reason="declined (returned None; a missing return?)")
        parts = found if isinstance(found, tuple) else (found,)
        body = parts[at] if at < len(parts) else None
        if body is None:
            return Answer(
                DECLINED,
                reason=f"there is no {role}ter" if role != "del" else "there is no deleter",
            )
        return Answer(BODY, (getattr(body, "py_func", body), {}))

    return Candidate(ask, registry.place_of(decide), priority)


def register_jitable(function: Any = None, **options: Any) -> Any:
    """Leave a function as it is in Python; where compiled code calls it, it is compiled."""
    return function if function is not None else (lambda it: it)


def operator(func: Any) -> Any:
    """Return a function of Python that resolves, compiles and runs the overloads of `func`.

    >>> operator(twice)(2.5)  # doctest: +SKIP
    5.0
    """
    from .jit import jit

    def call(*args: Any) -> Any:
        return func(*args)

    call.__name__ = call.__qualname__ = getattr(func, "__name__", "call")
    return jit(call)


def operators() -> list[Any]:
    """Return the functions and classes that something is registered for."""
    return [it.key for it in registry._operations.values() if not isinstance(it.key, tuple)]
