"""No use of a tensor of any kind crashes, hangs or panics."""

from pathlib import Path

from trials import every, failures


def test_tensors_of_every_kind_in_every_use() -> None:
    script = Path(__file__).with_name("kinds_of_tensors.py")
    found = failures(script, str(every(otherwise=10)))
    assert not found, "\n".join(found)
