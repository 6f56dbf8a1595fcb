"""What stands for tensors in pickles and deep copies."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from weakref import WeakKeyDictionary, ref

# The object that stands for a memory, as long as somebody holds it, such as the memo of a pickle.
_storages: WeakKeyDictionary[Any, ref[Any]] | None = None


def reduced(tensor: Any) -> tuple[Any, ...]:
    """What makes a tensor again, and its attributes.

    Two tensors over one memory have one object for it, which `pickle` and `deepcopy` then have
    once, too.
    """
    storage, dtype, shape, *place = _C._parts(tensor)
    state = tensor.__getstate__()
    if storage is None:
        return _C._rebuild, (type(tensor), None, dtype, shape), state
    return _C._rebuild_view, (type(tensor), _one_of(storage), dtype, shape, *place), state


def _one_of(storage: Any) -> Any:
    """The same object for equal storages."""
    import weakref

    global _storages
    if _storages is None:
        _storages = weakref.WeakKeyDictionary()
    known = _storages.get(storage)
    found = known() if known is not None else None
    if found is None:
        _storages[storage] = weakref.ref(storage)
        return storage
    return found
