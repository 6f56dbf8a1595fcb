"""Calls that are made from bytes, for a fuzzer that looks for new paths (`atheris`).

`python coverage_fuzz.py -max_total_time=60` and other flags of libFuzzer. Only the Python part of
the module tells where it has been; the native part takes what that lets through.
"""

import contextlib
import resource
import sys
import warnings

import atheris

with atheris.instrument_imports(include=["opwright"]):
    import opwright

from bound_operators import Operator, guesses, operators
from hostile_objects import objects

# Less than the fuzzer takes for a leak.
MOST_MEMORY = 3 << 30

OBJECTS = objects()
OPERATORS = list(operators())
BY_HAND = [opwright.tensor, opwright.as_tensor, opwright.from_numpy, repr, opwright.get_overloads]


def call(operator: Operator, data: atheris.FuzzedDataProvider) -> None:
    """Exchanges some arguments of a call that fits by its types, and calls."""
    overload = operator.overloads[data.ConsumeIntInRange(0, len(operator.overloads) - 1)]
    *_, (args, kwargs) = guesses(overload, str(data.ConsumeUInt(2)), 1 + data.ConsumeBool())
    given = list(args)
    for at in range(len(given)):
        if data.ConsumeBool():
            given[at] = OBJECTS[data.ConsumeIntInRange(0, len(OBJECTS) - 1)]()
    result = operator.function(*given, **kwargs)
    for function in BY_HAND:
        with contextlib.suppress(TypeError, ValueError, RuntimeError):
            function(result)


def one(raw: bytes) -> None:
    """One input of the fuzzer."""
    data = atheris.FuzzedDataProvider(raw)
    operator = OPERATORS[data.ConsumeIntInRange(0, len(OPERATORS) - 1)]
    try:
        call(operator, data)
    except SystemError:
        raise
    except Exception as error:
        with contextlib.suppress(Exception):
            text = str(error)
            if "internal error" in text:
                raise SystemError(f"{operator}: {text}") from error


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    # What asks for more is told so, as on a machine with less memory.
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
