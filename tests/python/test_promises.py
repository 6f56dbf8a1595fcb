"""What holds of every operator's arguments and results, over calls that are made from signatures.

A sample of the calls is made; with `OPWRIGHT_EVERY=1` there are more of each overload.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from inspect import Signature
from typing import Any

import opwright
import pytest
from bound_operators import Operator, guesses, operators
from dtypes import INTEGERS
from opwright import Tensor
from opwright.testing import _samples

EVERY = os.environ.get("OPWRIGHT_EVERY") == "1"

# Calls of each overload.
COUNT = 400 if EVERY else 12

Overload = tuple[Operator, Signature]


def overloads(is_asked: Callable[[Operator, Signature], bool]) -> Iterator[Overload]:
    for operator in operators():
        for overload in operator.overloads:
            if is_asked(operator, overload):
                yield operator, overload


def shown(operator: Operator, args: Any, kwargs: Any) -> str:
    return f"{operator}(*{args}, **{kwargs})"


def tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for it in value.values():
            yield from tensors(it)
    elif isinstance(value, list | tuple):
        for it in value:
            yield from tensors(it)


def mapped(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, dict):
        return {name: mapped(it, change) for name, it in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([mapped(it, change) for it in value])
    return value


def elements(value: Any) -> list[Any]:
    return [it.to(opwright.float64).tolist() for it in tensors(value)]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def takes_number(operator: Operator, overload: Signature) -> bool:
    kinds = [str(it.annotation) for it in overload.parameters.values()]
    return any("Number" in it for it in kinds) and any("Tensor" in it for it in kinds)


def integral(dtype: Any) -> bool:
    return not (dtype.is_floating_point or dtype.is_complex or dtype == opwright.bool)


# Numbers beside which tensors are calculated as their promotion says.
PROMOTED = ("self", "input", "other", "scalar", "scalars")


def test_no_operator_stores_another_number() -> None:
    """A number that a dtype does not hold is refused, promoted, or compared as what it is."""
    wrong, made = [], 0
    for operator, overload in overloads(takes_number):
        for dtype in INTEGERS:
            info = opwright.iinfo(getattr(opwright, dtype))
            if dtype == "int64":
                continue
            for number in (info.max + 1, info.min - 1, 2.5):
                for args, kwargs in guesses(overload, operator.name, COUNT):
                    made += compared(operator, overload, args, kwargs, dtype, number, wrong)
    assert made > 100
    assert wrong == []


def compared(
    operator: Operator,
    overload: Signature,
    args: Any,
    kwargs: Any,
    dtype: str,
    number: float,
    wrong: list[str],
) -> int:
    """Whether a call with a number is as one with wide integers, or is refused."""
    names = list(overload.parameters)
    places = [
        (name, str(overload.parameters[name].annotation)) for name in (*names[: len(args)], *kwargs)
    ]
    at = [
        i
        for i, (name, kind) in enumerate(places)
        if "Number" in kind and name not in ("p", "ord", "correction")
    ]
    given = [*args, *kwargs.values()]
    first = next(tensors(given), None)
    if not at or isinstance(given[at[-1]], Tensor) or first is None or not integral(first.dtype):
        return 0
    base = operator.name.rpartition(".")[2]
    is_in_place = (base.rstrip("_") != base and not base.endswith("__")) or base.startswith("__i")
    is_promoted = places[at[-1]][0] in PROMOTED and base != "where" and not is_in_place
    given[at[-1]] = number

    def call(wanted: Any) -> Any:
        def cast(i: int, value: Any) -> Any:
            if places[i][0] in ("index", "mask", "condition"):
                return value
            return mapped(value, lambda it: it.to(wanted, copy=True) if integral(it.dtype) else it)

        made = [cast(i, it) for i, it in enumerate(given)]
        named = dict(zip(kwargs, made[len(args) :], strict=True))
        return operator.function(*made[: len(args)], **named)

    try:
        narrow = call(getattr(opwright, dtype))
    except _samples.REFUSALS:
        return 1
    if all(not integral(it.dtype) and it.dtype != opwright.bool for it in tensors(narrow)):
        return 1
    if is_promoted and any(integral(it.dtype) for it in tensors(narrow)):
        return 0
    wide = call(opwright.int64)
    if elements(narrow) != elements(wide):
        wrong.append(f"{shown(operator, args, kwargs)}, {dtype}, {number}: {narrow}, not {wide}")
    return 1


def fresh(operator: Operator, overload: Signature) -> bool:
    return not operator.name.endswith("_")


def views(name: str) -> bool:
    """Whether an overload of that name may return a view or an argument."""
    base = name.rpartition(".")[2]
    known = getattr(opwright.ops, base, None)
    if known is None:
        return True
    rows = [getattr(known, it) for it in known.overloads]
    return any("(a)" in it.schema.rpartition("->")[2] or it.is_view for it in rows)


def test_fresh_results_share_nothing() -> None:
    """What a schema calls a new tensor is none of the arguments, and no view of one."""
    wrong, made = [], 0
    for operator, overload in overloads(fresh):
        if views(operator.name):
            continue
        for args, kwargs in guesses(overload, operator.name, 2 * COUNT):
            bound = overload.bind(*args, **kwargs).arguments
            if "out" in bound or bound.get("inplace"):
                continue
            try:
                result = operator.function(*args, **kwargs)
            except _samples.REFUSALS:
                continue
            made += 1
            given = {it.untyped_storage().data_ptr() for it in memory((args, kwargs))}
            if any(it.untyped_storage().data_ptr() in given for it in memory(result)):
                wrong.append(shown(operator, args, kwargs))
                break
    assert made > 300
    assert wrong == []


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_padding_by_nothing_copies(mode: str) -> None:
    x = opwright.ones(1, 2, 3)
    opwright.nn.functional.pad(x, (0, 0), mode=mode).zero_()
    assert x.sum().item() == 6


def test_sums_of_one_operand_copy() -> None:
    x = opwright.ones(2, 3)
    for equation in ("ij->ij", "ij->ji", "ij"):
        opwright.einsum(equation, x).zero_()
    assert x.sum().item() == 6


def test_a_refused_embedding_changes_nothing() -> None:
    weight, index, place = opwright.ones(3, 2), opwright.tensor([0]), opwright.tensor([-1, -1])
    with pytest.raises((TypeError, RuntimeError, ValueError)):
        opwright.nn.functional.embedding(index, weight, place)  # type: ignore[arg-type]
    with pytest.raises((TypeError, RuntimeError, ValueError)):
        opwright.nn.functional.embedding(
            index,
            weight,
            max_norm=0.5,
            scale_grad_by_freq="no",  # type: ignore[arg-type]
        )
    place = opwright.tensor(-1)
    opwright.nn.functional.embedding(index, weight, place)  # type: ignore[arg-type]
    assert (place.item(), weight.sum().item()) == (-1, 6)


def memory(value: Any) -> list[Tensor]:
    return [it for it in tensors(value) if it.numel() and not it.is_meta]


def test_refused_calls_change_nothing() -> None:
    """An argument is what it was after a call that raised."""
    wrong, made = [], 0
    for operator, overload in overloads(lambda *_: True):
        if operator.name.startswith("set_") or not overload.parameters:
            continue
        for args, kwargs in guesses(overload, operator.name, 2 * COUNT):
            before = [it.clone() for it in tensors((args, kwargs))]
            try:
                operator.function(*args, **kwargs)
            except _samples.REFUSALS as error:
                made += 1
                after = list(tensors((args, kwargs)))
                if any(map(differ, before, after)):
                    wrong.append(f"{shown(operator, before, after)}: {error}")
                    break
    assert made > 300
    assert wrong == []


def differ(a: Tensor, b: Tensor) -> bool:
    return a.shape != b.shape or a.dtype != b.dtype or not opwright.equal(a, b)


def has_out(operator: Operator, overload: Signature) -> bool:
    """Whether there is an output whose dtype does not say what is to be made."""
    if operator.name in ("bernoulli", "linspace"):
        return False
    kinds = [str(it.annotation) for name, it in overload.parameters.items() if name != "out"]
    return "out" in overload.parameters and any("Tensor" in it for it in kinds)


def test_results_fit_their_outputs() -> None:
    """An output of a lower kind of numbers is refused."""
    wrong, made = [], 0
    lower = [opwright.bool, opwright.int64, opwright.float32]
    for operator, overload in overloads(has_out):
        for args, kwargs in guesses(overload, operator.name, COUNT):
            named = {name: it for name, it in kwargs.items() if name != "out"}
            try:
                result = operator.function(*args, **named)
            except _samples.REFUSALS:
                continue
            if not isinstance(result, Tensor):
                continue
            for dtype in lower[: kind(result.dtype)]:
                made += 1
                try:
                    operator.function(*args, **named, out=opwright.empty(0, dtype=dtype))
                except _samples.REFUSALS:
                    continue
                wrong.append(f"{shown(operator, args, named)}: {result.dtype} into {dtype}")
            break
    assert made > 200
    assert wrong == []


def kind(dtype: Any) -> int:
    if dtype == opwright.bool:
        return 0
    return 1 if integral(dtype) else 3 if dtype.is_complex else 2


@pytest.mark.parametrize("name", ["isposinf", "isneginf", "all", "any"])
def test_questions_are_answered_in_bool(name: str) -> None:
    x = opwright.tensor([1.0, float("inf")])
    function = getattr(opwright, name)
    assert function(x, out=opwright.empty(0, dtype=opwright.bool)).dtype == opwright.bool
    with pytest.raises(RuntimeError, match="dtype"):
        function(x, out=opwright.empty(0))


def test_absolute_values_do_not_replace_complex_numbers() -> None:
    z = opwright.tensor([3 + 4j])
    with pytest.raises(RuntimeError, match="real"):
        z.abs_()
    assert z.tolist() == [3 + 4j]
    assert abs(z).tolist() == [5.0]


def changes(operator: Operator, overload: Signature) -> bool:
    return operator.name.startswith("Tensor.") and operator.name.endswith("_")


def test_stretched_tensors_are_refused_or_right() -> None:
    """In-place operators write what they say to an expanded tensor, or do not write."""
    wrong, made = [], 0
    others = ("Tensor.index_put_", "Tensor.resize_", "Tensor.resize_as_")
    for operator, overload in overloads(changes):
        if operator.name.endswith("__") or operator.name in others:
            continue
        for args, kwargs in guesses(overload, operator.name, COUNT):
            if not args or not isinstance(args[0], Tensor) or args[0].ndim == 0:
                continue
            stretched = args[0][:1].clone().expand(3, *args[0].shape[1:])
            apart = stretched.clone()
            opwright.manual_seed(0)
            try:
                operator.function(stretched, *args[1:], **kwargs)
            except _samples.REFUSALS:
                continue
            opwright.manual_seed(0)
            operator.function(apart, *args[1:], **kwargs)
            made += 1
            if differ(stretched, apart):
                wrong.append(shown(operator, args, kwargs))
                break
    assert made > 5
    assert wrong == []


def test_expanded_tensors_are_filled() -> None:
    base = opwright.zeros(1, 2)
    assert base.expand(3, 2).fill_(4).tolist() == [[4.0, 4.0]] * 3
    base.expand(3, 2).index_put_((opwright.tensor([1]), opwright.tensor([0])), opwright.tensor(7.0))
    assert base.tolist() == [[7.0, 4.0]]
    ones = opwright.tensor([1.0])
    base.expand(3, 2).index_put_((opwright.tensor([0, 2]), opwright.tensor([1, 1])), ones, True)
    assert base.tolist() == [[7.0, 6.0]]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, i: x.index_add_(0, i, x),
        lambda x, i: x.index_copy_(0, i, x),
        lambda x, i: x.scatter_(0, i, x),
        lambda x, i: x.scatter_add_(0, i, x),
        lambda x, i: opwright.scatter(x, 0, i, x.flip(0), out=i),
        lambda x, i: opwright.index_add(x.clone(), 0, i, x, out=x),
        lambda x, i: i.scatter_(0, i, 1),
        lambda x, i: i.index_add_(0, i, x),
    ],
)
def test_what_is_read_is_not_written(call: Callable[[Tensor, Tensor], Any]) -> None:
    x, i = opwright.tensor([1, 2, 3]), opwright.tensor([2, 1, 0])
    with pytest.raises(RuntimeError):
        call(x, i)
    assert (x.tolist(), i.tolist()) == ([1, 2, 3], [2, 1, 0])
