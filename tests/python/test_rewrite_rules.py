"""Each rule of `rewrites.yaml` finds what it looks for, and gives what the operators give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dtypes
import numpy as np
import opwright as ow
import pytest

ROOT = Path(__file__).resolve().parents[2]
APART = ow.Mode(fuse=False)
AS_WRITTEN = ow.Mode(optimizer="none")
SAFE = ow.Mode(optimizer="safe", fuse=False)

# bfloat16 is no dtype of numpy.
FLOATS = dtypes.FLOATS
NUMBERS = [*dtypes.INTEGERS, *FLOATS]
ALL = dtypes.ALL


@dataclass
class Case:
    """A call that a rule is for."""

    call: Callable[..., Any]
    #: The nodes that are left.
    left: list[str]
    #: For which dtypes.
    dtypes: list[str]
    #: The extents of the variables, if a rule wants to know them.
    shape: tuple[int | None, int | None] = (None, None)
    #: A sum may be too large in the one way and not in the other.
    reduces: bool = False


CASES: dict[str, list[Case]] = {
    "summand_last": [Case(lambda x: 0 + x, [], [*NUMBERS, *dtypes.COMPLEX])],
    "factor_last": [
        Case(lambda x: 1 * x, [], NUMBERS),
        Case(lambda x: ow.mul(2, x) + x, ["mul.Tensor"], NUMBERS),
    ],
    "add_zero": [Case(lambda x: x + 0, [], [*NUMBERS, *dtypes.COMPLEX])],
    "sub_zero": [
        Case(lambda x: x - 0, [], [*NUMBERS, *dtypes.COMPLEX]),
        Case(lambda x: x - -0.0, ["sub.Tensor"], FLOATS),
    ],
    "mul_one": [Case(lambda x: x * 1, [], NUMBERS), Case(lambda x: x * 1.0, [], FLOATS)],
    "div_one": [Case(lambda x: x / 1, [], FLOATS)],
    "pow_one": [Case(lambda x: x**1, [], NUMBERS)],
    "mul_zero": [Case(lambda x: x * 0, ["zeros_like"], dtypes.INTEGERS)],
    "sub_self": [Case(lambda x: x - x, ["zeros_like"], dtypes.INTEGERS)],
    "div_power": [
        Case(lambda x: x / 4, ["mul.Tensor"], ["bool", *NUMBERS]),
        Case(lambda x: x / -0.125, ["mul.Tensor"], ["bool", *NUMBERS]),
        # There is no such inverse.
        Case(lambda x: x / 3, ["div.Tensor"], ALL),
        Case(lambda x: x / 2.0**20, ["div.Tensor"], ALL),
        Case(lambda x: x / float("inf"), ["div.Tensor"], ALL),
    ],
    "neg_neg": [Case(lambda x: ow.neg(ow.neg(x)), [], [*NUMBERS, *dtypes.COMPLEX])],
    "add_neg": [Case(lambda x, y: x + -y, ["sub.Tensor"], FLOATS)],
    "sub_neg": [Case(lambda x, y: x - -y, ["add.Tensor"], FLOATS)],
    "abs_neg": [Case(lambda x: abs(-x), ["abs"], FLOATS)],
    "abs_abs": [Case(lambda x: abs(abs(x)), ["abs"], ALL)],
    "bitwise_not_not": [Case(lambda x: ~~x, [], ["bool", *dtypes.INTEGERS])],
    "logical_not_not": [Case(lambda x: ow.logical_not(ow.logical_not(x)), [], ["bool"])],
    "square": [Case(lambda x: x**2, ["square"], NUMBERS)],
    "twice": [Case(lambda x: x + x, ["mul.Tensor"], NUMBERS)],
    "once_more": [
        Case(lambda x: x + x + x, ["mul.Tensor"], NUMBERS),
        Case(lambda x: x * 0.1 + x, ["mul.Tensor"], FLOATS),
        # The sum of the factors would not fit its dtype.
        Case(
            lambda x: x * ow.tensor(127, dtype=ow.int8) + x,
            ["mul.Tensor", "add.Tensor"],
            ["int64", "float64"],
        ),
        # Infinity less infinity is no number.
        Case(lambda x: x * -2 + x, ["mul.Tensor", "add.Tensor"], NUMBERS),
    ],
    "powers": [
        Case(lambda x: x * 2 * 4, ["mul.Tensor"], FLOATS),
        Case(lambda x: x * 0.25 * 2, ["mul.Tensor"], FLOATS),
        Case(lambda x: x * 128 * 128 * 128, ["mul.Tensor", "mul.Tensor"], FLOATS),
    ],
    "sum_of_multiple": [
        Case(lambda x: ow.sum(x * 3), ["sum", "mul.Tensor"], FLOATS, reduces=True),
        # What is added would be too large.
        Case(lambda x: ow.sum(x * 0.5), ["mul.Tensor", "sum"], FLOATS, reduces=True),
    ],
    "sum_of_multiple_over": [
        Case(lambda x: (x * -2.5).sum(0), ["sum.dim_IntList", "mul.Tensor"], FLOATS, reduces=True),
        Case(
            lambda x: (x * 3).sum([0, 1], keepdim=True),
            ["sum.dim_IntList", "mul.Tensor"],
            FLOATS,
            reduces=True,
        ),
    ],
    "mean_of_multiple": [
        Case(lambda x: ow.mean(x * 3), ["mean", "mul.Tensor"], FLOATS, reduces=True)
    ],
    "mean_of_multiple_over": [
        Case(lambda x: (x * 3).mean(1), ["mean.dim", "mul.Tensor"], FLOATS, reduces=True)
    ],
    "sum_of_opposite": [Case(lambda x: ow.sum(-x), ["sum", "neg"], FLOATS, reduces=True)],
    "sum_of_opposite_over": [
        Case(lambda x: (-x).sum(-1, True), ["sum.dim_IntList", "neg"], FLOATS, reduces=True)
    ],
    "t_t": [Case(lambda x: x.t().t(), [], ALL)],
    "transpose_back": [Case(lambda x: x.transpose(0, 1).transpose(0, 1), [], ALL)],
    "transpose_around": [Case(lambda x: x.transpose(0, -1).transpose(-1, 0), [], ALL)],
    "reshape_reshape": [Case(lambda x: x.reshape(3, -1).reshape(-1), ["reshape"], ALL)],
    "reshape_view": [Case(lambda x: x.view(-1).reshape(-1, 3), ["reshape"], ALL)],
    "view_reshape": [Case(lambda x: x.reshape(-1).view(3, -1), ["reshape"], ALL)],
    "view_view": [Case(lambda x: x.view(-1).view(-1, 3), ["reshape"], ALL)],
    "reshape_unsqueeze": [Case(lambda x: x.unsqueeze(0).reshape(-1), ["reshape"], ALL)],
    "reshape_squeeze": [Case(lambda x: x[None].squeeze().reshape(-1), ["reshape"], ALL, (2, 3))],
    "reshape_squeeze_dim": [Case(lambda x: x.squeeze(0).reshape(-1), ["reshape"], ALL, (1, 6))],
    "squeeze_unsqueeze": [Case(lambda x: x.unsqueeze(-2).squeeze(-2), [], ALL)],
    "reshape_to_its_shape": [Case(lambda x: x.reshape(ow.graph.shape(x)), [], ALL)],
    "reshape_to_itself": [
        Case(lambda x: x.reshape(2, -1), [], ALL, (2, 3)),
        Case(lambda x: x.reshape(3, -1), ["reshape"], ALL, (2, 3)),
        Case(lambda x: x.reshape(2, -1), ["reshape"], ALL, (2, None)),
    ],
    "view_to_itself": [Case(lambda x: x.view(2, -1), [], ALL, (2, 3))],
    "expand_to_itself": [Case(lambda x: x.expand(-1, 3), [], ALL, (2, 3))],
    "broadcast_to_itself": [Case(lambda x: ow.broadcast_to(x, (2, 3)), [], ALL, (2, 3))],
    "squeeze_nothing": [Case(lambda x: x.squeeze(), [], ALL, (2, 3))],
}
# What layers are called with, and what is left of them.
LAYERS: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]], list[str]]] = {
    "linear": (ow.nn.functional.linear, [(5, 3), (4, 3), (4,)], ["t", "addmm"]),
    "linear_without_bias": (ow.nn.functional.linear, [(5, 3), (4, 3)], ["t", "mm"]),
    "cross_entropy": (
        lambda x: ow.nn.functional.cross_entropy(x, ow.tensor([2, 0, 1, 2])),
        [(4, 3)],
        ["_log_softmax", "nll_loss"],
    ),
}


def rules() -> dict[str, bool]:
    """The rules, and whether they are approximate."""
    entries = re.split(r"^- name: ", (ROOT / "rewrites.yaml").read_text(), flags=re.MULTILINE)
    return {entry.split()[0]: "approx: True" in entry for entry in entries[1:]}


def test_every_rule_has_a_case() -> None:
    assert sorted(rules()) == sorted([*CASES, *LAYERS])


def special(dtype: str, reduces: bool) -> list[Any]:
    """Numbers at the edges of a dtype."""
    if dtype == "bool":
        return [True, False]
    if dtype in dtypes.INTEGERS:
        limits = np.iinfo(dtype)
        return [limits.min, limits.max, limits.max - 1, 0, 1, 2, 100]
    if dtype in dtypes.COMPLEX:
        parts = special("float32" if dtype == "complex64" else "float64", reduces)
        return [complex(a, b) for a in parts for b in parts]
    limits_ = np.finfo(dtype)
    large = [] if reduces else [limits_.max, -limits_.max, limits_.max / 2]
    small = [limits_.smallest_subnormal, -3 * limits_.smallest_subnormal, limits_.tiny]
    return [*large, *small, np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -1.5]


def arrays(case: Case, dtype: str) -> Iterator[Any]:
    """Arrays of two rows or three, of numbers of all kinds."""
    random = np.random.default_rng(7)
    plain = [it for it in special(dtype, case.reduces) if not case.reduces or np.isfinite(it)]
    for choice in [special(dtype, case.reduces), plain]:
        for count in [1, 7]:
            rows, columns = case.shape
            shape = (rows or 3 * count, columns or 6)
            yield np.asarray(choice, dtype)[random.integers(len(choice), size=shape)]
    scale: Any = 100 if dtype in dtypes.INTEGERS else 1
    yield (random.random((case.shape[0] or 9, case.shape[1] or 30)) * scale).astype(dtype)
    if case.shape == (None, None):
        yield np.zeros((0, 3), dtype)


def compiled(case: Case, dtype: str, mode: Any) -> Any:
    count = case.call.__code__.co_argcount
    variables = [ow.TensorType(dtype, case.shape)(name) for name in "xy"[:count]]
    return ow.function(variables, case.call(*variables), mode=mode)


def check_same(found: Any, expected: Any, is_approximate: bool, dtype: str) -> None:
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    one, other = found.numpy(), expected.numpy()
    if is_approximate:
        tolerance = {"float16": 5e-3, "float32": 1e-5}.get(str(one.dtype), 1e-12)
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
        return
    np.testing.assert_array_equal(one, other)
    for part in [np.real, np.imag] if np.iscomplexobj(one) else [np.asarray]:
        if not np.issubdtype(part(one).dtype, np.floating):
            continue
        numbers = ~np.isnan(part(one))
        signs = [np.signbit(part(it))[numbers] for it in (one, other)]
        np.testing.assert_array_equal(*signs)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", LAYERS)
def test_layers_give_what_their_parts_give(name: str, dtype: str) -> None:
    call, shapes, left = LAYERS[name]
    variables = [ow.TensorType(dtype, (None,) * len(shape))() for shape in shapes]
    simpler = ow.function(variables, call(*variables), mode=SAFE)
    assert [str(node.op) for node in simpler.graph.toposort()] == left
    as_written = ow.function(variables, call(*variables), mode=AS_WRITTEN)
    random = np.random.default_rng(5)
    for number in [1.0, np.inf, np.nan]:
        given = [random.standard_normal(shape).astype(dtype) for shape in shapes]
        given[0][0, 0] = number
        check_same(simpler(*given), as_written(*given), False, dtype)


ROWS = [(name, at) for name, cases in CASES.items() for at in range(len(cases))]


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize(("name", "at"), ROWS)
def test_rules_give_what_operators_give(name: str, at: int, dtype: str) -> None:
    case = CASES[name][at]
    try:
        as_written = compiled(case, dtype, AS_WRITTEN)
    except (RuntimeError, TypeError):
        # The operators do not take this dtype.
        assert dtype not in case.dtypes
        return
    simpler = compiled(case, dtype, APART)
    left = [str(node.op) for node in simpler.graph.toposort()]
    if dtype in case.dtypes:
        assert [it for it in left if it != "deep_copy"] == case.left
    elif at == 0:
        assert len(left) >= len(as_written.graph.toposort()), "the rule is not for this dtype"
    is_approximate = rules()[name] or name in ("summand_last", "factor_last")
    count = case.call.__code__.co_argcount
    for array in arrays(case, dtype):
        given = [array, np.roll(array, 1)][:count]
        try:
            expected = as_written(*given)
        except RuntimeError:
            # A shape does not follow from no elements.
            continue
        check_same(simpler(*given), expected, is_approximate, dtype)


@pytest.mark.parametrize(("name", "at"), ROWS)
def test_safe_graphs_have_the_same_bits(name: str, at: int) -> None:
    case = CASES[name][at]
    dtype = case.dtypes[-1]
    safe, as_written = (compiled(case, dtype, mode) for mode in (SAFE, AS_WRITTEN))
    if rules()[name]:
        assert len(safe.graph.toposort()) >= len(as_written.graph.toposort())
    for array in arrays(case, dtype):
        given = [array, array][: case.call.__code__.co_argcount]
        try:
            expected = as_written(*given)
        except RuntimeError:
            continue
        check_same(safe(*given), expected, False, dtype)
