"""Values of users' types that names refer to, as constants of what is compiled."""

from __future__ import annotations

import weakref
from typing import Any

from .. import types
from . import boxing, lowering
from .errors import TypingError
from .models import members_of
from .typeof import Context, typeof_impl

# What `unbox` made of values, by their identities, as long as they live: a reference to the value,
# its type and its members.
_unboxed: dict[int, tuple[Any, Any, tuple[Any, ...]]] = {}


def freeze(value: Any) -> tuple[Any, Any, Any] | None:
    """Return the type of a value, and the lowering or the members that make the constant.

    None if it is of no type with a model. A type with `lower_constant` is asked; else the value is
    unboxed, once: what `unbox` wants done after a call is not done, as the constant stays.
    """
    ty = _type(value)
    if ty is None:
        return None
    made = lowering.of_constant(ty, value)
    if made is not None:
        return ty, made, None
    if members_of(ty) is None or type(ty).__module__.startswith(types.__name__):
        return None
    known = _unboxed.get(id(value))
    if known is None or known[0]() is not value or known[1] != ty:
        known = _reference(value), ty, boxing.unboxed(ty, value)
        _unboxed[id(value)] = known
    return ty, None, known[2]


def _reference(value: Any) -> Any:
    """Return what gives a value, as long as it lives; what it was unboxed to is forgotten then."""
    place = id(value)
    try:
        return weakref.ref(value, lambda _: _unboxed.pop(place, None))
    except TypeError:
        # Classes whose objects cannot be referred to weakly have few constants.
        return lambda: value


def _type(value: Any) -> Any:
    if callable(value) and not hasattr(type(value), "_opwright_type_"):
        known = [it for it in type(value).__mro__ if it in typeof_impl._functions]
        if not known:
            return None
    try:
        found = typeof_impl(value, Context())
    except (TypingError, TypeError):
        return None
    return None if isinstance(found, types.Array | types.BaseTuple) else found
