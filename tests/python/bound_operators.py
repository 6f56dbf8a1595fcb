"""Every operator of the module, and calls of it, made from what the module says of itself."""

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Signature
from itertools import chain
from typing import Any

import opwright
from opwright import _C
from opwright.testing import _documented, _samples
from opwright.testing._operator import named
from opwright.testing._samples import Call


@dataclass(frozen=True)
class Operator:
    """A function or method, and what its overloads accept."""

    name: str
    function: Callable[..., Any]
    overloads: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.name


def operators() -> Iterator[Operator]:
    """All functions of the module and its submodules, and all methods."""
    modules = {"": _C}
    modules |= {name + ".": it for name, it in vars(_C).items() if inspect.ismodule(it)}
    owners = {**modules, "Tensor.": _C.TensorBase}
    for prefix, owner in owners.items():
        for name in sorted(vars(owner)):
            if overloads := overloads_of(prefix, name, getattr(owner, name)):
                yield Operator(prefix + name, getattr(owner, name), overloads)


def overloads_of(prefix: str, name: str, function: Any) -> tuple[Signature, ...]:
    """The overloads; none if the thing is no operator."""
    is_operator = bool(_C._signatures(prefix + name))
    # Methods without parameters are in no table; the interpreter shows theirs.
    is_question = prefix == "Tensor." and inspect.ismethoddescriptor(function)
    if is_operator or (is_question and not name.startswith("_") and takes_nothing(function)):
        return tuple(opwright.get_overloads(function))
    return ()


def takes_nothing(method: Any) -> bool:
    """Whether a method has no parameter but its receiver."""
    try:
        return list(inspect.signature(method).parameters) == ["self"]
    except (TypeError, ValueError):
        return False


def matrix() -> opwright.Tensor:
    """A positive definite matrix: nearly everything can be done with it."""
    return opwright.tensor([[4.0, 1.0], [1.0, 3.0]])


def guesses(
    signature: Signature, seed: str, count: int, *, of_images: bool = False
) -> Iterator[Call]:
    """Calls that fit a signature by type; the first ones leave out what has a default."""
    for call in _samples.guesses(_C, signature, seed, count, of_images=of_images):
        yield made(call)


def made(call: Call) -> Call:
    """New arguments."""
    args, kwargs = call
    named = {name: _samples.made(_C, it) for name, it in kwargs.items()}
    return tuple(_samples.made(_C, it) for it in args), named


def right_call(operator: Operator, signature: Signature, count: int = 6000) -> Call | None:
    """A call that an overload takes, found by trying, or in the documentation."""
    documented = map(made, _documented.calls(named(_C, operator.name)))
    plain = guesses(signature, operator.name, count)
    images = guesses(signature, operator.name, count, of_images=True)
    for args, kwargs in chain(plain, images, documented):
        try:
            with warnings.catch_warnings():
                # It is not the call that is tried.
                warnings.simplefilter("ignore")
                operator.function(*args, **kwargs)
        except _samples.REFUSALS:
            continue
        return args, kwargs
    return None


def wrong_calls(operator: Operator) -> list[Call]:
    """Calls that no overload takes, each wrong in another way."""
    signature = operator.overloads[0]
    receiver = [matrix()] if operator.name.startswith("Tensor.") else []
    stranger = object()
    many = [stranger] * (len(signature.parameters) + 9)
    return [
        ((*receiver, *many), {}),
        ((*receiver, stranger), {"no_such_keyword": 1}),
        ((*receiver, {}, {1: 2}), {}),
        (tuple(receiver), {"no_such_keyword": stranger, "another": [stranger]}),
    ]
