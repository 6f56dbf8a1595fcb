"""What compiled functions count: compilations, calls, tiers."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class SignatureStats:
    """What is known of a function as it is compiled for some types.

    Attributes:
        args: The types of the arguments.
        tier: What runs it now: `"vm"`, `"cranelift"` or `"cc"`.
        calls: How often it was called.
        microseconds: How long typing and compiling took, without what is done in the background.
        passes: How many instructions the passes folded, shared, hoisted, and so on.
        refused: The back ends that did not take it, with the reason.
    """

    args: tuple[Any, ...]
    tier: str
    calls: int
    microseconds: int
    passes: dict[str, int]
    refused: dict[str, str]


@dataclasses.dataclass(frozen=True)
class Stats:
    """What a compiled function counts.

    Attributes:
        compilations: How often it was compiled: once for each signature, and again where something
            was registered since.
        hits: How many calls found what they need compiled.
        microseconds: How long all compilations took.
        signatures: What is known of each, the oldest first.
    """

    compilations: int
    hits: int
    microseconds: int
    signatures: list[SignatureStats]

    @classmethod
    def of(cls, measured: dict[str, Any]) -> Stats:
        """Make them of what a dispatcher measured."""
        signatures = [SignatureStats(**row) for row in measured["signatures"]]
        return cls(**{**measured, "signatures": signatures})
