"""The debug mode: each kind of mistake is found, with the name of who made it."""

import itertools
import sys

import numpy as np
import opwright as ow
import pytest
from c_code import Code, Double, cache, needs_compiler, variables
from opwright import graph
from opwright.graph import Apply
from own_ops import Does

__all__ = ["cache"]

VECTOR = ow.TensorType("float64", (None,))
COUNT = itertools.count()


@pytest.mark.parametrize(
    ("do", "error", "text"),
    [
        (lambda it: it, graph.BadView, r"result 0 of culprit\(x\) shares memory with argument 0"),
        (lambda it: it[1:], graph.BadView, r"culprit\(x\)"),
        (lambda it: it.fill_(9.0) + 0.0, graph.BadWrite, r"culprit\(x\) writes to its argument 0"),
        (lambda it: np.asarray(it).astype("float32"), graph.BadType, r"culprit\(x\)"),
        (lambda it: np.zeros((2, 2)), graph.BadType, r"culprit\(x\)"),
        (lambda it: it * float(next(COUNT)), graph.BadResult, r"culprit\(x\).* than another call"),
    ],
)
def test_what_an_op_does(do, error, text):
    x = VECTOR("x")
    f = ow.function([x], Does(do, name="culprit")(x), mode="debug")
    with pytest.raises(error, match=text) as caught:
        f(np.array([1.0, 2.0]))
    assert isinstance(caught.value, graph.DebugError)
    assert caught.value.__opwright_node__.op.do is do


def test_static_extents_that_are_wrong():
    class Claims(Does):
        def make_node(self, x):
            return Apply(self, [x], [ow.TensorType("float64", (5,))()])

    x = VECTOR("x")
    with pytest.raises(graph.BadType, match=r"culprit.*float64, \(5,\)"):
        ow.function([x], Claims(lambda it: it + 1.0, name="culprit")(x), mode="debug")(np.ones(3))


def test_equal_types_whose_hashes_differ():
    class Same(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

        def __eq__(self, other):
            return isinstance(other, Same)

        def __hash__(self):
            return id(self)

        def __str__(self):
            return "Same"

    x, y = Same()("x"), Same()("y")
    with pytest.raises(graph.BadType, match="Same and Same are equal, but not their hashes"):
        ow.function([x, y], Does(lambda a, b: a)(x, y), mode="debug")


def test_what_is_handed_out_passes_the_strict_filter():
    class Handle:
        def __init__(self, text):
            self.text = text

    class Text(ow.Type):
        """A text outside, a handle inside."""

        def filter(self, value, strict=False, allow_downcast=None):
            if not isinstance(value, str):
                raise TypeError(f"expected a text, not {type(value).__name__}")
            return Handle(value)

        def emit(self, value):
            return value.text

        def values_eq(self, a, b):
            return a.text == b.text

        def __str__(self):
            return "Text"

    class Number(Text):
        def emit(self, value):
            return len(value.text)

        __str__ = Text.__str__

    for ty in Text(), Number():
        x = ty("x")
        f = ow.function([ow.In(x, borrow=True)], ow.Out(x, borrow=True), mode="debug")
        if type(ty) is Text:
            assert f("one") == "one"
            assert ow.function([x], x, mode="debug")("one") == "one"
            continue
        with pytest.raises(graph.BadType, match="Text refuses a result: expected a text, not int"):
            f("one")


def test_a_rewrite_that_changes_values():
    @graph.rewrite("sub.Tensor(a, a)")
    def wrong(a):
        return a

    try:
        x = VECTOR("x")
        f = ow.function([x], x - x, mode="debug")
        with pytest.raises(graph.BadRewrite, match="rewrite 'wrong' changes the value of sub"):
            f(np.array([1.0]))
    finally:
        wrong.remove()


def test_types_whose_text_fails():
    class Mute(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            if value == "made" and strict:
                raise TypeError("refused")
            return value

        def __str__(self):
            raise KeyError("no text")

    x = Mute()("x")
    with pytest.raises(graph.BadType, match="Mute"):
        ow.function([x], Does(lambda _: "made")(x), mode="debug")("given")


def test_chains_are_compared():
    x = VECTOR("x")
    f = ow.function([x], ow.sum(ow.exp(x) * 2.0 + x), mode="debug")
    assert float(f(np.zeros(3000))) == 6000.0
    assert float(f(np.zeros(3))) == 6.0
    assert ow.Mode("debug").fuse
    assert not ow.Mode("debug", fuse=False).fuse


class Both(Code):
    """An Op with code and with a `perform`, which adds `more` to its input."""

    def __init__(self, code, more=1.0, **hooks):
        super().__init__("both", code, **hooks)
        self.more = more

    def perform(self, node, inputs, output_storage):
        """Adds."""
        output_storage[0][0] = inputs[0] + self.more


@needs_compiler
class TestCode:
    """C code beside what it is compared with."""

    def run(self, op, *given, ty=None):
        """What the debug mode makes of an Op of one input."""
        (x,) = variables("x", **({} if ty is None else {"ty": ty}))
        return ow.function([x], op(x), mode="debug")(*given)

    def test_equal_results(self):
        assert self.run(Both("z = x + 1;"), 2.0) == 3.0

    def test_other_results(self):
        with pytest.raises(graph.BadResult, match=r"both\(x\) gives another result than C code"):
            self.run(Both("z = x + 2;"), 2.0)

    def test_code_without_perform(self):
        assert self.run(Code("only", "z = x * 3;"), 2.0) == 6.0
        with pytest.raises(graph.BadResult, match=r"only\(x\) .* than another call"):
            self.run(Code("only", "static int n; z = x + n++;"), 2.0)

    def test_what_code_raises(self):
        op = Both('PyErr_SetString(PyExc_KeyError, "mine"); FAIL')
        with pytest.raises(KeyError, match="mine") as caught:
            self.run(op, 2.0)
        assert any("in the C code of both(x)" in it for it in caught.value.__notes__)

    def test_a_value_that_the_type_refuses(self):
        class Small(Double):
            def filter(self, value, strict=False, allow_downcast=None):
                if value > 10.0:
                    raise ValueError("too large")
                return value

        with pytest.raises(graph.BadType, match=r"only\(x\) gives no double"):
            self.run(Code("only", "z = x + 100;"), 1.0, ty=Small())

    def test_code_that_leaves_by_a_macro(self):
        support = "#define LEAVE return 0"
        op = Both("z = x; LEAVE;", c_support_code=lambda: support)
        text = r"both\(x\) left its block behind `code both`, without the cleanup of x, v0"
        with pytest.raises(graph.BadCleanup, match=text):
            self.run(op, 2.0)

    def test_a_hook_that_leaves_by_a_macro(self):
        class Leaves(Double):
            def c_support_code(self):
                return "#define LEAVE return 0"

            def c_extract(self, name, sub, check_input=True, **kwargs):
                return "LEAVE;"

        with pytest.raises(graph.BadCleanup, match=r"behind `extract x`, without the cleanup of x"):
            self.run(Both("z = x + 1;"), 2.0, ty=Leaves())

    @pytest.mark.parametrize(
        ("change", "text"),
        [
            ("Py_INCREF(py_{name});", "takes and does not give back a reference to its input x"),
            ("Py_DECREF(py_{name});", "gives back and has not taken a reference to its input x"),
        ],
    )
    def test_references_to_inputs(self, change, text):
        class Counts(Double):
            def c_extract(self, name, sub, check_input=True, **kwargs):
                return f"{name} = PyFloat_AsDouble(py_{name}); {change.format(name=name)}"

        with pytest.raises(graph.BadCleanup, match=rf"the C code of both\(x\) {text}"):
            self.run(Both("z = x + 1;"), 2.5, ty=Counts())

    @pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is never freed")
    def test_references_to_none(self):
        with pytest.raises(graph.BadCleanup, match="does not give back a reference to None"):
            self.run(Both("z = x + 1; Py_INCREF(Py_None);"), 2.5)

    def test_code_that_keeps_something_is_right(self):
        class Keeps(Both):
            def c_support_code_struct(self, node, name):
                return "PyObject* last;"

            def c_init_code_struct(self, node, name, sub):
                return "self->last = NULL;"

            def c_cleanup_code_struct(self, node, name):
                return "Py_CLEAR(self->last);"

            def c_code(self, node, name, inputs, outputs, sub):
                (x,), (z,) = inputs, outputs
                return f"Py_INCREF(py_{x}); Py_XSETREF(self->last, py_{x}); {z} = {x} + 1;"

        assert self.run(Keeps(""), 2.5) == 3.5

    def test_without_a_compiler(self, monkeypatch):
        monkeypatch.setenv("CXX", "no-such-compiler")
        with pytest.warns(UserWarning, match=r"C code of both\(x\) is not looked at: .*no-such"):
            assert self.run(Both("z = x + 2;"), 2.0) == 3.0
        with pytest.raises(ow.c.CompileError, match="no-such-compiler"):
            self.run(Code("only", "z = x;"), 2.0)
