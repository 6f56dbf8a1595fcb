"""The picture in the guide is that of the example."""

import importlib
import os
from pathlib import Path

import opwright
import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs/src/step.svg"


def test_the_guide_shows_a_step_of_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    drawn = importlib.import_module("graph").picture()
    if os.environ.get("OPWRIGHT_BLESS"):
        PICTURE.write_text(drawn, encoding="utf-8")
    shown = PICTURE.read_text(encoding="utf-8")
    assert shown == drawn, "docs/src/step.svg is stale; `cargo xtask bless`"


def test_pictures_of_functions_show_their_updates() -> None:
    x = opwright.TensorType("float64", (None,))("x")
    total = opwright.shared([0.0], name="total", type=x.type)
    add = opwright.function([x], updates={total: total + x})
    assert "add.Tensor" in opwright.graph.to_dot(add)
    assert add._repr_svg_() == opwright.graph.to_svg(add)
    assert ">total<" in add._repr_svg_()
