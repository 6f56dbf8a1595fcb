"""What the guide says of PyTorch is so: each call of its table, here and, where it is, there."""

import importlib
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import opwright
import pytest

PAGE = Path(__file__).parents[2] / "docs/src/from-torch.md"
ROW = re.compile(r"\| `(.+?)` \| `(.+?)` \| `(.+?)` \|")
ROWS = [it.groups() for it in map(ROW.fullmatch, PAGE.read_text().splitlines()) if it]


def names(t: ModuleType) -> dict[str, Any]:
    """What the calls of the table are made of."""

    def slope(function: Callable[[Any], Any], at: float) -> float:
        x = t.tensor(at, requires_grad=True)
        function(x).backward()
        return float(x.grad)

    def warns(function: Callable[[], Any]) -> bool:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
        return bool(caught)

    def shares(a: Any, b: Any) -> bool:
        return bool(a.data_ptr() == b.data_ptr())

    x, w = t.tensor([1.0, 2.0]), t.tensor([0.5], requires_grad=True)
    return {
        "t": t,
        "F": t.nn.functional,
        "x": x,
        "w": w,
        "slope": slope,
        "warns": warns,
        "shares": shares,
    }


def outcome(t: ModuleType, call: str) -> str:
    """What a call gives, or the class of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return repr(eval(call, names(t)))
    except Exception as error:
        return type(error).__name__


def test_there_are_rows() -> None:
    assert len(ROWS) > 40
    assert len({call for call, _, _ in ROWS}) == len(ROWS)
    assert all(here != there for _, here, there in ROWS)


@pytest.mark.parametrize(("call", "here"), [it[:2] for it in ROWS])
def test_here(call: str, here: str) -> None:
    assert outcome(opwright, call) == here


def test_there() -> None:
    torch = pytest.importorskip("torch")
    importlib.import_module("torch.distributed")
    wrong = {call: outcome(torch, call) for call, _, there in ROWS if outcome(torch, call) != there}
    assert not wrong
