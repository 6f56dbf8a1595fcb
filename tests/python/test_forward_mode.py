"""Forward mode of every operator: its tangents against its gradients.

For a Jacobian J, u of the shapes of the results and v of those of the arguments, the product of
u and J v is that of J u and v. `OPWRIGHT_EVERY=1` tries all operators, otherwise a sample is tried.
"""

import os
from contextlib import suppress

import opwright as ow
import pytest
from opwright import func
from test_batching_rules import SETTINGS, argument_at, flat, overloads, replaced, spots

EVERY = 1 if os.environ.get("OPWRIGHT_EVERY") else 8
ONE = os.environ.get("OPWRIGHT_OPERATOR")
ALL = [
    it
    for it in overloads()
    if it.gradient in ("formula", "composed")
    and not it.mutates
    and ONE in (None, it.name.split(".")[0])
]
# What stops calls and gradients of samples that are made from types alone.
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError)


def is_continuous(value):
    is_tensor = isinstance(value, ow.Tensor) and not value.is_meta
    return is_tensor and (value.is_floating_point() or value.is_complex())


def double(value):
    return value.to(ow.complex128 if value.is_complex() else ow.float64)


def product(left, right):
    parts = [
        (a.conj() * b).real if a.is_complex() else a * b for a, b in zip(left, right, strict=True)
    ]
    return sum(float(it.sum().item()) for it in parts)


def trials(overload):
    """Functions of the tensors of a call that have gradients, with these tensors."""
    for make in ow._C._calls(overload.name, SETTINGS)[:8]:
        arguments = make()
        places = [it for it in spots(arguments) if is_continuous(argument_at(arguments, it))]
        if not places or any(isinstance(it, ow.Generator) for it in arguments.values()):
            continue

        def function(*given, arguments=arguments, places=places):
            ow.manual_seed(0)
            results = overload(**replaced(arguments, places, given))
            return tuple(it for it in flat(results) if is_continuous(it))

        yield function, tuple(double(argument_at(arguments, it)) for it in places)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("overload", ALL[::EVERY], ids=lambda it: it.name)
def test_tangents_are_transposed_gradients(overload):
    for function, given in trials(overload):
        cotangents = tangents = slopes = ()
        with suppress(*REFUSALS):
            results, pull = func.vjp(function, *given)
            ow.manual_seed(1)
            cotangents = tuple(ow.randn_like(it) for it in results)
            tangents = tuple(ow.randn_like(it) for it in given)
            slopes = pull(cotangents)
        if not slopes:
            continue
        _, pushed = func.jvp(function, given, tangents)
        forward, reverse = product(cotangents, pushed), product(slopes, tangents)
        if abs(forward) < float("inf") and abs(reverse) < float("inf"):
            scale = max(1.0, abs(forward), abs(reverse))
            assert abs(forward - reverse) <= 1e-6 * scale, (overload.name, given)
