"""Every operator does what is said of it, and `opcheck` notices one that does not."""

import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import opwright
import pytest
from opwright import _C
from opwright.testing import OpcheckError, Report, _graphs, _natives, opcheck
from opwright.testing.__main__ import main
from opwright.testing._gradients import problems
from opwright.testing._gradients import trial as trial_of
from opwright.testing._operator import find
from rows import rows

# What operators do that their schemas do not say; why is in the rows, which the package has too.
FILE = Path(opwright.__file__).with_name("opcheck.toml")
KNOWN = [row for _, row in rows("opcheck")]
# Those of kernels are looked for in Rust.
OF_FUNCTIONS = [row for row in KNOWN if "function" in row]


@pytest.fixture(scope="module")
def report() -> Report:
    """What is found over the whole module."""
    return opcheck(opwright, seeds=1, known=FILE, raises=False)


def test_all_operators_do_what_is_said_of_them(report: Report) -> None:
    assert report.operators == len(
        [it for it in _C._operators if _C._signatures(it) and not it.startswith("Tensor.__")]
    )
    # A case is such a call, for Rust's `opcheck`.
    cases = {row["op"] for _, row in rows("case") if "error" not in row}
    assert not {it.partition("(")[0] for it in report.uncalled} - cases
    assert report.ok, str(report)


def test_the_package_has_the_rows() -> None:
    printed = tomllib.loads(FILE.read_text())["known"]
    assert printed == [
        {"operator": it.get("function", it["op"]), "check": it["check"], "reason": it["reason"]}
        for it in KNOWN
    ]


def test_known_differences_are_still_there(report: Report) -> None:
    assert OF_FUNCTIONS
    for it in OF_FUNCTIONS:
        text = f"{it['function']}: {it['check']}: {it['reason']}"
        assert text in report.known, f"{it['function']} has no problem any more"


def test_gradients_are_looked_at(report: Report) -> None:
    assert report.calls["of gradients"] > 450


def test_calls_on_variables_are_looked_at(report: Report) -> None:
    inferred, refused = report.calls["of variables"], report.calls["of variables, refused"]
    assert inferred > 450 and inferred >= 19 * refused
    assert report.calls["in chains"] > 100
    assert report.calls["of gradients of graphs"] > 700


def lying(row: Any, lie: Callable[[Any], Any]) -> Callable[..., Any]:
    """An operator that does something else with variables."""

    def call(**given: Any) -> Any:
        made = row(**given)
        return lie(made) if isinstance(made, opwright.Variable) else made

    return call


@pytest.mark.parametrize(
    ("lie", "check"),
    [
        (lambda it: it.double(), "infer"),
        (lambda it: it[0], "infer"),
        (lambda it: (it, it), "infer"),
        (lambda it: it.sin().cos(), "fused"),
    ],
)
def test_lies_about_variables_are_noticed(lie: Callable[[Any], Any], check: str) -> None:
    liar = ModuleType("opwright._C")
    vars(liar).update(vars(_C))
    liar.ops = SimpleNamespace(exp=SimpleNamespace(default=lying(opwright.ops.exp.default, lie)))
    schema = find(opwright.exp).overloads[0].base
    assert schema is not None
    calls = list(_C._calls("exp", {"skip": [], "seeds": 3, "words": []}))
    found = [_graphs.outcome(liar, schema, it, ()) for it in calls]
    assert {check} == {name for it in found for name, _ in it.problems}
    skipped = [_graphs.outcome(liar, schema, it, ["infer", "fused"]) for it in calls]
    assert not any(it.problems for it in skipped)


def test_reductions_are_tried_at_the_end_of_chains() -> None:
    for name in "sum", "amax", "prod", "any":
        report = opcheck(getattr(opwright, name), raises=False)
        assert report.calls["in chains"] > 0, name
    liar = ModuleType("opwright._C")
    vars(liar).update(vars(_C))
    row = lying(opwright.ops.sum.default, lambda it: it.sin().sum())
    liar.ops = SimpleNamespace(sum=SimpleNamespace(default=row))
    schema = find(opwright.sum).overloads[0].base
    assert schema is not None
    calls = _C._calls("sum", {"skip": [], "seeds": 3, "words": []})
    problems = [it for make in calls for it in _graphs.outcome(liar, schema, make, ()).problems]
    assert "fused" in {name for name, _ in problems}


def test_a_gradient_of_a_graph_that_differs_is_noticed() -> None:
    sine = find(opwright.sin)
    (make, *_) = _C._calls("sin", {"skip": [], "seeds": 1, "words": []})
    trial = trial_of(sine, sine.overloads[0], make)
    assert trial is not None
    for comparison in _graphs.comparisons(trial, ()):
        assert not list(comparison.problems())
        comparison.results = [it * 2 for it in comparison.results]
        assert "gradient 0 is" in next(comparison.problems())[1]
    assert not list(_graphs.comparisons(trial, ["graph gradients"]))


def test_a_wrong_gradient_is_noticed() -> None:
    wrong = replace(find(opwright.sin), function=lambda x: x.sin() + x.detach() ** 2)
    (overload,) = wrong.overloads
    settings = {"skip": [], "seeds": 1, "words": []}
    trial = next(filter(None, (trial_of(wrong, overload, it) for it in _C._calls("sin", settings))))
    found = [check for check, _ in problems(trial, ())]
    assert found == ["gradcheck"]
    assert not list(problems(trial, ["gradcheck", "gradgradcheck"]))


def test_samples_are_of_all_kinds(report: Report) -> None:
    for kind in ["bool", "bfloat16", "complex128", "stepped", "no elements", "broadcast", "large"]:
        assert report.calls[kind] > 300


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


PROBLEM = """[[python]]
operator = "_foreach_add_"
check = "results"
reason = "returns its list"
"""


def test_what_is_known_is_no_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not opcheck(opwright._foreach_add_, raises=False).ok
    # That of the package, if no other is named.
    monkeypatch.setattr("sys.argv", ["opcheck", "opwright", "_foreach_add_"])
    assert main() == 0
    assert "known: _foreach_add_: results: returns its list, so" in capsys.readouterr().out
    (tmp_path / "own.toml").write_text(PROBLEM)
    report = opcheck(opwright._foreach_add_, known=tmp_path / "own.toml")
    assert report.known == ["_foreach_add_: results: returns its list"]
    (tmp_path / "none.toml").write_text("")
    monkeypatch.setattr("sys.argv", [*sys.argv, "--known", str(tmp_path / "none.toml")])
    assert main() == 1
    assert "known:" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("words = 3", "'words' is neither a list of `words` nor one of tables"),
        ("mine = [3]", "'mine' is neither"),
        (PROBLEM.replace("results", "result"), "there is no check 'result'"),
        (PROBLEM.replace("reason", "why"), "says `operator`, `check` and `reason`"),
        ("[[", "Invalid|Expected|declaration"),
    ],
)
def test_files_of_what_is_known_are_checked(text: str, error: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(text)
    with pytest.raises(ValueError, match=error):
        opcheck(opwright.add, known=tmp_path / "own.toml")
    with pytest.raises(OSError, match=r"none\.toml"):
        opcheck(opwright.add, known=tmp_path / "none.toml")


def test_unknown_checks_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no check 'mta'; there are: signature, "):
        opcheck(opwright.add, skip=["mta"])


def module_of(
    function: Callable[..., Any],
    text: str = "lie(Tensor input)",
    schema: str = "neg(Tensor self) -> Tensor",
    out: str | None = None,
    **more: Any,
) -> ModuleType:
    """A module of one function, which pretends to call an operator that there is."""
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


TEXT = "lie(Tensor input, Tensor other, *, Tensor out=None)"
SCHEMA = "hypot(Tensor self, Tensor other) -> Tensor"
OUT = "hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"


def honest(input: Any, other: Any, *, out: Any = None) -> Any:
    return opwright.hypot(input, other, out=out)


def never_out(input: Any, other: Any, *, out: Any = None) -> Any:
    return opwright.hypot(input, other)


def wrong_out(input: Any, other: Any, *, out: Any = None) -> Any:
    return honest(input, other) if out is None else opwright.add(input, other, out=out)


def another_kernel(input: Any, other: Any, *, out: Any = None) -> Any:
    return opwright.add(input, other)


def refusing(input: Any, other: Any, *, out: Any = None) -> Any:
    raise ValueError("never")


def like_a_panic(input: Any, other: Any, *, out: Any = None) -> Any:
    raise RuntimeError("lie(): internal error: there is no element; please report it")


def one_value(input: Any, dim: int, keepdim: bool = False) -> Any:
    return (input,)


def without_fields(input: Any, dim: int, keepdim: bool = False) -> Any:
    return tuple(opwright.max(input, dim, keepdim))


def with_wrong_example(input: Any) -> Any:
    """Has an example that is wrong.

    >>> opwright.tensor(3).item()
    4
    """
    return input.neg()


def with_broken_example(input: Any) -> Any:
    """Has an example that raises.

    >>> opwright.tensor(3).itme()
    3
    """
    return input.neg()


def pretending(function: Callable[..., Any], text: str = TEXT, out: str | None = OUT) -> ModuleType:
    return module_of(function, text, SCHEMA, out)


MAX = "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
NEG_ = "neg_(Tensor(a!) self) -> Tensor(a!)"

# What is wrong, by which check it is found, and what that says.
LIES: dict[str, tuple[ModuleType, str, str]] = {
    "nothing": (pretending(honest), "", ""),
    "another kernel": (pretending(another_kernel), "results", "something else than `ops.hypot.def"),
    "an exception": (
        pretending(refusing),
        "results",
        "raises ValueError: never, and hypot takes the same arguments",
    ),
    "a panic": (pretending(like_a_panic), "wrong arguments", "there is no element; please report"),
    "too few values": (
        module_of(one_value, "lie(Tensor input, int dim, bool keepdim=False)", MAX),
        "results",
        "returns 1 values, declared are 2",
    ),
    "no fields": (
        module_of(without_fields, "lie(Tensor input, int dim, bool keepdim=False)", MAX),
        "results",
        "raises AttributeError: 'tuple' object has no attribute '_fields'",
    ),
    "no tensor": (module_of(lambda input: 1.5), "results", "returns float, declared is Tensor"),
    "a copy": (
        module_of(lambda input: input.neg(), schema=NEG_),
        "mutation",
        "returns another tensor than the one it writes to",
    ),
    "out is not returned": (pretending(never_out), "out=", "does not return the tensors of 'out'"),
    "out is something else": (pretending(wrong_out), "out=", "'out' receives something else"),
    "the signature": (
        module_of(lambda given: given.neg()),
        "signature",
        "inspect.signature has the parameters ['given']; the overload has ['input']",
    ),
    "the documentation": (
        pretending(honest),
        "documentation",
        f"the documentation does not show {TEXT}",
    ),
    "the stub": (pretending(honest), "stub", f"the stub lacks {TEXT}"),
    "an example": (
        module_of(with_wrong_example),
        "examples",
        "opwright.tensor(3).item() prints 3, not 4",
    ),
    "wrong arguments": (module_of(lambda *args, **kwargs: args[0]), "wrong arguments", "takes"),
}

# What a function of Python cannot have.
DESCRIPTIONS = ["signature", "documentation", "stub", "wrong arguments"]


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found(lie: str) -> None:
    module, check, text = LIES[lie]
    report = opcheck(module, skip=[it for it in DESCRIPTIONS if it != check], raises=False)
    if lie == "nothing":
        assert report.ok, str(report)
        return
    found = [it.text for it in report.problems if it.check == check]
    assert any(text in it for it in found), str(report)


def test_kernels_are_looked_at() -> None:
    """The native module does that, and its tests in Rust show what it finds."""
    report = opcheck(opwright.randint_like, raises=False)
    found = {(it.operator, it.check) for it in report.problems}
    assert found == {("randint_like.Tensor", "meta")}
    assert opcheck(opwright.randint_like, skip=["meta"]).ok
    assert opcheck(opwright.conj_physical).ok
    with pytest.raises(ValueError, match="there is no check 'stub'"):
        _C._opcheck(["add.Tensor"], {"skip": ["stub"], "seeds": 1, "words": []})


def test_a_module_without_operators_as_data_says_so() -> None:
    module = pretending(honest)
    del module._opcheck
    report = opcheck(module, skip=DESCRIPTIONS)
    assert "not looked at: calls of opwright._C: built with `ops = false`" in str(report)


def test_examples_that_raise_are_found() -> None:
    skip = [*DESCRIPTIONS, "aliasing", "results"]
    (problem,) = opcheck(module_of(with_broken_example), skip=skip, raises=False).problems
    assert problem.check == "examples"
    assert problem.text.startswith("opwright.tensor(3).itme() raises AttributeError: ")


def test_in_place_forms_return_their_tensor() -> None:
    native = module_of(lambda input: input.neg())
    vars(native).update(
        _signatures=lambda name: ["lie(Tensor input)"] if name in ("lie", "lie_") else [],
        lie_=lambda input: input.neg(),
    )
    with pytest.raises(OpcheckError, match="in place it does not return its tensor") as caught:
        opcheck(native, skip=DESCRIPTIONS)
    assert not caught.value.report.ok


class Interval:
    """As the derived class of a struct."""

    def __init__(self, lo: float, hi: float = 1.0) -> None:
        if not isinstance(lo, float):
            raise TypeError("Interval.lo: expected a float")
        self.lo, self.hi = lo, hi


class Labelled:
    """A struct that holds another one."""

    def __init__(self, within: Interval, *, label: str) -> None:
        if not isinstance(within, Interval) or not isinstance(label, str):
            raise TypeError("Labelled")
        self.within, self.label = within, label


class Key:
    """What nobody can guess."""

    def __init__(self, word: str) -> None:
        if word != "sesame":
            raise ValueError(word)
        self.word = word

    @classmethod
    def __opwright_samples__(cls) -> list["Key"]:
        return [cls("sesame")]


def natives(*classes: type) -> Any:
    """A native module with types of its own."""
    return SimpleNamespace(
        tensor=opwright.tensor, float32=opwright.float32, _natives=lambda: list(classes)
    )


def test_values_of_own_types_are_made() -> None:
    found = _natives.samples(natives(Labelled, Interval, Key))
    assert {type(it) for it in found} == {Labelled, Interval, Key}
    assert all(isinstance(it.within, Interval) for it in found if isinstance(it, Labelled))


def test_values_of_own_types_are_given() -> None:
    given = Interval(0.25)
    found = _natives.samples(natives(Labelled, Interval), [given])
    assert [it for it in found if isinstance(it, Interval)] == [given]
    assert any(isinstance(it, Labelled) and it.within is given for it in found)


def test_what_has_no_own_types_has_no_values_of_them() -> None:
    assert _natives.samples(_C) == []
    with pytest.raises(TypeError, match="`int` is no type of this module"):
        opcheck(opwright.sin, samples=[1])
