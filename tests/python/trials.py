"""Trials that may crash or hang, each named before it is made; one run names all culprits.

A script hands its trials to `make`. A test calls `failures`, which runs the script in a process
of its own and, after a trial that ended the process, in another one from the next trial on.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bound_operators import Operator, operators
from opwright import _C
from opwright.testing import _samples
from opwright.testing._elements import Elements
from opwright.testing._samples import Call

# So much processor time may a trial take before it counts as one that hangs.
PROCESSOR_SECONDS = float(os.environ.get("OPWRIGHT_TRIAL_SECONDS", "20"))

# A trial that takes longer waits for something that does not come.
SECONDS = 60.0

# Which trial is next, what was wrong with it, and that there are no more.
NEXT, WRONG, END = "> ", "! ", "."


@dataclass(frozen=True)
class Trial:
    """A call and what has to be so; it returns what is wrong."""

    name: str
    run: Callable[[], str | None]


def make(of: Callable[[Operator], Iterable[Trial]], operators: Iterable[Operator]) -> None:
    """Makes the trials of operators but those that an earlier process made."""
    first, made = map(int, os.environ.get("OPWRIGHT_TRIALS_MADE", "0 0").split())
    for number, operator in enumerate(operators):
        if number < first:
            continue
        skipped = made if number == first else 0
        for at, trial in enumerate(of(operator)):
            if at >= skipped:
                attempt(f"{number} {at + 1} {trial.name}", trial)
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(END, flush=True)


def attempt(name: str, trial: Trial) -> None:
    """Makes a trial, and tells of it."""
    print(NEXT + name, flush=True)
    # The signal's own action, which no hanging loop can put off: the end.
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR_SECONDS)
    if wrong := trial.run():
        print(WRONG + " ".join(wrong.split()), flush=True)


def failures(script: Path, *args: str, prefix: Sequence[str] = ()) -> list[str]:
    """What is wrong with the trials of a script; `prefix` is a command that runs commands."""
    found: list[str] = []
    command = [*prefix, sys.executable, str(script), *args]
    seconds = SECONDS * (50 if prefix else 1)
    made = "0 0"
    while True:
        outcome = _run(command, made, seconds)
        found += outcome.wrong
        if outcome.ended:
            return found
        if outcome.current is None:
            return [*found, f"no trial was made: {outcome.how}"]
        found.append(f"{outcome.current}: {outcome.how}")
        made = outcome.made


def unexpected(found: list[str], known: Mapping[str, str]) -> str:
    """What is not known, a line each; `known` says how names begin, and why they are there."""
    return "\n".join(it for it in found if not it.startswith(tuple(known)))


@dataclass
class _Outcome:
    wrong: list[str]
    made: str
    current: str | None = None
    ended: bool = False
    how: str = ""


def _run(command: list[str], made: str, seconds: float) -> _Outcome:
    """Runs the trials from one on, up to their end or that of the process."""
    outcome = _Outcome([], made)
    environment = {
        **os.environ,
        "OPWRIGHT_TRIALS_MADE": made,
        "RUST_BACKTRACE": "0",
        # Else glibc sets 64 MiB aside for each thread, which a limit of memory counts.
        "MALLOC_ARENA_MAX": "2",
    }
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
            # Children of it shall end with it.
            start_new_session=True,
        )
        how = ""
        try:
            for line in _lines(process, seconds):
                _note(outcome, line.rstrip("\n"))
        except TimeoutError:
            how = f"nothing for {seconds} seconds"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdout:
                process.stdout.close()
        outcome.how = how or _how(process.returncode, errors)
    return outcome


def _note(outcome: _Outcome, line: str) -> None:
    if line.startswith(NEXT):
        number, at, outcome.current = line.removeprefix(NEXT).split(" ", 2)
        outcome.made = f"{number} {at}"
    elif line.startswith(WRONG):
        outcome.wrong.append(f"{outcome.current}: {line.removeprefix(WRONG)}")
    elif line == END:
        outcome.ended = True


def _lines(process: subprocess.Popen[str], seconds: float) -> Iterator[str]:
    """The lines that a process prints, as long as the next one comes in time."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        with contextlib.suppress(ValueError):
            for line in process.stdout or ():
                lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if not line:
            process.wait()
            return
        yield line


def _how(code: int, errors: IO[str]) -> str:
    """How a process ended, and the last that it said."""
    if code == -signal.SIGPROF:
        return f"deaf for {PROCESSOR_SECONDS} seconds of processor time"
    errors.seek(0)
    said = " / ".join(errors.read().strip().splitlines()[-3:])
    with contextlib.suppress(ValueError):
        return f"{signal.Signals(-code).name} {said}".strip()
    return f"exit code {code} {said}"


def every(otherwise: int) -> int:
    """Every so-many-th operator is tried; 1 in the long form of the tests."""
    return int(os.environ.get("OPWRIGHT_EVERY", otherwise))


def chosen(step: int) -> list[Operator]:
    """Every so-many-th operator; or those of a name, to look closer at one."""
    if name := os.environ.get("OPWRIGHT_OPERATOR"):
        return [it for it in operators() if it.name in (name, f"Tensor.{name}")]
    return list(operators())[::step]


@dataclass(frozen=True)
class ByHand(Operator):
    """A function of which no signature tells how to call it."""

    given: tuple[Call, ...]


def accepted(operator: Operator, overload: Any, count: int) -> Iterator[Call]:
    """Some calls that an overload takes, before their tensors are made."""
    tries, found = 6000, 0
    for call in _samples.guesses(_C, overload, operator.name, tries):
        try:
            perform(operator, call)
        except _samples.REFUSALS:
            continue
        yield call
        found += 1
        if found == count:
            return


def perform(operator: Operator, call: Call, **more: Any) -> Any:
    """Makes the arguments and calls."""
    args, kwargs = call
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return operator.function(*(_samples.made(_C, it) for it in args), **named, **more)


def tensors(call: Call) -> list[Elements]:
    """The tensors of a call, in order."""
    found: list[Elements] = []
    changed(call, lambda it, _: found.append(it) or it)
    return found


def changed(call: Call, change: Callable[[Elements, int], Any]) -> Call:
    """The call with other tensors, which are told by their number."""
    count = iter(range(1000))

    def of(value: Any) -> Any:
        if isinstance(value, Elements):
            return change(value, next(count))
        if isinstance(value, list | tuple):
            return type(value)(of(it) for it in value)
        return value

    args, kwargs = call
    return tuple(of(it) for it in args), {name: of(it) for name, it in kwargs.items()}


@dataclass(frozen=True)
class Shown:
    """A tensor, as one would write it."""

    elements: Elements

    def __repr__(self) -> str:
        values, dtype = self.elements.values, self.elements.dtype
        if values.size > 8:
            return f"ones({list(values.shape)}, dtype={dtype})"
        return f"tensor({values.tolist()}, dtype={dtype})"


def shown(operator: Operator, call: Call) -> str:
    """The call, as one would write it."""
    args, kwargs = changed(call, lambda it, _: Shown(it) if isinstance(it, Elements) else it)
    texts = [*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())]
    return f"{operator.name}({', '.join(texts)})"


def panic(error: BaseException) -> str | None:
    """What an operator never raises, whatever it is called with."""
    text = str(error)
    if isinstance(error, SystemError) or "internal error" in text or "panick" in text:
        return f"{type(error).__name__}: {text}"
    return None
