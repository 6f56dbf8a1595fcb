"""The package around the native module: where functions are found, and by which names."""

from __future__ import annotations

import importlib
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import opwright
import pytest

SUBMODULES = {"fft": "fft_", "linalg": "linalg_", "special": "special_", "nn.functional": ""}


@pytest.mark.parametrize("name", SUBMODULES)
def test_functions_of_submodules_go_without_its_name(name: str) -> None:
    module = importlib.import_module(f"opwright.{name}")
    native = vars(opwright._C).get("_" + name.removesuffix(".functional"))
    native_names = {it for it in vars(native) if not it.startswith("_")} if native else set()
    assert set(module.__all__) == {it.removeprefix(SUBMODULES[name]) for it in native_names}
    for function in map(vars(module).get, module.__all__):
        assert inspect.isbuiltin(function)
        assert pickle.loads(pickle.dumps(function)) is function


def test_functional_has_what_the_package_has() -> None:
    assert opwright.nn.functional.relu is opwright.relu
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        opwright.nn.functional.nothing_of_this_name  # noqa: B018


def test_classes_of_results() -> None:
    result = opwright.sort(opwright.tensor([2, 1]))
    assert type(result) is opwright.return_types.sort
    assert "sort" in dir(opwright.return_types)
    assert pickle.loads(pickle.dumps(result)).indices.tolist() == [1, 0]
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        opwright.return_types.nothing_of_this_name  # noqa: B018


def test_functions_are_bound_to_nothing() -> None:
    assert opwright.add.__module__ == "opwright"
    assert opwright.add.__self__ is None
    assert opwright.add.__name__ == "add"
    assert opwright.Tensor.add.__qualname__ == "TensorBase.add"


def test_the_package_is_typed() -> None:
    folder = Path(opwright.__file__).parent
    assert (folder / "py.typed").is_file()
    assert opwright.__version__ == opwright._C.__version__


def test_importing_brings_little_else():
    code = "import sys; old = set(sys.modules); import opwright; print(*set(sys.modules) - old)"
    # Without the environment's own start-up files, which may import anything.
    run = [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]
    loaded = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
    others = {it for it in loaded if it.partition(".")[0] != "opwright"}
    assert others <= {"math", "operator", "_operator", "__future__"}
