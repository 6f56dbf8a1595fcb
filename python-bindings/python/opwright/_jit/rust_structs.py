"""Structs of Rust in compiled functions: classes that `#[derive(NativeType)]` made, and casts.

A class says what its fields are as `_opwright_struct_`, a row each: the name, the type by its
name, and whether it can be set. Its casts, which `#[cast]` made, are `_opwright_casts_`: what is
converted, to what, the address of a function over words, and where it stands. Either side is the
name of a number's type or a class.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

from .. import types
from . import casts, registry
from .builder import Struct
from .lowering import Lowering
from .models import StructModel, has_model, members_of
from .typeof import typeof_impl

_NUMBERS = {
    "float64": types.float64,
    "int64": types.int64,
    "bool": types.boolean,
    "complex128": types.complex128,
}

# The types of the classes that are registered.
_types: dict[type, RustStruct] = {}
# The casts that are registered, by what they convert and where they stand.
_casts: set[tuple[Any, Any, str]] = set()


class RustStruct(types.Type):
    """The type of the objects of a class that Rust made of a struct; its values are copies.

    Attributes:
        cls: The class.
        fields: The types of the fields by their names, in their order.
    """

    def __init__(self, cls: Any, fields: dict[str, Any]) -> None:
        """Make the type of a class."""
        self.cls = cls
        self.fields = fields
        super().__init__(name=cls.__name__)

    @property
    def key(self) -> Any:
        return id(self.cls)


class _Model(StructModel):
    """What the objects of a struct of Rust consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, list(fe_type.fields.items()))


has_model(RustStruct, _Model)


def register_native(cls: Any) -> Any:
    """Have compiled functions take the objects of a class that Rust made of a struct.

    Members are the fields that the class shows: numbers, bools, and structs that are registered.
    A value is copied in by its attributes, without code of Python, so that compiled functions read
    its fields and do not set them; they make another one by calling the class, with its defaults,
    and one that is returned is an object of the class. What `#[cast]` says of the class is
    registered with it.

    Args:
        cls: A class that `#[derive(NativeType)]` made.

    Returns:
        The class.

    Raises:
        TypeError: It is another class, or a field has no type in compiled functions.
    """
    if not isinstance(cls, type):
        raise TypeError(f"register_native() takes a class, not {cls!r}")
    rows = vars(cls).get("_opwright_struct_")
    if rows is None:
        raise TypeError(
            f"{cls.__name__} is not the class of a struct of Rust: #[derive(NativeType)] makes "
            "one; a class of Python gets a type by typeof_impl and register_model, or is a "
            "native_struct"
        )
    if cls in _types:
        return cls
    fields = {name: _field_type(cls, name, ty) for name, ty, _ in rows}
    ty = _types[cls] = RustStruct(cls, fields)
    typeof_impl.register(cls, constant=True)(lambda value, context: ty)
    registry.add(cls, registry.Candidate(_constructor(ty), cls.__name__))
    _register_casts(cls)
    return cls


def _field_type(cls: Any, name: str, ty: str) -> Any:
    if ty in _NUMBERS:
        return _NUMBERS[ty]
    inner = getattr(sys.modules.get(cls.__module__), ty, None)
    if inner in _types:
        return _types[inner]
    if isinstance(inner, type) and "_opwright_struct_" in vars(inner):
        raise TypeError(
            f"{cls.__name__}.{name} is of {ty}, which is not registered: register_native({ty}) is "
            "called first"
        )
    raise TypeError(
        f"{cls.__name__}.{name} is of {ty}, which compiled functions do not have: fields are "
        "numbers, bools and structs of these"
    )


def _constructor(ty: RustStruct) -> Any:
    """What calls of the class are, with its defaults."""
    formal = inspect.signature(ty.cls)

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> registry.Answer:
        try:
            formal.bind(*args, **keywords)
        except TypeError as error:
            return registry.Answer(registry.DECLINED, reason=f"{ty.cls.__name__}{formal}: {error}")
        given = [*[*formal.parameters][: len(args)], *keywords]
        members = tuple(ty.fields[name] for name in given)
        return registry.Answer(registry.LOWERED, Lowering(members, ty, _made(ty, formal, given)))

    return ask


def _made(ty: RustStruct, formal: inspect.Signature, given: list[str]) -> Any:
    """What makes a value of the members that are given; the others have their defaults."""

    def run(builder: Any, values: Any) -> Struct:
        known = dict(zip(given, values, strict=True))
        for name, param in formal.parameters.items():
            if name not in known:
                known[name] = builder.constant(ty.fields[name], param.default)
        return Struct(ty, {name: known[name] for name in ty.fields})

    return run


def _field(args: tuple[Any, ...], keywords: dict[str, Any]) -> registry.Answer:
    """The attribute that a field is."""
    known, name = dict(members_of(args[0]) or []), keywords["name"]
    if name in known:
        return registry.Answer(registry.FIELD, name)
    listed = ", ".join(known) or "none"
    return registry.Answer(registry.DECLINED, reason=f"{args[0]} has no field {name}, but {listed}")


registry.add(
    (RustStruct, "get", None),
    registry.Candidate(_field, "fields of structs of Rust", is_builtin=True),
)


class _Cast:
    """A conversion of Rust, which is lowered to a call of it."""

    def __init__(self, address: int, place: str) -> None:
        self.address = address
        # What messages call it.
        self.__qualname__ = place

    def __call__(self, context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        return builder.step("native", (value,), (toty, self.address, 0))


def _register_casts(cls: Any) -> None:
    """Register the casts of a class whose other sides are known."""
    for source, target, address, place in vars(cls).get("_opwright_casts_", ()):
        sides = [_side(source), _side(target)]
        row = (*sides, place)
        if None not in sides and row not in _casts:
            _casts.add(row)
            casts.lower_cast(*sides)(_Cast(address, place))


def _side(side: Any) -> Any:
    return getattr(types, side) if isinstance(side, str) else _types.get(side)
