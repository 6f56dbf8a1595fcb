# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    @_overload
    def plus(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def plus(self, alpha: _Number, other: Tensor | _Number) -> Tensor:
        """Deprecated."""
    @_overload
    def sum_of(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
    @_overload
    def sum_of(self, alpha: _Number, other: Tensor | _Number) -> Tensor:
        """Deprecated."""
    def __add__(self, other: Tensor | _Number, /) -> Tensor: ...
    def __radd__(self, other: Tensor | _Number, /) -> Tensor: ...

@_overload
def plus(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
@_overload
def plus(input: Tensor | _Number, alpha: _Number, other: Tensor | _Number) -> Tensor:
    """Deprecated."""
@_overload
def sum_of(input: Tensor | _Number, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor: ...
@_overload
def sum_of(input: Tensor | _Number, alpha: _Number, other: Tensor | _Number) -> Tensor:
    """Deprecated."""
def public_name(input: Tensor) -> Tensor: ...

