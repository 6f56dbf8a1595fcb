"""The backend of `dask.array`: creation functions and random numbers that make tensors."""

from __future__ import annotations

import dask.array as da
import numpy as np
from dask import config
from dask.array.backends import ArrayBackendEntrypoint
from dask.utils import Dispatch

from .. import _C, _tensor
from ._blocks import Cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What turns a chunk of another kind into a tensor.
to_tensor = Dispatch("to_tensor")


@to_tensor.register((object, np.ndarray))  # type: ignore[untyped-decorator]
def _from_array(data: Any, **_: Any) -> Any:
    return _C.as_tensor(data)


class Backend(ArrayBackendEntrypoint):  # type: ignore[misc]
    """What `dask.config.set({"array.backend": ...})` chooses by the name of the package.

    Elements are `float64` where no dtype is requested, as in dask's other backends.
    """

    @classmethod
    def to_backend_dispatch(cls) -> Any:
        """What turns one chunk into a tensor."""
        return to_tensor

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """A dask array whose chunks are tensors, and itself if they are."""
        if isinstance(data._meta, _tensor.Tensor):
            return data
        meta = _C.as_tensor(data._meta)
        return data.map_blocks(Cast(meta.dtype), dtype=meta.dtype, meta=meta, **kwargs)

    @property
    def RandomState(self) -> Any:  # noqa: N802
        """The class whose methods draw chunks for `dask.array.random`."""
        from ..random import RandomState

        return RandomState

    @property
    def default_bit_generator(self) -> Any:
        """The class of the bits of `dask.array.random.default_rng`."""
        from ..random import PCG64

        return PCG64

    @staticmethod
    def ones(*args: Any, **kwargs: Any) -> Any:
        """An array of ones."""
        return _made("ones", args, kwargs)

    @staticmethod
    def zeros(*args: Any, **kwargs: Any) -> Any:
        """An array of zeros."""
        return _made("zeros", args, kwargs)

    @staticmethod
    def empty(*args: Any, **kwargs: Any) -> Any:
        """An array whose elements are not set."""
        return _made("empty", args, kwargs)

    @staticmethod
    def full(*args: Any, **kwargs: Any) -> Any:
        """An array of one number."""
        return _made("full", args, kwargs)

    @staticmethod
    def arange(*args: Any, like: Any = None, **kwargs: Any) -> Any:
        """Numbers at equal distances."""
        return _made("arange", args, kwargs)


def _made(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What dask's creation function makes of tensors.

    Numpy makes the chunks; a tensor is made over the memory of each.
    """
    kwargs.pop("meta", None)
    with config.set({"array.backend": "numpy"}):
        return Backend.to_backend(getattr(da, name)(*args, **kwargs))
