"""Methods, attributes and names of types of one's own."""

from __future__ import annotations

import inspect

import numpy as np
import opwright
import pytest
from extension_types import new_interval
from opwright import extending, jit, types
from opwright.extending import (
    AbstractTemplate,
    AttributeTemplate,
    StructModel,
    TypingError,
    create_struct_proxy,
    infer_getattr,
    lower_builtin,
    lower_setattr,
    make_attribute_wrapper,
    native_struct,
    overload_attribute,
    overload_classmethod,
    overload_method,
    register_model,
    signature,
    typeof,
)


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
