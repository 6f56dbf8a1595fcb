"""Back ends of compiled functions: which one runs, what `stats` reports, and equal results."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opwright import jit, types

BACK_ENDS = ("vm", "cranelift", "cc")
STATM = Path("/proc/self/statm")


def mixed(a, n):
    total = 0.0
    for i in range(n):
        x = a[i % a.shape[0]]
        total = total + x * 0.1 if i % 3 != 0 else total - x / 3.0
    return total


def tier(function: Any) -> str:
    return str(function.stats.signatures[-1].tier)


def until(holds: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether something holds before so long has passed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a file, so that its functions have sources."""

    def start(source: str, **variables: str) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "script.py"
        file.write_text(textwrap.dedent(source))
        return subprocess.run(
            [sys.executable, str(file)],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return start


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_a_back_end_can_be_asked_for(back_end: str) -> None:
    f = jit(mixed, backend=back_end)
    a = np.arange(5.0)
    assert f(a, 10) == mixed(a, 10)
    row = f.stats.signatures[-1]
    assert row.tier == back_end
    assert row.refused == {}


def test_back_ends_give_the_same_bits() -> None:
    a = np.random.default_rng(3).standard_normal(1000)
    found = {jit(mixed, backend=it)(a, 12345).hex() for it in BACK_ENDS}
    assert len(found) == 1


def truncated(x):
    return float(int(x))


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_an_integer_has_no_negative_zero(back_end: str) -> None:
    """A cast to an integer and back is not `trunc`, which keeps the sign of -0.5."""
    f = jit(truncated, backend=back_end)
    for x in (-0.5, -0.0, 0.0, 0.5, -1.0, 1.0, -1.5, 2.0**53, -(2.0**62)):
        assert f(x).hex() == truncated(x).hex()


def test_other_back_ends_are_refused() -> None:
    with pytest.raises(ValueError, match=r"one of None, .vm., .cranelift., .cc., .tiered."):
        jit(mixed, backend="llvm")


def test_what_runs_long_comes_to_the_compiler() -> None:
    f = jit(mixed, backend="tiered")
    a = np.random.default_rng(4).standard_normal(1000)
    expected = f(a, 1000).hex()
    assert tier(f) == "cranelift"

    def is_compiled() -> bool:
        f(a, 2_000_000)
        return tier(f) == "cc"

    assert until(is_compiled)
    assert f(a, 1000).hex() == expected
    with pytest.raises(ZeroDivisionError):
        f(np.empty(0), 1)


def test_short_calls_stay_where_they_are() -> None:
    @jit(backend="tiered")
    def f(x):
        return x + 1

    for x in range(1000):
        assert f(x) == x + 1
    assert tier(f) == "cranelift"


def test_functions_may_go_while_they_are_compiled() -> None:
    for at in range(20):
        f = jit(mixed, backend="tiered")
        f(np.full(3, float(at)), 10_000_000)
        del f
    gc.collect()


def test_numbers_of_calls() -> None:
    @jit
    def f(x):
        return x * 2

    assert f.stats.compilations == f.stats.hits == f.stats.microseconds == 0
    f(1)
    f(2)
    f(2.0)
    f.compile((types.int32,))
    stats = f.stats
    assert (stats.compilations, stats.hits) == (3, 1)
    assert stats.microseconds == sum(it.microseconds for it in stats.signatures) > 0
    assert [it.args for it in stats.signatures] == [
        (types.int64,),
        (types.float64,),
        (types.int32,),
    ]
    assert [it.calls for it in stats.signatures] == [2, 1, 0]


def test_what_passes_did() -> None:
    @jit
    def total(a):
        t = 0.0
        for i in range(len(a)):
            t += a[i]
        return t

    total(np.ones(3))
    assert total.stats.signatures[-1].passes["bounds"] == 1


@pytest.mark.parametrize("back_end", BACK_ENDS)
def test_assembly(back_end: str) -> None:
    f = jit(mixed, backend=back_end)
    assert f.inspect_asm() == {}
    f(np.ones(1), 1)
    (text,) = f.inspect_asm().values()
    assert text == f.inspect_asm(f.signatures[0])
    assert ("mixed" in text) or ("opw_entry_1" in text)
    assert len(text.splitlines()) > 20


def test_no_compiler_is_told_in_stats(script: Any) -> None:
    done = script(
        """
        from opwright import jit
        @jit
        def f(x):
            return x + 1
        print(f(1), f.stats.signatures[-1].tier)
        print(f.stats.signatures[-1].refused["cc"])
        """,
        CC="/nowhere/cc",
        OPWRIGHT_JIT="cc",
    )
    assert done.stderr == ""
    first, reason = done.stdout.splitlines()
    assert first == "2 cranelift"
    assert "`/nowhere/cc` is no program" in reason
    assert "CC" in reason


def test_a_compiler_that_fails_is_told_in_stats(script: Any, tmp_path: Path) -> None:
    fake = tmp_path / "cc"
    fake.write_text(
        "#!/bin/sh\ncase $1 in --version) echo fake;; *) echo 'a: error: no' >&2; exit 1;; esac\n"
    )
    fake.chmod(0o755)
    done = script(
        """
        import time
        from opwright import jit
        @jit
        def f(n):
            total = 0
            for i in range(n):
                total += i % 7
            return total
        expected = f(10)
        for _ in range(1000):
            f(3_000_000)
            if f.stats.signatures[-1].refused:
                break
            time.sleep(0.01)
        row = f.stats.signatures[-1]
        print(f(10) == expected, row.tier, row.refused)
        """,
        CC=str(fake),
        OPWRIGHT_JIT="tiered",
        OPWRIGHT_CACHE=str(tmp_path / "cache"),
    )
    assert done.stderr == ""
    assert done.stdout == "True cranelift {'cc': 'a: no'}\n"


def test_a_cache_of_others_is_not_used(script: Any, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    done = script(
        """
        from opwright import jit
        @jit
        def f(x):
            return x * 17
        print(f(2), f.stats.signatures[-1].tier)
        """,
        OPWRIGHT_JIT="cc",
        OPWRIGHT_CACHE=str(cache),
    )
    assert done.stdout == "34 cc\n"
    assert list(cache.rglob("block.so")) == []


def test_equal_programs_are_compiled_once(script: Any, tmp_path: Path) -> None:
    source = """
        import numpy as np
        from opwright import jit
        known = np.arange(4.0)
        @jit
        def f(x, a):
            return np.sin(x) + known[1] + (a + a)[0]
        @jit
        def g(x, a):
            return np.sin(x) + known[1] + (a + a)[0]
        print(f(2.0, known), g(2.0, known), f.stats.signatures[-1].tier)
    """
    variables = {"OPWRIGHT_JIT": "cc", "OPWRIGHT_CACHE": str(tmp_path / "cache")}
    first, second = script(source, **variables), script(source, **variables)
    assert first.stdout == second.stdout
    assert first.stdout.endswith("cc\n")
    assert len(list((tmp_path / "cache").rglob("block.so"))) == 1


def test_an_unknown_name_in_the_environment_is_ignored(script: Any) -> None:
    done = script(
        """
        from opwright import jit
        @jit
        def f(x):
            return x
        print(f(1))
        """,
        OPWRIGHT_JIT="llvm",
    )
    assert done.stdout == "1\n"
    assert "OPWRIGHT_JIT is ignored" in done.stderr
    assert "llvm" in done.stderr


LONG = """
    import os, sys, time
    from opwright import jit
    @jit
    def f(n):
        total = 0
        for i in range(n):
            total += i % 7
        return total
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_children_compile_for_themselves(script: Any, tmp_path: Path) -> None:
    done = script(
        textwrap.dedent(LONG)
        + textwrap.dedent(
            """
            expected = f(30_000_000)
            for turn in range(20):
                child = os.fork()
                if child == 0:
                    end = time.monotonic() + 60
                    while f.stats.signatures[-1].tier != "cc" and time.monotonic() < end:
                        assert f(3_000_000) == f(3_000_000)
                        time.sleep(0.005)
                    is_fine = f(30_000_000) == expected and f.stats.signatures[-1].tier == "cc"
                    os._exit(0 if is_fine else 1)
                _, status = os.waitpid(child, 0)
                assert status == 0, (turn, status)
                time.sleep(0.01)
            """
        ),
        OPWRIGHT_CACHE=str(tmp_path / "cache"),
        OPWRIGHT_JIT="tiered",
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_end_waits_for_no_compiler(script: Any, tmp_path: Path) -> None:
    slow = tmp_path / "cc"
    slow.write_text("#!/bin/sh\ncase $1 in --version) echo slow;; *) sleep 20;; esac\n")
    slow.chmod(0o755)
    start = time.monotonic()
    done = script(
        textwrap.dedent(LONG) + "\nprint(f(100_000_000) > 0)\ntime.sleep(0.2)\n",
        CC=str(slow),
        OPWRIGHT_JIT="tiered",
        OPWRIGHT_CACHE=str(tmp_path / "cache"),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")
    assert time.monotonic() - start < 15


@pytest.mark.skipif(sys.platform != "linux", reason="others cannot forbid it so")
def test_a_system_without_machine_code_is_told_once(script: Any) -> None:
    done = script(
        """
        import ctypes, sys
        import opwright
        from opwright import jit
        if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) != 0:
            print("old"); sys.exit()
        @jit
        def f(x):
            return x + 1
        @jit
        def g(x):
            return x + 2
        print(f(1), g(1), f(1.5), f.stats.signatures[-1].tier)
        """,
        OPWRIGHT_JIT="tiered",
    )
    if done.stdout != "old\n":
        assert done.stdout == "2 3 2.5 vm\n"
        assert done.stderr.count("RuntimeWarning: compiled functions run by the vm") == 1


def resident() -> int:
    return int(STATM.read_text().split()[1])


@pytest.mark.skipif(not STATM.exists(), reason="there is no /proc/self/statm")
def test_code_is_given_back() -> None:
    def make() -> None:
        f = jit(mixed, backend="cranelift")
        f(np.ones(1), 1)

    for _ in range(100):
        make()
    gc.collect()
    before = resident()
    for _ in range(1000):
        make()
    gc.collect()
    # A page for each would be 1000.
    assert resident() - before < 300
