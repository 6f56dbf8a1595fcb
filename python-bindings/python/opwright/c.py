"""Types and Ops that write C, and what is asked of them.

A function in the mode "c" puts what its nodes write into blocks, which a C++ compiler makes into
libraries. They are kept in a folder, which `python -m opwright.c clean` empties.
"""

from __future__ import annotations

from . import _C
from . import graph as _graph_module
from . import types as _types
from ._c_values import NUMBERS as _NUMBERS
from ._c_values import Source as _Source
from ._c_values import Tensor as _Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

CompileError = _C._graph.CompileError

_TYPE_HOOKS = ("name", "sub")
_NODE_HOOKS = {
    "c_code": ("node", "name", "inputs", "outputs", "sub"),
    "c_code_cleanup": ("node", "name", "inputs", "outputs", "sub"),
    "c_support_code_apply": ("node", "name"),
    "c_init_code_apply": ("node", "name"),
    "c_support_code_struct": ("node", "name"),
    "c_init_code_struct": ("node", "name", "sub"),
    "c_cleanup_code_struct": ("node", "name"),
}


class CType(_Source, _types.Type):
    """A type that writes C for its variables.

    Each hook gets `name`, what the variable is called, and `sub`, texts to put in: `fail` is what
    code leaves with when it has set an exception.
    """

    def c_declare(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Return declarations, of which every name contains `name`."""
        raise NotImplementedError(f"{type(self).__name__} has no c_declare()")

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        """Return what sets a variable that will be computed."""
        raise NotImplementedError(f"{type(self).__name__} has no c_init()")

    def c_extract(
        self, name: str, sub: dict[str, str], check_input: bool = True, **kwargs: Any
    ) -> str:
        """Return what sets a variable from the object `py_<name>`."""
        raise NotImplementedError(f"{type(self).__name__} has no c_extract()")

    def c_extract_out(
        self, name: str, sub: dict[str, str], check_input: bool = True, **kwargs: Any
    ) -> str:
        """Return what sets a result from its object of the last call, or from None."""
        return _extract_out(self, name, sub, check_input)

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        """Return what puts a new object into `py_<name>`, in place of the one that is there."""
        raise NotImplementedError(f"{type(self).__name__} has no c_sync()")

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        """Return what frees a variable, also one whose own extraction failed."""
        raise NotImplementedError(f"{type(self).__name__} has no c_cleanup()")

    def c_literal(self, data: Any) -> str:
        """Return a constant as an expression."""
        raise NotImplementedError(f"{type(self).__name__} has no c_literal()")

    def c_is_simple(self) -> bool:
        """Whether a variable is one variable in C, which can be passed by value."""
        return False


class COp(_Source, _graph_module.Op):
    """An Op that writes C for its nodes; one without `c_code` runs its `perform`."""

    # Whether the types of its inputs have to look at what they extract.
    check_input = True
    # The type of what `get_params` returns.
    params_type: Any = None

    def c_code(
        self,
        node: Any,
        name: str,
        inputs: list[str],
        outputs: list[str],
        sub: dict[str, str],
    ) -> str:
        """Return what sets the variables `outputs` from `inputs`."""
        raise NotImplementedError(f"{type(self).__name__} has no c_code()")

    def c_code_cleanup(
        self,
        node: Any,
        name: str,
        inputs: list[str],
        outputs: list[str],
        sub: dict[str, str],
    ) -> str:
        """Return what follows the code, however it ended."""
        return ""

    def c_support_code_apply(self, node: Any, name: str) -> str:
        """Return functions and types of this node."""
        return ""

    def c_init_code_apply(self, node: Any, name: str) -> str:
        """Return what is done once per process for this node."""
        return ""

    def c_support_code_struct(self, node: Any, name: str) -> str:
        """Return members: what the node keeps from call to call."""
        return ""

    def c_init_code_struct(self, node: Any, name: str, sub: dict[str, str]) -> str:
        """Return what sets these members."""
        return ""

    def c_cleanup_code_struct(self, node: Any, name: str) -> str:
        """Return what frees these members."""
        return ""

    def c_code_cache_version_apply(self, node: Any) -> tuple[Any, ...]:
        """Return the version of what is written for a node."""
        return self.c_code_cache_version()

    def get_params(self, node: Any) -> Any:
        """Return a constant of the node, which its code calls `sub["params"]`."""
        raise NotImplementedError(f"{type(self).__name__} has no get_params()")


class Generic(CType):
    """Any object, as a `PyObject*`. Types derive from it and replace single hooks."""

    c_language = "c"

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return the value: every one is taken."""
        return value

    def is_super(self, other: Any) -> bool:
        """Whether the other type is this one."""
        return bool(self == other)

    def deep_copy(self, value: Any) -> Any:
        """Return the object itself: of what nothing is known, nothing is copied."""
        return value

    def c_declare(self, name: str, sub: dict[str, str], check_input: bool = True) -> str:
        """Declare a pointer to an object."""
        return f"PyObject* {name};"

    def c_init(self, name: str, sub: dict[str, str]) -> str:
        """Point to nothing."""
        return f"{name} = NULL;"

    def c_extract(
        self, name: str, sub: dict[str, str], check_input: bool = True, **kwargs: Any
    ) -> str:
        """Point to the object that is given."""
        return f"Py_INCREF(py_{name}); {name} = py_{name};"

    def c_sync(self, name: str, sub: dict[str, str]) -> str:
        """Hand out the object, or None."""
        return (
            f"{{ PyObject* {name}_old = py_{name}; py_{name} = {name} ? {name} : Py_None; "
            f"Py_INCREF(py_{name}); Py_XDECREF({name}_old); }}"
        )

    def c_cleanup(self, name: str, sub: dict[str, str]) -> str:
        """Let go of the object."""
        return f"Py_XDECREF({name});"

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """Return a version, for this very class only."""
        # What derives from it says for itself.
        return (1,) if type(self) is Generic and not vars(self) else ()

    def __repr__(self) -> str:
        return "generic" if type(self) is Generic else super().__repr__()

    def __reduce__(self) -> Any:
        return "generic" if self is generic else object.__reduce_ex__(self, 2)


generic = Generic()


class _Intrinsic(_Source):
    """An operator that every type has, in C for one of them."""

    c_language = "c"
    check_input = True

    def __init__(
        self, whose: str, code: str, version: tuple[Any, ...], index: int | None = None
    ) -> None:
        # Who wrote it, for messages.
        self.__qualname__ = whose
        self._code, self._version, self._index = code, version, index

    def c_code(
        self, node: Any, name: str, inputs: list[str], outputs: list[str], sub: dict[str, str]
    ) -> str:
        texts = _Sub(iname=inputs[0], oname=outputs[0], fail=sub["fail"])
        if self._index is not None:
            texts["i"] = str(self._index)
        try:
            return self._code % texts
        except (TypeError, ValueError) as error:
            raise ValueError(f"{self.__qualname__}: {error}; write %% for %") from None

    def c_code_cache_version(self) -> tuple[Any, ...]:
        return self._version


_registered: dict[str, dict[type, tuple[str, str, tuple[Any, ...]]]] = {
    "deep_copy": {},
    "view": {},
    "shape": {},
    "shape_i": {},
}


_REGISTERS = {
    "deep_copy": "register_deep_copy_op_c_code",
    "view": "register_view_op_c_code",
    "shape": "register_shape_c_code",
    "shape_i": "register_shape_i_c_code",
}


def _register(kind: str, cls: type, code: str, version: Any, check_input: str = "") -> None:
    if not isinstance(cls, type):
        raise TypeError(f"C code for {kind} is for a class of types, not for {cls!r}")
    for text in (code, check_input):
        if not isinstance(text, str):
            raise TypeError(f"C code is a text, not {type(text).__name__}")
    version = version if isinstance(version, tuple) else (version,)
    _registered[kind][cls] = (code, check_input, version)


def register_deep_copy_op_c_code(cls: type, code: str, version: Any = ()) -> None:
    """Say what sets `%(oname)s` to a copy of `%(iname)s`, for types of a class."""
    _register("deep_copy", cls, code, version)


def register_view_op_c_code(cls: type, code: str, version: Any = ()) -> None:
    """Say what sets `%(oname)s` to `%(iname)s`, whose memory both may use."""
    _register("view", cls, code, version)


def register_shape_c_code(cls: type, code: str, version: Any = ()) -> None:
    """Say what sets `%(oname)s`, a `PyObject*`, to the shape of `%(iname)s`."""
    _register("shape", cls, code, version)


def register_shape_i_c_code(cls: type, code: str, check_input: str = "", version: Any = ()) -> None:
    """Say what sets `%(oname)s` to extent `%(i)s` of `%(iname)s`, and what looks at these first."""
    _register("shape_i", cls, code, version, check_input or "")


# What follows is asked by the native part.


class _Sub(dict[str, str]):
    def __missing__(self, key: str) -> str:
        raise KeyError(f"there is no {key!r} to put in; there are {', '.join(self)}")


class _Compiler(str):
    """A compiler, as hooks get it: its path."""

    __slots__ = ("version",)
    version: str

    @property
    def path(self) -> str:
        """The program."""
        return str(self)

    @property
    def name(self) -> str:
        """The program without its folder."""
        return self.replace("\\", "/").rpartition("/")[2]


_plans: dict[Any, tuple[bool, int, frozenset[str] | None]] = {}


def _plan(
    method: Callable[..., Any], values: Sequence[str], optional: Iterable[str]
) -> tuple[bool, int, frozenset[str] | None]:
    """Whether no instance is passed, how many values are passed by place, and which by name."""
    from inspect import Parameter, signature
    from types import MethodType

    function = method.__func__ if isinstance(method, MethodType) else None
    parameters = list(signature(function or method).parameters.values())
    kinds = {it.kind for it in parameters}
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    places = [it for it in parameters if it.kind in by_place]
    variadic = Parameter.VAR_POSITIONAL in kinds
    first = next(iter(values), "c_compiler")
    # A function that was put into the class later, and has no parameter for the instance.
    alone = (
        function is not None
        and not variadic
        and (len(places) == len(values) or (bool(places) and places[0].name == first))
    )
    taken = places if function is None or alone else places[1:]
    rest = taken[len(values) :]
    extra = sum(it.default is Parameter.empty and it.name not in optional for it in rest)
    if Parameter.VAR_KEYWORD in kinds:
        return alone, extra, None
    names = {it.name for it in parameters if it.kind is not Parameter.POSITIONAL_ONLY}
    return alone, extra, frozenset(names.intersection(optional))


def _ask(owner: Any, hook: str, values: dict[str, Any], **optional: Any) -> Any:
    """Call a hook with what its signature takes; NotImplemented if there is none."""
    method = getattr(owner, hook, None)
    if method is None:
        return NotImplemented
    function = getattr(method, "__func__", method)
    key = (function, hook)
    plan = _plans.get(key)
    if plan is None:
        plan = _plan(method, list(values), optional)
        if len(_plans) > 4096:
            _plans.clear()
        _plans[key] = plan
    alone, extra, names = plan
    given = list(values.values()) + list(optional.values())[:extra]
    named = {k: v for k, v in optional.items() if names is None or k in names}
    try:
        return (function if alone else method)(*given, **named)
    except NotImplementedError:
        return NotImplemented
    except KeyError as error:
        where = f"{_class(owner)}.{hook}"
        raise KeyError(f"{where}: {error.args[0] if error.args else error}") from error
    except Exception as error:
        error.add_note(f"in {_class(owner)}.{hook}")
        raise


def _text(owner: Any, hook: str, text: Any) -> str:
    if not isinstance(text, str):
        kind = type(text).__name__
        raise TypeError(f"{_class(owner)}.{hook} returned {kind}, not a text")
    return text


def _extract_out(owner: Any, name: str, sub: dict[str, str], check_input: bool) -> str:
    init = _type_text(owner, "c_init", name, sub, check_input)
    extract = _type_text(owner, "c_extract", name, sub, check_input)
    return f"if (py_{name} == Py_None) {{ {init}\n}} else {{ {extract}\n}}"


def _type_text(owner: Any, hook: str, name: str, sub: dict[str, str], check_input: bool) -> str:
    values = {"name": name, "sub": _Sub(sub)}
    text = _ask(owner, hook, values, check_input=check_input)
    if text is NotImplemented:
        if hook == "c_extract_out":
            return _extract_out(owner, name, sub, check_input)
        raise NotImplementedError(f"{_class(owner)} has no {hook}()")
    return _text(owner, hook, text)


def _node_text(
    owner: Any,
    hook: str,
    node: Any,
    name: str,
    inputs: list[str],
    outputs: list[str],
    sub: dict[str, str],
) -> str | None:
    known = {
        "node": node,
        "name": name,
        "inputs": inputs,
        "outputs": outputs,
        "sub": _Sub(sub),
    }
    text = _ask(owner, hook, {it: known[it] for it in _NODE_HOOKS[hook]})
    return None if text is NotImplemented else _text(owner, hook, text)


def _list(owner: Any, hook: str, path: str, version: str) -> list[str]:
    compiler = _Compiler(path)
    compiler.version = version
    texts = _ask(owner, hook, {}, c_compiler=compiler)
    if texts is NotImplemented or texts is None:
        return []
    if isinstance(texts, str):
        texts = [texts]
    if not isinstance(texts, list | tuple):
        kind = type(texts).__name__
        raise TypeError(f"{_class(owner)}.{hook} returned {kind}, not a list of texts")
    return [_text(owner, hook, it) for it in texts]


def _version(owner: Any, node: Any) -> str | None:
    hook = "c_code_cache_version"
    version = NotImplemented
    if node is not None:
        version = _ask(owner, hook + "_apply", {"node": node})
    if version is NotImplemented:
        version = _ask(owner, hook, {})
    if version is NotImplemented:
        return None
    if not isinstance(version, tuple):
        kind = type(version).__name__
        raise TypeError(f"{_class(owner)}.{hook} returned {kind}, not a tuple")
    try:
        hash(version)
    except TypeError as error:
        text = f"{_class(owner)}.{hook} returned what cannot be compared: {error}"
        raise TypeError(text) from None
    return repr((_class(owner), version)) if version else None


def _compiler(owner: Any) -> str | None:
    compiler = _ask(owner, "c_compiler", {})
    if compiler is NotImplemented or compiler is None:
        return None
    path = getattr(compiler, "path", compiler)
    return _text(owner, "c_compiler", path)


def _literal(owner: Any, data: Any) -> str | None:
    text = _ask(owner, "c_literal", {"data": data})
    return None if text is NotImplemented else _text(owner, "c_literal", text)


def _is_simple(owner: Any) -> bool:
    simple = _ask(owner, "c_is_simple", {})
    return simple is not NotImplemented and bool(simple)


def _is_c(owner: Any) -> bool:
    return getattr(owner, "c_language", "c++") == "c"


def _releases(owner: Any) -> bool:
    return getattr(owner, "c_gil", "hold") == "release"


def _of_type(ty: Any) -> Any:
    """Who writes the text of a type's variables."""
    if callable(getattr(ty, "c_declare", None)):
        return ty
    if isinstance(ty, _types.TensorType):
        return _Tensor(ty)
    return _NUMBERS.get(str(ty), generic) if isinstance(ty, _types.PlainType) else generic


def _of_op(op: Any) -> Any:
    """The Op, if it writes C."""
    if isinstance(op, _graph_module._HostShape):
        return _of_intrinsic(str(op), op.type, op.i)
    code = getattr(op, "c_code", None)
    is_default = getattr(code, "__func__", code) is COp.c_code
    return op if callable(code) and not is_default else None


def _of_intrinsic(kind: str, ty: Any, index: int | None) -> Any:
    """Who writes an operator that every type has."""
    known = _registered.get(kind)
    # Code does not count from the last; without a rank nobody does it before.
    if not known or (index is not None and index < 0):
        return None
    for cls in type(ty).__mro__:
        if cls in known:
            code, check_input, version = known[cls]
            whose = f"{_REGISTERS[kind]}({cls.__name__})"
            return _Intrinsic(whose, check_input + code, version, index)
    return None


def _class(owner: Any) -> str:
    """What messages call who wrote a text."""
    return owner.__qualname__ if isinstance(owner, _Intrinsic) else type(owner).__name__


def _params(op: Any, node: Any) -> Any:
    """The type and the value of a node's own constant."""
    ty = getattr(op, "params_type", None)
    return None if ty is None else (ty, op.get_params(node))


def _main(arguments: list[str]) -> int:
    import sys

    if arguments != ["clean"]:
        print("usage: python -m opwright.c clean", file=sys.stderr)
        return 2
    removed = _C._graph.c_clean()
    print(f"removed {removed} compiled block{'' if removed == 1 else 's'}")
    return 0


if __name__ == "__main__":
    import sys

    sys.exit(_main(sys.argv[1:]))
