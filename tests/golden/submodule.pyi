# _C/__init__.pyi

_Reduction: _TypeAlias = _Literal["none", "mean", "sum"]

@_disjoint_base
class TensorBase:
    ...

# _C/_nn.pyi

_Reduction: _TypeAlias = _Literal["none", "mean", "sum"]

def nn_bend(input: Tensor, slope: _float = 0.5, inplace: _bool = False) -> Tensor: ...

