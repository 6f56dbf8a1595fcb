"""Singular values of matrices of low rank, by random projections.

N. Halko, P.-G. Martinsson and J. Tropp, "Finding structure with randomness: Probabilistic
algorithms for constructing approximate matrix decompositions", 2011, algorithms 4.4 and 5.1.
"""

from __future__ import annotations

from . import _C, linalg

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._tensor import Tensor


def svd_lowrank(
    A: Tensor,  # noqa: N803
    q: int | None = 6,
    niter: int | None = 2,
    M: Tensor | None = None,  # noqa: N803
) -> tuple[Tensor, Tensor, Tensor]:
    """`U`, `S` and `V` such that `A - M` of shape `(..., m, n)` is about `U @ diag(S) @ V.mH`.

    There are `q` singular values, of which the first are exact if the rank is less than `q` by a
    few; `niter` are the rounds in which the space of the greatest is sharpened. Random numbers come
    from the default generator. `M` is stretched to the shape of `A`.

    Raises `RuntimeError` for tensors that are no floating or complex matrices, `ValueError` if `q`
    or `niter` is negative, and `TypeError` for what is no tensor or no number.

    >>> U, S, V = opwright.svd_lowrank(opwright.ones(3, 2), q=1)
    >>> U.shape, V.shape, S
    (opwright.Size([3, 1]), opwright.Size([2, 1]), tensor([2.4495], dtype=float32, shape=(1,)))
    """
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    _check("svd_lowrank", A, q, niter)
    if q < 0:
        raise ValueError(f"svd_lowrank(): q(={q}) must be non-negative integer")
    return _of(A if M is None else A - M.broadcast_to(A.shape), q, niter)


def pca_lowrank(
    A: Tensor,  # noqa: N803
    q: int | None = None,
    center: bool = True,
    niter: int = 2,
) -> tuple[Tensor, Tensor, Tensor]:
    """Principal components of `m` samples, the rows of `A`: `U`, `S` and `V` of `svd_lowrank`.

    `A` is of shape `(..., m, n)`. The columns of `V` are the directions, and `S**2 / (m - 1)` the
    variances along them. There are `q` of them, by default 6 or as many as `A` has rows or
    columns; with `center`, the mean of each column is taken off first.

    Raises `ValueError` if `q` is negative or greater than `A` has rows or columns, or if `niter` is
    negative.

    >>> U, S, V = opwright.pca_lowrank(opwright.tensor([[1.0, 0.0], [3.0, 0.0]]), q=1)
    >>> S, V.abs()
    (tensor([1.4142], dtype=float32, shape=(1,)), tensor([[1.],
            [0.]], dtype=float32, shape=(2, 1)))
    """
    _check("pca_lowrank", A, 0 if q is None else q, niter)
    least = min(A.shape[-2:])
    if q is None:
        q = min(6, least)
    elif not 0 <= q <= least:
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={least}"
        )
    return _of(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter)


def _check(name: str, matrix: Tensor, rank: int, rounds: int) -> None:
    if not isinstance(matrix, _C.TensorBase):
        raise TypeError(f"{name}(): argument 'A' must be Tensor, not {type(matrix).__name__}")
    for argument, value in (("q", rank), ("niter", rounds)):
        if not isinstance(value, int):
            raise TypeError(
                f"{name}(): argument '{argument}' must be int, not {type(value).__name__}"
            )
    if matrix.ndim < 2 or not (matrix.dtype.is_floating_point or matrix.dtype.is_complex):
        raise RuntimeError(
            f"{name}(): argument 'A' must be floating or complex matrices, but is of "
            f"{matrix.dtype} and of shape {tuple(matrix.shape)}"
        )
    if rounds < 0:
        raise ValueError(f"niter(={rounds}) must be non-negative integer")


def _of(matrix: Tensor, rank: int, rounds: int) -> tuple[Tensor, Tensor, Tensor]:
    is_wide = matrix.shape[-2] < matrix.shape[-1]
    if is_wide:
        matrix = matrix.mH
    basis = _basis(matrix, rank, rounds)
    U, S, Vh = linalg.svd(basis.mH @ matrix, full_matrices=False)  # noqa: N806
    left, right = basis @ U, Vh.mH
    return (right, S, left) if is_wide else (left, S, right)


def _basis(matrix: Tensor, rank: int, rounds: int) -> Tensor:
    """Orthonormal columns that span about what the matrix maps to."""
    columns = matrix.shape[-1]
    # More columns than there are would span nothing else.
    drawn = _C.randn((columns, min(rank, columns)), dtype=matrix.dtype, device=matrix.device)
    basis = linalg.qr(matrix @ drawn)[0]
    for _ in range(rounds):
        basis = linalg.qr(matrix.mH @ basis)[0]
        basis = linalg.qr(matrix @ basis)[0]
    return basis
