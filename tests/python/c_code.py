"""Types and Ops that write C, for the tests of it."""

# ruff: noqa: D102 (hooks are described where they are declared)

import re
import shutil

import opwright as ow
import pytest

c = pytest.importorskip("opwright.c")
needs_compiler = pytest.mark.skipif(
    not any(shutil.which(it) for it in ("c++", "g++", "clang++")), reason="needs a C++ compiler"
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("OPWRIGHT_CACHE", str(tmp_path))
    return tmp_path / "c"


class Double(c.CType):
    """A float; `tag` makes it another type."""

    def __init__(self, tag=0):
        self.tag = tag

    def filter(self, value, strict=False, allow_downcast=None):
        # What is wrong is left for the C code to find.
        return value

    def __eq__(self, other):
        return type(self) is type(other) and self.tag == other.tag

    def __hash__(self):
        return hash((type(self), self.tag))

    def __str__(self):
        return "double"

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0.0;"

    def c_extract(self, name, sub, check_input=True, **kwargs):
        if not check_input:
            return f"{name} = PyFloat_AsDouble(py_{name});"
        return (
            f'if (!PyFloat_Check(py_{name})) {{ PyErr_SetString(PyExc_TypeError, "no float"); '
            f"{sub['fail']} }}\n{name} = PyFloat_AsDouble(py_{name});"
        )

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"

    def c_cleanup(self, name, sub):
        return ""

    def c_code_cache_version(self):
        return (1,)


double = Double()


class Code(c.COp):
    """An Op whose code is a text over `x`, `y`, `z` and `FAIL`."""

    __props__ = ("name", "code", "clean")

    def __init__(self, name, code, clean="", **hooks):
        self.name, self.code, self.clean = name, code, clean
        for hook, text in hooks.items():
            setattr(self, hook, text)

    def make_node(self, *inputs):
        return ow.graph.Apply(self, list(inputs), [inputs[0].type()])

    def __str__(self):
        return self.name

    def _filled(self, text, inputs, outputs, sub):
        names = {"FAIL": sub["fail"], "z": outputs[0], **dict(zip("xy", inputs, strict=False))}
        return re.sub(r"\b(FAIL|[xyz])\b", lambda it: names.get(it[0], it[0]), text)

    def c_code(self, node, name, inputs, outputs, sub):
        return self._filled(self.code, inputs, outputs, sub)

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self._filled(self.clean, inputs, outputs, sub)

    def c_code_cache_version(self):
        return (1,)


add, mul = Code("add", "z = x + y;"), Code("mul", "z = x * y;")


def variables(*names, ty=double):
    return [ty(name) for name in names]


def compiled(outputs, *inputs, mode="c", **options):
    """A function, and what happens in it."""
    events = []
    on_event = options.pop("on_event", lambda *event: events.append(" ".join(event)))
    mode = ow.Mode(mode, on_event=on_event, **options)
    return ow.function(list(inputs), outputs, mode=mode), events


def sketch(first=add, second=mul, **options):
    x, y, z = variables("x", "y", "z")
    a = first(x, y)
    a.name = "a"
    b = second(a, z)
    b.name = "b"
    return compiled(b, x, y, z, **options)


def order(text):
    return [f"{what} {name}" for what, names in
            (part.split(":") for part in text.split(";")) for name in names.split()]  # fmt: skip
