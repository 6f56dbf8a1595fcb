"""Calls an operator whose kernel panics: that is an exception, and the module goes on working."""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import my_ops


def last_is_negative(count: int) -> Any:
    """A tensor at whose last element the kernel panics."""
    x = my_ops.tensor([1.0] * count)
    x[-1] = -1.0
    return x


def call(count: int) -> None:
    """Calls it, with so many elements, and right after that with others."""
    x = last_is_negative(count)
    before = sys.getrefcount(x)
    try:
        my_ops.panicking(x)
    except RuntimeError as error:
        text = str(error)
    else:
        raise AssertionError("the panic was lost")
    assert text.startswith("panicking(): internal error: an element is negative"), text
    assert sys.getrefcount(x) == before
    assert my_ops.panicking(x[:-1]).shape == (count - 1,)


for count in (2, 300_000):
    call(count)

with ThreadPoolExecutor() as threads:
    for done in [threads.submit(call, 100_000) for _ in range(4)]:
        done.result()
