"""Blocks of C: what happens in which order, and what is left when something fails."""

import gc
import sys
import threading

import pytest
from c_code import (
    Code,
    Double,
    add,
    c,
    cache,
    compiled,
    mul,
    needs_compiler,
    order,
    sketch,
    variables,
)

__all__ = ["cache"]

pytestmark = needs_compiler


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

    def test_nothing_after_sync(self):
        """Nothing after sync."""

        class Silent(Double):
            def filter(self, value, strict=False, allow_downcast=None):
                return float(value)

            def c_sync(self, name, sub):
                return ""

        x, y = variables("x", "y", ty=Silent())
        f, _ = compiled(add(x, y), x, y)
        with pytest.raises(SystemError, match=r"Silent\.c_sync of V\d left no object"):
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
