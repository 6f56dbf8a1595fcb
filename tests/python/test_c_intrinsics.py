"""Operators that every type has, in C that is registered for a class of types."""

import opwright as ow
import pytest
from c_code import c, cache, needs_compiler
from opwright import graph

__all__ = ["cache"]

pytestmark = needs_compiler


class Row(c.CType):
    """A tuple of floats, in C a pointer and a length."""

    __props__ = ()

    def filter(self, value, strict=False, allow_downcast=None):
        """Takes tuples, and lists unless it is strict."""
        if isinstance(value, tuple):
            return value
        if strict or not isinstance(value, list):
            raise TypeError(f"expected a tuple, not {type(value).__name__}")
        return tuple(map(float, value))

    def shape_of(self, value):
        """How long it is."""
        return (len(value),)

    def c_declare(self, name, sub, check_input=True):
        """A pointer and a length."""
        return f"double* {name}; Py_ssize_t {name}_count;"

    def c_init(self, name, sub):
        """Nothing."""
        return f"{name} = NULL; {name}_count = 0;"

    def c_extract(self, name, sub, check_input=True, **kwargs):
        """Reads each element."""
        return f"""{name} = NULL;
            {name}_count = PyTuple_Size(py_{name});
            if ({name}_count < 0) {sub["fail"]}
            {name} = (double*)malloc(({name}_count + 1) * sizeof(double));
            if (!{name}) {{ PyErr_NoMemory(); {sub["fail"]} }}
            for (Py_ssize_t {name}_i = 0; {name}_i < {name}_count; {name}_i++) {{
              {name}[{name}_i] = PyFloat_AsDouble(PyTuple_GET_ITEM(py_{name}, {name}_i));
              if (PyErr_Occurred()) {sub["fail"]}
            }}"""

    def c_sync(self, name, sub):
        """Makes a tuple."""
        return f"""PyObject* {name}_made = PyTuple_New({name}_count);
            if (!{name}_made) {sub["fail"]}
            for (Py_ssize_t {name}_i = 0; {name}_i < {name}_count; {name}_i++)
              PyTuple_SET_ITEM({name}_made, {name}_i, PyFloat_FromDouble({name}[{name}_i]));
            Py_XDECREF(py_{name}); py_{name} = {name}_made;"""

    def c_cleanup(self, name, sub):
        """Frees the memory."""
        return f"free({name});"

    def c_code_cache_version(self):
        """A version."""
        return (1,)


class Short(Row):
    """A type that inherits what is registered."""


COPY = """%(oname)s = (double*)malloc((%(iname)s_count + 1) * sizeof(double));
if (!%(oname)s) { PyErr_NoMemory(); %(fail)s }
memcpy(%(oname)s, %(iname)s, %(iname)s_count * sizeof(double));
%(oname)s_count = %(iname)s_count;"""
SHAPE = "%(oname)s = PyTuple_Pack(1, PyLong_FromSsize_t(%(iname)s_count));"
LOOK = 'if (%(i)s > 0) { PyErr_SetString(PyExc_IndexError, "one dimension"); %(fail)s }'


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    """All four, for `Row`."""
    monkeypatch.setattr(c, "_registered", {it: {} for it in c._registered})
    c.register_deep_copy_op_c_code(Row, COPY, (1,))
    c.register_view_op_c_code(Row, COPY, (1,))
    c.register_shape_c_code(Row, SHAPE, (1,))
    c.register_shape_i_c_code(Row, "%(oname)s = %(iname)s_count;", LOOK, (1,))


@pytest.mark.parametrize("ty", [Row(), Short()], ids=str)
@pytest.mark.parametrize(
    ("name", "call", "expected"),
    [
        ("shape", graph.shape, [3]),
        ("shape_i", lambda it: graph.shape_i(it, 0), 3),
        ("deep_copy", graph.deep_copy, (1.0, 2.0, 3.0)),
        ("view", graph.view, (1.0, 2.0, 3.0)),
    ],
)
def test_registered_code_runs_in_blocks(ty, name, call, expected):
    x = ty("x")
    events = []
    mode = ow.Mode("c", optimizer="none", on_event=lambda *it: events.append(" ".join(it)))
    f = ow.function([x], call(x), mode=mode)
    assert [str(it.op) for it in f.graph.toposort()] == ["c"]
    found = f((1.0, 2.0, 3.0))
    assert (list(found) if name == "shape" else found) == expected
    assert f"code {name}" in events
    plain = ow.function([x], call(x))((1.0, 2.0, 3.0))
    assert type(plain) is type(found)
    assert plain == found


def test_what_a_function_copies_itself_is_copied_in_c():
    x = Row()("x")
    f = ow.function([x], [x, x], mode="c")
    given = (1.0, 2.0)
    first, second = f(given)
    assert first == second == given
    assert f.c_source().count("memcpy") >= 1


def test_what_is_looked_at_first():
    x = Row()("x")
    with pytest.raises(IndexError, match="one dimension"):
        ow.function([x], graph.shape_i(x, 1), mode="c")((1.0,))


def test_without_a_rank_nothing_counts_from_the_last_in_c():
    x = Row()("x")
    f = ow.function([x], graph.shape_i(x, -1), mode="c")
    assert [str(it.op) for it in f.graph.toposort()] == ["shape_i"]
    assert f((1.0, 2.0)) == 2
    with pytest.raises(IndexError, match=r"no dimension -2 in the shape \(2,\)"):
        ow.function([x], graph.shape_i(x, -2), mode="c")((1.0, 2.0))


def test_a_rank_is_looked_at_when_the_graph_is_built():
    class Ranked(Row):
        ndim = 1

    x = Ranked()("x")
    with pytest.raises(IndexError, match=r"there is no dimension 1 in .*, which has 1"):
        graph.shape_i(x, 1)
    f = ow.function([x], graph.shape_i(x, -1), mode="c")
    assert [str(it.op) for it in f.graph.toposort()] == ["c"]
    assert f((1.0, 2.0)) == 2


def test_without_code_values_are_asked():
    class Sized(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

    x = Sized()("x")
    f = ow.function([x], [graph.shape(x), graph.shape_i(x, 1)], mode="c")
    found = f(ow.zeros(2, 5))
    assert (list(found[0]), found[1]) == ([2, 5], 5)
    with pytest.raises(TypeError, match=r"has no shape; give the type a method shape_of"):
        f("text")
    with pytest.raises(TypeError, match="values of float64 have no shape"):
        graph.shape(ow.types.double("d"))


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("%(nothing)s", KeyError, r"register_shape_c_code\(Row\).c_code: there is no 'nothing'"),
        ("100 % 3", ValueError, r"register_shape_c_code\(Row\).*write %% for %"),
        ("return 0;", ValueError, r"register_shape_c_code\(Row\).c_code, line 1: `return 0`"),
        ("%(oname)s = nowhere;", c.CompileError, r"register_shape_c_code\(Row\).c_code of node_0"),
    ],
)
def test_mistakes_name_who_registered_them(code, error, text):
    c.register_shape_c_code(Row, code)
    x = Row()("x")
    with pytest.raises(error, match=text):
        ow.function([x], graph.shape(x), mode="c")


def test_tensors_have_registered_code_too():
    c.register_shape_i_c_code(ow.TensorType, "%(oname)s = 100 + %(iname)s.shape[%(i)s];", "", (1,))
    x = ow.TensorType("float64", (None,))("x")
    f = ow.function([x], graph.shape_i(x, 0), mode="c")
    assert f(ow.zeros(4, dtype=ow.float64)) == 104
