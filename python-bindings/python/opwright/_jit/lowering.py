"""Lowerings: how operations, attributes and casts are computed, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import types
from . import registry
from .builder import record
from .context import Context
from .errors import AmbiguousOverloadError, TypingError

_builtins: dict[Any, tuple[Any, list[tuple[tuple[Any, ...], Any]]]] = {}
_getattrs: list[tuple[Any, str | None, Any]] = []
_setattrs: list[tuple[Any, str | None, Any]] = []
_constants: list[tuple[Any, Any]] = []


@dataclass(frozen=True, eq=False)
class Lowering:
    """What computes a result.

    Attributes:
        args: The types that the arguments are cast to.
        result: The type of the result.
        run: Takes a builder and values, and returns the value of the result.
    """

    args: tuple[Any, ...]
    result: Any
    run: Any

    def steps(self) -> tuple[list[tuple[Any, ...]], int]:
        """Return the steps, and the number of the result."""
        return record(self.run, len(self.args))


def lower_builtin(op: Any, *argtypes: Any) -> Any:
    """Say how an operation is computed for argument types, which are types or classes of types.

    The decorated function takes `(context, builder, sig, args)`, and returns a value.
    """

    def register(function: Any) -> Any:
        _, rows = _builtins.setdefault(registry.key_of(op), (op, []))
        rows.append((tuple(map(_type, argtypes)), function))
        registry.changed()
        return function

    return register


def _type(ty: Any) -> Any:
    struct = getattr(ty, "_opwright_type_", None)
    return struct if isinstance(ty, type) and isinstance(struct, types.Type) else ty


def lower_getattr(typ: Any, name: str) -> Any:
    """Say how an attribute is computed: `(context, builder, typ, value)`."""
    return _member(_getattrs, typ, name)


def lower_getattr_generic(typ: Any) -> Any:
    """Say how any attribute is computed: `(context, builder, typ, value, name)`."""
    return _member(_getattrs, typ, None)


def lower_setattr(typ: Any, name: str) -> Any:
    """Say how an attribute is set: `(context, builder, sig, args)`, with object and value."""
    return _member(_setattrs, typ, name)


def lower_setattr_generic(typ: Any) -> Any:
    """Say how any attribute is set: `(context, builder, sig, args, name)`."""
    return _member(_setattrs, typ, None)


def lower_constant(typ: Any) -> Any:
    """Say how a value of Python becomes a constant: `(context, builder, ty, pyval)`."""

    def register(function: Any) -> Any:
        _constants.append((_type(typ), function))
        registry.changed()
        return function

    return register


def _member(rows: list[tuple[Any, str | None, Any]], typ: Any, name: str | None) -> Any:
    owner = _type(typ)
    if rows is _setattrs and not owner.mutable:
        shown = getattr(owner, "__name__", owner)
        raise TypeError(
            f"values of {shown} are copies, so that what is set would be lost: have "
            f"`mutable = True` in the class of types, or a native struct"
        )

    def register(function: Any) -> Any:
        rows.append((owner, name, function))
        registry.changed()
        return function

    return register


def of_call(op: Any, signature: Any) -> Lowering:
    """Return the lowering of an operation for a signature.

    Raises:
        TypingError: Nobody lowers it for these types.
    """
    _, rows = _builtins.get(registry.key_of(op), (op, []))
    name = getattr(op, "__name__", repr(op))
    matched = [(registry.matched(signature.args, declared), it) for declared, it in rows]
    best = registry.nearest([(ranks, it) for ranks, it in matched if ranks is not None])
    if len(best) > 1:
        places = " and ".join(map(registry.place_of, best))
        raise AmbiguousOverloadError(f"{name}{signature.args} is lowered by both {places}")
    if not best:
        raise TypingError(
            f"{name} is typed as {signature}, but no lower_builtin({name}, ...) takes these types"
        )
    (function,) = best
    return Lowering(
        signature.args,
        signature.return_type,
        lambda builder, args: function(Context(), builder, signature, args),
    )


def of_constant(ty: Any, value: Any) -> Lowering | None:
    """Return the lowering that makes a constant of a value, or None."""
    rows = [(registry.matched((ty,), (wanted,)), function) for wanted, function in _constants]
    best = registry.nearest([(ranks, it) for ranks, it in rows if ranks is not None])
    if not best:
        return None
    # The last that was registered, as of unbox.
    function = best[-1]
    return Lowering((), ty, lambda builder, args: function(Context(), builder, ty, value))


def of_attribute(ty: Any, name: str, result: Any) -> Lowering:
    """Return the lowering of an attribute.

    Raises:
        TypingError: Nobody lowers it.
    """
    function, is_generic = _find(_getattrs, ty, name)
    if function is None:
        raise TypingError(
            f"the attribute {name} of {ty} is typed as {result}, but no lower_getattr has it"
        )
    more = (name,) if is_generic else ()
    return Lowering(
        (ty,), result, lambda builder, args: function(Context(), builder, ty, args[0], *more)
    )


def of_setattr(ty: Any, name: str, value: Any) -> Lowering | None:
    """Return the lowering of setting an attribute, or None."""
    function, is_generic = _find(_setattrs, ty, name)
    if function is None:
        return None
    if not ty.mutable:
        raise TypingError(f"values of {ty} are copies: an attribute that is set would be lost")
    signature = types.signature(types.none, ty, value)
    more = (name,) if is_generic else ()

    def run(builder: Any, args: Any) -> Any:
        function(Context(), builder, signature, tuple(args), *more)
        return builder.constant(types.none, None)

    return Lowering((ty, value), types.none, run)


def of_cast(source: Any, target: Any, function: Any) -> Lowering:
    """Return the lowering of a cast."""
    return Lowering(
        (source,),
        target,
        lambda builder, args: function(Context(), builder, source, target, args[0]),
    )


def _find(rows: list[tuple[Any, str | None, Any]], ty: Any, name: str) -> tuple[Any, bool]:
    best, rank = (None, False), None
    for wanted, known, function in rows:
        found = registry.matched((ty,), (wanted,))
        if found is None or known not in (name, None):
            continue
        here = (known is None, found)
        if rank is None or here < rank:
            best, rank = (function, known is None), here
    return best


def intrinsic(function: Any = None, **options: Any) -> Any:
    """Make a function that compiled code calls by its steps.

    The decorated function takes a context and types, and returns a signature and a function
    `(context, builder, signature, args)`, or None.
    """
    if function is None:
        return lambda it: intrinsic(it, **options)

    def call(*args: Any) -> Any:
        raise NotImplementedError(f"{function.__name__} is there in compiled functions")

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> registry.Answer:
        if not options.get("prefer_literal", False):
            args = tuple(map(types.unliteral, args))
            keywords = {name: types.unliteral(ty) for name, ty in keywords.items()}
        found = function(Context(), *args, **keywords)
        if found is None:
            return registry.Answer(registry.DECLINED, reason="declined (returned None)")
        signature, codegen = found
        made = Lowering(
            signature.args,
            signature.return_type,
            lambda builder, values: codegen(Context(), builder, signature, values),
        )
        return registry.Answer(registry.LOWERED, made)

    registry.add(call, registry.Candidate(ask, registry.place_of(function)))
    return call
