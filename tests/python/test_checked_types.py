"""What type checkers make of programs that run."""

import re
import subprocess
import sys
from pathlib import Path

import opwright
import pytest

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

PROGRAM = f"""
import math
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
"""


def test_programs_that_run_are_accepted(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), program]
    package = Path(opwright.__file__).parent.parent
    found = subprocess.run(
        command,
        # What is installed is found without, and must not be named.
        env={"PATH": ""} | ({} if package.name == "site-packages" else {"MYPYPATH": str(package)}),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = found.stdout.splitlines()
    assert not [it for it in lines if "error:" in it], found.stdout
    revealed = re.findall(r'Revealed type is "(.*)"', found.stdout)
    expected = re.findall(r"reveal_type\(.*\)  # (.*)", PROGRAM)
    assert revealed == expected
