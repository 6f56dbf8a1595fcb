"""Evaluation of variables by functions, which are kept as long as their variables."""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

from ._functions import function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias
    from weakref import ReferenceType

    from .._C._graph import Function, Variable

    _Given: TypeAlias = Mapping[Variable, object] | Iterable[tuple[Variable, object]]
    _Known: TypeAlias = list[tuple[list[ReferenceType[Variable]], Function]]


def evaluate(variable: Variable, inputs: _Given | None = None, **options: Any) -> Any:
    values: dict[Variable, object] = {} if inputs is None else dict(inputs)
    given = list(values)
    made = None if options else _evaluated(variable, given)
    if made is None:
        options = {"name": "eval", "on_unused_input": "ignore", **options}
        made = function(given, variable, **options, _keep_spec=False)
        if len(options) == 2:
            _EVALUATED.setdefault(variable, []).append(([ref(it) for it in given], made))
    return made(*values.values())


# The functions of `eval`, which live as long as their variables: they hold no object of theirs.
_EVALUATED: WeakKeyDictionary[Variable, _Known] = WeakKeyDictionary()


def _evaluated(variable: Variable, given: list[Variable]) -> Function | None:
    for known, made in _EVALUATED.get(variable, ()):
        if len(known) == len(given) and all(
            it() is own for it, own in zip(known, given, strict=True)
        ):
            return made
    return None
