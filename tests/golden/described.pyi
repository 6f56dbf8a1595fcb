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

@_overload
def bucket(x: Tensor, edges: Tensor, *, right: _bool = False) -> Tensor:
    """The bucket of each element between edges that are given."""
@_overload
def bucket(x: Tensor, rule: _str, count: _int) -> Tensor: ...
@_overload
def bucket(x: Tensor, width: _float, *, out: Tensor | None = None) -> Tensor:
    """The bucket of each element, where all are equally wide.

    ```python
    >>> my_ops.bucket(my_ops.tensor([0.5, 1.5]), 1.0)
    tensor([0, 1], dtype=int64, shape=(2,))
    ```
    """

