# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    ...

def bounds(input: Tensor, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.bounds: ...
@_overload
def fold(input: Tensor, dim: _int | _IntList | None = None, keepdim: _bool = False, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def fold(input: Tensor, *, axis: _int | _IntList | None = None, keepdim: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def fold(input: Tensor, dim: _int | _IntList | None = None, *, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...
@_overload
def fold(input: Tensor, *, axis: _int | _IntList | None = None, keepdims: _bool = False, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor: ...

# return_types.pyi

class bounds(_NamedTuple):
    low: Tensor
    high: Tensor

