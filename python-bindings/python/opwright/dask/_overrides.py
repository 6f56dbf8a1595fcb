"""Functions of dask that work on chunks as only arrays of numpy allow, overridden for tensors.

They read `x.size` as a number, call `x.copy()` or `x.transpose` with a list, hand chunks to scipy,
keep positions in structured arrays, or subtract from a mask; or ask numpy for a dtype that it
lacks. Other chunks are left to dask's own.
"""

from __future__ import annotations

import functools
import warnings
from importlib import import_module

import dask.array as da
import numpy as np

from .. import _C, _tensor
from ._blocks import tensor
from ._named import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Function = Callable[..., Any]


_PACKAGE = __name__.partition(".")[0]


class Override:
    """A function of dask over chunks, and the one that stands in for it where one is a tensor."""

    def __init__(
        self, place: tuple[str, str], override: Callable[[Function], Function], original: Function
    ) -> None:
        # Of what another module has overridden it copies the attributes, too.
        functools.update_wrapper(self, original)
        self._place, self._original, self._override = place, original, override(original)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the one or the other makes of chunks."""
        has_tensors = any(isinstance(it, _tensor.Tensor) for it in args)
        return (self._override if has_tensors else self._original)(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        # Where the package is, it is imported, and overrides; where it is not, dask has its own.
        return _FOUND, (__name__.rpartition(".")[0], *self._place)


def _found(package: str, module: str, name: str) -> Any:
    """Run by the worker, which may have nothing of this package: hence no names of it."""
    import contextlib
    import importlib

    with contextlib.suppress(ImportError):
        importlib.import_module(package)
    return getattr(importlib.import_module(module), name)


_FOUND = Loader(_found)


def register() -> None:
    """Override them; versions of dask that have no function of that name need none."""
    for (module, name), override in _CHUNKS.items():
        _set(name, (module,), functools.partial(Override, (module, name), override))
    for (name, *modules), override in _ARRAYS.items():
        _set(name, tuple(modules), override)


_done: set[tuple[str, ...]] = set()


def _set(name: str, modules: tuple[str, ...], override: Callable[[Function], Function]) -> None:
    """The first of the modules defines the function; others have imported it."""
    first, *others = map(import_module, modules)
    if (name, *modules) in _done or not hasattr(first, name):
        return
    original = getattr(first, name)
    made = override(original)
    for module in (first, *others):
        if getattr(module, name, None) is original:
            setattr(module, name, made)
    _done.add((name, *modules))


def _by_numpy(original: Function) -> Function:
    """Dask's function over arrays that share the memory of tensors, whose results are tensors."""

    def run(*args: Any, **kwargs: Any) -> Any:
        arrays = (it.numpy() if isinstance(it, _tensor.Tensor) else it for it in args)
        found = original(*arrays, **kwargs)
        return tuple(map(tensor, found)) if isinstance(found, tuple) else tensor(found)

    return run


def _extreme(find: Function) -> Callable[[Function], Function]:
    """The greatest or smallest elements of a chunk: none, where it has none."""

    def run(x: Any, axis: Any = None, keepdims: Any = None) -> Any:
        dims = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
        if all(x.shape[dim] for dim in dims):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "All-NaN", RuntimeWarning)
                return find(x, axis=axis, keepdims=keepdims)
        shape = [min(size, 1) if dim in dims else size for dim, size in enumerate(x.shape)]
        return _C.empty(shape, dtype=x.dtype)

    return lambda _: run


# Each works on chunks, and is pickled with tasks.
_CHUNKS: dict[tuple[str, str], Callable[[Function], Function]] = {
    ("dask.array.reductions", "chunk_max"): _extreme(np.max),
    ("dask.array.reductions", "chunk_min"): _extreme(np.min),
    ("dask.array.reductions", "_nanmax_skip"): _extreme(np.nanmax),
    ("dask.array.reductions", "_nanmin_skip"): _extreme(np.nanmin),
    ("dask.array.chunk", "slice_with_int_dask_array_aggregate"): _by_numpy,
    ("dask.array.core", "_vindex_slice_and_transpose"): _by_numpy,
    ("dask.array.routines", "_asarray_isnull"): _by_numpy,
    ("dask.array.slicing", "setitem"): _by_numpy,
    ("dask.array.utils", "scipy_linalg_safe"): _by_numpy,
}


def _arg_reduction(original: Function) -> Function:
    """Positions as tensors, which dask keeps beside values in structured arrays."""

    @functools.wraps(original)
    def run(x: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        if out is not None or not _has_tensors(x):
            return original(x, *args, out=out, **kwargs)
        found = original(x, *args, **kwargs)
        meta = _C.empty((0,) * found.ndim, dtype=_C.int64)
        return found.map_blocks(tensor, dtype=meta.dtype, meta=meta)

    return run


def _svd_flip(original: Function) -> Function:
    """Singular vectors of one sign, which dask gets from subtracting 0.5 from a mask."""

    @functools.wraps(original)
    def run(u: Any, v: Any, u_based_decision: bool = False) -> Any:
        if not _has_tensors(u):
            return original(u, v, u_based_decision)
        sums = u.sum(axis=0, keepdims=True) if u_based_decision else v.sum(axis=1, keepdims=True).T
        signs = da.where(da.real(sums) >= 0, 1, -1).astype(sums.dtype)
        return u * signs, v * signs.T

    return run


def _normalize_index(original: Function) -> Function:
    """Indices that are tensors, as those that are arrays."""

    @functools.wraps(original)
    def run(index: Any, shape: Any) -> Any:
        several = index if isinstance(index, tuple) else (index,)
        arrays = tuple(it.numpy() if isinstance(it, _tensor.Tensor) else it for it in several)
        return original(arrays, shape)

    return run


def _normalize_chunks(original: Function) -> Function:
    """Sizes of chunks, for which a dtype is as wide as it is, whether numpy has it or not."""

    @functools.wraps(original)
    def run(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        known = f"V{dtype.itemsize}" if _is_lacked(dtype) else dtype
        return original(*args, dtype=known, **kwargs)

    return run


def _with_way_out(original: Function) -> Function:
    """Dask's function, which says what to do where numpy has no such dtype."""

    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return original(*args, **kwargs)
        except (TypeError, IndexError) as error:
            dtypes = [getattr(it, "dtype", None) for it in args]
            lacked = next(filter(_is_lacked, dtypes), None)
            if lacked is None:
                raise
            raise TypeError(
                f"numpy has no dtype `{lacked}`, and `dask.array` asks it what dtype results "
                f"have; apply an operator, `{_PACKAGE}.dask.map({_PACKAGE}.ops.sum, x)`, or "
                f"convert the chunks: `x.map_blocks(lambda it: it.float())`"
            ) from error

    return run


def _elemwise(original: Function) -> Function:
    """Elementwise functions, whose dtype is that of tensors: `int64 / 2` is `float32`."""
    found = _with_way_out(original)

    @functools.wraps(original)
    def run(op: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if dtype is None and not kwargs and any(map(_has_tensors, args)):
            dtype = _result_dtype(op, args)
        return found(op, *args, dtype=dtype, **kwargs)

    return run


def _result_dtype(op: Function, args: tuple[Any, ...]) -> Any:
    """That of the result over tensors of no elements; `None` if it is no tensor."""
    metas = [getattr(it, "_meta", it) for it in args]
    try:
        result = op(*(it[(slice(0),) * it.ndim] if hasattr(it, "ndim") else it for it in metas))
    except Exception:
        return None
    return result.dtype if isinstance(result, _tensor.Tensor) else None


def _is_lacked(dtype: Any) -> bool:
    """Whether chunks of it are no arrays, although other packages may tell numpy of the dtype."""
    if not isinstance(dtype, _C.dtype):
        return False
    try:
        _C.empty(0, dtype=dtype).numpy()
    except TypeError:
        return True
    return False


def _has_tensors(x: Any) -> bool:
    return isinstance(getattr(x, "_meta", None), _tensor.Tensor)


# Each works on arrays, while a graph is built: its name, and the modules that have it.
_ARRAYS: dict[tuple[str, ...], Callable[[Function], Function]] = {
    ("arg_reduction", "dask.array.reductions"): _arg_reduction,
    ("svd_flip", "dask.array.utils", "dask.array.linalg"): _svd_flip,
    ("normalize_index", "dask.array.slicing"): _normalize_index,
    ("normalize_chunks", "dask.array.core", "dask.array.rechunk"): _normalize_chunks,
    ("elemwise", "dask.array.core", "dask.array.ufunc", "dask.array.routines"): _elemwise,
    ("sum", "dask.array.reductions", "dask.array"): _with_way_out,
    ("prod", "dask.array.reductions", "dask.array"): _with_way_out,
    ("mean", "dask.array.reductions", "dask.array"): _with_way_out,
    ("var", "dask.array.reductions", "dask.array"): _with_way_out,
    ("std", "dask.array.reductions", "dask.array"): _with_way_out,
    ("max", "dask.array.reductions", "dask.array"): _with_way_out,
    ("min", "dask.array.reductions", "dask.array"): _with_way_out,
}
