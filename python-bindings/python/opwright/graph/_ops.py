"""Ops written in Python, and functions of values as Ops."""

from __future__ import annotations

import sys

from ._variables import Apply, Variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..types import Type


class Op:
    """The operator of a node, written in Python.

    A subclass has `make_node`, which makes an `Apply`, and `perform`, which computes its results.
    Ops whose classes and `__props__` are equal do the same. With `arrays = True`, `perform` gets
    arrays of numpy in the place of tensors.
    """

    __props__: tuple[str, ...] | None = None

    # What an Op takes is for its class to say, so the arguments are of any type here.
    def make_node(self, *inputs: Any, **options: Any) -> Apply:
        """Return the node of a call.

        Parameters
        ----------
        *inputs, **options
            What the Op is called with: variables, and values if it makes constants of them.

        Returns
        -------
        Apply
            The node.

        Raises
        ------
        NotImplementedError
            The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no make_node")

    # Values of the types of the inputs and results, which are whatever their authors say.
    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        """Compute the results.

        Parameters
        ----------
        node
            The node that is computed.
        inputs
            The values of its inputs.
        output_storage
            A list for each result: the `k`th result is put into `output_storage[k][0]`.

        Raises
        ------
        NotImplementedError
            The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no perform")

    def grad(
        self, inputs: list[Variable], output_gradients: list[Variable | None]
    ) -> Sequence[Variable | None]:
        """Return a gradient for each input.

        Parameters
        ----------
        inputs
            The inputs of the node.
        output_gradients
            The gradients of the results. Results to which no gradient came have zeros, and `None`
            if they can have none.

        Returns
        -------
        list of Variable or None
            The gradients of the inputs; `None` where there is none.

        Raises
        ------
        NotImplementedError
            The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no grad, which a gradient needs")

    def L_op(  # noqa: N802
        self,
        inputs: list[Variable],
        outputs: list[Variable],
        output_gradients: list[Variable | None],
    ) -> Sequence[Variable | None]:
        """Return a gradient for each input, as `grad`, for an Op whose gradients use its results.

        Parameters
        ----------
        inputs
            The inputs of the node.
        outputs
            Its results.
        output_gradients
            The gradients of the results, as in `grad`.

        Returns
        -------
        list of Variable or None
            The gradients of the inputs; by default those of `grad`.
        """
        return self.grad(inputs, output_gradients)

    # One variable or several, of which callers know the number: a union would not let them go on.
    def __call__(self, *inputs: object, **options: object) -> Any:
        """Make a node.

        Parameters
        ----------
        *inputs, **options
            The arguments of `make_node`.

        Returns
        -------
        Variable or list of Variable
            The result of the node, or a list if it has several.

        Raises
        ------
        TypeError
            `make_node` returned no `Apply`, or refused a value that is no variable.
        """
        try:
            node = self.make_node(*inputs, **options)
        except (AttributeError, TypeError) as error:
            values = _values_among(inputs)
            if not values:
                raise
            text = f"{self}: {values}; graph.constant(value) makes a variable of a value"
            raise TypeError(f"{text} ({error})") from error
        if not isinstance(node, Apply):
            raise TypeError(f"{self}.make_node returned {type(node).__name__}, not an Apply")
        outputs = node.outputs
        return outputs[0] if len(outputs) == 1 else outputs

    def _properties(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__props__ or ())

    def __eq__(self, other: object) -> bool:
        if self.__props__ is None or type(self) is not type(other):
            return self is other
        return self._properties() == other._properties()

    def __hash__(self) -> int:
        if self.__props__ is None:
            return object.__hash__(self)
        return hash((type(self), self._properties()))

    def __str__(self) -> str:
        return type(self).__name__


def _values_among(inputs: Iterable[object]) -> str:
    """Return which inputs of an Op are no variables."""
    found = [
        f"input {at} is {type(it).__name__}"
        for at, it in enumerate(inputs)
        if not isinstance(it, Variable)
    ]
    return ", ".join(found)


class _FunctionOp(Op):
    """A function of Python as an Op."""

    __props__ = ("function", "itypes", "otypes")

    def __init__(
        self, function: Callable[..., Any], itypes: Iterable[Type], otypes: Iterable[Type]
    ):
        self.function, self.itypes, self.otypes = function, tuple(itypes), tuple(otypes)

        self.__module__ = getattr(function, "__module__", type(self).__module__)

    def __reduce__(self) -> str | tuple[object, ...]:
        # Where the function was written its name leads to this Op.
        name = getattr(self.function, "__qualname__", "")
        found: object = sys.modules.get(self.__module__)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is self:
            return name
        return type(self), (self.function, self.itypes, self.otypes)

    def make_node(self, *inputs: object) -> Apply:
        if len(inputs) != len(self.itypes):
            raise TypeError(f"{self} takes {len(self.itypes)} inputs, not {len(inputs)}")
        pairs = zip(self.itypes, inputs, strict=True)
        given = [type.filter_variable(value) for type, value in pairs]
        return Apply(self, given, [type() for type in self.otypes])

    def perform(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        results = self.function(*inputs)
        results = (results,) if len(self.otypes) == 1 else tuple(results)
        if len(results) != len(self.otypes):
            raise ValueError(f"{self} returned {len(results)} results, not {len(self.otypes)}")
        for storage, result in zip(output_storage, results, strict=True):
            storage[0] = result

    def __str__(self) -> str:
        return self.function.__name__


def as_op(
    itypes: Iterable[Type], otypes: Iterable[Type], infer_shape: object = None
) -> Callable[[Callable[..., Any]], Op]:
    """Let a function of values be an Op of variables.

    Parameters
    ----------
    itypes
        The types of the inputs.
    otypes
        The types of the results. With several, the function returns a tuple.
    infer_shape
        Ignored; it is accepted for the sake of programs that pass it. Types declare shapes here.

    Returns
    -------
    callable
        A decorator, which makes an Op of the function.

    Examples
    --------
        @graph.as_op(itypes=[types.double], otypes=[types.double])
        def half(value):
            return value / 2
    """
    return lambda function: _FunctionOp(function, itypes, otypes)
