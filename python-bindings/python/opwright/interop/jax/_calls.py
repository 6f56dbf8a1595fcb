"""A call of an operator as data: what a primitive of JAX has as its parameter.

A call stands for a function of tensors. It is an operator with its static arguments, then `vmap`
around it for each of `batches`, then a derivative around that for each of `steps`:

    pushforward  primals and tangents to tangents; linear in the tangents
    pullback     primals and cotangents to cotangents; linear in the cotangents

Each is the transpose of the other, so a derivative of any order is a call again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache

from ... import _C

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The module whose operators these are.
PACKAGE = __name__.removesuffix(".interop.jax._calls")

PUSHFORWARD = "pushforward"
PULLBACK = "pullback"


@dataclass(frozen=True)
class Step:
    """A derivative of a function: by which of its inputs, and of which of its outputs."""

    kind: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]

    def transposed(self) -> Step:
        """The step with the transpose of this one's linear function."""
        return replace(self, kind=PULLBACK if self.kind == PUSHFORWARD else PUSHFORWARD)


@dataclass(frozen=True)
class Call:
    """A function of tensors; see above.

    Each of `batches` says which tensors of the operator have a dimension of samples in front, the
    innermost first.
    """

    operator: str
    arguments: str
    batches: tuple[tuple[bool, ...], ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def row(self) -> Any:
        """The row of the operator."""
        return row_of(self.operator)

    def then(self, step: Step) -> Call:
        """The derivative of this function."""
        return replace(self, steps=(*self.steps, step))

    def before(self) -> Call:
        """The function that this is the derivative of."""
        return replace(self, steps=self.steps[:-1])

    def is_random(self) -> bool:
        """Whether it draws random numbers."""
        return "nondeterministic_seeded" in self.row.tags

    def may_write(self) -> bool:
        """Whether it may write to arguments of which its schema does not say so."""
        return "maybe_aliasing_or_mutating" in self.row.tags

    def text(self) -> str:
        """The call as text, which `read` understands."""
        steps = [[it.kind, it.inputs, it.outputs] for it in self.steps]
        return json.dumps([self.operator, self.arguments, self.batches, steps])


def read(text: str) -> Call:
    """The call that a text is of."""
    operator, arguments, batches, steps = json.loads(text)
    return Call(
        operator,
        arguments,
        tuple(tuple(it) for it in batches),
        tuple(Step(kind, tuple(inputs), tuple(outputs)) for kind, inputs, outputs in steps),
    )


@cache
def row_of(name: str) -> Any:
    """The row of an overload: `add.Tensor`, or `relu`."""
    operator, _, overload = name.partition(".")
    return getattr(getattr(_C.ops, operator), overload or "default")
