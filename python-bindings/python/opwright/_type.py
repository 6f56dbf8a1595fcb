"""What types are: the methods that each has, and the types that this library knows."""

from __future__ import annotations

from . import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, final
else:

    def final(cls):
        """Mark a class, which refuses to be derived from."""
        cls.__final__ = True
        return cls


_graph = _C._graph
ShapeClash = _graph.ShapeClash
ShapeMismatch = _graph.ShapeMismatch

# What a refused value raises.
_REFUSALS = (TypeError, ValueError, OverflowError)
# Methods that a type need not have: what is not there is not asked.
_OPTIONAL: dict[str, Callable[..., Any]] = {
    "get_shape_info": lambda self, obj: None,
    "get_size": lambda self, info: None,
}


class Type:
    """A set of values that variables can have.

    A subclass has at least `filter`. Whoever asks a type passes flags by the names that they have
    here: a method with other ones is a TypeError when the class is made.

        >>> class Text(opwright.Type):
        ...     def filter(self, value, strict=False, allow_downcast=None):
        ...         if not isinstance(value, str):
        ...             raise TypeError("a text is needed")
        ...         return value
        >>> Text().is_valid_value("a"), Text().is_valid_value(1)
        (True, False)
    """

    __slots__ = ()
    # The names of the attributes that equal types have equal; none if each is another type.
    __props__: tuple[str, ...] | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a type.

        Raises:
            TypeError: The class has no `filter`, or takes no arguments.
        """
        if cls.filter is Type.filter:
            raise TypeError(
                f"{cls.__name__} is abstract: a type needs "
                f"filter(self, value, strict=False, allow_downcast=None)"
            )
        if (args or kwargs) and cls.__init__ is object.__init__ and cls.__new__ is Type.__new__:
            raise TypeError(f"{cls.__name__}() takes no arguments")
        return object.__new__(cls)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _check_methods(cls)

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return the value, or one of this type that is made of it.

        If `strict` is true, only what is of this type already is taken, and returned itself. Else
        a value may be converted if nothing is lost, or whatever is lost if `allow_downcast` says.

        Raises:
            TypeError: The value is refused; ValueError and OverflowError say the same.
        """
        raise NotImplementedError(f"{type(self).__name__} has no filter()")

    def filter_inplace(
        self,
        value: Any,
        storage: Any,
        strict: bool = False,
        allow_downcast: bool | None = None,
    ) -> Any:
        """Do as `filter`, but maybe into `storage`, a value that nobody needs any more."""
        raise NotImplementedError(f"{type(self).__name__} has no filter_inplace()")

    def filter_variable(self, other: Any, allow_convert: bool = True) -> Any:
        """Return a variable of this type: `other`, what it can become, or a constant.

        Raises:
            TypeError: It can be none.
        """
        if not isinstance(other, _graph.Variable):
            return self.make_constant(other)
        if self.is_super(other.type):
            return other
        converted = self.convert_variable(other) if allow_convert else None
        if converted is None:
            raise TypeError(f"the variable {other} is of the type {other.type}, not of {self}")
        return converted

    def convert_variable(self, var: Any) -> Any:
        """Return a variable of this type that is computed of another, or None."""
        return None

    def is_valid_value(self, value: Any, strict: bool = True) -> bool:
        """Whether `filter` does not refuse it."""
        try:
            self.filter(value, strict=strict)
        except _REFUSALS:
            return False
        return True

    def values_eq(self, a: Any, b: Any) -> Any:
        """Whether two values are equal."""
        return a == b

    def values_eq_approx(self, a: Any, b: Any) -> Any:
        """Whether two values are equal but for rounding."""
        return self.values_eq(a, b)

    def make_variable(self, name: str | None = None) -> Any:
        """Return a new variable of this type."""
        return _graph.Variable(self, name)

    def make_constant(self, value: Any, name: str | None = None) -> Any:
        """Return a variable that never changes."""
        return _graph.constant(self, value, name)

    def __call__(self, name: str | None = None) -> Any:
        return self.make_variable(name)

    def in_same_class(self, other: Any) -> bool:
        """Whether both differ in nothing that rules look at."""
        return bool(self == other)

    def is_super(self, other: Any) -> bool:
        """Whether every value of the other type is one of this type."""
        return bool(self == other)

    def clone(self, **changes: Any) -> Any:
        """Return a type like this one but for the changes."""
        return type(self)(**{**_properties(self), **changes})

    def may_share_memory(self, a: Any, b: Any) -> bool:
        """Whether a change of one value may be seen in the other."""
        return bool(_graph.may_share_memory(a, b))

    def deep_copy(self, value: Any) -> Any:
        """Return a value that shares nothing with this one."""
        import copy

        return copy.deepcopy(value)

    def init(self) -> Any:
        """Return what a variable is before something was computed."""
        return None

    def emit(self, value: Any) -> Any:
        """Return the object that stands for a value outside."""
        return value

    def cleanup(self, value: Any) -> None:
        """Be told that a value is used no more."""

    def element_type(self) -> str | None:
        """Return the short name of what its elements are, such as `f64`."""
        return None

    def c_element_type(self) -> str | None:
        """Return what C calls its elements, such as `double`."""
        return None

    def __eq__(self, other: object) -> Any:
        if self.__props__ is None:
            return self is other
        return type(self) is type(other) and _properties(self) == _properties(other)

    def __hash__(self) -> int:
        if self.__props__ is None:
            return object.__hash__(self)
        return hash((type(self), *_properties(self).values()))

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in _properties(self).items())
        return f"{type(self).__name__}({', '.join(shown)})"


def _properties(ty: Type) -> dict[str, Any]:
    """What tells a type from others of its class: `__props__`, else what the class takes."""
    names = ty.__props__
    if names is None:
        code: Any = getattr(type(ty).__init__, "__code__", None)
        names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount] if code else ()
    return {name: getattr(ty, name) for name in names if hasattr(ty, name)}


def _check_methods(cls: type) -> None:
    """Raise a TypeError if a method of a class is not what others call."""
    for name, found in vars(cls).items():
        expected = _OPTIONAL.get(name) or vars(Type).get(name)
        is_private = name.startswith("_") and name != "__call__"
        if expected is None or is_private or name == "clone":
            continue
        function = found.__func__ if isinstance(found, staticmethod | classmethod) else found
        if callable(expected) and not callable(function) and name not in _OPTIONAL:
            raise TypeError(f"{cls.__name__}.{name} is a method, not {function!r}")
        if hasattr(function, "__code__"):
            wrong = _difference(function, expected, is_static=isinstance(found, staticmethod))
            if wrong:
                raise TypeError(f"{cls.__name__}.{name}(): {wrong}")


def _difference(
    function: Callable[..., Any], expected: Callable[..., Any], *, is_static: bool
) -> str | None:
    """What is wrong with the parameters of a method.

    What has no default may have any name, but be there; what has one is passed by its name.
    """
    from inspect import Parameter, signature

    wanted = list(signature(expected).parameters.values())[1:]
    given = list(signature(function).parameters.values())[0 if is_static else 1 :]
    kinds = {it.kind for it in given}
    places = [
        it
        for it in given
        if it.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    values = [it.name for it in wanted if it.default is Parameter.empty]
    if len(places) < len(values) and Parameter.VAR_POSITIONAL not in kinds:
        return f"the parameter '{values[len(places)]}' is missing"
    others = {it.name: it for it in given[min(len(values), len(places)) :]}
    for flag in wanted[len(values) :]:
        own = others.pop(flag.name, None)
        if own is None and Parameter.VAR_KEYWORD not in kinds:
            return f"the parameter '{flag.name}={flag.default}' is missing"
        if own is not None and own.default is not flag.default:
            return f"the default of the parameter '{flag.name}' is to be {flag.default}"
    variadic = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    for own in others.values():
        if own.default is Parameter.empty and own.kind not in variadic:
            return f"nobody passes the parameter '{own.name}': it needs a default"
    return None


class _Known(_graph.NativeType, Type):  # type: ignore[misc,name-defined]
    """A type that this library knows: its values need no code of Python."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        above = cls.__bases__[0]
        if getattr(above, "__final__", False):
            raise TypeError(
                f"{above.__name__} cannot be derived from; derive from Type, or from "
                f"types.StructType"
            )

    def clone(self, **changes: Any) -> Any:
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

    def __call__(self, name: str | None = None, shape: Any = None) -> Any:
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

    def convert_variable(self, var: Any) -> Any:
        return _graph.specified(var, self)

    def may_share_memory(self, a: Any, b: Any) -> bool:
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


@final
class PlainType(_Known):
    """The values of a class of Python, such as the numbers of `float`."""

    __slots__ = ()

    def __new__(cls, name: str) -> PlainType:
        """Return the type of this name.

        Raises:
            TypeError: There is none.
        """
        made: PlainType = _graph.plain_type(name)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return PlainType, (str(self),)


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
        _check_methods(cls)

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


_package = __name__.rpartition(".")[0]
for _class in (Type, TensorType):
    _class.__module__ = _package
for _class in (PlainType, ListType, NativeStructType, StructType):
    _class.__module__ = f"{_package}.types"
_graph.set_classes(Type, TensorType, PlainType, ListType, NativeStructType)
