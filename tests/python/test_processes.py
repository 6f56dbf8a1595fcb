"""Threads of kernels, threads of Python and forks do not wait for each other for ever."""

import os
import subprocess
import sys
import textwrap
import threading

import opwright
import pytest


def run_all(calls) -> None:
    """Runs calls at once, each in a thread; what one of them raises is raised."""
    errors = []

    def guarded(call):
        try:
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(it,), daemon=True) for it in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]


def test_parallel_kernels_and_threads_that_wait_for_the_lock() -> None:
    large = opwright.ones(3_000_000)
    small = opwright.ones(4)

    def with_kernels():
        for _ in range(20):
            assert large.exp().sum().item() > 8e6

    def with_the_lock():
        total = 0
        for _ in range(20_000):
            total += opwright.add(small, small).shape[0]
        assert total == 80_000

    def with_random_numbers():
        for _ in range(20):
            # The generator is shared by calls that hold the lock and calls that do not.
            opwright.rand(1_000_000)
            opwright.rand(3)

    def with_other_numbers_of_threads():
        for count in [1, 3, 2, 4] * 5:
            opwright.set_num_threads(count)
            large.sum()

    before = opwright.get_num_threads()
    try:
        run_all([with_kernels, with_the_lock, with_random_numbers] * 2)
        run_all([with_kernels, with_other_numbers_of_threads, with_random_numbers])
    finally:
        opwright.set_num_threads(before)


def test_more_threads_than_a_machine_can_have() -> None:
    before = opwright.get_num_threads()
    try:
        opwright.set_num_threads(2**62)
        assert opwright.ones(2_000_000).exp().sum().item() > 5e6
    finally:
        opwright.set_num_threads(before)


def test_a_kernel_in_a_finaliser() -> None:
    class Dying:
        def __del__(self) -> None:
            opwright.ones(200_000).sum()

    def work():
        for _ in range(200):
            Dying()
            opwright.ones(200_000).exp()

    run_all([work] * 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_child_works_after_a_fork(busy: bool) -> None:
    code = f"""
        import os, threading, time, warnings
        import opwright

        opwright.set_num_threads(3)
        warnings.simplefilter("ignore")
        large = opwright.ones(2_000_000)
        expected = large.exp().sum().item()
        stop = threading.Event()
        def work():
            while not stop.is_set():
                large.exp()
        if {busy}:
            threading.Thread(target=work, daemon=True).start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                # The pool of the parent is not here; a grandchild has another one again.
                ok = large.exp().sum().item() == expected
                grandchild = os.fork()
                if grandchild == 0:
                    os._exit(0 if large.exp().sum().item() == expected else 1)
                os._exit(0 if ok and os.waitpid(grandchild, 0)[1] == 0 else 1)
            assert os.waitpid(child, 0)[1] == 0
        stop.set()
        assert large.exp().sum().item() == expected
        print("done")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.stdout, result.returncode) == ("done\n", 0), result.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_pool_of_forked_processes() -> None:
    code = """
        import multiprocessing
        import opwright

        def work(n):
            return opwright.ones(n).sum().item()

        if __name__ == "__main__":
            opwright.ones(2_000_000).exp()
            with multiprocessing.get_context("fork").Pool(2) as pool:
                print(pool.map(work, [1_000_000, 10, 2_000_000]))
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.stdout == "[1000000.0, 10.0, 2000000.0]\n", result.stderr
