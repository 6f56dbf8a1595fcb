# @generated from native_functions.yaml by opwright-codegen. Do not edit.

"""The operators, and each of their overloads: `ops.add.Tensor`."""

from inspect import Signature
from typing import Any, final

__all__ = ["Operator", "Overload"]

@final
class Operator:
    """An operator: its overloads are its attributes. Called, it runs the first of them that takes the
    arguments, in the order of their declaration.
    """

    @property
    def name(self) -> str:
        """`add`."""
    @property
    def overloads(self) -> tuple[str, ...]:
        """The names of the overloads, in the order of their declaration."""
    __name__: str
    __qualname__: str
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getattribute__(self, name: str, /) -> Overload:
        """An overload by its name."""
    def __reduce__(self) -> str: ...

@final
class Overload:
    """An overload of an operator: it takes the parameters of its schema by position or by their names,
    `self` included, and no other overload is tried.
    """

    @property
    def name(self) -> str:
        """`add.Tensor`; without the name of the overload if it has none: `relu`."""
    @property
    def overload(self) -> str:
        """The name among the overloads of the operator: `Tensor`; `default` if it has none."""
    @property
    def schema(self) -> str:
        """The schema."""
    @property
    def tags(self) -> tuple[str, ...]:
        """What its entry says of it in single words, such as `pointwise`."""
    @property
    def is_view(self) -> bool:
        """Whether a result shares the memory of an argument without having been written to."""
    @property
    def mutates(self) -> bool:
        """Whether it writes to an argument."""
    @property
    def gradient(self) -> str:
        """What becomes of its gradients: `formula`, `composed` of operators that are recorded in its
        place, `not implemented`, or `none`.
        """
    __name__: str
    __qualname__: str
    __signature__: Signature
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __reduce__(self) -> str: ...

def __getattr__(name: str) -> Operator: ...
