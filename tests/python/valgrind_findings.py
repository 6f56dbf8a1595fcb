"""What valgrind finds in a process that uses the module."""

import os
import re
from pathlib import Path

import opwright

# With these, each object has memory of its own, which valgrind can watch.
ENVIRONMENT = {"PYTHONMALLOC": "malloc", "OPWRIGHT_KEEP_MEMORY": "0"}


def command(log: Path) -> list[str]:
    """What runs a command under valgrind; `%p` in the name stands for the process."""
    return ["valgrind", "--num-callers=40", f"--log-file={log}"]


def environment() -> dict[str, str]:
    """That of a process to be watched."""
    return {**os.environ, **ENVIRONMENT}


def of_module(log: Path) -> list[str]:
    """The findings of the module; the interpreter has some of its own."""
    library = Path(opwright._C.__file__).name
    findings = re.split(r"^==\d+== $", log.read_text(), flags=re.MULTILINE)
    assert len(findings) > 1, "valgrind said nothing at all"
    return [it for it in findings if f"/{library})" in it]
