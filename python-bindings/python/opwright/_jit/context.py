"""What templates and lowerings ask: a `context`."""

from __future__ import annotations

from typing import Any

from .. import types


class Context:
    """Where types and lowerings come from."""

    def resolve_function_type(self, op: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call, or None."""
        from .explain import signature_of

        return signature_of(op, tuple(args), dict(kws))

    def resolve_getattr(self, ty: Any, name: str) -> Any:
        """Return the type of an attribute, or None."""
        from .explain import attribute_of

        return attribute_of(ty, name)

    def unify_types(self, *tys: Any) -> Any:
        """Return the type that holds the values of all, or None."""
        from .. import _C

        return _C._jit.unify(list(tys))

    def can_convert(self, a: Any, b: Any) -> Any:
        """Return how far a type is from one that it casts to, or None."""
        from .casts import distance

        return distance(a, b)

    # For lowerings.

    def get_constant(self, ty: Any, value: Any) -> Any:
        """Return a constant of a type."""
        from .builder import active

        return active().constant(ty, value)

    def get_constant_generic(self, builder: Any, ty: Any, value: Any) -> Any:
        """Return a constant of a type."""
        return builder.constant(ty, value)

    def get_value_type(self, ty: Any) -> Any:
        """Return the type itself, which conversions take."""
        return ty

    def get_data_type(self, ty: Any) -> Any:
        """Return the type itself."""
        return ty

    def cast(self, builder: Any, value: Any, fromty: Any, toty: Any) -> Any:
        """Return a value as one of another type."""
        return builder.step("cast", (value,), toty)

    def compile_internal(self, builder: Any, function: Any, sig: Any, args: Any) -> Any:
        """Return the result of a function of Python, which is compiled."""
        found = builder.step("function", tuple(args), function)
        wanted = sig.return_type
        return found if wanted is None else builder.step("cast", (found,), wanted)

    def make_helper(self, builder: Any, typ: Any, value: Any = None) -> Any:
        """Return a proxy of a struct."""
        from .proxies import create_struct_proxy

        return create_struct_proxy(typ)(self, builder, value=value)

    def make_tuple(self, builder: Any, typ: Any, values: Any) -> Any:
        """Return a tuple of values."""
        return builder.step("cast", (builder.step("tuple", tuple(values), None),), typ)

    def get_function(self, op: Any, sig: Any) -> Any:
        """Return a function that takes a builder and values, and calls an operation.

        It is resolved for the types of `sig`, to which the values are cast; `builder.call` takes
        it, too.
        """
        return _Function(op, sig)

    def get_dummy_value(self) -> Any:
        """Return a value of a type that has none."""
        from .builder import active

        return active().constant(types.none, None)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"context.{name} is not there: there is no LLVM to write for")


class _Function:
    """An operation for types, as `get_function` returns it."""

    def __init__(self, op: Any, sig: Any) -> None:
        self.op, self.sig = op, sig

    def __call__(self, builder: Any, args: Any) -> Any:
        cast = [
            builder.step("cast", (value,), ty)
            for value, ty in zip(args, self.sig.args, strict=True)
        ]
        found = builder.step("call", tuple(cast), self.op)
        wanted = self.sig.return_type
        return found if wanted is None else builder.step("cast", (found,), wanted)
