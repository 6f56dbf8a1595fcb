"""What `opwright.testing.observe` sees of operators."""

import json
from collections.abc import Callable
from typing import Any

import opwright
import pytest
from opwright.testing import _dtypes, _shapes, observe
from opwright.testing._operator import find

DTYPES: dict[str, tuple[Callable[..., Any], list[tuple[str, str]]]] = {
    "promotes": (
        opwright.add,
        [("all", "the same"), ("`int64` and `float32`", "`float32`")],
    ),
    "floating": (
        opwright.hypot,
        [("floating", "the same"), ("`int64` and `float32`", "`float32`")],
    ),
    "converts": (
        opwright.sqrt,
        [("`bool`, integers", "`float32`"), ("floating, complex", "the same")],
    ),
    "two results": (opwright.topk, [("`bool`, integers, floating", "the same, `int64`")]),
    "beside": (opwright.gather, [("all, beside `int64`", "the same")]),
    "magnitude": (
        opwright.abs,
        [
            ("integers, floating", "the same"),
            ("`complex64`", "`float32`"),
            ("`complex128`", "`float64`"),
        ],
    ),
    "no tensor": (opwright.zeros, [("no tensor", "`float32`, or `dtype`")]),
    "no tensors back": (
        opwright.equal,
        [("all", "`bool`"), ("`int64` and `float32`", "`bool`")],
    ),
}


@pytest.mark.parametrize("case", DTYPES)
def test_dtypes(case: str) -> None:
    function, expected = DTYPES[case]
    assert _dtypes.rows(find(function)) == expected


def test_shapes_are_broadcast() -> None:
    rows = dict(_shapes.rows(find(opwright.hypot)))
    assert rows["`hypot((2, 3), (3,))`"] == "`(2, 3)`"
    assert rows["`hypot((2, 1, 3), (4, 1))`"] == "`(2, 4, 3)`"


def test_shapes_depend_on_parameters() -> None:
    rows = dict(_shapes.rows(find(opwright.sum)))
    assert rows["`sum((2, 3))`"] == "`()`"
    assert rows["`sum((2, 3), dim=0)`"] == "`(3,)`"
    assert dict(_shapes.rows(find(opwright.cat)))["`cat([(2, 3), (2, 3)])`"] == "`(4, 3)`"


def test_as_a_program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["observe", "opwright.testing"])
    with pytest.raises(SystemExit):
        observe.main()
    assert "opwright.testing is not a module of operators" in capsys.readouterr().err
    monkeypatch.setattr(observe, "operators", lambda module, protocol: [find(opwright.abs_)])
    monkeypatch.setattr("sys.argv", ["observe", "opwright"])
    observe.main()
    seen = json.loads(capsys.readouterr().out)
    assert seen["module"] == "opwright"
    assert seen["operators"]["abs_"]["public"] == "opwright.abs_"
    assert ["integers, floating", "the same"] in seen["operators"]["abs_"]["dtypes"]
