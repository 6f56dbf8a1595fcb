"""The package around the native module: where functions are found, and by which names."""

from __future__ import annotations

import doctest
import importlib
import inspect
import operator
import os
import pickle
import pydoc
import subprocess
import sys
from pathlib import Path
from typing import Any

import opwright
import pytest
from opwright import _C
from opwright._functions import in_place_of, native_of, publish
from opwright.testing._operator import find

ROOT = Path(__file__).parents[2]

SUBMODULES = {"fft": "fft_", "linalg": "linalg_", "special": "special_", "nn.functional": ""}


@pytest.mark.parametrize("name", SUBMODULES)
def test_functions_of_submodules_go_without_its_name(name: str) -> None:
    module = importlib.import_module(f"opwright.{name}")
    homes = ["_nn", "_nn_functional"] if name == "nn.functional" else [f"_{name}"]
    natives = [it for home in homes if (it := vars(opwright._C).get(home))]
    native_names = {it for native in natives for it in vars(native) if not it.startswith("_")}
    public = {it: getattr(module, it) for it in module.__all__}
    found = {it: value for it, value in public.items() if not inspect.isclass(value)}
    written = {it for it, function in found.items() if native_of(function) is not function}
    names = {it.removeprefix(SUBMODULES[name]) for it in native_names}
    # Functions of several operators, which no native one stands behind.
    composed = {it for it, function in found.items() if inspect.isfunction(function)} - written
    assert not composed & names
    assert set(found) - written - composed == names - written
    for function in found.values():
        assert inspect.isbuiltin(native_of(function)) or function.__name__ in composed
        assert pickle.loads(pickle.dumps(function)) is function


def test_functional_has_what_the_package_has() -> None:
    assert opwright.nn.functional.tanh is opwright.tanh
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        opwright.nn.functional.nothing_of_this_name  # noqa: B018


def test_nothing_hides_a_native_function_without_saying_so() -> None:
    def erf(input: opwright.Tensor) -> opwright.Tensor:
        return input

    names: dict[str, Any] = {"__name__": "opwright.special", "erf": erf}
    with pytest.raises(NameError, match="erf has the name of a native function"):
        publish(names, "_special", prefix="special_")
    names["erf"] = in_place_of(opwright._C._special.special_erf)(erf)
    assert "erf" in publish(names, "_special", prefix="special_")
    assert names["erf"] is erf
    assert names["entr"] is opwright.special.entr


WRITTEN = [
    function
    for module in (opwright, opwright.nn.functional, opwright.Tensor)
    for name, function in sorted(vars(module).items())
    if native_of(function) is not function
]


@pytest.mark.parametrize("function", WRITTEN, ids=lambda it: f"{it.__module__}.{it.__qualname__}")
def test_functions_of_python_say_what_they_take(function: Any) -> None:
    assert len(WRITTEN) > 10
    signature = inspect.signature(function)
    assert opwright.get_overloads(function) == [signature]
    # Whoever subclasses tensors need not know which functions are native.
    assert find(function).function is native_of(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty
    text = pydoc.render_doc(function, renderer=pydoc.plaintext)
    assert str(signature) in text.replace("\n", "")
    assert function.__doc__
    test = doctest.DocTestParser().get_doctest(
        function.__doc__, {"opwright": opwright}, function.__name__, None, 0
    )
    assert test.examples or "What `opwright." in function.__doc__
    assert not doctest.DocTestRunner().run(test).failed


def test_a_call_of_a_function_of_python_is_explained() -> None:
    x = opwright.ones(2)
    explanation = opwright.explain(opwright.nn.functional.mse_loss, x, x, reduction="sum")
    assert str(explanation.overload).startswith("mse_loss(input: ")
    assert "reduction = 'sum'" in str(explanation)
    explanation = opwright.explain(opwright.nn.functional.mse_loss, x)
    assert explanation.overload is None
    assert "missing a required argument: 'target'" in str(explanation)


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
    assert opwright.Tensor.add.__qualname__ == "Tensor.add"


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


def reserved(section: str) -> dict[str, str]:
    """What the names that no operator may have belong to, as the generator knows them."""
    text = (ROOT / "codegen/src/reserved.txt").read_text()
    lines = text.split(f"[{section}]\n")[1].split("\n[")[0].splitlines()
    kinds = [line.split(": ") for line in lines if ": " in line]
    names = {name: kind for kind, names in kinds for name in names.split()}
    if section == "module":
        names |= dict.fromkeys(dtype_names(), "dtype")
        names |= dict.fromkeys(native_storages(), "internal name")
    return names


def dtype_names() -> set[str]:
    """What the generator knows from its table: dtypes, types of tensors, storages."""
    kinds = (opwright.dtype, opwright.tensortype)
    storages = {it.removeprefix("_").removesuffix("Base") for it in native_storages()}
    return storages | {name for name, it in vars(_C).items() if isinstance(it, kinds)}


def native_storages() -> set[str]:
    """The bases of storages of each dtype."""
    return {base.__name__ for base, dtype, _ in _C._storages if dtype is not None}


def is_language_operator(name: str) -> bool:
    """Whether an operator may stand behind this method, as `add` does behind `__radd__`."""
    reflected = name.replace("__r", "__", 1)
    return any(hasattr(operator, it) for it in (name, reflected)) or name == "__setitem__"


def test_every_member_that_is_no_operator_is_reserved() -> None:
    operators = set(_C._operators)
    members = {it for it in {*dir(opwright), *dir(_C)} - operators if not it.startswith("_")}
    methods = {it for it in dir(opwright.Tensor) if f"Tensor.{it}" not in operators} - operators
    # What `copyreg` remembers in a class whose instances were copied is not ours.
    methods = {it for it in methods if not is_language_operator(it)} - {"__slotnames__"}
    assert members - reserved("module").keys() == set()
    assert methods - reserved("tensor").keys() == set()


def test_nothing_is_reserved_that_is_not_there() -> None:
    # Packages have names before they are there; some attributes depend on how Python was started.
    kept = ("package", "internal name", "special method")
    named = {it for it, kind in reserved("module").items() if kind not in kept}
    assert named - {*dir(opwright)} == set()
    named = {it for it, kind in reserved("tensor").items() if kind not in kept}
    assert named - {*dir(opwright.Tensor)} == set()


def test_no_operator_is_called_like_something_else() -> None:
    functions = {it for it in _C._operators if "." not in it}
    methods = {it.removeprefix("Tensor.") for it in _C._operators if it.startswith("Tensor.")}
    assert functions & reserved("module").keys() == set()
    assert methods & reserved("tensor").keys() == set()


def test_the_library_does_not_say_where_it_was_built(capsys: pytest.CaptureFixture[str]) -> None:
    opwright.show_config()
    if "optimization level: 3" not in capsys.readouterr().out:
        pytest.skip("what is handed out is a release")
    text = Path(_C.__file__).read_bytes()
    home = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    for path in (ROOT, home):
        assert os.fsencode(path) not in text, f"{path} stands in {_C.__file__}"
