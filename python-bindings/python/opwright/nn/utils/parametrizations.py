"""Weights of a certain length, of a certain norm, or with orthogonal columns."""

from __future__ import annotations

from opwright import _C
from opwright._C import _linalg
from opwright._kinds import kind
from opwright.autograd.grad_mode import no_grad
from opwright.nn import functional
from opwright.nn.convolution import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from opwright.nn.module import Module
from opwright.nn.utils.parametrize import register_parametrization

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from opwright import Tensor

    _Layer = TypeVar("_Layer", bound=Module)

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def weight_norm(module: _Layer, name: str = "weight", dim: int | None = 0) -> _Layer:
    """Have a weight computed as `g * v / norm(v)`; returns the module.

    Its length `g`, which is `original0`, and its direction `v`, which is `original1`, are learnt by
    themselves. There is a length for each index of `dim`, or one in all if that is None.

        >>> norm = opwright.nn.utils.parametrizations.weight_norm
        >>> layer = norm(opwright.nn.Linear(20, 40))
        >>> layer.parametrizations.weight.original0.shape
        opwright.Size([40, 1])

    From Salimans and Kingma, "Weight Normalization: A Simple Reparameterization to Accelerate
    Training of Deep Neural Networks" (2016).

    Raises:
        ValueError: the module has no parameter or buffer of this name.
    """
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _WeightNorm(Module):
    def __init__(self, dim: int | None) -> None:
        super().__init__()
        # As operators have it: -1 is no dimension.
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return weight_v * (weight_g / self._norm(weight_v))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        return self._norm(weight), weight

    def _norm(self, weight: Tensor) -> Tensor:
        if self.dim == -1:
            return _linalg.linalg_vector_norm(weight)
        kept = self.dim % weight.dim()
        dims = [it for it in range(weight.dim()) if it != kept]
        return _linalg.linalg_vector_norm(weight, 2, dims, True) if dims else weight.abs()


def spectral_norm(
    module: _Layer,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> _Layer:
    """Have a weight divided by its greatest singular value; returns the module.

    The weight is a matrix whose rows are the indices of `dim`; that is 0 if it is None, and 1 for
    transposed convolutions. The singular value is that of the vectors `_u` and `_v`, which come
    nearer to the singular ones by `n_power_iterations` steps of the power method whenever the
    weight is asked for in training. `eps` is the least norm that they are divided by. A vector is
    divided by its norm.

        >>> norm = opwright.nn.utils.parametrizations.spectral_norm
        >>> layer = norm(opwright.nn.Linear(3, 4), n_power_iterations=20)
        >>> abs(opwright.linalg.norm(layer.weight, 2).item() - 1) < 1e-3
        True

    From Miyato and others, "Spectral Normalization for Generative Adversarial Networks" (2018).

    Raises:
        ValueError: the module has no parameter or buffer of this name, or `n_power_iterations` is
            not positive.
        IndexError: the weight has no dimension `dim`.
    """
    weight = _member(module, name)
    if dim is None:
        transposed = (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)
        dim = 1 if isinstance(module, transposed) else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    return register_parametrization(module, name, made)


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int, dim: int, eps: float) -> None:
        super().__init__()
        count = weight.dim()
        if not -count <= dim < count:
            raise IndexError(
                f"spectral_norm(): argument 'dim' must be from {-count} to {count - 1}, but is "
                f"{dim}"
            )
        if n_power_iterations < 1:
            raise ValueError(
                f"spectral_norm(): argument 'n_power_iterations' must be positive, but is "
                f"{n_power_iterations}"
            )
        self.dim = dim % count
        self.eps = eps
        if count == 1:
            return
        self.n_power_iterations = n_power_iterations
        with no_grad():
            matrix = self._matrix(weight)
            for buffer, size in (("_u", matrix.shape[0]), ("_v", matrix.shape[1])):
                self.register_buffer(buffer, self._unit(matrix.new_empty(size).normal_()))
            # Far from the singular vectors, a step would change the weight much.
            self._iterate(matrix, 15)

    def _unit(self, vector: Tensor) -> Tensor:
        unit: Tensor = functional.normalize(vector, dim=0, eps=self.eps)
        return unit

    def _matrix(self, weight: Tensor) -> Tensor:
        return weight.movedim(self.dim, 0).flatten(1)

    def _iterate(self, matrix: Tensor, count: int) -> None:
        """Steps of the power method, in the memory of both vectors."""
        with no_grad():
            for _ in range(count):
                self._u.copy_(self._unit(matrix.mv(self._v)))
                self._v.copy_(self._unit(matrix.mH.mv(self._u)))

    def forward(self, weight: Tensor) -> Tensor:
        if weight.dim() == 1:
            return self._unit(weight)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        # Copies, so that gradients of this value are right after the next step.
        u, v = self._u.clone(), self._v.clone()
        return weight / _C.vdot(u, matrix.mv(v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value


def orthogonal(
    module: _Layer,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> _Layer:
    """Have a matrix, or each of a batch, be orthogonal; returns the module.

    Its columns are orthogonal and of length 1, or its rows if there are fewer of them; complex ones
    are unitary. What is learnt is a matrix of the same shape, of which a part counts.
    `orthogonal_map` is what makes it orthogonal: `"matrix_exp"`, the exponential of a
    skew-symmetric matrix, for square and complex ones if it is None; `"cayley"`, the quotient
    `(1 + a / 2) / (1 - a / 2)` of such a matrix `a`; and `"householder"`, a product of reflections,
    for others. With `use_trivialization`, what comes out is multiplied by an orthogonal `base`,
    which is the value that was assigned last; without, a value can be assigned for reflections
    only. One that is not orthogonal is replaced by one that is.

        >>> layer = opwright.nn.utils.parametrizations.orthogonal(opwright.nn.Linear(4, 2))
        >>> bool(opwright.allclose(layer.weight @ layer.weight.mT, opwright.eye(2), atol=1e-5))
        True

    From Lezcano-Casado, "Trivializations for Gradient-Based Optimization on Manifolds" (2019).

    Raises:
        ValueError: the module has no parameter or buffer of this name, it is no matrix, the map is
            another word, or it is that of reflections and the matrix is complex.
    """
    weight = _member(module, name)
    if weight.dim() < 2:
        raise ValueError(
            f"orthogonal(): the member {name!r} must be a matrix, or a batch of such, but has the "
            f"shape {list(weight.shape)}"
        )
    if orthogonal_map is None:
        is_square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if is_square or weight.is_complex() else "householder"
    if orthogonal_map not in ("matrix_exp", "cayley", "householder"):
        raise ValueError(
            f"orthogonal(): argument 'orthogonal_map' must be 'matrix_exp', 'cayley' or "
            f"'householder', but is {orthogonal_map!r}"
        )
    if orthogonal_map == "householder" and weight.is_complex():
        raise ValueError("orthogonal(): 'householder' is for real matrices, but this is complex")
    made = _Orthogonal(weight, orthogonal_map, use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _Orthogonal(Module):
    base: Tensor

    def __init__(self, weight: Tensor, orthogonal_map: str, use_trivialization: bool) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        self.use_trivialization = use_trivialization
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        is_wide = x.shape[-2] < x.shape[-1]
        if is_wide:
            x = x.mT
        found = self._reflected(x) if self.orthogonal_map == "householder" else self._rotated(x)
        if self.use_trivialization:
            found = self.base @ found
        return found.mT if is_wide else found

    def _rotated(self, x: Tensor) -> Tensor:
        """The first columns of a rotation, by the triangle below and on the diagonal."""
        rows, columns = x.shape[-2:]
        x = x.tril()
        if rows != columns:
            x = _C.cat([x, x.new_zeros((*x.shape[:-1], rows - columns))], -1)
        skew = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            return _C.matrix_exp(skew)[..., :columns]
        one = _C.eye(rows, dtype=x.dtype, device=x.device)
        found = _linalg.linalg_solve(one.sub(skew, alpha=0.5), one.add(skew, alpha=0.5))
        return found[..., :columns]

    def _reflected(self, x: Tensor) -> Tensor:
        """A product of reflections by the columns below the diagonal, which has signs."""
        below = x.tril(-1)
        factors = 2 / (1 + (below * below).sum(-2))
        signs = x.detach().diagonal(dim1=-2, dim2=-1).trunc()
        return _linalg.linalg_householder_product(below, factors) * signs.unsqueeze(-2)

    def right_inverse(self, value: Tensor) -> Tensor:
        if value.shape != self.shape:
            raise ValueError(
                f"an orthogonal member of the shape {list(self.shape)} cannot be set to a tensor "
                f"of the shape {list(value.shape)}"
            )
        with no_grad():
            is_wide = value.shape[-2] < value.shape[-1]
            tall = value.mT if is_wide else value
            if self.use_trivialization:
                self.base = _completed(tall)
                found = _C.zeros_like(tall)
                found.diagonal(dim1=-2, dim2=-1).fill_(-1)
            else:
                found = self._reflections(tall)
            # Minus one on the diagonal, as reflections take it: their product is the identity.
            return (found.mT if is_wide else found).contiguous()

    def _reflections(self, matrix: Tensor) -> Tensor:
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                f"without use_trivialization, a member made by {self.orthogonal_map!r} cannot be "
                f"assigned to"
            )
        found, factors = _C.geqrf(matrix)
        diagonal = found.diagonal(dim1=-2, dim2=-1)
        signs = diagonal.sign()
        # A reflection that is left out, with factor zero, is one with a vector of zeros here.
        diagonal.copy_(_C.where(factors == 0, -signs, signs))
        return found


def _completed(matrix: Tensor) -> Tensor:
    """A square orthogonal matrix whose first columns are those of another, made orthogonal."""
    rows, columns = matrix.shape[-2:]
    if rows == columns:
        return matrix.clone() if _is_orthogonal(matrix) else _made_orthogonal(matrix)
    more = matrix.new_empty((*matrix.shape[:-1], rows - columns)).normal_()
    return _made_orthogonal(_C.cat([matrix, more], -1))


def _is_orthogonal(matrix: Tensor) -> bool:
    count = matrix.shape[-1]
    one = _C.eye(count, dtype=matrix.dtype, device=matrix.device)
    tolerance = 10.0 * count * _C.finfo(matrix.dtype).eps
    return bool(_C.allclose(matrix.mH @ matrix, one, atol=tolerance))


def _made_orthogonal(matrix: Tensor) -> Tensor:
    """The orthogonal factor of a decomposition whose triangle has a positive diagonal."""
    found, factors = _C.geqrf(matrix)
    signs = found.diagonal(dim1=-2, dim2=-1).sgn()
    return _linalg.linalg_householder_product(found, factors) * signs.unsqueeze(-2)


def _member(module: Module, name: str) -> Tensor:
    found: Tensor | None = getattr(module, name, None)
    if not isinstance(found, _C.TensorBase):
        raise ValueError(f"{kind(module)} has no parameter or buffer {name!r}")
    return found
