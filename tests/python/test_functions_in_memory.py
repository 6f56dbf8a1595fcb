"""Functions that are compiled from graphs: what they write to, and what they keep."""

import gc
import random
import signal
import threading
import time

import numpy as np
import opwright as ow
import pytest
from opwright.graph import Apply, Op

VECTOR = ow.TensorType("float64", (None,))
MATRIX = ow.TensorType("float64", (None, None))
# Each node alone, so that it runs in place where it can.
APART = ow.Mode("block", fuse=False)
NONE = ow.Mode("block", optimizer="none")
LARGE = 3000


class Fills(Op):
    """Writes to its input, and says so."""

    def __init__(self):
        self.destroy_map = {0: [0]}

    def make_node(self, x):
        """The node of a call."""
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        """Writes nines."""
        inputs[0].fill_(9.0)
        output_storage[0][0] = inputs[0]


class Looks(Op):
    """Hands on what it is given, and remembers it."""

    def __init__(self):
        self.seen = []

    def make_node(self, x):
        """The node of a call."""
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        """Remembers."""
        self.seen.append(inputs[0])
        output_storage[0][0] = inputs[0] + 0.0


class Fails(Op):
    """Raises."""

    def make_node(self, x):
        """The node of a call."""
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        """Raises."""
        raise KeyError("as it should")


def numbers(count=LARGE):
    return ow.arange(count, dtype=ow.float64)


def test_what_is_mutable_may_be_written_to():
    x = VECTOR("x")
    t = ow.sum(ow.neg(x) - 2.0)
    f = ow.function([ow.In(x, mutable=True)], t, mode=APART)
    given = numbers()
    assert float(f(given)) == -float(ow.sum(numbers() + 2.0))
    assert not np.array_equal(np.asarray(given), np.asarray(numbers()))
    kept = numbers()
    assert float(ow.function([x], t, mode=APART)(kept)) == float(f(numbers()))
    assert np.array_equal(np.asarray(kept), np.asarray(numbers()))


def test_results_do_not_lie_in_what_is_mutable():
    x = VECTOR("x")
    given = numbers()
    f = ow.function([ow.In(x, mutable=True)], ow.neg(x), mode=APART)
    assert not np.shares_memory(np.asarray(f(given)), np.asarray(given))
    s = ow.shared(np.zeros(2))
    g = ow.function([ow.In(x, mutable=True)], None, updates={s: ow.neg(x)}, mode=APART)
    g(given)
    given.fill_(7.0)
    assert s.get_value().tolist() == [-it for it in range(LARGE)]
    h = ow.function([ow.In(x, mutable=True)], ow.Out(ow.neg(x), borrow=True), mode=APART)
    given = numbers()
    assert np.shares_memory(np.asarray(h(given)), np.asarray(given))


def test_what_is_mutable_and_also_something_else_is_copied():
    x, y = VECTOR("x"), VECTOR("y")
    result = ow.sum(ow.neg(x) * y)
    given = numbers(5)
    for mode in (APART, ow.Mode(), ow.Mode("per_op")):
        f = ow.function([ow.In(x, mutable=True), y], result, mode=mode)
        assert float(f(given, given)) == -30.0
        assert float(f(given[1:], given[:-1])) == -20.0
        assert given.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    s = ow.shared(given, borrow=True)
    g = ow.function([ow.In(x, mutable=True)], ow.sum(ow.neg(x) * s), mode=APART)
    assert float(g(s.get_value(borrow=True))) == -30.0
    assert s.get_value().tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    v = ow.function([ow.In(x, mutable=True)], ow.sum(ow.neg(x)) + ow.sum(x[1:]), mode=APART)
    assert float(v(numbers(5))) == 0.0


def test_a_mutable_default_stays():
    x = VECTOR("x")
    f = ow.function([ow.In(x, value=np.ones(3), mutable=True)], ow.sum(ow.neg(x)), mode=APART)
    assert [float(f()), float(f())] == [-3.0, -3.0]


def test_graphs_that_write_have_to_be_accepted():
    x = VECTOR("x")
    with pytest.raises(TypeError, match=r"step\(\): .* writes to its inputs; say accept_inplace"):
        ow.function([x], Fills()(x), name="step")
    f = ow.function([x], [Fills()(x), ow.sum(x)], accept_inplace=True)
    given = np.ones(3)
    assert [it.tolist() for it in f(given)] == [[9.0, 9.0, 9.0], 3.0]
    assert given.tolist() == [1.0, 1.0, 1.0]
    g = ow.function([ow.In(x, mutable=True)], Fills()(x), accept_inplace=True)
    assert g(given).tolist() == given.tolist() == [9.0, 9.0, 9.0]
    debug = ow.function([x], Fills()(x), accept_inplace=True, mode="debug")
    assert debug(np.zeros(2)).tolist() == [9.0, 9.0]


def test_what_writes_keeps_off_shared_values_and_constants():
    s = ow.shared(np.ones(2))
    f = ow.function([], Fills()(s), accept_inplace=True)
    assert (f().tolist(), s.get_value().tolist()) == ([9.0, 9.0], [1.0, 1.0])
    constant = ow.graph.constant(np.ones(2))
    g = ow.function([], [Fills()(constant), constant * 1.0], accept_inplace=True)
    assert [it.tolist() for it in g()] == [[9.0, 9.0], [1.0, 1.0]]


def test_arguments_are_trusted_if_that_is_said():
    class Kind(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            raise TypeError("never")

        def __eq__(self, other):
            return type(self) is type(other)

        def __hash__(self):
            return 7

    x = Kind()("x")
    thing = object()
    with pytest.raises(TypeError, match="never"):
        ow.function([x], ow.Out(x, borrow=True))(thing)
    trusting = ow.Mode(check_input=False)
    assert (
        ow.function([ow.In(x, borrow=True)], ow.Out(x, borrow=True), mode=trusting)(thing) is thing
    )
    v = ow.TensorType("float64", (3,))("v")
    f = ow.function([v], v * 2.0, mode=trusting)
    assert f(ow.ones(2, dtype=ow.float64)).tolist() == [2.0, 2.0]
    assert f([1.0, 2.0, 3.0]).tolist() == [2.0, 4.0, 6.0]
    for wrong in ("no", object(), ow.ones((2, 2), dtype=ow.float64)):
        with pytest.raises(TypeError):
            f(wrong)
    d = ow.types.double("d")
    g = ow.function([d], d + 1.0, mode=trusting)
    assert g(1.0) == 2.0
    with pytest.raises(TypeError):
        g("no")


def test_threads_of_a_function_are_limited():
    class Asks(Op):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

        def perform(self, node, inputs, output_storage):
            output_storage[0][0] = inputs[0] * 0.0 + ow.get_num_threads()

    x = VECTOR("x")
    before = ow.get_num_threads()
    f = ow.function([x], Asks()(x), mode=ow.Mode(threads=1))
    assert f([0.0]).tolist() == [1.0]
    assert ow.get_num_threads() == before
    assert ow.function([x], Asks()(x))([0.0]).tolist() == [float(before)]
    many = ow.function([x], Asks()(x), mode=ow.Mode(threads=1000))
    assert many([0.0]).tolist() == [float(before)]
    for wrong, error in ((0, ValueError), (-1, ValueError), (True, TypeError), ("2", TypeError)):
        with pytest.raises(error, match="thread"):
            ow.Mode(threads=wrong)


def test_the_plan_is_explained():
    x, y = MATRIX("x"), VECTOR("y")
    f = ow.function([x, y], ow.neg(ow.matmul(x, y)) + y, mode=APART)
    lines = f.explain().splitlines()
    assert "in place of" in lines[2] and "ends" in lines[2]
    assert "in place of" in lines[3]
    assert "in place of" not in lines[1]
    none = ow.function([x, y], ow.neg(ow.matmul(x, y)), mode=NONE)
    assert "in place of" not in none.explain()


def chosen(rng, pool):
    return rng.choice(pool[-6:])


def built(rng, inputs):
    """Returns results of a random graph."""
    pool = list(inputs)
    for _ in range(rng.randrange(3, 14)):
        a, b = chosen(rng, pool), chosen(rng, pool)
        what = rng.randrange(10)
        if what < 4:
            pool.append(rng.choice([ow.add, ow.sub, ow.mul, ow.maximum])(a, b))
        elif what < 6:
            pool.append(rng.choice([ow.neg, ow.abs, ow.tanh, ow.relu])(a))
        elif what == 6:
            pool.append(a * rng.choice([2.0, -0.5, 3]))
        elif what == 7:
            pool.append(ow.flip(a, [0]))
        elif what == 8:
            pool.append(a[:])
        else:
            pool.append(ow.where(a > b, a, b))
    count = rng.randrange(1, 4)
    return [rng.choice(pool[1:]) for _ in range(count)]


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_give_the_same_with_and_without_a_plan(seed):
    rng = random.Random(seed)
    inputs = [VECTOR(it) for it in "xyz"]
    results = built(rng, inputs)
    options = {"on_unused_input": "ignore"}
    count = rng.choice([0, 1, 8, 100, LARGE])
    given = [ow.tensor(np.sin(np.arange(count) * (k + 1.0))) for k in range(3)]
    before = [np.array(it) for it in given]
    expected = [np.array(it) for it in ow.function(inputs, results, mode=NONE, **options)(*given)]
    mutable = [ow.In(it, mutable=True) for it in inputs]
    for mode in (ow.Mode(), APART, ow.Mode("per_op"), ow.Mode("profile", fuse=False), "debug"):
        f = ow.function(inputs, results, mode=mode, **options)
        for _ in range(3):
            found = f(*given)
            for a, b in zip(expected, found, strict=True):
                assert np.array_equal(a, np.asarray(b))
            for at, a in enumerate(found):
                others = [*found[:at], *given]
                assert not any(np.shares_memory(np.asarray(a), np.asarray(b)) for b in others)
                a.fill_(3.0)
        for a, b in zip(before, given, strict=True):
            assert np.array_equal(a, np.asarray(b))
    g = ow.function(mutable, results, mode=APART, **options)
    for _ in range(2):
        found = g(*[it.clone() for it in given])
        for a, b in zip(expected, found, strict=True):
            assert np.array_equal(a, np.asarray(b))


def test_who_holds_a_temporary_keeps_it():
    x = VECTOR("x")
    looks = Looks()
    y = ow.neg(x)
    f = ow.function([x], ow.sum(ow.tanh(looks(y)) + ow.abs(y)), mode=APART)
    for _ in range(3):
        f(numbers())
    assert all(it.tolist() == (-numbers()).tolist() for it in looks.seen)
    assert len({it.data_ptr() for it in looks.seen}) == 3


def test_views_of_temporaries_keep_them():
    x = VECTOR("x")
    t = ow.neg(x)
    view = t[1:]
    u = ow.tanh(t)
    f = ow.function([x], [view, ow.sum(u * 2.0)], mode=APART)
    for _ in range(3):
        view, _ = f(numbers())
        assert view.tolist() == (-numbers())[1:].tolist()
        view.fill_(5.0)


def test_stretched_operands_are_not_written_to():
    x, m = VECTOR("x"), MATRIX("m")
    f = ow.function([x, m], ow.neg(x) + m, mode=APART)
    assert f([1.0, 2.0], [[1.0, 1.0], [2.0, 2.0]]).tolist() == [[0.0, -1.0], [1.0, 0.0]]
    assert f([1.0], [[1.0, 1.0], [2.0, 2.0]]).tolist() == [[0.0, 0.0], [1.0, 1.0]]
    i = ow.TensorType("int64", (None,))("i")
    g = ow.function([i], ow.neg(i) / 2, mode=APART)
    assert g([1, 2]).tolist() == [-0.5, -1.0]
    assert ow.function([i], ow.neg(i) > 0, mode=APART)([1, -2]).tolist() == [False, True]


def test_nothing_goes_wrong_with_gradients_and_inference():
    x = VECTOR("x")
    f = ow.function([x], ow.tanh(ow.neg(ow.neg(x) + 1.0)), mode=APART)
    expected = f(numbers()).tolist()
    leaf = numbers().requires_grad_()
    result = f(leaf)
    assert not result.requires_grad and result.tolist() == expected
    with ow.inference_mode():
        inner = f(numbers())
        assert inner.is_inference() and inner.tolist() == expected
    outer = f(numbers())
    assert not outer.is_inference() and outer._version == 0
    assert (outer * leaf).requires_grad


def test_a_node_that_fails_leaves_all_in_order():
    x = VECTOR("x")
    s = ow.shared(0.0, type=ow.types.double)
    y = ow.tanh(Fails()(ow.neg(ow.neg(x) + x)))
    f = ow.function([x], y, updates={s: s + 1.0}, mode=APART)
    g = ow.function([x], ow.tanh(ow.neg(ow.neg(x) + x)), mode=APART)
    expected = g(numbers()).tolist()
    for _ in range(3):
        with pytest.raises(KeyError):
            f(numbers())
        assert g(numbers()).tolist() == expected
    assert s.get_value() == 0.0


def test_threads_at_once_have_memory_of_their_own():
    x = VECTOR("x")
    t = ow.neg(x) * 2.0
    f = ow.function([x], ow.tanh(t) + ow.flip(ow.abs(t) * t, [0]), mode=APART)
    given = [numbers() + it for it in range(4)]
    expected = [np.array(f(it)) for it in given]
    wrong = []

    def work(at):
        for _ in range(150):
            if not np.array_equal(np.asarray(f(given[at])), expected[at]):
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(it % 4,)) for it in range(8)]
    [it.start() for it in threads]
    [it.join() for it in threads]
    assert wrong == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_an_interrupt_loses_memory_and_no_more():
    x = VECTOR("x")
    y = x
    for _ in range(400):
        y = ow.tanh(ow.flip(y, [0])) + x
    f = ow.function([x], y, mode=APART)
    big = numbers(400_000)
    before = np.array(big)

    class EnoughError(Exception):
        pass

    def handler(*_):
        raise EnoughError

    old = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    start = time.perf_counter()
    try:
        with pytest.raises(EnoughError):
            f(big)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert time.perf_counter() - start < 5
    assert np.array_equal(np.asarray(big), before)
    small = numbers(5)
    assert f(small).tolist() == ow.function([x], y, mode=NONE)(small).tolist()


def test_memory_is_given_back():
    x = VECTOR("x")
    t = ow.neg(x)
    f = ow.function([x], ow.sum(ow.flip(t * x, [0])) + ow.sum(ow.flip(t + x, [0])), mode=APART)
    expected = float(f(numbers()))
    f.free()
    assert float(f(numbers())) == expected
    for count in (10, LARGE, 0, LARGE + 1):
        assert float(f(numbers(count))) == float(ow.function([x], f.outputs)(numbers(count))[0])
    del f
    gc.collect()


def test_a_few_elements_are_computed_as_many_are():
    x, y = VECTOR("x"), VECTOR("y")
    scale = ow.types.double("scale")
    f = ow.function([x, y, scale], ow.tanh((x + y * 2.0) * scale - 3))
    plain = ow.function([x, y, scale], ow.tanh((x + y * 2.0) * scale - 3), mode=NONE)
    for count in (0, 1, 2, 8, 63, 64, 65, 1025):
        a, b = numbers(count), numbers(count) * 0.25
        assert np.array_equal(np.asarray(f(a, b, 0.5)), np.asarray(plain(a, b, 0.5)))
    a, b = numbers(8), numbers(16)
    assert f(a, b[::2], 0.5).tolist() == plain(a, b[::2], 0.5).tolist()
    assert f(a, b[:1], 0.5).tolist() == plain(a, b[:1], 0.5).tolist()
    with pytest.raises(RuntimeError):
        f(a, b, 0.5)
    i = ow.TensorType("int8", (None,))("i")
    g = ow.function([i], (i + 100) * 2)
    given = ow.tensor([1, 100, -7], dtype=ow.int8)
    assert g(given).tolist() == ((given + 100) * 2).tolist()
    h = ow.function([i, x], (i + x) * 2)
    assert h(given, [0.5, 1.5, 2.5]).tolist() == [3.0, 203.0, -9.0]
    b = ow.TensorType("bool", (None,))("b")
    k = ow.function([b, x], (x > 1.0) & b)
    assert k([True, False, True], [2.0, 2.0, 0.0]).tolist() == [True, False, False]


def test_numbers_that_cannot_be_computed_say_so_as_ever():
    d, e = ow.types.double("d"), ow.types.double("e")
    f = ow.function([d, e], [(d + e) * 2.0, d / e, e])
    found = f(1.0, 0.0)
    assert found == [2.0, float("inf"), 0.0]
    assert f(1, 2) == [6.0, 0.5, 2.0]
    with pytest.raises(TypeError, match="argument 'e'"):
        f(1.0, "no")
