"""What goes wrong in graphs: the class and the place are named, nothing is left or half updated."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref
from pathlib import Path

import numpy as np
import opwright as ow
import pytest
from c_code import Code, c, cache, needs_compiler
from opwright import graph
from own_ops import Does

__all__ = ["cache"]

VECTOR = ow.TensorType("float64", (None,))
double = ow.types.double
C = pytest.param("c", marks=needs_compiler)
MODES = ["block", "per_op", "profile", "debug"]
ALIVE = weakref.WeakSet()


class Value:
    """Something that is counted."""

    def __init__(self):
        ALIVE.add(self)

    def __eq__(self, other):
        return isinstance(other, Value)

    __hash__ = object.__hash__


def alive():
    gc.collect()
    return len(ALIVE)


class Kind(c.Generic):
    """Values that are counted; what is no such value is refused."""

    def filter(self, value, strict=False, allow_downcast=None):
        """Takes them, and makes them of zeros."""
        if isinstance(value, Value):
            return value
        if strict or value != 0:
            raise TypeError(f"expected a Value, got {value!r}")
        return Value()

    def emit(self, value):
        """Hands it out, unless it is kept."""
        if getattr(value, "is_kept", False):
            raise OSError("nobody takes it")
        return value

    def deep_copy(self, value):
        """Another one, which is kept if this one is."""
        copy = Value()
        vars(copy).update(vars(value))
        return copy


def raises(*_):
    raise KeyError("mine")


def interrupts(*_):
    signal.raise_signal(signal.SIGINT)
    return Value()


def kept(*_):
    made = Value()
    made.is_kept = True
    return made


def new(*_):
    return Value()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("do", "args", "keywords", "error", "text"),
    [
        (new, (0, "no"), {}, TypeError, "expected a Value, got 'no'"),
        (new, (0,), {}, TypeError, r"f\(\) misses argument 'y' \(position 2\)"),
        (new, (0, 0), {"x": 0}, TypeError, r"f\(\) got two values for argument 'x'"),
        (new, (0, 0, 0), {}, TypeError, r"f\(\) takes 2 arguments, not 3"),
        (new, (0, 0), {"z": 0}, TypeError, r"f\(\) has no argument 'z'"),
        (raises, (0, 0), {}, KeyError, "mine"),
        (lambda *_: None, (0, 0), {}, (TypeError, graph.BadType), "expected a Value, got None"),
        (lambda *_: 7, (0, 0), {}, (TypeError, graph.BadType), "expected a Value, got 7"),
        (interrupts, (0, 0), {}, KeyboardInterrupt, None),
        (kept, (0, 0), {}, OSError, "nobody takes it"),
    ],
)
def test_nothing_is_left_or_half_updated(mode, do, args, keywords, error, text):
    ty = Kind()
    x, y = ty("x"), ty("y")
    s, t = ow.shared(0, "s", type=ty), ow.shared(0, "t", type=ty)
    first = Does(new, name="first")(x, y, s)
    middle = Does(do, name="middle")(first, t)
    last = Does(new, name="last")(middle, first)
    updates = {s: first, t: middle}
    f = ow.function([x, y], [last, middle], updates=updates, name="f", mode=mode)
    before = s.get_value(borrow=True), t.get_value(borrow=True)
    count = alive()
    for _ in range(5):
        with pytest.raises(error, match=text):
            f(*args, **keywords)
        assert (s.get_value(borrow=True) is before[0], t.get_value(borrow=True) is before[1]) == (
            True,
            True,
        )
    assert alive() == count


@needs_compiler
@pytest.mark.parametrize("blocks", ["graph", "per_op"])
@pytest.mark.parametrize(
    ("where", "error", "text"),
    [
        ("first", KeyError, "mine"),
        ("last", KeyError, "mine"),
        ("extract", TypeError, "no Value"),
        ("sync", OSError, "full"),
        (None, None, None),
    ],
)
def test_nothing_is_left_by_code(blocks, where, error, text):
    fail = 'PyErr_SetString(PyExc_KeyError, "mine"); FAIL'
    make = "z = PyObject_CallNoArgs((PyObject*)Py_TYPE(x)); if (!z) FAIL "

    class Held(Kind):
        def c_extract(self, name, sub, check_input=True, **kwargs):
            wrong = f'PyErr_SetString(PyExc_TypeError, "no Value"); {sub["fail"]}'
            is_second = where == "extract" and name == "V1"
            return super().c_extract(name, sub) + (wrong if is_second else "")

        def c_sync(self, name, sub):
            wrong = f'PyErr_SetString(PyExc_OSError, "full"); {sub["fail"]}'
            return super().c_sync(name, sub) + (wrong if where == "sync" else "")

    ty = Held()
    x, y = ty("x"), ty("y")
    s = ow.shared(0, "s", type=ty)
    first = Code("first", make + (fail if where == "first" else ""))(x, y)
    last = Code("last", make + (fail if where == "last" else ""))(first, s)
    mode = ow.Mode("c", blocks=blocks)
    f = ow.function([x, y], last, updates={s: first}, mode=mode)
    before = s.get_value(borrow=True)
    count = alive()
    for _ in range(5):
        if error is None:
            assert isinstance(f(0, 0), Value)
            continue
        with pytest.raises(error, match=text):
            f(0, 0)
        assert s.get_value(borrow=True) is before
    # The value from before is held here.
    assert alive() == count + (error is None)


@pytest.mark.parametrize("mode", [*MODES, C])
def test_a_clash_of_shapes_while_it_runs(mode):
    x, w = (ow.TensorType("float64", (None, None))(it) for it in "xw")
    s = ow.shared(0.0, "s", type=double)
    f = ow.function([x, w], ow.mm(x, w), updates={s: s + 1.0}, name="step", mode=mode)
    with pytest.raises(RuntimeError, match="mm") as caught:
        f(np.ones((2, 3)), np.ones((4, 5)))
    assert any("of function 'step': mm(x, w)" in it for it in caught.value.__notes__)
    assert s.get_value() == 0.0


def test_a_clash_of_shapes_where_it_is_built():
    a, b = ow.TensorType("float64", (2,))("a"), ow.TensorType("float64", (3,))("b")
    with pytest.raises((TypeError, RuntimeError)) as caught:
        ow.add(a, b)
    assert "2" in str(caught.value)
    assert "3" in str(caught.value)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda s, v: {s: v}, TypeError, "the update of s: .*float64"),
        (lambda s, v: [(s, s + 1.0), (s, s + 2.0)], ValueError, "s is updated twice"),
        (lambda s, v: {v: v}, TypeError, "only shared variables are updated, and v is none"),
        (lambda s, v: [(s,)], TypeError, "pairs of a variable and what becomes of it"),
    ],
)
def test_updates_that_are_none(make, error, text):
    s, v = ow.shared(0.0, "s", type=double), VECTOR("v")
    with pytest.raises(error, match=text):
        ow.function([v], v, updates=make(s, v))


def is_own_input(op, x):
    out = x.type()
    return graph.Apply(op, [out], [out])


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (is_own_input, ValueError, "which would be a cycle"),
        (lambda op, x: graph.Apply(op, [x], [x]), ValueError, "which would be a cycle"),
        (lambda op, x: None, TypeError, "nonsense.make_node returned NoneType, not an Apply"),
        (lambda op, x: 7, TypeError, "nonsense.make_node returned int, not an Apply"),
        (lambda op, x: graph.Apply(op, [x], [3]), (TypeError, ValueError), r"Apply\(\)"),
    ],
)
def test_nodes_that_are_none(make, error, text):
    class Nonsense(Does):
        def make_node(self, x):
            return make(self, x)

    with pytest.raises(error, match=text):
        Nonsense(new, name="nonsense")(VECTOR("x"))


@pytest.mark.parametrize(
    ("leave", "text"),
    [
        (lambda storage: storage.clear(), "storage for 0 results, and it has 1"),
        (lambda storage: storage[0].clear(), r"no list of one in output_storage\[0\]"),
        (lambda storage: storage.__setitem__(0, 7), r"no list of one in output_storage\[0\]"),
    ],
)
def test_storage_that_is_none(leave, text):
    class Leaves(Does):
        def perform(self, node, inputs, output_storage):
            leave(output_storage)

    x = VECTOR("x")
    f = ow.function([x], Leaves(new, name="leaves")(x), name="f")
    with pytest.raises(ValueError, match=f"perform of leaves left {text}") as caught:
        f([1.0])
    assert any("in node 0 of function 'f': leaves(x)" in it for it in caught.value.__notes__)


@pytest.fixture
def rule():
    """Rules that are forgotten afterwards."""
    made = []

    def add(pattern, replace):
        replace.__name__ = "wrong"
        made.append(graph.rewrite(pattern)(replace))

    yield add
    [it.remove() for it in made]


def test_rewrites_that_never_end(rule):
    rule("exp(a)", lambda a: ow.exp(a) + 0.0 * ow.exp(ow.exp(a)))
    x = VECTOR("x")
    start = time.perf_counter()
    with pytest.warns(UserWarning, match="do not come to an end"):
        f = ow.function([x], ow.exp(x))
    assert time.perf_counter() - start < 60
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f([-1e300]).shape == (1,)


@pytest.mark.parametrize(
    ("replace", "error", "text"),
    [
        (lambda a: ow.sum(a), TypeError, "rewrite 'wrong': exp.*, its replacement"),
        (lambda a: 7, TypeError, "a rewrite returns a variable, or None"),
        (lambda a: raises(), KeyError, "mine"),
    ],
)
def test_rewrites_that_fail_name_the_function(rule, replace, error, text):
    rule("exp(a)", replace)
    x = VECTOR("x")
    with pytest.raises(error, match=text) as caught:
        ow.function([x], ow.exp(x), name="step")
    assert "while function 'step' was made" in caught.value.__notes__


@needs_compiler
def test_code_that_is_not_compiled_names_the_function():
    x = double("x")
    with pytest.raises(c.CompileError, match=r"Code.c_code of node_0, line 1") as caught:
        ow.function([x], Code("o", "z = nowhere;")(x), name="step", mode="c")
    assert "while function 'step' was made" in caught.value.__notes__
    with pytest.raises(ValueError, match=r"Code.c_code, line 1: `return` leaves") as caught:
        ow.function([x], Code("o", "return;")(x), name="step", mode="c")
    assert "while function 'step' was made" in caught.value.__notes__


@needs_compiler
@pytest.mark.skipif(os.name == "nt", reason="compilers here are shell scripts")
def test_an_interrupt_while_a_block_is_compiled(tmp_path, cache):
    slow = tmp_path / "slow"
    slow.write_text(
        '#!/bin/sh\ncase $1 in --version) echo slow 1;; *) sleep 1; exec c++ "$@";; esac\n'
    )
    slow.chmod(0o755)
    x = double("x")
    op = Code("o", "z = x + 1;", c_compiler=lambda: str(slow))
    main = threading.main_thread().ident
    timer = threading.Timer(0.3, signal.pthread_kill, [main, signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ow.function([x], op(x), mode="c")
    timer.join()
    kept = [it.name for it in cache.iterdir()] if cache.is_dir() else []
    assert not [it for it in kept if it.startswith("unfinished")]
    assert ow.function([x], op(x), mode="c")(1.0) == 2.0


@needs_compiler
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_an_interrupt_within_code():
    class EnoughError(Exception):
        pass

    def handler(*_):
        raise EnoughError

    x = double("x")
    s = ow.shared(0.0, "s", type=double)
    code = """for (long i = 0; ; i++) {
        if (i % 1000 == 0 && PyErr_CheckSignals()) FAIL
    }"""
    f = ow.function([x], Code("o", code)(x), updates={s: s + 1.0}, mode="c")
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(EnoughError):
            f(1.0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert s.get_value() == 0.0


@needs_compiler
def test_a_process_that_ends_in_the_middle_leaves_a_cache_that_works(cache):
    script = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import c_code as t
x, = t.variables("x")
print(t.compiled(t.Code("o", "z = x * 7;")(x), x, on_event=None)[0](6.0))
"""
    env = {**os.environ, "OPWRIGHT_CACHE": str(cache.parent)}
    command = [sys.executable, "-c", script]
    running = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and not (cache.is_dir() and any(cache.iterdir())):
        time.sleep(0.005)
    running.kill()
    running.communicate()
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout == "42.0\n", done.stderr
