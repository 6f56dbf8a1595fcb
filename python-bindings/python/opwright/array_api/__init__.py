"""The namespace of the array API standard, https://data-apis.org/array-api/2024.12/.

Names are the objects of `opwright`, but for those in `DIFFERENCES`: where PyTorch's function and
the standard contradict each other, here is the standard's. `diag`, `einsum` and `isin`, which are
not of the standard and not in `__all__`, are there for libraries that ask every namespace for them.

    >>> import opwright
    >>> x = opwright.tensor([[1.0, 2.0], [3.0, 5.0]])
    >>> xp = x.__array_namespace__()
    >>> xp.std(x, axis=0, keepdims=True)
    tensor([[1.0, 1.5]], dtype=float32, shape=(1, 2))
"""

from __future__ import annotations

from opwright import abs as abs
from opwright import acos as acos
from opwright import acosh as acosh
from opwright import asarray as asarray
from opwright import asin as asin
from opwright import asinh as asinh
from opwright import astype as astype
from opwright import atan as atan
from opwright import atanh as atanh
from opwright import bitwise_invert as bitwise_invert
from opwright import bool as bool
from opwright import broadcast_arrays as broadcast_arrays
from opwright import ceil as ceil
from opwright import complex64 as complex64
from opwright import complex128 as complex128
from opwright import conj as conj
from opwright import cos as cos
from opwright import cosh as cosh
from opwright import cumulative_prod as cumulative_prod
from opwright import cumulative_sum as cumulative_sum
from opwright import diag as diag
from opwright import e as e
from opwright import einsum as einsum
from opwright import empty_like as empty_like
from opwright import exp as exp
from opwright import expand_dims as expand_dims
from opwright import expm1 as expm1
from opwright import float32 as float32
from opwright import float64 as float64
from opwright import floor as floor
from opwright import full_like as full_like
from opwright import imag as imag
from opwright import inf as inf
from opwright import int8 as int8
from opwright import int16 as int16
from opwright import int32 as int32
from opwright import int64 as int64
from opwright import isdtype as isdtype
from opwright import isfinite as isfinite
from opwright import isin as isin
from opwright import isinf as isinf
from opwright import isnan as isnan
from opwright import log as log
from opwright import log1p as log1p
from opwright import log2 as log2
from opwright import log10 as log10
from opwright import logical_not as logical_not
from opwright import matrix_transpose as matrix_transpose
from opwright import moveaxis as moveaxis
from opwright import nan as nan
from opwright import negative as negative
from opwright import newaxis as newaxis
from opwright import ones_like as ones_like
from opwright import permute_dims as permute_dims
from opwright import pi as pi
from opwright import positive as positive
from opwright import real as real
from opwright import reciprocal as reciprocal
from opwright import repeat as repeat
from opwright import signbit as signbit
from opwright import sin as sin
from opwright import sinh as sinh
from opwright import sqrt as sqrt
from opwright import square as square
from opwright import take_along_axis as take_along_axis
from opwright import tan as tan
from opwright import tanh as tanh
from opwright import tile as tile
from opwright import trunc as trunc
from opwright import uint8 as uint8
from opwright import uint16 as uint16
from opwright import uint32 as uint32
from opwright import uint64 as uint64
from opwright import unique_all as unique_all
from opwright import unique_counts as unique_counts
from opwright import unique_inverse as unique_inverse
from opwright import unique_values as unique_values
from opwright import unstack as unstack
from opwright import vecdot as vecdot
from opwright import zeros_like as zeros_like

from . import fft as fft
from . import linalg as linalg
from ._creation import arange as arange
from ._creation import empty as empty
from ._creation import eye as eye
from ._creation import from_dlpack as from_dlpack
from ._creation import full as full
from ._creation import linspace as linspace
from ._creation import meshgrid as meshgrid
from ._creation import ones as ones
from ._creation import tril as tril
from ._creation import triu as triu
from ._creation import zeros as zeros
from ._differences import DIFFERENCES as DIFFERENCES
from ._dtypes import finfo as finfo
from ._dtypes import iinfo as iinfo
from ._elementwise import add as add
from ._elementwise import atan2 as atan2
from ._elementwise import bitwise_and as bitwise_and
from ._elementwise import bitwise_left_shift as bitwise_left_shift
from ._elementwise import bitwise_or as bitwise_or
from ._elementwise import bitwise_right_shift as bitwise_right_shift
from ._elementwise import bitwise_xor as bitwise_xor
from ._elementwise import clip as clip
from ._elementwise import copysign as copysign
from ._elementwise import divide as divide
from ._elementwise import equal as equal
from ._elementwise import floor_divide as floor_divide
from ._elementwise import greater as greater
from ._elementwise import greater_equal as greater_equal
from ._elementwise import hypot as hypot
from ._elementwise import less as less
from ._elementwise import less_equal as less_equal
from ._elementwise import logaddexp as logaddexp
from ._elementwise import logical_and as logical_and
from ._elementwise import logical_or as logical_or
from ._elementwise import logical_xor as logical_xor
from ._elementwise import maximum as maximum
from ._elementwise import minimum as minimum
from ._elementwise import multiply as multiply
from ._elementwise import nextafter as nextafter
from ._elementwise import not_equal as not_equal
from ._elementwise import pow as pow
from ._elementwise import remainder as remainder
from ._elementwise import round as round
from ._elementwise import sign as sign
from ._elementwise import subtract as subtract
from ._elementwise import where as where
from ._info import __array_namespace_info__ as __array_namespace_info__
from ._manipulation import broadcast_to as broadcast_to
from ._manipulation import concat as concat
from ._manipulation import diff as diff
from ._manipulation import flip as flip
from ._manipulation import reshape as reshape
from ._manipulation import roll as roll
from ._manipulation import squeeze as squeeze
from ._manipulation import stack as stack
from ._products import matmul as matmul
from ._products import tensordot as tensordot
from ._promotion import can_cast as can_cast
from ._promotion import result_type as result_type
from ._reductions import all as all
from ._reductions import any as any
from ._reductions import count_nonzero as count_nonzero
from ._reductions import max as max
from ._reductions import mean as mean
from ._reductions import min as min
from ._reductions import prod as prod
from ._reductions import std as std
from ._reductions import sum as sum
from ._reductions import var as var
from ._searching import argmax as argmax
from ._searching import argmin as argmin
from ._searching import argsort as argsort
from ._searching import nonzero as nonzero
from ._searching import searchsorted as searchsorted
from ._searching import sort as sort
from ._searching import take as take

__array_api_version__ = "2024.12"

#: The versions of the standard whose functions are here.
KNOWN_VERSIONS = ("2021.12", "2022.12", "2023.12", __array_api_version__)

__all__ = [
    "__array_api_version__",
    "__array_namespace_info__",
    "abs",
    "acos",
    "acosh",
    "add",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "asarray",
    "asin",
    "asinh",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bool",
    "broadcast_arrays",
    "broadcast_to",
    "can_cast",
    "ceil",
    "clip",
    "complex64",
    "complex128",
    "concat",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "divide",
    "e",
    "empty",
    "empty_like",
    "equal",
    "exp",
    "expand_dims",
    "expm1",
    "eye",
    "fft",
    "finfo",
    "flip",
    "float32",
    "float64",
    "floor",
    "floor_divide",
    "from_dlpack",
    "full",
    "full_like",
    "greater",
    "greater_equal",
    "hypot",
    "iinfo",
    "imag",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "matrix_transpose",
    "max",
    "maximum",
    "mean",
    "meshgrid",
    "min",
    "minimum",
    "moveaxis",
    "multiply",
    "nan",
    "negative",
    "newaxis",
    "nextafter",
    "nonzero",
    "not_equal",
    "ones",
    "ones_like",
    "permute_dims",
    "pi",
    "positive",
    "pow",
    "prod",
    "real",
    "reciprocal",
    "remainder",
    "repeat",
    "reshape",
    "result_type",
    "roll",
    "round",
    "searchsorted",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "sum",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "tril",
    "triu",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unstack",
    "var",
    "vecdot",
    "where",
    "zeros",
    "zeros_like",
]
