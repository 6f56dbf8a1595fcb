# _C/__init__.pyi

class TensorBase:
    ...

def halve(input: Tensor) -> Tensor: ...

