"""Every operator shows how it is called."""

import opwright
from opwright import _C
from opwright.testing import _examples
from opwright.testing._operator import Operator, operators


def test_every_operator_has_an_example() -> None:
    without = [it.name for it in operators(opwright) if lacks_example(it)]
    assert not without, f"no example in the documentation of {', '.join(without)}"


def lacks_example(operator: Operator) -> bool:
    """Whether its documentation should have an example, and has none."""
    name = operator.name.removeprefix("Tensor.")
    # What is done in place is shown by the form that is not.
    plain = name.removesuffix("_")
    is_in_place = plain != name and not {plain, f"Tensor.{plain}"}.isdisjoint(_C._operators)
    return not is_in_place and not _examples.parsed(operator).examples


def test_examples_are_indented_in_docstrings() -> None:
    assert opwright.hypot.__doc__ is not None
    assert "```" not in opwright.hypot.__doc__
    assert "\n    >>> opwright.hypot(" in opwright.hypot.__doc__


def test_what_works_in_place_says_so() -> None:
    text = "`add` in place: the tensor receives the result, and is returned."
    assert text in (opwright.Tensor.add_.__doc__ or "")
    assert ">>> opwright.add(" in (opwright.Tensor.add.__doc__ or "")
