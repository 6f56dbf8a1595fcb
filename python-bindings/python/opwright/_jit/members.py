"""Methods and attributes of arrays and native structs in plain Python."""

from __future__ import annotations

from typing import Any

from .. import types


def publish(owner: Any, name: str, *, is_method: bool, replace: bool) -> None:
    """Give a class of Python the member that was registered for its types.

    Raises:
        TypeError: The class has another member of this name.
    """
    cls = _class(owner)
    if cls is None:
        return
    known = getattr(cls, name, None)
    if known is not None and not getattr(known, "_opwright_member_", False) and not replace:
        raise TypeError(f"{cls.__name__} has {name} already: pass replace=True to take its place")
    if known is None or replace:
        setattr(cls, name, _Method(name) if is_method else _Attribute(name))


def _class(owner: Any) -> Any:
    if owner is types.Array:
        from .. import Tensor

        return Tensor
    return getattr(owner, "python_class", None)


class _Member:
    _opwright_member_ = True

    def __init__(self, name: str) -> None:
        self.name = name
        self._calls: dict[Any, Any] = {}

    def _call(self, key: Any, text: str) -> Any:
        """The compiled function of a text, which is made at the first use."""
        if key not in self._calls:
            from .jit import from_text

            self._calls[key] = from_text(text)
        return self._calls[key]


class _Method(_Member):
    """A method that is compiled where it is called."""

    def __get__(self, value: Any, cls: Any = None) -> Any:
        if value is None:
            return self
        name = self.name

        def method(*args: Any) -> Any:
            names = "".join(f", a{at}" for at in range(len(args)))
            text = f"def {name}(self{names}):\n    return self.{name}({names[2:]})\n"
            return self._call(len(args), text)(value, *args)

        method.__name__ = name
        return method


class _Attribute(_Member):
    """An attribute that is compiled where it is read, set or deleted."""

    def __get__(self, value: Any, cls: Any = None) -> Any:
        if value is None:
            return self
        return self._call("get", f"def get(self):\n    return self.{self.name}\n")(value)

    def __set__(self, value: Any, new: Any) -> None:
        self._call("set", f"def set(self, value):\n    self.{self.name} = value\n")(value, new)

    def __delete__(self, value: Any) -> None:
        self._call("del", f"def delete(self):\n    del self.{self.name}\n")(value)
