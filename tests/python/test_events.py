"""The order of what happens in blocks, here and in C, on success and on every failure."""

import sys

import opwright as ow
import pytest
from c_code import Code, Double, cache, needs_compiler, order

__all__ = ["cache"]

C = pytest.param("c", marks=needs_compiler)
ENTERED = "extract:x y z;init:a b"
LEFT = "cleanup:b a z y x"


class Kind(Double):
    """A float that can be refused, and whose results can be."""

    def __init__(self, mode, keeps=None):
        super().__init__()
        self.mode, self.keeps = mode, keeps

    def filter(self, value, strict=False, allow_downcast=None):
        """Leaves it to C to refuse."""
        if self.mode != "c" and not isinstance(value, float):
            raise TypeError("no float")
        return value

    def emit(self, value):
        """Fails for what is kept."""
        if self.mode != "c" and value == self.keeps:
            raise OSError("full")
        return value

    def c_sync(self, name, sub):
        """Does the same."""
        if self.keeps is None:
            return super().c_sync(name, sub)
        return (
            f'if ({name} == {self.keeps}) {{ PyErr_SetString(PyExc_OSError, "full"); '
            f"{sub['fail']} }}\n{super().c_sync(name, sub)}"
        )


class Both(Code):
    """An Op that fails for negative numbers, in C and here."""

    def __init__(self, name, sign):
        fails = 'if (x < 0) { PyErr_SetString(PyExc_ValueError, "negative"); FAIL }'
        super().__init__(name, f"{fails} z = x {sign} y;")
        self.do = {"+": float.__add__, "*": float.__mul__}[sign]

    def perform(self, node, inputs, output_storage):
        """Does it here."""
        if inputs[0] < 0:
            raise ValueError("negative")
        output_storage[0][0] = self.do(*inputs)


ADD, MUL = Both("add", "+"), Both("mul", "*")


def observed(mode, events, **options):
    return ow.Mode(
        mode, optimizer="none", on_event=lambda *it: events.append(" ".join(it)), **options
    )


def sketch(mode, *, blocks="graph", outputs="b", keeps=None, **options):
    """`b = (x + y) * z`, and the list of its events."""
    ty = Kind(mode, keeps)
    x, y, z = (ty(it) for it in "xyz")
    a = ADD(x, y)
    b = MUL(a, z)
    a.name, b.name = "a", "b"
    wanted = [{"a": a, "b": b, "x": x}[it] for it in outputs]
    events = []
    f = ow.function(
        [x, y, z],
        wanted[0] if len(wanted) == 1 else wanted,
        mode=observed(mode, events, blocks=blocks),
        **options,
    )
    return f, events


@pytest.mark.parametrize("mode", ["block", C])
class TestOneBlock:
    """The same of both back ends."""

    def test_success(self, mode):
        f, events = sketch(mode)
        assert f(1.0, 2.0, 3.0) == 9.0
        assert events == order(f"{ENTERED};code:add mul;sync:b;{LEFT}")

    @pytest.mark.parametrize(
        ("given", "happens"),
        [
            (("no", 2.0, 3.0), "extract:x;cleanup:x"),
            ((1.0, "no", 3.0), "extract:x y;cleanup:y x"),
            ((1.0, 2.0, "no"), "extract:x y z;cleanup:z y x"),
        ],
    )
    def test_an_input_that_is_refused(self, mode, given, happens):
        f, events = sketch(mode)
        with pytest.raises(TypeError, match="no float"):
            f(*given)
        assert events == order(happens)

    @pytest.mark.parametrize(
        ("given", "happens"),
        [((-1.0, 0.5, 1.0), "code:add"), ((0.5, -1.0, 1.0), "code:add mul")],
    )
    def test_a_node_that_fails(self, mode, given, happens):
        f, events = sketch(mode)
        with pytest.raises(ValueError, match="negative"):
            f(*given)
        assert events == order(f"{ENTERED};{happens};{LEFT}")

    def test_a_result_that_is_not_handed_out(self, mode):
        f, events = sketch(mode, keeps=9.0)
        with pytest.raises(OSError, match="full"):
            f(1.0, 2.0, 3.0)
        assert events == order(f"{ENTERED};code:add mul;sync:b;{LEFT}")

    @pytest.mark.parametrize(
        ("keeps", "synced"), [(None, "b a"), (9.0, "b"), (3.0, "b a")], ids=["none", "b", "a"]
    )
    def test_several_results_in_their_order(self, mode, keeps, synced):
        f, events = sketch(mode, outputs="ba", keeps=keeps)
        if keeps is None:
            assert f(1.0, 2.0, 3.0) == [9.0, 3.0]
        else:
            with pytest.raises(OSError, match="full"):
                f(1.0, 2.0, 3.0)
        # An Op of Python that reads it gets the object, too.
        is_read = mode == "block" and keeps == 3.0
        sync = "" if is_read else f"sync:{synced};"
        assert events == order(f"{ENTERED};code:add mul;{sync}{LEFT}")

    def test_a_result_twice_is_synced_once(self, mode):
        ty = Kind(mode)
        x, y = ty("x"), ty("y")
        a = ADD(x, y)
        a.name = "a"
        events = []
        outputs = [ow.Out(a, borrow=True), ow.Out(a, borrow=True)]
        f = ow.function([x, y], outputs, mode=observed(mode, events))
        assert f(1.0, 2.0) == [3.0, 3.0]
        assert events == order("extract:x y;init:a;code:add;sync:a;cleanup:a y x")

    def test_shared_variables_come_behind_inputs(self, mode):
        ty = Kind(mode)
        x = ty("x")
        s, t = (ow.shared(it, name, type=ty) for it, name in ((2.0, "s"), (3.0, "t")))
        a = ADD(s, x)
        b = MUL(a, t)
        a.name, b.name = "a", "b"
        events = []
        f = ow.function([x], b, mode=observed(mode, events))
        assert f(1.0) == 9.0
        assert events == order(
            "extract:x s t;init:a b;code:add mul;sync:b;cleanup:b a t s x",
        )

    def test_updates_follow_on_the_last_cleanup(self, mode):
        ty = Kind(mode)
        s, x = ow.shared(1.0, "s", type=ty), ty("x")
        new = ADD(x, s)
        seen = []

        def on_event(what, name):
            seen.append((f"{what} {name}", s.get_value()))

        f = ow.function([x], None, updates={s: new}, mode=ow.Mode(mode, on_event=on_event))
        f(2.0)
        assert {value for _, value in seen} == {1.0}
        assert seen[-1][0] == "cleanup x"
        assert s.get_value() == 3.0
        with pytest.raises(ValueError, match="negative"):
            f(-2.0)
        assert s.get_value() == 3.0

    def test_results_that_are_used_again_are_extracted(self, mode):
        if mode == "c":
            f, events = sketch(mode, reuse_outputs=True)
            again = "extract:x y z;init:a;extract:b"
            assert f(1.0, 2.0, 3.0) == 9.0
            assert events == order(f"{again};code:add mul;sync:b;{LEFT}")
        else:
            f, events = sketch(mode, reuse_outputs=True)
            assert f(1.0, 2.0, 3.0) == 9.0
            assert events == order(f"{ENTERED};code:add mul;sync:b;{LEFT}")
            events.clear()
            assert f(1.0, 2.0, 3.0) == 9.0
            assert events == order(f"extract:x y z;init:a;extract:b;code:add mul;sync:b;{LEFT}")

    def test_variables_without_names_are_counted(self, mode):
        ty = Kind(mode)
        x, y, z = ty("x"), ty(), ty("z")
        events = []
        f = ow.function([x, y, z], MUL(ADD(x, y), z), mode=observed(mode, events))
        assert f(1.0, 2.0, 3.0) == 9.0
        assert events == order(
            "extract:x v0 z;init:v1 v2;code:add mul;sync:v2;cleanup:v2 v1 z v0 x"
        )

    @pytest.mark.parametrize("wanted", ["extract y", "init a", "code mul", "sync b", "cleanup a"])
    def test_an_observer_that_fails(self, mode, wanted):
        seen = []

        def on_event(*event):
            seen.append(" ".join(event))
            if seen[-1] == wanted:
                raise KeyError(wanted)

        ty = Kind(mode)
        x, y, z = (ty(it) for it in "xyz")
        a = ADD(x, y)
        b = MUL(a, z)
        a.name, b.name = "a", "b"
        f = ow.function([x, y, z], b, mode=ow.Mode(mode, optimizer="none", on_event=on_event))
        with pytest.raises(KeyError, match=wanted):
            f(1.0, 2.0, 3.0)
        entered = [it.split()[1] for it in seen if it.split()[0] in ("extract", "init")]
        left = [it.split()[1] for it in seen if it.startswith("cleanup")]
        assert left == entered[::-1]


@pytest.mark.parametrize("mode", ["block", C])
class TestPerOp:
    """A block of each node."""

    FIRST = "extract:x y;init:a;code:add;"
    SECOND = "extract:a z;init:b;code:mul;"

    def test_success(self, mode):
        f, events = sketch(mode, blocks="per_op")
        assert f(1.0, 2.0, 3.0) == 9.0
        first = f"{self.FIRST}sync:a;cleanup:a y x"
        assert events == order(f"{first};{self.SECOND}sync:b;cleanup:b z a")

    def test_failures(self, mode):
        f, events = sketch(mode, blocks="per_op")
        with pytest.raises(ValueError, match="negative"):
            f(-1.0, 0.5, 3.0)
        assert events == order(f"{self.FIRST}cleanup:a y x")
        events.clear()
        with pytest.raises(ValueError, match="negative"):
            f(0.5, -1.0, 3.0)
        first = f"{self.FIRST}sync:a;cleanup:a y x"
        assert events == order(f"{first};{self.SECOND}cleanup:b z a")
        events.clear()
        with pytest.raises(TypeError, match="no float"):
            f(0.5, "no", 3.0)
        assert events == order("extract:x y;cleanup:y x")

    def test_a_result_that_is_not_handed_on(self, mode):
        f, events = sketch(mode, blocks="per_op", keeps=3.0)
        with pytest.raises(OSError, match="full"):
            f(1.0, 2.0, 3.0)
        assert events == order(f"{self.FIRST}sync:a;cleanup:a y x")


@needs_compiler
class TestBesideBlocks:
    """Nodes without C in the mode "c"."""

    class Here(Both):
        """It has no code."""

        def c_code(self, node, name, inputs, outputs, sub):
            """Says so."""
            raise NotImplementedError

    def made(self):
        ty = Kind("c")
        x, y, z = (ty(it) for it in "xyz")
        a = ADD(x, y)
        b = self.Here("here", "*")(a, z)
        e = ADD(b, z)
        a.name, b.name, e.name = "a", "b", "e"
        events = []
        return ow.function([x, y, z], e, mode=observed("c", events)), events

    FIRST = "extract:x y;init:a;code:add;sync:a;cleanup:a y x"
    HERE = "extract:a z;init:b;code:here"

    def test_success(self):
        f, events = self.made()
        assert f(1.0, 2.0, 3.0) == 12.0
        last = "extract:z b;init:e;code:add;sync:e;cleanup:e b z"
        assert events == order(f"{self.FIRST};{self.HERE};sync:b;cleanup:b z a;{last}")

    def test_failure(self):
        f, events = self.made()
        with pytest.raises(ValueError, match="negative"):
            f(1.0, -2.0, 3.0)
        assert events == order(f"{self.FIRST};{self.HERE};cleanup:b z a")

    def test_operators(self):
        x, y = ow.types.double("x"), ow.types.double("y")
        a = x + y
        a.name = "a"
        events = []
        b = Code("b", "z = x + y;")(a, y)
        b.name = "b"
        assert ow.function([x, y], b, mode=observed("c", events))(1.0, 2.0) == 5.0
        here = "extract:x y;init:a;code:add;sync:a;cleanup:a y x"
        assert events == order(f"{here};extract:y a;init:b;code:b;sync:b;cleanup:b a y")

    def test_an_observer_that_fails(self):
        x = ow.types.double("x")

        def on_event(what, name):
            if what == "code":
                raise KeyError(name)

        f = ow.function([x], x + 1.0, mode=ow.Mode("c", on_event=on_event))
        with pytest.raises(KeyError, match="add"):
            f(1.0)


@needs_compiler
class TestHooks:
    """The order in which what hooks wrote runs, as it notes itself."""

    class Traced(Double):
        """Each hook notes itself; one of them fails."""

        fails = None

        def _noted(self, hook, name, sub, text):
            noted = f'trace("{hook} {name}");'
            if self.fails == f"{hook} {name}":
                text = f'PyErr_SetString(PyExc_OSError, "{hook}"); {sub["fail"]}'
            return f"{noted} {text}"

        def c_support_code(self):
            """What notes."""
            return """static void trace(const char* text) {
                PyObject *type, *value, *place;
                PyErr_Fetch(&type, &value, &place);
                PyObject* list = PySys_GetObject("opw_trace");
                PyObject* noted = PyUnicode_FromString(text);
                PyList_Append(list, noted);
                Py_DECREF(noted);
                PyErr_Restore(type, value, place);
            }"""

        def c_init(self, name, sub):
            """Sets it."""
            return self._noted("init", name, sub, super().c_init(name, sub))

        def c_extract(self, name, sub, check_input=True, **kwargs):
            """Reads it."""
            return self._noted("extract", name, sub, super().c_extract(name, sub))

        def c_sync(self, name, sub):
            """Hands it out."""
            return self._noted("sync", name, sub, super().c_sync(name, sub))

        def c_cleanup(self, name, sub):
            """Ends it."""
            return self._noted("cleanup", name, sub, "")

    class Noted(Code):
        """The same of an Op."""

        __props__ = ()

        def __init__(self, name, fails):
            super().__init__(name, "", "")
            self.fails = fails

        def _noted(self, hook, sub, text):
            if self.fails == f"{hook} {self.name}":
                text = f'PyErr_SetString(PyExc_OSError, "{hook}"); {sub["fail"]}'
            return f'trace("{hook} {self.name}"); {text}'

        def c_code(self, node, name, inputs, outputs, sub):
            """Adds."""
            return self._noted("code", sub, f"{outputs[0]} = {inputs[0]} + {inputs[1]};")

        def c_code_cleanup(self, node, name, inputs, outputs, sub):
            """Follows."""
            return self._noted("after", sub, "")

        def c_init_code_struct(self, node, name, sub):
            """Begins what is kept."""
            return self._noted("begin", sub, "")

        def c_cleanup_code_struct(self, node, name):
            """Ends it."""
            return f'trace("end {self.name}");'

    def made(self, monkeypatch, fails=None):
        """`(V0 + V1) + V2` in V3 and V4, and the list of what was noted."""
        trace = []
        monkeypatch.setattr(sys, "opw_trace", trace, raising=False)
        ty = type("Traced", (self.Traced,), {"fails": fails})()
        x, y, z = (ty(it) for it in "xyz")
        b = self.Noted("second", fails)(self.Noted("first", fails)(x, y), z)
        return ow.function([x, y, z], b, mode="c"), trace

    ENTER = "extract:V0 V1 V2;init:V3 V4"
    LEAVE = "cleanup:V4 V3 V2 V1 V0"
    RUN = "code:first second;after:second first"

    @pytest.mark.parametrize(
        ("fails", "happens"),
        [
            (None, f"{ENTER};{RUN};sync:V4;{LEAVE}"),
            ("extract V0", "extract:V0;cleanup:V0"),
            ("extract V1", "extract:V0 V1;cleanup:V1 V0"),
            ("extract V2", "extract:V0 V1 V2;cleanup:V2 V1 V0"),
            ("init V3", "extract:V0 V1 V2;init:V3;cleanup:V3 V2 V1 V0"),
            ("init V4", f"{ENTER};{LEAVE}"),
            ("code first", f"{ENTER};code:first;after:first;{LEAVE}"),
            ("code second", f"{ENTER};{RUN};{LEAVE}"),
            ("after second", f"{ENTER};{RUN};{LEAVE}"),
            ("after first", f"{ENTER};{RUN};{LEAVE}"),
            ("sync V4", f"{ENTER};{RUN};sync:V4;{LEAVE}"),
            ("cleanup V4", f"{ENTER};{RUN};sync:V4;{LEAVE}"),
            ("cleanup V0", f"{ENTER};{RUN};sync:V4;{LEAVE}"),
        ],
    )
    def test_order(self, monkeypatch, fails, happens):
        f, trace = self.made(monkeypatch, fails)
        trace.clear()
        if fails is None:
            assert f(1.0, 2.0, 3.0) == 6.0
        else:
            with pytest.raises(OSError, match=fails.split()[0]):
                f(1.0, 2.0, 3.0)
        assert trace == order(happens)

    def test_what_is_kept_begins_with_the_function_and_ends_with_it(self, monkeypatch):
        f, trace = self.made(monkeypatch)
        assert trace == order("begin:first second")
        trace.clear()
        del f
        assert trace == order("end:second first")

    def test_what_is_kept_and_does_not_begin(self, monkeypatch):
        trace = []
        monkeypatch.setattr(sys, "opw_trace", trace, raising=False)
        for fails, happens in (
            ("begin first", "begin:first"),
            ("begin second", "begin:first second;end:first"),
        ):
            trace.clear()
            with pytest.raises(OSError, match="begin"):
                self.made_again(fails)
            assert trace == order(happens)

    def made_again(self, fails):
        """The same without another list."""
        ty = self.Traced()
        x, y, z = (ty(it) for it in "xyz")
        b = self.Noted("second", fails)(self.Noted("first", fails)(x, y), z)
        return ow.function([x, y, z], b, mode="c")
