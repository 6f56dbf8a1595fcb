"""Checks of operators, for the tests of those who write them.

    >>> from opwright.testing import opcheck
    >>> report = opcheck(opwright.hypot)
    >>> report.ok
    True

`python -m opwright.testing my_ops` checks all operators of a module. Needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any

from opwright.testing import _checks, _descriptions, _samples, _trial
from opwright.testing._operator import Operator, find, operators
from opwright.testing._report import OpcheckError, Problem, Report
from opwright.testing._samples import Sample

__all__ = ["OpcheckError", "Problem", "Report", "opcheck"]


def opcheck(
    op: Callable[..., Any] | ModuleType,
    *,
    skip: Collection[str] = (),
    seeds: int = 3,
    raises: bool = True,
) -> Report:
    """Compares what is said of an operator with what it does.

    The operator is called with samples made from its signatures, over dtypes, shapes (without
    dimensions, without elements, broadcast) and strides. What is compared, by the names that
    `skip` takes:

    - `signature`, `documentation`, `stub`: all show the same overloads.
    - `wrong arguments`: raise `TypeError`, and no arguments make the operator panic.
    - `examples`: those of the documentation, `>>> opwright.abs(...)`, print what stands below.
    - `results`: their number and types are those of the schema.
    - `mutation`: only what the schema declares is written to, `Tensor(a!)`.
    - `aliasing`: only what the schema declares is shared, `Tensor(a)`.
    - `strides`: the result does not depend on them.
    - `out=`, `in-place`: these forms give what the functional form returns.
    - `meta`: shapes and dtypes on the device `meta` are those on `cpu`.
    - `threads`: the result does not depend on their number.

    Args:
        op: A function or method of an operator, or a module, for all its operators.
        skip: What is not looked at.
        seeds: How many calls are looked for, of each overload, from which samples are varied.
        raises: Whether problems are raised; they are in the report in any case.

    Raises:
        OpcheckError: Something does not hold.
        ValueError: `op` is no operator, or a word of `skip` is none of the above.
    """
    known = [*_descriptions.CHECKS, *_checks.CHECKS]
    for word in skip:
        if word not in known:
            raise ValueError(f"there is no check {word!r}; there are: {', '.join(known)}")
    report = Report()
    for operator in operators(op) if isinstance(op, ModuleType) else [find(op)]:
        _check(operator, skip, seeds, report)
    if raises and not report.ok:
        raise OpcheckError(report)
    return report


def _check(operator: Operator, skip: Collection[str], seeds: int, report: Report) -> None:
    report.operators += 1
    for name, check in _descriptions.CHECKS.items():
        if name not in skip:
            report.problems += [Problem(str(operator), name, text) for text in check(operator)]
    for overload in operator.overloads:
        panics: _samples.Panics = {}
        samples = _samples.samples(operator, overload, seeds, panics)
        if "wrong arguments" not in skip:
            report.problems += [
                Problem(str(operator), "wrong arguments", f"panics: {text}", f"{operator}{sample}")
                for text, sample in panics.items()
            ]
        if not samples:
            report.uncalled.append(f"{operator}: {overload.text}")
        for sample in samples:
            report.calls[sample.kind] = report.calls.get(sample.kind, 0) + 1
            _try(operator, sample, skip, report)


def _try(operator: Operator, sample: Sample, skip: Collection[str], report: Report) -> None:
    trial = _trial.attempt(operator, sample)
    if trial is None:
        return
    call = f"{operator}{sample}"
    for name, check in _checks.CHECKS.items():
        if name in skip:
            continue
        try:
            texts = list(check(trial))
        except Exception as error:
            texts = [f"raises {type(error).__name__}: {error}"]
        report.problems += [Problem(str(operator), name, text, call) for text in texts]
