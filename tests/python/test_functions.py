"""Functions that are compiled from graphs: calls, memory, threads, interrupts, pickles, errors."""

import copy
import gc
import itertools
import pickle
import signal
import sys
import threading
import time
import weakref

import numpy as np
import opwright as ow
import pytest
from opwright import graph
from opwright.graph import _evaluation
from own_ops import Does

VECTOR = ow.TensorType("float64", (None,))
double = ow.types.double
COUNT = itertools.count()


def array(*numbers):
    return np.array(numbers, dtype="float64")


def example(**options):
    x, y, z = double("x"), double("y"), double("z")
    return ow.function([x, y, ow.In(z, value=2.0)], (x + y) * z, name="step", **options)


@pytest.mark.parametrize(
    ("args", "keywords", "text"),
    [
        ((), {}, "step() misses argument 'x' (position 1); it is step(x, y, z=...)"),
        ((1.0,), {}, "step() misses argument 'y' (position 2)"),
        ((1.0, 2.0, 3.0, 4.0), {}, "step() takes 3 arguments, not 4"),
        ((1.0, 2.0), {"w": 1.0}, "step() has no argument 'w'"),
        ((1.0, 2.0), {"x": 1.0}, "step() got two values for argument 'x'"),
        ((1.0, "no"), {}, "step(): argument 'y' (position 2)"),
    ],
)
def test_what_does_not_fit_says_why(args, keywords, text):
    with pytest.raises(TypeError) as caught:
        example()(*args, **keywords)
    assert text in str(caught.value)


def test_arguments_by_position_by_name_and_by_default():
    f = example()
    assert f(1.0, 2.0) == f(y=2.0, x=1.0) == f(1.0, y=2.0, z=2.0) == 6.0
    assert f(1.0, 2.0, 3.0) == f(*[1.0, 2.0], z=3.0) == 9.0
    assert f(1.0, 2.0) == 6.0


def test_results_as_they_are_asked_for():
    x = double("x")
    assert ow.function([x], x + 1.0)(1.0) == 2.0
    assert ow.function([x], [x + 1.0])(1.0) == [2.0]
    assert ow.function([x], {"a": x + 1.0, "b": x})(1.0) == {"a": 2.0, "b": 1.0}
    assert ow.function([], None)() is None


def test_inputs_that_are_missing_or_unused_are_named():
    x, y = double("x"), double("y")
    with pytest.raises(graph.MissingInput, match=r"y is not given; .*add"):
        ow.function([x], x + y)
    with pytest.raises(graph.UnusedInput, match="y"):
        ow.function([x, y], x)
    with pytest.warns(UserWarning, match="y"):
        ow.function([x, y], x, on_unused_input="warn")


def test_an_input_can_be_updated():
    x, step = double("x"), double("step")
    f = ow.function([step, ow.In(x, value=1.0, update=x + step)], x)
    assert [f(2.0), f(2.0), f(3.0)] == [1.0, 3.0, 5.0]


def test_eight_threads_share_a_function():
    f = example()
    wrong = []

    def work(number):
        for _ in range(25_000):
            if f(number, number, 2.0) != 4 * number:
                wrong.append(number)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(float(it),)) for it in range(8)]
        [it.start() for it in threads]
        [it.join() for it in threads]
    finally:
        sys.setswitchinterval(before)
    assert wrong == []


def test_threads_see_all_updates_of_a_call_or_none():
    s, t = ow.shared(0.0, type=double), ow.shared(0.0, type=double)
    step = ow.function([], None, updates={s: s + 1.0, t: t + 1.0})
    look = ow.function([], [s, t])
    seen, stop = [], False

    def work():
        while not stop:
            a, b = look()
            if a != b:
                seen.append((a, b))

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work) for _ in range(3)]
    [it.start() for it in threads]
    for _ in range(5_000):
        step()
    stop = True
    [it.join() for it in threads]
    sys.setswitchinterval(before)
    assert seen == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_an_interrupt_updates_nothing():
    m = ow.TensorType("float64", (None, None))("m")
    s = ow.shared(0.0, type=double)
    y = m
    for _ in range(200):
        y = ow.matmul(y, m)
    f = ow.function([m], ow.sum(y), updates={s: s + 1.0})
    big = np.eye(700)

    class EnoughError(Exception):
        pass

    def handler(*_):
        raise EnoughError

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.perf_counter()
    try:
        with pytest.raises(EnoughError):
            f(big)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - start < 5
    assert s.get_value() == 0.0


def test_results_share_nothing():
    v = VECTOR("v")
    x = ow.tensor([1.0, 2.0, 3.0], dtype=ow.float64)
    f = ow.function([v], [v, v[1:], v.reshape((3, 1)), v * 2.0])
    results = f(x)
    for at, result in enumerate(results):
        assert not np.shares_memory(np.asarray(result), np.asarray(x))
        for other in results[:at]:
            assert not np.shares_memory(np.asarray(result), np.asarray(other))


def test_what_is_lent_is_the_same_object():
    v = VECTOR("v")
    x = ow.tensor([1.0, 2.0], dtype=ow.float64)
    assert ow.function([ow.In(v, borrow=True)], ow.Out(v, borrow=True))(x) is x
    assert ow.function([v], ow.Out(v, borrow=True))(x) is not x


def test_shared_values_are_copied_unless_they_are_lent():
    x = array(1.0, 2.0)
    s, lent = ow.shared(x), ow.shared(x, borrow=True)
    x[0] = 9.0
    assert s.get_value().tolist() == [1.0, 2.0]
    assert lent.get_value().tolist() == [9.0, 2.0]
    s.get_value()[0] = 5.0
    assert s.get_value().tolist() == [1.0, 2.0]
    s.get_value(borrow=True)[0] = 5.0
    assert s.get_value().tolist() == [5.0, 2.0]
    f = ow.function([], s, updates={s: s + 1.0})
    f()[0] = 100.0
    assert s.get_value().tolist() == [6.0, 3.0]


def test_nothing_is_recorded_inside():
    v = VECTOR("v")
    x = ow.tensor([1.0, 2.0], dtype=ow.float64, requires_grad=True)
    assert not ow.function([v], v * 2.0)(x).requires_grad
    assert ow.is_grad_enabled() if hasattr(ow, "is_grad_enabled") else (x * 2.0).requires_grad


def test_exceptions_say_which_node():
    x, w = (ow.TensorType("float64", (None, None))(it) for it in "xw")
    f = ow.function([x, w], ow.mm(x, w), name="step")
    with pytest.raises(RuntimeError) as caught:
        f(np.ones((2, 3)), np.ones((4, 5)))
    note = "\n".join(caught.value.__notes__)
    assert "in node 0 of function 'step': mm(x, w) -> TensorType(float64, (?, ?))" in note
    assert "x: float64 (2, 3)   w: float64 (4, 5)" in note
    assert "test_functions.py" in note
    assert caught.value.__opwright_node__.op == "mm"


def test_exceptions_of_python_stay():
    def do(_):
        raise KeyError("mine")

    x = VECTOR("x")
    y = Does(do)(x)
    with pytest.raises(KeyError) as caught:
        ow.function([x], y)(array(1.0))
    assert caught.value.__opwright_node__ is y.owner


def test_a_function_calls_itself():
    x = double("x")
    f = ow.function([x], Does(lambda n: 0.0 if n <= 0 else f(n - 1.0) + 1.0)(x))
    assert f(20.0) == 20.0


def test_temporaries_die_with_their_last_reader():
    class Value:
        pass

    class Kind(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

    alive = []

    def first(_):
        made = Value()
        alive.append(weakref.ref(made))
        return made

    def second(_):
        return Value()

    def third(it):
        gc.collect()
        alive.append(alive[0]() is None)
        return it

    x = Kind()("x")
    y = Does(third)(Does(second)(Does(first)(x)))
    ow.function([x], y)(Value())
    assert alive[1]


@pytest.mark.parametrize("again", [copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_and_pickles_compute_the_same(again):
    v, w = VECTOR("v"), VECTOR("w")
    f = ow.function(
        [v, ow.In(w, value=array(1.0, 1.0))], [ow.topk(v + w, 1)[0], ow.sum(v)], name="f"
    )
    g = again(f)
    assert g.name == "f"
    for a, b in zip(f(array(1.0, 5.0)), g(array(1.0, 5.0)), strict=True):
        assert a.tolist() == b.tolist()


def test_pickles_have_shared_values_of_their_own():
    s = ow.shared(array(1.0, 2.0), name="s")
    v = VECTOR("v")
    f = ow.function([v], s * 2.0, updates={s: s + v})
    f(array(1.0, 1.0))
    g = pickle.loads(pickle.dumps(f))
    f(array(1.0, 1.0))
    assert g(array(0.0, 0.0)).tolist() == [4.0, 6.0]
    assert g.updates[0][0].name == "s"


def test_copies_swap_and_forget_updates():
    c, d = ow.shared(1.0, type=double), ow.shared(10.0, type=double)
    f = ow.function([], c, updates={c: c + 1.0})
    assert [f(), f.copy()(), f.copy(swap={c: d})(), f.copy(delete_updates=True)()] == [1, 2, 10, 3]
    assert (c.get_value(), d.get_value()) == (3.0, 11.0)


def test_eval_compiles_once():
    x = double("x")
    y = x + 1.0
    assert (y.eval({x: 1.0}), y.eval({x: 2.0})) == (2.0, 3.0)
    assert len(_evaluation._EVALUATED[y]) == 1
    dead = weakref.ref(y)
    del y
    gc.collect()
    assert dead() is None


def test_events_follow_the_order_of_the_block():
    events = []
    mode = ow.Mode("block", optimizer="none", on_event=lambda *it: events.append(" ".join(it)))
    assert example(mode=mode)(1.0, 2.0) == 6.0
    assert events[:3] == ["extract x", "extract y", "extract z"]
    assert events[-1] == "cleanup x"


def test_an_event_that_raises_ends_the_call():
    def told(what, name):
        if what == "code":
            raise KeyError(name)

    with pytest.raises(KeyError):
        example(mode=ow.Mode("block", on_event=told))(1.0, 2.0)


@pytest.mark.parametrize(
    ("do", "error"),
    [
        (lambda it: it, graph.BadView),
        (lambda it: it.fill_(9.0) + 0.0, graph.BadWrite),
        (lambda it: np.asarray(it).astype("float32"), graph.BadType),
        (lambda it: it * float(next(COUNT)), graph.BadResult),
    ],
)
def test_the_debug_mode_finds_what_is_wrong(do, error):
    x = VECTOR("x")
    f = ow.function([x], Does(do)(x), mode="debug")
    with pytest.raises(error):
        f(array(1.0))


def test_the_profile_says_where_time_goes():
    x = VECTOR("x")
    f = ow.function([x], ow.cumsum(ow.exp(x), 0), mode="profile")
    f(np.zeros(1000)), f(np.zeros(1000))
    profile = f.profile()
    assert (profile.calls, profile.nodes[0].bytes) == (2, 8000)
    assert "exp" in str(profile)
    with pytest.raises(ValueError, match="notes no times"):
        example().profile()


def test_numbers_are_computed_as_tensors_would():
    x, y = double("x"), ow.types.int64("y")
    z = ow.types.boolean("z")
    f = ow.function([x, y, z], [x * y, y + z, x / y, y / y, x > y])
    found = f(2.5, 4, True)
    assert found[:5] == [10.0, 5, 0.625, 1.0, False]
    assert [type(it) for it in found] == [float, int, float, float, bool]
