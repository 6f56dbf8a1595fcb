"""Functions that are compiled from graphs, and the shared variables that they update.

>>> x = opwright.TensorType("float64", (None,))("x")
>>> twice = opwright.function([x], x + x)
>>> twice([1.0, 2.5])
tensor([2., 5.], dtype=float64, shape=(2,))
"""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

from . import _C
from ._entries import ahead_of
from ._mode import Mode as Mode
from ._mode import among, mode_of
from ._profile import Profile
from ._recipe import In as In
from ._recipe import Out as Out
from ._recipe import complete, input_of, outputs_of, pairs_of, updates_of
from ._shared import SharedVariable as SharedVariable
from ._shared import shared as shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, final

    from .graph import Apply, Variable

    @final
    class Function:
        """What is compiled from a graph."""

        name: str
        inputs: list[Variable]
        outputs: list[Variable]
        updates: list[tuple[Variable, Variable]]
        _recipe: dict[str, Any]

        def _plan(self) -> list[tuple[list[int], bool, list[int]]]: ...
        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
        def toposort(self) -> list[Apply]: ...
        def free(self) -> None: ...
        def _noted(self) -> list[tuple[Apply, int, float, int | None]] | None: ...
        def __getattribute__(self, name: str, /) -> Any: ...


_graph = _C._graph
if not TYPE_CHECKING:
    Variable = _graph.Variable
    Function = _graph.Function


def function(
    inputs: Iterable[Variable | In],
    outputs: Any = None,
    *,
    updates: Any = None,
    givens: Any = None,
    mode: Mode | str | None = None,
    name: str | None = None,
    on_unused_input: str = "raise",
    allow_input_downcast: bool | None = None,
    no_default_updates: Any = False,
    accept_inplace: bool = False,
    reuse_outputs: bool = False,
    profile: bool = False,
    _keep_recipe: bool = True,
) -> Function:
    """Return what computes `outputs` of `inputs`, and then updates shared variables."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"function(): inputs are a list, not {type(inputs).__name__}")
    recipe = {
        "inputs": [it if isinstance(it, In) else input_of(it) for it in inputs],
        "outputs": outputs_of(outputs),
        "updates": updates_of(updates),
        "givens": pairs_of("givens", givens),
        "mode": mode_of(mode, profile),
        "name": "function" if name is None else name,
        "on_unused_input": on_unused_input,
        "allow_input_downcast": allow_input_downcast,
        "no_default_updates": no_default_updates,
        "accept_inplace": accept_inplace,
        "reuse_outputs": reuse_outputs,
    }
    among("on_unused_input", on_unused_input, ("raise", "warn", "ignore"))
    return _made(complete(recipe), _keep_recipe)


def _made(recipe: dict[str, Any], is_kept: bool = True) -> Function:
    """Return the function of a recipe that is complete."""
    loose = recipe["allow_input_downcast"]
    inputs = [
        (
            it.variable,
            it.name,
            # A default is there for the next call, too.
            (it.borrow, it.mutable and it.value is None),
            it.strict,
            loose if it.allow_downcast is None else it.allow_downcast,
            () if it.value is None else (it.value,),
        )
        for it in recipe["inputs"]
    ]
    outputs, results = recipe["outputs"]
    mode = recipe["mode"]
    in_c = mode.name == "c"
    try:
        made: Function = _graph.function(
            recipe["name"],
            inputs,
            [(it.variable, it.borrow) for it in outputs],
            results,
            recipe["updates"],
            optimizer=mode.optimizer,
            fused=mode.fuse,
            per_node=mode.blocks == "per_op" and not in_c,
            debug=mode.name == "debug",
            profile=mode.name == "profile",
            reuse=recipe["reuse_outputs"],
            on_event=mode.on_event,
            accept_inplace=bool(recipe["accept_inplace"]),
            check_input=bool(mode.check_input),
            threads=mode.threads or 0,
            recipe=recipe if is_kept else None,
            compiled=mode if in_c or mode.name == "debug" else None,
        )
    except Exception as error:
        error.add_note(f"while function {recipe['name']!r} was made")
        raise
    return made


def _evaluate(variable: Variable, inputs: Any = None, **options: Any) -> Any:
    values = {} if inputs is None else dict(inputs)
    given = list(values)
    made = None if options else _evaluated(variable, given)
    if made is None:
        options = {"name": "eval", "on_unused_input": "ignore", **options}
        made = function(given, variable, **options, _keep_recipe=False)
        if len(options) == 2:
            _EVALUATED.setdefault(variable, []).append(([ref(it) for it in given], made))
    return made(*values.values())


# The functions of `eval`, which live as long as their variables, beside them.
_EVALUATED: Any = WeakKeyDictionary()


def _evaluated(variable: Variable, given: list[Variable]) -> Function | None:
    made: Function
    for known, made in _EVALUATED.get(variable, ()):
        if len(known) == len(given) and all(
            it() is own for it, own in zip(known, given, strict=True)
        ):
            return made
    return None


class Graph:
    """The graph of a function as it runs."""

    __slots__ = ("_of",)

    def __init__(self, of: Function):
        self._of = of

    @property
    def inputs(self) -> list[Variable]:
        """What it is given."""
        return self._of.inputs

    @property
    def outputs(self) -> list[Variable]:
        """What it gives."""
        return self._of.outputs

    def toposort(self) -> list[Any]:
        """Return the nodes in the order in which they run."""
        return self._of.toposort()


def _profile(made: Function) -> Profile:
    """Return what was noted of the calls."""
    noted = made._noted()
    if noted is None:
        raise ValueError(f"{made.name}() notes no times; make it with mode='profile'")
    return Profile(made.name, noted)


def _copy(
    made: Function,
    share_memory: bool = False,
    swap: Any = None,
    delete_updates: bool = False,
    name: str | None = None,
) -> Function:
    """Return another function of the graph; `swap` puts shared variables into others' places."""
    recipe = dict(made._recipe)
    if name is not None:
        recipe["name"] = name
    if delete_updates:
        recipe["updates"] = []
    pairs = pairs_of("swap", swap)
    for old, new in pairs:
        if not (isinstance(old, SharedVariable) and isinstance(new, SharedVariable)):
            raise TypeError("copy(): swap names shared variables, and such to put in their places")
    if pairs:
        outputs, results = recipe["outputs"]
        wanted = [it.variable for it in outputs] + [new for _, new in recipe["updates"]]
        wanted = _graph.replace(wanted, pairs)
        count = len(outputs)
        outputs = [Out(new, it.borrow) for it, new in zip(outputs, wanted, strict=False)]
        recipe["outputs"] = (outputs, results)
        swapped = [
            next((new for old, new in pairs if old is key), key) for key, _ in recipe["updates"]
        ]
        recipe["updates"] = list(zip(swapped, wanted[count:], strict=True))
    return _made(recipe)


def _attribute(made: Function, name: str) -> Any:
    """Return an attribute of functions that is written in Python."""
    if name == "graph":
        return Graph(made)
    found = _ATTRIBUTES.get(name)
    if found is None:
        raise AttributeError(f"a function has no attribute {name!r}")
    from functools import partial

    return partial(found, made)


def _dprint(made: Function, **options: Any) -> Any:
    from .graph import dprint

    return dprint(made, **options)


def _repr_svg(made: Function) -> str:
    from .graph import to_svg

    return to_svg(made)


def _explain(made: Function) -> str:
    """Return what the function does, a line for each node."""
    lines = [f"{made!r}"]
    plan = made._plan()
    for at, (node, memory) in enumerate(zip(made.toposort(), plan, strict=True)):
        types = ", ".join(str(it.type) for it in node.outputs)
        lines.append(f"  {at}: {node} -> {types}{_memory(node, *memory)}")
    return "\n".join(lines)


def _memory(node: Apply, in_place_of: list[int], recycles: bool, ends: list[int]) -> str:
    """Return where the result of a node goes, and what ends with it."""

    def names(inputs: list[int]) -> str:
        return " or ".join(dict.fromkeys(str(node.inputs[it]) for it in inputs))

    parts = []
    if in_place_of:
        parts.append(f"in place of {names(in_place_of)} if nobody else has it")
    if recycles:
        parts.append("in memory that is kept")
    text = f"; {', else '.join(parts)}" if parts else ""
    return text + (f"; ends {names(ends).replace(' or ', ', ')}" if ends else "")


def _c_source(made: Function) -> str:
    """Return the text of its blocks of C."""
    text: str = _graph.c_source(made.toposort())
    return text


_ATTRIBUTES: dict[str, Any] = {
    "c_source": _c_source,
    "copy": _copy,
    "dprint": _dprint,
    "explain": _explain,
    "profile": _profile,
    "_repr_svg_": _repr_svg,
}


def _reduce(made: Function) -> tuple[Any, ...]:
    if made._recipe is None:
        raise TypeError(f"cannot pickle {made!r}: it was made for one use; make it by function()")
    recipe = dict(made._recipe)
    inputs, (outputs, results) = recipe.pop("inputs"), recipe.pop("outputs")
    updates = recipe.pop("updates")
    roots = [it.variable for it in outputs] + [new for _, new in updates]
    nodes, end = ahead_of(roots)
    said = [
        (it.variable, it.name, it.value, it.mutable, it.borrow, it.strict, it.allow_downcast)
        for it in inputs
    ]
    given = [(it.variable, it.borrow) for it in outputs]
    return _restored, (nodes, end, said, given, results, updates, recipe)


def _restored(
    _nodes: Any,
    _end: Any,
    said: Any,
    given: Any,
    results: Any,
    updates: Any,
    recipe: dict[str, Any],
) -> Function:
    inputs = [
        In(variable, name, value, None, mutable, borrow, strict, loose)
        for variable, name, value, mutable, borrow, strict, loose in said
    ]
    outputs = [Out(variable, borrow) for variable, borrow in given]
    updates = [tuple(it) for it in updates]
    return _made({**recipe, "inputs": inputs, "outputs": (outputs, results), "updates": updates})
