"""What has to hold of calls from Python; the native module looks at the kernels itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from opwright.testing._operator import Operator, Overload, named
from opwright.testing._schema import Schema, Slot

# What is passed: positional arguments and keywords.
Call = tuple[list[Any], dict[str, Any]]

# What the message of a panic has in it.
PANIC = "(): internal error: "

_KINDS: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "SymInt": int,
    "bool": bool,
    "float": float,
    "str": str,
    "Scalar": (int, float, complex),
}


@dataclass
class Trial:
    """A call that the kernel takes, made from Python."""

    operator: Operator
    overload: Overload
    schema: Schema
    # Makes the arguments anew, by the names of the schema; what it leaves out has its default.
    make: Callable[[], dict[str, Any]]
    passed: dict[str, Any]
    result: Any

    @property
    def results(self) -> list[Any]:
        """What was returned for each of the schema's results."""
        count = len(self.schema.results)
        if count == 1:
            return [self.result]
        return list(self.result) if count else []


def problems(
    operator: Operator, overload: Overload, make: Callable[[], dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """The check and the text of each thing that does not hold of a call."""
    if overload.base is None:
        return
    given = make()
    call = bound(overload, given)
    if call is None:
        yield "signature", f"{overload.text} has no place for each of {list(given)}"
        return
    try:
        result = run(operator, call)
    except Exception as error:
        is_panic = isinstance(error, RuntimeError) and PANIC in str(error)
        check = "wrong arguments" if is_panic else "results"
        text = f"{type(error).__name__}: {error}"
        yield check, f"raises {text}, and {overload.base.name} takes the same arguments"
        return
    trial = Trial(operator, overload, overload.base, make, given, result)
    for name, check_of in CHECKS.items():
        try:
            texts = list(check_of(trial))
        except Exception as error:
            texts = [f"raises {type(error).__name__}: {error}"]
        yield from ((name, text) for text in texts)


def bound(overload: Overload, given: dict[str, Any]) -> Call | None:
    """The arguments as the signature takes them; nothing if it has no place for one."""
    rest = dict(given)
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for at, (name, parameter) in enumerate(overload.signature.parameters.items()):
        key = _key(rest, name)
        if key is None:
            continue
        value = rest.pop(key)
        if parameter.kind is parameter.KEYWORD_ONLY or len(args) < at:
            # Python's own keywords are told apart where they are names of parameters.
            kwargs[key if name == f"{key}_" else name] = value
        else:
            args.append(value)
    return None if rest else (args, kwargs)


def _key(given: dict[str, Any], name: str) -> str | None:
    """The schema's name of a parameter, if an argument is given for it."""
    # The parameter of a function that is the receiver of a method has another name in Python.
    names = [name, name.removesuffix("_"), *(["self"] if name == "input" else [])]
    return next((it for it in names if it in given), None)


def run(operator: Operator, call: Call, **more: Any) -> Any:
    """Makes the call, with further keywords if there are any; random numbers start anew."""
    operator.native.default_generator.manual_seed(1)
    args, kwargs = call
    return operator.function(*args, **kwargs, **more)


def again(trial: Trial, **more: Any) -> Any:
    """The result of the call made again."""
    call = bound(trial.overload, trial.make())
    assert call is not None, "it was possible before"
    return run(trial.operator, call, **more)


def results(trial: Trial) -> Iterator[str]:
    """As many as the schema says, each of its type, and those of the overload itself."""
    declared = trial.schema.results
    if not declared and trial.result is not None:
        yield f"returns {type(trial.result).__name__}, declared is nothing"
    if len(declared) > 1 and len(trial.result) != len(declared):
        yield f"returns {len(trial.result)} values, declared are {len(declared)}"
        return
    fields = [it.name for it in declared]
    if len(declared) > 1 and all(fields) and list(trial.result._fields) != fields:
        yield f"returns the fields {trial.result._fields}, declared are {fields}"
    for slot, value in zip(declared, trial.results, strict=True):
        if not _fits(trial, slot, value):
            yield f"returns {type(value).__name__}, declared is {slot.type}"
    overload = row(trial.operator.native, trial.schema)
    trial.operator.native.default_generator.manual_seed(1)
    if shown(overload(**trial.make())) != shown(trial.result):
        yield f"returns something else than `ops.{overload.__name__}`"


def _fits(trial: Trial, slot: Slot, value: Any) -> bool:
    if slot.type == "Tensor":
        return isinstance(value, trial.operator.native.TensorBase)
    if slot.type.startswith("Tensor["):
        return isinstance(value, (list, tuple)) and len(tensors(value)) == len(value)
    kind = _KINDS.get(slot.type)
    return kind is None or isinstance(value, kind)


def row(native: ModuleType, schema: Schema) -> Any:
    """The overload as an object."""
    namespace, _, base = schema.name.rpartition("::")
    if namespace:
        return getattr(getattr(native.ops, namespace), base.replace(".", "_"))
    base, _, overload = base.partition(".")
    return getattr(getattr(native.ops, base), overload or "default")


def shown(value: Any) -> Any:
    """What can be compared of a result; elements that are no numbers are alike."""
    if isinstance(value, (list, tuple)):
        return [shown(it) for it in value]
    if hasattr(value, "untyped_storage"):
        return str(value.dtype), tuple(value.shape), repr(value.tolist())
    return repr(value) if isinstance(value, (int, float, complex, str)) else type(value)


def mutation(trial: Trial) -> Iterator[str]:
    """What is written to is what is returned."""
    for slot, value in zip(trial.schema.results, trial.results, strict=True):
        written = [
            it
            for param in trial.schema.params
            if param.sets & slot.sets and param.writes
            for it in tensors(trial.passed.get(param.name))
        ]
        if slot.writes and not all(any(it is one for one in written) for it in tensors(value)):
            yield "returns another tensor than the one it writes to"


def out(trial: Trial) -> Iterator[str]:
    """`out=` receives what is returned without it, and is returned, if anything is."""
    if trial.overload.out is None:
        return
    native, expected = trial.operator.native, tensors(trial.result)
    targets = [native.tensor([], dtype=it.dtype) for it in expected]
    is_one = not isinstance(trial.result, (list, tuple))
    got = again(trial, out=targets[0] if is_one else tuple(targets))
    returned = targets if trial.overload.out.results else []
    if list(map(id, tensors(got))) != list(map(id, returned)):
        yield "does not return the tensors of 'out'"
    if shown(targets) != shown(expected):
        yield "'out' receives something else than what is returned without it"


def in_place(trial: Trial) -> Iterator[str]:
    """The in-place form returns its tensor."""
    operator = trial.operator
    name = operator.name.removeprefix("Tensor.") + "_"
    forms = (it for it in (f"Tensor.{name}", name) if operator.native._signatures(it))
    form, call = next(forms, None), bound(trial.overload, trial.make())
    if form is None or call is None or not call[0] or trial.schema.results[0].writes:
        return
    try:
        got = run(named(operator.native, form), call)
    except (TypeError, ValueError, IndexError, RuntimeError, OverflowError):
        # Whether it may refuse the call is known to the native module.
        return
    if got is not call[0][0]:
        yield "in place it does not return its tensor"


def tensors(value: Any) -> list[Any]:
    """The tensors in an argument or a result."""
    if isinstance(value, (list, tuple)):
        return [tensor for it in value for tensor in tensors(it)]
    return [value] if hasattr(value, "untyped_storage") else []


CHECKS: dict[str, Callable[[Trial], Iterator[str]]] = {
    "results": results,
    "mutation": mutation,
    "out=": out,
    "in-place": in_place,
}
