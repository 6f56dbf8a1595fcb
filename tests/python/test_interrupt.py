"""Ctrl-C ends an operator that takes long, and nothing else."""

import signal
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="signals are those of POSIX"
)

# From the signal to the exception; the limit is generous, as the machine may be busy.
LIMIT = 2.0

SETUP = """
import os, signal, subprocess, threading, time
import opwright

# What a shell starts in the background does not hear it.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupted(call):
    # How long after the signal the call ends, or None if it was not interrupted.
    # Another process sends it, since a thread would wait for a call that keeps Python's lock.
    start = time.perf_counter()
    sender = subprocess.Popen(["sh", "-c", f"sleep 0.2; kill -INT {os.getpid()}"])
    try:
        call()
    except KeyboardInterrupt:
        return time.perf_counter() - start - 0.2
    finally:
        sender.wait()
    time.sleep(0.1)
"""

# Each takes many seconds if it is left alone.
LONG = {
    "elements": "x = opwright.rand(2_000_000); loop = lambda: x.pow_(1.0001); n = 100_000",
    "one loop": "big = opwright.zeros(1).expand(10**11); loop = lambda: big.sum()",
    "a product": "m = opwright.rand(6000, 6000); loop = lambda: m @ m",
    "alone": "opwright.set_num_threads(1); m = opwright.rand(6000, 6000); loop = lambda: m @ m",
    "random numbers": "loop = lambda: opwright.randn(300_000_000)",
    "singular values": "m = opwright.rand(3000, 3000); loop = lambda: opwright.linalg.svd(m)",
    "eigenvalues": "m = opwright.rand(3000, 3000); loop = lambda: opwright.linalg.eigh(m)",
    "a determinant": "m = opwright.rand(4000, 4000); loop = lambda: opwright.linalg.det(m)",
    "a permutation": "loop = lambda: opwright.randperm(100_000_000)",
    "a product of integers": "m = opwright.ones(3000, 3000).long(); loop = lambda: m @ m",
    "copies side by side": "x = opwright.ones(25_000_000); loop = lambda: opwright.cat([x] * 40)",
    "repetitions": "x = opwright.ones(100); loop = lambda: x.repeat_interleave(10_000_000)",
    "equal neighbours": "x = opwright.zeros(1).expand(10**9); loop = x.unique_consecutive",
    "a median": "x = opwright.zeros(1).expand(2**33); loop = x.median",
    "numbers counted": "x = opwright.zeros(1).expand(2**34); loop = x.nanmedian",
    "long rows": "x = opwright.ones(1).expand(2, 2**34); loop = lambda: x @ x.t()",
    "rows of integers": "x = opwright.ones(1).int().expand(2, 2**34); loop = lambda: x @ x.t()",
    "a list": "x = opwright.zeros(1).expand(3 * 10**7); loop = x.tolist",
}


def run(code: str) -> str:
    """What a process of its own prints."""
    text = SETUP + textwrap.dedent(code)
    result = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stderr
    # An interrupt is no panic, so nothing is said about one.
    assert result.stderr == ""
    return result.stdout.strip()


@pytest.mark.parametrize("long", LONG.values(), ids=LONG.keys())
def test_a_long_call_ends_soon(long: str) -> None:
    took = run(f"n = 1; {long}\nprint(interrupted(lambda: [loop() for _ in range(n)]))")
    assert took != "None", "the call ran to its end"
    assert float(took) < LIMIT


def test_the_module_goes_on_working() -> None:
    code = """
        m = opwright.rand(5000, 5000)
        out = opwright.zeros(5000, 5000)
        assert interrupted(lambda: opwright.matmul(m, m, out=out)) is not None
        # Some elements are written, others are as they were; all can be read.
        assert out.shape == (5000, 5000) and bool((out >= 0).all())
        small = opwright.eye(300)
        assert opwright.equal(small @ small, small)
        assert interrupted(lambda: opwright.matmul(m, m, out=out)) is not None
        print(opwright.ones(1_000_000).sum().item())
    """
    assert run(code) == "1000000.0"


def test_a_handler_that_returns_interrupts_nothing() -> None:
    code = """
        seen = []
        def handler(*_):
            # A handler is Python code like other, and may call operators.
            seen.append(opwright.ones(1_000_000).sum().item())
        signal.signal(signal.SIGINT, handler)
        x = opwright.rand(3_000_000)
        def work():
            until = time.perf_counter() + 0.6
            while time.perf_counter() < until:
                x.pow_(1.0001)
        assert interrupted(work) is None
        print(seen)
    """
    assert run(code) == "[1000000.0]"


def test_what_a_handler_raises_arrives() -> None:
    code = """
        class Alarm(Exception): pass
        def handler(*_):
            raise Alarm("time is up")
        signal.signal(signal.SIGALRM, handler)
        m = opwright.rand(6000, 6000)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            m @ m
        except Alarm as error:
            print(error)
    """
    assert run(code) == "time is up"


def test_other_threads_are_not_interrupted() -> None:
    code = """
        m = opwright.rand(1200, 1200)
        whole = m @ m
        results = []
        other = threading.Thread(target=lambda: [results.append(m @ m) for _ in range(8)])
        big = opwright.rand(6000, 6000)
        other.start()
        assert interrupted(lambda: big @ big) is not None
        other.join()
        print(len(results), all(bool(opwright.equal(it, whole)) for it in results))
    """
    assert run(code) == "8 True"


# However many lanes, rows or matrices there are, they hold nothing.
NOTHING = [
    "empty(0, 2**40).cumsum(0)",
    "empty(0, 2**20, 2**20).cumprod(0)",
    "empty(0, 2**40).cummax(0).values",
    "empty(0, 2**40).cummin(0).indices",
    "empty(0, 2**40).logcumsumexp(0)",
    "empty(0, 2**40).sort(0).values",
    "empty(0, 2**40).argsort(0)",
    "empty(0, 2**40).msort()",
    "empty(2**40, 0).topk(0).values",
    "searchsorted(opwright.empty(2**40, 0), opwright.empty(2**40, 0))",
    "empty(2**40, 0).tril()",
    "empty(2**20, 2**20, 0).triu()",
    "fft.fft(opwright.empty(1, 2**40, 0), dim=1)",
    "linalg.qr(opwright.empty(2**40, 0, 0)).R",
    "linalg.eigh(opwright.empty(2**40, 0, 0)).eigenvalues",
    "linalg.svd(opwright.empty(2**40, 0, 0)).S",
]


@pytest.mark.parametrize("call", NOTHING)
def test_what_holds_no_elements_takes_no_time(call: str) -> None:
    assert run(f"signal.alarm(20)\nprint(opwright.{call}.numel())") == "0"
