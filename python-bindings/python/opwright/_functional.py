"""Functions of the package that take more than an operator's schema can say."""

from __future__ import annotations

from . import _C
from ._C import _linalg
from ._functions import in_place_of

__all__ = [
    "broadcast_tensors",
    "cdist",
    "chain_matmul",
    "einsum",
    "meshgrid",
    "nonzero",
    "norm",
    "tensordot",
    "unique_consecutive",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, overload

    from ._tensor import Tensor


@in_place_of(_C.broadcast_tensors)
def broadcast_tensors(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Views of the tensors in the shape to which they broadcast; they may come in a list.

    >>> a, b = opwright.broadcast_tensors(opwright.ones(3, 1), opwright.ones(4))
    >>> a.shape == b.shape == (3, 4)
    True
    """
    return _C.broadcast_tensors(_listed(tensors))


@in_place_of(_C.meshgrid)
def meshgrid(
    *tensors: Tensor | Sequence[Tensor], indexing: Literal["ij", "xy"] | None = None
) -> tuple[Tensor, ...]:
    """The coordinates of a grid whose axes are the tensors, which may come in a list.

    With `indexing="xy"` the first two dimensions are swapped, as in images.

        >>> rows, columns = opwright.meshgrid(opwright.tensor([1, 2]), opwright.tensor([3, 4, 5]))
        >>> rows.tolist(), columns.tolist()
        ([[1, 1, 1], [2, 2, 2]], [[3, 4, 5], [3, 4, 5]])
    """
    if indexing is None:
        return _C.meshgrid(_listed(tensors))
    return _C.meshgrid(_listed(tensors), indexing=indexing)


def _listed(tensors: tuple[Any, ...]) -> Any:
    """The tensors, be they separate arguments or a list."""
    is_list = len(tensors) == 1 and isinstance(tensors[0], tuple | list)
    return tensors[0] if is_list else tensors


@in_place_of(_C.einsum)
def einsum(
    equation: str | Tensor, *operands: Any, path: tuple[int, ...] | list[int] | None = None
) -> Tensor:
    """Sums of products as an equation says: a letter for each dimension of each operand.

    The operands may come in a list. Instead of the equation there may be a list of numbers after
    each operand, and one for the result.

        >>> a, b = opwright.ones(2, 3), opwright.ones(3, 4)
        >>> opwright.einsum("ij,jk->ik", a, b).shape
        opwright.Size([2, 4])
        >>> opwright.einsum(a, [0, 1], b, [1, 2], [0, 2]).shape
        opwright.Size([2, 4])
    """
    if isinstance(equation, _C.TensorBase | _C._graph.Variable):
        equation, operands = _equation_of((equation, *operands))
    return _C.einsum(equation, _listed(operands), path=path)


def _equation_of(arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """The equation of operands that are followed by lists of numbers."""
    operands, lists = arguments[0 : len(arguments) & ~1 : 2], arguments[1::2]
    equation = ",".join(map(_letters, lists))
    if len(arguments) % 2:
        equation += "->" + _letters(arguments[-1])
    return equation, operands


def _letters(numbers: Any) -> str:
    from string import ascii_letters

    if not isinstance(numbers, tuple | list):
        raise TypeError(
            f"einsum(): an operand must be followed by the list of its dimensions, "
            f"not by {type(numbers).__name__}"
        )
    letters: dict[Any, str] = {...: "...", **dict(enumerate(ascii_letters))}
    for number in numbers:
        if number not in letters:
            raise ValueError(f"einsum(): subscript {number!r} is not between 0 and 51")
    return "".join(letters[it] for it in numbers)


@in_place_of(_C.chain_matmul)
def chain_matmul(*matrices: Tensor | Sequence[Tensor], out: Tensor | None = None) -> Tensor:
    """The product of matrices, in the order that takes the fewest multiplications.

    They may come in a list.

        >>> a, b, c = opwright.ones(2, 3), opwright.ones(3, 4), opwright.ones(4, 5)
        >>> opwright.chain_matmul(a, b, c).shape
        opwright.Size([2, 5])
    """
    return _C.chain_matmul(_listed(matrices), out=out)


@in_place_of(_C.tensordot)
def tensordot(
    a: Tensor,
    b: Tensor,
    dims: int | Sequence[int | Sequence[int]] | Tensor = 2,
    out: Tensor | None = None,
) -> Tensor:
    """Sums of products along pairs of dimensions.

    `dims` is how many: the last of `a` with the first of `b`; or two lists, the dimensions of `a`
    and those of `b` that go with them.

        >>> opwright.tensordot(opwright.ones(2, 3), opwright.ones(3, 4), dims=1).shape
        opwright.Size([2, 4])
        >>> opwright.tensordot(opwright.ones(2, 3), opwright.ones(4, 3), dims=([1], [1])).shape
        opwright.Size([2, 4])
    """
    dims_a, dims_b = _pairs(dims, min(getattr(it, "ndim", 64) for it in (a, b)))
    return _C.tensordot(a, b, dims_a, dims_b, out=out)


def _pairs(dims: Any, most: int) -> tuple[Any, Any]:
    """For each tensor the dimensions that are summed over."""
    if isinstance(dims, _C.TensorBase):
        dims = dims.tolist()
    if isinstance(dims, tuple | list):
        if len(dims) != 2:
            raise RuntimeError(
                f"tensordot(): argument 'dims' must have a list for each of both tensors, "
                f"but has {len(dims)}"
            )
        first, second = ([it] if isinstance(it, int) else it for it in dims)
        return first, second
    if not 0 <= dims <= most:
        raise RuntimeError(
            f"tensordot(): argument 'dims' must be between 0 and the {most} dimensions that both "
            f"tensors have, not {dims}"
        )
    return tuple(range(-dims, 0)), tuple(range(dims))


_MODES = {
    "use_mm_for_euclid_dist_if_necessary": 0,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}


@in_place_of(_C.cdist)
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The `p`-norm distance of each row of `x1` from each row of `x2`, or of batches of them.

    Euclidean distances of many rows are computed by a product of matrices, which loses digits of
    small distances: always with `compute_mode="use_mm_for_euclid_dist"`, and never with
    `"donot_use_mm_for_euclid_dist"`.

        >>> x, y = opwright.tensor([[0.0, 0.0]]), opwright.tensor([[3.0, 4.0], [6.0, 8.0]])
        >>> opwright.cdist(x, y)
        tensor([[ 5., 10.]], dtype=float32, shape=(1, 2))
    """
    mode = _MODES.get(compute_mode) if isinstance(compute_mode, str) else None
    if mode is None:
        raise ValueError(
            f"cdist(): {compute_mode!r} is not a valid value for compute_mode: "
            f"it is one of {', '.join(map(repr, _MODES))}"
        )
    return _C.cdist(x1, x2, p, mode)


@in_place_of(_C.norm)
def norm(
    input: Tensor,
    p: complex | str | None = "fro",
    dim: int | tuple[int, ...] | list[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: _C._DType | None = None,
) -> Tensor:
    """The `p`-norm of all elements, or along `dim`: `(sum |x|^p)^(1/p)`.

    With `p` infinite that is the greatest `|x|`, with `p` zero the number of elements that are not
    zero; `"fro"` and `None` are 2. `"nuc"` is the sum of the singular values of a matrix, or of the
    two dimensions in `dim`. With `dtype`, the elements are cast first.

        >>> opwright.norm(opwright.tensor([3.0, 4.0]))
        tensor(5., dtype=float32, shape=())
        >>> opwright.norm(opwright.tensor([[1.0, -2.0], [3.0, 4.0]]), p=1, dim=1)
        tensor([3., 7.], dtype=float32, shape=(2,))
    """
    if isinstance(p, str):
        if p == "nuc":
            dims = (-2, -1) if dim is None else (dim,) if isinstance(dim, int) else dim
            return _linalg.linalg_matrix_norm(input, p, dims, keepdim, dtype=dtype, out=out)
        if p != "fro":
            raise RuntimeError(f"norm(): only valid string values are 'fro' and 'nuc', found {p!r}")
        p = None
    if dim is None:
        if not keepdim and out is None and dtype is None:
            return _C.norm(input, 2 if p is None else p)
        dim = ()
    if dtype is None:
        return _C.norm(input, p, dim, keepdim, out=out)
    return _C.norm(input, p, dim, keepdim, dtype=dtype, out=out)


if TYPE_CHECKING:

    @overload
    def nonzero(
        input: Tensor, *, as_tuple: Literal[False] = False, out: Tensor | None = None
    ) -> Tensor: ...
    @overload
    def nonzero(input: Tensor, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]: ...


@in_place_of(_C.nonzero)
def nonzero(
    input: Tensor, *, as_tuple: bool = False, out: Tensor | None = None
) -> Tensor | tuple[Tensor, ...]:
    """The indices of all elements that are not zero: a row for each, in row-major order.

    With `as_tuple`, a tensor for each dimension, which together pick these elements out.

        >>> x = opwright.tensor([[0, 1], [2, 0]])
        >>> opwright.nonzero(x).tolist()
        [[0, 1], [1, 0]]
        >>> x[opwright.nonzero(x, as_tuple=True)].tolist()
        [1, 2]
    """
    if not as_tuple:
        return _C.nonzero(input, out=out)
    if out is not None:
        raise TypeError("nonzero(): 'out' does not go with 'as_tuple': the results are several")
    rows = _C.nonzero(input)
    if input.ndim == 0:
        # A number counts as a vector.
        rows = _C.nonzero(input.reshape(1))
    return rows.unbind(1)


@in_place_of(_C.unique_consecutive)
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Without repetitions: of each run of equal neighbours only the first.

    With `dim`, neighbours are slices along it. If asked for, it is followed in a tuple by where
    each element went and by how long the runs were.

        >>> x = opwright.tensor([1, 1, 2, 1])
        >>> opwright.unique_consecutive(x).tolist()
        [1, 2, 1]
        >>> values, counts = opwright.unique_consecutive(x, return_counts=True)
        >>> counts.tolist()
        [2, 1, 1]
    """
    values, inverse, counts = _C.unique_consecutive(input, return_inverse, return_counts, dim)
    if not return_inverse and not return_counts:
        return values
    return (values, *[inverse] * bool(return_inverse), *[counts] * bool(return_counts))
