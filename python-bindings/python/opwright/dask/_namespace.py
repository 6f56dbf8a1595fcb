"""The namespace of dask's arrays of tensors, for libraries that ask for one."""

from __future__ import annotations

import dask.array as da

from .. import _C, _tensor
from .._array_functions import isdtype

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Namespace:
    """The functions of dask, with the dtypes of tensors, which those of numpy are not."""

    __name__ = __name__.rpartition(".")[0]

    def __getattr__(self, name: str) -> Any:
        found = getattr(_C, name, None)
        return found if isinstance(found, _C.dtype) else getattr(da, name)

    @staticmethod
    def isdtype(dtype: Any, kind: Any) -> bool:
        """Whether a dtype is another one, or of a kind."""
        return isdtype(_C.empty(0, dtype=dtype).dtype, kind)


_NAMESPACE = Namespace()


def with_namespace(others: property | None) -> property:
    """The attribute `__array_namespace__` of arrays of tensors, and of others what it was."""

    def get(array: Any) -> Any:
        if isinstance(array._meta, _tensor.Tensor):
            return lambda api_version=None: _NAMESPACE
        if others is None or others.fget is None:
            raise AttributeError("__array_namespace__")
        return others.fget(array)

    return property(get)
