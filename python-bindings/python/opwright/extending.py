"""Types and functions of one's own in compiled functions.

>>> from opwright import jit, types
>>> from opwright.extending import overload
>>> def twice(x): ...
>>> @overload(twice)
... def _(x):
...     if isinstance(x, types.Float):
...         return lambda x: x * 2
"""

from __future__ import annotations

from . import types as types
from ._jit.boxing import NativeValue as NativeValue
from ._jit.boxing import box as box
from ._jit.boxing import unbox as unbox
from ._jit.builder import for_range as for_range
from ._jit.builder import is_not_null as is_not_null
from ._jit.casts import lower_cast as lower_cast
from ._jit.dispatch import is_jitted as is_jitted
from ._jit.errors import AmbiguousOverloadError as AmbiguousOverloadError
from ._jit.errors import TypingError as TypingError
from ._jit.errors import UnsupportedError as UnsupportedError
from ._jit.lowering import intrinsic as intrinsic
from ._jit.lowering import lower_builtin as lower_builtin
from ._jit.lowering import lower_constant as lower_constant
from ._jit.lowering import lower_getattr as lower_getattr
from ._jit.lowering import lower_getattr_generic as lower_getattr_generic
from ._jit.lowering import lower_setattr as lower_setattr
from ._jit.lowering import lower_setattr_generic as lower_setattr_generic
from ._jit.models import StructModel as StructModel
from ._jit.models import make_attribute_wrapper as make_attribute_wrapper
from ._jit.models import models as models
from ._jit.models import offsetof as offsetof
from ._jit.models import register_model as register_model
from ._jit.models import sizeof as sizeof
from ._jit.native import native_struct as native_struct
from ._jit.native_op import native_op as native_op
from ._jit.overloads import operator as operator
from ._jit.overloads import operators as operators
from ._jit.overloads import overload as overload
from ._jit.overloads import overload_attribute as overload_attribute
from ._jit.overloads import overload_classmethod as overload_classmethod
from ._jit.overloads import overload_method as overload_method
from ._jit.overloads import register_jitable as register_jitable
from ._jit.proxies import create_struct_proxy as create_struct_proxy
from ._jit.rust_structs import register_native as register_native
from ._jit.templates import AbstractTemplate as AbstractTemplate
from ._jit.templates import AttributeTemplate as AttributeTemplate
from ._jit.templates import CallableTemplate as CallableTemplate
from ._jit.templates import ConcreteTemplate as ConcreteTemplate
from ._jit.templates import infer as infer
from ._jit.templates import infer_getattr as infer_getattr
from ._jit.templates import infer_global as infer_global
from ._jit.templates import type_callable as type_callable
from ._jit.typeof import typeof as typeof
from ._jit.typeof import typeof_hook as typeof_hook
from ._jit.typeof import typeof_impl as typeof_impl
from .types import signature as signature

__all__ = [
    "AbstractTemplate", "AmbiguousOverloadError", "AttributeTemplate", "CallableTemplate",
    "ConcreteTemplate", "NativeValue", "StructModel", "TypingError", "UnsupportedError", "box",
    "create_struct_proxy", "for_range", "infer", "infer_getattr", "infer_global", "intrinsic",
    "is_jitted", "is_not_null", "lower_builtin", "lower_cast", "lower_constant", "lower_getattr",
    "lower_getattr_generic", "lower_setattr", "lower_setattr_generic", "make_attribute_wrapper",
    "models", "native_op", "native_struct", "offsetof", "operator", "operators", "overload",
    "overload_attribute", "overload_classmethod", "overload_method", "register_jitable",
    "register_model", "register_native", "signature", "sizeof", "type_callable", "typeof",
    "typeof_hook", "typeof_impl", "types", "unbox",
]  # fmt: skip

TYPE_CHECKING = False

# What these were called before numba's proposal.
_RENAMED = {
    "builtin": "infer",
    "builtin_attr": "infer_getattr",
    "builtin_global": "infer_global",
    "implement": "lower_builtin",
    "impl_attribute": "lower_getattr",
}


def _renamed(name: str) -> object:
    if name in _RENAMED:
        raise AttributeError(f"extending.{name} was renamed to {_RENAMED[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if not TYPE_CHECKING:
    # A type checker says by itself what is not there.
    __getattr__ = _renamed
