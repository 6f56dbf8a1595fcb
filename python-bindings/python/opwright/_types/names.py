"""What `opwright.types` makes when somebody asks for it."""

from __future__ import annotations

from .. import _C
from . import abstract as abstract
from .abstract import Callable as Callable
from .abstract import Dummy as Dummy
from .abstract import Hashable as Hashable
from .abstract import IterableType as IterableType
from .abstract import IteratorType as IteratorType
from .abstract import Opaque as Opaque
from .abstract import Sequence as Sequence
from .abstract import Sized as Sized
from .array import Array as Array
from .array import Buffer as Buffer
from .dtypes import from_dtype as from_dtype
from .functions import BoundFunction as BoundFunction
from .functions import Dispatcher as Dispatcher
from .functions import Function as Function
from .functions import VarArg as VarArg
from .literal import BooleanLiteral as BooleanLiteral
from .literal import IntegerLiteral as IntegerLiteral
from .literal import Literal as Literal
from .literal import StringLiteral as StringLiteral
from .literal import literal as literal
from .literal import unliteral as unliteral
from .native import NoneType as NoneType
from .native import UnicodeType as UnicodeType
from .number import Boolean as Boolean
from .number import Complex as Complex
from .number import Float as Float
from .number import Integer as Integer
from .number import Number as Number
from .objects import DType as DType
from .objects import ExceptionClass as ExceptionClass
from .objects import Module as Module
from .objects import NumberClass as NumberClass
from .optional import Omitted as Omitted
from .optional import Optional as Optional
from .ranges import NumpyFlatType as NumpyFlatType
from .ranges import RangeType as RangeType
from .ranges import SliceType as SliceType
from .signature import Signature as Signature
from .signature import signature as signature
from .tuples import BaseTuple as BaseTuple
from .tuples import NamedTuple as NamedTuple
from .tuples import NamedUniTuple as NamedUniTuple
from .tuples import Tuple as Tuple
from .tuples import UniTuple as UniTuple

# What a program of 64 bits calls sizes and numbers of C.
boolean: Boolean = Boolean("bool")
int8: Integer = Integer("int8")
int16: Integer = Integer("int16")
int32: Integer = Integer("int32")
int64: Integer = Integer("int64")
uint8: Integer = Integer("uint8")
uint16: Integer = Integer("uint16")
uint32: Integer = Integer("uint32")
uint64: Integer = Integer("uint64")
float16: Float = Float("float16")
float32: Float = Float("float32")
float64: Float = Float("float64")
complex64: Complex = Complex("complex64")
complex128: Complex = Complex("complex128")
none: NoneType = _C._graph.plain_type("none")
unicode_type: UnicodeType = _C._graph.plain_type("unicode_type")

bool_ = b1 = boolean
i1, i2, i4, i8 = int8, int16, int32, int64
u1, u2, u4, u8 = uint8, uint16, uint32, uint64
f4, f8, double = float32, float64, float64
c8, c16 = complex64, complex128
intp = int_ = int64
uintp = size_t = uint64
intc = int32
void = none
string = text = unicode_type
slice2_type = SliceType("slice<a:b>", 2)
slice3_type = SliceType("slice<a:b:c>", 3)

signed_domain = frozenset((int8, int16, int32, int64))
unsigned_domain = frozenset((uint8, uint16, uint32, uint64))
integer_domain = signed_domain.union(unsigned_domain)
real_domain = frozenset((float32, float64))
complex_domain = frozenset((complex64, complex128))
number_domain = integer_domain.union(real_domain, complex_domain)

# All of the above.
_PUBLIC = frozenset(it for it in dir() if not it.startswith("_") and it != "annotations")
for _name in _PUBLIC:
    if isinstance(globals()[_name], type):
        # Where people find it.
        globals()[_name].__module__ = f"{__name__.removesuffix('._types.names')}.types"
