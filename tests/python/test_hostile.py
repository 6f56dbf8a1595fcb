"""Objects that lie, raise and change what is being read do no harm."""

import contextlib
import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis
import opwright
import pytest
from bound_operators import Operator, operators
from hostile_objects import HostileError, Raising, changing_list, deep, endless

HERE = Path(__file__).parent

# How many calls are tried, and from which seed on: always the same ones.
CALLS, SEED = 2000, 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as Linux does it")
def test_calls_with_objects_of_all_kinds(tmp_path: Path) -> None:
    trace = tmp_path / "last call"
    command = [sys.executable, str(HERE / "fuzz.py"), str(CALLS), str(SEED), "0", str(trace)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    last = trace.read_text().strip() if trace.exists() else "none"
    assert result.returncode == 0, f"{result.stderr}\nthe last call: {last}"
    assert result.stdout == f"{CALLS} calls\n"


OPERATORS = [it for it in operators() if any("tuple" in str(o) for o in it.overloads)]


@pytest.mark.parametrize("operator", OPERATORS, ids=str)
def test_lists_that_change_while_they_are_read(operator: Operator) -> None:
    changes = [list.clear, list.pop, lambda it: it.append(3) if len(it) < 50 else None]
    for change in changes:
        for receiver in ([], [opwright.ones(2, 2)]):
            victim = changing_list(change, 1)
            with contextlib.suppress(Exception):
                operator.function(*receiver, victim)


@pytest.mark.parametrize("make", [lambda: deep(100_000), endless], ids=["deep", "endless"])
@pytest.mark.parametrize("name", ["tensor", "as_tensor", "Tensor", "ones", "stack"])
def test_deep_lists_are_refused(make: Any, name: str) -> None:
    with pytest.raises((TypeError, ValueError, RecursionError)):
        getattr(opwright, name)(make())


def test_what_objects_raise_arrives() -> None:
    with pytest.raises(HostileError):
        opwright.ones(2).sum(Raising())


@hypothesis.given(size=hypothesis.strategies.integers(2**45, 2**64))
@pytest.mark.parametrize("name", ["ones", "empty", "rand", "eye", "arange", "randperm"])
def test_sizes_that_no_memory_holds_are_refused(name: str, size: int) -> None:
    with pytest.raises((MemoryError, OverflowError, RuntimeError, ValueError, TypeError)):
        getattr(opwright, name)(size)


def test_exceptions_leave_nothing() -> None:
    """Also those that an object raises when it is asked for an override."""

    class Raises:
        def __getattr__(self, name: str) -> Any:
            raise ValueError(name)

    def fail() -> None:
        with contextlib.suppress(TypeError):
            opwright.add(Raises(), 1)

    def kept() -> int:
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(2000):
            fail()
        gc.collect()
        return sys.getallocatedblocks() - before

    fail()
    # What other threads of the process keep meanwhile is not kept each time.
    assert min(kept() for _ in range(3)) < 200
