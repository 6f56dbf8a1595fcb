"""What operators do with memory, watched by valgrind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import valgrind_findings

# Every so-many-th operator; 1 in the long form of the tests.
EVERY = int(os.environ.get("OPWRIGHT_EVERY", "12"))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.timeout(3600)
def test_memory_is_used_as_it_should_be(tmp_path: Path) -> None:
    log = tmp_path / "valgrind.log"
    script = Path(__file__).parent / "each_once.py"
    result = subprocess.run(
        [*valgrind_findings.command(log), sys.executable, str(script), str(EVERY)],
        env=valgrind_findings.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    ours = valgrind_findings.of_module(log)
    assert not ours, "\n".join(ours[:3])
