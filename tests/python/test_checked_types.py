"""What type checkers make of programs that run."""

import ast
import json
import re
from pathlib import Path

import opwright
import pytest
from type_checkers import mypy, needs_pyright, pyright

pytest.importorskip("mypy")

DECORATED = "".join(
    f"""
@{decorator}
def f{at}(x: int) -> str:
    return str(x)
reveal_type(f{at})  # def (x: int) -> str
"""
    for at, decorator in enumerate(
        (
            "o.enable_grad()",
            "o.enable_grad",
            "o.no_grad()",
            "o.no_grad",
            "o.inference_mode()",
            "o.inference_mode(False)",
            "o.inference_mode",
            "o.set_grad_enabled(True)",
        )
    )
)

TENSORS = "opwright._tensor.Tensor, opwright._tensor.Tensor"

PROGRAM = f"""
import math
import numpy as np
import opwright as o
from opwright import nn
{DECORATED}
x = o.ones(2, 3)
reveal_type(x.shape + (1,))  # opwright._size.Size
reveal_type((1,) + x.shape)  # opwright._size.Size
reveal_type(o.Size([1]) + o.Size([2]))  # opwright._size.Size
reveal_type(divmod(x, 2))  # tuple[opwright._tensor.Tensor, opwright._tensor.Tensor]
reveal_type(round(x, 1))  # opwright._tensor.Tensor
reveal_type(math.trunc(x[0, 0]))  # int
reveal_type(x[::-1])  # opwright._tensor.Tensor
reveal_type(o.chain_matmul(x, x.t()))  # opwright._tensor.Tensor
reveal_type(nn.Sequential(nn.ReLU()) * 2)  # opwright.nn.containers.Sequential
with o.no_grad(), o.inference_mode(True):
    pass
nn.NLLLoss(None, None, 1)
nn.ReLU().register_full_backward_hook(lambda module, grad_input, grad_output: None)
o.set_printoptions(profile="full")

# Names of numpy's.
reveal_type(x.sum(axis=0))  # opwright._tensor.Tensor
reveal_type(o.sum(x, axis=(0, 1), keepdims=True))  # opwright._tensor.Tensor
reveal_type(o.mean(x, 0, keepdims=True))  # opwright._tensor.Tensor
reveal_type(x.amax(axis=1, keepdim=True))  # opwright._tensor.Tensor
reveal_type(x.max(axis=1).indices)  # opwright._tensor.Tensor
reveal_type(o.softmax(x, axis=-1))  # opwright._tensor.Tensor
reveal_type(o.cat([x, x], axis=1))  # opwright._tensor.Tensor
reveal_type(o.linalg.vector_norm(x, axis=0))  # opwright._tensor.Tensor
reveal_type(x.reshape(shape=(6,)))  # opwright._tensor.Tensor
reveal_type(o.zeros(shape=(2, 3)))  # opwright._tensor.Tensor
reveal_type(o.full(shape=(2,), fill_value=1))  # opwright._tensor.Tensor
reveal_type(o.eye(3, k=1))  # opwright._tensor.Tensor
reveal_type(o.linspace(0, 1, num=3))  # opwright._tensor.Tensor
reveal_type(o.flip(x, axis=(0,)))  # opwright._tensor.Tensor

# What stands for a dtype.
for kind in (float, int, bool, complex):
    x.to(kind)
o.zeros(2, dtype=float)
o.zeros(2, dtype=int)
o.zeros(2, dtype=bool)
o.tensor([1], dtype=complex)
o.ones(2, 3, dtype=np.float32)
x.sum(dtype=np.float64)
x.to(np.int64)
x.to(dtype=np.dtype("int8"))
x.view(np.int32)
x.type(float)
x.astype(np.float16)
o.asarray([1.0], dtype=np.float32)
o.zeros(2, dtype="f8")
x.to("float64")
o.from_dlpack(x, device="cpu", copy=True)
reveal_type(x.dtype.name)  # str
reveal_type(o.float32.kind)  # str
o.arange(3, dtype=np.int16)
o.nn.Linear(3, 2, dtype=float)
o.nn.functional.softmax(x, 0, dtype=np.float64)
o.promote_types(float, np.int8)
o.finfo(np.float32)
o.iinfo(int)
with o.default_dtype(float):
    pass
points = o.TensorType("float64", (2, None))("points")
z = o.zeros(2, dtype=o.complex64)
z.real = o.ones(2)
z.imag = 2.0

# Numbers of numpy go wherever numbers do, and its arrays stand beside operators.
array = np.ones((2, 3), np.float32)
reveal_type(x + array)  # opwright._tensor.Tensor
reveal_type(x @ array.T)  # opwright._tensor.Tensor
reveal_type(x < array)  # opwright._tensor.Tensor
reveal_type((x > 0) & (array > 0))  # opwright._tensor.Tensor
reveal_type(x**array)  # opwright._tensor.Tensor
reveal_type(x * np.float32(2))  # opwright._tensor.Tensor
reveal_type(o.clamp(x, np.float32(0), np.int64(1)))  # opwright._tensor.Tensor
reveal_type(x.fill_(array.mean()))  # opwright._tensor.Tensor
reveal_type(o.full((2,), np.complex64(1)))  # opwright._tensor.Tensor
x -= array
x *= np.float32(2)
reveal_type(x)  # opwright._tensor.Tensor


# Transforms keep parameters.
def loss(w: o.Tensor, x: o.Tensor, scale: float = 1.0) -> o.Tensor:
    return (w * x).sum() * scale


def pair(w: o.Tensor) -> tuple[o.Tensor, str]:
    return w.sum(), "pair"


reveal_type(o.func.grad(loss)(x, x, scale=2.0))  # Any
reveal_type(o.func.hessian(lambda a: a.sum())(x))  # Any
reveal_type(o.func.grad_and_value(loss)(x, x))  # tuple[Any, Any]
reveal_type(o.func.jvp(loss, (x, x), (x, x)))  # tuple[{TENSORS}]
reveal_type(o.func.vjp(loss, x, x)[0])  # opwright._tensor.Tensor
reveal_type(o.func.vjp(pair, x, has_aux=True)[0])  # opwright._tensor.Tensor
reveal_type(o.func.linearize(loss, x, x)[1](x, x))  # opwright._tensor.Tensor
reveal_type(o.vmap(loss, in_dims=(None, 0, None))(x, x))  # opwright._tensor.Tensor
print(o.vmap(lambda a: {{"a": a.sum()}})(x)["a"])
reveal_type(o.vmap(o.sum)(x, 0, keepdim=True))  # opwright._tensor.Tensor
reveal_type(o.vmap(o.max)(x, 0).values)  # opwright._tensor.Tensor
reveal_type(o.vmap(nn.Linear(3, 2))(x))  # Any


# Compiled functions do too, and take arrays where `vectorize` has numbers.
@o.jit
def half(n: int) -> float:
    return n / 2


@o.njit("float64(float64)", nogil=True)
def double(a: float) -> float:
    return a * 2


class Rules:
    @staticmethod
    @o.jit
    def rule(a: float) -> float:
        return a


@o.vectorize(["float64(float64)"])
def positive(a: float) -> float:
    return max(a, 0.0)


reveal_type(half(3))  # float
reveal_type(double(3))  # float
reveal_type(Rules.rule(3.0))  # float
reveal_type(half.py_func(3))  # float
reveal_type(half.stats.compilations)  # int
reveal_type(positive(x))  # Any

# Operators take variables of graphs, and what they return goes back to graphs.
w = o.shared(o.zeros(2), name="w")
y = o.sin(w) + o.matmul(points, w)
reveal_type(o.graph.grad(o.sin(w).sum(), w))  # opwright._C._graph.Variable[Any]
reveal_type(o.graph.grad(y.sum(), [points]))  # list[opwright._C._graph.Variable[Any]]
step = o.function([points], [y, o.sin(points)], updates={{w: o.sin(w)}})
print(o.graph.nodes([points], [y]), o.graph.inputs(y), o.graph.to_dot([y]))
o.dprint(o.graph.replace(y, {{w: o.cos(w)}}))


def energy(v: o.Variable) -> o.Tensor:
    return o.relu(v).sum()
"""

WRONG = """
import opwright as o
x = o.ones(2, 3)
x.sum(axes=0)
x.sum(axis="a")
o.sum(x, axis=0, dim=0)
o.zeros(2, dtype=2)
o.zeros(2, dtype=x)
x.to(list)
z = x.imag
x.real = "a"
print(o.no_name)
print(o.autograd.no_name)
print(o.graph.no_name)
print(o.interop.no_name)
print(o.nn.no_name)
print(o.nn.utils.no_name)
from opwright.extending import no_name
def f(w: o.Tensor, n: int) -> o.Tensor:
    return w.sum()
o.func.grad(f)(x, "a")
o.vmap(f)(x)
o.jit(f)(x, 1, 2)
o.jit(f).no_name
import numpy as np
array = np.ones(2)
o.add(x, array)
x.add_(array)
o.full((2,), array)
x + "a"
x + [1]
"""


# Methods that no operator is.
BY_HAND = {"size", "stride"}


def test_programs_that_do_not_run_are_refused(tmp_path: Path) -> None:
    found = mypy(tmp_path, WRONG)
    lines = {int(it) for it in re.findall(r"program\.py:(\d+): error:", found)}
    assert lines == {4, 5, 6, 7, 8, 9, *range(11, 19), *range(21, 25), *range(27, 32)}, found


def test_stubs_take_the_names_of_numpy() -> None:
    stubs = Path(opwright.__file__).with_name("_C")
    count = 0
    for path in stubs.glob("*.pyi"):
        functions: dict[str, list[set[str]]] = {}
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                listed = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                functions.setdefault(node.name, []).append({it.arg for it in listed})
        for name, forms in functions.items():
            for form in forms:
                # Attributes that take a dimension have no names of numpy's.
                if "dim" in form and name not in BY_HAND and not name.startswith("_"):
                    count += 1
                    others = [(form - {"dim"}) | {axis} for axis in ("axis", "axes")]
                    assert any(it in forms for it in others), (path.name, name)
    assert count > 100


def test_programs_that_run_are_accepted(tmp_path: Path) -> None:
    found = mypy(tmp_path, PROGRAM)
    assert not [it for it in found.splitlines() if "error:" in it], found
    revealed = re.findall(r'Revealed type is "(.*)"', found)
    expected = re.findall(r"reveal_type\(.*\)  # (.*)", PROGRAM)
    assert revealed == expected


# What pyright cannot know: it asks the left operand first.
OF_TUPLES = "reveal_type((1,) + x.shape)"

OVERRIDDEN = """
class Twice(o.autograd.Function):
    @staticmethod
    def forward(ctx: o.autograd.function.FunctionCtx, t: o.Tensor) -> o.Tensor:
        return t * 2

    @staticmethod
    def backward(ctx: o.autograd.function.FunctionCtx, grad: o.Tensor) -> o.Tensor:
        return grad * 2

o.meshgrid(x, x, indexing="ij")
o.broadcast_tensors(x, x)
o.einsum("ij,ij->i", x, x)
"""


@needs_pyright
def test_programs_that_run_are_accepted_by_pyright(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + OVERRIDDEN)
    settings = {
        "include": [program.name],
        "extraPaths": [str(Path(opwright.__file__).parent.parent)],
        "typeCheckingMode": "standard",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    said = pyright(tmp_path, "--project", str(tmp_path))["generalDiagnostics"]
    assert not [it for it in said if it["severity"] == "error"], said
    revealed = [it["message"] for it in said if it["message"].startswith("Type of")]
    lines = [it for it in PROGRAM.splitlines() if it.startswith("reveal_type")]
    assert len(revealed) == len(lines)
    for line, text in zip(lines, revealed, strict=True):
        expected = re.sub(r"[\w.]+\.(\w)", r"\1", line.split("  # ")[1]).removeprefix("def ")
        if not line.startswith(OF_TUPLES):
            assert text.endswith(f' is "{expected}"'), (line, text)


@needs_pyright
def test_what_is_public_has_a_type(tmp_path: Path) -> None:
    found = pyright(tmp_path, "--verifytypes", "opwright", "--ignoreexternal")["typeCompleteness"]
    assert found["exportedSymbolCounts"]["withKnownType"] > 2500
    unknown = {
        (it["name"].rpartition(".")[2], problem["message"])
        for it in found["symbols"]
        for problem in it["diagnostics"]
        if "unknown" in problem["message"] and "partially" not in problem["message"]
    }
    # They go wherever values of their types do, so that their base is `Any`; what has parts of
    # them is unknown in parts.
    assert unknown == {
        ("Variable", "Type of base class unknown"),
        ("Variable", "Type of metaclass unknown"),
        ("SharedVariable", "Type of metaclass unknown"),
    }
