"""The type that a value has in compiled functions.

It is looked for in this order, which `TypeofImpl.__call__` follows:

1. the class of Python: numbers, truth values, None, texts, tuples, numbers of numpy, dtypes;
2. tensors and arrays: dtype, dimensions, layout;
3. structs, and classes of `types.register_type`;
4. functions of `typeof_impl.register`, by method resolution order;
5. the attribute `_opwright_type_`, and `_numba_type_` if it holds a type of ours;
6. buffers and `__dlpack__`;
7. functions of `typeof_hook`;
8. functions, each of which has a type of its own;
9. none: a `TypingError`.
"""

from __future__ import annotations

import sys
from importlib import import_module

from .. import _C, types
from .._types.dtypes import from_name
from .._types.hooks import ask
from .._types.hooks import typeof_hook as typeof_hook
from .._types.native import NUMBERS
from .errors import TypingError, UntypedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])

_graph = _C._graph


class Context:
    """What is asked about, for `typeof_impl` functions to hand on: `typeof_impl(inner, c)`."""

    __slots__ = ("argument",)

    def __init__(self, argument: int = 0) -> None:
        self.argument = argument


def typeof(value: Any, argument: int = 0) -> types.Type:
    """Return the type that a value has in compiled functions.

    >>> typeof(1), typeof((1, 2.5))
    (int64, Tuple(int64, float64))
    >>> typeof(opwright.ones(2, 3).t())
    array(float32, 2d, F)

    Args:
        value: Any object.
        argument: Which argument of a call it is, for messages.

    Raises:
        TypingError: No type is known for it. It is a `ValueError`, too.
    """
    context = Context(argument)
    found = typeof_impl(value, context)
    if found is None:
        raise UntypedError(
            f"cannot type {_described(value, context)}: register it with typeof_impl or typeof_hook"
        )
    if not type(found).__module__.startswith(types.__name__):
        class_of.setdefault(found, type(value))
    return found


def _described(value: Any, context: Context) -> str:
    return f"argument {context.argument} (an object of class {type(value).__name__})"


class TypeofImpl:
    """Functions that say what types the instances of classes have.

    Called with a value and a context it returns the type, or None if none is known.
    """

    def __init__(self) -> None:
        self._functions: dict[type, tuple[Callable[[Any, Any], Any], bool]] = {}
        # The types of classes whose instances have one for good.
        self.constants: dict[type, types.Type] = {}

    def register(self, cls: Any, constant: bool = False) -> Callable[[_Function], _Function]:
        """Have a function say what the types of the instances of a class are.

        It is called with `(value, context)` for instances of the class and of those that are
        derived from it, and returns a type, or None if the value has none.

            >>> class Meters:
            ...     pass
            >>> @typeof_impl.register(Meters)
            ... def _(value, context):
            ...     return opwright.types.float64
            >>> typeof(Meters())
            float64

        Args:
            cls: The class, or several in a tuple.
            constant: Whether all instances have the same type: then the function is called once
                for each class.

        Raises:
            TypeError: It is no class.
        """
        classes = cls if isinstance(cls, tuple) else (cls,)
        for it in classes:
            if not isinstance(it, type):
                raise TypeError(f"typeof_impl.register() needs the class of the values, not {it!r}")

        def registered(function: _Function) -> _Function:
            for it in classes:
                self._functions[it] = function, constant
            # Subclasses may have had the type of a class above.
            self.constants.clear()
            _C._jit.changed()
            return function

        return registered

    def __call__(self, value: Any, context: Any) -> types.Type | None:
        cls = type(value)
        found = self.constants.get(cls)
        if found is not None:
            return found
        for rule in (_of_class, _of_array, _of_struct):
            found = rule(value, context)
            if found is not None:
                return found
        is_known, found = self._registered(value, context)
        if is_known:
            return found
        for rule in (_declared, _of_memory, _hooked, _function):
            found = rule(value, context)
            if found is not None:
                return found
        return None

    def _registered(self, value: Any, context: Any) -> tuple[bool, types.Type | None]:
        """Whether a class above is known, and what its function says."""
        cls = type(value)
        for above in cls.__mro__:
            if above in self._functions:
                function, constant = self._functions[above]
                found = function(value, context)
                if found is None:
                    return True, None
                found = _checked(found, "typeof_impl", value)
                if constant:
                    self.constants[cls] = found
                return True, found
            if above is not cls and above in types._fixed:
                return True, _checked(types._fixed[above], "register_type", value)
            if above in _CLASSES:
                return True, _CLASSES[above](value, context)
        return False, None


typeof_impl = TypeofImpl()


def _checked(found: Any, who: str, value: Any) -> types.Type:
    if not isinstance(found, types.Type):
        raise TypeError(f"{who} says of {type(value).__name__} what is no type: {found!r}")
    return found


# Classes of Python


def _of_class(value: Any, context: Context) -> types.Type | None:
    cls = type(value)
    rule = _CLASSES.get(cls)
    if rule is not None:
        return rule(value, context)
    if isinstance(value, tuple) and hasattr(cls, "_fields"):
        return _tuple(value, context, cls)
    if isinstance(value, type):
        return _of_a_class(value)
    if isinstance(value, _C.dtype):
        return types.DType(_element(value))
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return None if isinstance(value, numpy.character) else _element(value.dtype)
    if numpy is not None and isinstance(value, numpy.dtype):
        return types.DType(_element(value))
    if isinstance(value, types.Number | types.Boolean):
        return types.NumberClass(value)
    return None


def _int(value: int, context: Context) -> types.Type:
    if -(1 << 63) <= value < 1 << 63:
        return types.int64
    if 0 <= value < 1 << 64:
        return types.uint64
    raise UntypedError(
        f"cannot type argument {context.argument} (an int of {value.bit_length()} bits): the "
        f"widest integers have 64"
    )


def _tuple(value: Any, context: Context, cls: Any = None) -> types.Type | None:
    found = [typeof_impl(it, context) for it in value]
    known = [it for it in found if it is not None]
    if len(known) < len(found):
        at = found.index(None)
        raise UntypedError(
            f"cannot type {_described(value, context)}: [{at}] is an object of class "
            f"{type(value[at]).__name__}; register it with typeof_impl or typeof_hook"
        )
    made: types.Type = types.BaseTuple.from_types(known, cls)
    return made


def _slice(value: slice, context: Context) -> types.Type:
    return types.slice2_type if value.step in (None, 1) else types.slice3_type


_CLASSES: dict[type, Callable[[Any, Any], types.Type | None]] = {
    int: _int,
    float: lambda value, context: types.float64,
    bool: lambda value, context: types.boolean,
    complex: lambda value, context: types.complex128,
    str: lambda value, context: types.unicode_type,
    type(None): lambda value, context: types.none,
    tuple: _tuple,
    slice: _slice,
    range: lambda value, context: types.RangeType(types.int64),
    type(sys): lambda value, context: types.Module(value),
}
_NUMBERS = {int: "int64", float: "float64", bool: "boolean", complex: "complex128"}


def _of_a_class(value: type) -> types.Type | None:
    """The type of a class that is itself a value."""
    if value in _NUMBERS:
        return types.NumberClass(getattr(types, _NUMBERS[value]))
    if issubclass(value, BaseException):
        return types.ExceptionClass(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(value, numpy.number | numpy.bool_):
        return types.NumberClass(_element(numpy.dtype(value)))
    return None


def _function(value: Any, context: Any) -> types.Type | None:
    # By its name: packages of one's own have this file as a stub, and none of that one.
    closures = import_module(".closures", __package__)
    found: types.Type | None = closures.type_of_function(value)
    return found


# Arrays


def _element(dtype: Any) -> types.Type:
    """The type of the elements of a dtype.

    Raises:
        TypingError: They have none.
    """
    try:
        found: types.Type = types.from_dtype(dtype)
    except TypeError as error:
        raise UntypedError(
            f"elements of the dtype {dtype} have no type in compiled functions: convert them with "
            f"astype"
        ) from error
    return found


def _of_array(value: Any, context: Any = None) -> types.Type | None:
    if isinstance(value, _C.TensorBase):
        layout = _layout(tuple(value.shape), tuple(value.stride()))
        return types.Array(_element(value.dtype), value.ndim, layout)
    numpy = sys.modules.get("numpy")
    if numpy is None or type(value) not in (numpy.ndarray, numpy.memmap):
        return None
    flags = value.flags
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    dtype = _element(value.dtype)
    return types.Array(dtype, value.ndim, layout, not flags.writeable, aligned=flags.aligned)


def _layout(shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    """How elements lie, of which one lies `strides` away from the next."""
    dims = [(extent, stride) for extent, stride in zip(shape, strides, strict=True) if extent != 1]
    if 0 in shape or _is_dense(dims[::-1]):
        return "C"
    return "F" if _is_dense(dims) else "A"


def _is_dense(dims: list[tuple[int, int]]) -> bool:
    """Whether there are no gaps, if the first dimension is that of neighbours."""
    expected = 1
    for extent, stride in dims:
        if stride != expected:
            return False
        expected *= extent
    return True


def _of_memory(value: Any, context: Any) -> types.Type | None:
    """The type of the elements that a value lends."""
    numpy = sys.modules.get("numpy")
    if isinstance(value, type) or (numpy is not None and isinstance(value, numpy.ndarray)):
        return None
    if hasattr(type(value), "__dlpack__"):
        elements = types._elements(value)
        return None if elements is None else _of_array(elements)
    try:
        memory = memoryview(value)
    except (TypeError, ValueError, BufferError):
        return None
    with memory:
        return _of_buffer(memory)


_FORMATS = {
    **dict.fromkeys("bhilqn", "int"),
    **dict.fromkeys("BHILQN", "uint"),
    **dict.fromkeys("efd", "float"),
    **dict.fromkeys(("Zf", "Zd"), "complex"),
}


def _of_buffer(memory: memoryview) -> types.Type | None:
    native = "@=<" if sys.byteorder == "little" else "@=>"
    code, size = memory.format.lstrip(native), memory.itemsize
    name = "bool" if code == "?" else f"{_FORMATS.get(code)}{8 * size}"
    strides = memory.strides
    if name not in NUMBERS or strides is None or any(it % size for it in strides):
        return None
    layout = _layout(memory.shape or (), tuple(it // size for it in strides))
    return types.Array(from_name(name), memory.ndim, layout, memory.readonly)


# The classes of values by their types, of those that are not ours.
class_of: dict[types.Type, type] = {}


def is_constant(cls: type) -> bool:
    """Whether all instances of a class have the type that one of them has."""
    return cls in typeof_impl.constants or cls in types._fixed


# What classes stand for


def of_instances(cls: Any) -> types.Type | None:
    """Return the type that all instances of a class have, or None if none is known.

    It is the one that the class says, or was registered for it for good; else that of instances
    that were passed to compiled functions.
    """
    if not isinstance(cls, type):
        return None
    own = vars(cls).get("_opwright_type_")
    if isinstance(own, types.Type):
        return own
    known = typeof_impl.constants.get(cls) or types._fixed.get(cls)
    if known is not None:
        return known
    function, constant = typeof_impl._functions.get(cls, (None, False))
    if function is not None and constant:
        return _of_none(function)
    return next((ty for ty in list(class_of) if class_of[ty] is cls), None)


def _of_none(function: Any) -> types.Type | None:
    """What a function says of all instances of a class, if it needs none of them."""
    try:
        found = function(None, Context())
    except Exception:
        # It looks at the instance: the type is known when one was seen.
        return None
    return found if isinstance(found, types.Type) else None


def is_instance(ty: types.Type, cls: Any) -> bool:
    """Whether values of a type are instances of a class of Python, or of types."""
    if isinstance(cls, types.Type):
        return ty is cls
    if issubclass(cls, types.Type):
        return isinstance(ty, cls)
    own = vars(cls).get("_opwright_type_")
    if isinstance(own, types.Type):
        return bool(ty == own)
    known = class_of.get(ty)
    is_seen = known is not None and issubclass(known, cls)
    return is_seen or bool(of_instances(cls) == ty)


# What classes and others say


def _of_struct(value: Any, context: Any) -> types.Type | None:
    cls = type(value)
    found = types._fixed.get(cls)
    if found is None:
        found = _graph.native_struct_type(cls)
    return None if found is None else _checked(found, "register_type", value)


def _hooked(value: Any, context: Any) -> types.Type | None:
    found = ask(value, context)
    return None if found is None else _checked(found, "typeof_hook", value)


def _declared(value: Any, context: Any) -> types.Type | None:
    if isinstance(value, type):
        return None
    own = _attribute(value, "_opwright_type_")
    if own is not None:
        return _checked(own, "_opwright_type_", value)
    foreign = _attribute(value, "_numba_type_")
    return foreign if isinstance(foreign, types.Type) else None


def _attribute(value: Any, name: str) -> Any:
    """An attribute that an object or its class has; what answers to any name is not asked."""
    import inspect

    has_none = inspect.getattr_static(value, name, None) is None
    return None if has_none else getattr(value, name)


__all__ = ["Context", "TypeofImpl", "TypingError", "typeof", "typeof_hook", "typeof_impl"]
