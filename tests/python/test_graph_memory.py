"""Graphs without memory: building, gradients and functions raise `MemoryError`."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory")

SCRIPT = """
import resource, sys
import opwright as ow
from opwright import graph

def limit(megabytes):
    pages = int(open("/proc/self/statm").read().split()[0])
    most = pages * resource.getpagesize() + int(megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

x = ow.TensorType("float64", (None,))("x")
def chain(count):
    y = x
    for _ in range(count):
        y = ow.tanh(y)
    return y

# Whatever is made once is made.
ow.function([x], graph.grad(chain(3).sum(), x))
y = chain(2000).sum()
g = graph.grad(y, x)
what, megabytes = sys.argv[1], float(sys.argv[2])
limit(megabytes)
try:
    if what == "build":
        chain(1_000_000)
    elif what == "grad":
        kept = [graph.grad(y, x) for _ in range(1000)]
    else:
        kept = [ow.function([x], g) for _ in range(1000)]
except MemoryError:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("MemoryError")
"""


@pytest.mark.parametrize("megabytes", [0.25, 1, 3, 10, 24])
@pytest.mark.parametrize("what", ["build", "grad", "function"])
def test_what_has_no_memory_says_so(what, megabytes):
    """The process goes on."""
    command = [sys.executable, "-c", SCRIPT, what, str(megabytes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "MALLOC_ARENA_MAX": "1"})  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr[-600:])
    assert done.stdout == "MemoryError\n", done.stderr[-600:]
