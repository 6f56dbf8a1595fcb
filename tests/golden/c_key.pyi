# _C/__init__.pyi

@_disjoint_base
class TensorBase:
    ...

def _hidden_(input: Tensor, self_weight: Tensor | None, indices: _tuple[Tensor | None, ...] | _list[Tensor | None], mask: _bool | _tuple[_bool, ...] | _list[_bool], size: _int | _IntList | None = None) -> Tensor: ...
def parts(input: Tensor, device: _device | _str | _int | None = None, generator: Generator | None = None, p: _float | None = None) -> _tuple[_tuple[Tensor, ...], _tuple[_int, ...], _str, Tensor | None]: ...
def renamed(input: Tensor, default: _Number, words: _tuple[_str, ...] | _list[_str]) -> opwright.return_types.renamed: ...
def skipped(input: Tensor) -> Tensor: ...

# return_types.pyi

class renamed(_NamedTuple):
    result: Tensor
    count: _int

