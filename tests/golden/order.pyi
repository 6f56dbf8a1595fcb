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
    def pick(self) -> Tensor: ...
    @_overload
    def pick(self, other: Tensor) -> Tensor: ...
    @_overload
    def pick(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
    @_overload
    def pick(self, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
    @_overload
    def pick(self, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.pick: ...
    @_overload
    def pick(self, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.pick: ...
    @_overload
    def pick(self, other: _Number) -> Tensor: ...

@_overload
def pick(input: Tensor) -> Tensor: ...
@_overload
def pick(input: Tensor, other: Tensor) -> Tensor: ...
@_overload
def pick(input: Tensor, dim: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
@_overload
def pick(input: Tensor, *, axis: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
@_overload
def pick(input: Tensor, dim: _int, *, keepdims: _bool = False) -> opwright.return_types.pick: ...
@_overload
def pick(input: Tensor, *, axis: _int, keepdims: _bool = False) -> opwright.return_types.pick: ...
@_overload
def pick(input: Tensor, other: _Number) -> Tensor: ...

# return_types.pyi

class pick(_NamedTuple):
    values: Tensor
    indices: Tensor

