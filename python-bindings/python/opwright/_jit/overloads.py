"""Overloads: what a function, a method or an attribute is for given types."""

from __future__ import annotations

import functools
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import types
from . import registry
from .errors import TypingError
from .registry import BODY, DECLINED, ELEMENTWISE, FORWARD, Answer, Candidate

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
        jit_options: Accepted for numba's sake.
        strict: Whether bodies must have the parameters of the decorated function.
        inline: Whether bodies are written where they are called: `"auto"` if they are small,
            `"always"`, or `"never"`.
        prefer_literal: Whether whole numbers, truth values and texts that are known come as their
            literal types; if these are declined, they come as `int64` and so on.
        priority: Among several that answer, those of the greatest are taken.

    Raises:
        TypeError: `func` cannot be called.
        ValueError: `inline` is another text.
    """
    if not callable(func):
        raise TypeError(f"overload() takes what can be called, not {func!r}")
    options = Options(strict, inline, prefer_literal, priority)

    def register(decide: Any) -> Any:
        registry.add(func, candidate(decide, options))
        return decide

    return register


@dataclass(frozen=True)
class Options:
    """How an overload is taken, as `overload` says."""

    strict: bool = True
    inline: str = "auto"
    prefer_literal: bool = False
    priority: int = 0
    jit_options: Any = None
    # Of members: whether what a class of Python has already gives way.
    replace: bool = False

    def __post_init__(self) -> None:
        if self.inline not in ("auto", "always", "never"):
            raise ValueError(f'inline is "auto", "always" or "never", not {self.inline!r}')


def overload_method(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what a method of the values of a class of types is; its first parameter is the receiver.

    Args:
        typ: A class of types, whose subclasses have the method too, or a native struct.
        attr: The name.
        options: As `overload` takes them, and `replace` for names that a class has already.
    """
    owner, given = _owner(typ), Options(**options)

    def register(decide: Any) -> Any:
        from .members import publish

        publish(owner, attr, is_method=True, replace=given.replace)
        registry.add((owner, "method", attr), candidate(decide, given))
        return decide

    return register


def overload_attribute(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what an attribute of the values of a class of types is.

    The decorated function gets the type, and returns a getter, or a tuple of getter, setter and
    deleter, with None for what there is not. Values that are copies have neither setter nor
    deleter: what these do would be lost.

    Raises:
        TypeError: It has one for values that are copies.
    """
    owner, given = _owner(typ), Options(**options)

    def register(decide: Any) -> Any:
        from .members import publish

        if not owner.mutable:
            _check_is_read_only(decide, owner)
        publish(owner, attr, is_method=False, replace=given.replace)
        for role, at in (("get", 0), ("set", 1), ("del", 2)):
            registry.add((owner, role, attr), _of_attribute(decide, role, at, given))
        return decide

    return register


def overload_classmethod(typ: Any, attr: str, **options: Any) -> Callable[[Any], Any]:
    """Say what `T.name(...)` is, for a class that stands for a type.

    `T` is a native struct, a class whose objects have a type of the class, or a type itself. The
    first parameter of the decorated function gets that type; that of the body is what stands in
    front of the dot, and may be called.

    Args:
        typ: A class of types, or a native struct.
        attr: The name.
        options: As `overload` takes them.
    """
    owner, given = _owner(typ), Options(**options)

    def register(decide: Any) -> Any:
        registry.add((owner, "classmethod", attr), candidate(decide, given))
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


@dataclass(frozen=True)
class Elementwise:
    """What an overload that is built in answers with, beside bodies: a loop over all elements.

    Such a loop is one with those of other operators of elements around it.

    Attributes:
        function: A function of numbers.
        names: Which of the parameters it is called with.
    """

    function: Any
    names: tuple[str, ...]


@dataclass(frozen=True)
class Forward:
    """The same for what calls another object with all of its arguments."""

    target: Any


def builtin(func: Any, *, prefer_literal: bool = False) -> Callable[[Any], Any]:
    """Register an overload that is there from the start; those of others come first."""

    def register(decide: Any) -> Any:
        options = Options(priority=-1, prefer_literal=prefer_literal)
        registry.add(func, candidate(decide, options, is_builtin=True))
        return decide

    return register


def candidate(decide: Any, options: Options, *, is_builtin: bool = False) -> Candidate:
    """Return what asks the function of an overload."""
    formal = inspect.signature(decide)

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        plain = tuple(map(types.unliteral, args))
        named = {name: types.unliteral(ty) for name, ty in keywords.items()}
        if not options.prefer_literal:
            return decided(plain, named, types.Omitted)
        refused = None
        try:
            answer = decided(args, keywords, types.literal)
        except TypingError as error:
            refused = error
        else:
            if answer.kind != DECLINED:
                return answer
        try:
            return decided(plain, named, types.Omitted)
        except TypingError as error:
            # What was said of the values themselves says more.
            raise (refused or error) from None

    def decided(args: tuple[Any, ...], keywords: dict[str, Any], left_out: Any) -> Answer:
        try:
            bound = formal.bind(*args, **keywords)
        except TypeError as error:
            return Answer(DECLINED, reason=str(error))
        given = _all(formal, bound, left_out), _named(formal, bound, left_out)
        found = decide(*given[0], **given[1])
        if isinstance(found, Elementwise):
            return Answer(ELEMENTWISE, (found.function, _numbers(formal, found, args, keywords)))
        if isinstance(found, Forward):
            return Answer(FORWARD, found.target)
        if found is None and is_builtin:
            return Answer(DECLINED, reason="is not for these types")
        return _body(found, decide, formal, options)

    return Candidate(ask, registry.place_of(decide), options.priority, is_builtin)


def _numbers(
    formal: inspect.Signature,
    found: Elementwise,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
) -> list[int]:
    """Which arguments of a call a function of elements gets: first come those without names."""
    order = [*list(formal.parameters)[: len(args)], *keywords]
    return [order.index(name) for name in found.names]


def _left_out(param: inspect.Parameter, make: Any) -> Any:
    if param.default is None:
        return None
    has_literal = type(param.default) in (int, bool, str)
    return make(param.default) if has_literal else types.Omitted(param.default)


def _all(formal: inspect.Signature, bound: inspect.BoundArguments, make: Any) -> list[Any]:
    values: list[Any] = []
    for name, param in formal.parameters.items():
        if param.kind is param.VAR_POSITIONAL:
            values.extend(bound.arguments.get(name, ()))
        elif param.kind in (param.POSITIONAL_ONLY, param.POSITIONAL_OR_KEYWORD):
            is_given = name in bound.arguments
            values.append(bound.arguments[name] if is_given else _left_out(param, make))
    return values


def _named(formal: inspect.Signature, bound: inspect.BoundArguments, make: Any) -> dict[str, Any]:
    values = {}
    for name, param in formal.parameters.items():
        if param.kind is param.KEYWORD_ONLY:
            is_given = name in bound.arguments
            values[name] = bound.arguments[name] if is_given else _left_out(param, make)
    return values


def _body(body: Any, decide: Any, formal: inspect.Signature, options: Options) -> Answer:
    if body is None:
        return Answer(DECLINED, reason="declined (returned None; a missing return?)")
    body = getattr(body, "py_func", body)
    if not inspect.isfunction(body):
        raise TypeError(f"an overload returns a function or None, not {body!r}")
    own = inspect.signature(body, follow_wrapped=False)
    if options.strict and not _same_parameters(formal, own):
        raise TypingError(
            f"the body {registry.place_of(body)}{own} has other parameters than "
            f"{registry.place_of(decide)}{formal}"
        )
    defaults = {
        name: param.default
        for name, param in formal.parameters.items()
        if param.default is not param.empty
    }
    return Answer(BODY, (body, defaults, options.inline))


def _same_parameters(formal: inspect.Signature, own: inspect.Signature) -> bool:
    def shape(it: inspect.Signature) -> list[Any]:
        return [(param.name, param.kind) for param in it.parameters.values()]

    return shape(formal) == shape(own)


def _check_is_read_only(decide: Any, owner: Any) -> None:
    """Refuse a setter or deleter of values that are copies, if a type of the class is known."""
    from .models import instances

    known = instances(owner) if isinstance(owner, type) else [owner]
    for ty in known:
        try:
            found = decide(ty)
        except Exception:
            continue
        if isinstance(found, tuple):
            _refuse_writes(found, ty)


def _refuse_writes(parts: tuple[Any, ...], ty: Any) -> None:
    for what, part in zip(("setter", "deleter"), parts[1:], strict=False):
        if part is not None:
            raise TypeError(
                f"values of {ty} are copies, so that what a {what} does would be lost: have "
                f"`mutable = True` in the class of types, or a native struct"
            )


def _of_attribute(decide: Any, role: str, at: int, options: Options) -> Candidate:
    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> Answer:
        found = decide(types.unliteral(args[0]))
        if found is None:
            return Answer(DECLINED, reason="declined (returned None; a missing return?)")
        parts = found if isinstance(found, tuple) else (found,)
        if role != "get" and not args[0].mutable:
            _refuse_writes(parts, args[0])
        body = parts[at] if at < len(parts) else None
        if body is None:
            return Answer(
                DECLINED,
                reason=f"there is no {role}ter" if role != "del" else "there is no deleter",
            )
        return Answer(BODY, (getattr(body, "py_func", body), {}, options.inline))

    return Candidate(ask, registry.place_of(decide), options.priority)


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


def overloaded(
    func: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[bool, Any | list[str]]:
    """Return True and what an overload of an operator returns, or False and why each declined.

    Args:
        func: The operator, none of whose own signatures takes the call.
        args: The positional arguments.
        keywords: Those by name.
    """
    if not registry.is_registered(func):
        return False, []
    from .typeof import typeof

    try:
        tys = tuple(map(typeof, args))
        named = {name: typeof(value) for name, value in keywords.items()}
    except TypingError as error:
        return False, [f"overloads are not asked: {error}"]
    rows = registry.ask(func, tys, named)
    if all(row[2] == DECLINED for row in rows):
        return False, [f"overload at {row[0]}: {row[5]}" for row in rows]
    return True, _caller(func, len(args), tuple(keywords))(*args, *keywords.values())


@functools.cache
def _caller(op: Any, count: int, names: tuple[str, ...]) -> Any:
    """A compiled function that calls an operator with so many arguments, and some by name."""
    from .jit import from_text

    places = [f"a{at}" for at in range(count)]
    params = ", ".join([*places, *names])
    passed = ", ".join([*places, *(f"{name}={name}" for name in names)])
    return from_text(f"def call({params}):\n    return function({passed})\n", {"function": op})


def operators() -> list[Any]:
    """Return the functions and classes that something is registered for."""
    return registry.operations()
