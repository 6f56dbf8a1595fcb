
_checks: _list[_str]

def _calls(
    overload: _str, settings: _Mapping[_str, _Any], /
) -> _list[_Callable[[], dict[_str, _Any]]]: ...
def _natives() -> _list[type[_Any]]: ...
def _opcheck(
    overloads: _Sequence[_str], settings: _Mapping[_str, _Any], /
) -> dict[_str, _Any]: ...
