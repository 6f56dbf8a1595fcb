"""Fourier transforms, with numpy as the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import opwright
import pytest
from layouts import Array, dtype_of, numbers, pair
from opwright import fft

INPUTS = ["int32", "float32", "float64", "complex64", "complex128"]
REAL = INPUTS[:3]
NORMS = [None, "backward", "ortho", "forward"]

# Which take real numbers only, and which give some.
ONE = {"fft": INPUTS, "ifft": INPUTS, "rfft": REAL, "irfft": INPUTS, "hfft": INPUTS, "ihfft": REAL}
MANY = {"fftn": INPUTS, "ifftn": INPUTS, "rfftn": REAL, "irfftn": INPUTS}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_gradients_where_the_spectrum_is_longer(size: int, length: int) -> None:
    half = opwright.rand(2, size, dtype=opwright.complex128, requires_grad=True)
    both = [lambda x: fft.irfft(x, length), lambda x: fft.hfft(x, length)]
    if size > length // 2:
        both.append(lambda x: opwright._fft_c2r(x, [1], 2, length))
    for call in both:
        assert opwright.autograd.gradcheck(call, half)
        assert opwright.autograd.gradgradcheck(call, half)


def test_half_a_spectrum_is_kept_of_a_dimension_that_is_named_once() -> None:
    half, whole = opwright.ones(3, 3, dtype=opwright.complex64), opwright.ones(3, 3)
    with pytest.raises(RuntimeError, match=r"dimension 1, the last one, .* is named twice"):
        opwright._fft_c2r(half, [1, 0, 1], 0, 3)
    with pytest.raises(RuntimeError, match=r"dimension 0, the last one, .* is named twice"):
        opwright._fft_r2c(whole, [0, -2], 0, True)


def check(actual: Any, expected: Any, dtype: str) -> None:
    single = dtype in ("int32", "float32", "complex64")
    is_complex = np.iscomplexobj(expected)
    names = ("complex64", "complex128") if is_complex else ("float32", "float64")
    assert dtype_of(actual) == names[0 if single else 1]
    assert tuple(actual.shape) == expected.shape
    tolerance = 1e-5 if single else 1e-12
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(actual.numpy(), expected, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE)
def test_one_dimension(name: str, norm: str | None, rng: np.random.Generator) -> None:
    call, oracle = getattr(fft, name), getattr(np.fft, name)
    for dtype in ONE[name]:
        for layout in ["contiguous", "transposed", "reversed"]:
            array, tensor = pair(rng, dtype, layout)
            for n in [None, 1, 3, 4, 9, 16]:
                for dim in [0, -1]:
                    actual = call(tensor, n, dim, norm)
                    check(actual, oracle(array, n, dim, norm), dtype)
                    meta = opwright.empty(array.shape, dtype=tensor.dtype, device="meta")
                    like = call(meta, n, dim, norm)
                    assert (like.shape, like.dtype) == (actual.shape, actual.dtype)


@pytest.mark.parametrize("length", [1, 2, 3, 17, 64, 97, 1000, 1009])
def test_any_length(length: int, rng: np.random.Generator) -> None:
    values = rng.normal(size=(3, length)) + 1j * rng.normal(size=(3, length))
    spectrum = fft.fft(opwright.from_numpy(values))
    np.testing.assert_allclose(spectrum, np.fft.fft(values), atol=1e-10)
    np.testing.assert_allclose(fft.ifft(spectrum), values, atol=1e-10)
    half = fft.rfft(opwright.from_numpy(values.real.copy()))
    np.testing.assert_allclose(half, np.fft.rfft(values.real), atol=1e-10)
    np.testing.assert_allclose(fft.irfft(half, length), values.real, atol=1e-10)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", MANY)
def test_many_dimensions(name: str, norm: str | None, rng: np.random.Generator) -> None:
    call, oracle = getattr(fft, name), getattr(np.fft, name)
    for dtype in MANY[name]:
        array = numbers(rng, dtype, (3, 4, 5))
        tensor = opwright.from_numpy(array)
        for s, dim in [(None, None), (None, (0, 2)), ((4, 6), (-1, 0)), ((2, 7, 3), (0, 1, 2))]:
            check(call(tensor, s, dim, norm), oracle(array, s, dim, norm), dtype)
        two = name.replace("n", "2")
        check(getattr(fft, two)(tensor, norm=norm), getattr(np.fft, two)(array, norm=norm), dtype)


def test_halves_of_hermitian_spectra(rng: np.random.Generator) -> None:
    values = opwright.from_numpy(rng.normal(size=(4, 6)))
    half = fft.ihfftn(values)
    assert tuple(half.shape) == (4, 4)
    np.testing.assert_allclose(fft.hfftn(half, (4, 6)), values, atol=1e-12)
    np.testing.assert_allclose(fft.hfft2(fft.ihfft2(values), (4, 6)), values, atol=1e-12)
    expected = np.fft.ifft(np.conj(np.fft.rfft(values.numpy(), norm="forward")), axis=0)
    np.testing.assert_allclose(half, expected, atol=1e-12)


def test_frequencies_and_shifts() -> None:
    for n in [1, 4, 5]:
        np.testing.assert_allclose(fft.fftfreq(n, 0.5), np.fft.fftfreq(n, 0.5))
        np.testing.assert_allclose(fft.rfftfreq(n, 2.0), np.fft.rfftfreq(n, 2.0))
    assert fft.fftfreq(4, dtype=opwright.float64).dtype == opwright.float64
    out = opwright.empty(0, dtype=opwright.float64)
    assert fft.rfftfreq(6, out=out) is out
    assert out.numel() == 4
    array: Array = np.arange(15).reshape(3, 5)
    for dim in [None, 0, (1,), (0, 1)]:
        shifted = fft.fftshift(opwright.from_numpy(array), dim)
        np.testing.assert_array_equal(shifted, np.fft.fftshift(array, dim))
        np.testing.assert_array_equal(fft.ifftshift(shifted, dim), array)


def test_outputs(rng: np.random.Generator) -> None:
    values = opwright.from_numpy(rng.normal(size=(2, 6)))
    out = opwright.empty(0, dtype=opwright.complex128)
    assert fft.fft(values, out=out) is out
    np.testing.assert_allclose(out, np.fft.fft(values.numpy()), atol=1e-12)


def test_errors() -> None:
    x = opwright.ones(2, 3)
    with pytest.raises(RuntimeError, match=r"Invalid number of data points \(0\) specified"):
        fft.fft(x, 0)
    with pytest.raises(RuntimeError, match="Invalid normalization mode"):
        fft.fft(x, norm="none")
    with pytest.raises(RuntimeError, match="expects a real input tensor"):
        fft.rfft(x.to(opwright.complex64))
    with pytest.raises(IndexError, match="out of range"):
        fft.fft(x, dim=2)
    with pytest.raises(NotImplementedError, match="Half"):
        fft.fft(x.half())
    with pytest.raises(RuntimeError, match="appears multiple times"):
        fft.fftn(x, dim=(0, 0))
    with pytest.raises(RuntimeError, match="must have the same length"):
        fft.fftn(x, (2,), (0, 1))
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
        fft.fft(x, out=opwright.empty(2, 3))
    with pytest.raises((RuntimeError, IndexError)):
        fft.fft(opwright.tensor(1.0))
