"""Elements that another thread changes meanwhile lead to any result or error, but to no crash."""

import os
import shutil
from pathlib import Path

import pytest
import valgrind_findings
from trials import every, failures, unexpected

SCRIPT = Path(__file__).parent / "racing_calls.py"

# So long is each call repeated.
SECONDS = os.environ.get("OPWRIGHT_RACE_SECONDS", "0.03")

# Calls that are known to go wrong, by how they begin, and why.
KNOWN: dict[str, str] = {}


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="how much memory there is says Linux")
@pytest.mark.timeout(7200)
def test_no_operator_reads_twice_what_another_thread_changes() -> None:
    assert not unexpected(failures(SCRIPT, str(every(60)), SECONDS), KNOWN)


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.skipif("OPWRIGHT_EVERY" not in os.environ, reason="takes long")
@pytest.mark.timeout(7200)
def test_memory_is_used_as_it_should_be_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in valgrind_findings.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OPWRIGHT_TRIAL_SECONDS", "600")
    prefix = valgrind_findings.command(tmp_path / "%p.log")
    # Fewer operators: everything takes fifty times as long.
    found = failures(SCRIPT, str(10 * every(60)), "0.3", prefix=prefix)
    assert not unexpected(found, KNOWN)
    ours = [it for log in tmp_path.glob("*.log") for it in valgrind_findings.of_module(log)]
    assert not ours, "\n".join(ours[:3])
