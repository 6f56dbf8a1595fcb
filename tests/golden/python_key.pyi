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
    @_overload
    def plus(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def plus(self, other: Tensor | _Number, *, scale: _Number = 1) -> Tensor: ...
    @_overload
    def sum_of(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def sum_of(self, other: Tensor | _Number, *, scale: _Number = 1) -> Tensor: ...
    def __add__(self, other: Tensor | _Number | _NumpyArray, /) -> Tensor: ...
    def __radd__(self, other: Tensor | _Number | _NumpyArray, /) -> Tensor: ...

@_overload
def plus(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
@_overload
def plus(input: Tensor | _Number, other: Tensor | _Number, *, scale: _Number = 1) -> Tensor: ...
@_overload
def sum_of(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
@_overload
def sum_of(input: Tensor | _Number, other: Tensor | _Number, *, scale: _Number = 1) -> Tensor: ...
def public_name(input: Tensor) -> Tensor: ...

