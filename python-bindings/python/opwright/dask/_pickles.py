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
    from typing import Any

# By classes, as in `copyreg`.
_REDUCED: dict[type, Callable[[Any], Any]] = {}


def register(reduced: dict[type, Callable[[Any], Any]]) -> None:
    """Have instances of these classes reduced so where `distributed` pickles them."""
    from distributed.protocol import pickle as pickles

    if not _REDUCED:
        # Another module of operators may have been there.
        pickles.pickle = _Pickling(pickle, _table(pickles.pickle, copyreg))
        others = _table(pickles.cloudpickle, cloudpickle.Pickler)
        pickles.cloudpickle = _Pickling(cloudpickle, others)
    _REDUCED.update(reduced)


def _table(module: Any, default: Any) -> Any:
    """By which a module that pickles reduces what it does not know."""
    return getattr(module, "table", default.dispatch_table)


class _Pickling:
    """A module that pickles, whose `dumps` reduces these classes so, and others by a table."""

    def __init__(self, module: Any, others: Any) -> None:
        self._module = module
        self.table = ChainMap(_REDUCED, others)
        self._pickler = type("Pickler", (module.Pickler,), {"dispatch_table": self.table})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def dumps(self, x: Any, **options: Any) -> bytes:
        """The object as a pickle."""
        file = io.BytesIO()
        self._pickler(file, **options).dump(x)
        return file.getvalue()
