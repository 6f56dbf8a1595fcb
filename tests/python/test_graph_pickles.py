"""Graphs in pickles: what they share, what cannot be one, how deep they may be."""

import copy
import pickle
import pickletools

import opwright as ow
import pytest
from opwright import graph

WAYS = [lambda it: pickle.loads(pickle.dumps(it)), copy.deepcopy]
try:
    import cloudpickle
except ImportError:
    pass
else:
    WAYS.append(lambda it: cloudpickle.loads(cloudpickle.dumps(it)))
again = pytest.mark.parametrize("again", WAYS)


def vector(name="x"):
    return ow.TensorType("float64", (None,))(name)


@again
def test_gradients(again):
    """What gradients are put together of."""
    x = vector()
    made = ow.function([x], graph.grad((ow.exp(x) * x).sum(), x))
    assert again(made)([1.0, 2.0]).tolist() == made([1.0, 2.0]).tolist()


OWN = {
    "shape": lambda x: graph.shape(x),
    "shape_i": lambda x: graph.shape_i(x, 0),
    "item": lambda x: graph.shape(x)[0],
    "deep_copy": lambda x: graph.deep_copy(x),
    "view": lambda x: graph.view(x),
    "specify_shape": lambda x: graph.specify_shape(x, (3,)),
    "set_item": lambda x: graph.set_item(x, 0, 7.0),
    "index": lambda x: x[1:],
    "second": lambda x: graph.grad(graph.grad((x**3).sum(), x).sum(), x),
    "vjp": lambda x: graph.grad(ow.cumprod(x, 0).sum(), x),
    "vjp of a vjp": lambda x: graph.grad((graph.grad(ow.cumprod(x, 0).sum(), x) ** 2).sum(), x),
    "broadcast": lambda x: graph.grad((x * ow.ones(4, 1)).sum(), x),
}


@again
@pytest.mark.parametrize("name", OWN)
def test_each_node_of_graphs_themselves(again, name):
    """Nodes that call no operator."""
    x = vector()
    y = OWN[name](x)
    given, made = again([x, y])
    assert str(made.type) == str(y.type)
    values = [ow.function([a], b)([1.0, 2.0, 4.0]) for a, b in ((x, y), (given, made))]
    assert repr(values[0]) == repr(values[1])
    assert repr(again(ow.function([x], y))([1.0, 2.0, 4.0])) == repr(values[0])


@again
def test_variables_share_what_they_shared(again):
    """Names, inputs, nodes in between."""
    x = vector()
    y = ow.exp(x)
    y.name = "y"
    z = y + 1
    a, b, c = again((y, z, x))
    assert b.owner.inputs[0] is a
    assert a.owner.inputs[0] is c
    assert (a.name, c.name) == ("y", "x")
    assert again(y.owner).outputs[0].name == "y"


@again
def test_functions_share_their_shared_variables(again):
    """One updates what the other reads."""
    state = ow.shared(ow.tensor([1.0]), "state")
    step = ow.function([], updates=[(state, state + 1)])
    read = ow.function([], state * 10)
    step_again, read_again, state_again = again((step, read, state))
    step_again()
    assert read_again().tolist() == [20.0]
    assert state_again.get_value().tolist() == [2.0]
    assert read().tolist() == [10.0]


@again
@pytest.mark.parametrize("how", [{}, {"strict": True}, {"allow_downcast": True},
                                 {"allow_downcast": False}])  # fmt: skip
def test_shared_variables(again, how):
    """The value, the name, the default update, how loosely it takes values."""
    state = ow.shared(ow.tensor([1.0]), "state", **how)
    state.default_update = state * 2
    made = again(state)
    assert made.name == "state"
    assert made.default_update.owner.inputs[0] is made
    assert graph._graph.shared_coercion(made) == graph._graph.shared_coercion(state)
    made.set_value(ow.tensor([5.0]))
    assert state.get_value().tolist() == [1.0]
    assert isinstance(made, type(state))


@again
def test_deep_graphs(again):
    """Nothing recurses over a graph; nothing is left behind."""
    x = vector()
    y = x
    for _ in range(3000):
        y = y + 1
    given, made = again((x, y))
    assert ow.function([given], made)([0.0]).tolist() == [3000.0]


def test_what_fails_leaves_nothing_behind():
    """After a pickle that failed in the middle, a deep graph is one again."""
    from opwright.graph._pickling import _ahead

    x = vector()
    y = x
    for _ in range(3000):
        y = y + 1
    bad = graph.as_op([y.type], [y.type])(lambda value: value)(y)
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(bad + 1)
    assert not _ahead.nodes
    assert pickle.loads(pickle.dumps(y)).name is None


def test_what_cannot_be_pickled_says_so_at_once():
    """Nodes of compiled functions, and functions that are made for one use."""
    x = vector()
    made = ow.function([x], ow.exp(ow.sin(x)))
    with pytest.raises(TypeError, match="a part of a compiled function; pickle the function"):
        pickle.dumps(made.graph.toposort()[0])


# ruff: noqa: D102
class Twice(graph.Op):
    """An Op whose node makes another result than `make_node` does without its option."""

    __props__ = ()

    def make_node(self, x, names="y"):
        return graph.Apply(self, [x], [x.type(names)])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * 2


@graph.as_op(itypes=[ow.types.double], otypes=[ow.types.double])
def half(value):
    return value / 2


@again
def test_ops_of_ones_own(again):
    """Classes and functions by reference."""
    x = vector()
    y = Twice()(x, names="other")
    given, made = again((x, y))
    assert made.name == "other"
    assert ow.function([given], made)([1.0]).tolist() == [2.0]
    d = ow.types.double("d")
    assert again(ow.function([d], half(d)))(3.0) == 1.5


def test_pickles_name_no_file_of_the_package():
    """Files may be cut otherwise, and pickles still be read."""
    x = vector()
    shared = ow.shared(2.0, name="s")
    y = ow.exp(x).sum(0) * shared + ow.Constant(ow.types.double, 1.5)
    given = ow.In(x, name="given")
    held = [y, shared, ow.Mode(), given, ow.Out(y), ow.function([given], y)]
    strings, modules = [], set()
    for operation, argument, _ in pickletools.genops(pickle.dumps(held, protocol=4)):
        if operation.name in {"SHORT_BINUNICODE", "BINUNICODE"}:
            strings.append(argument)
        elif operation.name in {"BINGET", "LONG_BINGET"}:
            strings.append(None)
        elif operation.name == "STACK_GLOBAL":
            modules.add(strings[-2])
    modules.discard(None)
    assert modules <= {"opwright", "opwright.graph", "opwright.types"}
    assert "opwright.graph" in modules
