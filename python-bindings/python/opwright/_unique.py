"""The functions `unique_...` of the array API standard."""

from __future__ import annotations

from typing import NamedTuple

from . import _C
from ._functions import with_own_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._tensor import Tensor


class UniqueAll(NamedTuple):
    """What `unique_all` returns."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    """What `unique_counts` returns."""

    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    """What `unique_inverse` returns."""

    values: Tensor
    inverse_indices: Tensor


@with_own_name(input="x")
def unique_all(x: Tensor, /) -> UniqueAll:
    """The distinct elements, in order, where they are, and how often.

    `values` are the elements, `indices` the first place of each among all elements,
    `inverse_indices`, which has the shape of `x`, the place in `values` of each, and `counts` how
    often each occurs. No nan equals another, so that each is a value of its own; complex numbers
    are in the order of their real parts, and then of their imaginary ones.

    >>> found = opwright.unique_all(opwright.tensor([3, 1, 3]))
    >>> [it.tolist() for it in found]
    [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    elements = x.reshape(-1)
    order = _order(elements)
    in_order = elements[order]
    is_first = _C.ones(in_order.shape, dtype=_C.bool, device=x.device)
    is_first[1:] = in_order[1:] != in_order[:-1]
    inverse = _C.empty_like(order)
    inverse[order] = is_first.cumsum(0) - 1
    (firsts,) = is_first.nonzero(as_tuple=True)
    end = _C.full((1,), order.numel(), dtype=firsts.dtype, device=x.device)
    counts = _C.diff(firsts, append=end)
    return UniqueAll(in_order[firsts], order[firsts], inverse.reshape(x.shape), counts)


def _order(elements: Tensor) -> Tensor:
    if not elements.dtype.is_complex:
        return _C.argsort(elements, stable=True)
    by_imaginary = _C.argsort(elements.imag, stable=True)
    return by_imaginary[_C.argsort(elements.real[by_imaginary], stable=True)]


@with_own_name(input="x")
def unique_counts(x: Tensor, /) -> UniqueCounts:
    """The distinct elements, in order, and how often each occurs; see `unique_all`.

    >>> [it.tolist() for it in opwright.unique_counts(opwright.tensor([3, 1, 3]))]
    [[1, 3], [1, 2]]
    """
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


@with_own_name(input="x")
def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """The distinct elements, in order, and the place of each element among them.

    They are those of `unique_all`.

    >>> [it.tolist() for it in opwright.unique_inverse(opwright.tensor([3, 1, 3]))]
    [[1, 3], [1, 0, 1]]
    """
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


@with_own_name(input="x")
def unique_values(x: Tensor, /) -> Tensor:
    """The distinct elements, in order; see `unique_all`.

    >>> opwright.unique_values(opwright.tensor([3, 1, 3])).tolist()
    [1, 3]
    """
    return unique_all(x).values
