"""Calls by compiled programs of XLA, in its C structures; test_interop_jax.py has XLA itself."""

import ctypes
import threading

import numpy as np
import opwright as ow
import pytest
from opwright import _C

_DTYPES = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8,
    "uint64": 9, "float16": 10, "float32": 11, "float64": 12, "complex64": 15, "complex128": 18,
}  # fmt: skip

_pointer, _size, _int64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64
_FEWER = {"float64": "float32", "complex128": "complex64", "int64": "int32"}


class _Base(ctypes.Structure):
    _fields_ = [("struct_size", _size), ("extension", _pointer)]


class _Buffer(_Base):
    _fields_ = [("dtype", ctypes.c_int), ("data", _pointer), ("rank", _int64), ("dims", _pointer)]


class _Buffers(_Base):
    _fields_ = [("size", _int64), ("types", _pointer), ("buffers", _pointer)]


class _Text(ctypes.Structure):
    _fields_ = [("start", ctypes.c_char_p), ("length", _size)]


class _Attributes(_Base):
    _fields_ = [("size", _int64), ("types", _pointer), ("names", _pointer), ("values", _pointer)]


class _Frame(_Base):
    _fields_ = [
        ("api", _pointer), ("context", _pointer), ("stage", ctypes.c_int), ("arguments", _Buffers),
        ("results", _Buffers), ("attributes", _Attributes),
    ]  # fmt: skip


class _Program:
    """One call of a program: arrays that it passes, and arrays for results."""

    def __init__(self, call, inputs, outputs, out=b"", extension=None):
        self._kept = [inputs, outputs]
        texts = [_Text(it, len(it)) for it in (call, out)]
        self.frame = _Frame(
            ctypes.sizeof(_Frame), extension, None, None, 3,
            self._buffers(inputs), self._buffers(outputs),
            _Attributes(0, None, 2, None, None, self._addresses(texts)),
        )  # fmt: skip

    def _buffers(self, arrays):
        buffers = []
        for it in arrays:
            dims = (_int64 * it.ndim)(*it.shape)
            self._kept.append(dims)
            number = _DTYPES[it.dtype.name]
            at = ctypes.addressof(dims)
            buffers.append(_Buffer(0, None, number, it.ctypes.data, it.ndim, at))
        return _Buffers(0, None, len(arrays), None, self._addresses(buffers))

    def _addresses(self, structures):
        addresses = (_pointer * len(structures))(*map(ctypes.addressof, structures))
        self._kept += [structures, addresses]
        return ctypes.addressof(addresses)


class _Handler:
    """What programs call, and the frames that nobody had prepared."""

    def __init__(self):
        self.unprepared = []
        self.error = None
        kind = ctypes.CFUNCTYPE(_pointer, _pointer)
        self._function = kind(_C._xla_handler(self._run))

    def _run(self, address):
        self.unprepared.append(address)
        return self.error

    def __call__(self, program):
        return self._function(ctypes.addressof(program.frame))


@pytest.fixture
def handler():
    return _Handler()


def prepare(name, overload, arguments, out=b""):
    _C._prepare_xla_call(name, out, overload, arguments)


def x(*shape, dtype="float32"):
    return np.asarray(np.arange(np.prod(shape)).reshape(shape) / 4 + 1, dtype)


def test_a_prepared_call_runs_without_the_function(handler):
    prepare(b"softplus", ow.ops.softplus.default, {"self": {"tensor": 0}, "beta": 2.0})
    given, found = x(2, 3), np.zeros((2, 3), "float32")
    assert handler(_Program(b"softplus", [given], [found])) is None
    assert not handler.unprepared
    np.testing.assert_allclose(found, np.logaddexp(given * 2, 0) / 2, rtol=1e-6)


def test_other_calls_go_to_the_function(handler):
    handler.error = 1234
    program = _Program(b"nobody prepared this", [x(2)], [x(2)])
    assert handler(program) == 1234
    assert handler.unprepared == [ctypes.addressof(program.frame)]
    prepare(b"relu", ow.ops.relu.default, {"self": {"tensor": 0}})
    asks = _Program(b"relu", [x(2)], [x(2)], extension=1)
    assert handler(asks) == 1234
    assert len(handler.unprepared) == 2


def test_a_call_that_fails_goes_to_the_function(handler):
    prepare(b"add", ow.ops.add.Tensor, {"self": {"tensor": 0}, "other": {"tensor": 1}})
    assert handler(_Program(b"add", [x(2), x(3)], [x(2)])) is None
    assert len(handler.unprepared) == 1
    found = x(2)
    assert handler(_Program(b"add", [x(2), x(2)], [found])) is None
    assert len(handler.unprepared) == 1
    np.testing.assert_array_equal(found, x(2) * 2)


def test_lists_and_several_results(handler):
    places = [{"tensor": 1}, {"tensor": 0}, {"tensor": 1}]
    prepare(b"cat", ow.ops.cat.default, {"tensors": places, "dim": 1})
    found = np.zeros((2, 7), "float32")
    handler(_Program(b"cat", [x(2, 3), x(2, 2)], [found]))
    np.testing.assert_array_equal(found, np.concatenate([x(2, 2), x(2, 3), x(2, 2)], 1))
    prepare(b"max", ow.ops.max.dim, {"self": {"tensor": 0}, "dim": -1, "keepdim": False})
    values, at = np.zeros(2, "float32"), np.zeros(2, "int32")
    handler(_Program(b"max", [x(2, 3)], [values, at]))
    assert (values.tolist(), at.tolist()) == (x(2, 3).max(-1).tolist(), [2, 2])
    prepare(b"split", ow.ops.split.Tensor, {"self": {"tensor": 0}, "split_size": 2, "dim": 0})
    parts = [np.zeros(2, "float32"), np.zeros(1, "float32")]
    handler(_Program(b"split", [x(3)], parts))
    np.testing.assert_array_equal(np.concatenate(parts), x(3))
    assert not handler.unprepared


def test_results_of_fewer_bits(handler):
    for dtype, fewer in _FEWER.items():
        prepare(b"clone", ow.ops.clone.default, {"self": {"tensor": 0}})
        found = np.zeros(4, fewer)
        handler(_Program(b"clone", [x(4, dtype=dtype)], [found]))
        np.testing.assert_array_equal(found, x(4, dtype=dtype).astype(fewer))
    assert not handler.unprepared
    large = np.array([0, -(1 << 31), 1 << 31])
    handler(_Program(b"clone", [large], [np.zeros(3, "int32")]))
    assert len(handler.unprepared) == 1
    # Not tried again: what is computed twice is computed twice once.
    handler(_Program(b"clone", [x(4)], [x(4)]))
    assert len(handler.unprepared) == 2


def test_an_index_of_fewer_bits_is_widened(handler):
    arguments = {"self": {"tensor": 0}, "dim": 0, "index": {"int64": 1}}
    prepare(b"index_select", ow.ops.index_select.default, arguments)
    found = np.zeros(3, "float32")
    handler(_Program(b"index_select", [x(4), np.array([3, 0, 3], "int32")], [found]))
    np.testing.assert_array_equal(found, x(4)[[3, 0, 3]])
    assert not handler.unprepared


def test_results_are_written_in_place(handler):
    arguments = {"self": {"tensor": 0}, "out": {"output": 0}}
    prepare(b"exp", ow.ops.exp.out, arguments, out=b"exp.out")
    found = np.zeros((5, 5))
    handler(_Program(b"exp", [x(5, 5, dtype="float64")], [found], out=b"exp.out"))
    np.testing.assert_allclose(found, np.exp(x(5, 5, dtype="float64")))
    handler(_Program(b"exp", [x(5)], [np.zeros(5)]))
    assert len(handler.unprepared) == 1


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1)])
@pytest.mark.parametrize("dtype", [it for it in _DTYPES if it != "bool"])
def test_shapes_and_dtypes(handler, shape, dtype):
    prepare(b"neg", ow.ops.mul.Tensor, {"self": {"tensor": 0}, "other": {"tensor": 0}})
    given, found = x(*shape, dtype=dtype), np.zeros(shape, dtype)
    handler(_Program(b"neg", [given], [found]))
    assert not handler.unprepared
    np.testing.assert_array_equal(found, given * given)


def test_threads_share_what_is_prepared(handler):
    prepare(b"sum", ow.ops.sum.dim_IntList, {"self": {"tensor": 0}, "dim": [0]})
    found = np.zeros((4, 200), "float64")

    def run(row):
        for at in range(200):
            handler(_Program(b"sum", [x(at + 2, dtype="float64")], [row[at : at + 1].reshape(())]))

    threads = [threading.Thread(target=run, args=(it,)) for it in found]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    expected = [x(at + 2, dtype="float64").sum() for at in range(200)]
    np.testing.assert_allclose(found, [expected] * 4)
    assert not handler.unprepared


def test_what_cannot_be_prepared_is_told():
    with pytest.raises(TypeError, match="misses `other`"):
        prepare(b"x", ow.ops.add.Tensor, {"self": {"tensor": 0}})
    with pytest.raises(TypeError, match="empty place"):
        prepare(b"x", ow.ops.neg.default, {"self": {}})
    with pytest.raises(TypeError, match="str"):
        prepare(b"x", ow.ops.softplus.default, {"self": {"tensor": 0}, "beta": "2"})
