"""Tensors of `bool` over memory of others: any byte but 0 is true, for all operators."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import opwright
import pytest
from bound_operators import Operator, guesses, operators
from opwright.testing import _samples

BYTES = [0, 1, 2, 255, 1, 0, 128]


def truths(shape: tuple[int, ...], strange: bool) -> opwright.Tensor:
    """Truth values whose bytes are 0 and 1, or also others."""
    count = int(np.prod(shape))
    values = np.array((BYTES * (count // len(BYTES) + 1))[:count], np.uint8)
    if not strange:
        values = np.minimum(values, 1)
    made = opwright.zeros(shape, dtype=opwright.bool)
    made.numpy().view(np.uint8)[...] = values.reshape(shape)
    return made


def replaced(value: Any, wanted: int | None, strange: bool, seen: list[int]) -> Any:
    """An argument with truth values instead of tensors: all of them, or one."""
    if isinstance(value, opwright.Tensor):
        seen.append(len(seen))
        take = wanted is None or wanted == seen[-1]
        return truths(tuple(value.shape), strange) if take else value.clone()
    if isinstance(value, list | tuple):
        return type(value)([replaced(it, wanted, strange, seen) for it in value])
    return value


def plain(result: Any) -> Any:
    """What can be compared of a result."""
    if isinstance(result, opwright.Tensor):
        return str(result.dtype), tuple(result.shape), repr(result), repr(result.tolist())
    if isinstance(result, list | tuple):
        return [plain(it) for it in result]
    return repr(result)


def outcome(operator: Operator, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call returns and leaves in its arguments, or what it raises."""
    opwright.manual_seed(1)
    for value in kwargs.values():
        if isinstance(value, opwright.Generator):
            value.manual_seed(1)
    try:
        result = operator.function(*args, **kwargs)
    except _samples.REFUSALS as error:
        return type(error), str(error)
    return plain(result), plain(args), plain(tuple(kwargs.values()))


def calls(operator: Operator) -> Iterator[tuple[Any, Any]]:
    """The same call with plain and with strange bytes, for each argument that is a tensor."""
    for signature in operator.overloads:
        for args, kwargs in guesses(signature, operator.name, 25):
            for wanted in (None, 0, 1, 2):
                seen: list[int] = []
                pair = []
                for strange in (False, True):
                    seen = []
                    names = list(kwargs)
                    values = replaced((*args, *kwargs.values()), wanted, strange, seen)
                    named = dict(zip(names, values[len(args) :], strict=True))
                    pair.append((values[: len(args)], named))
                if seen and (wanted is None or wanted < len(seen)):
                    yield pair[0], pair[1]


# What is asked for are the bytes themselves, an address, or another object.
BYTEWISE = {"as_subclass", "data_ptr", "frombuffer", "storage", "untyped_storage", "view"}


@pytest.mark.parametrize("operator", list(operators()), ids=str)
def test_every_byte_but_zero_is_true(operator: Operator) -> None:
    name = operator.name.rpartition(".")[2]
    if name in BYTEWISE or name.startswith(("empty", "new_empty")):
        pytest.skip("the result is not made of truth values")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for (args, kwargs), (strange_args, strange_kwargs) in calls(operator):
            text = repr(args) + repr(kwargs)
            expected = outcome(operator, args, kwargs)
            assert outcome(operator, strange_args, strange_kwargs) == expected, text


def test_what_is_no_operator_knows_it_too() -> None:
    x = truths((7,), strange=True)
    expected = [it != 0 for it in BYTES]
    assert x.tolist() == expected
    assert repr(x) == repr(truths((7,), strange=False))
    assert [bool(it) for it in x] == expected
    assert [int(it) for it in x] == [int(it) for it in expected]
    assert opwright.tensor([x, x]).tolist() == [expected] * 2
    assert opwright.arange(7)[x].tolist() == [1, 2, 3, 4, 6]
    assert x.sum().item() == 5
    assert x.int().sum().item() == 5
    out = truths((7,), strange=True)
    opwright.sort(x, out=(out, opwright.empty(7, dtype=opwright.int64)))
    assert out.tolist() == [False] * 2 + [True] * 5


def test_copies_have_two_bytes_only() -> None:
    x = truths((7,), strange=True)
    for copy in (x.clone(), x.flip(0).contiguous(), x.sort().values, ~~x, opwright.zeros(7) != x):
        assert copy.numpy().view(np.uint8).max() == 1


def test_memory_with_strange_bytes_is_shared_as_any_other() -> None:
    array = np.array(BYTES, np.uint8).view(np.bool_)
    x = opwright.from_numpy(array)
    assert x.sum().item() == 5
    array[0] = True
    assert x.sum().item() == 6
    x[0] = False
    assert not array[0]
