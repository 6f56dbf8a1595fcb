"""What hooks of types and Ops raise is raised, with a note which hook of which type it was."""

import sys

import opwright as ow
import pytest
from opwright import graph

# ruff: noqa: D102


class Boom(Exception):  # noqa: N818
    """What nobody else raises."""


class Box:
    """A value."""

    def __init__(self, number):
        self.number = number

    shape = (1,)


class BoxType(ow.Type):
    """A type whose hook fails that it is told."""

    def __init__(self, fails=None):
        self.fails = fails

    def __eq__(self, other):
        self.asked("__eq__")
        return isinstance(other, BoxType)

    def __hash__(self):
        self.asked("__hash__")
        return 7

    def __str__(self):
        return "Box"

    def asked(self, name):
        if name == self.fails:
            raise Boom(name)

    def filter(self, value, strict=False, allow_downcast=None):
        self.asked("filter")
        if not isinstance(value, Box):
            raise TypeError(f"no box: {value!r}")
        return value

    def is_valid_value(self, value, strict=True):
        self.asked("is_valid_value")
        return isinstance(value, Box)

    def values_eq(self, a, b):
        self.asked("values_eq")
        return a.number == b.number

    def values_eq_approx(self, a, b):
        self.asked("values_eq_approx")
        return a.number == b.number

    def may_share_memory(self, a, b):
        self.asked("may_share_memory")
        return a is b

    def deep_copy(self, value):
        self.asked("deep_copy")
        return Box(value.number)

    def emit(self, value):
        self.asked("emit")
        return value

    def init(self):
        self.asked("init")
        return Box(0)

    def is_super(self, other):
        self.asked("is_super")
        return isinstance(other, BoxType)

    def in_same_class(self, other):
        self.asked("in_same_class")
        return isinstance(other, BoxType)

    def get_shape_info(self, value):
        self.asked("get_shape_info")
        return 1

    def get_size(self, info):
        self.asked("get_size")
        return 8


class Next(graph.Op):
    """Another box; its hook fails that it is told."""

    __props__ = ()
    fails = None

    def asked(self, name):
        if name == self.fails:
            raise Boom(name)

    def make_node(self, x):
        self.asked("make_node")
        return graph.Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        self.asked("perform")
        output_storage[0][0] = Box(inputs[0].number + 1)

    def __eq__(self, other):
        self.asked("__eq__")
        return isinstance(other, Next)

    __hash__ = graph.Op.__hash__


# Nothing asks `in_same_class` of two types of one's own.
HOOKS = ["filter", "is_valid_value", "values_eq", "values_eq_approx", "may_share_memory",
         "deep_copy", "emit", "init", "is_super", "__eq__", "__hash__",
         "get_shape_info", "get_size"]  # fmt: skip


def uses(ty, op=None):
    """Whatever is done with values of a type."""
    op = op or Next()
    x = ty("x")
    y = op(op(x))
    for mode in ("block", "per_op", "debug", "profile"):
        ow.function([x], [y, graph.deep_copy(y)], mode=mode)(Box(1))
    # Types that are equal, and not the same.
    other = BoxType(ty.fails)("z")
    graph.equal_computations([op(x)], [op(x)])
    graph.replace([y], {x: other})
    state = ow.shared(Box(1), type=ty)
    state.get_value()
    state.set_value(Box(2))
    ow.function([], updates=[(state, op(state))])()


def test_nothing_fails_where_nothing_is_wrong():
    """These tests can fail."""
    uses(BoxType())


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_of_types(hook, monkeypatch):
    """The exception itself; nothing is swallowed, and nothing else is blamed."""
    swallowed = []
    monkeypatch.setattr(sys, "unraisablehook", lambda it: swallowed.append(it.exc_value))
    with pytest.raises(Boom, match=hook) as raised:
        uses(BoxType(hook))
    notes = " ".join(getattr(raised.value, "__notes__", []))
    assert f"raised by {hook} of Box" in notes
    assert not swallowed


@pytest.mark.parametrize("hook", ["perform", "__eq__"])
def test_hooks_of_ops(hook):
    """The same."""
    op = Next()
    x = BoxType()("x")
    y = op(op(x))
    z = Next()(Next()(x))
    for it in (op, z.owner.op, z.owner.inputs[0].owner.op):
        it.fails = hook
    with pytest.raises(Boom, match=hook) as raised:
        ow.function([x], [y, z])(Box(1))
    assert f"raised by {hook} of Next" in " ".join(raised.value.__notes__)


def test_gradients_of_ops():
    """The method that fails is named."""

    class Half(graph.Op):
        __props__ = ()

        def make_node(self, x):
            return graph.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, output_storage):
            output_storage[0][0] = inputs[0] / 2

        def L_op(self, inputs, outputs, output_gradients):  # noqa: N802
            raise Boom("L_op")

    x = ow.types.double("x")
    with pytest.raises(Boom) as raised:
        graph.grad(Half()(x), x)
    assert "raised by L_op of Half" in " ".join(raised.value.__notes__)


class Strict(graph.Op):
    """It takes variables alone, and does not look."""

    __props__ = ()

    def make_node(self, x):
        return graph.Apply(self, [x], [x.type()])


class Blind(graph.Op):
    """It hands on what it is given."""

    __props__ = ()

    def make_node(self, x):
        return graph.Apply(self, [x], [ow.types.double()])


@pytest.mark.parametrize("op", [Strict(), Blind()])
@pytest.mark.parametrize("value", [1.0, "text", None, [1.0], ow.ones(2)])
def test_ops_of_values(op, value):
    """An error at the call, with the way out."""
    with pytest.raises(TypeError, match=r"input 0.*graph\.constant\(value\)"):
        op(value)


@pytest.mark.parametrize("op", ["exp", None, 3, ow.exp, Strict])
def test_nodes_of_no_op(op):
    """The first argument of `Apply` is an Op."""
    x = ow.types.double("x")
    with pytest.raises(TypeError, match=r"Apply\(\): op: expected an Op, not "):
        graph.Apply(op, [x], [x.type()])


@pytest.mark.parametrize("value", [1.0, None, "x", ow.types.double])
def test_nodes_of_no_variables(value):
    """Inputs and outputs are variables."""
    x = ow.types.double("x")
    with pytest.raises(TypeError, match=r"Apply\(\): input 1: expected a Variable, not "):
        graph.Apply(Strict(), [x, value], [x.type()])
    with pytest.raises(TypeError, match=r"Apply\(\): output 0: expected a Variable, not "):
        graph.Apply(Strict(), [x], [value])
