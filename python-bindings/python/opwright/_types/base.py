"""What types are: the methods that each has, and one object for each that has a name."""

from __future__ import annotations

from abc import ABCMeta

from .. import _C
from .interned import interned, on_new, reduced
from .methods import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from .._C._graph import Variable

_graph = _C._graph
_PACKAGE = __name__.removesuffix("._types.base")

# What a refused value raises.
_REFUSALS = (TypeError, ValueError, OverflowError)


class TypeMeta(ABCMeta):
    """Makes types: those that have a name are one object for each key, which does not change."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a type.

        Raises:
            TypeError: The class has no `filter`, and gives its types no name.
        """
        kind: Any = cls
        try:
            made = kind.__new__(kind, *args, **kwargs)
            if not isinstance(made, kind) or made._is_frozen:
                return made
            made.__init__(*args, **kwargs)
        except TypeError as error:
            named = _of_call(kind, error)
            if named is None:
                raise
            raise named from None
        if made._is_named:
            for new in on_new:
                new(made)
            return interned(made)
        if type(made).filter is Type.filter:
            raise TypeError(
                f"{cls.__name__} is abstract: a type needs "
                f"filter(self, value, strict=False, allow_downcast=None), or a name: "
                f"super().__init__(name=...)"
            )
        return made


def _of_call(kind: Any, error: TypeError) -> TypeError | None:
    """What is wrong with the arguments of a call, by the name of what was called; else nothing."""
    text = str(error)
    for function in (kind.__new__, kind.__init__):
        called = f"{getattr(function, '__qualname__', '')}() "
        if text.startswith(called):
            return TypeError(f"{kind.__name__}() {text.removeprefix(called)}")
    return None


class _Name:
    """The text of a type, for those that were made without a name."""

    def __get__(self, ty: Any, cls: Any = None) -> Any:
        return self if ty is None else str(ty)


class _Key:
    """What equal types of a class have equal: `__props__`, else the name, else the type itself."""

    def __get__(self, ty: Any, cls: Any = None) -> Any:
        if ty is None:
            return self
        if ty.__props__ is not None:
            return tuple(properties(ty).values())
        return ty.name if ty._is_named else ty


class Type(metaclass=TypeMeta):
    """A set of values that variables can have, in graphs and in compiled functions.

    A subclass is written in one of two ways, or in both. Types of graphs have at least `filter`;
    `__props__` names the attributes that equal types have equal. Whoever asks a type passes flags
    by the names that they have here: a method with other ones is a TypeError when the class is
    made.

        >>> class Text(opwright.Type):
        ...     def filter(self, value, strict=False, allow_downcast=None):
        ...         if not isinstance(value, str):
        ...             raise TypeError("a text is needed")
        ...         return value
        >>> Text().is_valid_value("a"), Text().is_valid_value(1)
        (True, False)

    Types of compiled functions have a name, by which they are told apart unless there is a property
    `key`. Equal ones are one object, which does not change.

        >>> class Tag(opwright.Type):
        ...     def __init__(self, number):
        ...         self.number = number
        ...         super().__init__(name=f"Tag({number})")
        >>> Tag(1) is Tag(1), Tag(1) == Tag(2), Tag(3)
        (True, False, Tag(3))

    Called with types, a type makes a signature; else a variable of a graph.

        >>> opwright.types.float64(opwright.types.int64, Tag(1))
        (int64, Tag(1)) -> float64
    """

    __slots__ = ()
    # The names of the attributes that equal types have equal; none if each is another type.
    __props__: tuple[str, ...] | None = None
    # Whether compiled code sees changes of the values that callers passed.
    mutable = False
    # Whether values are copied into compiled code, and back after the call.
    reflected = False
    _is_named = False
    _is_frozen = False
    if TYPE_CHECKING:
        name: str

        @property
        def key(self) -> Any:
            """What equal types of a class have equal."""
    else:
        name = _Name()
        key = _Key()

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make a type, which gets a name from `__init__`."""
        return object.__new__(cls)

    def __init__(self, name: str | None = None) -> None:
        """Give a type its name, if it has one.

        Raises:
            TypeError: The name is no text.
        """
        if name is None:
            return
        if not isinstance(name, str):
            raise TypeError(f"the name of a type is a text, not {type(name).__name__}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_is_named", True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        # Ours need not be looked at.
        if not cls.__module__.startswith((f"{_PACKAGE}._types.", f"{_PACKAGE}.types")):
            check(cls, Type)

    # Values are whatever the author of the type says.
    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return the value, or one of this type that is made of it.

        If `strict` is true, only what is of this type already is taken, and returned itself. Else
        a value may be converted if nothing is lost, or whatever is lost if `allow_downcast` says.

        Types that have a name and no `filter` take what is of this type when it is compiled.

        Raises:
            TypeError: The value is refused; ValueError and OverflowError say the same.
        """
        from .._jit.typeof import typeof

        found = typeof(value)
        if found == self:
            return value
        raise TypeError(f"expected a value of {self}, not of {found}")

    def filter_inplace(
        self,
        value: Any,
        storage: Any,
        strict: bool = False,
        allow_downcast: bool | None = None,
    ) -> Any:
        """Do as `filter`, but maybe into `storage`, a value that nobody needs any more."""
        raise NotImplementedError(f"{type(self).__name__} has no filter_inplace()")

    def filter_variable(self, other: object, allow_convert: bool = True) -> Variable:
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

    def convert_variable(self, var: Variable) -> Variable | None:
        """Return a variable of this type that is computed of another, or None."""
        return None

    def is_valid_value(self, value: object, strict: bool = True) -> bool:
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

    def make_variable(self, name: str | None = None) -> Variable[Self]:
        """Return a new variable of this type."""
        return _graph.Variable(self, name)

    def make_constant(self, value: object, name: str | None = None) -> Variable[Self]:
        """Return a variable that never changes."""
        return _graph.constant(self, value, name)

    # A variable, a signature, or, in compiled functions, a value that was converted.
    def __call__(self, name: Any = None, *args: Any) -> Any:
        """Return a new variable of this type, or the signature of a function that returns it.

        >>> opwright.types.float64("x").type
        float64
        >>> opwright.types.float64(opwright.types.int64)
        (int64,) -> float64
        """
        if args or isinstance(name, Type):
            from .signature import signature

            return signature(self, name, *args)
        return self.make_variable(name)

    def is_precise(self) -> bool:
        """Whether nothing of the type is left to be found out."""
        return True

    def cast_python_value(self, args: Any) -> Any:
        """Return a value of Python as one of this type, as compiled code converts it.

        Raises:
            NotImplementedError: Values of the type are not made of others.
        """
        raise NotImplementedError(f"no value is cast to {self}")

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        """What the names of compiled functions say of the type: a name, and what it is made of."""
        return self.name, ()

    def in_same_class(self, other: object) -> bool:
        """Whether both differ in nothing that rules look at."""
        return bool(self == other)

    def is_super(self, other: object) -> bool:
        """Whether every value of the other type is one of this type."""
        return bool(self == other)

    def clone(self, **changes: Any) -> Self:
        """Return a type like this one but for the changes."""
        made: Self = type(self)(**{**properties(self), **changes})
        return made

    def may_share_memory(self, a: object, b: object) -> bool:
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
        if self is other:
            return True
        if type(self) is not type(other) or not (self._is_named or self.__props__ is not None):
            return False
        return bool(self.key == other.key)

    def __hash__(self) -> int:
        if not self._is_named and self.__props__ is None:
            return object.__hash__(self)
        return hash((type(self), self.key))

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_frozen:
            raise AttributeError(f"{self} does not change: '{name}' cannot be set")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if self._is_frozen:
            raise AttributeError(f"{self} does not change: '{name}' cannot be deleted")
        super().__delattr__(name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._is_named and type(self).__reduce__ is object.__reduce__:
            return reduced(self)
        return super().__reduce_ex__(protocol)

    def __repr__(self) -> str:
        if self._is_named:
            return self.name
        shown = (f"{name}={value!r}" for name, value in properties(self).items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __str__(self) -> str:
        return self.name if self._is_named else repr(self)


def properties(ty: Type) -> dict[str, Any]:
    """What tells a type from others of its class: `__props__`, else what the class takes."""
    names = ty.__props__
    if names is None and type(ty).__init__ is Type.__init__:
        return {}
    if names is None:
        code: Any = getattr(type(ty).__init__, "__code__", None)
        names = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount] if code else ()
    return {name: getattr(ty, name) for name in names if hasattr(ty, name)}
