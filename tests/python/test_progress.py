"""Progress of what takes long."""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import opwright
import pytest
from opwright import _progress
from opwright._progress import Progress

pty = pytest.importorskip("pty", reason="this system has no pseudoterminals")


class Terminal(io.StringIO):
    """A stream that is a terminal, or says that it is none."""

    def __init__(self, watched: bool = True) -> None:
        super().__init__()
        self.watched = watched

    def isatty(self) -> bool:
        """Whether somebody watches."""
        return self.watched

    @property
    def lines(self) -> list[str]:
        """What was there one after the other, without blanks."""
        return [it.strip() for it in self.getvalue().split("\r")]

    @property
    def screen(self) -> str:
        """What is left on the last line."""
        return screen(self.getvalue())


def screen(text: str) -> str:
    """What a terminal shows: each carriage return goes back to where the line begins."""
    shown: list[str] = []
    for piece in text.rpartition("\n")[2].split("\r"):
        shown[: len(piece)] = piece
    return "".join(shown).rstrip()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(_progress, "_DELAY", 0.02)
    monkeypatch.setattr(_progress, "_INTERVAL", 0.005)
    for name in ("CI", "OPWRIGHT_PROGRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    yield
    opwright.set_progress(None)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """The standard error stream, which somebody watches."""
    stream = Terminal()
    put(monkeypatch, stream)
    return stream


def put(monkeypatch: pytest.MonkeyPatch, stream: object) -> None:
    """Makes this the standard error stream: that of `sys` is pytest's."""
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=stream))


def until(holds: Callable[[], object]) -> None:
    """Waits until something holds, for ten seconds at most."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_a_line_appears_and_goes_away(terminal: Terminal) -> None:
    with Progress("loading 'x'", 3 * 2**20, "bytes") as progress:
        progress.advance(2**20)
        until(lambda: "loading 'x', 1.0 of 3.0 MiB (0 s)" in terminal.lines)
        progress.at("weights")
        until(lambda: "loading 'x', 1.0 of 3.0 MiB, weights (0 s)" in terminal.lines)
        assert terminal.screen.startswith("loading")
    assert terminal.screen == ""
    assert "\n" not in terminal.getvalue()
    until(lambda: not any(it.name == "progress" for it in threading.enumerate()))


def test_what_is_quick_shows_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "_DELAY", 60)
    for _ in range(100):
        with Progress("quick"):
            pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_failures_leave_no_line(terminal: Terminal, error: type[BaseException]) -> None:
    with pytest.raises(error), Progress("failing"):
        until(lambda: terminal.screen)
        raise error
    assert terminal.screen == ""


def test_names_cannot_move_the_cursor(terminal: Terminal) -> None:
    with Progress("loading \x1b[2J\r\n'x'" + "y" * 500):
        until(lambda: "loading  [2J  'x'" in terminal.getvalue())
    assert max(map(len, terminal.lines)) <= 100 and "\x1b" not in terminal.getvalue()


def test_it_is_where_somebody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(watched: bool = True) -> bool:
        put(monkeypatch, Terminal(watched))
        return _progress.is_shown()

    assert shown() and not shown(watched=False)
    monkeypatch.setenv("CI", "true")
    assert not shown()
    monkeypatch.setenv("OPWRIGHT_PROGRESS", "1")
    assert shown() and shown(watched=False)
    opwright.set_progress(False)
    assert not shown()
    monkeypatch.setenv("OPWRIGHT_PROGRESS", "0")
    assert not shown()
    opwright.set_progress(True)
    assert shown(watched=False)
    opwright.set_progress(None)
    assert not shown()
    monkeypatch.setenv("OPWRIGHT_PROGRESS", "")
    monkeypatch.setenv("CI", "false")
    assert shown()
    monkeypatch.setenv("TERM", "dumb")
    assert not shown()


def test_notebooks_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = type("OutStream", (Terminal,), {"__module__": "ipykernel.iostream"})(False)
    put(monkeypatch, stream)
    assert _progress.is_shown()


def test_wrong_settings_are_told(monkeypatch: pytest.MonkeyPatch, terminal: Terminal) -> None:
    monkeypatch.setenv("OPWRIGHT_PROGRESS", "yes")
    with pytest.warns(UserWarning, match="OPWRIGHT_PROGRESS is ignored: 'yes' is neither 0 nor 1"):
        assert _progress.is_shown()
    wrong: Any = "yes"
    with pytest.raises(TypeError, match="'enabled' must be a bool or None, not str"):
        opwright.set_progress(wrong)


def test_streams_that_fail_are_no_reason_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Terminal):
        calls = 0

        def write(self, text: str) -> int:
            Full.calls += 1
            raise OSError("no space left")

    put(monkeypatch, Full())
    with Progress("working"):
        until(lambda: Full.calls)
    closed = Terminal()
    closed.close()
    for stream in (closed, None, object()):
        put(monkeypatch, stream)
        opwright.set_progress(True)
        with Progress("working"):
            time.sleep(0.03)


def test_threads_share_a_line(terminal: Terminal) -> None:
    seen = threading.Barrier(9)

    def work(name: str) -> None:
        for _ in range(20):
            with Progress(name, 2, "parts") as progress:
                progress.advance()
                time.sleep(0.001)
        seen.wait(10)

    with Progress("outer"):
        threads = [threading.Thread(target=work, args=(f"inner {it}",)) for it in range(8)]
        for it in threads:
            it.start()
        seen.wait(10)
        until(lambda: terminal.screen)
        for it in threads:
            it.join()
    assert terminal.screen == ""
    # Whoever began first is shown.
    assert {it.split(" (")[0] for it in terminal.lines if it} == {"outer"}


def test_children_of_a_fork_begin_anew(terminal: Terminal) -> None:
    with Progress("parent"), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        until(lambda: terminal.screen)
        child = os.fork()
        if not child:
            terminal.truncate(terminal.seek(0))
            with Progress("child"):
                until(lambda: "child" in terminal.screen)
            os._exit(terminal.screen != "")
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# --- what shows it ------------------------------------------------------------------------


def test_checks_of_operators_show_it(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    from opwright import testing

    check = testing._Run.check

    def slow(run: Any, operator: Any) -> None:
        until(lambda: "checking operators, 0 of 1, hypot (0 s)" in terminal.lines)
        check(run, operator)

    monkeypatch.setattr(testing._Run, "check", slow)
    assert testing.opcheck(opwright.hypot).ok
    assert terminal.screen == ""


class Slow(io.BytesIO):
    """A file of which reading takes some time."""

    def readinto(self, buffer: Any) -> int:
        """Reads what there is, later."""
        time.sleep(0.05)
        return super().readinto(buffer)


def test_files_show_it(terminal: Terminal) -> None:
    file = Slow()
    opwright.save({"x": opwright.ones(512), "y": opwright.ones(512)}, file)
    assert set(opwright.load(file)) == {"x", "y"}
    assert any(re.match(r"loading tensors, 2.0 of 4.\d KiB", it) for it in terminal.lines)
    file.truncate(2500)
    with pytest.raises(ValueError, match="load"):
        opwright.load(file)
    assert terminal.screen == ""


INTERRUPTED = """\
import time
from opwright._progress import Progress
with Progress("waiting"):
    time.sleep(30)
"""

COMPILED = """\
import opwright
from c_code import Double, add, c, variables
mode = opwright.Mode("c", cc="slow-c++")
x, y = variables("x", "y")
print(opwright.function([x, y], add(x, y), mode=mode, name="sum of two")(1.0, 2.0))
"""


def on_terminal(text: str, interrupt: bool = False, **variables: str) -> tuple[str, str]:
    """What a program prints, and what it writes to a terminal as its standard error stream."""
    ours, theirs = pty.openpty()
    path = os.pathsep.join(it for it in sys.path if it)
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm", **variables}
    command = [sys.executable, "-P", "-c", text]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment
    ) as program:
        os.close(theirs)
        pieces: list[bytes] = []
        while True:
            try:
                piece = os.read(ours, 1000)
            except OSError:
                break
            if not piece:
                break
            pieces.append(piece)
            if interrupt:
                program.send_signal(signal.SIGINT)
                interrupt = False
        assert program.stdout is not None
        printed = program.stdout.read()
    os.close(ours)
    return printed, b"".join(pieces).decode()


def test_an_interrupted_program_leaves_no_line() -> None:
    _, written = on_terminal(INTERRUPTED, interrupt=True)
    before, _, after = written.partition("Traceback")
    assert "waiting (1 s)" in before and screen(before) == ""
    assert "KeyboardInterrupt" in after


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_compiling_c_shows_it(tmp_path: Path) -> None:
    compiler = tmp_path / "slow-c++"
    compiler.write_text('#!/bin/sh\nsleep 1.3\nexec c++ "$@"\n')
    compiler.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    printed, written = on_terminal(COMPILED, PATH=path, OPWRIGHT_CACHE=str(tmp_path))
    assert printed == "3.0\n", written
    assert "compiling function 'sum of two' (1 s)" in written and screen(written) == ""
