"""Operators that are called through C by their names, those among them that Python defined."""

import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import opwright
import pytest
from opwright.extending import native_op

NONE, BOOL, INT, FLOAT, COMPLEX, TEXT, TENSOR, LIST = range(8)
TYPE_ERROR, VALUE_ERROR, INDEX_ERROR, RUNTIME_ERROR, NOT_IMPLEMENTED = range(1, 6)


class Value(ctypes.Structure):
    """`ow_value`."""


class _Content(ctypes.Union):
    _fields_ = [
        ("truth", ctypes.c_bool),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double * 2),
        ("text", ctypes.c_char_p),
        ("tensor", ctypes.c_void_p),
        ("items", ctypes.POINTER(Value)),
    ]


Value._fields_ = [("kind", ctypes.c_int32), ("len", ctypes.c_size_t), ("content", _Content)]

_library = ctypes.CDLL(opwright._C.__file__)
_call = _library.ow_call
_call.restype = ctypes.c_int32
_call.argtypes = [
    ctypes.c_char_p,
    ctypes.POINTER(Value),
    ctypes.c_size_t,
    ctypes.POINTER(Value),
    ctypes.c_size_t,
    ctypes.c_char_p,
    ctypes.c_size_t,
]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype = ctypes.py_object
_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_FRESH, _USED = b"dltensor_versioned", b"used_dltensor_versioned"


def value(given):
    """What C passes for an object."""
    made = Value()
    if isinstance(given, opwright.Tensor):
        capsule = given.__dlpack__(max_version=(1, 0))
        made.kind, made.content.tensor = TENSOR, _pointer(capsule, _FRESH)
        _rename(capsule, _USED)
    elif isinstance(given, bool):
        made.kind, made.content.truth = BOOL, given
    elif isinstance(given, int):
        made.kind, made.content.integer = INT, given
    elif isinstance(given, float):
        made.kind, made.content.real[0] = FLOAT, given
    elif isinstance(given, complex):
        made.kind, made.content.real[:] = COMPLEX, [given.real, given.imag]
    elif isinstance(given, str):
        made.kind, made.content.text = TEXT, given.encode()
    elif isinstance(given, list):
        made.kind, made.len = LIST, len(given)
        made.content.items = (Value * len(given))(*map(value, given))
    elif given is not None:
        made.kind = given[0]
    return made


class _Held:
    """A tensor that C has, for `from_dlpack`."""

    def __init__(self, pointer):
        self.capsule = _capsule(pointer, _FRESH, None)

    def __dlpack__(self, **keywords):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def read(found):
    """The object of what C gets."""
    content = found.content
    return {
        NONE: lambda: None,
        BOOL: lambda: content.truth,
        INT: lambda: content.integer,
        FLOAT: lambda: content.real[0],
        COMPLEX: lambda: complex(*content.real),
        TENSOR: lambda: opwright.from_dlpack(_Held(content.tensor)),
    }[found.kind]()


class FailedError(Exception):
    """A call that did not return 0."""


def call(name, *args, room=4, most=200):
    given = (Value * len(args))(*map(value, args))
    results, message = (Value * room)(), ctypes.create_string_buffer(max(most, 1))
    code = _call(name.encode(), given, len(args), results, room, message, most)
    if code:
        assert all(it.kind == NONE for it in results)
        raise FailedError(code, message.value.decode())
    assert message.value == b""
    found = [read(it) for it in results]
    while found and found[-1] is None:
        found.pop()
    return found


def refused(name, *args, **options):
    with pytest.raises(FailedError) as caught:
        call(name, *args, **options)
    return caught.value.args


def tensor(*values):
    return opwright.tensor(list(values), dtype=opwright.float64)


@native_op("from_c::scaled(Tensor x, float k=1.0, *, bool twice=False) -> Tensor")
def scaled(x, k, twice):
    assert type(k) is float and type(twice) is bool
    if k != k:
        raise ValueError("no number")
    return x * (2 * k if twice else k)


@native_op("from_c::parts(Tensor[] xs, int[] sizes, str? name=None) -> (Tensor, int, float)")
def parts(xs, sizes, name):
    return xs[-1], sum(sizes), float(len(name or ""))


@native_op("from_c::add_one_(Tensor(a!) self) -> Tensor(a!)")
def add_one_(self):
    return self.add_(1)


def test_operators_of_python_are_called_by_their_names():
    (found,) = call("from_c::scaled", tensor(1, 2), 3)
    assert found.tolist() == [3, 6]
    assert call("from_c::scaled", tensor(1, 2), 0.5, True)[0].tolist() == [1, 2]
    assert call("from_c::scaled", tensor(1, 2))[0].tolist() == [1, 2]
    last, total, count = call("from_c::parts", [tensor(1), tensor(7)], [2, 3], "four")
    assert (last.tolist(), total, count) == ([7], 5, 4.0)
    assert call("from_c::parts", [tensor(1)], [], None)[1:] == [0, 0.0]


def test_what_is_written_to_is_the_memory_of_the_caller():
    x = tensor(1, 2)
    assert call("from_c::add_one_", x) == []
    assert x.tolist() == [2, 3]


def test_operators_of_the_module_are_called_too():
    assert call("add.Tensor", tensor(1, 2), tensor(3, 4), 2)[0].tolist() == [7, 10]
    assert call("sum.dim_IntList", tensor(1, 2), [0])[0].item() == 3
    low, at = call("min.dim", tensor(3, 1, 2), 0)
    assert (low.item(), at.item()) == (1, 1)


@pytest.mark.parametrize(
    ("args", "kind", "text"),
    [
        (("from_c::nothing",), VALUE_ERROR, "there is no operator `from_c::nothing`"),
        (("from_c::scaled",), TYPE_ERROR, "from_c::scaled(): misses 'x': from_c::scaled(Tensor x"),
        (("from_c::scaled", 1.0), TYPE_ERROR, "argument 'x' must be Tensor"),
        (("from_c::scaled", None), TYPE_ERROR, "argument 'x' must be Tensor"),
        (("from_c::scaled", (TENSOR,)), TYPE_ERROR, "a tensor is NULL"),
        (("from_c::scaled", (77,)), TYPE_ERROR, "77 is no kind of a value"),
        (("from_c::parts", [[[[1]]]], [1]), TYPE_ERROR, "nested too deeply"),
        (("add.Tensor", 1, 2, 3, 4, 5), TYPE_ERROR, "takes at most 3 arguments, not 5"),
    ],
)
def test_what_does_not_fit_is_refused(args, kind, text):
    code, message = refused(*args)
    assert code == kind and text in message


def test_errors_are_those_of_c():
    assert refused("from_c::scaled", tensor(1), float("nan")) == (
        VALUE_ERROR,
        "from_c::scaled(): no number",
    )
    code, message = refused("from_c::parts", [], [1])
    assert code == INDEX_ERROR and "index out of range" in message
    code, message = refused("from_c::parts", [tensor(1)], [], room=2)
    assert code == VALUE_ERROR and "returns 3 results, and there is room for 2" in message
    # Cut, with a NUL; and none where there is no room.
    assert refused("from_c::scaled", tensor(1), float("nan"), most=9)[1] == "from_c::"
    assert refused("from_c::scaled", tensor(1), float("nan"), most=0)[1] == ""

    @native_op("from_c::gone(Tensor x) -> Tensor", replace=True)
    def gone(x):
        raise KeyboardInterrupt("now")

    code, message = refused("from_c::gone", tensor(1))
    assert code == RUNTIME_ERROR and "KeyboardInterrupt" in message

    @native_op("from_c::text(Tensor x) -> str", replace=True)
    def text(x):
        raise AssertionError("it is not called")

    assert refused("from_c::text", tensor(1))[0] == NOT_IMPLEMENTED
    recorded = tensor(1).requires_grad_()
    native_op("from_c::recorded() -> Tensor", replace=True)(lambda: recorded * 2)
    assert "detach the result" in refused("from_c::recorded")[1]


def test_tensors_are_given_back_whatever_comes_of_a_call():
    for args, fits in (((2.0,), True), (("text",), False), ((float("nan"),), False)):
        memory = np.ones(3)
        found = weakref.ref(memory)
        x = opwright.from_numpy(memory)
        del memory
        if fits:
            assert call("from_c::scaled", x, *args)[0].tolist() == [2, 2, 2]
        else:
            refused("from_c::scaled", x, *args)
        del x
        gc.collect()
        assert found() is None


# `ctypes` releases the GIL, which PyO3 does not see.
def test_c_is_called_by_a_function_that_a_graph_calls():
    @native_op("from_c::around(Tensor x) -> Tensor")
    def around(x):
        assert refused("from_c::scaled", x, float("nan"))[0] == VALUE_ERROR
        return call("from_c::scaled", x, 2.0)[0]

    around.meta(lambda x: x)
    given = opwright.TensorType("float64", (2,))()
    (found,) = opwright.function([given], [around(given)])(tensor(1.0, 2.0))
    assert found.tolist() == [2.0, 4.0]


def test_threads_call_at_once():
    def work(number, results):
        for _ in range(100):
            (found,) = call("from_c::scaled", tensor(1, 2), float(number))
            results.append(found.tolist() == [number, 2 * number])

    results = []
    threads = [threading.Thread(target=work, args=(it, results)) for it in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 600


C_PROGRAM = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <pthread.h>

typedef struct ow_value {
    int32_t kind;
    size_t len;
    union {
        bool truth;
        int64_t integer;
        double real[2];
        const char *text;
        void *tensor;
        const struct ow_value *items;
    } as;
} ow_value;
typedef int32_t ow_call_fn(
    const char *, const ow_value *, size_t, ow_value *, size_t, char *, size_t);

static ow_call_fn *call;
static double found;
static int32_t codes[2];
static char message[100];

static void *work(void *unused)
{
    ow_value args[] = {{.kind = 3, .as.real = {2.5}}, {.kind = 2, .as.integer = 4}}, result;
    codes[0] = call("from_c::product", args, 2, &result, 1, message, sizeof message);
    found = result.kind == 3 ? result.as.real[0] : -1;
    args[1].as.integer = -1;
    codes[1] = call("from_c::product", args, 2, &result, 1, message, sizeof message);
    return unused;
}

/* From a thread that Python knows nothing of. */
int run(ow_call_fn *function)
{
    pthread_t thread;
    call = function;
    if (pthread_create(&thread, NULL, work, NULL)) return 1;
    pthread_join(thread, NULL);
    return codes[0] != 0 || found != 10.0 || codes[1] != 2;
}
const char *text(void) { return message; }
"""


def test_a_thread_of_c_calls_an_operator_of_python(tmp_path):
    source, library = tmp_path / "calls.c", tmp_path / "calls.so"
    source.write_text(C_PROGRAM)
    try:
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-lpthread"], check=True
        )
    except FileNotFoundError:
        pytest.skip("there is no C compiler")
    script = f"""
        import ctypes, opwright
        from opwright.extending import native_op

        @native_op("from_c::product(float x, int n) -> float")
        def product(x, n):
            if n < 0:
                raise ValueError("negative")
            return x * n

        program = ctypes.CDLL({str(library)!r})
        program.text.restype = ctypes.c_char_p
        call = ctypes.CDLL(opwright._C.__file__).ow_call
        print(program.run(ctypes.cast(call, ctypes.c_void_p)), program.text().decode())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True
    )
    assert done.stdout == "0 from_c::product(): negative\n", done
