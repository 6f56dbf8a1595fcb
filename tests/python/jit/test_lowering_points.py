"""Casts, lowerings and constants of one's own."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import pytest
from extension_types import lowered, new_interval, new_type
from opwright import jit, types
from opwright.extending import (
    AmbiguousOverloadError,
    ConcreteTemplate,
    NativeValue,
    TypingError,
    create_struct_proxy,
    for_range,
    infer_global,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_constant,
    native_struct,
    overload,
    signature,
    unbox,
)


def test_overloads_by_program_take_what_is_cast() -> None:
    meters, meters_type = new_type("Meters", v=types.float64)

    @lower_cast(meters_type, types.Float)
    def _(context, builder, fromty, toty, val):
        return create_struct_proxy(fromty)(context, builder, value=val).v

    def half(x): ...

    @overload(half)
    def _(x):
        return (lambda x: x / 2) if isinstance(x, types.Float) else None

    def scale(a, b): ...

    @overload(scale)
    def _(a, b):
        if isinstance(a, types.Float) and isinstance(b, types.Float | types.Integer):
            return lambda a, b: a * b
        return None

    @jit
    def f(m):
        return half(m), scale(m, 2), scale(m, m), math.sqrt(m), m + 1.0, m < 10.0, -m

    assert f(meters(9.0)) == (4.5, 18.0, 81.0, 3.0, 10.0, True, -9.0)
    overload(half)(lambda x: (lambda x: -x.v) if isinstance(x, meters_type) else None)
    assert f(meters(9.0))[0] == -9.0


def test_casts_are_chosen_by_both_types() -> None:
    meters, meters_type = new_type("Meters", v=types.float64)

    def to(value: float) -> Any:
        return lambda context, builder, fromty, toty, val: context.get_constant(toty, value)

    lower_cast(meters_type, types.Float)(to(1.0))
    f = jit("float64(float64)")(lambda x: x)
    assert f(meters(5.0)) == 1.0
    lower_cast(meters_type, types.float64)(to(2.0))
    assert f(meters(5.0)) == 2.0
    lower_cast(meters_type(), types.Float)(to(3.0))
    with pytest.raises(AmbiguousOverloadError, match="ambiguous"):
        f(meters(5.0))
    lower_cast(meters_type(), types.float64)(to(4.0))
    assert f(meters(5.0)) == 4.0


def test_truth_is_a_cast() -> None:
    interval, interval_type = new_interval()
    i = interval(1.0, 2.0)
    f = jit(lambda i: 1 if i else 0)
    with pytest.raises(
        TypingError, match=r"no truth value: register lower_cast\(\w+, types.Boolean\)"
    ):
        f(i)
    overload(len)(lambda i: (lambda i: 0) if isinstance(i, interval_type) else None)
    assert f(i) == 0
    overload(bool)(lambda i: (lambda i: True) if isinstance(i, interval_type) else None)
    assert f(i) == 1

    @lower_cast(interval_type, types.Boolean)
    def _(context, builder, fromty, toty, val):
        return context.get_constant(types.boolean, False)

    assert f(i) == 0


def test_isinstance_takes_classes_of_values_and_of_types() -> None:
    interval, interval_type = new_interval()

    @native_struct
    class Point:
        x: types.float64

    @jit
    def f(x):
        if isinstance(x, interval):
            return x.hi
        if isinstance(x, Point):
            return x.x
        if isinstance(x, types.Integer):
            return -1.0
        if isinstance(x, (np.ndarray, tuple)):
            return -2.0
        return -3.0

    assert [f(it) for it in (interval(1.0, 2.0), Point(4.0), 1, np.ones(1), (1,), 1.0)] == [
        2.0, 4.0, -1.0, -2.0, -2.0, -3.0,
    ]  # fmt: skip
    assert jit(lambda x: isinstance(x, interval_type))(interval(1.0, 2.0))


def test_branches_loops_and_variables() -> None:
    @lowered(types.int64, types.Integer)
    def triangular(context, builder, sig, args):
        zero = context.get_constant(types.int64, 0)
        total = builder.variable(zero)
        odd = builder.variable(zero)
        with for_range(builder, args[0]) as loop:
            total.value = builder.add(total.value, loop.index)
            is_odd = builder.trunc(loop.index, types.boolean)
            with builder.if_else(is_odd) as (then, otherwise):
                with then:
                    odd.value = builder.add(odd.value, context.get_constant(types.int64, 1))
                with otherwise:
                    odd.value = builder.mul(odd.value, context.get_constant(types.int64, 1))
        with builder.if_then(builder.icmp_signed("<", args[0], zero)):
            builder.raise_(ValueError, "negative")
        return builder.add(
            builder.mul(total.value, context.get_constant(types.int64, 100)), odd.value
        )

    f = jit(lambda n: triangular(n))
    assert [f(n) for n in range(6)] == [sum(range(n)) * 100 + n // 2 for n in range(6)]
    with pytest.raises(ValueError, match="negative"):
        f(-1)


def test_variables_hold_arrays() -> None:
    vector = types.Array(types.float64, 1, "C")

    @lowered(vector, types.Array, types.Integer)
    def doubled(context, builder, sig, args):
        a = builder.variable(args[0])
        with for_range(builder, args[1]):
            a.value = builder.call(np.copy, (a.value,))
        return a.value

    f = jit(lambda a, n: doubled(a, n))
    given = np.arange(3.0)
    for n in range(4):
        found = f(given, n)
        assert found.tolist() == [0.0, 1.0, 2.0]
        assert (found is given) == (n == 0)


def test_values_end_with_the_branch_they_are_made_in() -> None:
    @lowered(types.int64, types.Integer)
    def escapes(context, builder, sig, args):
        with builder.if_then(context.get_constant(types.boolean, True)):
            within = builder.add(args[0], args[0])
        return builder.add(within, args[0])

    with pytest.raises(TypingError, match="variable"):
        jit(lambda n: escapes(n))(1)


def test_helpers_of_contexts() -> None:
    interval, interval_type = new_interval()
    pair = types.UniTuple(types.float64, 2)

    @lowered(pair, types.Float)
    def twice(context, builder, sig, args):
        root = context.get_function(math.sqrt, signature(types.float64, types.float64))
        plus = context.get_function(operator.add, signature(types.float64, *[types.float64] * 2))
        first = root(builder, args)
        return context.make_tuple(builder, pair, [first, builder.call(plus, (first, first))])

    @lowered(types.float64, types.Float)
    def thrice(context, builder, sig, args):
        def body(x):
            s = 0.0
            for _ in range(3):
                s += x
            return s

        return context.compile_internal(builder, body, sig, args)

    @lowered(interval_type(), interval_type)
    def turned(context, builder, sig, args):
        given = context.make_helper(builder, sig.args[0], value=args[0])
        made = context.make_helper(builder, sig.return_type)
        made.lo, made.hi = given.hi, given.lo
        return made._getvalue()

    assert jit(lambda x: twice(x))(9.0) == (3.0, 6.0)
    assert jit(lambda x: thrice(x))(2.0) == 6.0
    assert jit(lambda i: turned(i).lo)(interval(1.0, 2.0)) == 2.0


def test_what_builders_do_not_have_says_what_to_do() -> None:
    @lowered(types.int64, types.Integer)
    def stored(context, builder, sig, args):
        return builder.alloca(types.int64)

    with pytest.raises(NotImplementedError, match=r"builder\.alloca: .* use values"):
        jit(lambda n: stored(n))(1)


def test_intrinsics() -> None:
    @intrinsic
    def next_one(typingctx, x):
        if not isinstance(x, types.Integer):
            return None
        return signature(x, x), lambda context, builder, sig, args: builder.add(
            args[0], context.get_constant(x, 1)
        )

    assert jit(lambda x: next_one(x))(3) == 4
    with pytest.raises(TypingError, match="declined"):
        jit(lambda x: next_one(x))(1.5)


def test_infer_global_of_a_value_with_a_type() -> None:
    def op(x): ...

    class Template(ConcreteTemplate):
        key = op
        cases = [signature(types.int64, types.int64)]  # noqa: RUF012

    infer_global(op, types.Function(Template))
    lower_builtin(op, types.int64)(lambda context, builder, sig, args: args[0])
    assert jit(lambda x: op(x))(2) == 2
    with pytest.raises(TypingError, match=r"\(int64,\) -> int64"):
        jit(lambda x: op(x))(2.5)


def test_lower_constant_makes_constants() -> None:
    interval, interval_type = new_interval()
    unit = interval(1.0, 5.0)
    seen = []

    @lower_constant(interval_type)
    def _(context, builder, ty, pyval):
        seen.append(pyval)
        made = create_struct_proxy(ty)(context, builder)
        made.lo = context.get_constant(types.float64, pyval.lo)
        made.hi = context.get_constant(types.float64, pyval.hi * 2)
        return made._getvalue()

    assert jit(lambda x: unit.hi + x)(1.0) == 11.0
    assert seen == [unit]


def test_other_values_are_unboxed_once() -> None:
    value, value_type = new_type("Once", a=types.int64)
    seen = []

    @unbox(value_type)
    def _(typ, obj, c):
        seen.append(obj)
        made = create_struct_proxy(typ)(c.context, c.builder)
        made.a = 7
        return NativeValue(made._getvalue())

    one = value(1)
    f = jit(lambda: one.a)
    assert [f() for _ in range(3)] == [7, 7, 7]
    assert seen == [one]


def test_native_structs_are_frozen_as_they_are() -> None:
    @native_struct(frozen=True)
    class Frozen:
        x: types.float64
        n: types.int32

    @native_struct
    class Open:
        x: types.float64

    frozen, opened = Frozen(1.5, 3), Open(2.5)
    assert jit(lambda k: frozen.x + frozen.n + k)(1) == 5.5
    f = jit(lambda: opened.x)
    assert f() == 2.5
    opened.x = 7.0
    assert f() == 7.0
    assert jit(lambda: frozen)() is frozen
    assert jit(lambda: opened)() is opened

    @jit
    def g():
        opened.x = 1.0

    with pytest.raises(TypingError, match="frozen"):
        g()
