"""Every operator below `vmap`, against one call for each sample.

`OPWRIGHT_EVERY=1` tries all operators, otherwise a sample is tried.
"""

import itertools
import os
from collections import Counter

import opwright as ow
import pytest
from opwright import func
from opwright._C import ops
from opwright.func import _batching

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 8
ONE = os.environ.get("OPWRIGHT_OPERATOR")
SETTINGS = {"skip": [], "seeds": 0, "words": [], "samples": []}
SAMPLES = 3


def overloads():
    for name in dir(ops):
        operator = getattr(ops, name)
        if isinstance(operator, ops.Operator):
            for overload in operator.overloads:
                yield getattr(operator, overload)


def is_functional(overload):
    return not overload.mutates and "Tensor" in overload.schema.partition("->")[0]


ALL = [it for it in overloads() if is_functional(it) and ONE in (None, it.name.split(".")[0])]


def samples(tensor):
    """A batch: the tensor, and its elements in other orders."""
    orders = [tensor, tensor.flip(tuple(range(tensor.dim()))) if tensor.dim() else tensor]
    flat = tensor.reshape(-1)
    orders.append(flat.roll(1).reshape(tensor.shape))
    return ow.stack(orders[:SAMPLES])


def flat(returned):
    if isinstance(returned, (tuple, list)) and not isinstance(returned, ow.Size):
        return [part for it in returned for part in flat(it)]
    return [returned]


def is_batchable(value):
    return isinstance(value, ow.Tensor) and not value.is_meta


def spots(arguments):
    """Where tensors are among the arguments: names, and places in lists."""
    found = []
    for name, value in arguments.items():
        if is_batchable(value):
            found.append((name, None))
        elif isinstance(value, (list, tuple)):
            found += [(name, at) for at, it in enumerate(value) if is_batchable(it)]
    return found


def replaced(arguments, places, values):
    made = {name: list(it) if isinstance(it, tuple) else it for name, it in arguments.items()}
    made = {name: list(it) if isinstance(it, list) else it for name, it in made.items()}
    for (name, at), value in zip(places, values, strict=True):
        if at is None:
            made[name] = value
        else:
            made[name][at] = value
    return made


def by_loop(overload, arguments, places, batches):
    """One call for each sample; None if one is refused."""
    each = []
    for at in range(SAMPLES):
        try:
            ow.manual_seed(0)
            each.append(flat(overload(**replaced(arguments, places, [it[at] for it in batches]))))
        except Exception:
            return None
    if any(not isinstance(it, ow.Tensor) for it in itertools.chain(*each)):
        return None
    columns = list(zip(*each, strict=True))
    if any(len({tuple(it.shape) for it in column}) > 1 for column in columns):
        return None
    return [ow.stack(list(it)) for it in columns]


def choices(places):
    yield tuple(places)
    if len(places) > 1:
        for place in places:
            yield (place,)


def is_refused(name):
    tags = _batching._tags(name)
    return bool(tags & {"data_dependent_output", "dynamic_output_shape"})


def compare(overload, arguments, places):
    batches = [samples(argument_at(arguments, it)) for it in places]
    expected = by_loop(overload, arguments, places, batches)
    if expected is None:
        return 0
    ow.manual_seed(0)
    try:
        found = func.vmap(
            lambda *given: tuple(flat(overload(**replaced(arguments, places, given)))),
            randomness="same",
        )(*batches)
    except RuntimeError as error:
        assert "depends on the elements" in str(error)
        return 0
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype, (overload.name, places, arguments)
        assert one.shape == other.shape, (overload.name, places, arguments)
        close = ow.allclose if other.dtype.is_floating_point or other.dtype.is_complex else None
        same = (
            close(one, other, rtol=1e-4, atol=1e-5, equal_nan=True)
            if close
            else bool((one == other).all())
        )
        assert same, (overload.name, places, arguments, one, other)
    return 1


def argument_at(arguments, place):
    name, at = place
    return arguments[name] if at is None else arguments[name][at]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("overload", ALL[::EVERY], ids=lambda it: it.name)
def test_batches_are_what_samples_are(overload):
    name = overload.name.split(".")[0]
    if is_refused(name):
        return
    for make in ow._C._calls(overload.name, SETTINGS)[:12]:
        arguments = make()
        if any(isinstance(it, ow.Generator) for it in arguments.values()):
            continue
        places = spots(arguments)
        if places:
            for chosen in choices(places):
                compare(overload, arguments, chosen)


def test_few_operators_are_called_for_each_sample():
    """How many overloads have which rule: the loop is for what no rule follows for."""
    rules = Counter(_batching.rule_of(it.name.split(".")[0]) for it in overloads())
    total = sum(rules.values())
    assert rules["pointwise"] >= 0.3 * total, rules
    assert rules["loop"] <= 0.3 * total, rules
