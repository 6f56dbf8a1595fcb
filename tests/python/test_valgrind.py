"""What operators do with memory, watched by valgrind."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import opwright
import pytest

# Every so-many-th operator; 1 in the long form of the tests.
EVERY = int(os.environ.get("OPWRIGHT_EVERY", "12"))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.timeout(3600)
def test_memory_is_used_as_it_should_be(tmp_path: Path) -> None:
    log = tmp_path / "valgrind.log"
    script = Path(__file__).parent / "each_once.py"
    command = ["valgrind", "--num-callers=40", f"--log-file={log}", sys.executable, str(script)]
    result = subprocess.run(
        [*command, str(EVERY)],
        env={**os.environ, "PYTHONMALLOC": "malloc", "OPWRIGHT_KEEP_MEMORY": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    # The interpreter has findings of its own; those with a frame of the module are ours.
    library = Path(opwright._C.__file__).name
    findings = re.split(r"^==\d+== $", log.read_text(), flags=re.MULTILINE)
    assert len(findings) > 1, "valgrind said nothing at all"
    ours = [it for it in findings if f"/{library})" in it]
    assert not ours, "\n".join(ours[:3])
