"""Types as tuples, which the compiler reads, and back."""

from __future__ import annotations

from typing import Any

from .. import types
from .models import members_of

Spec = tuple[Any, ...]


def spec(ty: Any) -> Spec:
    """Return a type as a tuple: its kind, and what it is made of.

    Raises:
        TypeError: It is no type.
    """
    own = getattr(ty, "_opwright_type_", None)
    if isinstance(ty, type) and isinstance(own, types.Type):
        ty = own
    if not isinstance(ty, types.Type):
        raise TypeError(f"expected a type, not {ty!r}")
    if isinstance(ty, types.TensorType):
        ty = ty.compiled
    ty = types.unliteral(ty)
    known = _number(ty)
    if known is not None:
        return known
    for cls, make in _KINDS:
        if type(ty) is cls:
            found: Spec = make(ty)
            return found
    return _user(ty)


def _number(ty: Any) -> Spec | None:
    if ty is types.boolean:
        return ("bool",)
    if ty in types.number_domain or ty is types.float16:
        return ("number", str(ty))
    return None


def _array(ty: Any) -> Spec:
    return ("array", spec(ty.dtype), ty.ndim, ty.layout, not ty.mutable)


def _tuple(ty: Any) -> Spec:
    return ("tuple", [spec(it) for it in ty.types])


def _named(ty: Any) -> Spec:
    cls = getattr(ty, "instance_class", None) or ty.cls
    return ("named", cls, list(ty.fields), [spec(it) for it in ty.types])


_KINDS: list[tuple[Any, Any]] = [
    (types.Array, _array),
    (types.UniTuple, _tuple),
    (types.Tuple, _tuple),
    (types.NamedTuple, _named),
    (types.NamedUniTuple, _named),
    (types.Optional, lambda ty: ("optional", spec(ty.type))),
    (types.RangeType, lambda ty: ("range",)),
    (types.NumpyFlatType, lambda ty: ("flat", spec(ty.array_type))),
    (types.Omitted, lambda ty: ("omitted", ty.value)),
    (types.NumberClass, lambda ty: ("dtype", spec(ty.instance_type))),
    (types.Function, lambda ty: ("object", ty.typing_key)),
    (types.Dispatcher, lambda ty: ("object", ty.dispatcher)),
    (types.ExceptionClass, lambda ty: ("object", ty.exc_class)),
    (types.Module, lambda ty: ("object", ty.pymod)),
]


def _user(ty: Any) -> Spec:
    if ty is types.none:
        return ("none",)
    if ty is types.unicode_type:
        return ("text", None)
    if isinstance(ty, types.DType):
        return ("dtype", spec(ty.dtype))
    members = members_of(ty)
    fields = None if members is None else [(name, spec(it)) for name, it in members]
    return ("user", ty, str(ty), fields, getattr(ty, "representation", "value"))


def type_of(made: Spec) -> Any:
    """Return the type of a tuple."""
    kind = made[0]
    if kind == "bool":
        return types.boolean
    if kind == "number":
        return getattr(types, made[1])
    if kind == "none":
        return types.none
    if kind == "array":
        _, dtype, ndim, layout, readonly = made
        return types.Array(type_of(dtype), ndim, layout, readonly=readonly)
    if kind == "tuple":
        return types.Tuple(tuple(map(type_of, made[1])))
    if kind == "named":
        _, cls, _, items = made
        return types.NamedTuple(tuple(map(type_of, items)), cls)
    if kind == "optional":
        return types.Optional(type_of(made[1]))
    if kind == "text":
        return types.StringLiteral(made[1]) if made[1] is not None else types.unicode_type
    if kind == "dtype":
        return types.DType(type_of(made[1]))
    if kind == "user":
        return made[1]
    if kind == "range":
        return types.RangeType(types.int64)
    if kind == "flat":
        return types.NumpyFlatType(type_of(made[1]))
    if kind == "slice":
        return types.slice3_type if made[1] else types.slice2_type
    if kind == "literal":
        return types.literal(made[1])
    return _object_type(kind, made[1])


def _object_type(kind: str, value: Any) -> Any:
    """The type of an object that the type says: a function, a module, a class."""
    if kind == "module":
        return types.Module(value)
    if kind == "exception":
        return types.ExceptionClass(value)
    if kind == "function":
        return types.Function(_Plain(value))
    return types.Opaque(kind)


class _Plain:
    """What stands for the templates of a plain function."""

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Plain) and self.key is other.key

    def __hash__(self) -> int:
        return id(self.key)
