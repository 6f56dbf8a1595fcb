"""Memory that several have: views, arrays over it, other threads, children of the process."""

import ctypes
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opwright as o
import pytest
import trials

# Another tensor over the memory of one.
LENDERS: dict[str, Callable[[o.Tensor], o.Tensor]] = {
    "numpy": lambda x: o.from_numpy(x.numpy()),
    "dlpack": lambda x: o.from_dlpack(x),
    "buffer": lambda x: o.frombuffer(memoryview(x.reshape(-1)), dtype=x.dtype).reshape(x.shape),
}

# Calls that write to one tensor and read another, both over the elements 0 to 35.
WRITERS: dict[str, Callable[[o.Tensor, o.Tensor], Any]] = {
    "add_ of neighbours": lambda x, y: x[1:].add_(y[:-1]),
    "+= of neighbours": lambda x, y: o.add(x[:-1], y[1:], out=x[:-1]),
    "add_ of the transposed": lambda x, y: x.add_(y.T),
    "add_ of itself": lambda x, y: x.add_(y),
    "add(out=) of two": lambda x, y: o.add(y[1:], y[:-1], out=x[1:]),
    "mul_ of the reversed": lambda x, y: x.mul_(y.flip(0)),
    "copy_ of the transposed": lambda x, y: x.copy_(y.T),
    "assignment": lambda x, y: x.__setitem__(slice(1, None), y[:-1]),
    "where(out=)": lambda x, y: o.where(y.T > 3, y.T, y, out=x),
    "gather(out=)": lambda x, y: o.gather(y, 0, o.arange(36).reshape(6, 6) % 6, out=x),
    "scatter_": lambda x, y: x.scatter_(0, o.arange(36).reshape(6, 6) % 6, y.T),
    "scatter_add_": lambda x, y: x.scatter_add_(1, o.arange(36).reshape(6, 6) % 6, y.T),
    "index_put_": lambda x, y: x.index_put_((o.tensor([1, 2, 3, 4, 5]),), y[:-1]),
    "index_add_": lambda x, y: x.index_add_(0, o.tensor([1, 2, 3, 4, 5]), y[:-1]),
    "index_copy_": lambda x, y: x.index_copy_(0, o.tensor([1, 2, 3, 4, 5]), y[:-1]),
    "index_select(out=)": lambda x, y: o.index_select(y, 0, o.tensor([5, 0, 1, 2, 3, 4]), out=x),
    "take(out=)": lambda x, y: o.take(y, o.arange(35, -1, -1).reshape(6, 6), out=x),
    "masked_scatter_": lambda x, y: x.masked_scatter_(o.ones(6, 6, dtype=o.bool), y.T),
    "cat(out=)": lambda x, y: o.cat([y[3:], y[:3]], out=x),
    "cat(out=) of columns": lambda x, y: o.cat([y[:, 3:], y[:, :3]], 1, out=x),
    "stack(out=)": lambda x, y: o.stack([y[5], y[4], y[3], y[2], y[1], y[0]], out=x),
    "cumsum(out=)": lambda x, y: o.cumsum(y[:-1], 0, out=x[1:]),
    "cumprod(out=)": lambda x, y: o.cumprod(y[1:], 0, out=x[:-1]),
    "sum(out=)": lambda x, y: o.sum(y, 0, out=x[2]),
    "amax(out=)": lambda x, y: o.amax(y, 1, out=x[:, 1]),
    "mean(out=)": lambda x, y: o.mean(y, 0, out=x[0]),
    "sort(out=)": lambda x, y: o.sort(
        y.T, 1, out=(x, o.zeros(6, 6, dtype=o.int64)), descending=True
    ),
    "matmul(out=)": lambda x, y: o.matmul(y, y.T, out=x),
    "addmm(out=)": lambda x, y: o.addmm(y, y, y.T, out=x),
    "mv(out=)": lambda x, y: o.mv(y, y[0], out=x[1]),
    "softmax(out=)": lambda x, y: o.softmax(y.T, 1, out=x),
    "triu(out=)": lambda x, y: o.triu(y.T, out=x),
    "roll": lambda x, y: x.copy_(o.roll(y, 1, 0)),
}


def elements() -> o.Tensor:
    return o.arange(36, dtype=o.float64).reshape(6, 6) / 8


@pytest.mark.parametrize("lender", LENDERS)
@pytest.mark.parametrize("writer", WRITERS)
def test_memory_is_compared_whoever_it_belongs_to(lender: str, writer: str) -> None:
    write, lend = WRITERS[writer], LENDERS[lender]
    for own_is_written in (True, False):
        before, expected, own = elements(), elements(), elements()
        write(expected, before)
        one, other = (own, lend(own)) if own_is_written else (lend(own), own)
        try:
            write(one, other)
        except RuntimeError as error:
            assert "single memory location" in str(error)
            np.testing.assert_array_equal(own.numpy(), before.numpy())
        else:
            np.testing.assert_allclose(own.numpy(), expected.numpy())


def test_an_array_over_a_tensor_is_the_tensor() -> None:
    x = o.arange(8.0)
    with pytest.raises(RuntimeError, match="single memory location"):
        x[1:] += x.numpy()[:-1]
    assert x.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    x += x.numpy()
    assert x.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    square = o.arange(4.0).reshape(2, 2)
    with pytest.raises(RuntimeError, match="single memory location"):
        square += square.numpy().T
    y = o.from_dlpack(x)
    assert o.cumsum(x[:-1], 0, out=y[1:]).tolist() == [0, 2, 6, 12, 20, 30, 42]
    assert x.tolist() == [0, 0, 2, 6, 12, 20, 30, 42]


def run(code: str, timeout: float = 120) -> str:
    """What code prints in a process of its own, which must end by itself."""
    source = "import threading\nimport numpy as np\nimport opwright as o\n" + textwrap.dedent(code)
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=timeout, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_threads_that_read_fresh_memory_do_not_wait_for_each_other() -> None:
    assert (
        run("""
        for _ in range(3):
            big = o.empty(2**26)
            thread = threading.Thread(target=lambda: big.sum())
            thread.start()
            for _ in range(50):
                assert big[:2].sum().item() == 0
            thread.join()
        print("both")
    """)
        == "both\n"
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_reads_what_its_parent_was_reading() -> None:
    assert (
        run("""
        import os, signal, time
        big = o.empty(2**27)
        thread = threading.Thread(target=lambda: [big.sum() for _ in range(3)])
        thread.start()
        time.sleep(0.01)
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            os._exit(7 if big[:2].sum().item() == 0 else 1)
        _, status = os.waitpid(child, 0)
        thread.join()
        print(os.waitstatus_to_exitcode(status))
    """)
        == "7\n"
    )


def test_a_small_read_of_fresh_memory_leaves_the_rest_alone() -> None:
    makers = [
        "o.empty(2**27)",
        "o.empty_like(o.empty(2**27, device='meta'), device='cpu')",
        "o.ones(1).new_empty([2**27])",
        "o.empty_strided([2**26], [2])",
        "o.empty(0).resize_([2**27])",
        "o.empty(2**27, out=o.empty(0))",
    ]
    for maker in makers:
        assert (
            run(f"""
            import resource
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            big = {maker}
            assert big[:2].sum().item() == 0 and big[-1].item() == 0
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            print(used < 100_000)
        """)
            == "True\n"
        ), maker


@pytest.mark.parametrize("count", [4_000_000, 30_000_000])
def test_a_read_never_erases_what_is_being_written(count: int) -> None:
    assert (
        run(f"""
        count = {count}
        x = o.zeros(count)
        for make in [lambda: o.empty(count), lambda: o.empty(0).resize_([count])]:
            for _ in range(3):
                out = make()
                thread = threading.Thread(target=lambda: o.add(x, 1, out=out))
                thread.start()
                while thread.is_alive():
                    out[:1].tolist()
                    out[-1].item()
                thread.join()
                assert out.sum(dtype=o.float64).item() == count
        print("all")
    """)
        == "all\n"
    )


def test_no_memory_for_a_small_tensor_is_an_exception() -> None:
    makers = ["x[1:]", "o.add(x, x)", "x.reshape(2, 4)", "x[3]", "o.scalar_tensor(1.5)"]
    for maker in makers:
        assert (
            run(f"""
            import resource
            x = o.arange(8.0)
            kept = [None] * 20_000_000
            made = {maker}
            size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (size + (64 << 20), -1))
            refused = 0
            for index in range(len(kept)):
                try:
                    kept[index] = {maker}
                except MemoryError:
                    refused += 1
                    if refused == 5:
                        break
            del kept
            print(refused, ({maker}).sum().item() == made.sum().item())
        """)
            == "5 True\n"
        ), maker


class View(ctypes.Structure):
    """`DLTensor` of the C header."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class Managed(ctypes.Structure):
    """`DLManagedTensor` of the C header."""

    _fields_ = (("view", View), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


class Library:
    """An object of another library, whose capsule says what it is told to say."""

    def __init__(self, **fields: Any) -> None:
        self.elements = (ctypes.c_float * 4)(1, 2, 3, 4)
        self.managed = Managed(
            View(
                data=ctypes.addressof(self.elements),
                device=(1, 0),
                ndim=1,
                code=2,
                bits=32,
                lanes=1,
                shape=(ctypes.c_int64 * 2)(4, 1),
            )
        )
        for name, value in fields.items():
            setattr(self.managed.view, name, value)

    def __dlpack__(self) -> Any:
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        # The name has to outlive the capsule.
        self.name = ctypes.c_char_p(b"dltensor")
        return make(ctypes.addressof(self.managed), self.name, None)


def numbers(*values: int) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def test_a_capsule_that_tells_the_truth_is_taken() -> None:
    assert o.from_dlpack(Library()).tolist() == [1, 2, 3, 4]
    assert o.from_dlpack(Library(byte_offset=8, shape=numbers(2))).tolist() == [3, 4]
    turned = Library(byte_offset=12, strides=numbers(-1))
    assert o.from_dlpack(turned).tolist() == [4, 3, 2, 1]
    assert o.from_dlpack(Library(ndim=0, shape=None)).item() == 1
    assert o.from_dlpack(Library(ndim=2, shape=numbers(0, 5), data=None)).shape == (0, 5)


# What no capsule can say.
LIES: list[dict[str, Any]] = [
    {"shape": None},
    {"ndim": -1},
    {"ndim": -(2**31), "shape": None},
    {"ndim": 129},
    {"ndim": 2**31 - 1},
    {"byte_offset": 2**64 - 4},
    {"byte_offset": 2**63},
    {"byte_offset": 2},
    {"data": None},
    {"data": None, "byte_offset": 8},
    {"data": None, "strides": numbers(-1)},
    {"shape": numbers(-4)},
    {"ndim": 2, "shape": numbers(2**40, 2**40)},
    {"ndim": 2, "shape": numbers(2**40, 2**40), "strides": numbers(0, 0)},
    {"shape": numbers(2**62)},
    {"strides": numbers(2**60)},
    {"strides": numbers(2**62)},
    {"strides": numbers(-(2**60))},
    {"strides": numbers(-(2**63))},
    {"lanes": 2},
    {"lanes": 0},
    {"bits": 24},
    {"bits": 0},
    {"code": 3},
    {"code": 77},
    {"device": (2, 0)},
    {"device": (-1, 0)},
]


def is_refused(fields: dict[str, Any]) -> bool:
    """Whether a capsule is refused, by a function for capsules and by an operator."""
    refusals = 0
    for take in (o.from_dlpack, o.neg):
        try:
            take(Library(**fields))
        except (ValueError, RuntimeError, TypeError, OverflowError):
            refusals += 1
    return refusals == 2


def test_a_capsule_that_lies_is_refused() -> None:
    # In another process, as one that believed such a capsule would crash.
    folder = os.path.dirname(__file__)
    assert (
        run(f"""
        import sys
        sys.path.insert(0, {folder!r})
        from test_shared_memory import LIES, is_refused
        print([it for it in LIES if not is_refused(it)])
    """)
        == "[]\n"
    )


SCRIPT = Path(__file__).with_name("shared_calls.py")

# Calls of which it is known that they give something else, by how they begin, and why.
KNOWN = {
    "_foreach_": "a loop over the lists: what is written first is read afterwards",
    "Tensor._foreach_": "likewise",
    "_fused_": "likewise",
    "Tensor.set_(": "it gives the tensor the other's memory, and writes to none",
}


@pytest.mark.timeout(7200)
def test_every_operator_gives_what_it_gives_with_copies() -> None:
    found = trials.failures(SCRIPT, str(trials.every(10)))
    assert not trials.unexpected(found, KNOWN)
