"""Random numbers of numpy's generators, as tensors.

    >>> import opwright
    >>> opwright.random.default_rng(0).normal(size=(2, 3)).shape
    opwright.Size([2, 3])

These are the generators by which `dask.array.random` draws chunks. `opwright.manual_seed` and
`opwright.Generator` are for functions such as `opwright.rand`.
"""

from __future__ import annotations

import numpy as np

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["PCG64", "Generator", "RandomState", "default_rng"]


class PCG64(np.random.PCG64):
    """The bits of `default_rng`: those of `numpy.random.PCG64`."""


class _Drawing:
    """Has the methods of a generator of numpy; what they return are tensors."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        drawn = getattr(self._source, name)
        if not callable(drawn):
            return drawn

        def draw(*args: Any, **kwargs: Any) -> Any:
            result = drawn(*args, **kwargs)
            # `seed` and `shuffle` return nothing, and `get_state` a description.
            if isinstance(result, np.ndarray | np.generic | float | int):
                return _C.as_tensor(result)
            return result

        draw.__name__, draw.__doc__ = name, drawn.__doc__
        return draw

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._source!r})"


class Generator(_Drawing):
    """The distributions of `numpy.random.Generator`, drawn as tensors."""

    def __init__(self, bit_generator: Any) -> None:
        super().__init__(np.random.Generator(bit_generator))


class RandomState(_Drawing):
    """The distributions of `numpy.random.RandomState`, drawn as tensors."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(np.random.RandomState(seed))


def default_rng(seed: Any = None) -> Generator:
    """A generator whose numbers are tensors.

    Args:
        seed: What `numpy.random.default_rng` takes: `None`, whole numbers, a `SeedSequence`, or
            the bits to draw from, such as `PCG64`.

    Returns:
        A generator with the methods of `numpy.random.Generator`.
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, np.random.BitGenerator) else PCG64(seed))
