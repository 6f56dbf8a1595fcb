"""The cases of operators, whose form `ops/src/README.md` describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import opwright
from rows import rows

# Where the function of an operator is looked for, with the parameters of its schema.
NAMESPACES = [
    opwright._C,
    opwright._C.TensorBase,
    *(it for name, it in vars(opwright._C).items() if isinstance(it, ModuleType) and name != "ops"),
]

KEYS = {
    "about",
    "absolute",
    "args",
    "contiguous",
    "error",
    "gradients",
    "kwargs",
    "op",
    "result",
    "second_gradients",
    "signs",
    "tolerance",
    "unbound",
    "writes",
}


@dataclass(frozen=True)
class Case:
    """One call and what comes of it."""

    name: str
    text: dict[str, Any]

    def function(self) -> Callable[..., Any]:
        """What Python calls the operator."""
        base = self.text["op"].partition(".")[0]
        for namespace in NAMESPACES:
            found = getattr(namespace, base, None)
            if found is not None:
                return found
        raise LookupError(f"{self.name}: the module has no `{base}`")


def all_cases() -> Iterator[Case]:
    """The cases of all files, in order."""
    for name, text in rows("case"):
        unknown = text.keys() - KEYS
        assert not unknown, f"{name}: unknown keys {unknown}"
        comes = {"result", "gradients", "second_gradients"} & text.keys()
        assert bool(comes) != ("error" in text), f"{name}: either a result or an error"
        yield Case(name, text)


def value(text: Any, reverse_memory: bool = False) -> Any:
    """An argument or a result, from the way it is written."""
    match text:
        case {"tensor": _} | {"shape": _}:
            return tensor(text, reverse_memory)
        case {"complex": [real, imag]}:
            return complex(real, imag)
        case {"dtype": name}:
            return getattr(opwright, name)
        case {"none": True}:
            return None
        case dict():
            raise ValueError(f"not a value: {text}")
        case list():
            return [value(item, reverse_memory) for item in text]
        case _:
            return text


def tensor(text: dict[str, Any], reverse_memory: bool) -> opwright.Tensor:
    """A tensor, from the way it is written."""
    dtype = getattr(opwright, text.get("dtype") or inferred_dtype(text["tensor"]))
    if text.get("device") == "meta":
        return opwright.empty(text["shape"], dtype=dtype, device="meta")
    elements = numbers(text["tensor"])
    made = opwright.tensor(elements, dtype=dtype)
    if "shape" in text:
        made = made.reshape(text["shape"])
    if reverse_memory and made.dim() > 1:
        backwards = list(reversed(range(made.dim())))
        made = made.permute(backwards).contiguous().permute(backwards)
    return made


def numbers(elements: Any) -> Any:
    """Nested lists with complex numbers instead of their text."""
    if isinstance(elements, list):
        return [numbers(element) for element in elements]
    return complex(elements) if isinstance(elements, str) else elements


def inferred_dtype(elements: Any) -> str:
    """The dtype of a tensor that does not say it."""
    kinds = set(np.ravel(np.array(elements, dtype=object)).tolist())
    if all(isinstance(kind, bool) for kind in kinds):
        return "bool"
    return "int64" if all(isinstance(kind, int) for kind in kinds) else "float32"
