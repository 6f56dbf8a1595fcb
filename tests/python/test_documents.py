"""The Python code in the documents runs."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = ["README.md", "docs/src/module.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_of_document_runs(document: str) -> None:
    text = (ROOT / document).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for block in blocks:
            exec(block, names)
