"""The table of accumulators: how partial results of a reduction are made, merged and finished.

Partial results keep the reduced dimensions. Sums of narrow dtypes are kept in `float32`, as within
one kernel, and means, variances and positions by their usual pairs: Chan, Golub and LeVeque,
"Updating formulae and a pairwise algorithm for computing sample variances" (1979).
"""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._rows import Call

    Tensors = tuple[Any, ...]


class Accumulator:
    """How partial results are made, merged and finished; each is a tuple of tensors."""

    needs_positions = False

    def serving(self, call: Call) -> Accumulator:
        """What serves a call: this one, mostly."""
        return self

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """Partial results of a chunk that is not empty."""
        raise NotImplementedError

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """Those of several chunks, which lie one behind the other along `dim`, as one."""
        raise NotImplementedError

    def finish(self, parts: Tensors, options: dict[str, Any]) -> Tensors:
        """The results of what was merged."""
        return parts

    def __reduce__(self) -> tuple[Any, ...]:
        (name,) = (key for key, it in ACCUMULATORS.items() if it is self)
        return _named, (name,)


def _named(name: str) -> Accumulator:
    return ACCUMULATORS[name]


class Associative(Accumulator):
    """Partial results are results; another function, or the same one, merges them."""

    def __init__(self, reduce: Callable[..., Any], merge: Callable[..., Any] | None = None) -> None:
        self._reduce, self._merge = reduce, merge or reduce

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """The result of a chunk."""
        return (self._reduce(x, dims, options),)

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """The result of results."""
        return (self._merge(parts[0], [dim], {}),)


class Norm(Associative):
    """The norm of norms is the norm; of order 0, counts are added."""

    def __init__(self) -> None:
        super().__init__(_norm)

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """The norm of norms."""
        if _order(options) == 0:
            return (_C.sum(parts[0], [dim], True),)
        return (_norm(parts[0], [dim], options),)


class Mean(Accumulator):
    """Sums and counts."""

    def __init__(self, is_nan_left_out: bool = False) -> None:
        self._leaves_out = is_nan_left_out

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """The sum and the count of a chunk."""
        dtype = options.get("dtype")
        x = _wide(x if dtype is None else x.to(dtype))
        if self._leaves_out:
            return _C.nansum(x, dims, True), _C.sum(~_C.isnan(x), dims, True)
        total = _C.sum(x, dims, True)
        return total, _C.full_like(total, _count(x, dims), dtype=_C.int64)

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """The sum of sums, and of counts."""
        return _C.sum(parts[0], [dim], True), _C.sum(parts[1], [dim], True)

    def finish(self, parts: Tensors, options: dict[str, Any]) -> Tensors:
        """The mean."""
        return (parts[0] / parts[1],)


class Variance(Accumulator):
    """Counts, means, and sums of squares of what is left; `results` says what becomes of them."""

    def __init__(self, is_root: bool, has_mean: bool) -> None:
        self._is_root, self._has_mean = is_root, has_mean

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """Count, mean and squares of a chunk."""
        x = _wide(x)
        mean = _C.mean(x, dims, True)
        squares = _C.sum(_C.abs(x - mean).square(), dims, True)
        return _C.full_like(squares, _count(x, dims)), mean, squares

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """The squares around the common mean: those of the chunks, and of their means."""
        count, mean, squares = parts
        total = _C.sum(count, [dim], True)
        common = _C.sum(mean * count, [dim], True) / total
        between = count * _C.abs(mean - common).square()
        return total, common, _C.sum(squares + between, [dim], True)

    def finish(self, parts: Tensors, options: dict[str, Any]) -> Tensors:
        """The variance or its root, and the mean where it is a result."""
        count, mean, squares = parts
        correction = options.get("correction")
        if correction is None:
            correction = 1 if options.get("unbiased", True) else 0
        result = squares / (count - correction).clamp(min=0)
        result = result.sqrt() if self._is_root else result
        return (result, mean) if self._has_mean else (result,)


class Pair(Accumulator):
    """The smallest and the greatest elements."""

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """Those of a chunk."""
        return _C.amin(x, dims, True), _C.amax(x, dims, True)

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """Those of several."""
        return _C.amin(parts[0], [dim], True), _C.amax(parts[1], [dim], True)


class Extreme(Accumulator):
    """The greatest or smallest element and its position, the first one of equals."""

    needs_positions = True

    def __init__(self, is_greatest: bool, has_value: bool) -> None:
        self._find = _C.argmax if is_greatest else _C.argmin
        self._best = _C.amax if is_greatest else _C.amin
        self._has_value = has_value

    def partial(self, x: Any, dims: list[int], options: dict[str, Any], *position: Any) -> Tensors:
        """The element of a chunk, and its position in the whole array."""
        starts, whole = position
        if whole is None:
            (dim,) = dims
            at = self._find(x, dim, True)
            return x.gather(dim, at), at + starts[dim]
        at = self._find(x.reshape(-1)).reshape(1)
        value = x.reshape(-1).gather(0, at)
        ones = [1] * x.ndim
        return value.reshape(ones), _flat(at, x.shape, starts, whole).reshape(ones)

    def merge(self, parts: list[Any], dim: int, options: dict[str, Any]) -> Tensors:
        """The better one; of equals that with the smaller position."""
        value, at = parts
        best = self._best(value, [dim], True)
        is_best = (value == best) | ((value != value) & (best != best))
        last = _C.iinfo(_C.int64).max
        return best, _C.amin(_C.where(is_best, at, last), [dim], True)

    def finish(self, parts: Tensors, options: dict[str, Any]) -> Tensors:
        """The position, behind the value where it is a result."""
        return parts if self._has_value else parts[1:]


class Maximum(Extreme):
    """`max` and `min`: along a dimension they return positions too, of all elements a value."""

    def __init__(self, is_greatest: bool) -> None:
        super().__init__(is_greatest, has_value=True)
        self._without_position = "amax" if is_greatest else "amin"

    def serving(self, call: Call) -> Accumulator:
        """That of the value alone, where it is the only result."""
        return self if len(call.results) == 2 else ACCUMULATORS[self._without_position]


def _flat(at: Any, shape: Any, starts: list[int], whole: list[int]) -> Any:
    """A position among the elements of a chunk as one among those of the whole array."""
    flat, step = 0, 1
    for size, start, length in zip(reversed(shape), reversed(starts), reversed(whole), strict=True):
        flat = flat + (at % size + start) * step
        at = at // size
        step *= length
    return flat


def _wide(x: Any) -> Any:
    """In a dtype in which sums are kept: at least `float32`."""
    if x.dtype in (_C.float16, _C.bfloat16):
        return x.to(_C.float32)
    return x


def _count(x: Any, dims: list[int]) -> int:
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    return count


def _sum(function: Callable[..., Any]) -> Callable[..., Any]:
    def reduce(x: Any, dims: list[int], options: dict[str, Any]) -> Any:
        dtype = options.get("dtype")
        return function(_wide(x if dtype is None else x.to(dtype)), dims, True)

    return reduce


def _prod(x: Any, dims: list[int], options: dict[str, Any]) -> Any:
    dtype = options.get("dtype")
    x = _wide(x if dtype is None else x.to(dtype))
    for dim in dims:
        x = _C.prod(x, dim, True)
    return x


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, dims, options: function(x, dims, True)


def _logsumexp(x: Any, dims: list[int], options: dict[str, Any]) -> Any:
    return _C.logsumexp(_wide(x), dims, True)


def _order(options: dict[str, Any]) -> Any:
    order = options.get("ord", options.get("p"))
    return 2 if order is None else order


def _norm(x: Any, dims: list[int], options: dict[str, Any]) -> Any:
    dtype = options.get("dtype")
    x = _wide(x if dtype is None else x.to(dtype))
    return _C._linalg.linalg_vector_norm(x, _order(options), dims, True)


def _nonzero(x: Any, dims: list[int], options: dict[str, Any]) -> Any:
    return _C.sum(x != 0, dims, True)


# One row for each reduction whose partial results can be merged.
ACCUMULATORS: dict[str, Accumulator] = {
    "sum": Associative(_sum(_C.sum)),
    "nansum": Associative(_sum(_C.nansum), _sum(_C.sum)),
    "prod": Associative(_prod),
    "all": Associative(_plain(_C.all)),
    "any": Associative(_plain(_C.any)),
    "amax": Associative(_plain(_C.amax)),
    "amin": Associative(_plain(_C.amin)),
    "aminmax": Pair(),
    "logsumexp": Associative(_logsumexp),
    "count_nonzero": Associative(_nonzero, _sum(_C.sum)),
    "norm": Norm(),
    "linalg_vector_norm": Norm(),
    "mean": Mean(),
    "nanmean": Mean(is_nan_left_out=True),
    "var": Variance(is_root=False, has_mean=False),
    "std": Variance(is_root=True, has_mean=False),
    "var_mean": Variance(is_root=False, has_mean=True),
    "std_mean": Variance(is_root=True, has_mean=True),
    "argmax": Extreme(is_greatest=True, has_value=False),
    "argmin": Extreme(is_greatest=False, has_value=False),
    "max": Maximum(is_greatest=True),
    "min": Maximum(is_greatest=False),
}
