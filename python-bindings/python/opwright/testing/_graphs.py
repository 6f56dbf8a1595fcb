"""Calls on variables: their types, what chains of them compute, and their gradients."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from math import isclose, isnan
from types import ModuleType
from typing import Any

from opwright.testing import _checks
from opwright.testing._gradients import Trial, numbers
from opwright.testing._schema import Schema

# The checks, in the order in which they are made.
CHECKS = ("infer", "fused", "graph gradients")

# What a call raises whose results depend on what is hidden, or that is not possible.
_REFUSALS = (TypeError, ValueError, IndexError, RuntimeError, OverflowError, NotImplementedError)

# How far gradients of graphs may be from those of passes, which run the same operators.
_TOLERANCE = 1e-9

Made = dict[str, Any]


@dataclass
class Hidden:
    """The arguments of a call with variables in the place of tensors.

    Every extent is unknown with a probability of one half, or as `known` says. Integers without
    dimensions stay: their values say how large results are.
    """

    native: ModuleType
    coin: random.Random
    known: bool | None = None
    variables: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)

    def variable(self, tensor: Any) -> Any:
        """A variable for a tensor."""
        shape = [None if self._hides() else extent for extent in tensor.shape]
        made = self.native._graph.tensor_type(tensor.dtype, shape)(f"x{len(self.variables)}")
        self.variables.append(made)
        self.values.append(tensor)
        return made

    def _hides(self) -> bool:
        return self.coin.random() < 0.5 if self.known is None else not self.known

    def argument(self, value: Any) -> Any:
        """An argument with variables."""
        if isinstance(value, (list, tuple)):
            return [self.argument(it) for it in value]
        if not hasattr(value, "untyped_storage"):
            return value
        is_number = value.dtype.is_floating_point or value.dtype.is_complex
        return self.variable(value) if value.ndim > 0 or is_number else value


@dataclass
class Outcome:
    """What was found of a call."""

    is_inferred: bool | None = None
    is_fused: bool = False
    problems: list[tuple[str, str]] = field(default_factory=list)


def outcome(
    native: ModuleType, schema: Schema, make: Callable[[], Made], skip: Collection[str]
) -> Outcome:
    """What holds of a call on variables, of those that write to nothing."""
    found = Outcome()
    if any(it.writes for it in schema.params):
        return found
    row = _checks.row(native, schema)
    # What the name of the overload says is as good as chance, and the same in the next run.
    hidden = Hidden(native, random.Random(schema.name))
    given = {name: hidden.argument(it) for name, it in make().items()}
    if not hidden.variables:
        return found
    try:
        eager = _called(native, row, make())
    except Exception:
        # What the call itself raises, another check tells.
        return found
    try:
        made = row(**given)
    except _REFUSALS:
        found.is_inferred = False
        return found
    found.is_inferred = True
    if "infer" not in skip:
        found.problems += [("infer", text) for text in _unsound(native, made, eager)]
    if "fused" not in skip:
        chained = _chained(native, row, make, given, made)
        if chained is None and not found.problems:
            chained = _ending(native, row, make, given, made, schema.name)
        if chained is not None:
            found.is_fused = True
            found.problems += [("fused", text) for text in _differing(native, hidden, *chained)]
    return found


def _called(native: ModuleType, row: Any, given: Made) -> Any:
    native.default_generator.manual_seed(1)
    return row(**given)


def _unsound(native: ModuleType, made: Any, eager: Any) -> Iterator[str]:
    """Results that are not of the types of the variables for them."""
    if isinstance(eager, (list, tuple)):
        if not isinstance(made, (list, tuple)) or len(made) != len(eager):
            yield f"gives {len(eager)} results, and {made!r} of variables"
            return
        for one, other in zip(made, eager, strict=True):
            yield from _unsound(native, one, other)
    elif hasattr(eager, "untyped_storage"):
        if not isinstance(made, native._graph.Variable):
            yield f"gives a tensor, and {made!r} of variables"
        elif not made.type.is_valid_value(eager):
            shown = f"{eager.dtype} of shape {tuple(eager.shape)}"
            yield f"gives {shown}, and of variables {made.type}"


def _chained(
    native: ModuleType, row: Any, make: Callable[[], Made], given: Made, made: Any
) -> tuple[Any, Any, Any] | None:
    """The call and another one of its result, which run as one node: function, variable, tensor.

    Nothing if they do not: they are not element-wise, or the second is not possible.
    """
    first = next((name for name, it in given.items() if _is_variable(native, it)), None)
    if first is None or not _is_variable(native, made):
        return None
    try:
        functions = _functions(native)
        chain = row(**{**given, first: made})
        once = _called(native, row, make())
        twice = row(**{**make(), first: once})
    except (ImportError, *_REFUSALS):
        return None
    function = functions.function(native._graph.inputs([chain]), chain)
    is_one = any(str(it.op).startswith("fused{") for it in function.graph.toposort())
    return (function, chain, twice) if is_one else None


def _ending(
    native: ModuleType, row: Any, make: Callable[[], Made], given: Made, made: Any, name: str
) -> tuple[Any, Any, Any] | None:
    """The call of absolute values, which ends a chain: function, variable, tensor.

    Nothing if it does not: it is no reduction, or not over the last dimensions.
    """
    first = next((name for name, it in given.items() if _is_variable(native, it)), None)
    if first is None or not _is_variable(native, made):
        return None
    try:
        functions = _functions(native)
        chain = row(**{**given, first: abs(given[first])})
        plain = make()
        alone = _called(native, row, {**plain, first: abs(plain[first])})
    except (ImportError, *_REFUSALS):
        return None
    function = functions.function(native._graph.inputs([chain]), chain)
    is_end = any(str(it.op).endswith(f", {name}}}") for it in function.graph.toposort())
    return (function, chain, alone) if is_end else None


def _functions(native: ModuleType) -> ModuleType:
    """The part that makes functions, of the package in which the module stands, or which it is."""
    package = native.__name__.rpartition(".")[0] or native.__name__
    return importlib.import_module(f"{package}.graph._functions")


def _is_variable(native: ModuleType, value: Any) -> bool:
    return isinstance(value, native._graph.Variable)


def _differing(
    native: ModuleType, hidden: Hidden, function: Any, chain: Any, expected: Any
) -> Iterator[str]:
    """How a function differs from the calls in it."""
    values = dict(zip(hidden.variables, hidden.values, strict=True))
    try:
        found = function(*(values[it] for it in native._graph.inputs([chain])))
    except Exception as error:
        yield f"raises {type(error).__name__} in a chain: {error}"
        return
    if not chain.type.values_eq_approx(found, expected):
        yield f"gives {found.tolist()} in a chain, and {expected.tolist()} by calls"


def comparisons(trial: Trial, skip: Collection[str]) -> Iterator[Comparison]:
    """What is compared of the gradients of a call: with known and with unknown extents."""
    if CHECKS[-1] in skip or trial.writes:
        return
    for known in (True, False):
        # What depends on extents that are unknown is refused.
        with suppress(*_REFUSALS):
            yield Comparison(trial, known)


class Comparison:
    """Gradients of a graph beside those of a pass over the same call, recorded."""

    def __init__(self, trial: Trial, known: bool) -> None:
        self.native, self.trial = trial.native, trial
        hidden = Hidden(trial.native, random.Random(), known)
        self.variables = [hidden.variable(it) for it in trial.leaves]
        row = _checks.row(trial.native, trial.schema)
        self.results = _variables(trial.native, row(**trial.arguments(*self.variables)))

    def problems(self) -> Iterator[tuple[str, str]]:
        """The check and the text of what differs."""
        try:
            yield from ((CHECKS[-1], text) for text in self._differences())
        except Exception as error:
            lacks_operators = not getattr(self.native, "_adds_by_operators", True)
            if not (lacks_operators and isinstance(error, NotImplementedError)):
                yield CHECKS[-1], f"{type(error).__name__}: {error}"

    def _differences(self) -> Iterator[str]:
        """What differs, of gradients and of gradients of these."""
        functions = _functions(self.native)
        native, leaves = self.native, self._leaves()
        native.default_generator.manual_seed(1)
        outputs = _checks.tensors(
            _checks.row(native, self.trial.schema)(**self.trial.arguments(*leaves))
        )
        made, recorded = self.results, outputs
        for word in ("", "second "):
            pairs = [
                (a, b) for a, b in zip(made, recorded, strict=True) if b is not None
                and b.requires_grad
            ]  # fmt: skip
            # What compares in place keeps the dtype; of variables it makes truth values.
            if not pairs or any(a.dtype != b.dtype for a, b in pairs):
                return
            seeds = [_seed(native, it) for _, it in pairs]
            wanted = native._grad([b for _, b in pairs], leaves, seeds, True, True, True)
            known = [(a, seed) for (a, _), seed in zip(pairs, seeds, strict=True)]
            made, _ = native._graph.grad(None, self.variables, known, [])
            mode = functions.Mode(optimizer="none")
            function = functions.function(
                self.variables, list(made), mode=mode, on_unused_input="ignore"
            )
            native.default_generator.manual_seed(1)
            found = function(*(it.data for it in leaves))
            for at, (got, want) in enumerate(zip(found, wanted, strict=True)):
                if not _same(got, want):
                    shown = "nothing" if want is None else want.data.tolist()
                    yield f"{word}gradient {at} is {got.tolist()} in a graph, {shown} by a pass"
            recorded = list(wanted)

    def _leaves(self) -> list[Any]:
        return [it.data.requires_grad_() for it in self.trial.leaves]


def _variables(native: ModuleType, made: Any) -> list[Any]:
    """The variables in a result."""
    if isinstance(made, (list, tuple)):
        return [it for part in made for it in _variables(native, part)]
    return [made] if _is_variable(native, made) else []


def _seed(native: ModuleType, output: Any) -> Any:
    """A gradient to begin with, of which no two elements are alike."""
    count = 0

    def some(value: Any) -> Any:
        nonlocal count
        if isinstance(value, list):
            return [some(it) for it in value]
        count += 1
        number = 0.5 + (count * 0.618034) % 1
        return complex(number, number / 2) if output.dtype.is_complex else number

    seed = native.tensor(some(output.data.tolist()), dtype=output.dtype)
    return seed if seed.shape == output.shape else seed.reshape(output.shape)


def _same(found: Any, wanted: Any) -> bool:
    """Whether elements are alike; no gradient is one of zeros."""
    if wanted is None:
        return not any(numbers(found))
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    return all(
        _close(a.real, b.real) and _close(a.imag, b.imag)
        for a, b in zip(numbers(found), numbers(wanted), strict=True)
    )


def _close(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE) or (isnan(a) and isnan(b))
