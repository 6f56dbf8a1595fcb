"""Calls leave memory and reference counts where they were, of every operator there is."""

import contextlib
import ctypes
import gc
import os
import platform
import sys
import warnings
from collections.abc import Iterator

import opwright
import pytest
from bound_operators import Call, Operator, operators, right_call, wrong_calls

# So many right and so many wrong ones of each operator.
CALLS = int(os.environ.get("OPWRIGHT_CALLS", "10000"))

# What may stay: the interpreter keeps some objects for later. A leak shows in every call.
TOLERATED_OBJECTS = 200
TOLERATED_BYTES = 16_384

OPERATORS = list(operators())

# What many hold; of these a leak shows in the count of objects, or nowhere.
SHARED = (int, float, complex, str, type, type(None))


class Mallinfo2(ctypes.Structure):
    """What glibc says about its heap."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in [
            *["arena", "ordblks", "smblks", "hblks", "hblkhd"],
            *["usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"],
        ]
    ]


def native_bytes() -> int:
    """What is allocated outside of Python's own pools; 0 where nobody can say."""
    if platform.libc_ver()[0] != "glibc":
        return 0
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo2
    info = mallinfo2()
    return info.uordblks + info.hblkhd


def counts(call: Call) -> list[int]:
    """The reference counts of arguments, and of what lists among them hold."""
    args, kwargs = call
    given = [*args, *kwargs.values()]
    inside = [it for one in given if isinstance(one, list | tuple) for it in one]
    # Small numbers and the like belong to everybody, so their counts say nothing.
    return [sys.getrefcount(it) for it in given + inside if not isinstance(it, SHARED)]


def repeat(operator: Operator, call: Call, times: int) -> None:
    """Calls again and again, and forgets what comes of it."""
    (args, kwargs), function = call, operator.function
    for _ in range(times):
        with contextlib.suppress(Exception):
            function(*args, **kwargs)


def left_by(operator: Operator, call: Call, times: int) -> tuple[int, int]:
    """How many objects and bytes calls leave."""
    gc.collect()
    blocks, memory = sys.getallocatedblocks(), native_bytes()
    repeat(operator, call, times)
    grown = native_bytes() - memory
    gc.collect()
    return sys.getallocatedblocks() - blocks, grown


def check(operator: Operator, call: Call, times: int) -> None:
    """Fails if calls keep anything."""
    repeat(operator, call, 20)
    references = counts(call)
    kept, grown = left_by(operator, call, times)
    if kept > TOLERATED_OBJECTS:
        # The interpreter may have made room for objects just now; a leak shows again.
        kept, _ = left_by(operator, call, times)
    assert counts(call) == references, "reference counts of the arguments changed"
    assert kept <= TOLERATED_OBJECTS, f"{times} calls left {kept} objects"
    # What works in place can add dimensions.
    own = 64 * sum(it.ndim for it in call[0] if isinstance(it, opwright.Tensor))
    assert grown <= TOLERATED_BYTES + own, f"{times} calls left {grown} bytes"


@pytest.fixture(autouse=True)
def undisturbed() -> Iterator[None]:
    """No warnings, which are remembered by their place, and short collections of garbage."""
    # What is there already is not looked at each time.
    gc.freeze()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    gc.unfreeze()


# Samples have no classes of tensors; tests/python/test_tensor_types.py passes them.
@pytest.mark.parametrize(
    "operator", [it for it in OPERATORS if it.name != "set_default_tensor_type"], ids=str
)
def test_right_calls_keep_nothing(operator: Operator) -> None:
    calls = [right_call(operator, overload) for overload in operator.overloads]
    found = [it for it in calls if it is not None]
    assert found, "no right call was found; `opwright.testing._samples` lacks a fitting value"
    for call in found:
        check(operator, call, -(-CALLS // len(found)))


@pytest.mark.parametrize("operator", OPERATORS, ids=str)
def test_wrong_calls_keep_nothing(operator: Operator) -> None:
    calls = wrong_calls(operator)
    for call in calls:
        with pytest.raises(TypeError, match=r"\w+\(\)|expected 1 argument"):
            operator.function(*call[0], **call[1])
        check(operator, call, -(-CALLS // len(calls)))
