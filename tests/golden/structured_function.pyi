# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    ...

@_overload
def spread(input: Tensor, mask: Tensor | None, parts: _TensorList, dim: _int = -1, *, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.spread: ...
@_overload
def spread(input: Tensor, mask: Tensor | None, parts: _TensorList, *, axis: _int = -1, out: _tuple[Tensor, Tensor] | _list[Tensor] | None = None) -> opwright.return_types.spread: ...

# return_types.pyi

class spread(_NamedTuple):
    low: Tensor
    high: Tensor

