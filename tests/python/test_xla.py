"""Calls by compiled programs of XLA, in its C structures; test_interop_jax.py has XLA itself."""

import ctypes
import threading
from contextlib import nullcontext

import numpy as np
import opwright as ow
import pytest
from opwright import _C
from opwright.extending import native_op

_DTYPES = {
    "bool": 1, "int8": 2, "int16": 3, "int32": 4, "int64": 5, "uint8": 6, "uint16": 7, "uint32": 8,
    "uint64": 9, "float16": 10, "float32": 11, "float64": 12, "complex64": 15, "complex128": 18,
}  # fmt: skip

_pointer, _size, _int64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64
_UNKNOWN_DTYPE = 99
# The kinds of calls that stay prepared at least, and more than do at most.
_KEPT, _MANY = 1 << 12, 1 << 14
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


class _Version(_Base):
    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int)]


class _ErrorArguments(_Base):
    _fields_ = [("message", ctypes.c_char_p), ("code", ctypes.c_int)]


_MakeError = ctypes.CFUNCTYPE(_pointer, ctypes.POINTER(_ErrorArguments))


class _Api(_Base):
    _fields_ = [("version", _Version), ("internal", _pointer), ("make_error", _MakeError)]


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", _size), ("version", _Version), ("traits", ctypes.c_uint32)]


class _MetadataExtension(ctypes.Structure):
    _fields_ = [
        ("struct_size", _size), ("type", ctypes.c_int), ("next", _pointer), ("metadata", _pointer)
    ]  # fmt: skip


_ERROR = 1234
_INVALID_ARGUMENT, _UNIMPLEMENTED, _INTERNAL = 3, 12, 13


class _Program:
    """One call of a program: arrays that it passes, and arrays for results."""

    def __init__(self, call, inputs, outputs, out=b"", extension=None, attributes=2):
        self.error, self.buffers = None, []
        api = _Api(make_error=_MakeError(self._keep_error))
        self._kept = [inputs, outputs, api]
        texts = [_Text(it, len(it)) for it in (call, out)]
        self.frame = _Frame(
            ctypes.sizeof(_Frame), extension, ctypes.addressof(api), None, 3,
            self._buffers(inputs), self._buffers(outputs),
            _Attributes(0, None, attributes, None, None, self._addresses(texts)),
        )  # fmt: skip

    def _keep_error(self, arguments):
        self.error = arguments.contents.message.decode(), arguments.contents.code
        return _ERROR

    def _buffers(self, arrays):
        buffers = []
        for it in arrays:
            dims = (_int64 * it.ndim)(*it.shape)
            self._kept.append(dims)
            number = _DTYPES.get(it.dtype.name, _UNKNOWN_DTYPE)
            at = ctypes.addressof(dims)
            buffers.append(_Buffer(0, None, number, it.ctypes.data, it.ndim, at))
        self.buffers += buffers
        return _Buffers(0, None, len(arrays), None, self._addresses(buffers))

    def _addresses(self, structures):
        addresses = (_pointer * len(structures))(*map(ctypes.addressof, structures))
        self._kept += [structures, addresses]
        return ctypes.addressof(addresses)


class _Handler:
    """What programs call, and the calls that nobody had prepared."""

    def __init__(self, minor=3):
        self.unprepared = []
        self._prepare = None
        kind = ctypes.CFUNCTYPE(_pointer, _pointer)
        self._function = kind(_C._xla_handler(self._run, minor))

    def _run(self, *arguments):
        self.unprepared.append(arguments[0])
        if self._prepare:
            self._prepare(*arguments)

    def __call__(self, program):
        return self._function(ctypes.addressof(program.frame))

    def prepared(self, prepare, program):
        """Make a call a second time, which is prepared the first time."""
        self._prepare = lambda *_: prepare()
        assert self(program) is None
        self._prepare = None
        self.unprepared.clear()
        assert self(program) is None

    def operator(self, overload, arguments, inputs, outputs, out=b""):
        """Make a prepared call of an overload."""
        program = _Program(overload.name.encode(), inputs, outputs, out)
        self.prepared(lambda: _C._prepare_xla_call(overload, arguments), program)
        return not self.unprepared


@pytest.fixture
def handler():
    return _Handler()


def x(*shape, dtype="float32"):
    return np.asarray(np.arange(np.prod(shape)).reshape(shape) / 4 + 1, dtype)


def test_a_prepared_call_runs_without_the_function(handler):
    given, found = x(2, 3), np.zeros((2, 3), "float32")
    arguments = {"self": {"tensor": 0}, "beta": 2.0}
    assert handler.operator(ow.ops.softplus.default, arguments, [given], [found])
    np.testing.assert_allclose(found, np.logaddexp(given * 2, 0) / 2, rtol=1e-6)


def test_other_calls_go_to_the_function(handler):
    relu, arguments = ow.ops.relu.default, {"self": {"tensor": 0}}
    assert handler.operator(relu, arguments, [x(2)], [x(2)])
    others = [
        _Program(b"nobody prepared this", [x(2)], [x(2)]),
        _Program(b"relu", [x(3)], [x(3)]),
        _Program(b"relu", [x(2, 1)], [x(2, 1)]),
        _Program(b"relu", [x(2, dtype="float64")], [x(2, dtype="float64")]),
        _Program(b"relu", [x(2)], [x(2)], out=b"relu.out"),
    ]
    for it in others:
        assert handler(it) is None
    assert handler.unprepared == ["nobody prepared this", "relu", "relu", "relu", "relu"]


@pytest.mark.parametrize("dtype", [*_DTYPES, "bfloat16"])
def test_the_function_gets_tensors_over_the_memory_of_the_program(handler, dtype):
    given = np.array([[0, 1, 1], [1, 0, 1]], "uint16" if dtype == "bfloat16" else dtype)
    found, taken = np.zeros((0, 2), given.dtype), []
    handler._prepare = lambda *arguments: taken.extend(arguments)
    program = _Program(b"f", [given, given[1:, :1].reshape(())], [found], b"f.out")
    if dtype == "bfloat16":
        for it in program.buffers:
            it.dtype = 16
    assert handler(program) is None
    call, out, (one, other), (result,) = taken
    assert (call, out) == ("f", "f.out")
    assert one.dtype is other.dtype is result.dtype is getattr(ow, dtype)
    assert (tuple(one.shape), tuple(other.shape), tuple(result.shape)) == ((2, 3), (), (0, 2))
    assert (one.data_ptr(), one.is_contiguous()) == (given.ctypes.data, True)
    assert type(one) is type(result) is ow.Tensor
    if dtype != "bfloat16":
        np.testing.assert_array_equal(one.numpy(), given)
    taken.clear()


def test_hooks_keep_nothing_that_xla_takes_back(handler):
    given, kept = x(3), []
    handler._prepare = lambda _call, _out, inputs, _outputs: kept.extend(inputs)
    for hooks in (nullcontext(), ow.autograd.graph.saved_tensors_hooks(kept.append, lambda it: it)):
        with hooks:
            assert handler(_Program(b"f", [given], [x(3)])) is None
    assert [it.data_ptr() == given.ctypes.data for it in kept] == [True, False]
    np.testing.assert_array_equal(kept[1].numpy(), given)


def test_the_version_of_the_interface_is_answered_without_the_function():
    for there, answered in ((1, 1), (3, 3), (7, 3)):
        metadata = _Metadata(traits=9)
        extension = _MetadataExtension(0, 1, None, ctypes.addressof(metadata))
        handler = _Handler(there)
        program = _Program(b"", [], [], extension=ctypes.addressof(extension), attributes=0)
        program.frame.api = None
        assert handler(program) is None
        assert (metadata.version.major, metadata.version.minor) == (0, answered)
        assert not metadata.traits and not handler.unprepared


class _OtherError(Exception):
    def __str__(self):
        raise KeyError


@pytest.mark.parametrize(
    ("raised", "text", "code"),
    [
        (ValueError("not here"), "ValueError: not here", _INVALID_ARGUMENT),
        (ow.linalg.LinAlgError("singular"), "LinAlgError: singular", _INVALID_ARGUMENT),
        (NotImplementedError(""), "NotImplementedError: ", _UNIMPLEMENTED),
        (KeyboardInterrupt(), "KeyboardInterrupt: ", _INTERNAL),
        (TypeError("a\0b \udc80"), "TypeError: a b ", _INVALID_ARGUMENT),
        (_OtherError(), "_OtherError: <exception str() failed>", _INTERNAL),
    ],
)
def test_what_the_function_raises_is_an_error_of_xla(handler, raised, text, code):
    def fail(*_):
        raise raised

    handler._prepare = fail
    program = _Program(b"f", [x(2)], [x(2)])
    assert handler(program) == _ERROR
    assert program.error[0].startswith(text) and program.error[1] == code
    with pytest.raises(RuntimeError, match="no program of XLA waits"):
        _C._prepare_xla_call(ow.ops.neg.default, {"self": {"tensor": 0}})


def test_what_is_no_call_of_ours_is_an_error(handler):
    for program, text in (
        (_Program(b"f", [x(2)], [], attributes=1), "other attributes"),
        (_Program(b"f", [np.zeros(1, "S3")], []), "a dtype that tensors have not"),
        (_Program(b"f", [], [np.zeros(1, "S3")]), "a dtype that tensors have not"),
    ):
        assert handler(program) == _ERROR
        assert text in program.error[0]
    assert not handler.unprepared
    with_other_extension = _MetadataExtension(0, 77, None, None)
    program = _Program(b"f", [], [], extension=ctypes.addressof(with_other_extension))
    assert handler(program) is None
    assert handler.unprepared == ["f"]


def test_a_call_that_fails_goes_to_the_function(handler):
    arguments = {"self": {"tensor": 0}, "dim": 0, "index": {"tensor": 1}}
    index, found = np.array([0, 4]), x(2)
    assert not handler.operator(ow.ops.index_select.default, arguments, [x(4), index], [found])
    index[1] = 3
    handler.unprepared.clear()
    assert handler(_Program(b"index_select", [x(4), index], [found])) is None
    assert not handler.unprepared
    np.testing.assert_array_equal(found, x(4)[[0, 3]])


def test_lists_and_several_results(handler):
    arguments = {"tensors": [{"tensor": 1}, {"tensor": 0}, {"tensor": 1}], "dim": 1}
    found = np.zeros((2, 7), "float32")
    assert handler.operator(ow.ops.cat.default, arguments, [x(2, 3), x(2, 2)], [found])
    np.testing.assert_array_equal(found, np.concatenate([x(2, 2), x(2, 3), x(2, 2)], 1))
    arguments = {"self": {"tensor": 0}, "dim": -1, "keepdim": False}
    values, at = np.zeros(2, "float32"), np.zeros(2, "int32")
    assert handler.operator(ow.ops.max.dim, arguments, [x(2, 3)], [values, at])
    assert (values.tolist(), at.tolist()) == (x(2, 3).max(-1).tolist(), [2, 2])
    arguments = {"self": {"tensor": 0}, "split_size": 2, "dim": 0}
    parts = [np.zeros(2, "float32"), np.zeros(1, "float32")]
    assert handler.operator(ow.ops.split.Tensor, arguments, [x(3)], parts)
    np.testing.assert_array_equal(np.concatenate(parts), x(3))


@pytest.mark.parametrize("dtype", _FEWER)
def test_results_of_fewer_bits(handler, dtype):
    found = np.zeros(4, _FEWER[dtype])
    arguments = {"self": {"tensor": 0}}
    assert handler.operator(ow.ops.clone.default, arguments, [x(4, dtype=dtype)], [found])
    np.testing.assert_array_equal(found, x(4, dtype=dtype).astype(_FEWER[dtype]))


def test_what_cannot_be_written_is_not_computed_twice_again(handler):
    clone, arguments = ow.ops.clone.default, {"self": {"tensor": 0}}
    large, found = np.array([0, -(1 << 31), 1 << 31]), np.zeros(3, "int32")
    assert not handler.operator(clone, arguments, [large], [found])
    large[:] = 0
    assert not handler.operator(clone, arguments, [large], [found])


def test_an_index_of_fewer_bits_is_widened(handler):
    arguments = {"self": {"tensor": 0}, "dim": 0, "index": {"int64": 1}}
    found, index = np.zeros(3, "float32"), np.array([3, 0, 3], "int32")
    assert handler.operator(ow.ops.index_select.default, arguments, [x(4), index], [found])
    np.testing.assert_array_equal(found, x(4)[[3, 0, 3]])


def test_results_are_written_in_place(handler):
    given, found = x(5, 5, dtype="float64"), np.zeros((5, 5))
    arguments = {"self": {"tensor": 0}, "out": {"output": 0}}
    assert handler.operator(ow.ops.exp.out, arguments, [given], [found], out=b"exp.out")
    np.testing.assert_allclose(found, np.exp(given))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1)])
@pytest.mark.parametrize("dtype", [it for it in _DTYPES if it != "bool"])
def test_shapes_and_dtypes(handler, shape, dtype):
    given, found = x(*shape, dtype=dtype), np.zeros(shape, dtype)
    arguments = {"self": {"tensor": 0}, "other": {"tensor": 0}}
    assert handler.operator(ow.ops.mul.Tensor, arguments, [given], [found])
    np.testing.assert_array_equal(found, given * given)


def test_a_graph_is_called_as_an_operator_is(handler):
    given, by = (ow.TensorType("float64", (3,))() for _ in range(2))
    function = ow.function([given, by], [given * by, given.sum(), given])
    found = [np.zeros(3), np.zeros(()), np.zeros(3)]
    a, b = x(3, dtype="float64"), x(3, dtype="float64") * 2
    program = _Program(b"a graph", [a, b], found)
    handler.prepared(lambda: _C._prepare_xla_function(function), program)
    assert not handler.unprepared
    for it, expected in zip(found, (a * b, a.sum(), a), strict=True):
        np.testing.assert_allclose(it, expected)


def test_a_graph_that_does_not_fit_is_left_to_the_function(handler):
    given = ow.TensorType("float64", (3,))()
    function = ow.function([given], [given.view(-1)])
    for inputs, outputs in (([], [x(3)]), ([x(3, dtype="float64")], [x(2, dtype="float64")])):
        handler.prepared(
            lambda: _C._prepare_xla_function(function), _Program(b"other graph", inputs, outputs)
        )
        assert len(handler.unprepared) == 1


def test_threads_share_what_is_prepared(handler):
    found = np.zeros((4, 200), "float64")
    arguments = {"self": {"tensor": 0}, "dim": [0]}
    sum_ = ow.ops.sum.dim_IntList
    for at in range(200):
        given = x(at + 2, dtype="float64")
        assert handler.operator(sum_, arguments, [given], [np.zeros(())])

    def run(row):
        for at in range(200):
            result = row[at : at + 1].reshape(())
            handler(_Program(sum_.name.encode(), [x(at + 2, dtype="float64")], [result]))

    threads = [threading.Thread(target=run, args=(it,)) for it in found]
    for it in threads:
        it.start()
    for it in threads:
        it.join()
    expected = [x(at + 2, dtype="float64").sum() for at in range(200)]
    np.testing.assert_allclose(found, [expected] * 4)
    assert not handler.unprepared


class _Kinds:
    """Programs of one operator, each of which is a kind of its own, and that all were made once."""

    def __init__(self, handler, name):
        self._handler, self._name = handler, name

    def __call__(self, at):
        """Make a call of a kind, and return whether it was prepared."""
        before, found = len(self._handler.unprepared), x(2)
        assert self._handler(_Program(b"%s %d" % (self._name, at), [-x(2)], [found])) is None
        is_prepared = len(self._handler.unprepared) == before
        assert not is_prepared or not found.any()
        return is_prepared


@pytest.fixture
def relu(handler):
    """A handler that prepares whatever is new as a call of `relu`."""
    arguments = {"self": {"tensor": 0}}
    handler._prepare = lambda *_: _C._prepare_xla_call(ow.ops.relu.default, arguments)
    return handler


def test_new_kinds_take_the_place_of_those_that_are_no_longer_called(relu):
    kinds, used = _Kinds(relu, b"kind"), _Kinds(relu, b"used")
    used(0)
    for at in range(_MANY):
        assert not kinds(at)
        assert at % 1000 or used(0)
    assert all(kinds(at) for at in range(_MANY - _KEPT, _MANY))
    assert not kinds(0)
    assert kinds(0)


def test_a_call_that_is_refused_is_tried_again_when_it_is_forgotten(handler):
    clone, arguments = ow.ops.clone.default, {"self": {"tensor": 0}}
    large, found = np.array([1 << 31]), np.zeros(1, "int32")
    assert not handler.operator(clone, arguments, [large], [found])
    handler._prepare = lambda *_: _C._prepare_xla_call(clone, arguments)
    others = _Kinds(handler, b"beside a refusal")
    for at in range(_MANY):
        others(at)
    large[:] = 1
    assert handler.operator(clone, arguments, [large], [found])
    assert found.tolist() == [1]


def test_threads_go_on_while_kinds_are_forgotten(relu):
    rest = threading.Event()
    wrong = []

    def run(name):
        kinds, at = _Kinds(relu, name), 0
        while not rest.is_set():
            try:
                # Some that come again at once, later, and never.
                for it in (at, at, 0, at // 2):
                    kinds(it)
            except BaseException as error:
                wrong.append(error)
            at += 1

    threads = [threading.Thread(target=run, args=(b"thread %d" % it,)) for it in range(3)]
    for it in threads:
        it.start()
    kinds = _Kinds(relu, b"beside threads")
    for at in range(_MANY):
        kinds(at)
    rest.set()
    for it in threads:
        it.join()
    assert not wrong


def _graph(name, function):
    """A graph that calls a function of Python."""
    operator = native_op(f"xla::{name}(Tensor x) -> Tensor", replace=True)(function)
    operator.meta(lambda x: x)
    given = ow.TensorType("float32", (3,))()
    return ow.function([given], [operator(given) + given])


@pytest.fixture
def beneath(handler):
    """Run a function beneath a prepared call, which PyO3 calls Python for."""

    def run(function):
        def around(x):
            function()
            return x * 3

        # The handler has the only reference.
        graphs = [_graph("around", around)]
        before = handler._prepare
        handler._prepare = lambda *_: _C._prepare_xla_function(graphs.pop())
        found = np.zeros(3, "float32")
        program = _Program(b"a graph around %d" % id(function), [x(3)], [found])
        assert handler(program) is None
        handler._prepare = before
        handler.unprepared.clear()
        assert handler(program) is None
        assert not any("a graph around" in it for it in handler.unprepared)
        np.testing.assert_array_equal(found, x(3) * 4)
        return program

    return run


def test_a_call_ends_that_is_forgotten_while_it_runs(relu, beneath):
    kinds = _Kinds(relu, b"beneath a call")
    program = beneath(lambda: [kinds(at) for at in range(_MANY)])
    assert len(relu.unprepared) == _MANY
    relu(program)
    assert len(relu.unprepared) == _MANY + 1


# The GIL is released by `ctypes` and by XLA, which PyO3 does not see.
def test_programs_are_called_by_functions_that_pyo3_calls(handler, beneath):
    given, found = x(3), np.zeros(3, "float32")

    def half(x):
        if not x.any():
            raise ValueError("nothing to halve")
        return x / 2

    graph = _graph("half", half)

    def called():
        program = _Program(b"half", [given], [found])
        handler.prepared(lambda: _C._prepare_xla_function(graph), program)
        assert not handler.unprepared
        np.testing.assert_array_equal(found, given * 1.5)
        given[:] = 0
        assert handler(program) is None
        assert handler.unprepared == ["half"]

    beneath(called)


def test_what_cannot_be_prepared_is_told():
    with pytest.raises(TypeError, match="misses `other`"):
        _C._prepare_xla_call(ow.ops.add.Tensor, {"self": {"tensor": 0}})
    with pytest.raises(TypeError, match="empty place"):
        _C._prepare_xla_call(ow.ops.neg.default, {"self": {}})
    with pytest.raises(TypeError, match="str"):
        _C._prepare_xla_call(ow.ops.softplus.default, {"self": {"tensor": 0}, "beta": "2"})
    with pytest.raises(RuntimeError, match="no program of XLA waits"):
        _C._prepare_xla_call(ow.ops.neg.default, {"self": {"tensor": 0}})
    with pytest.raises(TypeError, match="Function"):
        _C._prepare_xla_function(ow.add)
