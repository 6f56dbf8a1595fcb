"""Singular values by random projections, beside those of numpy."""

import numpy as np
import opwright
import pytest
from opwright.autograd import gradcheck


def of_rank(rank, *shape, dtype="float64"):
    random = np.random.default_rng(rank)
    left = random.normal(size=(*shape[:-1], rank))
    right = random.normal(size=(*shape[:-2], rank, shape[-1]))
    if dtype == "complex128":
        left = left + 1j * random.normal(size=left.shape)
    return (left @ right).astype(dtype)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(9, 6), (6, 9), (2, 9, 6), (0, 9, 6)])
def test_matrices_of_low_rank_are_their_factors(shape, dtype):
    matrix = of_rank(3, *shape, dtype=dtype)
    left, values, right = opwright.svd_lowrank(opwright.from_numpy(matrix), q=5)
    assert (left.shape[-1], values.shape[-1], right.shape[-1]) == (5, 5, 5)
    np.testing.assert_allclose((left * values.unsqueeze(-2) @ right.mH).numpy(), matrix, 1e-9, 1e-9)
    np.testing.assert_allclose(values.numpy(), np.linalg.svd(matrix)[1][..., :5], 1e-9, 1e-9)


def test_a_mean_is_taken_off():
    matrix, mean = of_rank(3, 8, 5), np.random.default_rng(1).normal(size=5)
    whole = opwright.from_numpy(matrix + mean)
    values = opwright.svd_lowrank(whole, q=5, M=opwright.from_numpy(mean))[1]
    np.testing.assert_allclose(values.numpy(), np.linalg.svd(matrix)[1], 1e-9, 1e-9)


def test_principal_components():
    samples = of_rank(3, 20, 6) + 1.0
    left, values, right = opwright.pca_lowrank(opwright.from_numpy(samples))
    variances = np.linalg.eigvalsh(np.cov(samples.T))[::-1]
    np.testing.assert_allclose(values.numpy() ** 2 / 19, variances, 1e-9, 1e-9)
    assert left.shape == (20, 6)
    assert right.shape == (6, 6)
    found = opwright.pca_lowrank(opwright.from_numpy(samples), 2, center=False, niter=30)[1]
    np.testing.assert_allclose(found.numpy(), np.linalg.svd(samples)[1][:2], 1e-6)


def test_gradients_and_what_is_refused():
    matrix = opwright.from_numpy(of_rank(4, 6, 4)).requires_grad_()
    assert gradcheck(lambda it: opwright.svd_lowrank(it, 4)[1], (matrix,))
    with pytest.raises(ValueError, match="not greater than"):
        opwright.pca_lowrank(matrix, 5)
    with pytest.raises(ValueError, match="niter"):
        opwright.pca_lowrank(matrix, 2, niter=-1)
