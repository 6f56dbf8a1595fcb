"""What Python says of functions: signatures, overloads, documentation, `help`."""

from __future__ import annotations

import inspect
import keyword
import pydoc
from typing import Any

import opwright
import pytest


def test_introspection() -> None:
    assert str(inspect.signature(opwright.Tensor.type_as)) == "(self, /, other)"
    assert str(inspect.signature(opwright.from_numpy)) == "(ndarray)"
    assert opwright.tensor.__module__ == "opwright"
    assert opwright.Tensor.__module__ == "opwright"
    assert "copy" in (opwright.Tensor.to.__doc__ or "")
    signatures = [str(it) for it in opwright.get_overloads(opwright.Tensor.to)]
    assert len(signatures) == 3
    assert signatures[2].startswith("(self, /, tensor: 'Tensor|Number', non_blocking: 'bool' = F")
    assert opwright.get_overloads(opwright.zeros(1).to) == opwright.get_overloads(
        opwright.Tensor.to
    )
    with pytest.raises(ValueError, match="not a function or method"):
        opwright.get_overloads(len)


def test_every_function_has_documentation_and_signatures() -> None:
    for namespace in (opwright, opwright.Tensor, opwright.nn.functional, opwright.linalg):
        for name in dir(namespace):
            function = getattr(namespace, name)
            is_native = inspect.isbuiltin(function) or inspect.ismethoddescriptor(function)
            if is_native and not name.startswith("_"):
                assert function.__doc__, name
                assert opwright.get_overloads(function), name
                check_signature(function)


def check_signature(function: Any) -> None:
    """What `inspect` says of a function takes whatever one of its overloads takes."""
    overloads = opwright.get_overloads(function)
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    if len(overloads) == 1:
        assert list(signature.parameters) == list(overloads[0].parameters)
    for overload in overloads:
        several = list(overload.parameters.values())
        by_position = [it.name for it in several if it.kind is not it.KEYWORD_ONLY]
        by_name = {it.name: None for it in several if it.kind is it.KEYWORD_ONLY}
        signature.bind(*by_position, **by_name)
        if not any(it.kind is it.VAR_POSITIONAL for it in parameters):
            # Nobody can give `from` by name.
            nameless = [it for it in overload.parameters if keyword.iskeyword(it.rstrip("_"))]
            first = [it.name for it in several if it.kind is it.POSITIONAL_ONLY] + nameless
            signature.bind(*first, **{it.name: None for it in several if it.name not in first})
        required = {it.name for it in several if it.default is it.empty}
        for parameter in parameters:
            if parameter.default is parameter.empty and parameter.kind is not _STARRED:
                assert parameter.name in required, function


_STARRED = inspect.Parameter.VAR_POSITIONAL


def test_signatures_of_functions_with_several_overloads() -> None:
    shown = {
        opwright.add: "(input, other, *, alpha=1, out=None)",
        opwright.mm: "(input, mat2, out_dtype=Ellipsis, *, out=None)",
        opwright.sum: "(input, dim=None, keepdim=False, *, dtype=None, out=None)",
        opwright.Tensor.permute: "(self, /, *dims)",
        opwright.Tensor.view: "(self, /, dtype=Ellipsis, *size)",
        opwright.max: "(input, other=Ellipsis, dim=Ellipsis, keepdim=False, *, out=None)",
        opwright.Tensor.random_: "(self, from_=Ellipsis, /, to=None, *, generator=None)",
    }
    for function, expected in shown.items():
        assert str(inspect.signature(function)) == expected
        first = pydoc.plain(pydoc.render_doc(function)).splitlines()[2]
        assert first.partition("(")[2] == expected.partition("(")[2] or "unbound" in first


def test_help_has_each_description_beside_its_signature() -> None:
    lines = (opwright.Tensor.view.__doc__ or "").splitlines()
    signatures = [at for at, line in enumerate(lines) if line.startswith("view(")]
    assert len(signatures) == 2
    first, second = (" ".join(lines[at : at + 4]) for at in signatures)
    assert ("size" in lines[signatures[0]]) == ("shape" in first)
    assert first != second
    assert all(lines[at + 1] == "" and lines[at + 2] for at in signatures)
