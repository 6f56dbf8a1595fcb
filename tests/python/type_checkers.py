"""Type checkers as users run them: mypy, and pyright where it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import opwright
import pytest

PACKAGE = Path(opwright.__file__).parent
# `pyright --verifytypes` asks the first Python that it finds.
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@cache
def _pyright() -> str | None:
    """The program, if it runs: its package fetches the rest from npm at the first call."""
    program = shutil.which("pyright", path=PATH)
    if program is None:
        return None
    done = subprocess.run([program, "--version"], capture_output=True, check=False)
    return None if done.returncode else program


needs_pyright = pytest.mark.skipif(
    _pyright() is None, reason="needs pyright: pip install 'pyright[nodejs]'"
)


def pyright(folder: Path, *options: str) -> Any:
    """What pyright reports of a folder, as its JSON."""
    command = [str(_pyright()), "--pythonpath", sys.executable, "--outputjson", *options]
    env = {**os.environ, "PATH": PATH}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def mypy(folder: Path, text: str) -> str:
    """What mypy says of a program."""
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder), str(program)]
    # As it is for a package that is installed.
    command += ["--follow-imports", "silent"]
    is_installed = PACKAGE.parent.name == "site-packages"
    found = subprocess.run(
        command,
        # What is installed is found without, and must not be named.
        env={"PATH": ""} | ({} if is_installed else {"MYPYPATH": str(PACKAGE.parent)}),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout
