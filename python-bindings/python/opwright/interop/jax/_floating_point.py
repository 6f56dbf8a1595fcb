"""The floating-point environment of kernels: subnormal numbers are numbers.

XLA takes them for zeros in its threads, which kernels are not written for: a complex matrix that is
solved for may come out as zeros.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# `fenv_t` has at most this size on the platforms that there are.
_BYTES = 64


@contextmanager
def default_environment() -> Iterator[None]:
    """Have calls compute as outside of XLA."""
    found = _functions()
    if found is None:
        yield
        return
    get, set_, default = found
    before = (ctypes.c_char * _BYTES)()
    get(before)
    set_(default)
    try:
        yield
    finally:
        set_(before)


@cache
def _functions() -> tuple[Any, Any, Any] | None:
    """`fegetenv`, `fesetenv` and `FE_DFL_ENV` of the C library; None where it has others."""
    try:
        # Not `CDLL`, which would hand over to other threads in between.
        library = ctypes.PyDLL(None)
        get, set_ = library.fegetenv, library.fesetenv
    except (AttributeError, OSError, TypeError):
        return None
    try:
        default: Any = ctypes.byref(ctypes.c_char.in_dll(library, "_FE_DFL_ENV"))
    except ValueError:
        # What glibc and musl have.
        default = ctypes.c_void_p(-1)
    return get, set_, default
