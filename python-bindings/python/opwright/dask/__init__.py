"""Tensors as chunks of dask arrays, and operators over them.

    >>> import dask.array as da
    >>> import opwright.dask
    >>> x = da.from_array(opwright.ones(1000, 1000), chunks=250, asarray=False)
    >>> (x @ x.T).sum().compute()
    tensor(1.0000e+09, dtype=float32, shape=())
    >>> opwright.dask.map(opwright.ops.logsumexp, x, [1]).compute().shape
    opwright.Size([1000])

Importing the module registers tensors with dask: that they are chunks, how chunks are joined,
multiplied and measured, how they travel between processes, and the backend by which
`dask.array.ones` and its like make tensors.
"""

from __future__ import annotations

from . import _requirements

_requirements.check()

from ._backend import Backend as Backend  # noqa: E402
from ._map import map as map  # noqa: E402
from ._registration import register as register  # noqa: E402

__all__ = ["Backend", "map", "register"]

register()
