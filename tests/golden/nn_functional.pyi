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

def mask(input: Tensor, p: _float, train: _bool) -> Tensor:
    """Unless `train` is true, the input."""

# _C/_nn.pyi

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

def curve(input: Tensor, alpha: _Number = 1, scale: _Number = 1, *, out: Tensor | None = None) -> Tensor: ...
def curve_(input: Tensor, alpha: _Number = 1, scale: _Number = 1) -> Tensor: ...
def lose(input: Tensor, target: Tensor, reduction: _Reduction | _int = 'mean', *, by: _float = 1.0) -> Tensor: ...

# _C/_nn_functional.pyi

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

def curve(input: Tensor, alpha: _Number = 1, inplace: _bool = False, *, out: Tensor | None = None) -> Tensor: ...
def loss(input: Tensor, target: Tensor, size_average: _bool | None = None, by: _float = 1.0, reduce: _bool | None = None, reduction: _str = 'mean') -> Tensor: ...
def mask(input: Tensor, p: _float = 0.5, training: _bool = True) -> Tensor:
    """Unless `training` is true, the input."""

