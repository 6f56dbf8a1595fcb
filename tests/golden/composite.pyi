# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    ...

def halve(input: Tensor) -> Tensor: ...

