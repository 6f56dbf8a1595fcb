"""The builder that lowerings write with: it notes steps, which the compiler takes in order.

Names are llvmlite's, as far as there is sense in them without memory: values go in, and values
come out.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class Value:
    """A value: the result of a step, by its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class Struct:
    """A value of a struct, member by member."""

    __slots__ = ("members", "typ")

    def __init__(self, typ: Any, members: dict[str, Any]) -> None:
        self.typ = typ
        self.members = members


_BINARY = [
    "add",
    "sub",
    "mul",
    "sdiv",
    "udiv",
    "srem",
    "urem",
    "and_",
    "or_",
    "xor",
    "shl",
    "ashr",
    "lshr",
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
]
_UNARY = ["neg", "not_", "fneg"]
_CONVERSIONS = [
    "trunc",
    "zext",
    "sext",
    "bitcast",
    "fptosi",
    "fptoui",
    "sitofp",
    "uitofp",
    "fpext",
    "fptrunc",
]
_ABSENT = {
    "alloca": "there is no memory to address; use values",
    "load": "there is no memory to address; use values",
    "store": "there is no memory to address; use values",
    "gep": "there is no memory to address; use values",
    "phi": "values do not join here; use select, or a variable",
}

_active: list[Builder] = []


def active() -> Builder:
    """Return the builder of the lowering that runs.

    Raises:
        RuntimeError: None does.
    """
    if not _active:
        raise RuntimeError("constants are made while something is lowered")
    return _active[-1]


class Builder:
    """Notes what a lowering does."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.steps: list[tuple[Any, ...]] = []

    def step(self, name: str, args: tuple[Any, ...], extra: Any = None) -> Value:
        """Note a step; its result."""
        numbers = tuple(self.number(it) for it in args)
        self.steps.append((name, numbers, extra))
        self.count += 1
        return Value(self.count - 1)

    def number(self, value: Any) -> int:
        """Return the number of a value, which is made if it is a struct or a number."""
        if isinstance(value, Value):
            return value.number
        if isinstance(value, Struct):
            members = tuple(value.members.values())
            return self.step("struct", members, value.typ).number
        if isinstance(value, tuple):
            return self.step("tuple", value).number
        raise TypeError(f"a builder works with its own values, not with {value!r}")

    def constant(self, ty: Any, value: Any) -> Value:
        """Return a constant of a type."""
        return self.step("constant", (), (ty, value))

    def select(self, cond: Any, lhs: Any, other: Any) -> Value:
        """Return one of two values."""
        return self.step("select", (cond, lhs, other))

    def icmp_signed(self, op: str, lhs: Any, rhs: Any) -> Value:
        """Return whether two signed integers compare so."""
        return self.step("icmp_signed", (lhs, rhs), op)

    def icmp_unsigned(self, op: str, lhs: Any, rhs: Any) -> Value:
        """Return whether two integers without sign compare so."""
        return self.step("icmp_unsigned", (lhs, rhs), op)

    def fcmp_ordered(self, op: str, lhs: Any, rhs: Any) -> Value:
        """Return whether two floats compare so; nothing does with nan."""
        return self.step("fcmp_ordered", (lhs, rhs), op)

    def fcmp_unordered(self, op: str, lhs: Any, rhs: Any) -> Value:
        """Return whether two floats compare so; everything does with nan."""
        return self.step("fcmp_unordered", (lhs, rhs), op)

    def field(self, value: Any, name: str) -> Value:
        """Return a member of a struct."""
        if isinstance(value, Struct):
            return Value(self.number(value.members[name]))
        return self.step("field", (value,), name)

    def with_field(self, value: Any, name: str, member: Any) -> Value:
        """Return a struct with another member."""
        return self.step("with_field", (value, member), name)

    def dim(self, value: Any, at: int) -> Value:
        """Return the extent of an array along a dimension."""
        return self.step("dim", (value,), int(at))

    def length(self, value: Any) -> Value:
        """Return how many items a range, an array or its `flat` has in the first dimension."""
        return self.step("length", (value,))

    def extract_value(self, value: Any, index: Any) -> Value:
        """Return a member of a struct or tuple, by its number."""
        at = index[0] if isinstance(index, (tuple, list)) else index
        return self.step("item", (value,), int(at))

    def insert_value(self, value: Any, member: Any, index: Any) -> Value:
        """Return a struct or tuple with another member, by its number."""
        at = index[0] if isinstance(index, (tuple, list)) else index
        return self.step("with_item", (value, member), int(at))

    def call(self, op: Any, args: Any) -> Value:
        """Return the result of an operation, which is resolved for the types of its arguments."""
        if hasattr(op, "sig"):
            found: Value = op(self, args)
            return found
        return self.step("call", tuple(args), op)

    def variable(self, value: Any) -> Variable:
        """Return a variable that has a value, and may be set in branches and loops."""
        return Variable(self, self.step("variable", (value,)))

    def raise_(self, cls: Any, text: str) -> None:
        """Raise an exception."""
        self.step("raise", (), (cls, text))

    @contextmanager
    def _part(self, name: str, value: Any) -> Iterator[Value]:
        """Note what is done within as a part of its own."""
        start = self.step(name, (value,))
        yield start
        self.step("end", ())

    @contextmanager
    def if_then(self, cond: Any, likely: Any = None) -> Iterator[None]:
        """Do what is noted within if a condition holds.

        Values that are made within end with it; what is to stay is set: `variable`.
        """
        with self._part("if", cond):
            yield

    @contextmanager
    def if_else(self, cond: Any, likely: Any = None) -> Iterator[tuple[Any, Any]]:
        """Do one thing or another: each of the two that this gives is entered with `with`."""
        yield self._part("if", cond), self._part("if", self.not_(self._truth(cond)))

    def _truth(self, value: Any) -> Value:
        from .. import types

        return self.step("cast", (value,), types.boolean)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _BINARY:
            return lambda lhs, rhs, **_: self.step(name, (lhs, rhs))
        if name in _UNARY:
            return lambda value, **_: self.step(name, (value,))
        if name in _CONVERSIONS:
            return lambda value, typ, **_: self.step(name, (value,), typ)
        why = _ABSENT.get(name, "what is written for LLVM's builder does not run")
        raise NotImplementedError(f"builder.{name}: {why}")


def record(function: Any, count: int) -> tuple[list[tuple[Any, ...]], int]:
    """Run a lowering with the numbers of its arguments; its steps, and the number of its result."""
    builder = Builder(count)
    _active.append(builder)
    try:
        result = function(builder, [Value(at) for at in range(count)])
        if result is None:
            from .. import types

            result = builder.constant(types.none, None)
        return builder.steps, builder.number(result)
    finally:
        _active.pop()


class Variable:
    """What has one value after another, all of one type, as a local of a function has.

    Attributes:
        value: The value at this point.
    """

    __slots__ = ("_builder", "_step")

    def __init__(self, builder: Builder, step: Value) -> None:
        self._builder, self._step = builder, step

    @property
    def value(self) -> Value:
        """The value at this point, which may be set."""
        return self._builder.step("get", (self._step,))

    @value.setter
    def value(self, value: Any) -> None:
        self._builder.step("set", (self._step, value))


class ForLoop:
    """A loop that is noted.

    Attributes:
        index: The number of the turn, from 0.
    """

    __slots__ = ("index",)

    def __init__(self, index: Value) -> None:
        self.index = index


@contextmanager
def for_range(builder: Builder, count: Any) -> Iterator[ForLoop]:
    """Do what is noted within as often as an integer says; `index` of what this gives is the turn.

    What turns hand on is in variables: `builder.variable`.
    """
    with builder._part("for", count) as index:
        yield ForLoop(index)


def is_not_null(builder: Any, value: Any) -> Any:
    """Return whether something is there: an error that was set, for instance."""
    return builder.is_not_null(value)
