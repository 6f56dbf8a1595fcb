"""Every operator of the module, and calls of it, made from what the module says of itself."""

import inspect
import itertools
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

import numpy as np
import opwright
from opwright import _C

Call = tuple[tuple[Any, ...], dict[str, Any]]


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


def tensors() -> list[opwright.Tensor]:
    """Tensors that many operators take."""
    return [
        matrix(),
        opwright.tensor([0.5, 0.25]),
        opwright.tensor([1, 0]),
        opwright.tensor([[1, 0], [0, 1]]),
        opwright.tensor([[True, False], [True, True]]),
        opwright.tensor(0.5),
        opwright.tensor(1),
        matrix().unsqueeze(0),
        opwright.ones(1, 1, 2, 2),
        opwright.tensor([[1 + 2j, 0j], [0j, 1 - 1j]]),
        opwright.tensor([1, 2], dtype=opwright.uint8),
        opwright.ones(1, 2, 3),
        opwright.tensor([True, False]),
        opwright.ones(2, 2, 2),
        opwright.ones(3),
        opwright.ones(2, 2, dtype=opwright.float64),
        opwright.zeros(1, 2, 2, dtype=opwright.int64),
    ]


def candidates(annotation: Any) -> list[Any]:
    """Values of a parameter's type, the likeliest first; the names are those of messages."""
    table: dict[str, Callable[[], list[Any]]] = {
        "Tensor": tensors,
        "Number": lambda: [1, 0.5, 2, 0, True, 2j],
        "int": lambda: [0, 1, 2, -1],
        "bool": lambda: [True, False],
        "float": lambda: [0.5, 1.0, 2],
        "str": lambda: [
            "mean",
            "L",
            "reduced",
            "sum",
            "floor",
            "fro",
            "linear",
            "ij->ij",
            "add",
            "ij",
        ],
        "dtype": lambda: [opwright.float32, opwright.int64, float],
        "layout": lambda: [opwright.strided],
        "device": lambda: ["cpu", opwright.device("cpu")],
        "memory_format": lambda: [opwright.contiguous_format, opwright.preserve_format],
        "Generator": lambda: [opwright.Generator()],
        "Storage": lambda: [matrix().untyped_storage()],
        "object": lambda: [matrix(), 1, [0], np.ones(2)],
        "type": lambda: [opwright.Tensor, opwright.float32],
        "tuple[Tensor]": lambda: [[matrix(), matrix()], (matrix(),), [opwright.tensor([1, 0])]],
        "tuple[Tensor|None]": lambda: [[opwright.tensor([1, 0])], [None, opwright.tensor([0])]],
        "tuple[int]": lambda: [[2, 2], [0], (1,), [0, 1], [1, 1], [4], [1, 1, 1, 1], []],
        "tuple[float]": lambda: [[1.0, 0.5], (1.0,)],
        "tuple[bool]": lambda: [[True], [True, False]],
        "tuple[Number]": lambda: [[1, 0.5]],
        "None": lambda: [None],
    }
    if annotation is Parameter.empty:
        return tensors()
    # Not at the bar within brackets.
    lists = [table[it]() for it in re.split(r"\|(?![^\[]*\])", annotation)]
    gap = object()
    turns = itertools.zip_longest(*lists, fillvalue=gap)
    return [it for turn in turns for it in turn if it is not gap]


def guesses(signature: Signature, seed: str, count: int) -> Iterator[Call]:
    """Calls that fit a signature by type; the first ones leave out what has a default."""
    source = random.Random(seed)
    for attempt in range(count):
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, parameter in signature.parameters.items():
            if parameter.default is not Parameter.empty and source.random() > attempt / count:
                continue
            values = candidates(parameter.annotation)
            # Small numbers first: they are likelier to fit.
            value = values[min(int(source.expovariate(3 / len(values))), len(values) - 1)]
            if parameter.kind is Parameter.KEYWORD_ONLY or len(args) < position(signature, name):
                kwargs[name.removesuffix("_") if is_escaped(name) else name] = value
            else:
                args.append(value)
        yield tuple(args), kwargs


def position(signature: Signature, name: str) -> int:
    """Where a parameter stands."""
    return list(signature.parameters).index(name)


def is_escaped(name: str) -> bool:
    """Whether a name is that of a keyword of Python, with what tells it apart."""
    return name in {"from_", "lambda_", "in_", "is_", "not_"}


def right_call(operator: Operator, signature: Signature, count: int = 6000) -> Call | None:
    """A call that an overload takes, found by trying."""
    for args, kwargs in guesses(signature, operator.name, count):
        try:
            operator.function(*args, **kwargs)
        except (
            TypeError,
            ValueError,
            IndexError,
            RuntimeError,
            OverflowError,
            NotImplementedError,
        ):
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
