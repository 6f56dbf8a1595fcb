"""Functions of the array API standard under whose names PyTorch has nothing."""

from __future__ import annotations

from . import _C
from ._functions import with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._tensor import Tensor


def isdtype(dtype: _C.dtype, kind: _C.dtype | str | tuple[_C.dtype | str, ...]) -> bool:
    """Whether a dtype is another one, or of a kind, or either of several.

    The kinds are `"bool"`, `"signed integer"`, `"unsigned integer"`, `"integral"`, which is either
    of these, `"real floating"`, `"complex floating"`, and `"numeric"`, which is everything else but
    `"bool"`. Half precision is `"real floating"`, too.

    Raises `TypeError` for what is no dtype, no kind and no tuple of these, and `ValueError` for an
    unknown kind.

    >>> opwright.isdtype(opwright.int8, ("signed integer", "bool"))
    True
    """
    if not isinstance(dtype, _C.dtype):
        raise TypeError(f"isdtype(): argument 'dtype' must be dtype, not {type(dtype).__name__}")
    kinds = kind if isinstance(kind, tuple) else (kind,)
    found = [_is_of(dtype, it) for it in kinds]
    return any(found)


# What each kind consists of.
_KINDS: dict[str, Callable[[str], bool]] = {
    "bool": lambda it: it == "bool",
    "signed integer": lambda it: it == "signed",
    "unsigned integer": lambda it: it == "unsigned",
    "integral": lambda it: it in ("signed", "unsigned"),
    "real floating": lambda it: it == "real",
    "complex floating": lambda it: it == "complex",
    "numeric": lambda it: it != "bool",
}


def _is_of(dtype: _C.dtype, kind: object) -> bool:
    if isinstance(kind, _C.dtype):
        return dtype == kind
    if not isinstance(kind, str):
        raise TypeError(
            f"isdtype(): argument 'kind' must be dtype, str or a tuple of these, not "
            f"{type(kind).__name__}"
        )
    if kind not in _KINDS:
        raise ValueError(
            f"isdtype(): {kind!r} is not a kind of dtypes: it is one of "
            f"{', '.join(map(repr, _KINDS))}"
        )
    return _KINDS[kind](_least_kind(dtype))


def _least_kind(dtype: _C.dtype) -> str:
    if dtype == _C.bool:
        return "bool"
    if dtype.is_complex:
        return "complex"
    if dtype.is_floating_point:
        return "real"
    return "signed" if dtype.is_signed else "unsigned"


@with_own_name()
def astype(
    x: Tensor, dtype: _C.dtype, /, *, copy: bool = True, device: _C.device | str | None = None
) -> Tensor:
    """The elements as another dtype, and with `device` on another device.

    It is a copy, unless `copy` is false and `x` has this dtype and device already: then it is `x`.
    Raises `TypeError` for complex elements and a dtype of real numbers: `real` or `imag` says which
    of their parts is meant.

    >>> opwright.astype(opwright.tensor([0, 2]), opwright.bool)
    tensor([False,  True], dtype=bool, shape=(2,))
    """
    if x.dtype.is_complex:
        # It may be numpy's.
        target = _C.empty((0,), dtype=dtype).dtype
        if not target.is_complex and target != _C.bool:
            raise TypeError(f"astype(): {x.dtype} has two parts of which {target} holds one")
    return x.to(x.device if device is None else device, dtype, copy=copy)


@with_own_name(input="x")
def bitwise_invert(x: Tensor, /) -> Tensor:
    """The integers with all bits inverted, and truth values negated; `bitwise_not`.

    >>> opwright.bitwise_invert(opwright.tensor([0, 5])).tolist()
    [-1, -6]
    """
    return _C.bitwise_not(x)


@with_own_name(tensors="arrays")
def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    """Views of the tensors in the shape to which they broadcast.

    Raises `RuntimeError` if there is none.

    >>> a, b = opwright.broadcast_arrays(opwright.ones(3, 1), opwright.ones(4))
    >>> a.shape == b.shape == (3, 4)
    True
    """
    return list(_C.broadcast_tensors(arrays))


@with_own_name(input="x", dim="axis")
def expand_dims(x: Tensor, /, axis: int) -> Tensor:
    """A view with another dimension of one element, which is `axis` in the result.

    Raises `IndexError` if there cannot be such a dimension.

    >>> opwright.expand_dims(opwright.ones(2, 3), axis=1).shape
    opwright.Size([2, 1, 3])
    """
    return x.unsqueeze(axis)


@with_own_name(input="x", dims="axes")
def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """A view with the dimensions in this order.

    Raises `RuntimeError` if a dimension is missing or occurs twice.

    >>> opwright.permute_dims(opwright.ones(2, 3, 4), (2, 0, 1)).shape
    opwright.Size([4, 2, 3])
    """
    return x.permute(axes)


@with_own_name(input="x", dim="axis")
def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each element several times, one after the other; with `axis`, each slice along it.

    `repeats` is how often, or for each element how often. Without `axis` the result has one
    dimension. `x.repeat(...)` repeats the tensor as a whole, as `tile` does.

    >>> opwright.repeat(opwright.tensor([1, 2]), opwright.tensor([1, 3])).tolist()
    [1, 2, 2, 2]
    """
    if isinstance(repeats, _C.TensorBase):
        repeats = repeats.to(_C.int64)
    return _C.repeat_interleave(x, repeats, axis)


@with_own_name(input="x", dim="axis")
def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """For each element of `indices` the one in its row that has this place along `axis`.

    The tensors broadcast in all other dimensions; negative indices count from the end. Raises
    `RuntimeError` for indices that are out of range.

    >>> x = opwright.tensor([[3, 1, 2], [6, 5, 4]])
    >>> opwright.take_along_axis(x, x.argsort(-1)).tolist()
    [[1, 2, 3], [4, 5, 6]]
    """
    places = indices.to(_C.int64)
    return _C.take_along_dim(x, _C.where(places < 0, places + x.shape[axis], places), axis)


@with_own_name(input="x", dim="axis")
def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Views of the slices along `axis`, which they lack.

    >>> [it.tolist() for it in opwright.unstack(opwright.tensor([[1, 2], [3, 4]]), axis=1)]
    [[1, 3], [2, 4]]
    """
    return _C.unbind(x, axis)


@with_own_name(dim="axis")
def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The sum along `axis` of the products of elements, of which those of `x1` are conjugated.

    The tensors broadcast and their dtypes are promoted; `axis`, which is negative, is the same in
    both. Raises `ValueError` for an axis that is not, and `RuntimeError` if sizes along it differ.

    >>> opwright.vecdot(opwright.tensor([1j, 2]), opwright.tensor([1j, 1]))
    tensor(3.+0.j, dtype=complex64, shape=())
    """
    if axis >= 0:
        raise ValueError(f"vecdot(): argument 'axis' must be negative, not {axis}")
    sizes = [it.shape[axis] if it.ndim >= -axis else 1 for it in (x1, x2)]
    if sizes[0] != sizes[1]:
        raise RuntimeError(
            f"vecdot(): both vectors must have the same size, but got {sizes[0]} and {sizes[1]}"
        )
    dtype = _C.promote_types(x1.dtype, x2.dtype)
    return _C._linalg.linalg_vecdot(x1.to(dtype), x2.to(dtype), dim=axis)


def summed_dtype(dtype: _C.dtype) -> _C.dtype:
    """The dtype in which the standard has elements of a dtype summed up.

    Integers have 64 bits there, and unsigned ones remain unsigned.
    """
    if dtype.is_floating_point or dtype.is_complex:
        return dtype
    if dtype.is_signed or dtype == _C.bool:
        return _C.int64
    return _C.uint64


@with_own_name(input="x", dim="axis")
def cumulative_sum(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: _C.dtype | None = None,
    include_initial: bool = False,
) -> Tensor:
    """The sums of all elements up to each along `axis`.

    With `include_initial`, the sum of none, 0, comes first. A vector needs no `axis`. Raises
    `ValueError` if another tensor has none.

    >>> opwright.cumulative_sum(opwright.tensor([1, 2, 3]), include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    return _cumulative("cumulative_sum", x, axis, dtype, 0 if include_initial else None)


@with_own_name(input="x", dim="axis")
def cumulative_prod(
    x: Tensor,
    /,
    *,
    axis: int | None = None,
    dtype: _C.dtype | None = None,
    include_initial: bool = False,
) -> Tensor:
    """The products of all elements up to each along `axis`.

    With `include_initial`, the product of none, 1, comes first. A vector needs no `axis`. Raises
    `ValueError` if another tensor has none.

    >>> opwright.cumulative_prod(opwright.tensor([1, 2, 3]), include_initial=True).tolist()
    [1, 1, 2, 6]
    """
    return _cumulative("cumulative_prod", x, axis, dtype, 1 if include_initial else None)


def _cumulative(
    name: str, x: Tensor, axis: int | None, dtype: _C.dtype | None, initial: int | None
) -> Tensor:
    if x.ndim == 0:
        raise ValueError(f"{name}(): a tensor without dimensions has nothing to go along")
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{name}(): a tensor of {x.ndim} dimensions needs an 'axis'")
        axis = 0
    function: Any = _C.cumsum if name == "cumulative_sum" else _C.cumprod
    found: Tensor = function(x, axis, dtype=summed_dtype(x.dtype) if dtype is None else dtype)
    if initial is None:
        return found
    shape = list(found.shape)
    shape[axis] = 1
    first = _C.full(shape, initial, dtype=found.dtype, device=found.device)
    return _C.cat([first, found], axis)
