"""Functions of dask that work on chunks as only arrays of numpy allow, overridden for tensors.

They read `x.size` as a number, call `x.copy()` or `x.transpose` with a list, hand chunks to scipy,
keep positions in structured arrays, subtract from a mask, or make arrays of numpy. Those that ask
numpy about a dtype that it lacks are called with one that it has. Other chunks are left to dask's
own.
"""

from __future__ import annotations

import functools
import sys
from importlib import import_module
from types import FunctionType

import dask.array as da
import numpy as np

from . import _array_overrides as arrays
from . import _chunk_overrides as chunks
from ._namespace import with_namespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Function = Callable[..., Any]


@functools.cache
def register() -> None:
    """Override them, once; versions of dask that have no function of that name need none."""
    for (module, name), override in _CHUNKS.items():
        _set(name, (module,), functools.partial(chunks.Override, (module, name), override))
    for (name, *modules), override in _ARRAYS.items():
        _set(name, tuple(modules), override)
    for (kind, name), override in _METHODS.items():
        if hasattr(kind, name) or name == "__array_namespace__":
            setattr(kind, name, override(getattr(kind, name, None)))
    for name, holders in list(_public()):
        _set(name, holders, _OF_PUBLIC.get(name, arrays.over_tensors))


def _set(name: str, modules: tuple[str, ...], override: Callable[[Function], Function]) -> None:
    """The first of the modules defines the function; others have imported it."""
    first, *others = map(import_module, modules)
    original = getattr(first, name, None)
    if original is None:
        return
    made = override(original)
    for module in (first, *others):
        if getattr(module, name, None) is original:
            setattr(module, name, made)


def _public() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions of dask that take arrays, and the modules that have them."""
    held = [it for it in sys.modules if it.startswith("dask.array") and "_array_expr" not in it]
    overlap = import_module("dask.array.overlap")
    # Older versions list nothing.
    names = getattr(da, "__all__", list(vars(da)))
    listed = [(da, it) for it in names] + [(overlap, "sliding_window_view")]
    for module in (da.linalg, da.fft):
        own = (it for it in vars(module).values() if isinstance(it, FunctionType))
        listed += [(module, it.__name__) for it in own if it.__module__ == module.__name__]
    for module, name in listed:
        found = getattr(module, name, None)
        is_left = name in _AS_THEY_ARE or name.startswith("_")
        if isinstance(found, FunctionType) and not is_left:
            others = (it for it in held if getattr(sys.modules[it], name, None) is found)
            yield name, tuple(others)


# Each works on chunks, and is pickled with tasks.
_CHUNKS: dict[tuple[str, str], Callable[[Function], Function]] = {
    ("dask.array.reductions", "chunk_max"): chunks.extreme(np.max),
    ("dask.array.reductions", "chunk_min"): chunks.extreme(np.min),
    ("dask.array.reductions", "_nanmax_skip"): chunks.extreme(np.nanmax),
    ("dask.array.reductions", "_nanmin_skip"): chunks.extreme(np.nanmin),
    ("dask.array.chunk", "slice_with_int_dask_array_aggregate"): chunks.by_numpy,
    ("dask.array.core", "_vindex_slice_and_transpose"): chunks.by_numpy,
    ("dask.array.routines", "_asarray_isnull"): chunks.by_numpy,
    ("dask.array.slicing", "setitem"): chunks.by_numpy,
    ("dask.array.utils", "scipy_linalg_safe"): chunks.by_numpy,
}


# Each works on arrays, while a graph is built: its name, and the modules that have it.
_ARRAYS: dict[tuple[str, ...], Callable[[Function], Function]] = {
    ("svd_flip", "dask.array.utils", "dask.array.linalg"): arrays.svd_flip,
    ("normalize_index", "dask.array.slicing"): arrays.normalize_index,
    ("normalize_chunks", "dask.array.core", "dask.array.rechunk"): arrays.normalize_chunks,
    ("slice_with_bool_dask_array", "dask.array.slicing"): arrays.slice_with_bools,
    ("apply_infer_dtype", "dask.array.core", "dask.array.gufunc"): arrays.apply_infer_dtype,
    ("meta_from_array", "dask.array.utils", "dask.array.core"): arrays.meta_from_array,
    ("elemwise", "dask.array.core", "dask.array.ufunc", "dask.array.routines"): arrays.elemwise,
}

_METHODS: dict[tuple[type, str], Callable[[Any], Any]] = {
    (da.Array, "__array__"): arrays.refusing,
    (da.Array, "__array_namespace__"): with_namespace,
    (da.Array, "__setitem__"): arrays.setitem,
    (da.Array, "_vindex"): arrays.over_tensors,
    (da.Array, "astype"): arrays.astype,
    (da.Array, "to_backend"): arrays.to_backend,
    (da.Array, "view"): arrays.refusing,
    (da.ufunc.ufunc, "outer"): arrays.over_tensors,
}

_through_arrays = functools.partial(arrays.over_tensors, by_numpy=True)

# Public functions that `over_tensors` does not override, but this does.
_OF_PUBLIC: dict[str, Callable[[Function], Function]] = {
    **dict.fromkeys(("argmax", "argmin", "nanargmax", "nanargmin"), _through_arrays),
    "lu": _through_arrays,
    "nan_to_num": arrays.refusing,
    # Of other dtypes than dask promises.
    **dict.fromkeys(("nanpercentile", "nanquantile", "percentile", "quantile"), _through_arrays),
    "unique": _through_arrays,
}

# Public functions that take functions of chunks or of blocks, or no more of arrays than their
# shapes, and what makes or stores arrays.
_AS_THEY_ARE = {
    *("apply_gufunc", "as_gufunc", "asanyarray", "asarray", "array", "assert_eq", "atop"),
    *("block", "blockwise", "compute", "concatenate", "elemwise", "map_blocks", "map_overlap"),
    *("from_array", "from_delayed", "from_npy_stack", "from_tiledb", "from_zarr", "optimize"),
    *("ravel", "rechunk", "register_chunk_type", "reshape", "reshape_blockwise", "store"),
    *("to_hdf5", "to_npy_stack", "to_tiledb", "to_zarr", "unify_chunks"),
}
