"""Each point at which types and functions of one's own come into compiled functions."""

from __future__ import annotations

import inspect
import math
import operator
from typing import Any

import numpy as np
import opwright
import pytest
from opwright import extending, jit, types
from opwright.extending import (
    AbstractTemplate,
    AmbiguousOverloadError,
    AttributeTemplate,
    ConcreteTemplate,
    NativeValue,
    StructModel,
    TypingError,
    create_struct_proxy,
    for_range,
    infer_getattr,
    infer_global,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_constant,
    lower_setattr,
    make_attribute_wrapper,
    native_struct,
    overload,
    overload_attribute,
    overload_classmethod,
    overload_method,
    register_model,
    register_native,
    signature,
    sizeof,
    type_callable,
    typeof,
    typeof_impl,
    unbox,
)


def new_type(name: str, **members: Any) -> tuple[Any, Any]:
    """A class of Python and the class of its type, with a model and readable attributes."""

    class Value:
        def __init__(self, *values: Any) -> None:
            for member, value in zip(members, values, strict=True):
                setattr(self, member, value)

    class ValueType(types.Type):
        def __init__(self) -> None:
            super().__init__(name=name)

    @typeof_impl.register(Value)
    def _(value, context):
        return ValueType()

    @register_model(ValueType)
    class Model(StructModel):
        def __init__(self, dmm, fe_type):
            StructModel.__init__(self, dmm, fe_type, list(members.items()))

    for member in members:
        make_attribute_wrapper(ValueType, member, member)
    return Value, ValueType


def new_interval() -> tuple[Any, Any]:
    return new_type("Interval", lo=types.float64, hi=types.float64)


def lowered(result: Any, *argtypes: Any) -> Any:
    """A decorator that makes a function whose only lowering is the decorated one."""

    def make(lower: Any) -> Any:
        def op(*args): ...

        type_callable(op)(lambda context: lambda *args: result)
        lower_builtin(op, *argtypes)(lower)
        return op

    return make


# Overloads


def test_options_are_checked() -> None:
    for inline in ("auto", "always", "never"):
        overload(len, inline=inline)
    with pytest.raises(ValueError, match="sometimes"):
        overload(len, inline="sometimes")
    with pytest.raises(TypeError, match="nonsense"):
        overload(len, nonsense=1)
    with pytest.raises(TypeError, match="nonsense"):
        overload_method(types.Float, "m", nonsense=1)


def test_inline_is_what_is_asked_for() -> None:
    def called(x): ...

    overload(called, inline="never")(lambda x: lambda x: x * 2)

    def written(x): ...

    @overload(written, inline="always")
    def _(x):
        def body(x):
            s = 0.0
            for i in range(3):
                if i > 1:
                    s += x
            return s

        return body

    @jit
    def f(x):
        return called(x) + 1

    @jit
    def g(x):
        return written(x) + 1

    assert "call" in f.inspect_ir((types.float64,))
    assert "call" not in g.inspect_ir((types.float64,))
    assert (f(2.0), g(2.0)) == (5.0, 3.0)


def test_known_values_come_as_literals() -> None:
    seen = []

    def scaled(x, k=2): ...

    @overload(scaled, prefer_literal=True)
    def _(x, k=2):
        seen.append(k)
        if isinstance(k, types.IntegerLiteral):
            n = k.literal_value
            return lambda x, k=2: x * n
        return lambda x, k=2: x * k + 1000

    @jit
    def f(x):
        return scaled(x, 3)

    @jit
    def g(x, k):
        return scaled(x, k)

    @jit
    def h(x):
        return scaled(x)

    assert (f(2.0), g(2.0, 3), h(2.0)) == (6.0, 1006.0, 4.0)
    assert seen == [types.literal(3), types.int64, types.literal(2)]


def test_literals_of_texts_and_truth_values() -> None:
    def named(s): ...

    @overload(named, prefer_literal=True)
    def _(s):
        if isinstance(s, types.StringLiteral):
            n = len(s.literal_value)
            return lambda s: n
        if isinstance(s, types.BooleanLiteral):
            return (lambda s: -1) if s.literal_value else (lambda s: -2)
        return None

    @jit
    def f():
        return named("abc"), named(True), named(False)

    assert f() == (3, -1, -2)


def test_literals_that_are_declined_come_as_types() -> None:
    def plain(k): ...

    @overload(plain, prefer_literal=True)
    def _(k):
        if isinstance(k, types.Literal):
            raise TypingError("no literals")
        return lambda k: k + 1

    def never(k): ...

    @overload(never)
    def _(k):
        assert k is types.int64
        return lambda k: k + 2

    @jit
    def f():
        return plain(4), never(4)

    assert f() == (5, 6)


def test_strict_compares_parameters() -> None:
    def loose(x): ...

    overload(loose, strict=False)(lambda x: lambda y: y + 1)

    def tight(x): ...

    overload(tight)(lambda x: lambda y: y + 1)

    @jit
    def f(x):
        return loose(x)

    @jit
    def g(x):
        return tight(x)

    assert f(1) == 2
    with pytest.raises(TypingError, match="other parameters"):
        g(1)


def test_overloads_that_fail_say_so() -> None:
    def raises(x): ...

    @overload(raises)
    def _(x):
        raise ZeroDivisionError("boom")

    def wrong(x): ...

    overload(wrong)(lambda x: 3)

    def nothing(x): ...

    overload(nothing)(lambda x: None)

    for op, error, text in [
        (raises, ZeroDivisionError, "boom"),
        (wrong, TypeError, "a function or None"),
        (nothing, TypingError, "a missing return"),
    ]:
        with pytest.raises(error, match=text) as caught:
            calling(op)(1)
        is_foreign = error is ZeroDivisionError
        assert not is_foreign or "was asked for (int64)" in caught.value.__notes__[0]


def calling(op: Any) -> Any:
    return jit(lambda x: op(x))


def test_late_overloads_are_seen() -> None:
    def late(x): ...

    @jit
    def f(x):
        return late(x)

    with pytest.raises(TypingError):
        f(1)
    overload(late)(lambda x: lambda x: x + 1)
    assert f(1) == 2
    overload(late, priority=2)(lambda x: lambda x: x + 2)
    assert f(1) == 3


# Methods and attributes


def test_methods_of_classes() -> None:
    @native_struct
    class Pair:
        x: types.float64
        y: types.float64

    @overload_classmethod(Pair, "twice")
    def _(cls, s):
        assert cls == typeof(Pair(0.0, 0.0))
        if isinstance(s, types.Float):
            return lambda cls, s: cls(s, 2 * s)
        return None

    @jit
    def f(s):
        return Pair.twice(s)

    assert f(3.0) == Pair(3.0, 6.0)
    with pytest.raises(TypingError, match="a missing return"):
        f(1)

    @jit
    def g():
        return Pair.thrice(1.0)

    with pytest.raises(TypingError, match="thrice"):
        g()


def test_methods_of_types_and_of_classes_with_one() -> None:
    interval, interval_type = new_interval()
    ty = interval_type()
    overload_classmethod(interval_type, "width")(lambda cls, a: lambda cls, a: a * 2)

    @jit
    def f(a):
        return ty.width(a) + interval_type.width(a)

    assert f(1.5) == 6.0

    @jit
    def g(i):
        return interval.width(i.hi)

    assert g(interval(1.0, 2.0)) == 4.0


def test_templates_answer_with_methods() -> None:
    interval, interval_type = new_interval()

    class Scaled(AbstractTemplate):
        key = "interval.scaled"

        def generic(self, args, kws):
            assert self.this == interval_type()
            return signature(types.float64, *args) if len(args) == 1 else None

    @infer_getattr
    class Attributes(AttributeTemplate):
        key = interval_type

        def resolve_scaled(self, ty):
            return types.BoundFunction(Scaled, ty)

    @lower_builtin("interval.scaled", interval_type, types.Float)
    def _(context, builder, sig, args):
        i = create_struct_proxy(interval_type())(context, builder, value=args[0])
        return builder.fmul(builder.fsub(i.hi, i.lo), args[1])

    @jit
    def f(i):
        return i.scaled(2.0)

    @jit
    def g(i):
        return i.scaled()

    assert f(interval(1.0, 4.0)) == 6.0
    with pytest.raises(TypingError, match="scaled"):
        g(interval(1.0, 4.0))


def test_values_that_are_copies_have_no_setters() -> None:
    interval, interval_type = new_interval()
    typeof(interval(1.0, 2.0))
    held = interval_type()

    def get(o):
        return o.lo

    def write(o, value):
        o.lo = value

    def delete(o):
        o.lo = 0.0

    with pytest.raises(TypeError, match="setter"):
        overload_attribute(interval_type, "a")(lambda ty: (get, write))
    with pytest.raises(TypeError, match="deleter"):
        overload_attribute(interval_type, "a")(lambda ty: (get, None, delete))
    with pytest.raises(TypeError, match="copies"):
        lower_setattr(interval_type, "lo")

    @native_struct(frozen=True)
    class Frozen:
        lo: types.float64

    with pytest.raises(TypeError, match="deleter"):
        overload_attribute(Frozen, "a")(lambda ty: (get, None, delete))

    @jit
    def f(i):
        i.lo = 3.0

    with pytest.raises(TypingError):
        f(interval(1.0, 2.0))
    assert held == interval_type()


def test_wrappers_are_checked() -> None:
    class Bare(types.Type):
        def __init__(self):
            super().__init__(name="Bare")

    with pytest.raises(TypeError, match="no struct model"):
        make_attribute_wrapper(Bare, "a", "a")
    register_model(Bare)(extending.models.OpaqueModel)
    with pytest.raises(TypeError, match="no struct model"):
        make_attribute_wrapper(Bare, "a", "a")
    _, interval_type = new_interval()
    with pytest.raises(TypeError, match="no member middle, but lo, hi"):
        make_attribute_wrapper(interval_type, "middle", "middle")


def test_wrappers_of_types_with_members_of_their_own_are_checked_late() -> None:
    class Boxed(types.Type):
        def __init__(self, names):
            self.names = names
            super().__init__(name=f"Boxed{names}")

    @register_model(Boxed)
    class Model(StructModel):
        def __init__(self, dmm, fe_type):
            members = [(name, types.int64) for name in fe_type.names]
            StructModel.__init__(self, dmm, fe_type, members)

    make_attribute_wrapper(Boxed, "b", "b")
    with pytest.raises(TypeError, match="no member b, but a"):
        Boxed(("a",))
    assert Boxed(("a", "b")).names == ("a", "b")


# Casts


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
    with pytest.raises(TypingError, match="no truth value"):
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


# Lowerings


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


# Constants


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


# Members of structs


@native_struct
class Point:
    """A point."""

    x: types.float64
    n: types.int32


@native_struct
class Line:
    """Two points, numbers in a tuple, and a complex number."""

    a: Point  # type: ignore[valid-type]
    b: Point  # type: ignore[valid-type]
    t: types.UniTuple(types.float64, 3)  # type: ignore[valid-type]
    z: types.complex128


def new_line() -> Any:
    return Line(Point(1.0, 2), Point(3.0, 4), (1.0, 2.0, 3.0), 1j)


def test_structs_in_structs_lie_in_place() -> None:
    line = new_line()
    assert sizeof(typeof(line)) == 16 + 16 + 24 + 16
    assert (line.a, line.t, line.z) == (Point(1.0, 2), (1.0, 2.0, 3.0), 1j)
    line.a.x = 11.0
    assert line.a.x == 11.0
    part = line.b
    line.b = Point(8.0, 9)
    assert part == Point(8.0, 9)
    del line
    assert part.x == 8.0


def test_compiled_functions_see_and_make_changes_of_parts() -> None:
    @jit
    def f(line, p):
        before = line.b.x + line.t[1] + line.z.imag + line.a.n
        line.a = p
        line.b.x = 9.0
        line.t = (7.0, 8.0, 9.0)
        return before, line, line.b

    line = new_line()
    before, found, part = f(line, Point(5.0, 6))
    assert before == 3 + 2 + 1 + 2
    assert found is line
    assert line == Line(Point(5.0, 6), Point(9.0, 4), (7.0, 8.0, 9.0), 1j)
    part.x = 1.0
    assert line.b.x == 1.0


def test_compiled_functions_make_structs_with_parts() -> None:
    @jit
    def f(x):
        line = Line(Point(x, 1), Point(x * 2, 2), (x, x, x), 2j)
        line.b.n = 7
        return line, line.b

    line, part = f(1.5)
    assert line == Line(Point(1.5, 1), Point(3.0, 7), (1.5, 1.5, 1.5), 2j)
    assert part == line.b


def test_arrays_in_structs_are_references() -> None:
    for frozen in (False, True):

        @native_struct(frozen=frozen)
        class Weighted:
            w: types.Array(types.float64, 1, "C")  # type: ignore[valid-type]
            k: types.float64

        w = np.arange(4.0)
        value = Weighted(w, 2.0)
        assert value.w is w

        @jit
        def f(a):
            a.w[0] = 10.0
            return a.w.sum() * a.k

        @jit
        def g(n):
            return Weighted(np.ones(n), 3.0)

        assert f(value) == 32.0
        assert w[0] == 10.0
        made = g(3)
        assert made.w.tolist() == [1.0, 1.0, 1.0]
        assert made == Weighted(np.ones(3), 3.0)
        for wrong in (np.ones(4, np.float32), np.ones((2, 2)), np.ones(8)[::2], 1.0):
            with pytest.raises(TypeError, match="expected a array"):
                Weighted(wrong, 1.0)


def test_members_that_are_no_values_are_refused() -> None:
    for ty in (types.unicode_type, types.Opaque("x"), types.Optional(types.int64)):
        with pytest.raises(TypeError, match="member"):
            native_struct(type("Wrong", (), {"__annotations__": {"s": ty}}))
    with pytest.raises(TypeError, match="frozen members"):
        native_struct(frozen=True)(type("Wrong", (), {"__annotations__": {"s": Point}}))
    with pytest.raises(TypeError, match="have a member of the other type"):
        native_struct(type("Wrong", (Exception,), {"__annotations__": {"s": types.int64}}))
    with pytest.raises(TypeError, match="expected a Point"):
        Line(1.0, Point(1.0, 1), (1.0, 2.0, 3.0), 1j)


def test_structs_of_graphs_are_compiled() -> None:
    class Range:
        def __init__(self, lo, hi):
            self.lo, self.hi = lo, hi

    @types.register_type(cls=Range)
    class RangeType(types.StructType):
        lo: types.float64
        hi: types.float64

    assert jit(lambda r: r.hi - r.lo)(Range(1.0, 3.0)) == 2.0
    assert jit(lambda r: r)(Range(1.0, 3.0)).hi == 3.0
    assert RangeType().fields == {"lo": types.float64, "hi": types.float64}


def test_only_structs_of_rust_are_registered_as_such() -> None:
    for wrong in (int, 3, Point):
        with pytest.raises(TypeError):
            register_native(wrong)


# Names


def test_names_are_documented() -> None:
    for name in extending.__all__:
        assert inspect.getdoc(getattr(extending, name)), name


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("builtin", "infer"),
        ("builtin_attr", "infer_getattr"),
        ("builtin_global", "infer_global"),
        ("implement", "lower_builtin"),
        ("impl_attribute", "lower_getattr"),
    ],
)
def test_names_of_before_say_what_they_are_now(before: str, now: str) -> None:
    with pytest.raises(AttributeError, match=f"{before} was renamed to {now}"):
        getattr(extending, before)


def test_methods_of_arrays_are_there_in_python() -> None:
    overload_method(types.Array, "doubled_twice")(lambda a: lambda a: a * 4)
    assert jit(lambda a: a.doubled_twice())(np.ones(2)).tolist() == [4.0, 4.0]
    assert opwright.ones(2).doubled_twice().tolist() == [4.0, 4.0]
    # Other tests look at all that tensors have.
    del opwright.Tensor.doubled_twice
