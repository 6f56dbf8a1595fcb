"""What the language does not have is refused at its place, with what to write instead."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
from opwright import jit
from opwright.extending import TypingError, UnsupportedError

# What stands in the body of a function of `x`, where the marker is, and what is said.
REFUSED = [
    ("return [x, x]", "[x, x]", "write a tuple"),
    ("return [i for i in range(x)]", "[i for", "write a tuple"),
    ("return {x: 1}", "{x: 1}", "native_struct"),
    ("return {i: i for i in range(x)}", "{i: i", "native_struct"),
    ("return {x}", "{x}", "tuples or arrays"),
    ("return {i for i in range(x)}", "{i for", "tuples or arrays"),
    ("return sum(i for i in range(x))", "(i for", "write a loop"),
    ("yield x", "yield", "fill an array"),
    ("yield from x", "yield", "fill an array"),
    ("try:\n        x = 1\n    except ValueError:\n        pass", "try", "test before"),
    ("try:\n        x = 1\n    finally:\n        pass", "try", "test before"),
    ("try:\n        x = 1\n    except* ValueError:\n        pass", "try", "test before"),
    ("with x:\n        pass", "with", "around the call"),
    ("import math", "import", "top of the module"),
    ("from math import pi", "from", "top of the module"),
    ("global G", "global", "return the value"),
    ("class C:\n        pass", "class", "native_struct"),
    ('return f"{x}"', 'f"{x}"', "raised"),
    ("match x:\n        case 1:\n            pass", "match", "if and elif"),
    ("del x", "del", "one attribute"),
    ("return (*x, 1)", "*x", "calls only"),
    ("a, *b = x", "*b", "slice the tuple"),
    ("return min(**x)", "**x", "name them"),
    ("raise", "raise", "alone"),
    ("raise ValueError from x", "raise", "alone"),
    ("raise ValueError(a=1)", "ValueError", "keyword"),
    ("async def g():\n        pass", "async", "coroutine"),
    ("@jit\n    def g():\n        pass", "def", "outside"),
    ("return b'text'", "b'text'", "constants are"),
    ("print(x)", "print", "return what it would show"),
    ("input()", "input", "return what it would show"),
    ("open('file')", "open", "return what it would show"),
]


def compiled(text: str) -> Any:
    file = f"<refused {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"jit": jit}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize(("body", "at", "instead"), REFUSED, ids=[it[0][:24] for it in REFUSED])
def test_a_refusal_has_place_and_way_out(body: str, at: str, instead: str) -> None:
    text = f"def f(x):\n    {body}\n"
    function = jit(compiled(text))
    with pytest.raises(UnsupportedError) as caught:
        function(1)
    error = caught.value
    assert instead in error.message
    assert error.line is not None
    assert error.column is not None
    assert error.text == text.splitlines()[error.line - 1]
    assert error.text[error.column :].startswith(at), (error.text, error.column)
    shown = str(error).splitlines()
    assert shown[0].startswith(f"{error.filename}:{error.line}:{error.column}: ")
    marker = shown[-1].index("^")
    assert shown[-2][marker:].startswith(at)


# Errors of types: what stands in the body of a function of `x`, and what is said.
TYPED = [
    ("return x.nothing", "x.nothing", "no attribute"),
    ("return nothing", "nothing", "nothing"),
    ("return x + (1, 2)", "x + (1, 2)", r"no +"),
    ("return x[0]", "x[0]", "items"),
    ("y = (1, 2.5)\n    return y[x]", "y[x]", "constant"),
    ("y = 1 if x else (1, 2)\n    return y", "1 if x", "tuple"),
    ("for i in 5:\n        pass", "5", "int64"),
    ("return x()", "x()", "not callable"),
    ("a, b = (1, 2, 3)", "a, b", "unpack"),
    ("return len(x)", "len(x)", "len()"),
]


@pytest.mark.parametrize(("body", "at", "said"), TYPED, ids=[it[0][:24] for it in TYPED])
def test_an_error_of_types_has_a_place(body: str, at: str, said: str) -> None:
    text = f"def f(x):\n    {body}\n"
    function = jit(compiled(text))
    with pytest.raises(TypingError) as caught:
        function(1)
    error = caught.value
    assert not isinstance(error, UnsupportedError)
    assert said.lower() in error.message.lower(), error.message
    assert error.line is not None
    assert error.text == text.splitlines()[error.line - 1]


def test_keyword_parameters_that_take_all_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="name the keywords") as caught:
        jit(compiled("def f(x, **rest):\n    return x\n"))(1)
    assert (caught.value.line, caught.value.column) == (1, 9)
