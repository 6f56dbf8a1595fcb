# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    ...

# _C/_nn.pyi

def nn_bend(input: Tensor, slope: _float = 0.5, inplace: _bool = False) -> Tensor: ...

