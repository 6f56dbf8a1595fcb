"""How many instructions of the module a call takes, which no busy machine can change.

What the interpreter and libc do for a call is not counted: they are not ours, and differ from
version to version.
"""

import contextlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import opwright
import pytest

COUNTS = Path(__file__).parent / "instructions.toml"

# So often each call is repeated: what happens once does not show.
REPEATED = 2000

TOLERANCE = 0.03

MACHINE = f"{platform.system()}-{platform.machine()}"


def section() -> str:
    """Counts are of a machine, and of how far the module is optimized."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        opwright.show_config()
    level = re.search(r"^optimization level: (\w+)$", printed.getvalue(), re.MULTILINE)
    assert level is not None
    return f"{MACHINE}-O{level[1]}"


def of_module(profile: Path) -> int:
    """The instructions in a profile of callgrind that were executed in the module."""
    library = Path(opwright._C.__file__).name
    files: dict[str, str] = {}
    total, is_ours, is_of_callee = 0, False, False
    for line in profile.read_text().splitlines():
        if found := re.match(r"ob=(\(\d+\))(?: (.*))?$", line):
            files.setdefault(found[1], found[2] or "")
            is_ours = files[found[1]].endswith(f"/{library}")
        elif found := re.match(r"cob=(\(\d+\))(?: (.*))?$", line):
            files.setdefault(found[1], found[2] or "")
        elif line.startswith("calls="):
            is_of_callee = True
        elif found := re.match(r"(?:[+-]?\d+|\*) (\d+)$", line):
            total += int(found[1]) if is_ours and not is_of_callee else 0
            is_of_callee = False
    return total


def measured(statements: list[str], folder: Path) -> dict[str, int]:
    """What one call of each statement takes."""
    command = [
        *["valgrind", "--tool=callgrind", "--separate-threads=yes"],
        f"--callgrind-out-file={folder}/profile",
        *[sys.executable, str(COUNTS.parent / "repeat_calls.py"), str(REPEATED), *statements],
    ]
    # How strings hash, and what is kept for later, would decide about the way.
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OPWRIGHT_KEEP_MEMORY": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    # One for each thread, in the order in which they were started, first the main one.
    profiles = sorted(folder.glob("profile-*"))[1:]
    assert len(profiles) == len(statements), [it.name for it in folder.iterdir()]
    pairs = zip(statements, profiles, strict=True)
    return {statement: round(of_module(profile) / REPEATED) for statement, profile in pairs}


def text(sections: dict[str, dict[str, int]]) -> str:
    """The file of expected counts."""
    parts = [COUNTS.read_text().split("[", maxsplit=1)[0].rstrip("\n") + "\n"]
    for name, counts in sections.items():
        lines = [f'"{statement}" = {count}\n' for statement, count in counts.items()]
        parts.append(f"[{name}]\n{''.join(lines)}")
    return "\n".join(parts)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.skipif(MACHINE != "Linux-x86_64", reason=f"{MACHINE} has other instructions")
@pytest.mark.timeout(600)
def test_calls_take_as_many_instructions_as_they_did(tmp_path: Path) -> None:
    sections, here = tomllib.loads(COUNTS.read_text()), section()
    if here not in sections:
        pytest.skip(f"nobody counts for {here}: `cargo xtask test` builds another module")
    expected = sections[here]
    assert len(expected) >= 10
    counts = measured(list(expected), tmp_path)
    if os.environ.get("OPWRIGHT_BLESS"):
        COUNTS.write_text(text({**sections, here: counts}))
        return
    changed = [
        f"{statement}: {expected[statement]} -> {count}"
        for statement, count in counts.items()
        if abs(count - expected[statement]) > TOLERANCE * expected[statement]
    ]
    head = f"of a module for {here}; `cargo xtask bless` accepts these counts:"
    assert not changed, "\n".join([head, *changed])
