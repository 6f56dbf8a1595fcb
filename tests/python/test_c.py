"""Types and Ops that write C: hooks, blocks, their cache, and what is refused."""

# ruff: noqa: D102 (hooks are described where they are declared)

import gc
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import opwright as ow
import pytest

c = pytest.importorskip("opwright.c")
pytestmark = pytest.mark.skipif(
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


class TestBlock:
    """Block."""

    def test_order_on_success(self):
        """Order on success."""
        f, events = sketch()
        assert f(1.0, 2.0, 3.0) == 9.0
        expected = "extract:x y z;init:a b;code:add mul;sync:b;cleanup:b a z y x"
        assert events == order(expected)

    @pytest.mark.parametrize(
        ("given", "happens"),
        [
            (("no", 2.0, 3.0), "extract:x;cleanup:x"),
            ((1.0, "no", 3.0), "extract:x y;cleanup:y x"),
            ((1.0, 2.0, "no"), "extract:x y z;cleanup:z y x"),
        ],
    )
    def test_order_if_extraction_fails(self, given, happens):
        """Order if extraction fails."""
        f, events = sketch()
        with pytest.raises(TypeError, match="no float"):
            f(*given)
        assert events == order(happens)
        assert f(1.0, 2.0, 3.0) == 9.0

    def test_order_if_code_fails(self):
        """Order if code fails."""
        fails = 'if (x < 0) { PyErr_SetString(PyExc_ValueError, "negative"); FAIL } z = x;'
        entered = "extract:x y z;init:a b;code:"
        left = ";cleanup:b a z y x"
        f, events = sketch(first=Code("first", fails))
        with pytest.raises(ValueError, match="negative"):
            f(-1.0, 2.0, 3.0)
        assert events == order(f"{entered}first{left}")
        f, events = sketch(second=Code("second", fails))
        with pytest.raises(ValueError, match="negative") as caught:
            f(-3.0, 2.0, 3.0)
        assert events == order(f"{entered}add second{left}")
        assert caught.value.__opwright_node__.op.name == "second"
        assert any("second(a, z)" in it for it in caught.value.__notes__)

    def test_order_if_sync_fails(self):
        """Order if sync fails."""

        class NoSync(Double):
            def c_sync(self, name, sub):
                return f'PyErr_SetString(PyExc_OSError, "full"); {sub["fail"]}'

        ty = NoSync()
        x, y = variables("x", "y", ty=ty)
        b = add(x, y)
        b.name = "b"
        f, events = compiled(b, x, y)
        with pytest.raises(OSError, match="full"):
            f(1.0, 2.0)
        assert events == order("extract:x y;init:b;code:add;sync:b;cleanup:b y x")

    def test_order_if_the_observer_fails(self):
        """Order if the observer fails."""
        for wanted in ("extract y", "init a", "code mul", "sync b", "cleanup a"):
            seen = []

            def on_event(*event, wanted=wanted, seen=seen):
                seen.append(" ".join(event))
                if seen[-1] == wanted:
                    raise KeyError(wanted)

            f, _ = sketch(on_event=on_event)
            with pytest.raises(KeyError, match=wanted):
                f(1.0, 2.0, 3.0)
            entered = [it.split()[1] for it in seen if it.split()[0] in ("extract", "init")]
            left = [it.split()[1] for it in seen if it.startswith("cleanup")]
            assert left == entered[::-1], wanted

    def test_per_op(self):
        """Per op."""
        f, events = sketch(blocks="per_op")
        assert f(1.0, 2.0, 3.0) == 9.0
        first = "extract:x y;init:a;code:add;sync:a;cleanup:a y x"
        second = "extract:a z;init:b;code:mul;sync:b;cleanup:b z a"
        assert events == order(f"{first};{second}")

    def test_outputs_are_all_synced_before_cleanup(self):
        """Outputs are all synced before cleanup."""
        x, y = variables("x", "y")
        a = add(x, y)
        a.name = "a"
        b = mul(a, y)
        b.name = "b"
        f, events = compiled([b, a], x, y)
        assert f(1.0, 2.0) == [6.0, 3.0]
        assert events[-6:] == order("sync:b a;cleanup:b a y x")

    def test_cleanup_of_nodes_sees_their_code(self):
        """Cleanup of nodes sees their code."""
        got = "char* p = (char*)malloc(8); if (x < 0) FAIL z = x;"
        free = "free(p); opw_freed++;"
        support = "static int opw_freed_count() { return 0; }"
        (x,) = variables("x")
        with pytest.raises(ValueError, match="opw_freed_count"):
            compiled(Code("o", got, free, c_support_code=lambda: support)(x), x)
        counter = "static int freed;"
        inner = Code("o", got, "free(p); freed++;", c_support_code=lambda: counter)
        outer = Code("freed", "z = freed;")
        f, _ = compiled(outer(inner(x)), x)
        assert [f(1.0), f(1.0), f(1.0)] == [0.0, 1.0, 2.0]
        with pytest.raises(RuntimeError, match="o at node_0: failed without an exception"):
            f(-1.0)
        assert f(1.0) == 4.0

    def test_source_nests(self):
        """Source nests."""
        f, _ = sketch()
        source = f.c_source()
        places = [source.index(it) for it in (
            "double V0;", "double V3;", "double V4;", "V3 = V0 + V1;", "V4 = V3 * V2;",
            "py_V4 = PyFloat_FromDouble")]  # fmt: skip
        assert places == sorted(places)

    def test_an_exception_without_a_failure_ends_the_call(self):
        """An exception without a failure ends the call."""
        (x,) = variables("x")
        op = Code("o", 'z = x; PyErr_SetString(PyExc_ValueError, "quiet");')
        f, _ = compiled(op(x), x)
        with pytest.raises(ValueError, match="quiet"):
            f(1.0)

    def test_an_exception_of_cpp_ends_the_call(self):
        """An exception of cpp ends the call."""
        (x,) = variables("x")
        op = Code("o", 'z = std::stod("x");', c_headers=lambda: ["<string>"])
        f, _ = compiled(op(x), x)
        with pytest.raises(RuntimeError, match=r"C\+\+ exception left the block"):
            f(1.0)

    def test_null_after_sync(self):
        """Null after sync."""

        class Null(Double):
            def c_sync(self, name, sub):
                return f"Py_XDECREF(py_{name}); py_{name} = NULL;"

        x, y = variables("x", "y", ty=Null())
        f, _ = compiled(add(x, y), x, y)
        with pytest.raises(SystemError, match=r"Null\.c_sync"):
            f(1.0, 2.0)

    def test_references_are_kept(self):
        """References are kept."""

        class Held(c.Generic):
            pass

        (x,) = variables("x", ty=Held())
        f, _ = compiled(Code("same", "z = x; Py_XINCREF(z);")(x), x)
        thing = [object()]
        f(thing)
        before = sys.getrefcount(thing), sys.getrefcount(None)
        for _ in range(100):
            assert f(thing) is thing
        after = sys.getrefcount(thing), sys.getrefcount(None)
        assert after[0] == before[0]
        assert abs(after[1] - before[1]) < 20

    def test_references_are_kept_by_failures(self):
        """References are kept by failures."""
        x, y = variables("x", "y", ty=c.Generic())
        op = Code("fails", 'PyErr_SetString(PyExc_ValueError, "no"); FAIL')
        f, _ = compiled(op(x, y), x, y)
        thing = [object()]
        before = sys.getrefcount(thing)
        for _ in range(50):
            with pytest.raises(ValueError, match="no"):
                f(thing, thing)
        gc.collect()
        assert sys.getrefcount(thing) <= before + 2

    def test_from_many_threads(self):
        """From many threads."""
        f, _ = sketch(on_event=None)
        wrong = []

        def calls(k):
            for it in range(500):
                if f(float(it), float(k), 2.0) != (it + k) * 2.0:
                    wrong.append((it, k))

        threads = [threading.Thread(target=calls, args=(k,)) for k in range(6)]
        [it.start() for it in threads]
        [it.join() for it in threads]
        assert wrong == []


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
        assert caught.value.__notes__ == ["in Raises.c_sync"]

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


class TestRefused:
    """Refused."""

    @pytest.mark.parametrize(
        ("code", "what"),
        [
            ("z = 1;\nreturn 0;", r"Code.c_code, line 2: `return 0` leaves the block"),
            ("goto end;", r"`goto end` leaves"),
            ("break;", r"`break` leaves"),
            ("if (x) continue;", r"`continue` leaves"),
            ("longjmp(a, 1);", r"longjmp"),
            ("{ z = 1;", r"`{` is not closed"),
            ("} {", r"closes a brace"),
            ("z = '", r"has no end"),
            ("int py_mine = 1;", r"`py_mine`"),
            ("int opw_failure = 1;", r"`opw_failure`"),
        ],
    )
    def test_code_that_leaves(self, code, what):
        """Code that leaves."""
        (x,) = variables("x")
        with pytest.raises(ValueError, match=what):
            compiled(Code("o", code)(x), x)

    @pytest.mark.parametrize(
        "code",
        [
            "/* return */ z = x; // goto a",
            "for (int i = 0; i < 3; i++) { if (i == 1) continue; if (i == 2) break; } z = x;",
            "switch ((int)x) { case 1: z = x; break; default: z = 0; }",
            "auto f = [](double v) { return v; }; z = f(x);",
            'const char* s = "return;"; z = x + (s == NULL);',
        ],
    )
    def test_code_that_stays(self, code):
        """Code that stays."""
        (x,) = variables("x")
        assert compiled(Code("o", code)(x), x)[0](1.0) == 1.0

    def test_declarations_without_the_name(self):
        """Declarations without the name."""

        class Fixed(Double):
            def c_declare(self, name, sub, check_input=True):
                return "double value;"

        ty = Fixed()
        x, y = variables("x", "y", ty=ty)
        with pytest.raises(ValueError, match=r"Fixed.c_declare, line 1: `value`"):
            compiled(add(x, y), x, y)
        with pytest.raises(ValueError, match=r"Fixed.c_declare, line 1: `value`"):
            compiled(x, x)

    def test_versions(self):
        """Versions."""

        class Listed(Double):
            def c_code_cache_version(self):
                return [1]

        class Unhashable(Double):
            def c_code_cache_version(self):
                return ([1],)

        for ty in (Listed(), Unhashable()):
            x, y = variables("x", "y", ty=ty)
            with pytest.raises(TypeError, match=f"{type(ty).__name__}.c_code_cache_version"):
                compiled(add(x, y), x, y)

    def test_two_compilers(self):
        """Two compilers."""
        (x,) = variables("x")
        one = Code("one", "z = x;", c_compiler=lambda: "g++")
        two = Code("two", "z = x;", c_compiler=lambda: "clang++")
        with pytest.raises(
            ValueError, match=r"Code asks for the compiler g\+\+, and Code for clang"
        ):
            compiled(two(one(x)), x)


class TestCompiler:
    """Compiler."""

    def test_errors_name_the_hook(self):
        """Errors name the hook."""
        (x,) = variables("x")
        with pytest.raises(
            c.CompileError, match=r"^Code.c_code of node_0, line 2: .*nowhere"
        ) as it:
            compiled(Code("o", "z = x;\nz = nowhere;")(x), x)
        assert "nowhere" in it.value.log
        assert isinstance(it.value, RuntimeError)

        class Bad(Double):
            def c_cleanup(self, name, sub):
                return f"free({name}_extracted);"

        (x,) = variables("x", ty=Bad())
        with pytest.raises(c.CompileError, match=r"^Bad.c_cleanup of V"):
            compiled(Code("o", "z = x;")(x), x)
        (x,) = variables("x")
        with pytest.raises(c.CompileError, match=r"^c_headers of Code.*no_such.h"):
            compiled(Code("o", "z = x;", c_headers=lambda: ["no_such.h"])(x), x)

    def test_libraries_name_who_wants_them(self):
        """Libraries name who wants them."""
        (x,) = variables("x")
        op = Code("o", "z = x;", c_libraries=lambda: ["nowhere_at_all"])
        with pytest.raises(c.CompileError, match="nowhere_at_all, which Code asks for"):
            compiled(op(x), x)

    def test_missing_symbols_are_found_at_once(self):
        """Missing symbols are found at once."""
        support = 'extern "C" double nobody_has_this(double);'
        (x,) = variables("x")
        op = Code("o", "z = nobody_has_this(x);", c_support_code=lambda: support)
        with pytest.raises(c.CompileError, match="nobody_has_this"):
            compiled(op(x), x)

    def test_no_compiler(self, monkeypatch):
        """No compiler."""
        (x,) = variables("x")
        monkeypatch.setenv("CXX", "no-such-compiler")
        with pytest.raises(c.CompileError, match=r"`no-such-compiler` is no program.* CXX"):
            compiled(Code("o", "z = x;")(x), x)
        monkeypatch.delenv("CXX")
        monkeypatch.setenv("PATH", "")
        with pytest.raises(c.CompileError, match=r"none of c\+\+, g\+\+, clang\+\+ is on the PATH"):
            compiled(Code("o", "z = x;")(x), x)

    def test_a_compiler_that_fails(self, tmp_path):
        """A compiler that fails."""
        fake = tmp_path / "fake"
        fake.write_text("#!/bin/sh\ncase $1 in --version) echo fake 1;; *) exit 3;; esac\n")
        fake.chmod(0o755)
        (x,) = variables("x")
        op = Code("o", "z = x;", c_compiler=lambda: str(fake))
        with pytest.raises(c.CompileError, match="fake failed: exit status: 3"):
            compiled(op(x), x)
        fake.write_text("#!/bin/sh\nexit 0\n")
        with pytest.raises(c.CompileError, match="fake failed"):
            compiled(op(x), x)

    def test_hooks_may_have_the_compiler(self):
        """Hooks may have the compiler."""
        seen = []

        def c_headers(c_compiler):
            seen.append(c_compiler)
            return []

        (x,) = variables("x")
        compiled(Code("o", "z = x;", c_headers=c_headers)(x), x)
        assert Path(seen[0].path).is_file()
        assert seen[0].version


class TestCache:
    """Cache."""

    def entries(self, cache):
        return sorted(it.name for it in cache.iterdir()) if cache.is_dir() else []

    def test_what_has_a_version_is_kept(self, cache):
        """What has a version is kept."""
        (x,) = variables("x")
        compiled(Code("o", "z = x + 1;")(x), x)
        (entry,) = self.entries(cache)
        assert re.fullmatch("[0-9a-f]{64}", entry)
        assert {it.name for it in (cache / entry).iterdir()} == {"block.cpp", "block.so", "log"}

    def test_what_has_none_is_not(self, cache):
        """What has none is not."""
        (x,) = variables("x")
        op = Code("o", "z = x + 2;", c_code_cache_version=lambda: ())
        assert compiled(op(x), x)[0](1.0) == 3.0
        assert self.entries(cache) == []

    def test_edited_code_is_compiled_again(self, cache):
        """Edited code is compiled again."""
        (x,) = variables("x")
        assert compiled(Code("o", "z = x + 3;")(x), x)[0](1.0) == 4.0
        assert compiled(Code("o", "z = x - 3;")(x), x)[0](1.0) == -2.0
        assert len(self.entries(cache)) == 2

    SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import test_c as t
x, = t.variables("x")
print(t.compiled(t.Code("o", "z = x * 7;")(x), x, on_event=None)[0](6.0))
"""

    def process(self, cache, **environment):
        script = self.SCRIPT.format(tests=str(Path(__file__).parent))
        env = {**os.environ, "OPWRIGHT_CACHE": str(cache.parent), **environment}
        return subprocess.Popen([sys.executable, "-c", script], env=env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def test_processes_at_once(self, cache):
        """Processes at once."""
        running = [self.process(cache) for _ in range(4)]
        for it in running:
            out, err = it.communicate(timeout=300)
            assert out == "42.0\n", err
        assert len(self.entries(cache)) == 1

    def test_the_next_process_compiles_nothing(self, cache):
        """The next process compiles nothing."""
        assert self.process(cache).communicate()[0] == "42.0\n"
        entry = cache / self.entries(cache)[0]
        changed = (entry / "block.so").stat().st_mtime_ns
        assert self.process(cache).communicate()[0] == "42.0\n"
        assert (entry / "block.so").stat().st_mtime_ns == changed

    @pytest.mark.parametrize("text", [b"", b"\x7fELF nonsense", None])
    def test_what_is_broken_is_made_anew(self, cache, text):
        """What is broken is made anew."""
        self.process(cache).communicate()
        library = cache / self.entries(cache)[0] / "block.so"
        if text is None:
            library.unlink()
        else:
            library.write_bytes(text)
        out, err = self.process(cache).communicate()
        assert out == "42.0\n", err
        assert library.stat().st_size > 1000

    def test_what_is_another_block_is_made_anew(self, cache):
        """What is another block is made anew."""
        (x,) = variables("x")
        compiled(Code("o", "z = x * 8;")(x), x)
        other = cache / self.entries(cache)[0] / "block.so"
        self.process(cache).communicate()
        (own,) = (it for it in self.entries(cache) if it != other.parent.name)
        shutil.copy(other, cache / own / "block.so")
        out, err = self.process(cache).communicate()
        assert out == "42.0\n", err

    def test_a_cache_that_cannot_be_written(self, tmp_path):
        """A cache that cannot be written."""
        blocked = tmp_path / "file"
        blocked.write_text("")
        out, err = self.process(blocked / "c").communicate()
        assert out == "42.0\n", err

    def test_clean(self, cache):
        """Clean."""
        (x,) = variables("x")
        compiled(Code("o", "z = x * 9;")(x), x)
        (cache / "mine").mkdir()
        command = [sys.executable, "-m", "opwright.c", "clean"]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
        assert done.stdout == "removed 1 compiled block\n", done.stderr
        assert self.entries(cache) == ["mine"]


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
