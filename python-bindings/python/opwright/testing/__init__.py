"""Checks of operators, for the tests of those who write them.

    >>> from opwright.testing import opcheck
    >>> report = opcheck(opwright.hypot)
    >>> report.ok
    True

`python -m opwright.testing my_ops` checks all operators of a module.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from opwright import _C
from opwright._progress import Progress
from opwright.testing import _checks, _descriptions, _gradients, _graphs, _known, _natives
from opwright.testing._operator import Operator, Overload, called_by, find, operators
from opwright.testing._report import OpcheckError, Problem, Report

__all__ = ["OpcheckError", "Problem", "Report", "opcheck"]

# What is tried where a text is asked for that has no default.
_WORDS = ["mean", "add", "L", "reduced", "sum", "floor", "fro", "linear", "ij->ij", "ij"]


def opcheck(
    op: Callable[..., Any] | ModuleType,
    *,
    skip: Collection[str] = (),
    seeds: int = 3,
    words: Collection[str] = (),
    samples: Iterable[Any] = (),
    known: str | Path | None = None,
    raises: bool = True,
) -> Report:
    """Compares what is said of an operator with what it does.

    Its kernels, those of its in-place and `out=` forms among them, are called with samples made
    from their schemas, over dtypes, shapes (without dimensions, without elements, broadcast) and
    strides; then it is called from Python. What is compared, by the names that `skip` takes:

    - `signature`, `documentation`, `stub`: all show the same overloads.
    - `wrong arguments`: raise `TypeError`, and no arguments make the operator panic.
    - `examples`: those of the documentation, `>>> opwright.abs(...)`, print what stands below.
    - `results`: their number and types are those of the schema, and they are those of `ops`.
    - `mutation`: only what the schema declares is written to, `Tensor(a!)`, and it is returned.
    - `aliasing`: only what the schema declares is shared, `Tensor(a)`.
    - `strides`: the result does not depend on them.
    - `out=`, `in-place`: these forms give what the functional form returns.
    - `meta`: shapes and dtypes on the device `meta` are those on `cpu`.
    - `threads`: the result does not depend on their number.
    - `gradcheck`, `gradgradcheck`: gradients, and gradients of them, are what differences of
      results say, near the samples and for `float64` and `complex128`.
    - `infer`: results are of the types that are inferred where every other extent is unknown.
    - `fused`: in a chain of element-wise calls, or at its end, a call gives the same.
    - `graph gradients`: those of a graph, and gradients of them, are those of recorded calls.

    Args:
        op: A function or method of an operator, or a module, for all its operators.
        skip: What is not looked at.
        seeds: How many calls are looked for, of each overload, from which samples are varied.
        words: What else is tried where a text is asked for that has no default.
        samples: Values of the module's own types that are tried where one is asked for; without any
            those that `__opwright_samples__()` of the class returns, or else what calls of the
            class return.
        known: A file that says what is known not to hold, which then is no problem: lists of tables
            with `operator`, `check` and `reason`, and `words`.
        raises: Whether problems are raised; they are in the report in any case.

    Raises:
        OpcheckError: Something does not hold.
        ValueError: `op` is no operator, a word of `skip` is none of the above, or what `known` says
            cannot be understood.
        OSError: There is no file `known`.
    """
    checks = dict.fromkeys(
        [*_descriptions.CHECKS, *_C._checks, *_gradients.CHECKS, *_graphs.CHECKS]
    )
    for word in skip:
        if word not in checks:
            raise ValueError(f"there is no check {word!r}; there are: {', '.join(checks)}")
    expected = _known.Known() if known is None else _known.read(Path(known), checks)
    run = _Run(skip, seeds, [*words, *expected.words, *_WORDS], list(samples))
    with warnings.catch_warnings():
        # Samples are of all shapes, also of those that operators warn of.
        warnings.simplefilter("ignore", UserWarning)
        targets = list(operators(op) if isinstance(op, ModuleType) else _named(op))
        with Progress("checking operators", len(targets)) as progress:
            for operator in targets:
                progress.at(str(operator))
                run.check(operator)
                progress.advance()
    run.report.set_aside(expected.reason)
    if raises and not run.report.ok:
        raise OpcheckError(run.report)
    return run.report


def _named(op: Callable[..., Any]) -> Iterator[Operator]:
    """The operator of a function, and another one that it calls with other parameters."""
    yield (operator := find(op))
    if called := called_by(operator):
        yield called


class _Run:
    """What is looked at, and what was found so far."""

    def __init__(
        self, skip: Collection[str], seeds: int, words: list[str], samples: list[Any]
    ) -> None:
        self.skip = skip
        self.samples = samples
        # Of each module its own values.
        self.natives: dict[str, list[Any]] = {}
        skipped_kernels = [it for it in skip if it in _C._checks]
        self.settings = {"skip": skipped_kernels, "seeds": seeds, "words": words}
        self.report = Report()
        # The overloads that were asked for, or looked at with these.
        self.known: set[str] = set()
        # Who has had the gradients and the graphs of an overload looked at.
        self.graded: dict[str, str] = {}
        self.drawn: dict[str, str] = {}

    def check(self, operator: Operator) -> None:
        self.report.operators += 1
        for name, check in _descriptions.CHECKS.items():
            if name not in self.skip:
                self.note(operator, ((name, text) for text in check(operator)))
        if not hasattr(operator.native, "_opcheck"):
            reason = "built with `ops = false`, it knows its kernels in its Rust tests alone"
            self.report.unchecked = [f"calls of {operator.native.__name__}: {reason}"]
            return
        self.settings["samples"] = self.natives_of(operator.native)
        self.check_kernels(operator)
        for overload in operator.overloads:
            if overload.base is not None:
                for make in operator.native._calls(overload.base.name, self.settings):
                    problems = _checks.problems(operator, overload, make)
                    call = f"{operator}({_shown(make())})"
                    self.note(operator, (it for it in problems if it[0] not in self.skip), call)
                    self.count("from Python", 1)
                    self.check_graphs(operator, overload, make, call)
                    self.check_gradients(operator, overload, make, call)

    def natives_of(self, native: ModuleType) -> list[Any]:
        if native.__name__ not in self.natives:
            self.natives[native.__name__] = _natives.samples(native, self.samples)
        return self.natives[native.__name__]

    def check_graphs(
        self,
        operator: Operator,
        overload: Overload,
        make: Callable[[], dict[str, Any]],
        call: str,
    ) -> None:
        assert overload.base is not None, "it has been called"
        first = self.drawn.setdefault(overload.base.name, str(operator))
        if first != str(operator) or not hasattr(operator.native, "ops"):
            return
        found = _graphs.outcome(operator.native, overload.base, make, self.skip)
        self.note(operator, found.problems, call)
        if found.is_inferred is not None:
            self.count("of variables" if found.is_inferred else "of variables, refused", 1)
        if found.is_fused:
            self.count("in chains", 1)

    def check_gradients(
        self,
        operator: Operator,
        overload: Overload,
        make: Callable[[], dict[str, Any]],
        call: str,
    ) -> None:
        assert overload.base is not None, "it has been called"
        # A function and a method may have one overload.
        first = self.graded.setdefault(overload.base.name, str(operator))
        is_first = first == str(operator)
        lost = _gradients.lost(operator, overload, make) if is_first else None
        if lost is not None and "gradcheck" not in self.skip:
            text = (
                f"results depend on `{lost}` and do not require gradients if it does: the "
                "composite kernel goes around the operators, by methods such as `copy` and "
                "`to_dtype`, `view` or loops; call operators there"
            )
            self.note(operator, [("gradcheck", text)], call)
        trial = _gradients.trial(operator, overload, make) if is_first else None
        if trial is not None:
            self.note(operator, _gradients.problems(trial, self.skip), call)
            for comparison in _graphs.comparisons(trial, self.skip):
                self.note(operator, comparison.problems(), call)
                self.count("of gradients of graphs", 1)
            self.count("of gradients", 1)

    def check_kernels(self, operator: Operator) -> None:
        all_of = [it for overload in operator.overloads for it in (overload.base, overload.out)]
        schemas = {it.name: it.text for it in all_of if it is not None}
        new = schemas.keys() - self.known
        if not new:
            return
        found = operator.native._opcheck(sorted(new), self.settings)
        self.known |= new.union(found["overloads"])
        # What is no data is called by nobody.
        self.report.uncalled += [schemas[it] for it in new.difference(found["overloads"])]
        for kind, count in found["calls"].items():
            self.count(kind, count)
        self.report.uncalled += found["uncalled"]
        self.report.left += found["left"]
        self.report.problems += [Problem(*it) for it in found["problems"]]

    def note(self, operator: Operator, found: Iterable[tuple[str, str]], call: str = "") -> None:
        problems = (Problem(str(operator), check, text, call) for check, text in found)
        self.report.problems += problems

    def count(self, kind: str, calls: int) -> None:
        self.report.calls[kind] = self.report.calls.get(kind, 0) + calls


def _shown(given: dict[str, Any]) -> str:
    """Arguments as text, tensors by their dtypes and shapes."""
    return ", ".join(f"{name}={_shown_value(it)}" for name, it in given.items())


def _shown_value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_shown_value, value))}]"
    if hasattr(value, "untyped_storage"):
        dtype = str(value.dtype).rpartition(".")[2]
        return f"Tensor({dtype}, shape {list(value.shape)})"
    return repr(value)
