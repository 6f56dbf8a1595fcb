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
    def draw_(self, ref: _int, loop: _int | None, *, generator: Generator | None = None) -> Tensor: ...
    def match(self, where: Tensor, type: Tensor) -> Tensor: ...

def match(where: Tensor, input: Tensor, type: Tensor) -> Tensor: ...

