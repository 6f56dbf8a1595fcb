"""Operands stay what they are: nobody ever sees another call's result in a value that it holds.

Code in C may call an operator with its only reference and look at the operand afterwards, so what a
reference count says of an operand decides nothing. The tensors are large, because large results
are the ones whose memory would be worth reusing.
"""

import asyncio
import contextlib
import contextvars
import copy
import copyreg
import ctypes
import dataclasses
import functools
import heapq
import itertools
import operator
import pickle
import queue
import threading
import types
import weakref
from collections import ChainMap, UserDict, UserList, deque, namedtuple
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import lazy_object_proxy
import numpy as np
import opwright
import pytest
import wrapt
from opwright import Tensor

COUNT = 1 << 16

ARRAYS = {name: np.arange(COUNT, dtype=np.float64) + k for k, name in enumerate("abc")}
A, B, _ = ARRAYS.values()

# What a caller saw, and what is right.
Seen = tuple[object, np.ndarray]

EXPRESSIONS = [
    "a + b * c",
    "b * c + a",
    "a * b + b * c",
    "2 - b * c",
    "(b * c) * 2.0",
    "-(b * c)",
    "abs(b * c - a * a)",
    "(a * b + c) * a - b",
    "a / (b * c + 1)",
    "(b * c + 1) / a.sum()",
    "(b * c) ** 2",
    "a * b < b * c",
    "(a * b)[1:] + (b * c)[:-1]",
    "(b * c).reshape(2, -1) + (a * b).reshape(2, -1)",
    "(a + b).reshape(-1, 1)[:256] + (b * c)[:256]",
    "(lambda x: x + x * x)(a * b)",
    "[x + 1 for x in [a * b]][0] + b",
]


def tensors() -> dict[str, Tensor]:
    return {name: opwright.tensor(it) for name, it in ARRAYS.items()}


def fresh() -> Tensor:
    """A tensor to which the caller gets the only reference."""
    return opwright.tensor(A)


def other() -> Tensor:
    return opwright.tensor(B)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_are_those_of_numpy(expression: str) -> None:
    ours, expected = tensors(), eval(expression, dict(ARRAYS))
    result = eval(expression, dict(ours))
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-15)
    for name, tensor in ours.items():
        assert np.array_equal(tensor.numpy(), ARRAYS[name])


CALLERS: dict[str, Callable[[], list[Seen]]] = {}


def caller(function: Callable[[], list[Seen]]) -> Callable[[], list[Seen]]:
    """Lists a function that calls operators, keeps operands, and gives back what it then sees."""
    CALLERS[function.__name__] = function
    return function


def repeated(call: Callable[[], object], expected: np.ndarray) -> list[Seen]:
    """The results of a callable that keeps its operands: an operand that was written to shows."""
    return [(call(), expected) for _ in range(3)]


@caller
def partial() -> list[Seen]:
    return repeated(functools.partial(operator.add, fresh(), 1.0), A + 1)


@caller
def partial_with_an_argument() -> list[Seen]:
    add = functools.partial(operator.add, fresh())
    return repeated(lambda: add(1.0), A + 1)


@caller
def partial_of_one() -> list[Seen]:
    return repeated(functools.partial(operator.neg, fresh()), -A)


@caller
def partial_of_two_tensors() -> list[Seen]:
    return repeated(functools.partial(operator.mul, fresh(), other()), A * B)


@caller
def partial_of_the_reflected() -> list[Seen]:
    return repeated(functools.partial(operator.sub, 2.0, fresh()), 2 - A)


@caller
def partialmethod() -> list[Seen]:
    class Holder:
        add = functools.partialmethod(lambda _, x, y: operator.add(x, y), fresh())

    return repeated(lambda: Holder().add(1.0), A + 1)


@caller
def bound_method_of_the_language() -> list[Seen]:
    return repeated(functools.partial(fresh().__add__, 1.0), A + 1)


@caller
def bound_method() -> list[Seen]:
    return repeated(functools.partial(fresh().add, 1.0), A + 1)


@caller
def method_type() -> list[Seen]:
    add = types.MethodType(operator.add, fresh())
    return repeated(lambda: add(1.0), A + 1)


@caller
def class_method() -> list[Seen]:
    held = fresh()
    return repeated(lambda: classmethod(operator.add).__get__(None, held)(1.0), A + 1)


@caller
def methodcaller() -> list[Seen]:
    add, many = operator.methodcaller("__add__", other()), [fresh()]
    return [*repeated(lambda: add(many[0]), A + B), (many[0], A)]


@caller
def itemgetter() -> list[Seen]:
    many = [fresh()]
    return repeated(lambda: operator.itemgetter(0)(many) + 1.0, A + 1)


@caller
def attrgetter() -> list[Seen]:
    space = types.SimpleNamespace(x=fresh())
    return repeated(lambda: operator.attrgetter("x")(space) + 1.0, A + 1)


@caller
def operator_call() -> list[Seen]:
    many = [fresh()]
    return [*repeated(lambda: operator.call(operator.add, many[0], 1.0), A + 1), (many[0], A)]


@caller
def unpacked_tuple() -> list[Seen]:
    pair = (fresh(), 1.0)
    return [*repeated(lambda: operator.add(*pair), A + 1), (pair[0], A)]


@caller
def map_over_lists() -> list[Seen]:
    many = [fresh(), fresh()]
    sums = list(map(operator.add, many, many))
    return [(it, 2 * A) for it in sums] + [(it, A) for it in many]


@caller
def map_over_an_iterator() -> list[Seen]:
    return [(it, A + 1) for it in map(operator.add, iter([fresh(), fresh()]), [1.0, 1.0])]


@caller
def map_of_repeat() -> list[Seen]:
    return [(it, A + 1) for it in map(operator.add, itertools.repeat(fresh(), 3), [1.0] * 3)]


@caller
def starmap() -> list[Seen]:
    pairs = [(fresh(), 1.0)] * 3
    return [(it, A + 1) for it in itertools.starmap(operator.add, pairs)] + [(pairs[0][0], A)]


@caller
def accumulate() -> list[Seen]:
    totals = list(itertools.accumulate([fresh(), 1.0, 1.0, 1.0]))
    return [(it, A + k) for k, it in enumerate(totals)]


@caller
def accumulate_with_a_function() -> list[Seen]:
    totals = itertools.accumulate([2.0, 2.0], operator.mul, initial=fresh())
    return [(it, A * 2**k) for k, it in enumerate(list(totals))]


@caller
def tee() -> list[Seen]:
    left, right = itertools.tee(iter([fresh(), fresh()]))
    sums = [(it, A + 1) for it in map(operator.add, left, [1.0, 1.0])]
    return sums + [(it, A) for it in right]


@caller
def chain_and_zip() -> list[Seen]:
    pairs = zip(itertools.chain([fresh()], [fresh()]), [1.0, 2.0], strict=True)
    return [(operator.add(*it), A + k) for k, it in enumerate(pairs, 1)]


@caller
def cycle() -> list[Seen]:
    again = itertools.islice(itertools.cycle([fresh()]), 3)
    return [(it, A + 1) for it in map(operator.add, again, [1.0] * 3)]


@caller
def reduce() -> list[Seen]:
    many = [fresh(), fresh(), fresh()]
    return [(functools.reduce(operator.add, many), 3 * A)] + [(it, A) for it in many]


@caller
def reduce_with_a_start() -> list[Seen]:
    start = fresh()
    return [*repeated(lambda: functools.reduce(operator.add, [1.0, 1.0], start), A + 2), (start, A)]


@caller
def sum_of_a_list() -> list[Seen]:
    many = [fresh(), fresh()]
    return [*repeated(lambda: sum(many), 2 * A), *((it, A) for it in many)]


@caller
def sum_with_a_start() -> list[Seen]:
    many, start = [1.0, 1.0], fresh()
    return [*repeated(lambda: sum(many, start), A + 2), (start, A)]


@caller
def keys_of_sorting() -> list[Seen]:
    many, keys = [fresh(), fresh()], []
    sorted(many, key=lambda it: keys.append(-it) or len(keys))
    return [(it, A) for it in many] + [(it, -A) for it in keys]


@caller
def merged_heaps() -> list[Seen]:
    many = [fresh(), fresh()]
    merged = list(heapq.merge([many[0]], [many[1]], key=lambda it: (it + 1.0)[0].item()))
    return [(it, A) for it in merged]


@caller
def groups() -> list[Seen]:
    many = [fresh(), fresh()]
    grouped = [list(it) for _, it in itertools.groupby(many, key=lambda it: (-it)[1].item())]
    return [(it, A) for it in itertools.chain(*grouped)]


@caller
def called_from_c() -> list[Seen]:
    add = ctypes.pythonapi.PyNumber_Add
    add.restype, add.argtypes = ctypes.py_object, [ctypes.py_object] * 2
    many = [fresh()]
    return [*repeated(lambda: add(many[0], 1.0), A + 1), (many[0], A)]


@caller
def called_from_c_with_one() -> list[Seen]:
    negative = ctypes.pythonapi.PyNumber_Negative
    negative.restype, negative.argtypes = ctypes.py_object, [ctypes.py_object]
    many = [fresh()]
    return [*repeated(lambda: negative(many[0]), -A), (many[0], A)]


@caller
def called_from_c_by_name() -> list[Seen]:
    call = ctypes.pythonapi.PyObject_CallFunctionObjArgs
    call.restype, call.argtypes = ctypes.py_object, [ctypes.py_object] * 3 + [ctypes.c_void_p]
    many = [fresh()]
    return [*repeated(lambda: call(operator.add, many[0], 1.0, None), A + 1), (many[0], A)]


@caller
def callback_from_c() -> list[Seen]:
    many, sums = [fresh()], []
    callback = ctypes.PYFUNCTYPE(None)(lambda: sums.append(operator.add(many[0], 1.0)))
    for _ in range(3):
        callback()
    return [(it, A + 1) for it in sums] + [(many[0], A)]


@caller
def object_proxy() -> list[Seen]:
    proxy = wrapt.ObjectProxy(fresh())
    return [*repeated(lambda: proxy + 1.0, A + 1), (proxy.__wrapped__, A)]


@caller
def object_proxy_reflected() -> list[Seen]:
    proxy = wrapt.ObjectProxy(fresh())
    return [*repeated(lambda: 2.0 * proxy, 2 * A), (proxy.__wrapped__, A)]


@caller
def object_proxy_of_one() -> list[Seen]:
    proxy = wrapt.ObjectProxy(fresh())
    return [*repeated(lambda: -proxy, -A), (proxy.__wrapped__, A)]


@caller
def wrapt_partial() -> list[Seen]:
    return repeated(wrapt.partial(operator.add, fresh(), 1.0), A + 1)


@caller
def function_wrapper() -> list[Seen]:
    @wrapt.decorator
    def passing_on(wrapped, instance, args, kwargs):
        return wrapped(*args, **kwargs)

    add, many = passing_on(operator.add), [fresh()]
    return [*repeated(lambda: add(many[0], 1.0), A + 1), (many[0], A)]


@caller
def lazy_proxy() -> list[Seen]:
    proxy = lazy_object_proxy.Proxy(fresh)
    return [*repeated(lambda: proxy + 1.0, A + 1), (proxy.__wrapped__, A)]


@caller
def lazy_proxy_of_one() -> list[Seen]:
    proxy = lazy_object_proxy.Proxy(fresh)
    return [*repeated(lambda: abs(-proxy), A), (proxy.__wrapped__, A)]


@caller
def weak_proxy() -> list[Seen]:
    held = fresh()
    proxy = weakref.proxy(held)
    return [*repeated(lambda: proxy + 1.0, A + 1), (held, A)]


@caller
def weak_reference() -> list[Seen]:
    held = fresh()
    reference = weakref.ref(held)
    return [*repeated(lambda: reference() + 1.0, A + 1), (reference(), A)]


@caller
def weak_values() -> list[Seen]:
    held = fresh()
    values = weakref.WeakValueDictionary(x=held)
    return [*repeated(lambda: values["x"] + 1.0, A + 1), (held, A)]


@caller
def variable() -> list[Seen]:
    x = fresh()
    return [*repeated(lambda: x + 1.0, A + 1), (x, A)]


@caller
def assignment_expression() -> list[Seen]:
    result = (x := fresh() * 1) + 1.0
    return [(result, A + 1), (x, A)]


@caller
def list_item() -> list[Seen]:
    many = [fresh()]
    return [*repeated(lambda: many[0] + 1.0, A + 1), (many[0], A)]


@caller
def dictionary_item() -> list[Seen]:
    found = {"x": fresh()}
    return repeated(lambda: found["x"] + 1.0, A + 1) + repeated(lambda: found.get("x") * 2, 2 * A)


@caller
def chained_maps() -> list[Seen]:
    found = ChainMap({}, {"x": fresh()})
    return repeated(lambda: found["x"] + 1.0, A + 1)


@caller
def user_containers() -> list[Seen]:
    found, many = UserDict(x=fresh()), UserList([fresh()])
    return repeated(lambda: found["x"] + many[0], 2 * A)


@caller
def deque_rotated() -> list[Seen]:
    many = deque([fresh(), fresh()])
    sums = [many[0] + 1.0]
    many.rotate()
    sums.append(many[0] + 1.0)
    return [(it, A + 1) for it in sums] + [(it, A) for it in many]


@caller
def named_tuple() -> list[Seen]:
    pair = namedtuple("Pair", "x y")(fresh(), other())
    return [*repeated(lambda: pair.x + pair.y, A + B), (pair.x, A), (pair.y, B)]


@caller
def data_class() -> list[Seen]:
    @dataclasses.dataclass(slots=True)
    class Holder:
        x: Tensor

    holder = Holder(fresh())
    return [*repeated(lambda: holder.x + 1.0, A + 1), (holder.x, A)]


@caller
def property_in_c() -> list[Seen]:
    class Holder(Tensor):
        negative = property(operator.neg)

    held = fresh().as_subclass(Holder)
    return [*repeated(lambda: held.negative, -A), (held, A)]


@caller
def cached_property() -> list[Seen]:
    class Holder:
        x = functools.cached_property(lambda self: fresh())

    holder = Holder()
    return [*repeated(lambda: holder.x + 1.0, A + 1), (holder.x, A)]


@caller
def cached_function() -> list[Seen]:
    add, held = functools.lru_cache(operator.add), fresh()
    return [*repeated(lambda: add(held, 1.0), A + 1), (held, A)]


@caller
def single_dispatch() -> list[Seen]:
    add, many = functools.singledispatch(operator.add), [fresh()]
    return [*repeated(lambda: add(many[0], 1.0), A + 1), (many[0], A)]


@caller
def generator() -> list[Seen]:
    def running() -> Iterator[Tensor]:
        total = fresh()
        while True:
            yield total
            total = total + 1.0

    return [(it, A + k) for k, it in enumerate(list(itertools.islice(running(), 3)))]


@caller
def iterator_of_a_callable() -> list[Seen]:
    calls = iter(functools.partial(operator.add, fresh(), 1.0), None)
    return [(it, A + 1) for it in itertools.islice(calls, 3)]


@caller
def asynchronous_handles() -> list[Seen]:
    async def run() -> list[object]:
        sums: list[object] = []
        add = functools.partial(operator.add, fresh())
        for _ in range(3):
            asyncio.get_running_loop().call_soon(lambda: sums.append(add(1.0)))
        await asyncio.sleep(0)
        return sums

    return [(it, A + 1) for it in asyncio.run(run())]


@caller
def contexts() -> list[Seen]:
    context, many = contextvars.copy_context(), [fresh()]
    return [*repeated(lambda: context.run(operator.add, many[0], 1.0), A + 1), (many[0], A)]


@caller
def context_variables() -> list[Seen]:
    held = contextvars.ContextVar[Tensor]("held")
    held.set(fresh())
    return repeated(lambda: held.get() + 1.0, A + 1)


@caller
def thread_pool() -> list[Seen]:
    with ThreadPoolExecutor(2) as pool:
        many = [fresh()]
        futures = [pool.submit(operator.add, many[0], 1.0) for _ in range(3)]
        return [(it.result(), A + 1) for it in futures] + [(many[0], A)]


@caller
def map_of_threads() -> list[Seen]:
    with ThreadPoolExecutor(2) as pool:
        many = [fresh(), fresh()]
        sums = list(pool.map(operator.add, many, [1.0, 1.0]))
        return [(it, A + 1) for it in sums] + [(it, A) for it in many]


@caller
def timers() -> list[Seen]:
    sums: queue.SimpleQueue[object] = queue.SimpleQueue()
    held = fresh()
    timer = threading.Timer(0, lambda *it: sums.put(operator.add(*it)), (held, 1.0))
    timer.start()
    return [(sums.get(timeout=60), A + 1), (held, A)]


@caller
def exit_stack() -> list[Seen]:
    sums: list[object] = []
    add = functools.partial(operator.add, fresh())
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            stack.callback(lambda: sums.append(add(1.0)))
    return [(it, A + 1) for it in sums]


@caller
def array_of_objects() -> list[Seen]:
    many = np.empty(2, dtype=object)
    many[:] = [fresh(), fresh()]
    sums = repeated_arrays(lambda: np.add(many, np.array([1.0, 1.0], dtype=object)), A + 1)
    return sums + [(it, A) for it in many]


def repeated_arrays(call: Callable[[], np.ndarray], expected: np.ndarray) -> list[Seen]:
    return [(it, expected) for _ in range(3) for it in call()]


@caller
def function_over_arrays_of_objects() -> list[Seen]:
    many, add = np.empty(1, dtype=object), np.frompyfunc(operator.add, 2, 1)
    many[0] = fresh()
    return [*repeated_arrays(lambda: add(many, 1.0), A + 1), (many[0], A)]


@caller
def running_sums_of_objects() -> list[Seen]:
    many = np.empty(3, dtype=object)
    many[:] = [fresh(), 1.0, 1.0]
    return [(it, A + k) for k, it in enumerate(np.add.accumulate(many))] + [(many[0], A)]


@caller
def negatives_of_objects() -> list[Seen]:
    many = np.empty(1, dtype=object)
    many[0] = fresh()
    return [*repeated_arrays(lambda: np.negative(many), -A), (many[0], A)]


class Sum:
    """What a copy is made of by adding."""

    def __init__(self, *operands: object) -> None:
        self.operands = operands


@caller
def copied_objects() -> list[Seen]:
    total = Sum(fresh(), 1.0)
    copyreg.pickle(Sum, lambda it: (operator.add, it.operands))
    return [*repeated(lambda: copy.copy(total), A + 1), (total.operands[0], A)]


@caller
def loaded_objects() -> list[Seen]:
    copyreg.pickle(Sum, lambda it: (operator.add, it.operands))
    held = fresh()
    total, again = pickle.loads(pickle.dumps([Sum(held, 1.0), held]))
    return [(total, A + 1), (again, A)]


@caller
def evaluated_text() -> list[Seen]:
    names = {"x": fresh()}
    return [*repeated(lambda: eval("x + 1.0", names), A + 1), (names["x"], A)]


@caller
def attribute_of_a_tensor() -> list[Seen]:
    x = fresh()
    return [*repeated(lambda: x.real + 1.0, A + 1), (x, A)]


@caller
def view() -> list[Seen]:
    x = fresh()
    return [*repeated(lambda: x.view(-1) + 1.0, A + 1), (x, A)]


@caller
def array_of_a_tensor() -> list[Seen]:
    array = (fresh() * 1).numpy()
    return [*repeated(lambda: opwright.from_numpy(array) + 1.0, A + 1), (array, A)]


@caller
def storage() -> list[Seen]:
    memory = (fresh() * 1).untyped_storage()
    return repeated(lambda: opwright.Tensor().double().set_(memory) + 1.0, A + 1)


@pytest.mark.parametrize("name", CALLERS)
def test_what_somebody_holds_stays(name: str) -> None:
    for seen, expected in CALLERS[name]():
        assert np.array_equal(np.asarray(seen), expected)


def test_there_are_many_kinds_of_callers() -> None:
    assert len(CALLERS) >= 50


def test_what_a_gradient_needs_stays() -> None:
    x = tensors()["a"].requires_grad_()
    y = tensors()["b"]
    ((x * y) * (y * 2.0)).sum().backward()
    assert x.grad is not None
    assert np.array_equal(x.grad.numpy(), 2 * ARRAYS["b"] ** 2)
    (y * 3.0 * x).sum().backward()
    assert np.array_equal(x.grad.numpy(), 2 * ARRAYS["b"] ** 2 + 3 * ARRAYS["b"])


def test_a_subclass_sees_its_operands_whole() -> None:
    seen = []

    class Watching(Tensor):
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):
            seen.append(args[0])
            return super().__opwright_function__(function, types, args, kwargs or {})

    a = tensors()["a"]
    watching = tensors()["b"].as_subclass(Watching)
    result = (a * 2) + watching
    assert np.array_equal(np.asarray(seen[-1]), 2 * ARRAYS["a"])
    assert np.array_equal(np.asarray(result), 2 * ARRAYS["a"] + ARRAYS["b"])


def test_threads_do_not_share_what_is_given_away() -> None:
    ours = tensors()
    expected = ARRAYS["a"] + ARRAYS["b"] * ARRAYS["c"] - ARRAYS["a"]

    def evaluated(_: int) -> bool:
        a, b, c = ours["a"], ours["b"], ours["c"]
        return np.array_equal((a + b * c - a).numpy(), expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(evaluated, range(200)))
