# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    @_overload
    def pick(self) -> Tensor: ...
    @_overload
    def pick(self, other: Tensor) -> Tensor: ...
    @_overload
    def pick(self, dim: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
    @_overload
    def pick(self, other: _Number) -> Tensor: ...

@_overload
def pick(input: Tensor) -> Tensor: ...
@_overload
def pick(input: Tensor, other: Tensor) -> Tensor: ...
@_overload
def pick(input: Tensor, dim: _int, keepdim: _bool = False) -> opwright.return_types.pick: ...
@_overload
def pick(input: Tensor, other: _Number) -> Tensor: ...

# return_types.pyi

class pick(_NamedTuple):
    values: Tensor
    indices: Tensor

