"""`vectorize`: functions of numbers over all elements of arrays."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from .. import _C, types
from . import closures
from .casts import distance
from .derivatives import Pullbacks
from .errors import TypingError
from .gradients import as_tensor, is_tensor, result_type
from .jit import from_text, jit
from .signatures import read
from .typeof import typeof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import overload

    from .jit import _Signature

_IGNORED = {"nopython", "cache", "identity", "fastmath", "forceobj", "target"}


class Vectorized:
    """A function of numbers that takes arrays, which broadcast.

    Attributes:
        py_func: The function.
        nin: How many arguments it takes.
    """

    def __init__(self, function: Any, signatures: list[types.Signature]) -> None:
        self._opwright_scalar_ = function
        self.py_func = function
        self.__name__: str = function.__name__
        self._signatures = signatures
        functools.update_wrapper(self, function)
        self.nin = len(inspect.signature(function).parameters)
        names = ", ".join(f"a{at}" for at in range(self.nin))
        known = {"function": self}
        self._call = from_text(f"def call({names}):\n    return function({names})\n", known)
        self._into = from_text(
            f"def into(out, {names}):\n    out[...] = function({names})\n", known
        )
        # What calls with variables of graphs are made of.
        self._call._vectorized = self._into._vectorized = self
        self._loops: dict[str, Any] = {}
        self.pullbacks = Pullbacks(self)
        self._call._recorder = self.pullbacks.record
        self._checked: set[Any] = set()

    def __call__(self, *args: Any, out: Any = None) -> Any:
        """Return the function of all elements: of numbers a number, of arrays an array.

        Args:
            args: Numbers and arrays, which broadcast.
            out: Where results are written to; then it is returned.

        Raises:
            TypeError: So many arguments are not taken.
            ValueError: Shapes do not broadcast.
        """
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes {self.nin} arguments, {len(args)} were given")
        args = tuple(map(_argument, args))
        if self._signatures:
            if any(isinstance(arg, _C._graph.Variable) for arg in args):
                return self._call(*args)
            args = self._cast(args)
        if out is None:
            return self.elements(args)
        target = out[0] if isinstance(out, tuple) else out
        self._into(target, *args)
        return target

    def elements(self, args: tuple[Any, ...]) -> Any:
        """Return the function of all elements of arguments, a tensor if one is among them."""
        result = self._call(*args)
        if isinstance(result, (bool, int, float, complex)) and any(map(is_tensor, args)):
            return as_tensor(result, result_type(self._call, args))
        return result

    def check(self, args: tuple[Any, ...]) -> None:
        """Compile for arguments, to see whether that can be done."""
        tys = tuple(map(typeof, args))
        if tys not in self._checked:
            self._call.compile_for(tys)
            self._checked.add(tys)

    def derivative(self, arg: Any) -> Any:
        """Register the derivative with respect to an argument, by name or number.

            >>> from opwright import vectorize
            >>> @vectorize
            ... def step(x):
            ...     return 1.0 if x > 0.0 else 0.0
            >>> @step.derivative("x")
            ... def slope(grad, x):  # as if it were a sigmoid
            ...     return grad * 0.25

        Without one, the function is differentiated by dual numbers.

        Args:
            arg: Which argument.

        Returns:
            What takes the derivative, a function of numbers: of the arguments, or of `grad` and
            the arguments, which then returns the gradient.
        """
        return self.pullbacks.register(arg)

    def _cast(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments as the first signature takes them without loss."""
        signature = self._chosen([_element(arg) for arg in args])
        return tuple(map(_converted, args, signature.args))

    def _chosen(self, given: list[Any]) -> types.Signature:
        """The first signature that takes elements of these types without loss."""
        for signature in self._signatures:
            far = [distance(ty, wanted) for ty, wanted in zip(given, signature.args, strict=True)]
            if None not in far and not self._promotes(given, signature):
                return signature
        shown = ", ".join(map(str, given))
        listed = ", ".join(map(str, self._signatures))
        raise TypingError(f"no signature takes elements of ({shown}) without loss, of: {listed}")

    def _promotes(self, given: list[Any], signature: types.Signature) -> bool:
        """Whether an integer would become a float, though there is a signature of integers."""
        whole = any(
            all(isinstance(it, types.Integer) for it in other.args) for other in self._signatures
        )
        pairs = zip(given, signature.args, strict=True)
        return whole and any(
            isinstance(ty, types.Integer) and not isinstance(wanted, types.Integer)
            for ty, wanted in pairs
        )

    def _loop(self, dtype: str) -> Any:
        """The function as a loop over elements of a dtype, which chains of graphs take in."""
        if dtype not in self._loops:
            names = [f"a{at}" for at in range(self.nin)]
            elements = ", ".join(f"{name}[i]" for name in names)
            text = (
                f"def loop(out, {', '.join(names)}):\n"
                "    for i in range(out.size):\n"
                f"        out[i] = function({elements})\n"
            )
            out = types.Array(getattr(types, dtype), 1, "C")
            tys = [out, *(out.copy(readonly=True) for _ in names)]
            made = from_text(text, {"function": self})
            self._loops[dtype] = _C._jit.element_loop(made.py_func, tys)
        return self._loops[dtype]

    def __reduce__(self) -> str:
        name: str = self.py_func.__qualname__
        return name

    @property
    def signatures(self) -> list[Any]:
        """The types that it was compiled for."""
        return list(self._call.signatures)

    def __repr__(self) -> str:
        return f"vectorize({self.py_func!r})"


def _argument(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        import numpy as np

        return np.asarray(value)
    return value


def _element(value: Any) -> Any:
    ty = typeof(value)
    return ty.dtype if isinstance(ty, types.Array) else ty


def _converted(value: Any, ty: Any) -> Any:
    if isinstance(typeof(value), types.Array):
        return value.astype(str(ty)) if hasattr(value, "astype") else value.to(ty.dtype_)
    return ty.cast_python_value(value)


if TYPE_CHECKING:

    @overload
    def vectorize(ftylist_or_function: Callable[..., Any], **options: Any) -> Vectorized: ...
    @overload
    def vectorize(
        ftylist_or_function: _Signature | Sequence[_Signature] | None = None, **options: Any
    ) -> Callable[[Callable[..., Any]], Vectorized]: ...


def vectorize(ftylist_or_function: Any = None, **options: Any) -> Any:
    """Make a function over all elements of arrays of a function of numbers.

        >>> @vectorize
        ... def relu(x):
        ...     return x if x > 0 else 0 * x
        >>> relu(opwright.tensor([-1.0, 2.0]))
        tensor([-0.,  2.], dtype=float64, shape=(2,))

    Args:
        ftylist_or_function: The function, or signatures, of which the first is taken that all
            arguments cast to without loss.
        options: `nopython`, `cache`, `identity`, `fastmath` are accepted, without effect: a loop
            has the same bits alone and in the chains of graphs.

    Raises:
        NotImplementedError: `target` is not `"cpu"`.
    """
    unknown = set(options) - _IGNORED
    if unknown:
        raise TypeError(f"vectorize() got an unexpected keyword argument '{min(unknown)}'")
    target = options.get("target", "cpu")
    if target not in ("cpu", "parallel"):
        raise NotImplementedError(
            f"target={target!r} is not there: functions are compiled for the CPU"
        )
    given = ftylist_or_function
    function = getattr(given, "py_func", given)
    if inspect.isfunction(function):
        return Vectorized(function, [])
    signatures = read(given)
    return lambda it: Vectorized(getattr(it, "py_func", it), signatures)


closures.classes.append(Vectorized)

__all__ = ["Vectorized", "jit", "vectorize"]
