"""A child of a fork does what its parent did, whatever other threads of that were at."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest
from trials import every

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

# What a thread does, over and over, while the process forks; and what the child does then. `big` is
# what a pass takes milliseconds to add to, `small` what it takes microseconds.
WORK = {
    "adds to a large gradient": (
        "big_sum.backward(big_ones, retain_graph=True)",
        "big.grad; big.requires_grad; big.is_leaf; big[:3] * 2; (big[:4] * 2).sum().backward()",
    ),
    "adds to a small gradient": (
        "(small * 2).sum().backward()",
        "small.grad; (small * 2).sum().backward(); small.retains_grad; small.register_hook(print)",
    ),
    "leaves the gradient of a result": (
        "middle.sum().backward(retain_graph=True)",
        "middle.grad; middle.sum().backward(retain_graph=True); middle.grad_fn._saved_self",
    ),
    "takes gradients of gradients": (
        "grad((small ** 3).sum(), small, create_graph=True)[0].sum().backward()",
        "grad((small ** 3).sum(), small, create_graph=True)[0].sum().backward()",
    ),
    "hooks": (
        "h = middle.register_hook(lambda g: g * 1); middle.sum().backward(retain_graph=True); "
        "h.remove()",
        "middle.register_hook(lambda g: g * 1); middle.sum().backward(retain_graph=True)",
    ),
    "draws": (
        "o.rand(10)",
        "o.rand(10); o.manual_seed(1); o.initial_seed(); o.default_generator.get_state()",
    ),
    "plans transforms": ("o.fft.fft(o.ones(next(primes)))", "o.fft.fft(o.ones(7)); o.rand(1)"),
    "sets a shared variable": (
        "shared.set_value(big_ones.data)",
        "shared.get_value(borrow=True); shared.set_value(big_ones[:3])",
    ),
    "prints": ("o.set_printoptions(precision=3); repr(small)", "o.set_printoptions(); repr(small)"),
    "builds graphs": (
        "v = vector('v'); o.function([v], (v * 2).sum())",
        "v = vector('v'); o.function([v], (v * 2).sum())(small.detach())",
    ),
    "allocates": ("o.ones(300_000) + 1", "o.ones(300_000) + 1"),
}

SETUP = """
    import itertools, os, signal, threading, time, warnings
    import opwright as o
    from opwright.autograd import grad

    warnings.simplefilter("ignore")
    vector = o.TensorType("float32", (None,))
    o.set_num_threads(2)
    big = o.ones(3_000_000, requires_grad=True)
    big_ones = o.ones(3_000_000)
    big_sum = big * 1
    small = o.ones(3, requires_grad=True)
    middle = small * small
    middle.retain_grad()
    primes = itertools.cycle([100_003, 100_019, 100_043, 100_049, 100_057, 100_069])
    shared = o.shared(big_ones.clone())
"""

FORKS = """
    stop = threading.Event()
    def work():
        while not stop.is_set():
            WORK
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    for number in range(COUNT):
        time.sleep(0.001 + number % 7 * 0.001)
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            try:
                CHILD
            except BaseException as error:
                print(repr(error), flush=True)
                os._exit(3)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status != signal.SIGALRM, f"child {number} hangs"
        assert status == 0, (number, status)
    stop.set()
    thread.join()
    print("done")
"""


@pytest.mark.parametrize("name", WORK)
@pytest.mark.timeout(600)
def test_a_child_of_a_fork_never_hangs(name: str) -> None:
    work, child = WORK[name]
    count = 20 if every(otherwise=10) > 1 else 300
    forks = FORKS.replace("WORK", work).replace("CHILD", child).replace("COUNT", str(count))
    code = textwrap.dedent(SETUP) + textwrap.dedent(forks)
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert (result.stdout, result.returncode) == ("done\n", 0), result.stderr


def test_who_reads_a_gradient_does_not_wait_for_who_adds_to_it() -> None:
    code = textwrap.dedent(SETUP) + textwrap.dedent("""
        import sys
        large = o.ones(30_000_000, requires_grad=True)
        ones = o.ones(30_000_000)
        result = large * 1
        result.backward(ones, retain_graph=True)
        start = time.perf_counter()
        result.backward(ones, retain_graph=True)
        whole = time.perf_counter() - start
        reads = 0
        def work():
            for _ in range(10):
                result.backward(ones, retain_graph=True)
        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            large.grad, large.requires_grad, large.is_leaf
            reads += 1
        # A reader that waits for each sum reads a few times a pass.
        assert reads > 1000, (reads, whole)
        print("done")
        """)
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert (result.stdout, result.returncode) == ("done\n", 0), result.stderr
