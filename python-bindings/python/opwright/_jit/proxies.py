"""Proxies of structs: what puts one together, or takes one apart, member by member."""

from __future__ import annotations

from typing import Any

from . import registry
from .builder import Builder, Struct
from .models import members_of

# Stands for a member that was not set.
_UNSET: Any = object()


class _Proxy:
    """A struct that is put together, or taken apart: a class for each type has its members."""

    __slots__ = ("_opwright_builder", "_opwright_value")

    _opwright_type: Any
    _opwright_names: tuple[str, ...]

    def __init__(self, context: Any, builder: Any, value: Any = None, ref: Any = None) -> None:
        self._opwright_builder = builder
        self._opwright_value = value

    def __getattr__(self, name: str) -> Any:
        """Return a member that was not set."""
        if name not in self._opwright_names:
            raise AttributeError(f"{self._opwright_type} has no member {name}")
        value = self._opwright_value
        if isinstance(value, Struct):
            return value.members[name]
        if value is None:
            raise AttributeError(f"the member {name} of {self._opwright_type} is not set")
        return self._opwright_builder.field(value, name)

    def _getvalue(self) -> Struct:
        names = self._opwright_names
        if self._opwright_value is None:
            members = {name: getattr(self, name, _UNSET) for name in names}
            for name in names:
                if members[name] is _UNSET:
                    members[name] = self._zero(name)
        else:
            members = {name: getattr(self, name) for name in names}
        return Struct(self._opwright_type, members)

    def _zero(self, name: str) -> Any:
        if isinstance(self._opwright_builder, Builder):
            ty = dict(members_of(self._opwright_type) or [])[name]
            return self._opwright_builder.step("zero", (), ty)
        return 0

    def _setvalue(self, value: Any) -> None:
        self._opwright_value = value
        for name in self._opwright_names:
            # A member that is not set is that of the value.
            try:
                delattr(self, name)
            except AttributeError:
                continue


# Types and the classes of their proxies, by the identities of types, until something is registered.
_classes: dict[int, tuple[Any, type[_Proxy]]] = {}
registry.on_change.append(_classes.clear)


def create_struct_proxy(typ: Any) -> Any:
    """Return what makes proxies of a struct: called with context, builder and a value or none.

    The attributes of a proxy are members, and `_getvalue()` gives the value.

    Raises:
        TypeError: The type has no data model.
    """
    known = _classes.get(id(typ))
    if known is None:
        known = _classes[id(typ)] = typ, _class(typ)
    return known[1]


def _class(typ: Any) -> type[_Proxy]:
    members = members_of(typ)
    if members is None:
        raise TypeError(f"{typ} has no data model: register one with register_model")
    names = tuple(name for name, _ in members)
    content = {"__slots__": names, "_opwright_type": typ, "_opwright_names": names}
    return type(str(typ), (_Proxy,), content)


__all__ = ["create_struct_proxy"]
