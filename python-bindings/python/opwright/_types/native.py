"""The types that this library knows: values of them need no code of Python."""

from __future__ import annotations

from .. import _C
from .abstract import Hashable, IterableType, Opaque
from .base import Type
from .methods import check
from .number import Boolean, Complex, Float, Integer, Number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self, final

    from .._C._graph import Variable
    from .array import Array
else:

    def final(cls):
        """Mark a class, which refuses to be derived from."""
        cls.__final__ = True
        return cls


_graph = _C._graph
ShapeClash = _graph.ShapeClash
ShapeMismatch = _graph.ShapeMismatch


class _Known(_graph.NativeType, Type):
    """A type that this library knows: its values need no code of Python."""

    __slots__ = ()
    _is_frozen = True
    # Whether only classes of this file are derived from it.
    _is_closed = False

    if TYPE_CHECKING:
        # What `__new__` returns is made: no other arguments are asked for.
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __init_subclass__(cls, **kwargs: Any) -> None:
        above: Any = cls.__bases__[0]
        is_ours = cls.__module__ == __name__
        if getattr(above, "__final__", False) or (above._is_closed and not is_ours):
            raise TypeError(
                f"{above.__name__} cannot be derived from; derive from Type, or from "
                f"types.StructType"
            )

    def clone(self, **changes: Any) -> Self:
        if changes:
            raise TypeError(f"{self} has nothing that could be changed")
        return self


@final
class TensorType(_Known):
    """The tensors of a dtype whose shapes agree with what is known of the extents.

    Equal types are one object.

        >>> opwright.TensorType("float64", (2, None))
        TensorType(float64, (2, ?))
    """

    __slots__ = ()
    __props__ = ("dtype", "shape")

    def __new__(cls, dtype: Any, shape: Any) -> TensorType:
        """Return the type of `dtype` and `shape`, where None stands for what is not known.

        Raises:
            TypeError: There is no such dtype.
            ValueError: There is no such shape.
        """
        made: TensorType = _graph.tensor_type(dtype, shape)
        return made

    @property
    def compiled(self) -> Array:
        """The type that its tensors have in compiled functions, whatever their strides.

            >>> opwright.TensorType("float64", (2, None)).compiled
            array(float64, 2d, A)

        Raises:
            TypeError: Elements of the dtype have no type there.
        """
        from .array import Array
        from .dtypes import from_dtype

        made: Array = Array(from_dtype(self.dtype), self.ndim, "A")
        return made

    def __call__(self, name: Any = None, shape: Any = None, *args: Any) -> Any:
        if isinstance(name, Type):
            return super().__call__(name, *(() if shape is None else (shape,)), *args)
        if shape is None:
            return self.make_variable(name)
        narrower = self.clone(shape=shape)
        if not self.is_super(narrower):
            raise ValueError(f"{narrower} is not within {self}")
        return narrower.make_variable(name)

    def clone(self, dtype: Any = None, shape: Any = None) -> TensorType:  # type: ignore[override]
        return TensorType(
            self.dtype if dtype is None else dtype, self.shape if shape is None else shape
        )

    def convert_variable(self, var: Variable) -> Variable:
        return _graph.specified(var, self)

    def may_share_memory(self, a: object, b: object) -> bool:
        return bool(_graph.may_share_memory(a, b))

    def get_shape_info(self, obj: Any) -> tuple[int, ...]:
        """Return what `get_size` needs to know of a value."""
        return tuple(map(int, obj.shape))

    def get_size(self, info: tuple[int, ...]) -> int:
        """Return how many bytes the elements of a value take."""
        from math import prod

        return prod(info) * int(self.dtype.itemsize)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorType, (self.dtype, self.shape)


class PlainType(_Known):
    """The values of a class of Python, such as the numbers of `float`."""

    __slots__ = ()
    _is_closed = True

    def __new__(cls, name: str, *args: Any, **kwargs: Any) -> PlainType:
        """Return the type of this name.

        Raises:
            TypeError: There is none.
        """
        made: PlainType = _graph.plain_type(_RENAMED.get(name, name))
        return made

    @property
    def key(self) -> str:
        """The name."""
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return PlainType, (str(self),)


# Names that types had before they were those of compiled functions, too.
_RENAMED = {"double": "float64", "str": "unicode_type"}


class UnicodeType(IterableType, Hashable):
    """Texts, which are constants in compiled functions: `types.unicode_type`."""


class NoneType(Opaque):
    """Nothing: `types.none`."""


class _Boolean(PlainType, Boolean):
    __slots__ = ()


class _PlainNumber(PlainType):
    __slots__ = ()
    # The native class has methods of these names, too, which know of no order.
    __lt__: Any = Number.__lt__
    __le__: Any = Number.__le__
    __gt__: Any = Number.__gt__
    __ge__: Any = Number.__ge__


class _Integer(_PlainNumber, Integer):
    __slots__ = ()


class _Float(_PlainNumber, Float):
    __slots__ = ()


class _Complex(_PlainNumber, Complex):
    __slots__ = ()


class _Text(PlainType, UnicodeType):
    __slots__ = ()


class _Nothing(PlainType, NoneType):
    __slots__ = ()


# Those of numbers and truth values, by name.
_KNOWN: dict[str, type[PlainType]] = {
    "bool": _Boolean,
    **{f"{it}{bits}": _Integer for it in ("int", "uint") for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("float16", "float32", "float64"), _Float),
    **dict.fromkeys(("complex64", "complex128"), _Complex),
}
# What elements of arrays are.
NUMBERS = frozenset(_KNOWN)


def number(kind: type, name: Any) -> Any:
    """Return the type of numbers of a kind and a name that this library knows, or None."""
    known = _KNOWN.get(name)
    return PlainType(name) if known is not None and issubclass(known, kind) else None


@final
class ListType(_Known):
    """Lists of values of one type."""

    __slots__ = ()

    def __new__(cls, element: Any, length: int | None = None) -> ListType:
        """Return the type of the lists of `length` values of `element`, or of any length."""
        made: ListType = _graph.list_type(element, length)
        return made

    @property
    def element(self) -> Any:
        """The type of the elements."""
        return self._list[0]

    @property
    def length(self) -> int | None:
        """How many there are, if that is known."""
        length: int | None = self._list[1]
        return length

    def __reduce__(self) -> tuple[Any, ...]:
        return ListType, self._list


@final
class NativeStructType(_Known):
    """The values of a struct of Rust that is a class of a module."""

    __slots__ = ()

    def __new__(cls, of: type) -> NativeStructType:
        """Return the type of the instances of `of`.

        Raises:
            TypeError: It is no such class.
        """
        made: NativeStructType | None = _graph.native_struct_type(of)
        if made is None:
            raise TypeError(f"{of.__name__} is not the class of a struct of Rust")
        return made

    @property
    def cls(self) -> type:
        """The class of the values."""
        cls: type = self._class
        return cls

    @property
    def fields(self) -> dict[str, Any]:
        """The types of the attributes by their names, in their order."""
        return dict(self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return NativeStructType, (self.cls,)


class StructType(_Known):
    """The instances of a class, whose attributes are values of types.

    A subclass says of what types, and `types.register_type` of which class.

        >>> class Interval:
        ...     def __init__(self, lo, hi):
        ...         self.lo, self.hi = lo, hi
        >>> @opwright.types.register_type(cls=Interval)
        ... class IntervalType(opwright.types.StructType):
        ...     lo: opwright.types.double
        ...     hi: opwright.types.double
        >>> opwright.typeof(Interval(1.0, 3.0)) is IntervalType()
        True
    """

    __slots__ = ()
    # What values are made by, with the attributes in their order.
    cls: Callable[..., Any] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        check(cls, Type)

    def __new__(cls) -> StructType:
        """Return the type.

        Raises:
            TypeError: The class is not registered, or an annotation is no type.
        """
        if cls.cls is None:
            raise TypeError(
                f"{cls.__name__} is of no class yet: put @types.register_type(cls=...) before it"
            )
        name = getattr(cls.cls, "__name__", cls.__name__)
        made: StructType = _graph.struct_type(cls, name, list(_fields(cls)), cls.cls)
        return made

    @property
    def fields(self) -> dict[str, Any]:
        """The types of the attributes by their names, in their order."""
        return dict(self._fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()


def _fields(cls: type) -> Iterator[tuple[str, Any]]:
    """The annotated attributes of a class and of those that it is derived from, theirs first."""
    import inspect

    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if issubclass(base, StructType) and base is not StructType:
            found.update(inspect.get_annotations(base, eval_str=True))
    return iter(found.items())


# Where people find them, and by which names.
_package = __name__.removesuffix("._types.native")
_class: type
for _class in (Type, TensorType):
    _class.__module__ = _package
for _class in (PlainType, ListType, NativeStructType, StructType, UnicodeType, NoneType):
    _class.__module__ = f"{_package}.types"
for _class in (_Boolean, _Integer, _Float, _Complex, _Text, _Nothing):
    _class.__module__ = f"{_package}.types"
    _class.__name__ = _class.__qualname__ = _class.__bases__[1].__name__
_graph.set_classes(
    Type,
    TensorType,
    {"unicode_type": _Text, "none": _Nothing, **_KNOWN},
    PlainType,
    ListType,
    NativeStructType,
)
