"""What a call of a compiled function does besides running it: as little as can be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Any

import opwright
import pytest
from called_functions import CALLS
from opwright import jit


@pytest.mark.parametrize("name", CALLS)
def test_no_python_runs_on_a_hit(name: str) -> None:
    function, args, keywords, expected = CALLS[name]
    for _ in range(2):
        assert function(*args, **keywords) == expected
    seen = []

    def note(frame: Any, event: str, arg: Any) -> None:
        seen.append((event, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        function(*args, **keywords)
    finally:
        sys.setprofile(None)
    inner = [it for it in seen if not it[1].endswith("test_no_python_runs_on_a_hit")]
    assert inner == [], name


COUNTING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static long count;
long allocations(void) { return count; }

#define FORWARD(name, params, args)                             \\
    void *name params {                                         \\
        static void *(*real) params;                            \\
        if (!real) real = dlsym(RTLD_NEXT, #name);              \\
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);        \\
        return real args;                                       \\
    }

FORWARD(malloc, (size_t n), (n))
FORWARD(realloc, (void *p, size_t n), (p, n))
FORWARD(aligned_alloc, (size_t a, size_t n), (a, n))
"""


COUNTED = """
import ctypes, sys
sys.path[:0] = {path!r}
from called_functions import CALLS

allocations = ctypes.CDLL({library!r}).allocations
allocations.restype = ctypes.c_long
for name, (function, args, keywords, expected) in CALLS.items():
    for _ in range(10):
        assert function(*args, **keywords) == expected
    before = allocations()
    for _ in range(1000):
        function(*args, **keywords)
    print(name, allocations() - before, sep=": ")
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="needs cc on Linux")
def test_nothing_is_allocated_on_a_hit(tmp_path: Any) -> None:
    (tmp_path / "counting.c").write_text(COUNTING)
    library = str(tmp_path / "counting.so")
    subprocess.run(
        ["cc", "-O1", "-shared", "-fPIC", "-o", library, tmp_path / "counting.c", "-ldl"],
        check=True,
    )
    path = [os.path.dirname(__file__), os.path.dirname(os.path.dirname(opwright.__file__))]
    result = subprocess.run(
        [sys.executable, "-c", COUNTED.format(path=path, library=library)],
        env={**os.environ, "LD_PRELOAD": library},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    counts = dict(line.split(": ") for line in result.stdout.splitlines())
    assert counts.keys() == CALLS.keys()
    # The interpreter itself may ask for memory now and then, for the objects of results.
    assert {name: it for name, it in counts.items() if int(it) > 10} == {}


def test_arguments_are_bound_without_python() -> None:
    @jit
    def f(a, /, b, c=3, *, d=4):
        return ((a * 10 + b) * 10 + c) * 10 + d

    assert [f(1, 2), f(1, b=2), f(1, 2, 5), f(1, c=5, b=2, d=6), f(1, 2, d=7)] == [
        1234,
        1234,
        1254,
        1256,
        1237,
    ]
    for args, keywords in [
        ((), {}),
        ((1,), {}),
        ((1, 2, 3, 4), {}),
        ((1, 2), {"b": 3}),
        ((1, 2), {"e": 3}),
        ((), {"a": 1, "b": 2}),
    ]:
        with pytest.raises(TypeError):
            f(*args, **keywords)
