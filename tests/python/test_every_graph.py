"""Every operator as a node: what functions of it compute in each mode, and out of pickles.

`OPWRIGHT_EVERY=1` tries all operators, otherwise a sample is tried.
"""

import copy
import os
import pickle
import random
from contextlib import suppress

import numpy as np
import opwright as ow
import pytest
from bound_operators import operators, right_call
from opwright import graph
from opwright.testing import _samples
from opwright.testing._graphs import Hidden

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 12
ONE = os.environ.get("OPWRIGHT_OPERATOR")
MODES = ("block", "per_op", "debug", "c")
OPERATORS = [it for it in operators() if ONE is None or it.name == ONE]


def flat(results):
    """All tensors and numbers, in order."""
    if isinstance(results, (list, tuple)) and not isinstance(results, ow.Size):
        return [part for it in results for part in flat(it)]
    return [results]


def image(value):
    """What has to be the same."""
    if isinstance(value, ow.Tensor):
        if value.is_meta:
            return str(value.dtype), tuple(value.shape), order(value)
        data = value.detach().clone().contiguous().view(-1)
        return str(value.dtype), tuple(value.shape), order(value), bits(data)
    return type(value).__name__, repr(value)


def order(value):
    """How elements lie in memory, but for gaps: a result that is a view of an input is a copy."""
    lie = zip(value.shape, value.clone().stride(), strict=True)
    return tuple(stride if size > 1 else 0 for size, stride in lie) if value.numel() > 0 else ()


def bits(data):
    """Its elements as bytes; NaNs are alike."""
    if data.dtype == ow.bfloat16:
        data = data.to(ow.float32)
    array = data.numpy()
    if array.dtype.kind in "fc":
        # Adding nothing keeps all but the payload of a NaN.
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.tobytes()


def argument(hidden, value):
    """Variables in the place of tensors; classes are none."""
    return value if isinstance(value, type) else hidden.argument(value)


def calls(operator):
    """Calls of its overloads, each with variables in the place of tensors."""
    for overload in operator.overloads:
        call = right_call(operator, overload, count=300)
        if call is None or "out" in call[1]:
            continue
        hidden = Hidden(ow._C, random.Random(operator.name))
        args = [argument(hidden, it) for it in call[0]]
        kwargs = {name: argument(hidden, it) for name, it in call[1].items()}
        hidden.values = [it.clone() for it in hidden.values]
        if not hidden.variables:
            continue
        try:
            ow.default_generator.manual_seed(1)
            made = operator.function(*args, **kwargs)
        except _samples.REFUSALS:
            # What is not possible of variables is said, which other tests look at.
            continue
        outputs = [it for it in flat(made) if isinstance(it, graph.Variable)]
        if outputs:
            yield call, hidden, outputs


def run(function, hidden):
    ow.default_generator.manual_seed(1)
    return [image(it) for it in flat(function(*[it.clone() for it in hidden.values]))]


def eager(operator, call):
    def own(value):
        if isinstance(value, (list, tuple)):
            return [own(it) for it in value]
        return value.clone() if isinstance(value, ow.Tensor) else value

    ow.default_generator.manual_seed(1)
    kwargs = {name: own(it) for name, it in call[1].items()}
    results = operator.function(*[own(it) for it in call[0]], **kwargs)
    return [image(it) for it in flat(results) if it is not None]


def function(hidden, outputs, mode="block"):
    return ow.function(hidden.variables, outputs, mode=mode, on_unused_input="ignore")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", OPERATORS[::EVERY], ids=lambda it: it.name)
def test_operators_in_all_modes_and_out_of_pickles(operator):
    """All modes give what the call gives; pickles and copies give what the function gives."""
    for call, hidden, outputs in calls(operator):
        where = f"{operator.name}{call}"
        expected = eager(operator, call)
        made = function(hidden, outputs)
        known = run(made, hidden)
        if len(expected) == len(known) and not operator_draws(made):
            assert known == expected, where
        for mode in MODES:
            assert run(function(hidden, outputs, mode), hidden) == known, f"{where}: {mode}"
            # One result alone: the others are read by nobody.
            for at, output in enumerate(outputs[:4]):
                alone = function(hidden, output, mode)
                assert run(alone, hidden) == known[at : at + 1], f"{where}[{at}]: {mode}"
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert run(again, hidden) == known, f"{where}: out of a pickle"


def operator_draws(made):
    """Whether it draws random numbers."""
    return any("generator" in (it.arguments or {}) for it in made.graph.toposort())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operator", OPERATORS[::EVERY], ids=lambda it: it.name)
def test_gradients_out_of_pickles(operator):
    """The gradients of all operators that have some compute the same out of a pickle."""
    for call, hidden, outputs in calls(operator):
        floats = [it for it in hidden.variables if it.dtype.is_floating_point]
        cost, gradients = None, None
        with suppress(TypeError, ValueError, RuntimeError, NotImplementedError):
            # What has no gradients says so.
            parts = [it.sum() for it in outputs if it.dtype.is_floating_point]
            cost = sum(parts[1:], parts[0]) if parts else None
            gradients = (
                floats
                and cost is not None
                and graph.grad(cost, floats, disconnected_inputs="ignore")
            )
        if not floats or cost is None or not gradients:
            continue
        made = function(hidden, gradients)
        try:
            known = run(made, hidden)
        except _samples.REFUSALS:
            continue
        where = f"the gradient of {operator.name}{call}"
        assert run(pickle.loads(pickle.dumps(made)), hidden) == known, where
        second = pickle.loads(pickle.dumps((hidden.variables, gradients)))
        again = ow.function(second[0], second[1], on_unused_input="ignore")
        assert run(again, hidden) == known, where
