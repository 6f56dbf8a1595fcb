"""Examples in the documentation of operators, run as `doctest` runs them."""

from __future__ import annotations

import doctest
import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

from opwright.testing._operator import Operator


def examples(operator: Operator) -> Iterator[str]:
    """Each example prints what the documentation says; `...` stands for any text."""
    test = parsed(operator)
    runner = _Runner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test)
    yield from runner.found


def parsed(operator: Operator) -> doctest.DocTest:
    """The examples of an operator, with the names that they may use: those of its package."""
    package = operator.native.__name__.partition(".")[0]
    names: dict[str, Any] = {"opwright": importlib.import_module("opwright")}
    if package not in names and importlib.util.find_spec(package) is not None:
        names[package] = importlib.import_module(package)
    text = operator.function.__doc__ or ""
    return doctest.DocTestParser().get_doctest(text, names, str(operator), None, None)


class _Runner(doctest.DocTestRunner):
    """Keeps what does not hold instead of printing it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.found: list[str] = []

    def report_failure(
        self, out: Callable[[str], Any], test: doctest.DocTest, example: doctest.Example, got: str
    ) -> None:
        wanted = example.want.strip()
        self.found.append(f"{example.source.strip()} prints {got.strip()}, not {wanted}")

    def report_unexpected_exception(
        self,
        out: Callable[[str], Any],
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: Any,
    ) -> None:
        kind, error, _ = exc_info
        self.found.append(f"{example.source.strip()} raises {kind.__name__}: {error}")
