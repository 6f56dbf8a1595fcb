"""Types and operations of their own for tests of the extension points."""

from __future__ import annotations

from typing import Any

from opwright import types
from opwright.extending import (
    StructModel,
    lower_builtin,
    make_attribute_wrapper,
    register_model,
    type_callable,
    typeof_impl,
)


def new_type(name: str, **members: Any) -> tuple[Any, Any]:
    """A class of Python and the class of its type, with a model and readable attributes."""

    class Value:
        def __init__(self, *values: Any) -> None:
            for member, value in zip(members, values, strict=True):
                setattr(self, member, value)

    class ValueType(types.Type):
        def __init__(self) -> None:
            super().__init__(name=name)

    @typeof_impl.register(Value)
    def _(value, context):
        return ValueType()

    @register_model(ValueType)
    class Model(StructModel):
        def __init__(self, dmm, fe_type):
            StructModel.__init__(self, dmm, fe_type, list(members.items()))

    for member in members:
        make_attribute_wrapper(ValueType, member, member)
    return Value, ValueType


def new_interval() -> tuple[Any, Any]:
    return new_type("Interval", lo=types.float64, hi=types.float64)


def lowered(result: Any, *argtypes: Any) -> Any:
    """A decorator that makes a function whose only lowering is the decorated one."""

    def make(lower: Any) -> Any:
        def op(*args): ...

        type_callable(op)(lambda context: lambda *args: result)
        lower_builtin(op, *argtypes)(lower)
        return op

    return make
