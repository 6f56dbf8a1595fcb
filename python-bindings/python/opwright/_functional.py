"""Functions of the package that take more than an operator's schema can say."""

from __future__ import annotations

import operator

from . import _C
from ._C import _linalg
from ._functions import in_place_of, with_own_name

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "lu",
    "meshgrid",
    "nonzero",
    "norm",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal, overload

    from ._size import Size
    from ._tensor import Tensor


@in_place_of(_C.broadcast_tensors)
def broadcast_tensors(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Views of the tensors in the shape to which they broadcast; they may come in a list.

    >>> a, b = opwright.broadcast_tensors(opwright.ones(3, 1), opwright.ones(4))
    >>> a.shape == b.shape == (3, 4)
    True
    """
    return _C.broadcast_tensors(_listed(tensors))


def broadcast_shapes(*shapes: int | Sequence[int]) -> Size:
    """The shape to which tensors of these shapes broadcast; a number is a shape of one size.

    Raises `RuntimeError` if there is none, and `TypeError` for what is no shape.

    >>> opwright.broadcast_shapes((2, 1), 3)
    opwright.Size([2, 3])
    """
    from ._size import Size

    sizes = [_sizes(it) for it in shapes]
    broadcast: list[int] = []
    for place in range(max(map(len, sizes), default=0)):
        known = 1
        for size in (it[-1 - place] for it in sizes if place < len(it)):
            if size < 0:
                raise RuntimeError(
                    f"broadcast_shapes(): argument 'shapes' has a negative dimension {size}"
                )
            if size != 1 and known not in (1, size):
                raise RuntimeError(
                    f"broadcast_shapes(): argument 'shapes' cannot be broadcast to a single shape: "
                    f"{', '.join(map(str, sizes))}"
                )
            known = known if size == 1 else size
        broadcast.insert(0, known)
    return Size(broadcast)


def _sizes(shape: int | Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(map(operator.index, (shape,) if isinstance(shape, int) else shape))
    except (TypeError, ValueError):
        raise TypeError(
            f"broadcast_shapes(): argument 'shapes' must be ints or tuples of ints, not "
            f"{type(shape).__name__}"
        ) from None


if TYPE_CHECKING:

    @overload
    def atleast_1d(tensor: Tensor, /) -> Tensor: ...  # type: ignore[overload-overlap]
    @overload
    def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...


@in_place_of(_C.atleast_1d)
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """A copy with at least one dimension, or a tuple of one of each tensor.

    >>> opwright.atleast_1d(opwright.tensor(2))
    tensor([2], dtype=int64, shape=(1,))
    """
    found: Tensor | tuple[Tensor, ...] = _C.atleast_1d(_one_or_listed(tensors))
    return found


if TYPE_CHECKING:

    @overload
    def atleast_2d(tensor: Tensor, /) -> Tensor: ...  # type: ignore[overload-overlap]
    @overload
    def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...


@in_place_of(_C.atleast_2d)
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """A copy with at least two dimensions, or a tuple of one of each tensor; a vector is a row.

    >>> opwright.atleast_2d(opwright.tensor([1, 2]))
    tensor([[1, 2]], dtype=int64, shape=(1, 2))
    """
    found: Tensor | tuple[Tensor, ...] = _C.atleast_2d(_one_or_listed(tensors))
    return found


if TYPE_CHECKING:

    @overload
    def atleast_3d(tensor: Tensor, /) -> Tensor: ...  # type: ignore[overload-overlap]
    @overload
    def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> tuple[Tensor, ...]: ...


@in_place_of(_C.atleast_3d)
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """A copy with at least three dimensions, or a tuple of one of each tensor.

    New dimensions are before and behind a vector, and behind a matrix.

    >>> opwright.atleast_3d(opwright.tensor([1, 2])).shape
    opwright.Size([1, 2, 1])
    """
    found: Tensor | tuple[Tensor, ...] = _C.atleast_3d(_one_or_listed(tensors))
    return found


def _one_or_listed(tensors: tuple[Any, ...]) -> Any:
    """The only argument, or all of them."""
    return tensors[0] if len(tensors) == 1 else tensors


@in_place_of(_C.block_diag)
def block_diag(*tensors: Tensor) -> Tensor:
    """The matrix with these blocks along its diagonal and zeros elsewhere.

    A vector is a row, and a tensor without dimensions one element.

    >>> opwright.block_diag(opwright.tensor([[1, 2]]), opwright.tensor(3))
    tensor([[1, 2, 0],
            [0, 0, 3]], dtype=int64, shape=(2, 3))
    """
    return _C.block_diag(tensors)


@in_place_of(_C.cartesian_prod)
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples of an element of each of these vectors, a row each; of one vector a copy.

    >>> opwright.cartesian_prod(opwright.tensor([1, 2]), opwright.tensor([3, 4])).tolist()
    [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    return _C.cartesian_prod(tensors)


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


@with_own_name()
def lu(
    A: Tensor,  # noqa: N803
    pivot: bool = True,
    get_infos: bool = False,
    out: tuple[Tensor, ...] | list[Tensor] | None = None,
) -> tuple[Tensor, ...]:
    """A matrix's factors, packed, and the rows that were exchanged; see `linalg.lu_factor`.

    With `get_infos` they are followed by which diagonal element is zero, or 0; else one is an
    error.

        >>> factors, pivots = opwright.lu(opwright.tensor([[1.0, 2.0], [2.0, 2.0]]))
        >>> factors
        tensor([[2.0000, 2.0000],
                [0.5000, 1.0000]], dtype=float32, shape=(2, 2))
    """
    found = _linalg.linalg_lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    results = tuple(found) if get_infos else tuple(found)[:2]
    if out is None:
        return results
    if len(out) != len(results):
        raise TypeError(
            f"lu(): argument 'out' must have a tensor for each of {len(results)} results, but has "
            f"{len(out)}"
        )
    for target, result in zip(out, results, strict=True):
        target.resize_(result.shape).copy_(result)
    return tuple(out)


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


@in_place_of(_C._unique2)
@with_own_name()
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements, or with `dim` the distinct slices along it, in order.

    If asked for, they are followed in a tuple by where each element or slice went and by how often
    each occurs. They are sorted also if `sorted` is false.

        >>> x = opwright.tensor([3, 1, 3])
        >>> opwright.unique(x).tolist()
        [1, 3]
        >>> values, counts = opwright.unique(x, return_counts=True)
        >>> counts.tolist()
        [1, 2]
    """
    if dim is None:
        values, inverse, counts = _C._unique2(input, sorted, return_inverse, return_counts)
    else:
        values, inverse, counts = _C.unique_dim(input, dim, sorted, return_inverse, return_counts)
    if not return_inverse and not return_counts:
        return values
    return (values, *[inverse] * bool(return_inverse), *[counts] * bool(return_counts))


def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """The index along each dimension of a tensor of this shape for places that count all elements.

    Raises `ValueError` for indices that are no integers and for negative sizes, `TypeError` for
    what is no shape, and `RuntimeError` for places in a shape without elements.

        >>> rows, columns = opwright.unravel_index(opwright.tensor([1, 5]), (2, 3))
        >>> rows.tolist(), columns.tolist()
        ([0, 1], [1, 2])
    """
    if not isinstance(indices, _C.TensorBase):
        raise TypeError(
            f"unravel_index(): argument 'indices' must be Tensor, not {type(indices).__name__}"
        )
    if indices.dtype.is_floating_point or indices.dtype.is_complex or indices.dtype == _C.bool:
        raise ValueError(
            f"unravel_index(): expected 'indices' to be integer dtype, but got {indices.dtype}"
        )
    sizes = [shape] if isinstance(shape, int) else shape
    if not isinstance(sizes, tuple | list) or not all(isinstance(it, int) for it in sizes):
        raise TypeError(
            f"unravel_index(): expected 'shape' to be int or sequence of ints, but got "
            f"{type(shape).__name__}"
        )
    if any(it < 0 for it in sizes):
        raise ValueError(
            f"unravel_index(): 'shape' cannot have negative values, but got {tuple(sizes)}"
        )
    if 0 in sizes and indices.numel() > 0:
        raise RuntimeError(
            f"unravel_index(): 'indices' has places, but 'shape' has no elements: {tuple(sizes)}"
        )
    found: list[Tensor] = []
    indices, step = indices.to(_C.int64), 1
    for size in reversed(sizes):
        found.insert(0, indices.floor_divide(step).remainder(size))
        step *= size
    return tuple(found)
