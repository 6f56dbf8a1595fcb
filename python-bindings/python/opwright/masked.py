"""Functions of tensors of which only the elements under a mask count.

A mask is a tensor of truth values that broadcasts to the input, `True` where an element counts; the
others take the value that changes nothing, 0 in a sum or 1 in a product. Without a mask all count.

    >>> from opwright import masked
    >>> x = opwright.tensor([1.0, 2.0, 4.0])
    >>> masked.sum(x, mask=opwright.tensor([True, False, True]))
    tensor(5., dtype=float32, shape=())
"""

from __future__ import annotations

from math import inf, nan

from . import _C
from ._C import _linalg

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol, TypeAlias

    from ._tensor import Tensor

    _Dims: TypeAlias = int | Sequence[int] | None
    _Number: TypeAlias = float | int | bool

    class _Reduction(Protocol):
        """What reduces the elements along dimensions, or all."""

        def __call__(
            self,
            input: Tensor,
            dim: _Dims = None,
            *,
            keepdim: bool | None = False,
            dtype: _C.dtype | None = None,
            mask: Tensor | None = None,
        ) -> Tensor: ...

    class _Place(Protocol):
        """What finds the place of an element along a dimension, or among all."""

        def __call__(
            self,
            input: Tensor,
            dim: int | None = None,
            *,
            keepdim: bool | None = False,
            dtype: _C.dtype | None = None,
            mask: Tensor | None = None,
        ) -> Tensor: ...

    class _Lines(Protocol):
        """What has a result for each element of the lines along a dimension."""

        def __call__(
            self,
            input: Tensor,
            dim: int,
            *,
            dtype: _C.dtype | None = None,
            mask: Tensor | None = None,
        ) -> Tensor: ...


def _none(_: _C.dtype) -> _Number:
    return 0


def _one(_: _C.dtype) -> _Number:
    return 1


def _nan(_: _C.dtype) -> _Number:
    return nan


def _lowest(dtype: _C.dtype) -> _Number:
    if dtype == _C.bool:
        return False
    return -inf if _is_inexact(dtype) else _C.iinfo(dtype).min


def _highest(dtype: _C.dtype) -> _Number:
    if dtype == _C.bool:
        return True
    return inf if _is_inexact(dtype) else _C.iinfo(dtype).max


def _is_inexact(dtype: _C.dtype) -> bool:
    return dtype.is_floating_point or dtype.is_complex


def _filled(
    name: str, input: Tensor, mask: Tensor | None, neutral: Callable[[_C.dtype], _Number]
) -> Tensor:
    """The input, but for what does not count."""
    if mask is None:
        return input
    return _C.where(_whole(name, input, mask), input, neutral(input.dtype)).to(input.dtype)


def _whole(name: str, input: Tensor, mask: Tensor) -> Tensor:
    """The mask in the shape of the input."""
    if mask.ndim > input.ndim:
        raise IndexError(
            f"{name}(): argument 'mask' has {mask.ndim} dimensions, more than the {input.ndim} of "
            f"the input"
        )
    if mask.dtype != _C.bool:
        mask = mask != 0
    return _C.broadcast_to(mask, input.shape)


def _dims(dim: _Dims, ndim: int) -> tuple[int, ...]:
    if dim is None:
        return tuple(range(ndim))
    return (dim,) if isinstance(dim, int) else tuple(dim)


def _accumulated(dtype: _C.dtype) -> _C.dtype:
    """What integers are added and multiplied as."""
    return dtype if _is_inexact(dtype) else _C.int64


def _unchanged(dtype: _C.dtype) -> _C.dtype:
    return dtype


def _products(input: Tensor, dims: tuple[int, ...], keepdim: bool, dtype: _C.dtype) -> Tensor:
    """The products along several dimensions, the last one first."""
    result = input.to(dtype)
    for dim in sorted((it % max(input.ndim, 1) for it in dims), reverse=True):
        result = _C.prod(result, dim, keepdim)
    return result


def _named(function: Any, name: str, doc: str, example: str) -> None:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{doc}\n\n    Only elements count for which `mask` is true.\n\n    >>> {example}\n    "
    )


def _reduction(
    name: str,
    doc: str,
    result: str,
    neutral: Callable[[_C.dtype], _Number],
    reduced: Callable[[Tensor, tuple[int, ...], bool, _C.dtype], Tensor],
    natural: Callable[[_C.dtype], _C.dtype] = _unchanged,
) -> _Reduction:
    def reduce(
        input: Tensor,
        dim: _Dims = None,
        *,
        keepdim: bool | None = False,
        dtype: _C.dtype | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        if dtype is None:
            dtype = natural(input.dtype)
        filled = _filled(name, input, mask, neutral)
        return reduced(filled, _dims(dim, input.ndim), bool(keepdim), dtype)

    _named(reduce, name, doc, f"opwright.masked.{name}({_SAMPLE})\n    {result}")
    return reduce


_SAMPLE = "opwright.tensor([1.0, 2.0, 4.0]), mask=opwright.tensor([True, False, True])"

sum = _reduction(
    "sum",
    "The sum of elements along dimensions, or of all.",
    "tensor(5., dtype=float32, shape=())",
    _none,
    lambda x, dims, keepdim, dtype: _C.sum(x, dims, keepdim, dtype=dtype),
    _accumulated,
)
prod = _reduction(
    "prod",
    "The product of elements along dimensions, or of all.",
    "tensor(4., dtype=float32, shape=())",
    _one,
    _products,
    _accumulated,
)
amax = _reduction(
    "amax",
    "The greatest element along dimensions, or of all.",
    "tensor(4., dtype=float32, shape=())",
    _lowest,
    lambda x, dims, keepdim, dtype: _C.amax(x, dims, keepdim).to(dtype),
)
amin = _reduction(
    "amin",
    "The least element along dimensions, or of all.",
    "tensor(1., dtype=float32, shape=())",
    _highest,
    lambda x, dims, keepdim, dtype: _C.amin(x, dims, keepdim).to(dtype),
)
logsumexp = _reduction(
    "logsumexp",
    "The logarithm of the sum of exponentials along dimensions, or of all.",
    "tensor(4.0486, dtype=float32, shape=())",
    _lowest,
    lambda x, dims, keepdim, dtype: _C.logsumexp(x, dims, keepdim).to(dtype),
)


def _place(name: str, doc: str, result: str, neutral: Callable[[_C.dtype], _Number]) -> _Place:
    def find(
        input: Tensor,
        dim: int | None = None,
        *,
        keepdim: bool | None = False,
        dtype: _C.dtype | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        found: Tensor = getattr(_C, name)(_filled(name, input, mask, neutral), dim, bool(keepdim))
        return found.to(input.dtype if dtype is None else dtype)

    _named(find, name, doc, f"opwright.masked.{name}({_SAMPLE})\n    {result}")
    return find


argmax = _place(
    "argmax",
    "Where the greatest element along a dimension is, or of all, in the dtype of the input.",
    "tensor(2., dtype=float32, shape=())",
    _lowest,
)
argmin = _place(
    "argmin",
    "Where the least element along a dimension is, or of all, in the dtype of the input.",
    "tensor(0., dtype=float32, shape=())",
    _highest,
)


def _lines(
    name: str,
    doc: str,
    result: str,
    neutral: Callable[[_C.dtype], _Number],
    calculated: Callable[[Tensor, int, _C.dtype], Tensor],
    natural: Callable[[_C.dtype], _C.dtype] = _unchanged,
) -> _Lines:
    def along(
        input: Tensor,
        dim: int,
        *,
        dtype: _C.dtype | None = None,
        mask: Tensor | None = None,
    ) -> Tensor:
        if dtype is None:
            dtype = natural(input.dtype)
        return calculated(_filled(name, input, mask, neutral), dim, dtype)

    sample = _SAMPLE.replace(", mask", ", 0, mask")
    _named(along, name, doc, f"opwright.masked.{name}({sample})\n    {result}")
    return along


cumsum = _lines(
    "cumsum",
    "The running sums along a dimension.",
    "tensor([1., 1., 5.], dtype=float32, shape=(3,))",
    _none,
    lambda x, dim, dtype: _C.cumsum(x, dim, dtype=dtype),
)
cumprod = _lines(
    "cumprod",
    "The running products along a dimension.",
    "tensor([1., 1., 4.], dtype=float32, shape=(3,))",
    _one,
    lambda x, dim, dtype: _C.cumprod(x, dim, dtype=dtype),
)
softmax = _lines(
    "softmax",
    "The exponentials along a dimension, divided by their sum.",
    "tensor([0.0474, 0.0000, 0.9526], dtype=float32, shape=(3,))",
    _lowest,
    lambda x, dim, dtype: _C.softmax(x, dim, dtype=dtype),
)
log_softmax = _lines(
    "log_softmax",
    "The logarithms of the exponentials along a dimension, divided by their sum.",
    "tensor([-3.0486,    -inf, -0.0486], dtype=float32, shape=(3,))",
    _lowest,
    lambda x, dim, dtype: _C.log_softmax(x, dim, dtype=dtype),
)
softmin = _lines(
    "softmin",
    "The exponentials of the negated elements along a dimension, divided by their sum.",
    "tensor([0.9526, 0.0000, 0.0474], dtype=float32, shape=(3,))",
    _highest,
    lambda x, dim, dtype: _C.softmax(-x, dim, dtype=dtype),
)


def mean(
    input: Tensor,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The mean of elements along dimensions, or of all; NaN where none counts.

    >>> opwright.masked.mean(opwright.tensor([1.0, 3.0]), mask=opwright.tensor([False, True]))
    tensor(3., dtype=float32, shape=())
    """
    if dtype is None:
        dtype = input.dtype
    if not _is_inexact(dtype):
        raise ValueError(
            f"mean(): argument 'dtype' must be floating or complex, but is {dtype}; the mean of "
            f"integers needs another one"
        )
    total = sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return total / _count("mean", input, dim, keepdim, mask)


def _count(
    name: str, input: Tensor, dim: _Dims, keepdim: bool | None, mask: Tensor | None
) -> Tensor:
    """How many elements count."""
    if mask is None:
        counted = _C.ones(input.shape, dtype=_C.int64, device=input.device)
    else:
        counted = _whole(name, input, mask)
    return _C.sum(counted, _dims(dim, input.ndim), bool(keepdim))


def median(
    input: Tensor,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The element in the middle of the order along a dimension, the lower of two.

    Raises `ValueError` if the input has integers, and of some line none counts.

    >>> x, mask = opwright.tensor([3.0, 1.0, 2.0]), opwright.tensor([True, True, False])
    >>> opwright.masked.median(x, mask=mask)
    tensor(1., dtype=float32, shape=())
    """
    is_floating = input.dtype.is_floating_point
    numbers = input if is_floating else input.to(_C.float32)
    found = _C.nanmedian(_filled("median", numbers, mask, _nan), dim, keepdim)[0]
    if is_floating:
        return found
    if bool(_C.isnan(found).any()):
        raise ValueError(
            "median(): argument 'mask' leaves out a whole line, of which integers have no median"
        )
    return found.to(input.dtype if dtype is None else dtype)


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: _C.dtype | None = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Tensor:
    """The logarithm of the sum of the exponentials of two tensors, which have a mask each.

    >>> x, y = opwright.tensor([1.0, 2.0]), opwright.tensor([1.0, 3.0])
    >>> opwright.masked.logaddexp(x, y, other_mask=opwright.tensor([False, True]))
    tensor([1.0000, 3.3133], dtype=float32, shape=(2,))
    """
    one = _filled("logaddexp", input, input_mask, _lowest)
    two = _filled("logaddexp", other, other_mask, _lowest)
    return _C.logaddexp(one, two).to(input.dtype if dtype is None else dtype)


def norm(
    input: Tensor,
    ord: float | None = 2.0,
    dim: _Dims = None,
    *,
    keepdim: bool | None = False,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The `ord`-norm of elements along dimensions, or of all.

    >>> x, mask = opwright.tensor([3.0, 4.0, 9.0]), opwright.tensor([True, True, False])
    >>> opwright.masked.norm(x, mask=mask)
    tensor(5., dtype=float32, shape=())
    """
    ord = 2.0 if ord is None else ord
    filled = _filled("norm", input, mask, _highest if ord == -inf else _none)
    dims = _dims(dim, input.ndim)
    return _linalg.linalg_vector_norm(filled, ord, dims, bool(keepdim), dtype=dtype)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The elements divided by the `ord`-norm along a dimension, or by `eps` if that is greater.

    >>> x, mask = opwright.tensor([3.0, 4.0, 9.0]), opwright.tensor([True, True, False])
    >>> opwright.masked.normalize(x, 2.0, 0, mask=mask)
    tensor([0.6, 0.8, 0.0], dtype=float32, shape=(3,))
    """
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled("normalize", input, mask, _none) / _C.clamp(length, min=eps)


def var(
    input: Tensor,
    dim: _Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool | None = False,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The variance of elements along dimensions, or of all, by one less than there are.

    With `unbiased=False`, squares are divided by the number of elements itself, and with a
    `correction` by as much less.

    Raises `ValueError` if both are given.

    >>> x, mask = opwright.tensor([1.0, 3.0, 9.0]), opwright.tensor([True, True, False])
    >>> opwright.masked.var(x, mask=mask)
    tensor(2., dtype=float32, shape=())
    """
    correction = _correction("var", unbiased, correction)
    if dtype is None:
        dtype = input.dtype if _is_inexact(input.dtype) else _C.float32
    count = _count("var", input, dim, True, mask)
    center = sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / count
    differences = input.to(dtype) - center
    squares = differences * differences.conj()
    total = sum(squares, dim, keepdim=keepdim, dtype=dtype, mask=mask)
    count = _count("var", input, dim, keepdim, mask)
    return (total / _C.clamp(count - correction, min=0)).to(dtype)


def std(
    input: Tensor,
    dim: _Dims = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool | None = False,
    dtype: _C.dtype | None = None,
    mask: Tensor | None = None,
) -> Tensor:
    """The standard deviation of elements along dimensions, or of all: the root of `var`.

    >>> x, mask = opwright.tensor([1.0, 5.0, 9.0]), opwright.tensor([True, True, False])
    >>> opwright.masked.std(x, unbiased=False, mask=mask)
    tensor(2., dtype=float32, shape=())
    """
    correction = _correction("std", unbiased, correction)
    return _C.sqrt(var(input, dim, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask))


def _correction(name: str, unbiased: bool | None, correction: float | None) -> float:
    """By how much less than the number of elements squares are divided."""
    if correction is None:
        return 0 if unbiased is False else 1
    if unbiased is not None:
        raise ValueError(
            f"{name}(): only one of arguments 'unbiased' and 'correction' may be given"
        )
    return correction
