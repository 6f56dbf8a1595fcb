"""What a first call of a compiled function loads, and reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from opwright import jit


def test_importing_the_package_does_not_load_the_compiler() -> None:
    script = (
        "import sys, opwright; print([it for it in sys.modules if it.startswith('opwright._jit')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


LATE = """
import sys

import opwright

@opwright.jit
def f(x, y):
    if x > y:
        return x - y
    return y * 2 + 1

before = set(sys.modules)
assert f(3, 1) == 2
assert f(1.0, 1.5) == 4.0
print(*sorted(set(sys.modules) - before))
"""


def test_a_first_call_loads_nothing(tmp_path: Path) -> None:
    """Neither what Python has to look at sources, nor what is written in the language."""
    file = tmp_path / "first.py"
    file.write_text(LATE)
    result = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout.split() == []


def test_jit_loads_little() -> None:
    script = "import sys, opwright; before = set(sys.modules); opwright.jit; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    heavy = {"ast", "dis", "inspect", "linecache", "tokenize", "opwright._jit.registry"}
    assert heavy.isdisjoint(result.stdout.split())


def test_one_operator_of_the_language_is_built_in() -> None:
    """Others are looked for among what the user has registered alone: `BUILT_IN` of the host."""
    script = """if True:
        import cmath, operator, random
        import numpy.random
        from opwright import extending
        from opwright._jit import registry

        extending.operators()
        names = {id(it): name for name, it in vars(operator).items() if callable(it)}
        print({names[id(it.key)] for it in registry._operations.values() if id(it.key) in names})
    """
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "{'__contains__'}"


ENCODINGS = {
    "utf-8": "# plain\n",
    "utf-8-sig": "# with a mark\n",
    "latin-1": "# -*- coding: latin-1 -*-\n",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("loaded", ["", "import linecache\n"])
def test_files_of_any_encoding(tmp_path: Path, encoding: str, end: str, loaded: str) -> None:
    text = ENCODINGS[encoding] + loaded + "import opwright\n"
    text += "ä = 3\n@opwright.jit\ndef f(x):\n    é = x + 1\n    return é * ä"
    text += "\n\nprint(f(2))\ng = opwright.jit(lambda x: x - ä); print(g(5))"
    file = tmp_path / "encoded.py"
    file.write_bytes(text.replace("\n", end).encode(encoding))
    result = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert result.stdout.split() == ["9", "2"], result.stderr


def test_a_module_that_is_loaded_again(tmp_path: Path) -> None:
    """The source is that of the file when the function was made."""
    script = """if True:
        import importlib, os, sys
        sys.dont_write_bytecode = True
        import changing
        assert changing.f(1) == 2
        old = changing.f
        with open(changing.__file__, "w") as file:
            file.write(open({other!r}).read())
        importlib.reload(changing)
        assert changing.f(1) == 101, changing.f(1)
        assert old(1) == 2
    """
    body = "from opwright import jit\n\n@jit\ndef f(x):\n    return x + {}\n"
    (tmp_path / "changing.py").write_text(body.format(1))
    (tmp_path / "other.txt").write_text(body.format(100))
    script = script.format(other=str(tmp_path / "other.txt"))
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr


def test_a_function_of_no_file_is_refused() -> None:
    names: dict[str, object] = {}
    exec("def f(x):\n    return x\n", names)
    with pytest.raises(TypeError, match="f has no source"):
        jit(names["f"])(1)
