"""What is known of one operator: a step of `cargo xtask op`.

Usage: steps.py STEP NAME [--known FILE]

`find` prints what the name stands for. The others print what failed, what was left out, and how
many checks passed, in lines like those at the end of a run of pytest; the exit code is 1 if
something failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import opwright
from operators import Target, UnknownOperatorError, find, public_name, schemas_of
from opwright import _C
from opwright.testing import (
    Report,
    _checks,
    _descriptions,
    _examples,
    _gradients,
    _graphs,
    _known,
    opcheck,
)
from opwright.testing._operator import Operator

ROOT = Path(__file__).parents[2]
sys.path.extend([str(ROOT / "tests/python"), str(ROOT / "xtask/bench")])

# Why an operator has no gradient, by what its overloads say of it.
NO_GRADIENT = {
    "none": "its results never require gradients",
    "not implemented": "its entry has no formulas",
}


@dataclass(frozen=True)
class Result:
    """What a check came to."""

    outcome: str
    text: str

    def __str__(self) -> str:
        return f"{self.outcome.upper()} {self.text}"


def passed(text: object) -> Result:
    """Nothing is wrong."""
    return Result("passed", str(text))


def failed(name: object, why: object) -> Result:
    """Something is wrong."""
    return Result("failed", f"{name} - {why}")


def skipped(name: object, why: object) -> Result:
    """Nobody could look."""
    return Result("skipped", f"{name} - {why}")


def checked(target: Target, known: Path | None) -> Iterator[Result]:
    """`opcheck` of each function and method, but for what other steps look at."""
    for operator in target.operators:
        report = report_of(operator, ["examples", *_gradients.CHECKS], known)
        print(f"{public_name(operator)}: {sum(report.calls.values())} calls")
        yield from outcomes(operator, report)
        yield from (skipped("opcheck", f"no call found: {it}") for it in report.uncalled)
        yield from (skipped("opcheck", f"interrupted: {it}") for it in report.left)


def differentiated(target: Target, known: Path | None) -> Iterator[Result]:
    """`gradcheck` and `gradgradcheck` of each overload that has gradients."""
    checks = [*_descriptions.CHECKS, *_C._checks, *_graphs.CHECKS]
    seen: set[str] = set()
    for operator in target.operators:
        schemas = [it.base for it in operator.overloads if it.base is not None]
        new = [it for it in schemas if target.has(it.name) and it.name not in seen]
        seen.update(it.name for it in new)
        kinds = {it.name: _checks.row(operator.native, it).gradient for it in new}
        for name, kind in kinds.items():
            if kind in NO_GRADIENT:
                yield skipped(name, f"no gradient: {NO_GRADIENT[kind]}")
        if not NO_GRADIENT.keys() >= set(kinds.values()):
            report = report_of(operator, checks, known)
            calls = report.calls.get("of gradients", 0)
            print(f"{public_name(operator)}: gradients of {calls} calls")
            if report.ok and not calls:
                yield skipped(operator, "no call found that has derivatives at its inputs")
            else:
                yield from outcomes(operator, report)
    if not seen:
        yield skipped(target, "no gradient: it writes to `out=`")


def report_of(operator: Operator, skip: list[str], known: Path | None) -> Report:
    """What `opcheck` finds; what is known not to hold is no problem."""
    known = known or _known.beside(opwright)
    return opcheck(operator.function, skip=skip, known=known, raises=False)


def outcomes(operator: Operator, report: Report) -> Iterator[Result]:
    """Each problem once, however many calls it showed in."""
    for it in report.known:
        print(f"known: {it}")
    problems = {(it.check, it.text): it for it in report.problems}
    for problem in problems.values():
        print(problem)
        place = f", in {problem.call}" if problem.call else ""
        yield failed(f"{problem.operator}: {problem.check}", f"{first_line(problem.text)}{place}")
    if not problems:
        yield passed(operator)


def first_line(text: str) -> str:
    """What a summary has of a text that may have matrices in it."""
    return text.partition("\n")[0]


def shown(target: Target, known: Path | None) -> Iterator[Result]:
    """The examples of the documentation print what stands below them."""
    from test_examples import lacks_example

    for operator in target.operators:
        examples = _examples.parsed(operator).examples
        if lacks_example(operator):
            yield failed(operator, "its documentation has no example")
        wrong = list(_examples.examples(operator))
        for text in wrong:
            print(f"{operator}: {text}")
            yield failed(f"{operator}: examples", first_line(text))
        yield from [passed(operator)] * (len(examples) - len(wrong))
    if not any(_examples.parsed(it).examples or lacks_example(it) for it in target.operators):
        yield skipped(target, "the form that is not in place has the examples")


def measured(target: Target, known: Path | None) -> Iterator[Result]:
    """Times of calls, beside numpy and scipy."""
    from timings import table

    for name, lacks in table(target):
        yield skipped(name, lacks) if lacks else passed(name)


def described(target: Target) -> str:
    """What the name stands for."""
    schemas = dict.fromkeys(name for it in target.operators for name in schemas_of(it))
    called = ", ".join(map(public_name, target.operators))
    return f"{called}: {', '.join(filter(target.has, schemas))}"


STEPS: dict[str, Callable[[Target, Path | None], Iterator[Result]]] = {
    "opcheck": checked,
    "gradcheck": differentiated,
    "examples": shown,
    "bench": measured,
}


def run(step: str, target: Target, known: Path | None = None) -> int:
    """Prints the results of a step; 1 if something failed."""
    start = time.perf_counter()
    results = list(STEPS[step](target, known))
    # Of one kernel its function and its method say the same.
    for it in dict.fromkeys(results):
        if it.outcome != "passed":
            print(it)
    found = [it.outcome for it in results]
    counts = [f"{found.count(it)} {it}" for it in ("failed", "passed", "skipped")]
    print(f"{', '.join(counts)} in {time.perf_counter() - start:.2f}s")
    return int("failed" in found)


def main() -> int:
    """Runs the step of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["find", *STEPS])
    parser.add_argument("name")
    parser.add_argument("--known", type=Path, help="what is known not to hold, as for `opcheck`")
    options = parser.parse_args()
    try:
        target = find(options.name)
    except UnknownOperatorError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if options.step == "find":
        print(described(target))
        return 0
    return run(options.step, target, options.known)


if __name__ == "__main__":
    sys.exit(main())
