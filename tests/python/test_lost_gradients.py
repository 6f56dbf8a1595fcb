"""`opcheck` sees composite kernels that go around the operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import opwright
import pytest
from opwright import _C
from opwright.testing import _checks, _gradients
from opwright.testing._operator import operators
from trials import every

SETTINGS = {"skip": list(_C._checks), "seeds": 1, "words": []}


def composed() -> Iterator[tuple[Any, Any, Callable[[], Any]]]:
    """Calls of composite operators."""
    for operator in operators(opwright):
        for overload in operator.overloads:
            if overload.base is None:
                continue
            if _checks.row(operator.native, overload.base).gradient == "composed":
                for make in operator.native._calls(overload.base.name, SETTINGS):
                    yield operator, overload, make


@pytest.mark.filterwarnings("ignore")
def test_composites_lose_no_gradient_unless_their_results_are_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = list(composed())[:: every(otherwise=5)]
    assert [it for it in calls if _gradients.lost(*it)] == []
    run = _checks.run

    def cut(operator: Any, call: Any) -> Any:
        result = run(operator, call)
        return result.detach() if isinstance(result, opwright.Tensor) else result

    monkeypatch.setattr(_checks, "run", cut)
    found = [it for it in calls if _gradients.lost(*it)]
    assert len(found) > len(calls) / 5
