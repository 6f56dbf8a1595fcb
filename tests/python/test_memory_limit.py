"""What does not fit into memory is a `MemoryError`, never the end of the process."""

import subprocess
import sys
from pathlib import Path

import pytest
import trials

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory")

SCRIPT = Path(__file__).with_name("limited_calls.py")

# Operators of which it is known, by how their names begin, and why.
KNOWN: dict[str, str] = {}

START = """
import resource, signal
import opwright as o

class Alarm(BaseException):
    pass

def ring(*_):
    raise Alarm

# Threads have memory of their own.
o.set_num_threads(2)
o.ones(10_000_000).exp()
one = o.ones(1)
signal.signal(signal.SIGALRM, ring)
with open("/proc/self/statm") as statm:
    limit = int(statm.read().split()[0]) * resource.getpagesize() + (1 << 30)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
"""

REDUCTIONS = [
    *["sum", "mean", "std", "var", "prod", "max", "min", "amax", "amin", "aminmax"],
    *["all", "any", "norm", "nansum", "count_nonzero", "argmax", "argmin", "logsumexp"],
]


def run(code: str) -> str:
    """What a program prints that has little memory."""
    done = subprocess.run(
        [sys.executable, "-c", START + code], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{done.returncode} {done.stderr[-1000:]}"
    return done.stdout


def test_every_operator_lives_on_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPWRIGHT_TRIAL_SECONDS", "60")
    found = trials.failures(SCRIPT, str(trials.every(7)))
    assert not trials.unexpected(found, KNOWN), trials.unexpected(found, KNOWN)


def test_a_reduction_has_no_list_as_long_as_its_input() -> None:
    code = f"""
x = one.expand([2**31, 2**31])
for name in {REDUCTIONS}:
    function = getattr(x, name)
    arguments = [[0, 1]] if name == "logsumexp" else []
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        function(*arguments)
    except (Alarm, MemoryError, RuntimeError, OverflowError) as error:
        assert "internal error" not in str(error), (name, error)
    signal.setitimer(signal.ITIMER_REAL, 0)
print("done")
"""
    assert run(code) == "done\n"


@pytest.mark.parametrize(
    "call",
    [
        "x.dot(x)",
        "x.inner(x)",
        "x.matmul(x)",
        "o.nn.functional.linear(x, x)",
        "x.kthvalue(3)",
        "x.topk(3)",
        "x.sort()",
        "x.argsort()",
        "x.median()",
        "x.unique_consecutive()",
        "x.tolist()",
        "x.unbind()",
        "x.split(1)",
        "x.chunk(2**33)",
        "x.tensor_split(2**33)",
        "x.histc()",
        "o.fft.fft(x)",
        "o.fft.rfft(x)",
        "o.fft.fft(o.ones(3), 2**40)",
        "x.nonzero()",
        "x.repeat_interleave(2)",
        "o.histogram(one, bins=2**40)",
        "o.linalg.inv(one.expand([2**17, 2**17]))",
        "o.linalg.cholesky(one.expand([2**17, 2**17]))",
        "o.linalg.qr(one.expand([2**17, 2**17]))",
        "o.linalg.svd(one.expand([2**17, 2**17]))",
        "o.linalg.eigh(one.expand([2**17, 2**17]))",
        "o.linalg.solve(one.expand([2**17, 2**17]), one.expand([2**17]))",
        "o.cdist(one.expand([2**20, 3]), one.expand([2**20, 3]))",
        "o.einsum('ij,jk->ik', [one.expand([2**20, 3]), one.expand([3, 2**20])])",
        "one.expand([2**20, 2**20]) @ one.expand([2**20, 2**20])",
    ],
)
def test_what_is_too_large_is_an_error(call: str) -> None:
    code = f"""
x = one.expand([2**33])
signal.alarm(10)
try:
    {call}
except (MemoryError, Alarm):
    print("ended")
"""
    assert run(code) == "ended\n"


def test_a_transform_of_nothing_ends() -> None:
    code = "print(o.fft.fft(o.empty([0, 3]), 2**40).shape == (0, 2**40))"
    assert run(code) == "True\n"


def test_a_list_that_is_too_long_for_a_message_is_cut() -> None:
    code = """
try:
    one.split([7] * 10_000_000)
except RuntimeError as error:
    print(len(str(error)) < 100_000)
"""
    assert run(code) == "True\n"


@pytest.mark.parametrize("call", ["one[tuple(many)]", "one[tuple(many)] = 1", "o.cat(many)"])
@pytest.mark.parametrize("element", ["0", "None", "one", "np.ones(1)"])
def test_arguments_that_are_too_many_are_an_error(call: str, element: str) -> None:
    code = f"""
import numpy as np
many = [{element}] * 60_000_000
signal.alarm(60)
try:
    {call}
except (MemoryError, IndexError, TypeError, RuntimeError, Alarm) as error:
    assert "internal error" not in str(error), error
    print("ended")
"""
    assert run(code) == "ended\n"


def test_what_is_built_without_memory_is_an_error() -> None:
    left = ["0", "100000", "1000000", "10000000"] if trials.every(7) == 1 else ["300000"]
    script = Path(__file__).with_name("limited_builders.py")
    done = subprocess.run(
        [sys.executable, script, *left], capture_output=True, text=True, timeout=3600
    )
    assert done.stdout == "done\n", done.stdout + done.stderr[-2000:]
