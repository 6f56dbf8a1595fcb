# _C/__init__.pyi

_Reduction: _TypeAlias = _Literal["none", "mean", "sum"]

@_disjoint_base
class TensorBase:
    def draw_(self, ref: _int, loop: _int | None, *, generator: Generator | None = None) -> Tensor: ...
    def match(self, where: Tensor, type: Tensor) -> Tensor: ...

def match(where: Tensor, input: Tensor, type: Tensor) -> Tensor: ...

