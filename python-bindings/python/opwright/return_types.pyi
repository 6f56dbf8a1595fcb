# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from typing import Protocol as _Protocol
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload
from typing import NamedTuple as _NamedTuple

from opwright import Tensor

class aminmax(_NamedTuple):
    min: Tensor
    max: Tensor

class cummax(_NamedTuple):
    values: Tensor
    indices: Tensor

class cummin(_NamedTuple):
    values: Tensor
    indices: Tensor

class histogram(_NamedTuple):
    hist: Tensor
    bin_edges: Tensor

class kthvalue(_NamedTuple):
    values: Tensor
    indices: Tensor

class linalg_cholesky_ex(_NamedTuple):
    L: Tensor
    info: Tensor

class linalg_eig(_NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class linalg_eigh(_NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class linalg_inv_ex(_NamedTuple):
    inverse: Tensor
    info: Tensor

class linalg_lstsq(_NamedTuple):
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class linalg_lu(_NamedTuple):
    P: Tensor
    L: Tensor
    U: Tensor

class linalg_lu_factor(_NamedTuple):
    LU: Tensor
    pivots: Tensor

class linalg_lu_factor_ex(_NamedTuple):
    LU: Tensor
    pivots: Tensor
    info: Tensor

class linalg_qr(_NamedTuple):
    Q: Tensor
    R: Tensor

class linalg_slogdet(_NamedTuple):
    sign: Tensor
    logabsdet: Tensor

class linalg_solve_ex(_NamedTuple):
    result: Tensor
    info: Tensor

class linalg_svd(_NamedTuple):
    U: Tensor
    S: Tensor
    Vh: Tensor

class max(_NamedTuple):
    values: Tensor
    indices: Tensor

class median(_NamedTuple):
    values: Tensor
    indices: Tensor

class min(_NamedTuple):
    values: Tensor
    indices: Tensor

class nanmedian(_NamedTuple):
    values: Tensor
    indices: Tensor

class slogdet(_NamedTuple):
    sign: Tensor
    logabsdet: Tensor

class sort(_NamedTuple):
    values: Tensor
    indices: Tensor

class topk(_NamedTuple):
    values: Tensor
    indices: Tensor
