"""Dtypes and devices: singletons, their names, limits, promotion."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import opwright
import pytest
from dtypes import DTYPES, INTEGERS


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes_are_singletons(name: str) -> None:
    dtype = getattr(opwright, name)
    assert opwright.tensor([0]).to(dtype).dtype is dtype
    assert repr(dtype) == f"opwright.{name}"
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.deepcopy(dtype) is copy.copy(dtype) is dtype
    assert dtype == dtype
    assert len({dtype, opwright.float32}) == (1 if name == "float32" else 2)


def test_dtypes_have_short_names() -> None:
    assert opwright.float is opwright.float32
    assert opwright.double is opwright.float64
    assert opwright.long is opwright.int64
    assert opwright.half is opwright.float16
    assert opwright.complex64.to_real() is opwright.float32
    assert opwright.float64.to_complex() is opwright.complex128
    assert opwright.int8.is_signed and not opwright.uint8.is_signed
    assert opwright.bfloat16.itemsize == 2
    with pytest.raises(TypeError):
        opwright.dtype()


def test_devices_are_singletons() -> None:
    cpu = opwright.device("cpu")
    assert opwright.device("cpu:0") is opwright.device(type="cpu", index=0) is cpu
    assert opwright.device(cpu) is cpu
    assert repr(cpu) == "device(type='cpu')"
    assert str(opwright.device("meta")) == "meta"
    assert (cpu.type, cpu.index) == ("cpu", None)
    assert pickle.loads(pickle.dumps(cpu)) is cpu
    assert cpu != opwright.device("meta")
    for wrong in ("cuda", "cpu:1", "", 0):
        with pytest.raises(RuntimeError):
            opwright.device(wrong)
    with pytest.raises(TypeError):
        opwright.device(1.5)


def test_limits_of_dtypes() -> None:
    for name in ("float16", "float32", "float64"):
        ours, theirs = opwright.finfo(getattr(opwright, name)), np.finfo(name)
        for field in ("bits", "eps", "max", "min", "tiny", "smallest_normal"):
            assert getattr(ours, field) == float(getattr(theirs, field))
    for name in INTEGERS:
        whole, theirs_whole = opwright.iinfo(getattr(opwright, name)), np.iinfo(name)
        assert (whole.min, whole.max) == (theirs_whole.min, theirs_whole.max)
        assert whole.bits == theirs_whole.bits
    assert opwright.finfo().dtype == "float32"
    with pytest.raises(TypeError, match="iinfo"):
        opwright.finfo(opwright.int8)
    with pytest.raises(TypeError, match="integer"):
        opwright.iinfo(opwright.float32)


def test_promotion() -> None:
    tensor = opwright.ones(2, 3)
    assert opwright.result_type(tensor, 1j) is opwright.complex64
    assert opwright.result_type(1, opwright.tensor([True])) is opwright.int64
    assert opwright.result_type(tensor, opwright.tensor(1.0, dtype=opwright.float64)) is (
        opwright.float32
    )
    assert opwright.promote_types(opwright.uint8, opwright.int8) is opwright.int16
    assert opwright.can_cast(opwright.int64, opwright.uint8)
    assert not opwright.can_cast(opwright.float32, opwright.int64)
    with pytest.raises(TypeError, match="'from_'"):
        opwright.can_cast("ints", float)


# Of numpy.

# Dtypes that numpy has, too.
_OF_NUMPY = [it for it in DTYPES if it != "bfloat16"]
_LETTERS = "?bBhHiIlLqQpPefdFD"
_WORDS = (
    *("bool_", "byte", "ubyte", "short", "ushort", "intc", "uintc", "long", "ulong", "int"),
    *("int_", "intp", "uint", "uintp", "longlong", "ulonglong", "half", "single", "float"),
    *("double", "csingle", "complex", "cdouble"),
)


def _spellings() -> list[str]:
    found = [*_LETTERS, *_WORDS, *_OF_NUMPY]
    found += [f"{kind}{size}" for kind in "biufc" for size in (1, 2, 4, 8, 16)]
    orders = [f"{order}{it}" for order in "<>=|" for it in found if len(it) < 4]
    return sorted({*found, *orders, "f3", "float128", "U3", "O", "M8", "V4", "f", "", "cpu"})


@pytest.mark.parametrize("text", _spellings())
@pytest.mark.filterwarnings("ignore")
def test_texts_are_what_they_are_in_numpy(text: str) -> None:
    try:
        theirs = np.dtype(text)
    except TypeError:
        theirs = None
    known = theirs is not None and theirs.isnative and hasattr(opwright, theirs.name)
    if known and text != "":
        assert theirs is not None
        expected = getattr(opwright, theirs.name)
        assert opwright.zeros(2, dtype=text).dtype is expected
        assert opwright.ones(2).to(text).dtype is expected
        assert opwright.ones(2).astype(text).dtype is expected
        assert expected == text
    else:
        with pytest.raises(TypeError, match="must be dtype"):
            opwright.zeros(2, dtype=text)


@pytest.mark.parametrize("name", _OF_NUMPY)
def test_attributes_are_those_of_numpy(name: str) -> None:
    ours, theirs = getattr(opwright, name), np.dtype(name)
    for attribute in ("name", "kind", "itemsize", "str", "type", "hasobject", "names"):
        assert getattr(ours, attribute) == getattr(theirs, attribute), attribute
    assert ours == theirs
    assert theirs == ours
    assert ours == name
    assert ours != np.dtype("U3")
    # Which `numpy.isdtype` depends on.
    assert ours != theirs.type
    assert np.dtype(ours) is theirs
    assert np.issubdtype(ours, theirs.type)
    for stands_for in (theirs, theirs.type, name, theirs.str):
        assert opwright.zeros(1, dtype=stands_for).dtype is ours
        assert opwright.zeros(1).to(stands_for).dtype is ours
        assert opwright.tensor([1], dtype=stands_for).dtype is ours


def test_dtypes_are_equal_to_what_stands_for_them() -> None:
    for number, name in (
        (float, "float64"),
        (int, "int64"),
        (bool, "bool"),
        (complex, "complex128"),
    ):
        assert getattr(opwright, name) == number
        assert opwright.float32 != number
    for other in (None, 1, "float33", "cpu", object(), opwright.device("cpu"), str):
        assert opwright.float32 != other
        assert other != opwright.float32
    assert len({getattr(opwright, it) for it in DTYPES}) == len(DTYPES)
    assert {opwright.float32: 1}[opwright.float32] == 1


def test_what_numpy_does_not_have_says_so() -> None:
    assert (opwright.bfloat16.name, opwright.bfloat16.kind) == ("bfloat16", "V")
    assert opwright.zeros(1, dtype="bfloat16").dtype is opwright.bfloat16
    with pytest.raises(AttributeError, match="no dtype bfloat16"):
        _ = opwright.bfloat16.type
    assert not hasattr(opwright.bfloat16, "type")


def test_texts_that_name_no_dtype_name_devices() -> None:
    assert opwright.ones(2).to("meta").is_meta
    assert opwright.ones(2).to("meta", "f8").dtype is opwright.float64
    with pytest.raises(RuntimeError, match="device"):
        opwright.ones(2).to("float33")
    with pytest.raises(TypeError, match=r"expected a dtype, not str \('float33'\)"):
        opwright.finfo("float33")
    assert opwright.finfo("f4").bits == 32
    assert opwright.iinfo("u1").max == 255
    with opwright.default_dtype("f8"):
        assert opwright.ones(1).dtype is opwright.float64
