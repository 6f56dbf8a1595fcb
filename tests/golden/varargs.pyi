# _C/__init__.pyi

_Reduction: _TypeAlias = _Literal["none", "mean", "sum"]

@_disjoint_base
class TensorBase:
    @_overload
    def arranged(self, size: _IntList) -> Tensor: ...
    @_overload
    def arranged(self, *size: _SupportsIndex) -> Tensor: ...
    @_overload
    def turned(self, dims: _int | _IntList | None = None, *, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def turned(self, *dims: _SupportsIndex, keepdim: _bool = False) -> Tensor: ...
    @_overload
    def turned(self, dims: _int | _IntList | None = None, *, keepdims: _bool = False) -> Tensor: ...

