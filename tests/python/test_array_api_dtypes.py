"""Dtypes of `opwright.array_api`: promotion, kinds and limits."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import opwright
import pytest
from array_api_calls import DTYPES, KINDS
from opwright import array_api as xp

_OF_TWO = {
    "iufc": "add multiply subtract equal not_equal",
    "fc": "divide",
    "iuf": "floor_divide remainder maximum minimum less less_equal greater greater_equal",
    "f": "atan2 copysign hypot logaddexp nextafter",
    "iu": "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift",
}
_SHAPES = [((2,), (2,)), ((), (2,)), ((2,), ()), ((), ())]


def _promoting_pairs(kinds: str) -> list[tuple[str, str]]:
    """Pairs of dtypes whose promotion the standard defines."""
    families = ["iu", "fc"]
    found: list[tuple[str, str]] = []
    for family in families:
        names = [it for kind in family if kind in kinds for it in KINDS[kind]]
        found += itertools.product(names, names)
    return [it for it in found if not {"uint64"} < {*it} or not {*it} & {*KINDS["i"]}]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [(name, kinds) for kinds, names in _OF_TWO.items() for name in names.split()],
)
def test_promotes_as_the_standard_says(name: str, kinds: str) -> None:
    function = getattr(xp, name)
    is_comparison = name in ("equal", "not_equal") or name.startswith(("less", "greater"))
    for (one, other), (shape, other_shape) in itertools.product(_promoting_pairs(kinds), _SHAPES):
        x1 = xp.ones(shape, dtype=getattr(xp, one))
        x2 = xp.ones(other_shape, dtype=getattr(xp, other))
        expected = getattr(xp, "bool" if is_comparison else str(np.result_type(one, other)))
        found = function(x1, x2)
        assert found.dtype == expected, (one, other, shape, other_shape)
        assert found.shape == np.broadcast_shapes(shape, other_shape)


@pytest.mark.parametrize("name", ["where", "concat", "stack", "matmul", "tensordot", "vecdot"])
def test_joins_promote_as_the_standard_says(name: str) -> None:
    for one, other in _promoting_pairs("iufc"):
        x1, x2 = (xp.ones((1,), dtype=getattr(xp, it)) for it in (one, other))
        arguments: dict[str, Any] = {
            "where": (xp.ones((1,), dtype=xp.bool), x1, x2),
            "concat": ([x1, x2],),
            "stack": ([x1, x2],),
        }
        options = {"axes": 1} if name == "tensordot" else {}
        found = getattr(xp, name)(*arguments.get(name, (x1, x2)), **options)
        assert found.dtype == getattr(xp, str(np.result_type(one, other)))


def test_numbers_are_compared_as_what_they_are() -> None:
    byte = xp.asarray([1, 255], dtype=xp.uint8)
    assert xp.less(byte, 300).tolist() == [True, True]
    assert xp.greater(-1, byte).tolist() == [False, False]
    assert xp.less_equal(255, byte).tolist() == [False, True]
    assert xp.greater_equal(1, byte).tolist() == [True, False]
    assert xp.not_equal(1.5, byte).tolist() == [True, True]
    assert xp.equal(xp.asarray([0.1]), 0.1).tolist() == [True]


def test_result_type_takes_tensors_dtypes_and_numbers() -> None:
    byte = xp.ones((), dtype=xp.int8)
    assert xp.result_type(byte, xp.ones((2,), dtype=xp.int32)) == xp.int32
    assert xp.result_type(xp.ones(2, dtype=xp.int8), xp.ones((), dtype=xp.int32)) == xp.int32
    assert xp.result_type(xp.uint8, xp.int8, 1) == xp.int16
    assert xp.result_type(xp.float32, 1.5) == xp.float32
    assert xp.result_type(1, xp.float64, True) == xp.float64
    assert xp.result_type(xp.float64, 1j) == xp.complex128
    assert xp.result_type(xp.bool, True) == xp.bool
    assert xp.result_type(*[xp.int8] * 5) == xp.int8
    with pytest.raises(ValueError, match="at least one argument must be a tensor or a dtype"):
        xp.result_type(1, 2.0)
    assert xp.result_type(xp.float32, "float64") == xp.float64
    assert xp.result_type(np.dtype("int8"), byte) == xp.int8
    with pytest.raises(TypeError, match="must be Tensor, dtype or a number, not str"):
        xp.result_type("f3")  # type: ignore[arg-type]


def test_can_cast_along_promotion_alone() -> None:
    for one, other in itertools.product(DTYPES, DTYPES):
        families = [next(f for f in ("b", "iu", "fc") if KINDS_OF[it] in f) for it in (one, other)]
        expected = families[0] == families[1] and str(np.result_type(one, other)) == other
        assert xp.can_cast(getattr(xp, one), getattr(xp, other)) == expected, (one, other)
    assert xp.can_cast(xp.ones((), dtype=xp.int8), xp.int64)
    assert xp.can_cast("int8", np.int64)
    with pytest.raises(TypeError):
        xp.can_cast("int3", xp.int64)  # type: ignore[arg-type]


KINDS_OF = {name: kind for kind, names in KINDS.items() for name in names}


def test_kinds_of_dtypes() -> None:
    for name in DTYPES:
        for kind in (*_KINDS, ("bool", "real floating")):
            expected = np.isdtype(np.dtype(name), kind)
            assert xp.isdtype(getattr(xp, name), kind) == expected, (name, kind)
        assert xp.isdtype(getattr(xp, name), getattr(xp, name))
        assert xp.isdtype(getattr(xp, name), (xp.int8, xp.bool)) == (name in ("int8", "bool"))
    assert xp.isdtype(opwright.bfloat16, "real floating")
    with pytest.raises(ValueError, match="'float' is not a kind of dtypes"):
        xp.isdtype(xp.int8, "float")
    with pytest.raises(ValueError, match="'float' is not a kind of dtypes"):
        xp.isdtype(xp.int8, ("integral", "float"))
    with pytest.raises(TypeError, match="argument 'kind' must be dtype, str or a tuple"):
        xp.isdtype(xp.int8, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument 'dtype' must be dtype, not str"):
        xp.isdtype("int8", "integral")  # type: ignore[arg-type]


_KINDS = (
    *("bool", "signed integer", "unsigned integer", "integral"),
    *("real floating", "complex floating", "numeric"),
)


@pytest.mark.parametrize("name", ["float32", "float64", "complex64", "complex128"])
def test_limits_of_floating_dtypes(name: str) -> None:
    expected = np.finfo(name)
    for subject in (getattr(xp, name), xp.ones(2, dtype=getattr(xp, name))):
        found = xp.finfo(subject)
        assert found.dtype == getattr(xp, str(expected.dtype))
        for limit in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(found, limit) == getattr(expected, limit), limit
        assert type(found.eps) is float


@pytest.mark.parametrize("name", [*KINDS["i"], *KINDS["u"]])
def test_limits_of_integers(name: str) -> None:
    expected = np.iinfo(name)
    for subject in (getattr(xp, name), xp.ones(2, dtype=getattr(xp, name))):
        found = xp.iinfo(subject)
        assert (found.bits, found.max, found.min) == (expected.bits, expected.max, expected.min)
        assert found.dtype == getattr(xp, name)


def test_limits_of_other_dtypes() -> None:
    with pytest.raises(TypeError):
        xp.finfo(xp.int8)
    with pytest.raises(TypeError):
        xp.iinfo(xp.float32)
