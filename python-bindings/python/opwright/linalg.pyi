# @generated from native_functions.yaml by opwright-codegen. Do not edit.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from typing import Self as _Self
from typing import SupportsIndex as _SupportsIndex
from typing import TypeAlias as _TypeAlias
from typing import final as _final
from typing import overload as _overload

import opwright.return_types
from opwright import Tensor
from opwright._C import Generator
from opwright._C import Storage
from opwright._C import device as _device
from opwright._C import dtype as _dtype
from opwright._C import layout as _layout
from opwright._C import memory_format as _memory_format

_Number: _TypeAlias = _bool | _int | _float | _complex
_TensorList: _TypeAlias = _tuple[Tensor, ...] | _list[Tensor]
_IntList: _TypeAlias = _tuple[_SupportsIndex, ...] | _list[_int] | _list[_SupportsIndex]

__all__ = []
