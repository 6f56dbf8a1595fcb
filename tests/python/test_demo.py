"""What the demo shows of graphs: the chain is one loop, and both lines of its table are printed."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import opwright as ow
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("sklearn")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    spec = importlib.util.spec_from_file_location("graph_example", EXAMPLES / "graph.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_the_chain_is_one_pass(example: ModuleType) -> None:
    """Compiled it goes over the elements once, where calls go eight times."""
    variables = [ow.TensorType("float32", (None,))(name) for name in "xy"]
    apart = ow.function(variables, example.chain(*variables), mode=ow.Mode(optimizer="none"))
    fused = ow.function(variables, example.chain(*variables))
    assert (len(apart.graph.toposort()), len(fused.graph.toposort())) == (8, 1)
    x, y = ow.rand(1000), ow.rand(1000)
    assert ow.allclose(fused(x, y), example.chain(x, y))


def test_both_lines_are_printed(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(example, "CHAINED", 1000)
    monkeypatch.setattr(example, "RUNS", 1)
    example.compare_chain()
    printed = capsys.readouterr().out
    lines = re.findall(r"^(compiled|by calls) +\d+\.\d ms", printed, re.MULTILINE)
    assert lines == ["compiled", "by calls"]
