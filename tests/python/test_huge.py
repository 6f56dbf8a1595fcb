"""Every call ends soon, or can be ended, however large its tensors say that they are."""

import signal
from pathlib import Path

import pytest
from trials import every, failures, unexpected

SCRIPT = Path(__file__).parent / "huge_calls.py"

# Calls that are known to take longer, by how they begin, and why.
KNOWN = {
    "unbind(": "makes a million tensors without a look at the alarm",
    "Tensor.unbind(": "likewise",
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals are those of POSIX")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="how much memory there is says Linux")
@pytest.mark.timeout(7200)
def test_huge_tensors_and_numbers_keep_no_operator_from_ending() -> None:
    assert not unexpected(failures(SCRIPT, str(every(10))), KNOWN)
