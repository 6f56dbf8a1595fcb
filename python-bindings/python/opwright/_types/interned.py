"""One object for each type: the types of a class by their keys, as long as somebody holds them."""

from __future__ import annotations

import os
from _thread import RLock
from _weakref import ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    _Ref = ref[Any]
else:
    _Ref = ref

# Keys are compared while it is held, which may make types.
_LOCK: Any = RLock()
if hasattr(os, "register_at_fork"):
    # Nobody holds it in the child.
    os.register_at_fork(after_in_child=_LOCK._at_fork_reinit)


# Functions that look at a type that is made, before anyone has it; it may be one that is known.
on_new: list[Any] = []


class _Reference(_Ref):
    """A type that is forgotten when nobody holds it."""

    __slots__ = ("key", "table")

    key: Any
    table: dict[Any, Any]


def _forget(reference: Any) -> None:
    with _LOCK:
        if reference.table.get(reference.key) is reference:
            del reference.table[reference.key]


def interned(made: Any) -> Any:
    """Return the type of the class and key of `made` that is known, or `made`, which is from now.

    What comes back does not change any more.
    """
    key, cls = made.key, type(made)
    with _LOCK:
        # Those of a class end with it.
        table = vars(cls).get("_opwright_interned_")
        if table is None:
            cls._opwright_interned_ = table = {}
        known = table.get(key)
        living = None if known is None else known()
        if living is not None:
            return living
        object.__setattr__(made, "_is_frozen", True)
        table[key] = reference = _Reference(made, _forget)
        reference.key, reference.table = key, table
        return made


class _State:
    """The attributes of a type, which copies of it share."""

    __slots__ = ("attributes",)

    def __init__(self, attributes: dict[str, Any]) -> None:
        self.attributes = attributes

    def __deepcopy__(self, memo: Any) -> _State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _State, (self.attributes,)


def reduced(ty: Any) -> tuple[Any, ...]:
    """Return how to come by an interned type again, for `pickle` and `copy`."""
    attributes = {name: it for name, it in vars(ty).items() if name != "_is_frozen"}
    return _again, (type(ty), _State(attributes))


def _again(cls: type, state: _State) -> Any:
    made: Any = object.__new__(cls)
    vars(made).update(state.attributes)
    return interned(made)
