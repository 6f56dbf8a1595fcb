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


def run(code: str, **environment: str) -> str:
    """What a program prints that ends well."""
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)]
    variables = {**os.environ, **environment}
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=variables
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


# The module has other names and the function other parameters from Python 3.12 on, which itself
# refuses to import a module like ours in an interpreter that has a lock of its own.
SUBINTERPRETERS = """
    import sys

    if sys.version_info >= (3, 13):
        import _interpreters as interpreters
        KINDS = [{"config": "legacy"}, {"config": "isolated"}]
    else:
        import _xxsubinterpreters as interpreters
        KINDS = [{"isolated": False}, {"isolated": True}]

    def other(code):
        said = []
        for kind in KINDS:
            new = interpreters.create(**kind)
            try:
                failed = interpreters.run_string(new, code)
                said.append("nothing" if failed is None else failed.formatted)
            except Exception as error:
                said.append(str(error))
            finally:
                interpreters.destroy(new)
        assert all("ImportError" in it for it in said), said
        return said[0]
"""


def test_a_subinterpreter_is_told_to_use_another_process() -> None:
    code = """
        import threading
        import opwright

        class Image(opwright.Tensor):
            pass

        before, image = opwright.ones(3), Image([1.0])
        def check():
            said = other("import opwright")
            assert "opwright cannot be imported in a sub-interpreter" in said, said
            other("import opwright.nn")
            assert type(opwright.add(before, 1)) is opwright.Tensor
            assert type(opwright.add(image, 1)) is Image
            assert opwright.zeros(2, dtype=opwright.int8, device="cpu").tolist() == [0, 0]
        check()
        threads = [threading.Thread(target=check) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print("done")
    """
    assert run(textwrap.dedent(SUBINTERPRETERS) + textwrap.dedent(code)) == "done\n"


def test_a_subinterpreter_that_is_first_does_no_harm() -> None:
    code = """
        assert "sub-interpreter" in other("import opwright")
        import opwright
        print(opwright.add(opwright.ones(2), 1).tolist())
    """
    assert run(textwrap.dedent(SUBINTERPRETERS) + textwrap.dedent(code)) == "[2.0, 2.0]\n"


def test_a_second_import_is_that_of_the_same_module() -> None:
    code = """
        import gc, pickle, sys
        import opwright

        class Image(opwright.Tensor):
            pass

        tensor, image, first = opwright.arange(3), Image([1.0]), opwright
        parameter = opwright.nn.Parameter(opwright.ones(1))
        text = pickle.dumps([tensor, opwright.float32, opwright.add])

        def purge(wanted):
            for name in list(sys.modules):
                if wanted(name):
                    del sys.modules[name]

        for wanted in (
            lambda it: it.partition(".")[0] == "opwright",
            lambda it: it in ("opwright", "opwright._C"),
            lambda it: it == "opwright._C",
            lambda it: it.startswith("opwright._"),
            lambda it: it == "opwright",
        ):
            purge(wanted)
            gc.collect()
            import opwright
            import opwright.nn.functional as functional
            from opwright import _C
            assert opwright.Tensor is first.Tensor and opwright.Size is first.Size
            assert opwright.float32 is first.float32
            assert _C.TensorBase is first._C.TensorBase
            assert isinstance(parameter, opwright.nn.Parameter)
            assert type(opwright.add(tensor, 1)) is type(tensor) is opwright.Tensor
            assert type(opwright.add(image, 1)) is Image
            assert (opwright.ones(3) + tensor).tolist() == [1, 2, 3]
            assert functional.relu(image).tolist() == [1]
            assert isinstance(tensor.shape, opwright.Size)
            assert isinstance(opwright.max(tensor, 0), opwright.return_types.max)
            loaded, dtype, function = pickle.loads(text)
            assert loaded.tolist() == [0, 1, 2] and dtype is tensor.new_tensor(1.0).to(dtype).dtype
            assert function(loaded, tensor).tolist() == [0, 2, 4]
        import importlib
        importlib.reload(opwright)
        assert type(opwright.add(tensor, 1)) is first.Tensor
        print("done")
    """
    assert run(code) == "done\n"


@pytest.mark.parametrize(
    ("variables", "expected", "ignored"),
    [
        ({"OMP_NUM_THREADS": "3"}, "3", []),
        ({"OMP_NUM_THREADS": " 3, 2 "}, "3", []),
        ({"OPWRIGHT_NUM_THREADS": "5"}, "5", []),
        ({"OPWRIGHT_NUM_THREADS": "5", "OMP_NUM_THREADS": "3"}, "5", []),
        ({"OPWRIGHT_NUM_THREADS": "5", "OMP_NUM_THREADS": "many"}, "5", []),
        ({"OPWRIGHT_NUM_THREADS": "many", "OMP_NUM_THREADS": "3"}, "3", ["OPWRIGHT"]),
        ({"OPWRIGHT_NUM_THREADS": "0", "OMP_NUM_THREADS": "-1"}, "machine", ["OPWRIGHT", "OMP"]),
        ({"OPWRIGHT_NUM_THREADS": "", "OMP_NUM_THREADS": "1e3"}, "machine", ["OMP"]),
        ({"OPWRIGHT_NUM_THREADS": " ", "OMP_NUM_THREADS": ""}, "machine", []),
        ({"OMP_NUM_THREADS": "9" * 30}, "machine", ["OMP"]),
        ({}, "machine", []),
    ],
    ids=str,
)
def test_the_environment_says_how_many_threads(
    variables: dict[str, str], expected: str, ignored: list[str]
) -> None:
    code = """
        import os, warnings
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            import opwright
        for warning in seen:
            assert warning.category is UserWarning
            assert "is not a positive number of threads" in str(warning.message)
        print(",".join(str(it.message).partition("_NUM_THREADS is ignored")[0] for it in seen))
        # It was asked when the module was imported.
        os.environ["OPWRIGHT_NUM_THREADS"] = "17"
        print(opwright.get_num_threads(), len(os.sched_getaffinity(0)))
        opwright.set_num_threads(2)
        assert opwright.get_num_threads() == 2
        opwright.ones(2_000_000).exp()
    """
    unset = {"OPWRIGHT_NUM_THREADS": "", "OMP_NUM_THREADS": ""}
    warned, counts = run(code, **{**unset, **variables}).splitlines()
    said, machine = counts.split()
    assert warned == ",".join(ignored)
    assert said == (machine if expected == "machine" else expected)
