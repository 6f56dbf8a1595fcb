"""Graphs at their corners: empty tensors, values that decide, constants, nodes of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import opwright
import pytest
from opwright import Mode, TensorType, Variable, function, graph, types
from opwright.types import boolean, double, int64

FLOAT = "float64"


def tensor(*shape: int | None, name: str = "x") -> Variable:
    return TensorType(FLOAT, shape)(name)


class Twice(graph.Op):
    """Twice a tensor."""

    __props__ = ()

    def make_node(self, x: Variable) -> graph.Apply:
        """A node with a result like `x`."""
        return graph.Apply(self, [x], [x.type()])

    def perform(self, node: graph.Apply, inputs: list[Any], output_storage: list[Any]) -> None:
        """Puts it into the storage."""
        output_storage[0][0] = inputs[0] * 2


# --- what is not known of an extent is not said ---


def test_of_what_may_be_empty() -> None:
    x = tensor(None)
    for part in x[:1], x[-1:], opwright.tensor_split(x, [1, 2])[0]:
        assert part.type.shape == (None,)
    assert function([x], graph.shape_i(x[:1], 0))(np.zeros(0)) == 0


def test_of_what_numbers_decide() -> None:
    n, j, k = double("n"), int64("j"), int64("k")
    assert opwright.arange(0, n, 0.5).type.shape == (None,)
    assert opwright.transpose(tensor(1, 3), k, j).type.shape == (None, None)


def test_of_what_truth_values_decide() -> None:
    keepdim = boolean("keepdim")
    with pytest.raises(TypeError, match="the rank of a result depends on the value of 'keepdim'"):
        opwright.sum(tensor(None, None), 0, keepdim=keepdim)


def test_of_several_inputs_that_go_together() -> None:
    a, b = tensor(2, None), tensor(None, 3)
    assert a.view_as(b).type.shape == (None, 3)
    a, b = tensor(None, None, 2), tensor(None, None, 2)
    assert opwright.linalg.solve(a, b).type.shape == (None, 2, 2)
    a, b, c = tensor(1, None, None), tensor(None, 2, None), tensor(None, None, 3)
    assert opwright.baddbmm(a, b, c).type.shape == (None, 2, 3)


def test_only_what_fits_with_elements_counts() -> None:
    assert opwright.mm(tensor(None, None), tensor(5, 7)).type.shape == (None, 7)


# --- constants are what they were ---


def test_a_write_to_the_tensor_changes_none() -> None:
    x, t = tensor(None), opwright.ones(2, dtype=opwright.float64)
    y = x + t
    compiled = function([x], y)
    t.fill_(9.0)
    assert compiled([0.0, 0.0]).tolist() == [1.0, 1.0]
    assert function([x], y)([0.0, 0.0]).tolist() == [1.0, 1.0]


def test_equal_ones_are_one() -> None:
    x = tensor(None)
    both = [opwright.exp(x * 2), opwright.sin(opwright.exp(x * 2)) + 1]
    assert function([x], both, mode=Mode(fuse=False)).explain().count("exp(") == 1


def test_equal_outputs_are_computed_once_and_copied() -> None:
    x = tensor(None)
    first, second = function([x], [x + 1, x + 1])([1.0])
    first.fill_(0.0)
    assert second.tolist() == [2.0]


def test_numbers_that_look_alike_are_apart() -> None:
    x = tensor(None)
    zero, negative = function([x], [x / 0.0, x / -0.0])([1.0])
    assert (zero.item(), negative.item()) == (float("inf"), float("-inf"))


# --- what an Op of one's own gets and gives ---


def test_perform_gets_its_node() -> None:
    seen = []

    class Looking(Twice):
        def perform(self, node: Any, inputs: list[Any], output_storage: list[Any]) -> None:
            seen.append((node.op, str(node.outputs[0].dtype)))
            super().perform(node, inputs, output_storage)

    x, op = tensor(None), Looking()
    for mode in "block", "per_op", "debug", "profile":
        seen.clear()
        assert function([x], op(x), mode=mode)([1.0]).tolist() == [2.0]
        assert set(seen) == {(op, "opwright.float64")}


def test_one_that_asks_for_arrays_gets_them() -> None:
    class OfArrays(Twice):
        arrays = True

        def perform(self, node: Any, inputs: list[Any], output_storage: list[Any]) -> None:
            assert isinstance(inputs[0], np.ndarray)
            super().perform(node, inputs, output_storage)

    x = tensor(None)
    assert function([x], OfArrays()(x))([1.0]).tolist() == [2.0]


def test_the_storage_of_results_has_to_stay() -> None:
    class Clearing(Twice):
        def perform(self, node: Any, inputs: list[Any], output_storage: list[Any]) -> None:
            output_storage.clear()

    x = tensor(None)
    with pytest.raises(ValueError, match=r"perform of Clearing.* left storage for 0 results"):
        function([x], Clearing()(x))([1.0])


def test_results_are_new_variables() -> None:
    w, op = tensor(None, name="w"), Twice()
    z = w + 1
    new = w.type()
    for inputs, outputs, why in [
        ([z], [w], "a cycle"),
        ([w], [w], "a cycle"),
        ([w], [z], "a node of its own"),
        ([w], [graph.constant(1.0)], "has a value"),
        ([w], [new, new], "output 1, .* is there twice"),
    ]:
        with pytest.raises(ValueError, match=why):
            graph.Apply(op, inputs, outputs)


# --- what takes the place of something ---


def test_plain_values() -> None:
    b = tensor(name="b")
    assert function([], b * 2, givens={b: 3.0})().item() == 6.0
    (doubled,) = graph.replace([b * 2], {b: 4.0})
    assert function([], doubled)().item() == 8.0


def test_a_rule_is_a_function() -> None:
    with pytest.raises(TypeError, match="the replacement of a rewrite is a function, not int"):
        graph.rewrite("exp(a)")(3)


def test_a_rule_changes_no_gradient_but_what_it_finds_there() -> None:
    x = tensor(None)
    rules = [
        graph.rewrite("square(a)")(lambda a: a * 10),
        graph.rewrite("exp(a)")(lambda a: opwright.sinh(a) + opwright.cosh(a)),
    ]
    square, exponential = opwright.square(x), opwright.exp(x)
    slopes = [graph.grad(opwright.sum(it), x) for it in (square, exponential)]
    try:
        compiled = function([x], [square, *slopes], mode=Mode(fuse=False))
    finally:
        for rule in rules:
            rule.remove()
    found = [it.tolist() for it in compiled([3.0])]
    assert found[:2] == [[30.0], [6.0]] and found[2] == pytest.approx([np.exp(3.0)])
    left = [str(it.op) for it in compiled.graph.toposort()]
    assert "sinh" in left and "exp" not in left


def test_a_rule_uses_what_there_is() -> None:
    x = tensor(None)
    rule = graph.rewrite("exp(a)")(lambda a: tensor(None, name="other"))
    try:
        with pytest.raises(ValueError, match=r"uses other, which .* does not depend on"):
            function([x], opwright.exp(x))
    finally:
        rule.remove()


def test_names_of_others_stay() -> None:
    x = tensor(None)
    y = opwright.exp(x)
    z = y * 1
    z.name = "z"
    function([x], z)
    assert y.name is None


def test_profile_goes_with_a_mode() -> None:
    x = tensor(None)
    made = function([x], x + 1, mode=Mode(fuse=False), profile=True)
    made([1.0])
    assert made.profile is not None
    with pytest.raises(ValueError, match="profile=True is a mode of its own, not 'debug'"):
        function([x], x + 1, mode="debug", profile=True)


# --- types of values ---


class Lending:
    """Something that lends its elements by DLPack alone."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **settings: Any) -> Any:
        return self.array.__dlpack__(**settings)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


def test_variables_are_of_the_type_itself() -> None:
    class Anything(opwright.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            return value

    for ty in Anything(), double, tensor(2, None).type:
        for made in ty("x"), ty.make_variable("x"), opwright.Variable(ty, "x"):
            assert made.type is ty and made.name == "x" and made.owner is None
        assert ty().name is None and ty() is not ty()


def test_types_of_ones_own_are_made_equal_in_three_ways() -> None:
    class Plain(opwright.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            return float(value)

    class Equal(Plain):
        def __eq__(self, other: object) -> bool:
            return type(self) is type(other)

        def __hash__(self) -> int:
            return hash(type(self))

    class Single(Plain):
        one: Any = None

        def __new__(cls) -> Any:
            cls.one = cls.one or super().__new__(cls)
            return cls.one

    hidden = Plain()

    def are_one(make: Any) -> bool:
        x = make()("x")
        y = make().filter_variable(x, allow_convert=False)
        return y is x and make().is_super(x.type) and make().in_same_class(x.type)

    assert are_one(Equal) and are_one(Single) and are_one(lambda: hidden)
    assert Plain() != Plain()
    with pytest.raises(TypeError):
        Plain().filter_variable(Plain()("x"))


def test_what_lends_elements_has_their_type() -> None:
    assert types.typeof(Lending(np.zeros((2, 3)))) == TensorType(FLOAT, (2, 3))


def test_hooks_are_asked_of_bytes() -> None:
    hook = types.typeof_hook(lambda value: double if isinstance(value, bytes) else None)
    try:
        assert types.typeof(b"text") == double
    finally:
        hook.remove()
    with pytest.raises(TypeError, match="no type for bytes"):
        types.typeof(b"text")


def test_a_comparison_that_fails_is_told_itself() -> None:
    class Relative(opwright.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> float:
            return float(value)

        def values_eq_approx(self, a: float, b: float) -> bool:
            return abs(a - b) / (abs(a) + abs(b)) < 1e-6

    class Sum(Twice):
        def perform(self, node: Any, inputs: list[Any], output_storage: list[Any]) -> None:
            output_storage[0][0] = inputs[0] + inputs[0]

    x = Relative()("x")
    compiled = function([x], Sum()(x), mode="debug")
    assert compiled(1.5) == 3.0
    with pytest.raises(ZeroDivisionError) as raised:
        compiled(0.0)
    assert "raised by values_eq_approx of Relative() (Relative)" in raised.value.__notes__


# --- what reads elements ---


def test_truth_values_of_tensors_are_variables() -> None:
    x, y = tensor(None), tensor(None, name="y")
    both = [opwright.equal(x, y), opwright.allclose(x, y), opwright.is_nonzero(x[:1])]
    assert [it.type for it in both] == [boolean] * 3
    for mode in "block", "per_op", "debug", "profile":
        compiled = function([x, y], both, mode=mode)
        assert compiled([1.0, 2.0], [1.0, 2.0]) == [True, True, True]
        assert compiled([0.0, 2.0], [0.0, 3.0]) == [False, False, False]
    with pytest.raises(RuntimeError, match=r"allclose\(\): The size of tensor a \(2\)"):
        opwright.allclose(tensor(2), tensor(3))


def test_constants_are_read() -> None:
    x, given = tensor(None), opwright.arange(5, dtype=opwright.float64)
    for where in opwright.tensor([1, 3]), opwright.tensor(2):
        parts = opwright.tensor_split(x, where)
        expected = opwright.tensor_split(given, where)
        found = function([x], list(parts))(given)
        assert [it.tolist() for it in found] == [it.tolist() for it in expected]
    assert opwright.narrow(x, 0, opwright.tensor(1), 2).type.shape == (2,)


def test_variables_are_not() -> None:
    x, places, start = tensor(None), TensorType("int64", (None,))(), TensorType("int64", ())()
    with pytest.raises(TypeError, match=r"tensor_split\(\): .* elements of 'tensor_indices_or_sec"):
        opwright.tensor_split(x, places)
    with pytest.raises(TypeError, match=r"narrow\(\): .* the elements of 'start', which is a vari"):
        opwright.narrow(x, 0, start, 2)


def test_repeats_may_be_variables() -> None:
    x, repeats = tensor(None, 2), TensorType("int64", (None,))("repeats")
    along = opwright.repeat_interleave(x, repeats, 0)
    flat = opwright.repeat_interleave(x, repeats, output_size=6)
    assert (along.type.shape, flat.type.shape) == ((None, None), (6,))
    given = opwright.ones(3, 2, dtype=opwright.float64)
    gradient = graph.grad(opwright.sum(along * along), x)
    compiled = function([x, repeats], [along, gradient])
    found, slopes = compiled(given, [2, 0, 1])
    assert found.shape == (3, 2) and slopes.tolist() == [[4.0, 4.0], [0.0, 0.0], [2.0, 2.0]]
    assert function([x, repeats], flat)(given, [1] * 6).shape == (6,)


# --- shapes, places, errors of what is made ---


def test_parts_of_shapes() -> None:
    x = TensorType(FLOAT, (None, 3, 4))("x")
    assert len(x.shape[1:]) == 2 and x.shape[3:] == ()
    flat = opwright.reshape(x, (x.shape[0], -1))
    back = opwright.reshape(flat, (-1, *x.shape[1:]))
    assert function([x], back)(np.zeros((2, 3, 4))).shape == (2, 3, 4)
    assert function([x], list(x.shape[::-1]))(np.zeros((2, 3, 4))) == [4, 3, 2]


def test_a_node_is_where_its_op_was_called() -> None:
    variable = Twice()(tensor(None))
    file, _, name = variable.owner.place
    assert (file, name) == (__file__, "test_a_node_is_where_its_op_was_called")
    file, _, name = Twice().make_node(tensor(None)).place
    assert (file, name) == (__file__, "make_node")


def test_rules_bind_lists_and_look_at_shapes() -> None:
    x, seen = tensor(None, None), []
    rules = [
        graph.rewrite("flatten(reshape(a, sizes))")(lambda a, sizes: seen.append(sizes)),
        graph.rewrite("expand(a, shape(a))")(lambda a: a),
    ]
    try:
        function([x], opwright.flatten(opwright.reshape(x, (2, -1))))
        left = function([x], x.expand(x.shape) + 1).graph.toposort()
    finally:
        for rule in rules:
            rule.remove()
    assert seen[0].data == (2, -1)
    assert [str(it.op) for it in left] == ["add.Tensor"]


def test_rules_without_an_end_name_the_function() -> None:
    x = tensor(None)
    rules = [
        graph.rewrite("sin(a)")(lambda a: opwright.cos(a)),
        graph.rewrite("cos(a)")(lambda a: opwright.sin(a)),
    ]
    try:
        with pytest.warns(UserWarning, match=r"^step\(\): the rewrites of its graph do not come"):
            made = function([x], opwright.sin(x), name="step")
    finally:
        for rule in rules:
            rule.remove()
    assert made([0.0]).tolist() in ([0.0], [1.0])


def test_what_is_not_made_names_the_function() -> None:
    x = tensor(None)
    rule = graph.rewrite("exp(a)")(lambda a: opwright.sum(a))
    try:
        with pytest.raises(TypeError, match="rewrite '<lambda>': exp") as caught:
            function([x], opwright.exp(x), name="step")
    finally:
        rule.remove()
    assert caught.value.__notes__ == ["while function 'step' was made"]


def test_numbers_have_methods() -> None:
    s = double("s")
    assert function([s], [s.exp(), s.sum()])(0.0) == [1.0, 0.0]
    with pytest.raises(TypeError, match="variables of numbers have methods in its place"):
        opwright.exp(s)


def test_what_c_raises_is_among_the_exceptions_of_graphs() -> None:
    assert graph.CompileError is opwright.c.CompileError


def test_views_of_views_and_copies_of_copies_are_one() -> None:
    x = tensor(None)
    view, copy = graph.view, graph.deep_copy
    cases = [
        (view(view(x)), ["view"]),
        (copy(copy(x)), ["deep_copy"]),
        (copy(view(x)), ["deep_copy"]),
        (view(copy(x)), ["deep_copy", "view"]),
    ]
    for result, expected in cases:
        step = function([x], opwright.cumsum(result, 0))
        names = [str(node.op) for node in step.graph.toposort()]
        assert names == [*expected, "cumsum"]
        assert step([1.0, 2.0]).tolist() == [1.0, 3.0]
