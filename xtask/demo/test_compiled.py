"""Calls functions of Rust from compiled functions, with structs of Rust and their casts."""

import math
import os
import pickle
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import my_ops
import pytest
from my_ops import Interval, Labelled
from opwright import jit, types
from opwright.extending import (
    TypingError,
    operators,
    overload,
    register_native,
    sizeof,
    typeof,
)

register_native(Interval)
BACKENDS = ["vm", "cranelift"]


def test_plain_python_calls_overloads():
    assert my_ops.mean_of(1.0, 2.0) == 1.5
    assert my_ops.mean_of(a=1, b=4) == 2 and type(my_ops.mean_of(1, 4)) is int
    assert my_ops.split(-1.5) == (-2, 0.5)
    assert my_ops.halvings(8.0) == 4
    with pytest.raises(ValueError, match=r"halvings\(\): inf stays what it is"):
        my_ops.halvings(math.inf)
    with pytest.raises(TypeError, match=r"mean_of\(\) takes no \(str, float\)"):
        my_ops.mean_of("a", 1.0)
    assert pickle.loads(pickle.dumps(my_ops.mean_of)) is my_ops.mean_of
    assert "The mean of two numbers." in my_ops.mean_of.__doc__


@pytest.mark.parametrize("backend", BACKENDS)
def test_compiled_functions_call_overloads(backend):
    @jit(backend=backend)
    def f(n, x):
        total = 0
        for i in range(n):
            whole, rest = my_ops.split(my_ops.mean_of(total, i) + x)
            total = whole + my_ops.halvings(rest + 4.0)
        return total

    def expected(n, x):
        total = 0
        for i in range(n):
            whole, rest = my_ops.split(my_ops.mean_of(total, i) + x)
            total = whole + my_ops.halvings(rest + 4.0)
        return total

    assert f(100, 0.75) == expected(100, 0.75)
    assert my_ops.mean_of in operators()
    with pytest.raises(ValueError, match="NaN stays what it is") as caught:
        f(3, math.nan)
    assert "test_compiled.py" in caught.value.__notes__[0]


def test_the_overload_follows_from_the_types():
    f = jit(my_ops_mean)
    assert f(1, 4) == 2 and type(f(1, 4)) is int
    assert f(1.0, 4) == 2.5
    with pytest.raises(TypingError, match="mean_of"):
        f(1j, 2.0)


def my_ops_mean(a, b):
    return my_ops.mean_of(a, b)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_struct_of_rust_is_an_argument_and_a_result(backend):
    @jit(backend=backend)
    def widened(of, by):
        return Interval(of.lo - by, of.hi + by)

    found = widened(Interval(1.0, 2.0), 0.5)
    assert type(found) is Interval and found == Interval(0.5, 2.5)

    @jit(backend=backend)
    def width(of):
        return of.hi - of.lo

    assert width(Interval(1.0, 4.0)) == 3.0
    # What another function sets is seen.
    it = Interval(0.0)
    it.hi = 7.0
    assert width(it) == 7.0

    @jit(backend=backend)
    def same(of):
        return of

    assert same(Interval(1.0, 2.0)) == Interval(1.0, 2.0)

    @jit(backend=backend)
    def hull(n):
        found = Interval(0.0, 0.0)
        for i in range(n):
            found = Interval(min(found.lo, -i / 2), max(found.hi, i * 1.0))
        return found

    assert hull(5) == Interval(-2.0, 4.0)
    assert sizeof(typeof(Interval(0.0))) == 16


def test_defaults_and_keywords_are_those_of_the_class():
    @jit
    def f(lo):
        return Interval(lo), Interval(hi=9.0, lo=lo)

    assert f(0.5) == (Interval(0.5, 1.0), Interval(0.5, 9.0))

    @jit
    def g(lo):
        return Interval(lo, 1.0, 2.0)

    with pytest.raises(TypeError, match="too many positional arguments"):
        g(0.5)

    @jit
    def h(lo):
        return Interval(lo, top=2.0)

    with pytest.raises(TypeError, match="top"):
        h(0.5)


def test_fields_that_are_not_there_or_not_set_are_refused():
    it = Interval(0.0)

    @jit
    def f(of):
        return of.middle

    with pytest.raises(TypingError, match="Interval has no field middle, but lo, hi"):
        f(it)

    @jit
    def g(of):
        of.hi = 2.0
        return of

    with pytest.raises(TypingError, match="values of Interval are copies"):
        g(it)
    assert it == Interval(0.0)

    @jit
    def h(of):
        return Interval("text", of.hi)

    with pytest.raises(TypeError):
        h(it)


def test_classes_whose_fields_are_not_compiled_are_refused():
    with pytest.raises(TypeError, match=r"Labelled\.label is of unicode_type"):
        register_native(Labelled)
    with pytest.raises(TypeError, match="Quantizer is not the class of a struct"):
        register_native(my_ops.Quantizer)
    assert register_native(Interval) is Interval


def distance(a, b): ...


@overload(distance)
def _(a, b):
    if isinstance(a, types.Float) and isinstance(b, types.Float):
        return lambda a, b: abs(a - b)
    return None


@pytest.mark.parametrize("backend", BACKENDS)
def test_casts_of_rust_are_those_of_compiled_functions(backend):
    @jit(backend=backend)
    def f(a, b):
        return distance(a, b)

    # Overloads that ask for the target.
    assert f(1.0, Interval(2.0, 6.0)) == 3.0

    # The truth of a value.
    @jit(backend=backend)
    def is_there(of):
        return 1 if of else 0

    assert (is_there(Interval(0.0)), is_there(Interval(2.0, 1.0))) == (1, 0)

    # Declared signatures, and what fails.
    @jit([types.signature(typeof(Interval(0.0)), typeof(Interval(0.0)))], backend=backend)
    def low(of):
        return of

    assert low(2.5) == Interval(2.5, 2.5)
    with pytest.raises(ValueError, match="no interval is around NaN"):
        low(math.nan)


def test_two_casts_of_the_same_types_are_ambiguous_and_named(tmp_path):
    script = """
        import my_ops
        from opwright import jit, types
        from opwright.extending import (
            AmbiguousOverloadError, lower_cast, overload, register_native, typeof
        )

        register_native(my_ops.Interval)
        interval = typeof(my_ops.Interval(0.0))

        @lower_cast(interval, types.float64)
        def upper(context, builder, fromty, toty, value):
            return builder.field(value, "hi")

        def half(x): ...

        @overload(half)
        def _(x):
            if isinstance(x, types.Float):
                return lambda x: x / 2

        try:
            jit(lambda x: half(x))(my_ops.Interval(0.0))
        except AmbiguousOverloadError as error:
            print(error)
    """
    file = tmp_path / "ambiguous.py"
    file.write_text(textwrap.dedent(script))
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert "the cast of Interval to float64 is ambiguous" in done.stdout, done
    assert "middle (src/compiled.rs:" in done.stdout and "upper (" in done.stdout


def test_stubs_show_overloads():
    command = [sys.executable, "-m", "opwright.stubs", "my_ops"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    printed = printed.replace("_builtins.", "")
    assert "def split(x: float) -> tuple[int, float]: ..." in printed
    assert "@_overload\ndef mean_of(a: int, b: int) -> int: ..." in printed
    assert printed.index("a: int, b: int") < printed.index("a: float, b: float")


def test_stubs_are_written_for_modules_without_some(tmp_path):
    command = [sys.executable, "-m", "opwright.stubs", "my_ops", "-o", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "my_ops has a stub of its own, with its functions\n"
    assert not any(tmp_path.iterdir())
    # The native file alone.
    (native,) = Path(my_ops.__file__).parent.glob("my_ops.*.so")
    shutil.copy(native, tmp_path)
    paths = {"PYTHONPATH": str(tmp_path)}
    subprocess.run(command, check=True, env=os.environ | paths)
    folder = tmp_path / "my_ops-stubs"
    assert (folder / "py.typed").read_text() == "partial\n"
    text = (folder / "__init__.pyi").read_text()
    assert "def halvings(x: _builtins.float) -> _builtins.int: ..." in text
    compile(text, "my_ops.pyi", "exec")


def test_a_checker_knows_the_functions(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import my_ops\n"
        "whole: int = my_ops.mean_of(1, 2)\n"
        "real: float = my_ops.mean_of(1.5, 2)\n"
        "parts: tuple[int, float] = my_ops.split(1.5)\n"
        "x: my_ops.Tensor = my_ops.norm2(my_ops.tensor([1.0]), my_ops.tensor([1.0]))\n"
        "within = my_ops.Interval(0.0)\n"
        "wrong = my_ops.mean_of('a', 1)\n"
    )
    # Where the module stands, as if both were installed.
    package = Path(my_ops.__file__).parent
    shutil.copytree(package, tmp_path / "my_ops", ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(program)]
    paths = {"MYPYPATH": str(tmp_path)}
    done = subprocess.run(mypy, capture_output=True, text=True, env=os.environ | paths)
    errors = [it for it in done.stdout.splitlines() if ": error: " in it]
    assert len(errors) == 1, done.stdout
    assert 'No overload variant of "mean_of" matches' in errors[0] and ":7: " in errors[0]
