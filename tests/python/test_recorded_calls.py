"""Calls behave as they were recorded, but for the differences that a table explains.

The recordings are not part of the project: without them every test here is skipped.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import opwright
import pytest
import recorded

CALLS = recorded.load("calls.json")
MATRIX = recorded.load("matrix.json")
SIGNATURES = recorded.load("signatures.json")
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())

DIFFERENCES = {name: it["reason"] for it in TABLE["call"] for name in it["cases"]}
LACKING = {name: it["name"] for it in TABLE["missing"] for name in it["cases"]}
CELLS = {
    (kind, text): it["reason"]
    for it in TABLE["object"]
    for kind in it["kinds"]
    for text in it["objects"]
}
ORDERS = {name: it["reason"] for it in TABLE["signatures"] for name in it["names"]}

pytestmark = pytest.mark.skipif(
    not CALLS or not MATRIX or not SIGNATURES,
    reason=f"the recorded calls are not at {recorded.FOLDER}",
)


@pytest.mark.parametrize("case", CALLS.get("cases", []), ids=lambda it: it["id"])
def test_call(case: dict[str, Any]) -> None:
    with recorded.stand_in():
        names = recorded.namespace(CALLS["common_setup"])
        try:
            difference = recorded.run(case, names)
        except recorded.MissingError as error:
            assert case["id"] in LACKING, f"{case['expr']}: {error}"
            pytest.skip(f"the module lacks {LACKING[case['id']]}")
    assert case["id"] not in LACKING, f"{LACKING[case['id']]} is not missing any more"
    if case["id"] in DIFFERENCES:
        assert difference, f"{case['expr']} does not differ any more: {DIFFERENCES[case['id']]}"
    else:
        assert difference is None, f"{case['expr']}: {difference}"


@pytest.mark.parametrize("kind", MATRIX.get("matrix", {}))
def test_objects_for_a_kind_of_parameter(kind: str) -> None:
    """Each object is taken, refused or handed the call, as it was recorded.

    Whether a call that takes its arguments then succeeds depends on the operator, not on them.
    """
    carrier = MATRIX["carriers"][kind]
    wrong = []
    with recorded.stand_in():
        names = recorded.namespace(CALLS["common_setup"] + "\ntt = t.reshape(3, 2)\n")
        for text, (outcome, message) in MATRIX["matrix"][kind].items():
            try:
                names["X"] = recorded.value(recorded.object_of(text), names)
            except NotImplementedError:
                # Tensors that need a gradient.
                continue
            try:
                got = taken(carrier, names)
            except recorded.MissingError as error:
                pytest.skip(f"the module lacks what {carrier} needs: {error}")
            wanted = {"rej": "refused", "late": "refused", "TF": "handed over"}.get(
                outcome, "taken"
            )
            if (got != wanted) != ((kind, text) in CELLS):
                wrong.append(f"{text} is {got}, and was {wanted}: {message}")
    assert not wrong, f"{carrier} with X =\n" + "\n".join(wrong)


def taken(carrier: str, names: dict[str, Any]) -> str:
    """What happens to the object `X` that a call passes."""
    try:
        result = recorded.value(carrier, names)
    except (TypeError, OverflowError):
        return "refused"
    except (ArithmeticError, LookupError, RuntimeError, ValueError):
        return "taken"
    handed_over = isinstance(result, tuple) and result[:1] == ("A",)
    return "handed over" if handed_over else "taken"


def test_signatures_are_tried_in_the_recorded_order() -> None:
    wrong, compared = [], 0
    for home, functions in SIGNATURES.items():
        for name, recording in functions.items():
            ours = [shape(it) for it in signatures(home, name)]
            if not ours:
                continue
            compared += 1
            # Dimensions have no names here; older signatures are compared by calling them.
            listed = [it for it in recording["signatures"] if "Dimname" not in it]
            wanted = [shape(it) for it in listed if not it.endswith("|deprecated")]
            older = len(listed) - len(wanted)
            agrees = ours[: len(wanted)] == wanted and len(ours) - len(wanted) in (0, older)
            if agrees == (f"{home}.{name}" in ORDERS):
                wrong.append(f"{home}.{name}: {wanted} was recorded, {ours} is tried")
    assert not wrong, "\n".join(wrong)
    assert compared > 700


NATIVE = recorded.NAME


def signatures(home: str, name: str) -> list[str]:
    """The signatures of a function in try order; none if the module lacks it."""
    native = opwright._C
    if home == "Tensor":
        if not hasattr(opwright.Tensor, name):
            return []
        found = native._signatures(f"Tensor.{name}")
        # The interpreter itself sees to methods without parameters.
        return found or ([] if name.startswith("__") else [f"{name}()"])
    place = native if home == NATIVE else getattr(native, f"_{home}", None)
    if not hasattr(place, name):
        return []
    return native._signatures(name if home == NATIVE else f"_{home}.{name}")


def shape(signature: str) -> list[tuple[str, bool, bool]]:
    """Of each parameter its name, whether it is keyword-only, and whether it has a default."""
    inner = signature[signature.index("(") + 1 : signature.rindex(")")]
    keyword_only = False
    params = []
    for part in re.split(r", (?![^{\[(<]*[}\])>])", inner) if inner else []:
        if part.strip() == "*":
            keyword_only = True
            continue
        declaration, equals, _ = part.partition("=")
        params.append((declaration.split()[-1], keyword_only, bool(equals)))
    return params
