"""What pyright makes of the stubs: every name, their own consistency, and programs of users."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from types import ModuleType
from typing import Any

import opwright
import pytest
from type_checkers import PACKAGE, needs_pyright, pyright

ROOT = Path(__file__).parents[2]
MODULES = ["nn", "nn.functional", "linalg", "fft", "special", "signal", "autograd", "func", "graph"]
MODULES += ["types", "extending", "typed", "masked", "optim", "array_api", "c", "testing"]


pytestmark = needs_pyright

PROGRAM = """\
from typing import assert_type

import opwright
from opwright import In, Mode, Size, Tensor, TensorType, graph, nn
from opwright.graph import Variable

x = opwright.ones(2, 3, requires_grad=True)
assert_type(x, Tensor)
assert_type(x.shape, Size)
assert_type(x + 1, Tensor)
assert_type(1 - x, Tensor)
assert_type(x.sum(), Tensor)
assert_type(x.max(dim=1).indices, Tensor)
assert_type(opwright.norm(x), Tensor)
assert_type(opwright.nonzero(x, as_tuple=True), tuple[Tensor, ...])
assert_type(f"{x:.2f}", str)
assert_type(x._repr_html_(), str)
opwright.set_progress(None)
(gradient,) = opwright.autograd.grad(x.sum(), [x])
print(gradient.shape)

model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
assert_type(model._repr_html_(), str)
for parameter in model.parameters():
    assert_type(parameter, nn.Parameter)
optimizer = opwright.optim.Adam(model.parameters(), lr=1e-3)
with opwright.no_grad():
    optimizer.zero_grad()

v = TensorType("float64", (None, 3))("v")
step = opwright.function([In(v)], v * 2, mode=Mode("block"), name="step")
assert_type(step.inputs, list[Variable])


@graph.rewrite("sub.Tensor(a, a)")
def cancel(a):
    return opwright.zeros_like(a)


@opwright.jit
def twice(number: float) -> float:
    return number * 2


print(opwright.__version__, opwright.types.float64, twice(1.0), opwright.float32.itemsize)
"""

WRONG = """\
import opwright

x = opwright.ones(2)
x.no_such_method()
opwright.no_such_function(x)
opwright.sum(x, dim="rows")
opwright.relu()
"""


OWN_FUNCTION = """\
from typing import Any

from opwright import Tensor
from opwright.autograd import Function


class Scaled(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, by: float) -> Tensor:
        return x * by

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad, None

    @staticmethod
    def vmap(info: Any, in_dims: tuple[Any, ...], x: Tensor, by: float) -> Any:
        return Scaled.apply(x, by), in_dims[0]
"""


def copied(folder: Path) -> Path:
    """The package, without what is native."""
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    return shutil.copytree(PACKAGE, folder / "opwright", ignore=ignored)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What pyright reports of each file: one run reads the stubs once."""
    folder = tmp_path_factory.mktemp("programs")
    copied(folder)
    shutil.copy(ROOT / "examples/throw.py", folder)
    for name, text in {"program": PROGRAM, "wrong": WRONG, "names": program_of_names()}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    settings = {
        "include": ["*.py", "opwright/**/*.pyi", "opwright/__init__.py"],
        "pythonVersion": "3.11",
        "typeCheckingMode": "standard",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    found = pyright(folder)
    assert found["summary"]["filesAnalyzed"] > 10
    by_file: dict[str, list[dict[str, Any]]] = {}
    for report in found["generalDiagnostics"]:
        path = Path(report["file"]).relative_to(folder.resolve())
        by_file.setdefault(str(path), []).append(report)
    return by_file


def errors(reports: list[dict[str, Any]]) -> list[str]:
    """The errors among them, by line."""
    return [
        f"{it['range']['start']['line'] + 1}: {it['message']}"
        for it in reports
        if it["severity"] == "error"
    ]


def test_stubs_and_programs_are_consistent(reports: dict[str, list[dict[str, Any]]]) -> None:
    found = {it: errors(several) for it, several in reports.items() if it != "wrong.py"}
    assert {it: several for it, several in found.items() if several} == {}


def test_sources_as_stubs_are_consistent(tmp_path: Path) -> None:
    """Packages of others have sources as stubs, and in a stub pyright follows no branch."""
    printer = (ROOT / "codegen/src/print/python/package.rs").read_text(encoding="utf-8")
    (names,) = re.findall(r"const WRITTEN: .* = sources!\[(.*?)\];", printer, re.DOTALL)
    (settings,) = re.findall(r'const BODIES: &str = "\\\n(.*?)";', printer, re.DOTALL)
    package = copied(tmp_path)
    for name in re.findall(r'"(.*?)"', names):
        source = package / f"{name}.py"
        stub = source.with_suffix(".pyi")
        stub.write_text(f"{settings}\n{source.read_text(encoding='utf-8')}", encoding="utf-8")
    written = ROOT / "codegen/src/print/python/package/autograd/function.pyi"
    shutil.copy(written, package / "autograd")
    (tmp_path / "program.py").write_text(OWN_FUNCTION, encoding="utf-8")
    include = ["program.py", "opwright/**/*.pyi"]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": include}))
    reported = pyright(tmp_path)
    assert errors(reported["generalDiagnostics"]) == []
    assert reported["summary"]["filesAnalyzed"] > 50


def test_mistakes_are_found(reports: dict[str, list[dict[str, Any]]]) -> None:
    lines = {it.partition(":")[0] for it in errors(reports["wrong.py"])}
    assert lines == {"4", "5", "6", "7"}


@cache
def names() -> tuple[str, ...]:
    """What people write of the module, its submodules and tensors."""
    return tuple(_names())


def _names() -> Iterator[str]:
    yield from (f"opwright.{it}" for it in dir(opwright) if is_declared(it))
    for name in MODULES:
        module = importlib.import_module(f"opwright.{name}")
        public = getattr(module, "__all__", None) or dir(module)
        yield from (f"opwright.{name}.{it}" for it in public if not it.startswith("_"))
    yield from (f"opwright.Tensor.{it}" for it in dir(opwright.Tensor) if not it.startswith("_"))


def is_declared(name: str) -> bool:
    """Whether a name of the package is public, and there without an import of its own."""
    text = Path(opwright.__file__).read_text(encoding="utf-8")
    is_module = isinstance(getattr(opwright, name), ModuleType)
    return not name.startswith("_") and (not is_module or f"import {name} as {name}\n" in text)


def program_of_names() -> str:
    """A program that asks for the type of each."""
    imports = [f"import opwright.{it}" for it in MODULES]
    asked = [f"reveal_type({it})" for it in names()]
    return "\n".join(["import opwright", *imports, *asked, ""])


def test_every_name_is_what_it_is_at_run_time(reports: dict[str, list[dict[str, Any]]]) -> None:
    told = dict(filter(None, (revealed(it["message"]) for it in reports["names.py"])))
    assert told.keys() == set(names())
    assert {it: text for it, text in told.items() if text == "Unknown"} == {}
    wrong = {it: text for it, text in told.items() if not agrees(text, value_of(it))}
    assert wrong == {}


def revealed(message: str) -> tuple[str, str] | None:
    """The name and the type of `Type of "opwright.e" is "float"`."""
    found = re.fullmatch(r'Type of "([\w.]+)" is "(.*)"', message, re.DOTALL)
    return None if found is None else (found[1], found[2])


def value_of(name: str) -> Any:
    return reduce(getattr, name.split(".")[1:], opwright)


def agrees(text: str, value: Any) -> bool:
    """Whether a type can be that of a value: a module, or a function with these parameters."""
    if isinstance(value, ModuleType):
        return text.startswith("Module(")
    if inspect.isfunction(value) and text.startswith("("):
        names = parameters(text)
        # Positional ones have no names there.
        return names is None or names == list(inspect.signature(value).parameters)
    return value is None or text != "None"


def parameters(text: str) -> list[str] | None:
    """The names of parameters of `(x: Tensor, *, dim: int = 0) -> Tensor`."""
    found, depth, start = [], 0, 1
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if (letter == "," and depth == 1) or (letter == ")" and depth == 0):
            found.append(text[start:at].strip())
            start = at + 1
        if depth == 0:
            break
    if any(it == "..." or (it and it not in ("*", "/") and ":" not in it) for it in found):
        return None
    return [it.partition(":")[0].lstrip("*") for it in found if it not in ("", "*", "/")]
