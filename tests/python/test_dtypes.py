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
        opwright.can_cast("int", float)
