"""Names of numba that `opwright` has not got: what to write instead."""

from __future__ import annotations

INSTEAD = {
    "guvectorize": "write an operator with core dimensions, extending.native_op, "
    "or loops in a function under jit",
    "jitclass": "write an extending.native_struct",
    "objmode": "compiled functions run no Python: call the compiled parts from Python",
    "cfunc": "pass the function itself, which is compiled where it is called; "
    "C calls operators by ow_call",
    "stencil": "write the loop over neighbours in a function under jit",
    "literal_unroll": "write the loop: one over a mixed tuple is unrolled",
    "generated_jit": "write an extending.overload",
    "literally": "write an extending.overload with prefer_literal=True",
}


def found(module: str, name: str) -> object:
    """Return what a name of numba is here.

    Raises:
        AttributeError: Nothing; it says what to write instead, if that is known.
    """
    if name == "prange":
        return range
    said = f"module {module!r} has no attribute {name!r}"
    raise AttributeError(f"{said}: {INSTEAD[name]}" if name in INSTEAD else said)
