"""Functions of other libraries in compiled functions: the rows that `#[overload]` makes."""

import ctypes
import sys

import numpy as np
import pytest
from opwright import jit
from opwright.extending import operators, overload

_WORDS = ctypes.POINTER(ctypes.c_uint64)
_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_uint32, _WORDS, _WORDS, ctypes.c_void_p)
# Floats as they are, others as words, then room for results and a failure.
_DIRECT = ctypes.CFUNCTYPE(
    ctypes.c_uint32,
    ctypes.c_double,
    ctypes.c_uint64,
    ctypes.c_float,
    ctypes.c_uint64,
    _WORDS,
    ctypes.c_void_p,
)
_kept = []


def _address(function):
    _kept.append(function)
    return ctypes.cast(function, ctypes.c_void_p).value


class Library:
    """An object whose overloads are functions of C, as a module of Rust has them."""

    def __init__(self, *rows):
        self._opwright_overloads_ = []
        for signature, names, function, *direct in rows:
            words = _address(_FUNCTION(function))
            direct = _address(direct[0]) if direct else 0
            self._opwright_overloads_.append((signature, names, words, direct, "library.rs:1"))

    def __call__(self, *args):
        """Only compiled functions call it."""
        raise NotImplementedError


def real(word):
    return ctypes.c_double.from_buffer_copy(ctypes.c_uint64(word)).value


def bits(number):
    return ctypes.c_uint64.from_buffer_copy(ctypes.c_double(number)).value


def mean_of_reals(args, results, _):
    results[0] = bits((real(args[0]) + real(args[1])) / 2)
    return 0


def mean_of_integers(args, results, _):
    a, b = (ctypes.c_int64(args[at]).value for at in range(2))
    results[0] = ctypes.c_uint64((a + b) // 2).value
    return 0


def split(args, results, _):
    number = real(args[0])
    results[0] = bits(number % 1)
    results[1] = int(number // 1)
    return 0


def failing(args, results, failed):
    text = b"no such number"
    written = (2).to_bytes(4, sys.byteorder) + len(text).to_bytes(4, sys.byteorder) + text
    ctypes.memmove(failed, written, len(written))
    return 1


mean = Library(
    ("float64(float64, float64)", ["a", "b"], mean_of_reals),
    ("int64(int64, int64)", ["a", "b"], mean_of_integers),
)
parts = Library(("Tuple((float64, int64))(float64)", ["x"], split))
fails = Library(("float64(float64)", ["x"], failing))


def test_the_overload_that_fits_is_called():
    @jit
    def f(a, b):
        return mean(a, b)

    assert f(1.0, 2.0) == 1.5
    assert f(-1, -4) == -3 and isinstance(f(1, 4), int)
    # What casts without loss is cast.
    assert f(1, 2.5) == 1.75
    assert f(True, 3) == 2
    assert mean in operators()


def test_arguments_by_name_and_loops():
    @jit
    def f(n):
        total = 0.0
        for _ in range(n):
            total = mean(total, b=1.0)
        return total

    assert f(3) == 0.875


def test_tuples():
    @jit
    def f(x):
        fraction, whole = parts(x)
        return whole, fraction

    assert f(2.25) == (2, 0.25)


def test_failures_are_raised_where_they_are_called():
    @jit
    def f(x):
        return fails(x)

    with pytest.raises(ValueError, match="no such number") as caught:
        f(1.0)
    (note,) = caught.value.__notes__
    assert note.startswith("in f, ") and "test_native_functions.py" in note


def test_what_does_not_fit_says_what_does():
    @jit
    def f(a):
        return mean(a, "text")

    with pytest.raises(TypeError, match=r"takes float64\(float64, float64\)|takes \(float64"):
        f(1.0)

    @jit
    def g(a):
        return mean(b=a, a=a)

    with pytest.raises(TypeError, match="takes, in this order: a, b"):
        g(1.0)


def test_others_of_the_user_come_beside():
    class Text:
        pass

    @overload(mean)
    def _(a, b):
        return None

    @jit
    def f(a, b):
        return mean(a, b)

    assert f(2.0, 4.0) == 3.0


_entered = []


def mixed_words(args, results, failed):
    _entered.append("words")
    narrow = ctypes.c_float.from_buffer_copy(ctypes.c_uint32(args[2] & 0xFFFFFFFF)).value
    return mixed(real(args[0]), args[1], narrow, args[3], results, failed)


def mixed_directly(*args):
    _entered.append("direct")
    return mixed(*args)


def mixed(x, count, narrow, flag, results, failed):
    if flag:
        return failing(None, results, failed)
    results[0] = bits(x * ctypes.c_int64(count).value + narrow)
    results[1] = ctypes.c_uint64(count - 1).value
    return 0


both = Library(
    (
        "Tuple((float64, int8))(float64, int8, float32, boolean)",
        ["x", "count", "narrow", "flag"],
        mixed_words,
        _DIRECT(mixed_directly),
    )
)


@pytest.mark.parametrize(
    ("backend", "entry"), [("vm", "words"), ("cranelift", "direct"), ("cc", "direct")]
)
def test_machine_code_passes_arguments_in_registers(backend, entry):
    @jit(backend=backend)
    def f(a, flag):
        total = 0.0
        for i in range(a.shape[0]):
            product, rest = both(1.5, a[i], np.float32(0.25), flag)
            total += product + rest
        return total

    a = np.array([2, -3, 127], np.int8)
    _entered.clear()
    assert f(a, False) == sum(1.5 * it + 0.25 + it - 1 for it in a.tolist())
    assert _entered == [entry] * 3
    with pytest.raises(ValueError, match="no such number") as caught:
        f(a, True)
    assert "test_native_functions.py" in caught.value.__notes__[0]
    # A failure leaves nothing behind.
    assert f(a[:1], False) == 4.25
