"""Models: what the values of a type consist of."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .. import types
from .._types.interned import on_new
from . import registry

_models: dict[Any, Any] = {}


class Model:
    """What the values of a type consist of."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        self.fe_type = fe_type
        self.members: list[tuple[str, Any]] | None = None


class StructModel(Model):
    """Members in order, laid out as C lays out a struct."""

    def __init__(self, dmm: Any, fe_type: Any, members: Any) -> None:
        super().__init__(dmm, fe_type)
        self.members = [(name, _member(ty)) for name, ty in members]


class PrimitiveModel(Model):
    """A number."""

    def __init__(self, dmm: Any, fe_type: Any, be_type: Any = None) -> None:
        super().__init__(dmm, fe_type)
        self.members = [("value", be_type if isinstance(be_type, types.Type) else types.int64)]


class OpaqueModel(Model):
    """Nothing: the type says all."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type)
        self.members = []


class TupleModel(StructModel):
    """The items of a tuple."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, [(f"f{at}", ty) for at, ty in enumerate(fe_type)])


class UniTupleModel(TupleModel):
    """The items of a tuple that are of one type."""


def _member(ty: Any) -> Any:
    struct = getattr(ty, "_opwright_type_", None)
    return struct if isinstance(ty, type) and isinstance(struct, types.Type) else ty


models = SimpleNamespace(
    StructModel=StructModel,
    PrimitiveModel=PrimitiveModel,
    OpaqueModel=OpaqueModel,
    TupleModel=TupleModel,
    UniTupleModel=UniTupleModel,
)


def register_model(typ: Any) -> Any:
    """Register a class of models for a class of types."""

    def register(model: Any) -> Any:
        _models[typ] = model
        registry.changed()
        return model

    return register


def has_model(typ: Any, model: Any) -> None:
    """Register a model that is there before anybody asks for it."""
    _models[typ] = model


def model_of(ty: Any) -> Model | None:
    """Return the model of a type, or None."""
    for cls in type(ty).__mro__:
        model = _models.get(cls)
        if model is not None:
            made: Model = model(None, ty)
            return made
    return None


def members_of(ty: Any) -> list[tuple[str, Any]] | None:
    """Return names and types of the members of a type's values, or None if it has no model."""
    model = model_of(ty)
    if model is not None:
        return model.members
    if isinstance(ty, types.StructType):
        return list(ty.fields.items())
    if isinstance(ty, types.Float):
        return [("value", types.float32 if ty.bitwidth == 32 else types.float64)]
    if isinstance(ty, types.Integer):
        return [("value", types.int64)]
    return None


class _Unknown:
    """Stands for an instance of a class of types while members are looked for without one."""

    def __init__(self, cls: Any) -> None:
        object.__setattr__(self, "_cls", cls)

    # It passes for an instance where a model asks.
    __class__ = property(lambda self: self._cls)

    def __getattr__(self, name: str) -> Any:
        raise _DependsError(name)


class _DependsError(Exception):
    """Members depend on the instance."""


def _members_of_all(model: Any, typ: Any) -> list[str] | None:
    """The names of the members of all types of a class, or None if each has its own."""
    try:
        return [name for name, _ in model(None, _Unknown(typ)).members]
    except Exception:
        return None


# Members that wrappers of a class of types need, which its first instance is looked at for.
_awaited: dict[Any, list[tuple[str, str]]] = {}


def check_instance(ty: Any) -> None:
    """Raise a TypeError if a new type lacks a member that an attribute was made for."""
    for cls in type(ty).__mro__:
        for member, place in _awaited.get(cls, ()):
            known = dict(members_of(ty) or [])
            if member not in known:
                raise TypeError(f"{place}: {ty} has no member {member}, but {_listed(known)}")
        _awaited.pop(cls, None)


def _listed(names: Any) -> str:
    return ", ".join(names) or "none"


def make_attribute_wrapper(typ: Any, struct_attr: str, python_attr: str) -> None:
    """Have an attribute that reads a member of a struct model.

    Raises:
        TypeError: There is no such model, or no such member.
    """
    if not isinstance(typ, type) or not issubclass(typ, types.Type):
        raise TypeError(f"make_attribute_wrapper() takes a class of types, not {typ!r}")
    model = next((_models[cls] for cls in typ.__mro__ if cls in _models), None)
    if model is None or not issubclass(model, StructModel):
        raise TypeError(f"{typ.__name__} has no struct model: register one with register_model")
    place = f"make_attribute_wrapper({typ.__name__}, {struct_attr!r}, {python_attr!r})"
    names = _members_of_all(model, typ)
    if names is None:
        _awaited.setdefault(typ, []).append((struct_attr, place))
        if check_instance not in on_new:
            on_new.append(check_instance)
        for ty in instances(typ):
            check_instance(ty)
    elif struct_attr not in names:
        raise TypeError(f"{place}: there is no member {struct_attr}, but {_listed(names)}")

    def ask(args: tuple[Any, ...], keywords: dict[str, Any]) -> registry.Answer:
        known = dict(members_of(args[0]) or [])
        if struct_attr not in known:
            return registry.Answer(
                registry.DECLINED, reason=f"{args[0]} has no member {struct_attr}"
            )
        return registry.Answer(registry.FIELD, struct_attr)

    registry.add((typ, "get", python_attr), registry.Candidate(ask, place))


def instances(cls: Any) -> list[Any]:
    """Return the types of a class that somebody holds."""
    table = vars(cls).get("_opwright_interned_") or {}
    known = (reference() for reference in list(table.values()))
    return [it for it in known if it is not None]


def _field(args: tuple[Any, ...], keywords: dict[str, Any]) -> registry.Answer:
    """The attribute of a struct that graphs know, too."""
    ty, name = args[0], keywords["name"]
    if name in dict(members_of(ty) or []):
        return registry.Answer(registry.FIELD, name)
    return registry.Answer(registry.DECLINED, reason=f"{ty} has no member {name}")


registry.add(
    (types.StructType, "get", None),
    registry.Candidate(_field, "members of StructType", is_builtin=True),
)


def sizeof(ty: Any) -> int:
    """Return how many bytes a value of a type takes, as C lays it out."""
    return _layout(ty)[0]


def offsetof(ty: Any, name: str) -> int:
    """Return how many bytes into a struct a member lies.

    Raises:
        TypeError: There is no such member.
    """
    at = 0
    for known, member in _members(ty):
        size, step = _layout(member)
        at += -at % step
        if known == name:
            return at
        at += size
    raise TypeError(f"{ty} has no member {name}")


def _members(ty: Any) -> list[tuple[str, Any]]:
    if isinstance(ty, types.BaseTuple):
        return [(f"f{at}", it) for at, it in enumerate(ty)]
    members = members_of(ty)
    if members is None:
        raise TypeError(f"{ty} has no data model: register one with register_model")
    return members


def _layout(ty: Any) -> tuple[int, int]:
    if isinstance(ty, types.Boolean):
        return 1, 1
    if isinstance(ty, types.Complex):
        return ty.bitwidth // 8, ty.bitwidth // 16
    if isinstance(ty, types.Number) and model_of(ty) is None:
        size = ty.bitwidth // 8
        return size, size
    at, step = 0, 1
    for _, member in _members(ty):
        size, own = _layout(member)
        at += -at % own + size
        step = max(step, own)
    return at + -at % step, step


__all__ = ["make_attribute_wrapper", "models", "register_model"]
