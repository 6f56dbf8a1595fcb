"""Threads that use one tensor, and forks of a process that has threads, all come to an end."""

from pathlib import Path

import pytest
from trials import every, failures, unexpected

SCRIPT = Path(__file__).parent / "threaded_calls.py"

# Calls that are known to go wrong, by how they begin, and why.
KNOWN: dict[str, str] = {}


@pytest.mark.timeout(7200)
def test_threads_of_one_tensor_do_not_hinder_each_other() -> None:
    assert not unexpected(failures(SCRIPT, str(every(12))), KNOWN)
