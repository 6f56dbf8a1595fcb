"""Every operator does what is said of it, and `opcheck` notices one that does not."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import opwright
import pytest
from opwright import _C
from opwright.testing import OpcheckError, Report, opcheck
from opwright.testing.__main__ import main

# What operators do that their schemas do not say, with the reason.
KNOWN = {
    ("_foreach_add_", "results"): "returns its list, so that calls can be chained",
    ("as_strided_", "strides"): "looks at the memory itself",
    ("Tensor.as_strided_", "strides"): "looks at the memory itself",
    ("bernoulli", "in-place"): "in place it takes probabilities, otherwise its tensor has them",
    ("Tensor.bernoulli", "in-place"): "in place it takes probabilities",
    ("normal", "in-place"): "in place it takes numbers, otherwise its tensor has the means",
    ("broadcast_tensors", "aliasing"): "views, which the schema cannot say of a list",
    ("meshgrid", "aliasing"): "views, which the schema cannot say of a list",
    ("conj_physical", "aliasing"): "real numbers are returned as they are",
    ("Tensor.conj_physical", "aliasing"): "real numbers are returned as they are",
    ("dropout", "aliasing"): "returns its tensor when there is nothing to drop",
    ("einsum", "aliasing"): "an equation that only permutes gives a view",
    ("randint_like", "meta"): "the bound is read, so it has to be on the CPU",
}


@pytest.fixture(scope="module")
def report() -> Report:
    """What is found over the whole module."""
    return opcheck(opwright, seeds=1, raises=False)


def test_all_operators_do_what_is_said_of_them(report: Report) -> None:
    assert report.operators == len(
        [it for it in _C._operators if _C._signatures(it) and not it.startswith("Tensor.__")]
    )
    assert report.uncalled == []
    unknown = [it for it in report.problems if (it.operator, it.check) not in KNOWN]
    assert not unknown, str(Report(problems=unknown))


def test_known_differences_are_still_there() -> None:
    owners = {"Tensor": opwright.Tensor}
    for name, check in KNOWN:
        owner, _, function = name.rpartition(".")
        report = opcheck(getattr(owners.get(owner, opwright), function), raises=False)
        assert check in {it.check for it in report.problems}, f"{name} has no problem any more"


def test_samples_are_of_all_kinds(report: Report) -> None:
    for kind in ["bool", "bfloat16", "complex128", "stepped", "no elements", "broadcast", "large"]:
        assert report.calls[kind] > 500


def test_one_operator() -> None:
    report = opcheck(opwright.hypot)
    assert report.ok
    assert report.operators == 1
    assert str(report).startswith("1 operators, ")
    assert opcheck(opwright.Tensor.add).ok
    assert opcheck(opwright.nn.functional.gelu).ok


@pytest.mark.parametrize("stranger", [len, print, opwright.Tensor.tolist, opwright.Size])
def test_what_is_no_operator_is_refused(stranger: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="is not a function or method of an operator"):
        opcheck(stranger)


def test_as_a_program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["opcheck", "opwright", "hypot", "Tensor.mv"])
    assert main() == 0
    assert capsys.readouterr().out.count("everything holds") == 2
    monkeypatch.setattr("sys.argv", ["opcheck", "opwright", "hypto"])
    with pytest.raises(SystemExit):
        main()
    assert "has no attribute 'hypto'" in capsys.readouterr().err


def test_unknown_checks_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no check 'mta'; there are: signature, "):
        opcheck(opwright.add, skip=["mta"])


def module_of(
    function: Callable[..., Any],
    text: str = "lie(Tensor input)",
    schema: str = "lie(Tensor self) -> Tensor",
    out: str | None = None,
    **more: Any,
) -> ModuleType:
    """A module of one operator, which a Python function pretends to be."""
    module = ModuleType("liar")
    vars(module).update(vars(_C))
    vars(module).update(
        _operators=["lie"],
        _signatures=lambda name: [text] if name == "lie" else [],
        _schemas=lambda name: [(schema, out)],
        lie=function,
        **more,
    )
    return module


def clone(input: Any) -> Any:
    return input.clone()


def written(input: Any) -> Any:
    if input.numel():
        input.zero_()
    return input.clone()


def by_stride(input: Any) -> Any:
    return input.clone() if input.is_contiguous() else opwright.zeros_like(input)


def as_float_on_meta(input: Any) -> Any:
    return input.to(opwright.float64) if input.is_meta else input.clone()


def by_threads(input: Any) -> Any:
    return opwright.full_like(input, opwright.get_num_threads())


def with_wrong_example(input: Any) -> Any:
    """Has an example that is wrong.

    >>> opwright.tensor(3).item()
    4
    """
    return input.clone()


def with_broken_example(input: Any) -> Any:
    """Has an example that raises.

    >>> opwright.tensor(3).itme()
    3
    """
    return input.clone()


def never_out(input: Any, *, out: Any = None) -> Any:
    return input.clone()


LIES: dict[str, tuple[ModuleType, str]] = {
    "nothing": (module_of(clone), ""),
    "mutation": (module_of(written), "writes to 'self', which is declared as 'Tensor'"),
    "aliasing": (
        module_of(lambda input: input.view(input.shape)),
        "returns memory of 'self', which no alias set declares",
    ),
    "strides": (module_of(by_stride), "returns something else than with contiguous tensors"),
    "meta": (module_of(as_float_on_meta), "on meta the result is opwright.float64"),
    "threads": (module_of(by_threads), "returns something else than with one thread"),
    "out=": (
        module_of(
            never_out,
            text="lie(Tensor input, *, Tensor out=None)",
            out="lie.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
        ),
        "does not return the tensors of 'out'",
    ),
    "results": (
        module_of(clone, schema="lie(Tensor self) -> (Tensor values, Tensor indices)"),
        "values, declared are 2",
    ),
    "signature": (
        module_of(lambda given: given.clone()),
        "inspect.signature has the parameters ['given']; the overload has ['input']",
    ),
    "documentation": (module_of(clone), "the documentation does not show lie(Tensor input)"),
    "stub": (module_of(clone), "the stub lacks lie(Tensor input)"),
    "examples": (module_of(with_wrong_example), "opwright.tensor(3).item() prints 3, not 4"),
    "wrong arguments": (
        module_of(lambda *args, **kwargs: args[0]),
        "takes",
    ),
}

# What a function of Python cannot have.
DESCRIPTIONS = ["signature", "documentation", "stub", "wrong arguments"]


@pytest.mark.parametrize("check", LIES)
def test_lies_are_found(check: str) -> None:
    module, text = LIES[check]
    report = opcheck(module, skip=[it for it in DESCRIPTIONS if it != check], raises=False)
    if check == "nothing":
        assert report.ok
        return
    found = [it.text for it in report.problems if it.check == check]
    assert any(text in it for it in found), str(report)


def test_examples_that_raise_are_found() -> None:
    report = opcheck(module_of(with_broken_example), skip=DESCRIPTIONS, raises=False)
    (problem,) = report.problems
    assert problem.check == "examples"
    assert problem.text.startswith("opwright.tensor(3).itme() raises AttributeError: ")


def test_in_place_forms_are_compared() -> None:
    def lie_(input: Any) -> Any:
        return input.zero_()

    native = module_of(clone)
    vars(native).update(
        _signatures=lambda name: ["lie(Tensor input)"] if name in ("lie", "lie_") else [], lie_=lie_
    )
    with pytest.raises(OpcheckError, match="in place it writes something else") as caught:
        opcheck(native, skip=DESCRIPTIONS)
    assert not caught.value.report.ok


def test_panics_are_no_refusals() -> None:
    def panics(input: Any) -> Any:
        if not input.numel():
            raise RuntimeError("lie(): internal error: there is no element; please report it")
        return input.clone()

    report = opcheck(module_of(panics), skip=DESCRIPTIONS[:-1], raises=False)
    found = [it for it in report.problems if "there is no element" in it.text]
    assert [(it.check, it.call.startswith("lie(")) for it in found] == [("wrong arguments", True)]
