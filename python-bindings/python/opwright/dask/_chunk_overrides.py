"""Overrides of dask's functions on chunks, which are pickled with tasks."""

from __future__ import annotations

import functools
import warnings

from .. import _C, _tensor
from ._blocks import WIDER, is_lacked, tensor
from ._named import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Function = Callable[..., Any]


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


def by_numpy(original: Function) -> Function:
    """Dask's function over arrays that share the memory of tensors, whose results are tensors."""

    def run(*args: Any, **kwargs: Any) -> Any:
        dtypes = [it.dtype for it in args if isinstance(it, _tensor.Tensor)]
        lacked = next(filter(is_lacked, dtypes), None)
        arrays = (_array(it) if isinstance(it, _tensor.Tensor) else it for it in args)
        found = original(*arrays, **kwargs)
        if isinstance(found, tuple):
            return tuple(map(tensor, found))
        is_wider = lacked is not None and found.dtype == WIDER
        return tensor(found).to(lacked) if is_wider else tensor(found)

    return run


def _array(chunk: Any) -> Any:
    return (chunk.to(WIDER) if is_lacked(chunk.dtype) else chunk).numpy()


def extreme(find: Function) -> Callable[[Function], Function]:
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
