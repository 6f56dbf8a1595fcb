"""What tensors and `opwright` itself have of the array API standard."""

from __future__ import annotations

import sys

import numpy as np
import opwright
import pytest
from array_api_calls import DTYPES, KINDS, evaluated
from opwright import array_api as xp


def test_tensors_know_the_namespace() -> None:
    x = opwright.ones(2)
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version="2022.12") is xp
    assert xp.__array_api_version__ == "2024.12"
    with pytest.raises(ValueError, match=r"'2049.12' is not a version"):
        x.__array_namespace__(api_version="2049.12")


def test_tensors_go_to_devices() -> None:
    x = opwright.ones(2)
    assert x.to_device("cpu") is x
    assert x.to_device(x.device) is x
    assert x.to_device("meta").device.type == "meta"
    with pytest.raises(ValueError, match="has no streams"):
        x.to_device("cpu", stream=1)  # type: ignore[arg-type]


def test_dlpack_takes_the_standards_options() -> None:
    x = opwright.arange(3)
    assert x.__dlpack_device__() == (1, 0)
    assert np.from_dlpack(x, copy=True).tolist() == [0, 1, 2]
    for options in [
        {"max_version": (1, 0)},
        {"dl_device": (1, 0)},
        {"copy": True},
        {"stream": None},
    ]:
        assert "dltensor" in repr(x.__dlpack__(**options))  # type: ignore[arg-type]


def test_tells_about_itself() -> None:
    info = xp.__array_namespace_info__()
    most = info.capabilities()["max dimensions"]
    assert xp.ones((1,) * most).ndim == most
    with pytest.raises(Exception, match="dimensions"):
        xp.ones((1,) * (most + 1))
    assert info.default_device() in info.devices()
    assert xp.ones(1, device=info.default_device()).device == info.default_device()
    defaults = info.default_dtypes()
    assert defaults["real floating"] == xp.ones(1).dtype
    assert defaults["complex floating"] == xp.asarray(1j).dtype
    assert defaults["integral"] == xp.asarray(1).dtype
    assert defaults["indexing"] == xp.argmax(xp.ones(2)).dtype
    assert set(DTYPES) <= set(info.dtypes())
    assert set(info.dtypes(kind="complex floating")) == set(KINDS["c"])
    assert set(info.dtypes(kind=("bool", "signed integer"))) == {"bool", *KINDS["i"]}
    assert info.dtypes(device=info.default_device(), kind="bool") == {"bool": xp.bool}
    with pytest.raises(ValueError, match="not a kind of dtypes"):
        info.dtypes(kind="float")


def test_defaults_follow_the_default_dtype() -> None:
    with opwright.default_dtype(opwright.float64):
        defaults = xp.__array_namespace_info__().default_dtypes()
        assert defaults["real floating"] == xp.ones(1).dtype == xp.float64
        assert defaults["complex floating"] == xp.asarray(1j).dtype == xp.complex128


# `opwright` itself.


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("zeros(shape=(2, 3))", "zeros((2, 3))"),
        ("full(shape=(2,), fill_value=7)", "full((2,), 7)"),
        ("arange(0, stop=3)", "arange(0, 3)"),
        ("linspace(0, stop=1, num=5)", "linspace(0, 1, 5)"),
        ("linspace(0, 1, 5, endpoint=True)", "linspace(0, 1, 5)"),
        ("linspace(0, 1, 4, endpoint=False)", "linspace(0, 1, 5)[:4]"),
        ("linspace(0, 1j, 4, endpoint=False)", "linspace(0, 1j, 5)[:4]"),
        ("eye(3, k=0)", "eye(3)"),
        ("eye(3, 4, k=1)", "tensor([[0.0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])"),
        ("eye(3, 2, k=-1)", "tensor([[0.0, 0], [1, 0], [0, 1]])"),
        ("eye(2, k=2)", "zeros(2, 2)"),
        ("eye(2, k=-5)", "zeros(2, 2)"),
        ("broadcast_to(x, shape=(2, 2, 3))", "broadcast_to(x, (2, 2, 3))"),
        ("permute(x, axes=(1, 0))", "permute(x, (1, 0))"),
        ("flip(x, axis=(0,))", "flip(x, (0,))"),
        ("roll(x, 1, axis=0)", "roll(x, 1, 0)"),
        ("tril(x, k=-1)", "tril(x, -1)"),
        ("fft.fftn(x, axes=(0,))", "fft.fftn(x, dim=(0,))"),
        ("fft.fftn(x, axis=(0,))", "fft.fftn(x, dim=(0,))"),
        ("fft.fftshift(x, axes=(0,))", "fft.fftshift(x, (0,))"),
        ("reshape(x, (6,), copy=True)", "reshape(x, (6,))"),
        ("reshape(x, (3, -1), copy=None)", "reshape(x, (3, 2))"),
        ("maximum(x, 2)", "maximum(x, tensor(2))"),
        ("minimum(2.5, x)", "minimum(tensor(2.5), x)"),
        ("hypot(x, 2)", "hypot(x, tensor(2))"),
        ("atan2(1, x)", "atan2(tensor(1), x)"),
        ("logaddexp(x, 1.5)", "logaddexp(x, tensor(1.5))"),
        ("nextafter(x, 9)", "nextafter(x, tensor(9.0))"),
        ("logical_and(x, 0)", "logical_and(x, tensor(0))"),
        ("logical_or(True, x)", "logical_or(tensor(True), x)"),
        ("logical_xor(x, 1)", "logical_xor(x, tensor(1))"),
    ],
)
def test_opwright_has_names_and_options_of_the_standard(text: str, same: str) -> None:
    x = opwright.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 5.0]])
    found, expected = (evaluated(it, opwright, {**vars(opwright), "x": x}) for it in (text, same))
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_opwright_copies_where_it_is_asked_to() -> None:
    x = opwright.ones(2, 3)
    for made in (x.reshape(6, copy=True), opwright.from_dlpack(x, copy=True)):
        assert made.data_ptr() != x.data_ptr()
    for made in (
        x.reshape(6, copy=False),
        opwright.from_dlpack(x),
        opwright.from_dlpack(x, copy=False, device="cpu"),
    ):
        assert made.data_ptr() == x.data_ptr()
    assert opwright.from_dlpack(x, device="meta").is_meta
    with pytest.raises(ValueError, match="a copy is needed"):
        x.mT.reshape(6, copy=False)
    with pytest.raises(ValueError, match="share no memory"):
        opwright.from_dlpack(x, device="meta", copy=False)
    leaf = opwright.ones(2, 3, requires_grad=True)
    (leaf.mT.reshape(6, copy=True) * opwright.arange(6)).sum().backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [[0, 2, 4], [1, 3, 5]]


def test_tensors_know_their_size_in_memory() -> None:
    x = opwright.ones(1000, 3)
    own = sys.getsizeof(x) - x.nbytes
    assert 0 < own < 200
    assert sys.getsizeof(x[:10]) == own + 10 * 3 * 4
    assert sys.getsizeof(opwright.ones(1).expand(1000)) == own + 4
    assert sys.getsizeof(x.to("meta")) == own
    assert sys.getsizeof(opwright.ones(0)) == own


def test_imaginary_parts_of_real_numbers_are_zeros() -> None:
    for name in DTYPES:
        x = opwright.ones(2, 3, dtype=getattr(opwright, name))
        assert np.array_equal(x.imag.numpy(), x.numpy().imag), name
        assert x.imag.dtype == (x.dtype.to_real() if x.dtype.is_complex else x.dtype)
    with pytest.raises(RuntimeError, match="non-complex"):
        opwright.imag(opwright.ones(2))
