"""Functions that are compiled from graphs, and the shared variables that they update.

>>> x = opwright.TensorType("float64", (None,))("x")
>>> twice = opwright.function([x], x + x)
>>> twice([1.0, 2.5])
tensor([2., 5.], dtype=float64, shape=(2,))
"""

from __future__ import annotations

import warnings
from weakref import WeakKeyDictionary, ref

from . import _C
from ._entries import Place, read_from, written_of
from ._shared import SharedVariable as SharedVariable
from ._shared import filtered, variable_of
from ._shared import shared as shared
from .graph import MissingInput, UnusedInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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


class In:
    """An input of a function, with what is said of it."""

    __slots__ = (
        "allow_downcast",
        "borrow",
        "mutable",
        "name",
        "strict",
        "update",
        "value",
        "variable",
    )

    def __init__(
        self,
        variable: Variable,
        name: str | None = None,
        value: Any = None,
        update: Variable | None = None,
        mutable: bool = False,
        borrow: bool | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
    ):
        if not isinstance(variable, Variable):
            raise TypeError(f"In() takes a variable, not {_class_of(variable)}")
        if mutable and borrow is False:
            raise ValueError("In(): what is mutable is borrowed")
        self.variable = variable
        self.name = variable.name if name is None else name
        self.value = value
        self.update = update
        self.mutable = mutable
        self.borrow = mutable if borrow is None else borrow
        self.strict = strict
        self.allow_downcast = allow_downcast
        if update is not None and value is None:
            raise ValueError(f"In({variable}): what is updated needs a value to begin with")
        if update is not None and not isinstance(value, SharedVariable):
            self.value = shared(value, name=self.name, type=variable.type)

    def __repr__(self) -> str:
        return f"In({self.variable})"


class Out:
    """An output of a function; one that is borrowed may be memory that others use."""

    __slots__ = ("borrow", "variable")

    def __init__(self, variable: Any, borrow: bool = False):
        self.variable = variable_of(variable)
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable})"


_MODES = ("block", "per_op", "debug", "profile", "c")


class Mode:
    """How functions are made simpler, and how they run."""

    __slots__ = (
        "blocks",
        "cc",
        "check_input",
        "fuse",
        "name",
        "on_event",
        "optimizer",
        "threads",
    )

    def __init__(
        self,
        name: str = "block",
        *,
        blocks: str = "graph",
        optimizer: str = "full",
        fuse: bool = True,
        on_event: Callable[[str, str], object] | None = None,
        check_input: bool = True,
        threads: int | None = None,
        cc: str | None = None,
    ):
        _among("mode", name, _MODES)
        _among("blocks", blocks, ("graph", "per_op"))
        _among("optimizer", optimizer, ("none", "safe", "full"))
        is_per_op = name == "per_op"
        self.name = name
        self.blocks = "per_op" if is_per_op else blocks
        self.optimizer = optimizer
        may_fuse = optimizer == "full" and not is_per_op and name != "c"
        self.fuse = fuse and may_fuse
        self.on_event = on_event
        self.check_input = check_input
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
            raise TypeError(f"Mode(): threads is a number, not {_class_of(threads)}")
        if threads is not None and threads < 1:
            raise ValueError(f"Mode(): a function needs a thread, not {threads}")
        self.threads = threads
        self.cc = cc

    def __repr__(self) -> str:
        return f"Mode({self.name!r}, blocks={self.blocks!r}, optimizer={self.optimizer!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _mode_of, ({name: getattr(self, name) for name in self.__slots__},)


def _mode_of(settings: dict[str, Any]) -> Mode:
    return Mode(settings.pop("name"), **settings)


def _among(what: str, word: str, words: tuple[str, ...]) -> None:
    if word not in words:
        known = ", ".join(repr(it) for it in words)
        raise ValueError(f"there is no {what} {word!r}; there are {known}")


def _class_of(value: object) -> str:
    return type(value).__name__


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
        raise TypeError(f"function(): inputs are a list, not {_class_of(inputs)}")
    recipe = {
        "inputs": [it if isinstance(it, In) else _input(it) for it in inputs],
        "outputs": _outputs(outputs),
        "updates": _updates(updates),
        "givens": _pairs("givens", givens),
        "mode": _mode(mode, profile),
        "name": "function" if name is None else name,
        "on_unused_input": on_unused_input,
        "allow_input_downcast": allow_input_downcast,
        "no_default_updates": no_default_updates,
        "accept_inplace": accept_inplace,
        "reuse_outputs": reuse_outputs,
    }
    _among("on_unused_input", on_unused_input, ("raise", "warn", "ignore"))
    return _made(_complete(recipe), _keep_recipe)


def _input(given: Any) -> In:
    if not isinstance(given, Variable):
        raise TypeError(f"function(): inputs are variables or In, not {_class_of(given)}")
    return In(given)


def _outputs(outputs: Any) -> tuple[list[Out], Any]:
    """Return the outputs, and how they are handed out: `True` is the only one itself."""

    def out(value: Any) -> Out:
        return value if isinstance(value, Out) else Out(value)

    if outputs is None:
        return [], None
    if isinstance(outputs, dict):
        for key in outputs:
            if not isinstance(key, str):
                raise TypeError(f"function(): names of outputs are texts, not {_class_of(key)}")
        return [out(it) for it in outputs.values()], list(outputs)
    if isinstance(outputs, (list, tuple)):
        return [out(it) for it in outputs], False
    return [out(outputs)], True


def _pairs(what: str, pairs: Any) -> list[tuple[Any, Any]]:
    if pairs is None:
        return []
    found = [tuple(it) for it in (pairs.items() if hasattr(pairs, "items") else pairs)]
    for pair in found:
        if len(pair) != 2 or not isinstance(pair[0], Variable):
            raise TypeError(f"function(): {what} are pairs of a variable and what becomes of it")
    return found


def _updates(updates: Any) -> list[tuple[Variable, Variable]]:
    found: list[tuple[Variable, Variable]] = []
    for key, value in _pairs("updates", updates):
        if not isinstance(key, SharedVariable):
            raise TypeError(f"function(): only shared variables are updated, and {key} is none")
        if any(key is known for known, _ in found):
            raise ValueError(f"function(): {key} is updated twice")
        found.append((key, filtered(key, value, f"function(): the update of {key}")))
    return found


def _mode(mode: Mode | str | None, profile: bool) -> Mode:
    if mode is None or isinstance(mode, str):
        mode = Mode(mode or "block")
    if not isinstance(mode, Mode):
        raise TypeError(f"function(): mode is a Mode or its name, not {_class_of(mode)}")
    if not profile:
        return mode
    if mode.name not in {"block", "profile"}:
        raise ValueError(f"function(): profile=True is a mode of its own, not {mode.name!r}")
    return _mode_of({**mode.__reduce__()[1][0], "name": "profile"})


def _complete(recipe: dict[str, Any]) -> dict[str, Any]:
    """Check it, and put what `givens` and default updates say into the graph."""
    inputs, (outputs, results) = recipe["inputs"], recipe["outputs"]
    seen: list[Variable] = []
    for it in inputs:
        if isinstance(it.variable, SharedVariable) or _is_constant(it.variable):
            raise TypeError(
                f"function(): {it.variable} has a value and is no input; givens= replaces it"
            )
        if any(it.variable is other for other in seen):
            raise ValueError(f"function(): the input {it.variable} is there twice")
        seen.append(it.variable)
    updates = list(recipe["updates"])
    for it in inputs:
        if it.update is not None:
            value = filtered(it.value, it.update, f"function(): the update of {it.variable}")
            updates.append((it.value, value))
    pairs = [(old, _given(old, new)) for old, new in recipe["givens"]]
    wanted = [it.variable for it in outputs] + [value for _, value in updates]
    wanted = _graph.replace(wanted, pairs) if pairs else wanted
    updates = [(key, new) for (key, _), new in zip(updates, wanted[len(outputs) :], strict=True)]
    _add_default_updates(recipe, wanted, updates)
    outputs = [Out(new, it.borrow) for it, new in zip(outputs, wanted, strict=False)]
    recipe = {**recipe, "outputs": (outputs, results), "updates": updates, "givens": []}
    _check_inputs(recipe)
    return recipe


def _given(old: Variable, new: Any) -> Any:
    """What replaces a variable: another one, or a constant of its type."""
    return new if isinstance(new, Variable) else old.type.filter_variable(new)


def _is_constant(variable: Variable) -> bool:
    found: bool = _graph.is_constant(variable)
    return found


def _add_default_updates(
    recipe: dict[str, Any], wanted: list[Variable], updates: list[tuple[Variable, Variable]]
) -> None:
    without = recipe["no_default_updates"]
    if without is True:
        return
    excluded = list(without) if without else []
    given = [it.variable for it in recipe["inputs"]]
    looked = 0
    while True:
        used = _graph.shared_among(given, wanted + [new for _, new in updates])
        fresh = [
            it
            for it in used
            if it.default_update is not None
            and not any(it is key for key, _ in updates)
            and not any(it is other for other in excluded)
        ]
        if not fresh or looked == len(used):
            return
        looked = len(used)
        updates.extend((it, it.default_update) for it in fresh)


def _check_inputs(recipe: dict[str, Any]) -> None:
    given = [it.variable for it in recipe["inputs"]]
    wanted = [it.variable for it in recipe["outputs"][0]]
    wanted += [new for _, new in recipe["updates"]]
    name = recipe["name"]
    missing = _graph.missing(given, wanted)
    if missing is not None:
        raise MissingInput(_missing(name, *missing))
    if recipe["on_unused_input"] == "ignore":
        return
    for at in _graph.unused(given, wanted):
        text = (
            f"{name}(): nothing hangs on the input {given[at]}; leave it out, or say "
            "on_unused_input='ignore'"
        )
        if recipe["on_unused_input"] == "raise":
            raise UnusedInput(text)
        warnings.warn(text, UserWarning, stacklevel=4)


def _missing(name: str, variable: Variable, node: Any) -> str:
    text = f"{name}(): {variable} is not given"
    if node is None:
        return f"{text}; it is an output"
    where = ""
    if node.place is not None:
        file, line, within = node.place
        where = f", built at {file}:{line} in {within}"
    return f"{text}; {node} uses it{where}"


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


# The functions of `eval`, which live as long as their variables: these hang on no object of theirs.
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


class NodeProfile:
    """What was noted of a node."""

    __slots__ = ("bytes", "calls", "node", "op", "place", "time")

    def __init__(self, node: Any, calls: int, time: float, size: int | None):
        self.node = node
        self.op = str(node.op)
        self.calls = calls
        self.time = time
        self.bytes = size
        self.place = node.place


class Profile:
    """Where the time of the calls of a function went."""

    __slots__ = ("calls", "name", "nodes", "total")

    def __init__(self, name: str, noted: Iterable[tuple[Any, int, float, int | None]]):
        self.name = name
        self.nodes = [NodeProfile(*it) for it in noted]
        self.calls = max((it.calls for it in self.nodes), default=0)
        self.total = sum(it.time for it in self.nodes)

    def __str__(self) -> str:
        lines = [f"{self.name}(): {self.calls} calls, {self.total:.6f} s in nodes"]
        for it in sorted(self.nodes, key=lambda it: -it.time):
            share = 100 * it.time / self.total if self.total else 0.0
            size = "" if it.bytes is None else f"  {it.bytes} bytes"
            where = "" if it.place is None else f"  {it.place[0]}:{it.place[1]}"
            lines.append(f"{share:5.1f} %  {it.time:.6f} s  {it.calls} x {it.op}{size}{where}")
        return "\n".join(lines)


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
    pairs = _pairs("swap", swap)
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
    recipe = dict(made._recipe)
    inputs, (outputs, results) = recipe.pop("inputs"), recipe.pop("outputs")
    updates = recipe.pop("updates")
    roots = [it.variable for it in inputs] + [it.variable for it in outputs]
    roots += [it.value for it in inputs if isinstance(it.value, SharedVariable)]
    roots += [it for pair in updates for it in pair]
    number, entries = written_of(roots)
    said = [
        (
            number[it.variable],
            it.name,
            Place(number[it.value]) if isinstance(it.value, SharedVariable) else it.value,
            it.mutable,
            it.borrow,
            it.strict,
            it.allow_downcast,
        )
        for it in inputs
    ]
    given = [(number[it.variable], it.borrow) for it in outputs]
    pairs = [(number[key], number[new]) for key, new in updates]
    return _restored, (entries, said, given, results, pairs, recipe)


def _restored(
    entries: list[Any], said: Any, given: Any, results: Any, pairs: Any, recipe: dict[str, Any]
) -> Function:
    variables = read_from(entries)
    inputs = []
    for at, name, value, mutable, borrow, strict, loose in said:
        value = variables[value.at] if isinstance(value, Place) else value
        variable = variables[at]
        inputs.append(In(variable, name, value, None, mutable, borrow, strict, loose))
    outputs = [Out(variables[at], borrow) for at, borrow in given]
    updates = [(variables[key], variables[new]) for key, new in pairs]
    return _made({**recipe, "inputs": inputs, "outputs": (outputs, results), "updates": updates})
