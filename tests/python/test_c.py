"""Types and Ops that write C: their hooks, and what is registered for types."""

import threading

import opwright as ow
import pytest
from c_code import (
    Code,
    Double,
    add,
    c,
    cache,
    compiled,
    double,
    mul,
    needs_compiler,
    variables,
)

__all__ = ["cache"]

pytestmark = needs_compiler


class TestHooks:
    """Hooks."""

    def test_check_input(self):
        """Check input."""
        seen = []

        class Seen(Double):
            def c_extract(self, name, sub, check_input=True, **kwargs):
                seen.append(check_input)
                return super().c_extract(name, sub, check_input)

        def run(*flags, **options):
            seen.clear()
            (x,) = variables("x", ty=Seen())
            out = x
            for at, flag in enumerate(flags):
                out = Code(f"o{at}", "z = x;", check_input=flag)(out if at else x, x)
            compiled(out, x, **options)
            return seen[-1]

        assert run(True) is True
        assert run(False) is False
        assert run(False, True) is True
        assert run(True, check_input=False) is False

    def test_texts_are_asked_once(self):
        """Texts are asked once."""
        seen = []

        class Seen(Double):
            def c_declare(self, name, sub, check_input=True):
                seen.append(name)
                return super().c_declare(name, sub)

        x, y = variables("x", "y", ty=Seen())
        compiled(add(x, y), x, y)
        assert seen == ["V0", "V1", "V2"]

    def test_unknown_sub(self):
        """Unknown sub."""

        class Asks(Double):
            def c_extract(self, name, sub, check_input=True):
                return sub["nothing"]

        x, y = variables("x", "y", ty=Asks())
        with pytest.raises(KeyError, match=r"Asks.c_extract: there is no 'nothing'"):
            compiled(add(x, y), x, y)

    def test_no_text(self):
        """No text."""

        class NoText(Double):
            def c_init(self, name, sub):
                return None

        x, y = variables("x", "y", ty=NoText())
        with pytest.raises(TypeError, match=r"NoText\.c_init returned NoneType, not a text"):
            compiled(add(x, y), x, y)

    def test_what_hooks_raise(self):
        """What hooks raise."""

        class Raises(Double):
            def c_sync(self, name, sub):
                raise ZeroDivisionError("my own")

        x, y = variables("x", "y", ty=Raises())
        with pytest.raises(ZeroDivisionError, match="my own") as caught:
            compiled(add(x, y), x, y)
        assert caught.value.__notes__ == [
            "in Raises.c_sync",
            "while function 'function' was made",
        ]

    def test_literals(self):
        """Literals."""

        class Literal(Double):
            def c_literal(self, data):
                return repr(data)

        ty = Literal()
        (x,) = variables("x", ty=ty)
        constant = ow.graph._graph.constant(ty, 4.0, None)
        f, _ = compiled(add(x, constant), x)
        assert f(1.0) == 5.0
        assert "+ (4.0)" in f.c_source()
        constant = ow.graph._graph.constant(double, 4.0, None)
        (x,) = variables("x")
        f, _ = compiled(add(x, constant), x)
        assert f(1.0) == 5.0

    def test_simple_types_have_one_declaration(self):
        """Simple types have one declaration."""

        class Simple(Double):
            def c_is_simple(self):
                return True

            def c_declare(self, name, sub, check_input=True):
                return f"double {name}, {name}_more;"

        x, y = variables("x", "y", ty=Simple())
        with pytest.raises(ValueError, match="c_is_simple"):
            compiled(add(x, y), x, y)

    def test_params(self):
        """Params."""

        class Scaled(Code):
            params_type = double

            def get_params(self, node):
                return 10.0

            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {inputs[0]} * {sub['params']};"

        (x,) = variables("x")
        f, _ = compiled(Scaled("scaled", "")(x), x)
        assert f(1.5) == 15.0

    def test_struct_code_is_kept_per_function(self):
        """Struct code is kept per function."""

        class Counts(Code):
            def c_support_code_struct(self, node, name):
                return f"int count_{name};"

            def c_init_code_struct(self, node, name, sub):
                return f"count_{name} = {sub['struct_id']} + 5;"

            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {inputs[0]} + count_{name}++;"

            def c_cleanup_code_struct(self, node, name):
                return f"count_{name} = -1;"

        (x,) = variables("x")
        f, _ = compiled(Counts("counts", "")(x), x)
        g, _ = compiled(Counts("counts", "")(x), x)
        assert [f(0.0), f(0.0), g(0.0), f(0.0)] == [5.0, 6.0, 5.0, 7.0]

    def test_struct_code_that_fails(self):
        """Struct code that fails."""

        class Fails(Code):
            def c_init_code_struct(self, node, name, sub):
                return f'PyErr_SetString(PyExc_OSError, "no device"); {sub["fail"]}'

        (x,) = variables("x")
        with pytest.raises(OSError, match="no device"):
            compiled(Fails("fails", "z = x;")(x), x)

    def test_struct_code_runs_in_one_thread_at_a_time(self):
        """Struct code runs in one thread at a time."""

        class Counts(Code):
            def c_support_code_struct(self, node, name):
                return "int running; int worst;"

            def c_code(self, node, name, inputs, outputs, sub):
                return (
                    "running++; if (running > worst) worst = running;\n"
                    "Py_BEGIN_ALLOW_THREADS\nfor (volatile int i = 0; i < 20000; i++);\n"
                    f"Py_END_ALLOW_THREADS\nrunning--; {outputs[0]} = worst;"
                )

        (x,) = variables("x")
        f, _ = compiled(Counts("counts", "")(x), x, on_event=None)
        threads = [threading.Thread(target=lambda: [f(0.0) for _ in range(50)]) for _ in range(4)]
        [it.start() for it in threads]
        [it.join() for it in threads]
        assert f(0.0) == 1.0

    def test_both_styles_of_assigned_hooks(self):
        """Both styles of assigned hooks."""

        # As the page on types does it: functions of name and sub, put there later.
        def c_declare(name, sub):
            return f"double {name};"

        def c_init(name, sub):
            return f"{name} = 0.0;"

        def c_extract(name, sub):
            return f"{name} = PyFloat_AsDouble(py_{name});"

        def c_sync(name, sub):
            return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"

        def c_cleanup(name, sub):
            return ""

        class OnClass(c.Generic):
            pass

        class OnInstance(c.Generic):
            pass

        instance = OnInstance()
        for it in (c_declare, c_init, c_extract, c_sync, c_cleanup):
            setattr(OnClass, it.__name__, it)
            setattr(instance, it.__name__, it)
        for ty in (OnClass(), instance):
            x, y, z = variables("x", "y", "z", ty=ty)
            for blocks in ("graph", "per_op"):
                f, _ = compiled(mul(add(x, y), z), x, y, z, blocks=blocks)
                assert f(1.0, 2.0, 3.0) == 9.0

    def test_a_type_that_is_no_ctype(self):
        """A type that is no ctype."""

        class Plain(ow.Type):
            def filter(self, value, strict=False, allow_downcast=None):
                return float(value)

            c_declare, c_init = Double.c_declare, Double.c_init
            c_extract, c_sync, c_cleanup = Double.c_extract, Double.c_sync, Double.c_cleanup

            def __str__(self):
                return "double"

        x, y = variables("x", "y", ty=Plain())
        f, _ = compiled(add(x, y), x, y)
        assert f(1.0, 2.0) == 3.0

    def test_types_without_c_are_objects(self):
        """Types without c are objects."""

        class Text(ow.Type):
            def filter(self, value, strict=False, allow_downcast=None):
                return str(value)

        x, y = variables("x", "y", ty=Text())
        f, _ = compiled(Code("concat", "z = PyUnicode_Concat(x, y); if (!z) FAIL")(x, y), x, y)
        assert f("a", "b") == "ab"

    def test_plain_numbers(self):
        """Plain numbers."""
        x, y = ow.types.double("x"), ow.types.double("y")
        f, _ = compiled(add(x, y), x, y)
        assert f(1.0, 2.0) == 3.0
        x = ow.types.int64("x")
        f, _ = compiled(Code("o", "z = x * 2;")(x), x)
        assert f(21) == 42

    def test_tensors(self):
        """Tensors."""
        ty = ow.TensorType("float64", (None,))
        code = (
            'if (opw_empty(&z, "float64", 1, x.shape)) FAIL\n'
            "for (int64_t i = 0; i < x.shape[0]; i++) AT(z, i) = 2 * AT(x, i);"
        )

        class Twice(Code):
            def c_code(self, node, name, inputs, outputs, sub):
                text = code.replace("AT(z", f"{outputs[0]}_AT(").replace("AT(x", f"{inputs[0]}_AT(")
                return self._filled(text.replace("(, ", "("), inputs, outputs, sub)

        (x,) = variables("x", ty=ty)
        f, _ = compiled(Twice("twice", "")(Twice("twice", "")(x)), x)
        given = pytest.importorskip("numpy").arange(6.0)[::2]
        assert f(given).tolist() == [0.0, 8.0, 16.0]
        with pytest.raises(SystemError, match="a tensor was not made"):
            compiled(Code("o", "(void)z;")(x), x)[0](given)

    def test_what_is_needed_besides(self):
        """What is needed besides."""
        op = Code(
            "o", "z = twice(sqrt(x)) + FACTOR + ready;",
            c_headers=lambda c_compiler: ["<math.h>"],
            c_libraries=lambda: ["m"],
            c_compile_args=lambda **kwargs: ["-DFACTOR=10", "-ffast-math"],
            c_support_code=lambda: ["static double twice(double v) { return 2 * v; }",
                                    "static int ready = 0;"],
            c_init_code=lambda: "ready += 1;",
            c_no_compile_args=lambda: ["-ffast-math"],
        )  # fmt: skip
        (x,) = variables("x")
        f, _ = compiled(op(op(x)), x)
        assert f(4.0) == 2 * 15**0.5 + 11
        assert f.c_source().count("static double twice") == 1

    def test_c_instead_of_cpp(self):
        """C instead of cpp."""

        class Plain(Double):
            c_language = "c"

        (x,) = variables("x", ty=Plain())
        op = Code("o", "int class = 1; z = x + class;", c_language="c")
        assert compiled(op(x), x)[0](1.0) == 2.0

    def test_code_that_releases(self):
        """Code that releases."""

        class Free(Double):
            c_gil = "release"

        (x,) = variables("x", ty=Free())
        op = Code("o", "if (x < 0) FAIL z = PyGILState_Check();", c_gil="release")
        f, _ = compiled(op(x), x)
        assert f(1.0) == 0.0
        with pytest.raises(RuntimeError, match="without an exception"):
            f(-1.0)

    def test_ops_without_code_run_between_blocks(self):
        """Ops without code run between blocks."""

        class Python(Code):
            def c_code(self, node, name, inputs, outputs, sub):
                raise NotImplementedError

            def perform(self, node, inputs, output_storage):
                output_storage[0][0] = inputs[0] * 100

        x, y = variables("x", "y")
        f, _ = compiled(add(Python("python", "")(add(x, y)), y), x, y)
        assert f(1.0, 2.0) == 302.0
        assert f.c_source().count("opw_entry_1(const") == 2

    def test_outputs_are_used_again(self):
        """Outputs are used again."""

        class Seen(Double):
            def c_init(self, name, sub):
                return f"{name} = -1;"

            def c_extract_out(self, name, sub, check_input=True):
                return (
                    f"if (py_{name} == Py_None) {{ {name} = 0; }} "
                    f"else {{ {name} = PyFloat_AsDouble(py_{name}); }}"
                )

        (x,) = variables("x", ty=Seen())
        mode = ow.Mode("c")
        f = ow.function([x], Code("o", "z += x;")(x), mode=mode, reuse_outputs=True)
        assert f(1.0) == 1.0
        assert f(1.0) == 2.0
        held = f(1.0)
        assert held == 3.0
        assert f(1.0) == 1.0


class TestRegistered:
    """Registered."""

    def test_the_nearest_class_wins(self, monkeypatch):
        """The nearest class wins."""
        monkeypatch.setattr(c, "_registered", {it: {} for it in c._registered})

        class Base(Double):
            pass

        class Derived(Base):
            pass

        code = "%(oname)s = %(iname)s;"
        c.register_deep_copy_op_c_code(Base, code, version=(1,))
        assert c._of_intrinsic("deep_copy", Derived(), None)._code == code
        c.register_deep_copy_op_c_code(Derived, "/* own */" + code)
        assert c._of_intrinsic("deep_copy", Derived(), None)._code.startswith("/* own */")
        assert c._of_intrinsic("deep_copy", Double(), None) is None
        c.register_view_op_c_code(Base, code)
        c.register_shape_c_code(Base, "%(oname)s = PyTuple_New(0);", (1,))
        c.register_shape_i_c_code(Base, "%(oname)s = %(i)s;", "if (%(i)s > 3) %(fail)s", (2,))
        shape_i = c._of_intrinsic("shape_i", Base(), 1)
        text = shape_i.c_code(None, "n", ["V0"], ["V1"], {"fail": "{ F; }"})
        assert text == "if (1 > 3) { F; }V1 = 1;"
        assert shape_i.c_code_cache_version() == (2,)

    def test_what_is_no_class_or_no_text(self):
        """What is no class or no text."""
        with pytest.raises(TypeError, match="a class of types"):
            c.register_view_op_c_code(double, "")
        with pytest.raises(TypeError, match="a text"):
            c.register_view_op_c_code(Double, None)
