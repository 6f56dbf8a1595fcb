"""Overrides of dask's functions on arrays, which run while a graph is built."""

from __future__ import annotations

import functools

import dask.array as da
import numpy as np
from dask import config

from .. import _C, _tensor
from ._blocks import WIDER, Arrays, cast, is_lacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Function = Callable[..., Any]


_PACKAGE = __name__.partition(".")[0]

# Elementwise functions whose results depend on how many bits elements have.
_OF_BITS = {"nextafter", "spacing"}


def over_tensors(original: Function, by_numpy: bool = False) -> Function:
    """Dask's function, whose results are tensors where an argument or the dtype is one of tensors.

    Of a dtype that numpy lacks it calculates in the next wider one, to which it is rounded at the
    end. With `by_numpy`, its chunks are arrays over the memory of tensors.
    """

    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        given = list(_leaves((args, tuple(kwargs.values()))))
        has_tensors = any(map(_has_tensors, given))
        if has_tensors and "dtype" in kwargs:
            kwargs["dtype"] = _named(kwargs["dtype"])
            given.append(kwargs["dtype"])
        has_lacked = any(is_lacked(getattr(it, "dtype", it)) for it in given)
        if not has_tensors and not has_lacked:
            return original(*args, **kwargs)
        if kwargs.get("out") is not None:
            _refuse(original.__name__, given)
            return original(*args, **kwargs)
        lacked = _rounded(given, kwargs.get("dtype"))
        if has_lacked:
            args, kwargs = _each(args, _widened), _each(kwargs, _widened)
        if by_numpy:
            args, kwargs = _each(args, _by_arrays), _each(kwargs, _by_arrays)
        return _each(original(*args, **kwargs), lambda it: _own(it, lacked))

    return run


def _leaves(value: Any) -> Iterator[Any]:
    """What is in nested lists and tuples."""
    if isinstance(value, list | tuple):
        for it in value:
            yield from _leaves(it)
    else:
        yield value


def _each(value: Any, function: Callable[[Any], Any]) -> Any:
    """Nested lists and tuples, of what a function makes of what is in them."""
    if isinstance(value, dict):
        return {name: _each(it, function) for name, it in value.items()}
    if isinstance(value, list | tuple):
        several = [_each(it, function) for it in value]
        # Tuples with names take what is in them one by one.
        return type(value)(*several) if hasattr(value, "_fields") else type(value)(several)
    return function(value)


def _named(dtype: Any) -> Any:
    """A dtype, of which numpy does not know the name."""
    return _C.bfloat16 if isinstance(dtype, str) and dtype == "bfloat16" else dtype


def _rounded(given: list[Any], dtype: Any) -> Any:
    """The dtype that numpy lacks and results have; `None` if they have another one."""
    if dtype is not None:
        return dtype if is_lacked(dtype) else None
    arrays = [it for it in given if isinstance(it, da.Array | _C.TensorBase | np.ndarray)]
    floating = [it for it in arrays if it.dtype.kind not in "biu"]
    # Those without dimensions widen no others.
    dtypes = {it.dtype for it in floating if it.ndim} or {it.dtype for it in floating}
    return dtypes.pop() if len(dtypes) == 1 and all(map(is_lacked, dtypes)) else None


def _widened(value: Any) -> Any:
    """An array, a tensor or a dtype that numpy lacks, as one that it has."""
    if is_lacked(value):
        return WIDER
    dtype = getattr(value, "dtype", None)
    if not is_lacked(dtype):
        return value
    return cast(value, WIDER) if isinstance(value, da.Array) else value.to(WIDER)


def _by_arrays(value: Any, **kwargs: Any) -> Any:
    if not _has_tensors(value):
        return value
    meta = value._meta.numpy()
    return value.map_blocks(Arrays(), dtype=meta.dtype, meta=meta, **kwargs)


def _own(value: Any, lacked: Any) -> Any:
    """A result of dask over chunks that are tensors, if there are such elements."""
    # The chunks of some are tuples, which dask takes apart.
    if not isinstance(value, da.Array) or isinstance(value._meta, tuple):
        return value
    try:
        dtype = _C.empty(0, dtype=value.dtype).dtype
    except TypeError:
        return value
    if lacked is not None and dtype == WIDER:
        return cast(value, lacked)
    return value if _has_tensors(value) else cast(value, dtype)


def svd_flip(original: Function) -> Function:
    """Singular vectors of one sign, which dask gets from subtracting 0.5 from a mask."""

    @functools.wraps(original)
    def run(u: Any, v: Any, u_based_decision: bool = False) -> Any:
        if not _has_tensors(u):
            return original(u, v, u_based_decision)
        sums = u.sum(axis=0, keepdims=True) if u_based_decision else v.sum(axis=1, keepdims=True).T
        signs = da.where(da.real(sums) >= 0, 1, -1).astype(sums.dtype)
        return u * signs, v * signs.T

    return run


def normalize_index(original: Function) -> Function:
    """Indices that are tensors, as those that are arrays."""

    @functools.wraps(original)
    def run(index: Any, shape: Any) -> Any:
        several = index if isinstance(index, tuple) else (index,)
        arrays = tuple(it.numpy() if isinstance(it, _tensor.Tensor) else it for it in several)
        return original(arrays, shape)

    return run


def normalize_chunks(original: Function) -> Function:
    """Sizes of chunks, for which a dtype is as wide as it is, whether numpy has it or not."""

    @functools.wraps(original)
    def run(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        known = f"V{dtype.itemsize}" if is_lacked(dtype) else dtype
        return original(*args, dtype=known, **kwargs)

    return run


def _refuse(name: str, values: Any) -> None:
    """Says what to do instead where numpy has no such dtype."""
    dtypes = [getattr(it, "dtype", None) for it in values]
    lacked = next(filter(is_lacked, dtypes), None)
    if lacked is not None:
        raise TypeError(
            f"numpy has no dtype `{lacked}`, and `{name}` of dask needs one; apply an operator, "
            f"`{_PACKAGE}.dask.map({_PACKAGE}.ops.exp, x)`, or convert the chunks: "
            f"`x.map_blocks(lambda it: it.float())`"
        )


def refusing(original: Function) -> Function:
    """What would be another number, or other bytes, of a wider dtype."""

    @functools.wraps(original)
    def run(*args: Any, **kwargs: Any) -> Any:
        _refuse(original.__name__, _leaves((args, tuple(kwargs.values()))))
        return original(*args, **kwargs)

    return run


def elemwise(original: Function) -> Function:
    """Elementwise functions, whose dtype is that of tensors: `int64 / 2` is `float32`."""
    other = over_tensors(original)

    @functools.wraps(original)
    def run(op: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if not any(map(_has_tensors, args)):
            return original(op, *args, dtype=dtype, **kwargs)
        if dtype is None and not kwargs:
            dtype = _result_dtype(op, args)
            if dtype is not None:
                return original(op, *args, dtype=dtype)
        if getattr(op, "__name__", "") in _OF_BITS:
            _refuse(op.__name__, args)
        return other(op, *args, dtype=dtype, **kwargs)

    return run


def _result_dtype(op: Function, args: tuple[Any, ...]) -> Any:
    """That of the result over tensors of no elements; `None` if it is no tensor."""
    metas = [getattr(it, "_meta", it) for it in args]
    try:
        result = op(*(it[(slice(0),) * it.ndim] if hasattr(it, "ndim") else it for it in metas))
    except Exception:
        return None
    return result.dtype if isinstance(result, _tensor.Tensor) else None


def slice_with_bools(original: Function) -> Function:
    """Elements under masks: an array of numpy would take a mask of one element for a position."""
    other = over_tensors(original)

    @functools.wraps(original)
    def run(x: Any, index: Any) -> Any:
        if _has_tensors(x):
            return other(x, index)
        return original(x, _each(index, _by_arrays))

    return run


def apply_infer_dtype(original: Function) -> Function:
    """The dtype of what a function returns, which dask calls with arrays of a dtype to see it."""

    @functools.wraps(original)
    def run(func: Function, args: Any, *others: Any, **kwargs: Any) -> Any:
        dtypes = {at: it.dtype for at, it in enumerate(args) if is_lacked(_dtype(it))}

        def call(*several: Any, **named: Any) -> Any:
            chunks = [it.to(dtypes[at]) if at in dtypes else it for at, it in enumerate(several)]
            return func(*chunks, **named)

        if not dtypes:
            return original(func, args, *others, **kwargs)
        wider = [
            _C.empty((0,) * it.ndim, dtype=WIDER) if at in dtypes else it
            for at, it in enumerate(args)
        ]
        return original(call, wider, *others, **kwargs)

    return run


def meta_from_array(original: Function) -> Function:
    """What tells dask of chunks: a tensor without elements, where numpy has none of the dtype."""

    @functools.wraps(original)
    def run(x: Any, ndim: int | None = None, dtype: Any = None) -> Any:
        if is_lacked(dtype) and (x is None or isinstance(x, type)):
            return _C.empty((0,) * (ndim or 0), dtype=dtype)
        return original(x, ndim, dtype)

    return run


def astype(original: Function) -> Function:
    """Arrays of another dtype, which numpy may lack."""

    @functools.wraps(original)
    def run(self: Any, dtype: Any, **kwargs: Any) -> Any:
        if _has_tensors(self):
            dtype = _named(dtype)
        if not (is_lacked(self.dtype) or is_lacked(dtype)):
            return original(self, dtype, **kwargs)
        # Refuses what `casting` forbids; of floating-point numbers, the two halves are as narrow.
        made = original(_widened(self), _C.float16 if is_lacked(dtype) else dtype, **kwargs)
        if self.dtype == dtype:
            return self
        return cast(self, dtype if is_lacked(dtype) else made.dtype)

    return run


def setitem(original: Function) -> Function:
    """Assignments to elements that numpy lacks, as to wider ones."""

    @functools.wraps(original)
    def run(self: Any, key: Any, value: Any) -> None:
        if not is_lacked(self.dtype):
            original(self, key, value)
            return
        wide = _widened(self)
        original(wide, key, _widened(value))
        made = cast(wide, self.dtype)
        self.dask, self._name = made.dask, made.name
        self._chunks, self._meta = made.chunks, made._meta

    return run


def to_backend(original: Function) -> Function:
    """Chunks of another library, which may lack the dtype."""

    @functools.wraps(original)
    def run(self: Any, backend: str | None = None, **kwargs: Any) -> Any:
        backend = backend or config.get("array.backend")
        if backend != _PACKAGE:
            _refuse("to_backend", [self])
        # Dask would send its table of conversions, which ends workers that lack the package.
        if backend == "numpy" and _has_tensors(self):
            return _by_arrays(self, **kwargs)
        return original(self, backend, **kwargs)

    return run


def _dtype(value: Any) -> Any:
    return getattr(value, "dtype", None)


def _has_tensors(x: Any) -> bool:
    return isinstance(getattr(x, "_meta", None), _tensor.Tensor)
