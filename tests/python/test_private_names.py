"""No message of the public interface names what its reader never wrote.

Every function, method and class of the package is called wrongly, in several ways. Of the words of
a message each must stand in what people see: the name of what was called, its parameters, what was
passed. A list of words that only the inside has is looked for, and a message that begins with a
call names the function or the class that was called.
"""

import contextlib
import importlib
import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import opwright
import pytest

MODULES = [
    "opwright",
    "nn",
    "nn.functional",
    "nn.init",
    "nn.utils",
    "nn.utils.parametrizations",
    "nn.utils.parametrize",
    "nn.utils.rnn",
    "optim",
    "optim.lr_scheduler",
    "linalg",
    "fft",
    "special",
    "autograd",
    "autograd.function",
    "autograd.functional",
    "autograd.graph",
    "autograd.anomaly_mode",
    "graph",
    "types",
    "testing",
    "c",
    "cuda",
    "return_types",
    "array_api",
    "array_api.linalg",
    "array_api.fft",
]

# What only the inside has, whatever was called.
INSIDE = re.compile(
    r"""
    \b_C\b | \b_functional\b | \b_nn\b | TensorBase | ZeroDivisionError | getbuffer
    | \b(?:i64|u64|i32|u8|f64|f32|usize|isize|Vec|Option|Arc|Box|String|PyAny|PyErr|Bound)\b
    | panicked | unwrap | \bRust\b | \.rs\b | \bself_\b | __arg\d | internal\ error
    """,
    re.VERBOSE,
)
# Names of operators that go with a submodule.
SUBMODULE = re.compile(r"\b(?:linalg|fft|special)_\w+\(")
# What is only right where the signature has it.
PARAMETERS = re.compile(
    r"(?<!\()\b(mat1|mat2|batch1|batch2|tensor1|tensor2|vec1|vec2|self|lhs|rhs|src1|src2|x1|x2)\b"
)
# Functions of Python's own protocols, and what ends the process or changes it for other tests.
LEFT_OUT = {
    "set_default_dtype",
    "set_num_threads",
    "manual_seed",
    "set_rng_state",
    "seed",
    "set_printoptions",
    "set_progress",
    "use_deterministic_algorithms",
    "set_default_device",
    "typeof_hook",
}


def public() -> Iterator[tuple[str, Any]]:
    """Everything that people can call, by its name."""
    seen: set[int] = set()
    for name in MODULES:
        path = name if name == "opwright" else f"opwright.{name}"
        try:
            module = importlib.import_module(path)
        except ImportError:
            continue
        listed = getattr(module, "__all__", None) or [
            it for it in dir(module) if not it.startswith("_")
        ]
        for each in sorted(listed):
            found = getattr(module, each, None)
            home = getattr(found, "__module__", None) or ""
            is_ours = home.startswith("opwright") or type(found) is type(len)
            if not callable(found) or not is_ours or id(found) in seen or each in LEFT_OUT:
                continue
            if inspect.isclass(found) and issubclass(found, BaseException):
                continue
            seen.add(id(found))
            yield f"{path}.{each}", found
    for each in sorted(dir(opwright.Tensor)):
        if each.startswith("_") or each in LEFT_OUT:
            continue
        found = inspect.getattr_static(opwright.Tensor, each)
        if callable(getattr(opwright.Tensor, each)) and not isinstance(found, type):
            yield f"opwright.Tensor.{each}", getattr(opwright.Tensor, each)


def wrong_arguments() -> list[tuple[list[Any], dict[str, Any]]]:
    """Arguments of several kinds, each wrong for nearly everything."""
    stranger = object()
    x = opwright.ones(2, 3)
    odd = opwright.ones(4, 5, 6)
    whole = opwright.tensor([1, 2])
    learnt = opwright.ones(3, requires_grad=True)
    return [
        ([stranger], {}),
        ([stranger, stranger], {}),
        (["text"], {}),
        (["text", 3], {}),
        ([{}], {}),
        ([x, stranger], {}),
        ([x, "text"], {}),
        ([x, odd], {}),
        ([x, odd, x], {}),
        ([odd, x, odd], {}),
        ([whole, 0], {}),
        ([whole, whole * 0], {}),
        ([x, whole], {}),
        ([x, whole, x], {}),
        ([learnt, 77], {}),
        ([x, -77], {}),
        ([x, 2**70], {}),
        ([x, 1.5], {}),
        ([x, None], {}),
        ([x, [1, "a"]], {}),
        ([[1, "a"]], {}),
        ([opwright.empty(0), 3], {}),
        ([opwright.ones(2, 2, dtype=opwright.complex64), 3], {}),
        ([np.ones((2, 2), dtype="O"), 1], {}),
        ([x], {"no_such_keyword": 1}),
    ]


def parameters_of(function: Callable[..., Any]) -> set[str]:
    """The names of its parameters, as people see them."""
    names: set[str] = set()
    with contextlib.suppress(TypeError, ValueError, AttributeError):
        for each in opwright.get_overloads(function):
            names |= set(each.parameters)
    with contextlib.suppress(TypeError, ValueError):
        names |= set(inspect.signature(function).parameters)
    if inspect.isclass(function) and issubclass(function, opwright.nn.Module):
        names |= set(inspect.signature(function.forward).parameters)
    # Where a number may stand in the first place, the parameter is called so.
    is_bound = inspect.ismethoddescriptor(function) or inspect.isclass(function)
    return names - {"self"} if is_bound else names


# What a message begins with that names a function.
CALLED = re.compile(r"((?:\w+\.)*\w+)\(\)")
# Classes that go by the name of the one that people derive from or make, and what makes classes.
OTHER_NAMES = {"TensorBase", "Variable", "Storage", "StorageBase", "FunctionMeta", "tensortype"}
# What hands arguments on to what people know better: `x[key]`, the truth of an argument.
OTHER_NAMES |= {"set_item", "typeof_hook", "register_shape_i_c_code"}


def other_name(name: str, function: Any, text: str) -> str | None:
    """The name that a message begins with, if it is not that of what was called."""
    short = name.rpartition(".")[2]
    called = CALLED.match(text)
    if called is None or short in OTHER_NAMES or not hasattr(function, "__name__"):
        return None
    said = called[1].removesuffix(".__init__").removesuffix(".__new__")
    return None if said.rpartition(".")[2] == short else called[1]


def complaints(name: str, function: Any) -> Iterator[str]:
    """Messages that name the inside."""
    names = parameters_of(function)
    receiver = [opwright.ones(2, 3)] if name.startswith("opwright.Tensor.") else []
    for args, kwargs in wrong_arguments():
        is_made = False
        try:
            made = function(*receiver, *args, **kwargs)
            is_made = True
            if isinstance(made, opwright.nn.Module):
                made(*args)
        except (Exception, SystemExit) as error:
            text, kind = str(error), type(error).__name__
            other = None if is_made else other_name(name, function, text)
        else:
            continue
        shown = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", lambda it: it[0][1:-1], text)
        found = {it[0] for it in INSIDE.finditer(shown)}
        found |= set(SUBMODULE.findall(shown))
        found |= {it for it in PARAMETERS.findall(shown) if it not in names}
        found |= {other} if other else set()
        if found:
            yield f"{name}{tuple(args)!r:.90}: {sorted(found)}: {kind}: {text}"


EVERY = int(os.environ.get("OPWRIGHT_EVERY", "7"))


@pytest.mark.skipif(sys.flags.optimize > 1, reason="needs docstrings")
@pytest.mark.parametrize("part", range(4))
def test_messages_name_what_people_wrote(part: int) -> None:
    called = 0
    told: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, function in [*public()][part :: 4 * EVERY]:
            called += 1
            told += complaints(name, function)
    assert called > 5
    assert not told, f"{len(told)}:\n" + "\n".join(told)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: opwright.nn.Linear(3, 2)(opwright.ones(4, 5)), r"input of shape \[4, 5\]"),
        (lambda: opwright.ones(2, 3) @ opwright.ones(4, 5), r"2x3 and 4x5"),
        (lambda: opwright.ones(2, 2, 3) @ opwright.ones(2, 4, 5), r"2x2x3 and 2x4x5"),
        (lambda: opwright.nn.Linear("a", 3), r"Linear\(\): argument 'in_features' must be int"),
        (lambda: opwright.nn.LayerNorm("ab"), r"LayerNorm\(\): argument 'normalized_shape'"),
        (lambda: opwright.nn.Embedding(-1, 2), r"'num_embeddings' must not be negative"),
        (lambda: opwright.fmod(opwright.tensor([1]), 0), "integers cannot be divided by zero"),
        (lambda: np.sin(opwright.ones(2, requires_grad=True)), "^others cannot use the memory"),
    ],
)
def test_some_of_them(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(Exception, match=text) as caught:
        call()
    assert not INSIDE.search(str(caught.value))
    assert not PARAMETERS.search(str(caught.value))
