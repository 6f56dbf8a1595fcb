"""`jit`: functions that are compiled when they are called."""

from __future__ import annotations

from types import FunctionType

from .. import _C
from . import source
from .errors import UnsupportedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

    from .. import types
    from .stats import Stats

    _P = ParamSpec("_P")
    _R = TypeVar("_R")
    _S = TypeVar("_S")
    _Co = TypeVar("_Co", covariant=True)
    _Signature: TypeAlias = str | types.Signature | tuple[object, ...]

    class _Dispatcher(Protocol[_P, _Co]):
        """A compiled function, as type checkers see the native class."""

        __name__: str
        __qualname__: str

        @property
        def py_func(self) -> Callable[_P, _Co]: ...
        @property
        def signatures(self) -> list[tuple[types.Type, ...]]: ...
        @property
        def nopython_signatures(self) -> list[types.Signature]: ...
        @property
        def stats(self) -> Stats: ...
        def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _Co: ...
        def compile(self, sig: _Signature, /) -> None: ...
        def compile_for(self, tys: Sequence[types.Type], /) -> None: ...
        def recompile(self) -> None: ...
        def derivative(self, arg: int | str, /) -> Callable[[_S], _S]: ...
        def explain(self, *args: Any) -> str: ...
        def inspect_ir(self, args: Sequence[types.Type] | None = None) -> Any: ...
        def inspect_asm(self, args: Sequence[types.Type] | None = None) -> Any: ...


# What options may be; those without values mean nothing here.
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "nogil": (None, True, False),
    "boundscheck": (None, True, False),
    "error_model": ("python", "numpy"),
    "inline": ("auto", "always", "never"),
    "backend": (None, "vm", "cranelift", "cc", "tiered"),
    "fastmath": (),
    "forceobj": (),
    "target": (),
    # What numba takes, and has no effect here.
    "cache": (None, True, False),
    "parallel": (),
    "nopython": (None, True, False),
    "debug": (None, True, False),
    "forceinline": (None, True, False),
    "no_cpython_wrapper": (None, True, False),
    "no_cfunc_wrapper": (None, True, False),
}
# Options of numba that something else stands for.
_INSTEAD = {
    "locals": "annotate the variable: `x: types.float64 = ...`",
    "pipeline_class": "there are no passes of one's own: register overloads and lowerings",
    "writable_args": "arguments are written where the body assigns to them",
}
# What numba lets be permitted one by one, of which contraction is there.
_FAST = {"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"}


if TYPE_CHECKING:

    @overload
    def jit(
        signature_or_function: Callable[_P, _R],
        *,
        signatures: _Signature | Sequence[_Signature] | None = None,
        **options: Any,
    ) -> _Dispatcher[_P, _R]: ...
    @overload
    def jit(
        signature_or_function: _Signature | Sequence[_Signature] | None = None,
        *,
        signatures: None = None,
        **options: Any,
    ) -> Callable[[Callable[_P, _R]], _Dispatcher[_P, _R]]: ...


def jit(signature_or_function: Any = None, *, signatures: Any = None, **options: Any) -> Any:
    """Compile a function for the types that it is called with.

        >>> @jit
        ... def f(x):
        ...     return x + 1
        >>> f(1), f(1.5)
        (2, 2.5)

    Args:
        signature_or_function: The function; or a signature, a text such as
            `"float64(float64, int64)"`, or a list of them, to which arguments are cast.
        signatures: Signatures, if the function comes first.
        options: `error_model="numpy"` has divisions of real numbers by zero give infinity or what
            is no number, and raise nothing; `backend` is one of `"vm"`, `"cranelift"`, `"cc"` and
            `"tiered"`, instead of what the variable `OPWRIGHT_JIT` says; `nogil` says whether other
            threads run during a call. `fastmath=True` has products and sums contracted: where one
            product is part of one sum or difference, both are rounded once. Nothing is reassociated
            and nothing assumed of nan, infinity or zero. `inline` says whether other compiled
            functions have the body written where they call it: `"always"`, `"never"`, or `"auto"`
            if it is small. Accepted, and without effect: `boundscheck`, as indices are always
            checked, `cache`, as compiling is faster than reading, `parallel`, as loops run in
            order, `nopython`, `debug`, `forceinline`, `no_cpython_wrapper`, `no_cfunc_wrapper`.

    Raises:
        UnsupportedError: The function has no source.
        NotImplementedError: An option asks for what is not there.
        ValueError: An option has a value that it does not take.
    """
    _check_options(options)
    _contracts(options.get("fastmath"))
    given = signature_or_function
    if isinstance(given, FunctionType):
        return _dispatcher(given, signatures, options)
    if isinstance(given, (staticmethod, classmethod)):
        return type(given)(jit(given.__func__, signatures=signatures, **options))
    if given is not None and _is_callable(given):
        raise UnsupportedError(f"jit() compiles functions of Python, not {given!r}")
    return lambda it: jit(it, signatures=given, **options)


njit = jit


def _is_callable(given: Any) -> bool:
    from .. import types

    return callable(given) and not isinstance(given, (types.Type, types.Signature))


def _check_options(options: dict[str, Any]) -> None:
    if options.get("forceobj"):
        raise NotImplementedError("forceobj=True: everything is compiled, or refused")
    target = options.get("target", "cpu")
    if target != "cpu":
        raise NotImplementedError(
            f"target={target!r} is not there: functions are compiled for the CPU"
        )
    for name, value in options.items():
        if name in _INSTEAD:
            raise NotImplementedError(f"{name}={value!r} is not there: {_INSTEAD[name]}")
        if name not in _OPTIONS:
            raise TypeError(f"jit() got an unexpected keyword argument '{name}'")
        allowed = _OPTIONS[name]
        if allowed and value not in allowed:
            names = ", ".join(map(repr, allowed))
            raise ValueError(f"{name}={value!r}: it is one of {names}")


def _contracts(fastmath: Any) -> bool:
    """Whether products and sums are contracted: numba takes truth values, or what is permitted."""
    if fastmath is None or isinstance(fastmath, bool):
        return bool(fastmath)
    if isinstance(fastmath, dict):
        fastmath = {name for name, is_on in fastmath.items() if is_on}
    if not isinstance(fastmath, (set, frozenset, list, tuple)) or set(fastmath) - _FAST:
        names = ", ".join(sorted(_FAST))
        raise ValueError(f"fastmath={fastmath!r}: it is True, False, or a set of {names}")
    return bool({"contract", "fast"} & set(fastmath))


def _dispatcher(function: Any, signatures: Any, options: dict[str, Any]) -> Any:
    declared = None
    if signatures is not None:
        from .signatures import read

        declared = read(signatures)
    source.keep(function)
    divides_by_zero = options.get("error_model") == "numpy"
    backend, nogil = options.get("backend"), options.get("nogil")
    contracts = _contracts(options.get("fastmath"))
    if "inline" in options:
        # Those who call the function look here.
        function._opwright_inline_ = options["inline"]
    made = _C._jit.dispatcher(function, declared, backend, nogil, divides_by_zero, contracts)
    _wrap(made, function)
    made.py_func = function
    made._declared = declared
    for signature in declared or ():
        made.compile_for(signature.args)
    return made


def _wrap(made: Any, function: FunctionType) -> None:
    """Give a dispatcher the attributes of its function, as `functools.update_wrapper` does."""
    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(made, name, getattr(function, name))
    made.__dict__.update(function.__dict__)
    made.__wrapped__ = function


def from_text(text: str, names: dict[str, Any] | None = None) -> Any:
    """Compile the function of a text, which knows these names."""
    import linecache

    file = f"<opwright {len(linecache.cache)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = dict(names or {})
    known = set(made)
    exec(compile(text, file, "exec"), made)
    return jit(next(it for key, it in made.items() if key not in known and key != "__builtins__"))
