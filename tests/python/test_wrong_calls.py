"""What wrong calls are told: docs/errors.md, from the calls in wrong_calls.toml."""

import builtins
import os
import sys
import tomllib
from pathlib import Path

import opwright
import pytest

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs/errors.md"
CALLS = tomllib.loads(Path(__file__).with_name("wrong_calls.toml").read_text())

# What the calls are about, as the document shows it.
SETUP = """\
import opwright

a = opwright.ones(2, 3)
b = opwright.full((2, 3), 2.0)
c = opwright.ones(4, 5)
i = opwright.tensor([0, 1])
"""

HEAD = """\
# What wrong calls are told

Each of these calls is refused. Messages name the operator, the argument, what was expected and
what came; with several overloads, the nearest one comes first.

The test suite runs all calls and compares their messages with this page, which
`cargo xtask bless` writes.
"""

# A terminal's.
COLUMNS = 80


def message(call: str) -> str:
    """What Python shows as the last lines of the traceback."""
    names: dict[str, object] = {}
    exec(SETUP, names)
    try:
        result = eval(call, names)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"{call} is not refused but gives {result}")


def document() -> str:
    parts = [HEAD, "```python\n" + SETUP + "```\n"]
    for group in CALLS["group"]:
        parts.append(f"## {group['title']}\n")
        if group["text"]:
            parts.append(group["text"] + "\n")
        parts += [f"```text\n>>> {call}\n{message(call)}\n```\n" for call in group["calls"]]
    return "\n".join(parts)


def test_the_document_says_what_is_said() -> None:
    expected = document()
    if os.environ.get("OPWRIGHT_BLESS"):
        DOCUMENT.write_text(expected)
    assert DOCUMENT.read_text() == expected, "docs/errors.md is stale; `cargo xtask bless`"


def test_a_wrong_call_imports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []

    def recorded(name: str, *rest: object) -> object:
        imported.append(name)
        return real(name, *rest)

    real = builtins.__import__
    tensor = opwright.ones(2)
    with pytest.raises(TypeError), monkeypatch.context() as patched:
        # Where overloads may be registered, they are asked for.
        patched.delitem(sys.modules, "opwright._jit.overloads", raising=False)
        patched.setattr(builtins, "__import__", recorded)
        opwright.add(tensor, "x")
    assert imported == []


def test_there_are_enough() -> None:
    calls = [call for group in CALLS["group"] for call in group["calls"]]
    assert len(set(calls)) >= 40


def test_every_operator_is_called_wrongly_within_a_terminal() -> None:
    """With an argument of no use to anybody, and with a keyword that nobody has."""
    native = vars(opwright._C).items()
    functions = [it for name, it in native if type(it) is type(len) and name[0] != "_"]
    methods = [it for it in vars(opwright._C.TensorBase).values() if hasattr(it, "__objclass__")]
    nothing = object()
    told = 0
    for function in [*functions, *methods]:
        receiver = [opwright.ones(2)] if hasattr(function, "__objclass__") else []
        for args, kwargs in (([nothing] * 3, {}), ([], {"xyzzy": nothing})):
            try:
                function(*receiver, *args, **kwargs)
            except TypeError as error:
                told += 1
                lines = f"TypeError: {error}".splitlines()
                assert all(len(it) <= COLUMNS for it in lines), str(error)
    assert told > 700
