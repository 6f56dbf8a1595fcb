"""The steps of `cargo xtask op`: they find an operator, look at it, and fail where they should."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "xtask/op"


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Any:
    # It adds folders of its own.
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    import steps

    return steps


def run(*words: str, path: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Runs Python; `path` is where it looks for modules."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


def step(word: str, *rest: str) -> subprocess.CompletedProcess[str]:
    return run(str(FOLDER / "steps.py"), word, *rest)


def cases(name: str, *more: str, path: tuple[Path, ...] = ()) -> subprocess.CompletedProcess[str]:
    words = ["-P", "-m", "pytest", "--quiet", "-p", "select_cases", "--operator", name]
    words += ["--noconftest", "-p", "no:hypothesispytest", "-p", "no:cacheprovider"]
    return run(*words, "tests/python/test_cases.py", *more, path=(FOLDER, *path))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("softmax", "softmax"),
        ("linalg_norm", "linalg_norm"),
        ("linalg.norm", "linalg_norm"),
        ("opwright.fft.fft", "fft_fft"),
        ("nn.functional.gelu", "gelu"),
        ("nn.functional.cross_entropy", "cross_entropy_loss"),
        ("Tensor.add_", "add"),
        ("add_", "add"),
        ("add.Tensor", "add.Tensor"),
        ("sum.dim_IntList", "sum.dim_IntList"),
        ("add.out", "add.out"),
    ],
)
def test_names(steps: Any, name: str, found: str) -> None:
    target = steps.find(name)
    assert str(target) == found
    assert target.operators


def test_forms_belong_to_an_operator_and_overloads_stand_alone(steps: Any) -> None:
    names = [it.name for it in steps.find("add").operators]
    assert names == ["add", "Tensor.add", "Tensor.add_"]
    target = steps.find("add.out")
    assert [it.name for it in target.operators] == ["add"]
    assert target.has("add.out") and not target.has("add.Tensor")


@pytest.mark.parametrize(
    ("name", "calling", "other"),
    [
        ("sum", "torch.sum(t, 1)", "torch.cumsum(t, 1)"),
        ("sum", "t.T.sum()", "NN.sum()"),
        ("norm", "(t + 1).norm()", "torch.linalg.norm(t)"),
        ("linalg.norm", "ow.linalg.norm(a)", "a.norm()"),
    ],
)
def test_expressions_that_call_an_operator(steps: Any, name: str, calling: str, other: str) -> None:
    from select_cases import calls_of

    calls = calls_of(steps.find(name))
    assert calls.search(calling) and not calls.search(other)


def test_an_unknown_name_is_an_error_with_the_nearest() -> None:
    done = step("find", "sofmax")
    assert done.returncode == 1
    assert done.stderr.startswith("error: no function or method calls an operator `sofmax`; ")
    assert "the nearest names: softmax, " in done.stderr


@pytest.mark.parametrize("word", ["opcheck", "gradcheck", "examples"])
@pytest.mark.parametrize("name", ["hypot", "nn.functional.gelu"])
def test_steps_pass(steps: Any, word: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = steps.run(word, steps.find(name))
    printed = capsys.readouterr().out
    assert code == 0 and "\n0 failed, " in f"\n{printed}", printed


@pytest.mark.parametrize(("name", "cells"), [("hypot", 3), ("floor_divide", 3), ("mish", 1)])
def test_calls_are_timed_beside_numpy(name: str, cells: int) -> None:
    done = step("bench", name)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [it for it in done.stdout.splitlines() if it.startswith(f"{name}(")]
    # Of opwright; of numpy, and the ratio, if that has the function.
    assert {len(it.rpartition(")")[2].split()) for it in rows} == {cells}
    # A small input, and a large one unless the benchmark of kernels has some.
    is_benchmark = name != "floor_divide"
    assert len(rows) == 2 - is_benchmark
    assert (f": {name} float" in done.stdout) == is_benchmark


def test_what_has_no_gradient_says_why() -> None:
    printed = step("gradcheck", "eq.Tensor").stdout
    reason = "its results never require gradients"
    assert f"SKIPPED eq.Tensor - no gradient: {reason}" in printed
    printed = step("gradcheck", "floor_divide").stdout
    assert "SKIPPED floor_divide - no gradient: its entry has no formulas" in printed


def test_problems_fail(steps: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.toml").write_text("")
    done = step("opcheck", "randint_like", "--known", str(tmp_path / "none.toml"))
    assert done.returncode == 1
    assert "FAILED randint_like.Tensor: meta - " in done.stdout

    done = step("gradcheck", "cholesky", "--known", str(tmp_path / "none.toml"))
    assert done.returncode == 1
    assert "FAILED cholesky: gradcheck - GradcheckError: the gradients of output 0" in done.stdout

    def with_wrong_example() -> None:
        """Has a wrong example.

        >>> 1 + 1
        3
        """

    target = steps.find("hypot")
    changed = [replace(it, function=with_wrong_example) for it in target.operators[:1]]
    assert steps.run("examples", replace(target, operators=tuple(changed))) == 1
    assert "FAILED hypot: examples - 1 + 1 prints 2, not 3\n" in capsys.readouterr().out


def test_cases_are_those_of_the_operator(tmp_path: Path) -> None:
    done = cases("softmax")
    assert done.returncode == 0, done.stdout
    assert " passed, " in done.stdout and " deselected in " in done.stdout
    (tmp_path / "own.toml").write_text(
        "case = [{ op = 'neg', args = [{ tensor = [1] }], result = { tensor = [1] } }]"
    )
    plugin = "import rows, pathlib\nrows.FOLDER = pathlib.Path(__file__).parent\n"
    (tmp_path / "own_folder.py").write_text(plugin)
    path = tmp_path, ROOT / "tests/python"
    assert "1 failed in " in cases("neg", "-p", "own_folder", path=path).stdout
    done = cases("hypot", "-p", "own_folder", path=path)
    assert done.returncode != 0
    assert "no case in ops/src calls `hypot`" in done.stdout + done.stderr
