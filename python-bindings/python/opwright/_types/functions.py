"""Types of what is called."""

from __future__ import annotations

from .abstract import Callable, Dummy, Opaque
from .base import Type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Function(Callable, Opaque):
    """A function that templates type: one, or a list of them that share their `key`."""

    def __init__(self, template: Any) -> None:
        """Make the type of the function of a template or of several.

        Raises:
            ValueError: They are of several functions.
        """
        self.templates: tuple[Any, ...] = (
            tuple(template) if isinstance(template, list | tuple) else (template,)
        )
        keys = {getattr(it, "key", it) for it in self.templates}
        if len(keys) != 1:
            raise ValueError(f"templates of one function share their key, not {keys}")
        (self.typing_key,) = keys
        super().__init__(f"{type(self).__name__}({self.typing_key})")

    @property
    def key(self) -> Any:
        return self.typing_key, self.templates


class BoundFunction(Callable, Opaque):
    """A method of values of the type `this`, as an `AttributeTemplate` resolves it."""

    def __init__(self, template: Any, this: Type) -> None:
        """Make the type of a method that a template types.

        Raises:
            TypeError: `this` is no type.
        """
        if not isinstance(this, Type):
            raise TypeError(f"a method is of a type, not of {this!r}")
        self.template, self.this = template, this
        self.typing_key = getattr(template, "key", template)
        super().__init__(f"{type(self).__name__}({self.typing_key} for {this})")

    @property
    def key(self) -> Any:
        return self.template, self.this

    def copy(self, this: Type) -> BoundFunction:
        """Return the type of the same method of another type."""
        made: BoundFunction = type(self)(self.template, this)
        return made


class Dispatcher(Callable, Dummy):
    """A function that `jit` compiles."""

    def __init__(self, dispatcher: Any) -> None:
        """Make the type of one such function."""
        self.dispatcher = dispatcher
        super().__init__(f"type({dispatcher!r})")

    @property
    def key(self) -> Any:
        return id(self.dispatcher)

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        if value is self.dispatcher:
            return value
        raise TypeError(f"expected {self.dispatcher!r}, not {value!r}")


class VarArg(Type):
    """The last of the types that a lowering takes, for any number of arguments.

    >>> opwright.types.VarArg(opwright.types.int64)
    *int64
    """

    def __init__(self, dtype: Any) -> None:
        """Make the type of any number of arguments of a type, or of a class of types."""
        self.dtype = dtype
        super().__init__(f"*{getattr(dtype, '__name__', dtype)}")

    @property
    def key(self) -> Any:
        return self.dtype
