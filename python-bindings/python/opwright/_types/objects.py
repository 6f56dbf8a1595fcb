"""Types of modules, dtypes and classes, which are values themselves."""

from __future__ import annotations

from .abstract import Callable, Dummy, Opaque
from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Module(Dummy):
    """A module, whose names are looked up when a function is compiled."""

    def __init__(self, pymod: Any) -> None:
        """Make the type of one module."""
        self.pymod = pymod
        super().__init__(f"Module({pymod.__name__})")

    @property
    def key(self) -> Any:
        return id(self.pymod)

    def __reduce__(self) -> tuple[Any, ...]:
        return _module, (self.pymod.__name__,)


def _module(name: str) -> Any:
    from importlib import import_module

    return Module(import_module(name))


class DType(Opaque):
    """A dtype as a value: `dtype` is the type of the elements.

    >>> opwright.types.DType(opwright.types.float32)
    dtype(float32)
    """

    def __init__(self, dtype: Type) -> None:
        """Make the type of the dtype of such elements.

        Raises:
            TypeError: It is no type.
        """
        self.dtype = _checked(dtype)
        super().__init__(f"dtype({dtype})")

    @property
    def key(self) -> Any:
        return self.dtype


class NumberClass(Callable, Opaque):
    """A class of numbers as a value, such as `np.float32`, which converts when it is called."""

    def __init__(self, instance_type: Type) -> None:
        """Make the type of the class of such numbers.

        Raises:
            TypeError: It is no type.
        """
        self.instance_type = _checked(instance_type)
        super().__init__(f"class({instance_type})")

    @property
    def key(self) -> Any:
        return self.instance_type

    @property
    def dtype(self) -> Type:
        """The type of the numbers."""
        return self.instance_type


class ExceptionClass(Callable, Opaque):
    """A class of exceptions as a value, which is raised."""

    def __init__(self, exc_class: Any) -> None:
        """Make the type of one class.

        Raises:
            TypeError: It is no class of exceptions.
        """
        if not (isinstance(exc_class, type) and issubclass(exc_class, BaseException)):
            raise TypeError(f"expected a class of exceptions, not {exc_class!r}")
        self.exc_class = exc_class
        super().__init__(exc_class.__name__)

    @property
    def key(self) -> Any:
        return self.exc_class


def _checked(ty: Any) -> Type:
    if not isinstance(ty, Type):
        raise TypeError(f"expected a type, not {ty!r}")
    return ty
