"""Functions that are compiled from graphs, and the shared variables that they update.

>>> x = opwright.TensorType("float64", (None,))("x")
>>> twice = opwright.function([x], x + x)
>>> twice([1.0, 2.5])
tensor([2., 5.], dtype=float64, shape=(2,))
"""

from __future__ import annotations

from .. import _C
from .._progress import Progress
from ._function_spec import In as In
from ._function_spec import Out as Out
from ._function_spec import input_of, outputs_of, pairs_of, updates_of
from ._function_text import c_source, explain
from ._modes import Mode as Mode
from ._modes import among, mode_of
from ._printing import dprint, html_of_notebooks, svg_of_notebooks
from ._profiles import Profile
from ._shared_variables import SharedVariable as SharedVariable
from ._shared_variables import shared as shared
from ._spec_completion import complete

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .._C._graph import Apply, Function, Variable
    from ._function_spec import _FunctionSpec
    from ._rewrites import _Replacements

_graph = _C._graph
if not TYPE_CHECKING:
    Function = _graph.Function


def function(
    inputs: Iterable[Variable | In],
    outputs: object = None,
    *,
    updates: _Replacements | None = None,
    givens: _Replacements | None = None,
    mode: Mode | str | None = None,
    name: str | None = None,
    on_unused_input: str = "raise",
    allow_input_downcast: bool | None = None,
    no_default_updates: bool | Iterable[SharedVariable] = False,
    accept_inplace: bool = False,
    reuse_outputs: bool = False,
    profile: bool = False,
    _keep_spec: bool = True,
) -> Function:
    """Return a function that computes `outputs` of `inputs`, and then updates shared variables.

    Parameters
    ----------
    inputs
        A list or tuple of variables, and of `In` with options.
    outputs
        A variable, a value or an `Out`, whose result is returned itself; a list of them, whose
        results are a list; a dictionary by names, whose results are one; or `None`.
    updates
        A dictionary, or pairs: shared variables, and their values after a call.
    givens
        A dictionary, or pairs: variables, and what takes the place of each in the graph.
    mode
        How the function is made simpler and how it runs: a `Mode`, or its name.
    name
        The name of the function in messages; by default `"function"`.
    on_unused_input
        What happens if nothing depends on an input: `"raise"`, `"warn"` or `"ignore"`.
    allow_input_downcast
        Whether arguments may lose precision, for inputs whose `In` does not say it. With `None`,
        the type of the input decides.
    no_default_updates
        Whether shared variables keep their values in spite of their default updates: all of them
        with `True`, or those that are listed.
    accept_inplace
        Whether the graph may have operators that write to their inputs.
    reuse_outputs
        Whether results may take the memory of earlier results that nobody else has.
    profile
        Whether times are noted, as with the mode `"profile"`.

    Returns
    -------
    Function
        The compiled function.

    Raises
    ------
    TypeError
        An argument is of the wrong class, or a new value is not of the type of its variable.
    ValueError
        An input or an update is there twice; `mode` or `on_unused_input` is no such word.
    MissingInput
        The outputs depend on a variable that is not given.
    UnusedInput
        Nothing depends on an input, and `on_unused_input` is `"raise"`.
    """
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"function(): inputs are a list, not {type(inputs).__name__}")
    spec: _FunctionSpec = {
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
    return made_of(complete(spec), _keep_spec)


def made_of(spec: _FunctionSpec, is_kept: bool = True) -> Function:
    """Return the function of a spec that is complete."""
    loose = spec["allow_input_downcast"]
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
        for it in spec["inputs"]
    ]
    outputs, results = spec["outputs"]
    mode = spec["mode"]
    in_c = mode.name == "c"
    try:
        with Progress(f"compiling function {spec['name']!r}"):
            made = _graph.function(
                spec["name"],
                inputs,
                [(it.variable, it.borrow) for it in outputs],
                results,
                spec["updates"],
                optimizer=mode.optimizer,
                fused=mode.fuse,
                per_node=mode.blocks == "per_op" and not in_c,
                debug=mode.name == "debug",
                profile=mode.name == "profile",
                reuse=spec["reuse_outputs"],
                on_event=mode.on_event,
                accept_inplace=bool(spec["accept_inplace"]),
                check_input=bool(mode.check_input),
                threads=mode.threads or 0,
                spec=spec if is_kept else None,
                compiled=mode if in_c or mode.name == "debug" else None,
            )
    except Exception as error:
        error.add_note(f"while function {spec['name']!r} was made")
        raise
    return made


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

    def toposort(self) -> list[Apply]:
        """Return the nodes in the order in which they run."""
        return self._of.toposort()

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture on white."""
        return html_of_notebooks(self._of)

    def _repr_svg_(self) -> str | None:
        """The picture, unless the graph is too large for one."""
        return svg_of_notebooks(self._of)


def _profile(made: Function) -> Profile:
    """Return the times that were noted of the calls."""
    noted = made._noted()
    if noted is None:
        raise ValueError(f"{made.name}() notes no times; make it with mode='profile'")
    return Profile(made.name, noted)


def _copy(
    made: Function,
    share_memory: bool = False,
    swap: _Replacements | None = None,
    delete_updates: bool = False,
    name: str | None = None,
) -> Function:
    """Return another function of the graph; `swap` puts shared variables into others' places."""
    spec: Any = dict(made._spec or {})
    if name is not None:
        spec["name"] = name
    if delete_updates:
        spec["updates"] = []
    pairs = pairs_of("swap", swap)
    for old, new in pairs:
        if not (isinstance(old, SharedVariable) and isinstance(new, SharedVariable)):
            raise TypeError("copy(): swap names shared variables, and such to put in their places")
    if pairs:
        outputs, results = spec["outputs"]
        requested = [it.variable for it in outputs] + [new for _, new in spec["updates"]]
        requested = _graph.replace(requested, pairs)
        count = len(outputs)
        outputs = [Out(new, it.borrow) for it, new in zip(outputs, requested, strict=False)]
        spec["outputs"] = (outputs, results)
        swapped = [
            next((new for old, new in pairs if old is key), key) for key, _ in spec["updates"]
        ]
        spec["updates"] = list(zip(swapped, requested[count:], strict=True))
    return made_of(spec)


def _attribute(made: Function, name: str) -> Any:
    """Return an attribute of functions that is written in Python."""
    if name == "graph":
        return Graph(made)
    found = _ATTRIBUTES.get(name)
    if found is None:
        raise AttributeError(f"a function has no attribute {name!r}")
    from functools import partial

    return partial(found, made)


def _dprint(made: Function, **options: Any) -> str | None:
    found: str | None = dprint(made, **options)
    return found


_ATTRIBUTES: dict[str, Callable[..., object]] = {
    "c_source": c_source,
    "copy": _copy,
    "dprint": _dprint,
    "explain": explain,
    "profile": _profile,
    "_repr_html_": html_of_notebooks,
    "_repr_svg_": svg_of_notebooks,
}
