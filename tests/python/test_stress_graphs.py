"""Functions and blocks of C under many threads, in many processes, and where things are missing."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import opwright as ow
import pytest
from c_code import Code, add, c, cache, compiled, mul, needs_compiler, variables

__all__ = ["cache"]

pytestmark = needs_compiler
CALLS = 200_000
THREADS = 8
posix = pytest.mark.skipif(os.name == "nt", reason="compilers here are shell scripts")


@pytest.fixture
def switching():
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work, count=THREADS):
    """Runs `work(number)` in so many threads at once; what they raise is raised here."""
    raised = []
    start = threading.Barrier(count)

    def run(number):
        try:
            start.wait()
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(it,)) for it in range(count)]
    [it.start() for it in threads]
    [it.join() for it in threads]
    if raised:
        raise raised[0]


@pytest.mark.usefixtures("switching")
class TestThreads:
    """Eight threads."""

    def numbers(self, f):
        """So many calls of `(x + y) * z`, each of which is looked at."""

        def work(number):
            for it in range(CALLS // THREADS):
                x = float(it * THREADS + number)
                if f(x, 1.0, 2.0) != (x + 1.0) * 2.0:
                    raise AssertionError(x)

        together(work)

    def test_a_function_of_numbers(self):
        x, y, z = (ow.types.double(it) for it in "xyz")
        self.numbers(ow.function([x, y, z], (x + y) * z))

    def test_a_function_of_tensors(self):
        x, y = (ow.TensorType("float64", (None,))(it) for it in "xy")
        f = ow.function([x, y], (x + y) * 2.0)
        y = ow.ones(3, dtype=ow.float64)

        def work(number):
            for it in range(CALLS // THREADS):
                x = ow.full((3,), float(number + it), dtype=ow.float64)
                if float(f(x, y)[2]) != (number + it + 1.0) * 2.0:
                    raise AssertionError(it)

        together(work)

    def test_a_block_of_code(self):
        x, y, z = variables("x", "y", "z")
        f, _ = compiled(mul(add(x, y), z), x, y, z, on_event=None)
        self.numbers(f)

    def test_a_block_that_counts(self):
        class Counts(Code):
            def c_support_code_struct(self, node, name):
                return "long count;"

            def c_init_code_struct(self, node, name, sub):
                return "self->count = 0;"

            def c_code(self, node, name, inputs, outputs, sub):
                return f"{outputs[0]} = {inputs[0]} + (double)(self->count++);"

        (x,) = variables("x")
        f, _ = compiled(Counts("counts", "")(x), x, on_event=None)
        together(lambda _: [f(0.0) for _ in range(2500)])
        assert f(0.0) == 2500 * THREADS

    def test_updates(self):
        s = ow.shared(0.0, "s", type=ow.types.double)
        v = ow.shared(np.zeros(2), "v")
        one = ow.function([], [s, v], updates={s: s + 1.0, v: v + 1.0})

        def work(_):
            for _ in range(2000):
                number, vector = one()
                if vector.tolist() != [number, number]:
                    raise AssertionError(number)

        together(work)


@posix
def test_the_same_block_is_compiled_once_by_several_threads(tmp_path, cache):
    log = tmp_path / "log"
    compiler = fake(tmp_path, f'echo x >> {log}; exec c++ "$@"')
    op = Code("o", "z = x + 17;", c_compiler=lambda: compiler)

    def work(number):
        (x,) = variables("x")
        if compiled(op(x), x, on_event=None)[0](float(number)) != number + 17:
            raise AssertionError(number)

    together(work)
    assert log.read_text().count("x") == 1
    assert len(entries(cache)) == 1


def test_many_blocks_are_compiled_by_several_threads(cache):
    def work(number):
        for it in range(3):
            (x,) = variables("x")
            op = Code("o", f"z = x + {number * 3 + it};")
            if compiled(op(x), x, on_event=None)[0](1.0) != 1 + number * 3 + it:
                raise AssertionError(number)

    together(work, 4)
    assert len(entries(cache)) == 12


def entries(cache):
    return sorted(it.name for it in cache.iterdir()) if cache.is_dir() else []


def fake(folder, does):
    """A compiler that knows its version and does something else than compiling."""
    path = folder / "fake"
    path.write_text(f"#!/bin/sh\ncase $1 in --version) echo fake 1; exit 0;; esac\n{does}\n")
    path.chmod(0o755)
    return str(path)


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import c_code as t
for it in range({blocks}):
    x, = t.variables("x")
    op = t.Code("o", f"z = x * {{it + 2}};")
    assert t.compiled(op(x), x, on_event=None)[0](6.0) == 6.0 * (it + 2)
print("done")
"""


def process(cache, blocks=3, **environment):
    """A process that compiles blocks."""
    script = SCRIPT.format(tests=str(Path(__file__).parent), blocks=blocks)
    env = {**os.environ, "OPWRIGHT_CACHE": str(cache.parent), **environment}
    return subprocess.Popen([sys.executable, "-c", script], env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def test_processes_compile_while_others_clean(cache):
    running = [process(cache) for _ in range(3)]
    while any(it.poll() is None for it in running):
        try:
            c._C._graph.c_clean()
        except OSError:
            # Somebody wrote to a folder that was about to go.
            continue
    for it in running:
        out, err = it.communicate(timeout=300)
        assert out == "done\n", err


def test_a_child_of_a_fork_runs_and_compiles(cache):
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    (x,) = variables("x")
    f, _ = compiled(Code("o", "z = x + 21;")(x), x, on_event=None)
    assert f(1.0) == 22.0
    child = os.fork()
    if child == 0:
        code = 1
        try:
            made, _ = compiled(Code("o", "z = x + 22;")(x), x, on_event=None)
            code = 0 if (f(1.0), made(1.0)) == (22.0, 23.0) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(entries(cache)) == 2
    assert f(2.0) == 23.0


@posix
@pytest.mark.parametrize(
    ("does", "text"),
    [
        ('while [ "$1" != -o ]; do shift; done; echo garbage > "$2"', "cannot be loaded"),
        ('while [ "$1" != -o ]; do shift; done; : > "$2"', "cannot be loaded"),
        ('while [ "$1" != -o ]; do shift; done; mkdir "$2"', "fake failed"),
        ("exit 0", "fake failed"),
        ("kill -9 $$", "fake failed: signal: 9"),
        ("printf '\\377\\376 error: \\200\\n' >&2; exit 1", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_compilers_that_write_nonsense(tmp_path, cache, does, text):
    (x,) = variables("x")
    op = Code("o", "z = x;", c_compiler=lambda: fake(tmp_path, does))
    with pytest.raises(c.CompileError, match=text):
        compiled(op(x), x)
    assert entries(cache) == []
    # And nothing is remembered of it.
    op = Code("o", "z = x;", c_compiler=lambda: fake(tmp_path, 'exec c++ "$@"'))
    assert compiled(op(x), x, on_event=None)[0](1.0) == 1.0


@posix
def test_a_compiler_that_is_gone_before_it_runs(tmp_path):
    (x,) = variables("x")
    path = fake(tmp_path, "exit 0")
    Path(path).write_text('#!/bin/sh\necho fake 1\nrm "$0"\n')
    op = Code("o", "z = x;", c_compiler=lambda: path)
    with pytest.raises(c.CompileError, match="fake cannot be run"):
        compiled(op(x), x)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder of the system's own")
def test_a_cache_where_nobody_may_write(monkeypatch):
    monkeypatch.setenv("OPWRIGHT_CACHE", f"/proc/{os.getpid()}")
    (x,) = variables("x")
    f, _ = compiled(Code("o", "z = x * 33;")(x), x, on_event=None)
    assert f(2.0) == 66.0


@pytest.fixture
def small(tmp_path):
    """A file system of 64 KB, which is full."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount, "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("may not mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)


def test_a_cache_on_a_disk_that_is_full(small, monkeypatch):
    monkeypatch.setenv("OPWRIGHT_CACHE", str(small))
    (small / "filler").write_bytes(bytes(40_000))
    (x,) = variables("x")
    f, _ = compiled(Code("o", "z = x * 5;" + "/* long */" * 5000)(x), x, on_event=None)
    assert f(2.0) == 10.0
    assert entries(small / "c") == []


def test_nowhere_to_write(small, monkeypatch):
    monkeypatch.setenv("OPWRIGHT_CACHE", str(small))
    monkeypatch.setenv("TMPDIR", str(small))
    (small / "filler").write_bytes(bytes(60_000))
    (x,) = variables("x")
    with pytest.raises(c.CompileError, match=r"[Nn]o space left|cannot write|write error"):
        compiled(Code("o", "z = x * 6;" + "/* long */" * 5000)(x), x)
