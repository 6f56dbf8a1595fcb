"""Gradients of graphs; `opcheck` compares those of all operators with passes."""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import opwright as ow
import pytest
from opwright import _C, graph

_graph = _C._graph
PLAIN = ow.Mode(optimizer="none")


def vector(name: str, extent: int | None = None) -> Any:
    return _graph.tensor_type(ow.float64, [extent])(name)


def matrix(name: str) -> Any:
    return _graph.tensor_type(ow.float64, [None, None])(name)


def run(outputs: Any, given: dict[Any, Any]) -> Any:
    several = isinstance(outputs, list)
    wanted = outputs if several else [outputs]
    function = ow.function(list(given), wanted, mode=PLAIN, on_unused_input="ignore")
    found = function(*given.values())
    return found if several else found[0]


def ops_of(variable: Any) -> list[str]:
    return [str(it.op) for it in graph.nodes(graph.inputs([variable]), [variable])]


# -- What is asked for --------------------------------------------------------------------------


def test_one_variable_gives_one_gradient_and_a_list_several() -> None:
    x, y = vector("x"), vector("y")
    cost = ow.sum(x * y)
    given = {x: np.array([1.0, 2.0]), y: np.array([3.0, 4.0])}
    one = graph.grad(cost, x)
    assert str(one.type) == str(x.type)
    assert run(one, given).tolist() == [3.0, 4.0]
    several = graph.grad(cost, [x, y])
    assert [it.tolist() for it in run(several, given)] == [[3.0, 4.0], [1.0, 2.0]]


def test_what_comes_together_is_added() -> None:
    x = vector("x")
    y = ow.exp(x)
    gradient = graph.grad(ow.sum(x * x + y + x), x)
    found = run(gradient, {x: np.array([1.0, 2.0])})
    assert np.allclose(found.numpy(), 2 * np.array([1.0, 2.0]) + np.exp([1.0, 2.0]) + 1)


def test_stretched_operands_are_summed_back() -> None:
    m, v = matrix("m"), vector("v")
    s = _graph.tensor_type(ow.float32, [])("s")
    gradients = graph.grad(ow.sum(m * v + s), [v, s])
    given = {m: np.arange(6.0).reshape(2, 3), v: np.ones(3), s: np.float32(1.0)}
    of_v, of_s = run(gradients, given)
    assert of_v.tolist() == [3.0, 5.0, 7.0]
    assert (of_s.dtype, of_s.item()) == (ow.float32, 6.0)


def test_an_extent_that_may_be_one_is_summed_back() -> None:
    a, b = vector("a"), vector("b")
    gradient = graph.grad(ow.sum(a * b), a)
    assert run(gradient, {a: np.ones(1), b: np.arange(4.0)}).tolist() == [6.0]
    assert run(gradient, {a: np.ones(4), b: np.arange(4.0)}).tolist() == [0.0, 1.0, 2.0, 3.0]


def test_gradients_of_gradients() -> None:
    x = vector("x", 2)
    cost = ow.sum(x**4)
    for factor, power in [(4.0, 3), (12.0, 2), (24.0, 1), (24.0, 0)]:
        gradient = graph.grad(cost, x)
        found = run(gradient, {x: np.array([1.0, 2.0])})
        assert found.tolist() == [factor, factor * 2**power]
        cost = ow.sum(gradient)


def test_gradients_of_gradients_of_what_has_no_formula() -> None:
    x = vector("x", 3)
    value = np.array([0.1, 0.7, 0.3])
    first = graph.grad(ow.sum(ow.softmax(x, 0) ** 2), x)
    second = graph.grad(ow.sum(first * first), x)
    leaf = ow.tensor(value, requires_grad=True)
    (want,) = ow.autograd.grad((ow.softmax(leaf, 0) ** 2).sum(), leaf, create_graph=True)
    (again,) = ow.autograd.grad((want * want).sum(), leaf, create_graph=True)
    assert np.allclose(run(second, {x: value}).numpy(), again.detach().numpy())
    (third,) = ow.autograd.grad(again.sum(), leaf)
    found = run(graph.grad(ow.sum(second), x), {x: value})
    assert np.allclose(found.numpy(), third.numpy())


def test_numbers_have_gradients() -> None:
    double = ow.types.double
    a, b = double("a"), double("b")
    gradients = graph.grad(ow.mul(ow.add(a, b), b), [a, b])
    assert [str(it.type) for it in gradients] == [str(a.type)] * 2
    assert run(gradients, {a: 2.0, b: 3.0}) == [3.0, 8.0]


def test_a_number_beside_a_tensor_has_a_gradient() -> None:
    a, x = ow.types.double("a"), vector("x")
    assert run(graph.grad(ow.sum(ow.mul(x, a)), a), {a: 2.0, x: np.array([1.0, 3.0])}) == 4.0


def test_nothing_is_left_on_what_is_given() -> None:
    x = vector("x")
    value = ow.tensor([1.0, 2.0], dtype=ow.float64, requires_grad=True)
    found = run(graph.grad(graph.grad(ow.sum(ow.softmax(x, 0)), x)[0], x), {x: value})
    assert not found.requires_grad
    assert value.grad is None


def test_one_tensor_for_two_variables() -> None:
    x, y = vector("x", 2), vector("y", 2)
    gradients = graph.grad(ow.sum(ow.softmax(x * y, 0) * x), [x, y])
    same = ow.tensor([1.0, 2.0], dtype=ow.float64)
    leaves = [same.clone().requires_grad_(), same.clone().requires_grad_()]
    want = ow.autograd.grad((ow.softmax(leaves[0] * leaves[1], 0) * leaves[0]).sum(), leaves)
    for got, wanted in zip(run(gradients, {x: same, y: same}), want, strict=True):
        assert np.allclose(got.numpy(), wanted.numpy())


def test_known_gradients_take_the_place_of_others() -> None:
    x = vector("x")
    y = ow.exp(x)
    seed = vector("seed")
    gradient = graph.grad(None, x, known={y: seed})
    found = run(gradient, {x: np.zeros(2), seed: np.array([2.0, 3.0])})
    assert found.tolist() == [2.0, 3.0]
    # What would come from the cost does not count.
    gradient = graph.grad(ow.sum(y) * 7, x, known={y: seed})
    assert run(gradient, {x: np.zeros(2), seed: np.array([2.0, 3.0])}).tolist() == [2.0, 3.0]
    with pytest.raises(TypeError):
        graph.grad(None, x, known={y: _graph.tensor_type(ow.float32, [None])("other")})


def test_no_gradient_goes_through_constants() -> None:
    x = vector("x")
    y = x * x
    cost = ow.sum(y * x)
    assert run(graph.grad(cost, x, consider_constant=[y]), {x: np.array([3.0])}).tolist() == [9.0]
    assert run(graph.grad(cost, x), {x: np.array([3.0])}).tolist() == [27.0]
    with pytest.raises(ValueError, match="does not depend on x"):
        graph.grad(ow.sum(y), x, consider_constant=y)


def test_what_the_cost_does_not_hang_on() -> None:
    x, other = vector("x"), vector("other")
    cost = ow.sum(x)
    with pytest.raises(ValueError, match=r"does not depend on other, number 1 of wrt"):
        graph.grad(cost, [x, other])
    with pytest.warns(UserWarning, match="its gradient is zero"):
        zeros = graph.grad(cost, other, disconnected_inputs="warn")
    given = {other: np.array([5.0, 6.0])}
    assert run(zeros, given).tolist() == [0.0, 0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zeros = graph.grad(cost, other, disconnected_inputs="ignore")
    assert run(zeros, given).tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="'maybe'"):
        graph.grad(cost, x, disconnected_inputs="maybe")


@pytest.mark.parametrize(
    "make",
    [
        lambda x: ow.sum(x > 0.5),
        lambda x: ow.argmax(x),
    ],
)
def test_costs_without_gradients_are_refused(make: Callable[[Any], Any]) -> None:
    x = vector("x")
    with pytest.raises(ValueError, match="only real and complex floating-point"):
        graph.grad(make(x), x)


def test_mistakes_are_named() -> None:
    x = vector("x")
    with pytest.raises(TypeError, match="a cost has no dimensions, and x is"):
        graph.grad(x, x)
    with pytest.raises(TypeError, match="wrt: expected a Variable, not float"):
        graph.grad(ow.sum(x), 1.5)
    with pytest.raises(TypeError, match="cost: expected a Variable, not float"):
        graph.grad(1.5, x)
    with pytest.raises(TypeError, match="needs a cost"):
        graph.grad(None, x)
    whole = _graph.tensor_type(ow.int64, [None])("whole")
    with pytest.raises(ValueError, match="wrt: whole is"):
        graph.grad(ow.sum(x[whole]), whole)


def test_what_nobody_has_written_is_named_with_its_place() -> None:
    x = vector("x", 4)
    with pytest.raises(NotImplementedError, match=r"floor_divide.*test_graph_gradients\.py"):
        graph.grad(ow.sum(ow.floor_divide(x, x)), x)


def test_a_number_for_a_parameter_has_no_gradient() -> None:
    n, x = ow.types.double("n"), vector("x")
    cost = ow.sum(ow.add(x, x, alpha=n))
    assert run(graph.grad(cost, x), {x: np.ones(2), n: 2.0}).tolist() == [3.0, 3.0]
    with pytest.raises(NotImplementedError, match="takes n for `alpha` as a number"):
        graph.grad(cost, n)


def test_lists_of_tensors() -> None:
    x, y = vector("x"), vector("y")
    gradients = graph.grad(ow.sum(ow.cat([x, y, x]) ** 2), [x, y])
    found = run(gradients, {x: np.array([1.0, 2.0]), y: np.array([3.0])})
    assert [it.tolist() for it in found] == [[4.0, 8.0], [6.0]]
    x = vector("x", 6)
    first, second = ow.split(x, 3)
    found = run(graph.grad(ow.sum(first * first) + ow.sum(second), x), {x: np.arange(6.0)})
    assert found.tolist() == [0.0, 2.0, 4.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("optimizer", ["none", "full"])
def test_what_a_node_draws_is_what_its_gradient_draws(optimizer: str) -> None:
    x = vector("x", 50)
    y = ow.dropout(x * x, 0.5, True)
    first = graph.grad(ow.sum(y), x)
    outputs = [y, first, graph.grad(ow.sum(first), x)]
    function = ow.function([x], outputs, mode=ow.Mode(optimizer=optimizer))
    value = np.linspace(1.0, 2.0, 50)
    ow.manual_seed(3)
    want = ow.dropout(ow.tensor(value * value), 0.5, True)
    for _ in range(2):
        ow.manual_seed(3)
        dropped, gradient, second = (it.numpy() for it in function(value))
        mask = dropped / value**2
        assert set(mask.round(12)) == {0.0, 2.0}
        assert np.allclose(gradient, 2 * value * mask)
        assert np.allclose(second, 2 * mask)
        assert dropped.tolist() == want.tolist()
    assert function(value)[0].tolist() != want.tolist()


def test_what_a_node_draws_goes_along_in_copies_and_pickles() -> None:
    x = vector("x", 50)
    y = ow.dropout(x, 0.5, True)
    function = ow.function([x], [y, graph.grad(ow.sum(y), x)])
    replaced = graph.replace([y, graph.grad(ow.sum(y), x)], {x: vector("z", 50)})
    copied = ow.function(graph.inputs(replaced), replaced)
    for made in [copied, pickle.loads(pickle.dumps(ow.function([x], y)))]:
        made(np.ones(50))
    for made in [function, copied, ow.function([x], [y, graph.grad(ow.sum(y), x)], mode="debug")]:
        dropped, gradient = made(np.ones(50))
        assert dropped.tolist() == gradient.tolist()


def test_views_and_copies_hand_gradients_on() -> None:
    x = vector("x")
    for make in [graph.view, graph.deep_copy]:
        gradient = graph.grad(ow.sum(make(x) * x), x)
        assert run(gradient, {x: np.array([1.0, 2.0])}).tolist() == [2.0, 4.0]


def test_formulas_become_nodes() -> None:
    x = vector("x", 3)
    text = str(graph.grad(ow.sum(ow.sin(x)), x).owner.op)
    assert text != "vjp"
    assert str(graph.grad(ow.sum(ow.softmax(x, 0)), x).owner.op) == "vjp"


# -- Ops of Python ------------------------------------------------------------------------------


class Cube(graph.Op):
    """The third power."""

    __props__ = ()

    def make_node(self, x: Any) -> Any:
        """A node with results like its input."""
        return graph.Apply(self, [x], [x.type()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        """Computes the results."""
        output_storage[0][0] = inputs[0] ** 3

    def grad(self, inputs: Any, output_gradients: Any) -> Any:
        """The gradient of its input."""
        (x,), (gradient,) = inputs, output_gradients
        return [gradient * 3 * x * x]


class Halves(graph.Op):
    """A half, twice."""

    __props__ = ()

    def make_node(self, x: Any) -> Any:
        """A node with results like its input."""
        return graph.Apply(self, [x], [x.type(), x.type()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        """Computes the results."""
        output_storage[0][0] = inputs[0] / 2
        output_storage[1][0] = inputs[0] / 2

    def L_op(self, inputs: Any, outputs: Any, output_gradients: Any) -> Any:  # noqa: N802
        """The same, with the results at hand."""
        assert len(outputs) == 2
        return [(output_gradients[0] + output_gradients[1]) / 2]


def test_an_op_says_its_gradient() -> None:
    x = vector("x")
    first = graph.grad(ow.sum(Cube()(x)), x)
    assert run(first, {x: np.array([1.0, 2.0])}).tolist() == [3.0, 12.0]
    second = graph.grad(ow.sum(first), x)
    assert run(second, {x: np.array([1.0, 2.0])}).tolist() == [6.0, 12.0]


def test_results_without_a_gradient_have_zeros() -> None:
    x = vector("x")
    first, _ = Halves()(x)
    assert run(graph.grad(ow.sum(first * 4), x), {x: np.ones(2)}).tolist() == [2.0, 2.0]


def test_an_op_without_a_gradient_is_named() -> None:
    class Silent(Cube):
        grad = graph.Op.grad

    x = vector("x")
    with pytest.raises(NotImplementedError, match="Silent has no grad"):
        graph.grad(ow.sum(Silent()(x)), x)


@pytest.mark.parametrize(
    ("said", "match"),
    [
        (lambda gradient: [], "gives 0 gradients for 1 inputs"),
        (lambda gradient: 5, "gives a list of gradients, not int"),
        (lambda gradient: gradient, "gives a list of gradients"),
        (lambda gradient: [ow.sum(gradient)], "the gradient for x, which is"),
    ],
)
def test_what_an_op_says_is_checked(said: Callable[[Any], Any], match: str) -> None:
    class Wrong(Cube):
        def grad(self, inputs: Any, output_gradients: Any) -> Any:
            return said(output_gradients[0])

    x = vector("x")
    with pytest.raises(TypeError, match=match):
        graph.grad(ow.sum(Wrong()(x)), x)


def test_an_op_may_leave_out_an_input() -> None:
    class Partial(Cube):
        def grad(self, inputs: Any, output_gradients: Any) -> Any:
            return [None]

    x = vector("x")
    with pytest.raises(ValueError, match="does not depend on x"):
        graph.grad(ow.sum(Partial()(x)), x)


# -- Calls that are replaced before ---------------------------------------------------------------


def test_inputs_of_what_is_replaced_may_hang_on_each_other() -> None:
    w = matrix("w")
    gradient = graph.grad(ow.sum(ow.nn.functional.linear(ow.exp(w), w), [0, 1]), w)
    assert "vjp" not in ops_of(gradient)
    value = np.arange(4.0).reshape(2, 2) / 4
    eager = ow.tensor(value, requires_grad=True)
    ow.sum(ow.nn.functional.linear(ow.exp(eager), eager)).backward()
    assert np.allclose(run(gradient, {w: value}).numpy(), eager.grad.numpy())


@pytest.mark.parametrize("bias", [False, True])
def test_layers_have_the_gradients_of_their_parts(bias: bool) -> None:
    x, weight, offset = matrix("x"), matrix("weight"), vector("offset", 3)
    target = _graph.tensor_type(ow.int64, [None])("target")
    of = ow.nn.functional
    given = {
        x: np.arange(8.0).reshape(4, 2) / 7,
        weight: np.arange(6.0).reshape(3, 2) / 5 - 1,
        **({offset: np.array([0.5, -0.5, 0.25])} if bias else {}),
        target: np.array([0, 2, 1, 1]),
    }

    def cost(x: Any, weight: Any, *rest: Any) -> Any:
        *offset, target = rest
        return of.cross_entropy(of.linear(x, weight, *offset), target)

    gradients = graph.grad(cost(*given), list(given)[:-1])
    leaves = [ow.tensor(it, requires_grad=it.dtype == float) for it in given.values()]
    cost(*leaves).backward()
    for found, leaf in zip(run(gradients, given), leaves, strict=False):
        assert np.allclose(found.numpy(), leaf.grad.numpy())
    ops = [op for gradient in gradients for op in ops_of(gradient)]
    assert "cross_entropy_loss" not in ops


def test_gradients_of_factors_lie_as_the_factors_do() -> None:
    seen = []

    class Look(graph.Op):
        """Its input, after a look at how it lies."""

        def make_node(self, x: Any) -> Any:
            return graph.Apply(self, [x], [x.type()])

        def perform(self, node: Any, inputs: list[Any], outputs: list[Any]) -> None:
            seen.append(inputs[0].stride())
            outputs[0][0] = inputs[0].clone()

    x, weight = matrix("x"), _graph.tensor_type(ow.float64, [4, 3])("weight")
    y = ow.mm(x, weight.t())
    gradient = graph.grad((y * y).sum(), weight)
    run(Look()(gradient), {x: ow.ones(5, 3).double(), weight: ow.ones(4, 3).double()})
    assert seen == [(3, 1)]
