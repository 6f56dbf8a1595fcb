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

def rounded(input: Tensor, modes: _tuple[_QrMode, ...] | _list[_QrMode], rounding_mode: _RoundingMode | None = None, *, mode: _PaddingMode = 'reflect', side: _SearchSide | None = 'left', reduction: _Reduction | _int = 'mean') -> _tuple[Tensor, _str]: ...

