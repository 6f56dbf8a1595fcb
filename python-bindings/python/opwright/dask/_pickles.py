"""Pickles that `distributed` sends: what stands in them is reduced otherwise than in others.

It pickles whole graphs by `pickle.dumps`, which asks nobody but the objects and `copyreg`, and that
would change every pickle of the process.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from collections import ChainMap

import cloudpickle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

# By classes, as in `copyreg`.
_REDUCED: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def register(reduced: dict[type, Callable[[Any], tuple[Any, ...]]]) -> None:
    """Have instances of these classes reduced so where `distributed` pickles them."""
    from distributed.protocol import pickle as pickles

    _REDUCED.update(reduced)
    if not isinstance(pickles.pickle, _Pickling):
        pickles.pickle = _Pickling(pickle, _Pickler)
        pickles.cloudpickle = _Pickling(cloudpickle, _CloudPickler)


class _Pickler(pickle.Pickler):
    dispatch_table = ChainMap(_REDUCED, copyreg.dispatch_table)


class _CloudPickler(cloudpickle.Pickler):  # type: ignore[misc]
    dispatch_table = ChainMap(_REDUCED, cloudpickle.Pickler.dispatch_table)


class _Pickling:
    """A module that pickles, whose `dumps` is that of a pickler."""

    def __init__(self, module: ModuleType, pickler: Callable[..., Any]) -> None:
        self._module, self._pickler = module, pickler

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def dumps(self, x: Any, **options: Any) -> bytes:
        """The object as a pickle."""
        file = io.BytesIO()
        self._pickler(file, **options).dump(x)
        return file.getvalue()
