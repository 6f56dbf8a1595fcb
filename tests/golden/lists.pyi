# _C/__init__.pyi

_Reduction: _TypeAlias = _Literal["none", "mean", "sum"]
_PaddingMode: _TypeAlias = _Literal["constant", "reflect", "replicate", "circular"]
_RoundingMode: _TypeAlias = _Literal["trunc", "floor"]
_QrMode: _TypeAlias = _Literal["reduced", "complete", "r"]
_SearchSide: _TypeAlias = _Literal["left", "right"]
_GridIndexing: _TypeAlias = _Literal["ij", "xy"]
_ScatterReduction: _TypeAlias = _Literal["add", "multiply"]
_ReductionType: _TypeAlias = _Literal["prod", "mean", "amax", "amin", "sum"]
_QuantileInterpolation: _TypeAlias = _Literal["linear", "lower", "higher", "midpoint", "nearest"]
_GeluApproximation: _TypeAlias = _Literal["none", "tanh"]
_LstsqDriver: _TypeAlias = _Literal["gels", "gelsy", "gelsd", "gelss"]
_FftNorm: _TypeAlias = _Literal["backward", "ortho", "forward"]

@_disjoint_base
class TensorBase:
    ...

def gathered(tensors: _TensorList, masks: _tuple[Tensor | None, ...] | _list[Tensor | None], padding: _int | _IntList = 0, order: _IntList | None = None, weights: _tuple[_float, ...] | _list[_float] | None = None) -> _tuple[Tensor, ...]: ...
@_overload
def settings(input: Tensor, mode: _str = 'line\'s', other: _str | None = None, eps: _float = 1e-05, reduction: _int = 1, dims: _int | _IntList = (-2, -1), limit: _Number | None = None, memory_format: _memory_format = ...) -> _tuple[_int, _float, _bool, _str]: ...
@_overload
def settings(input: Tensor, mode: _str = 'line\'s', other: _str | None = None, eps: _float = 1e-05, reduction: _int = 1, *, axis: _int | _IntList = (-2, -1), limit: _Number | None = None, memory_format: _memory_format = ...) -> _tuple[_int, _float, _bool, _str]: ...
@_overload
def settings(input: Tensor, mode: _str = 'line\'s', other: _str | None = None, eps: _float = 1e-05, reduction: _int = 1, *, axes: _int | _IntList = (-2, -1), limit: _Number | None = None, memory_format: _memory_format = ...) -> _tuple[_int, _float, _bool, _str]: ...

