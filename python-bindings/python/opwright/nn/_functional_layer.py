"""Layers that are one call of a function, declared as the parameters that they hold for it.

    class ELU(FunctionalLayer, function=functional.elu):
        alpha: float = 1.0
        inplace: bool = False

The constructor, `forward`, `extra_repr` and `__constants__` follow from the annotations: they are
compiled when the class is made, as `dataclasses` does it, so that signatures, calls and messages
are those of methods that somebody wrote. What a class defines itself is left alone.
"""

from __future__ import annotations

from types import FunctionType
from typing import ClassVar, dataclass_transform

from opwright.nn.module import Module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    from opwright import Tensor

    _Class = TypeVar("_Class", bound=type[Module])

_REQUIRED: Any = object()


@dataclass_transform(eq_default=False)
class FunctionalLayer(Module):
    """A layer that calls a function with its inputs and the parameters that it holds.

    Subclasses name the `function`. The parameters are their annotations, in this order, with those
    of base classes before them; tensors are buffers. They are passed by name, and with
    `passes_training` also whether the layer is being trained. `shown` are the parameters that
    `repr` shows, by default all but tensors. The inputs are those of `forward` of a base class.
    """

    __constants__: ClassVar[list[str]] = []
    # Names of parameters, with their annotations and defaults.
    _declared: ClassVar[dict[str, tuple[str, Any]]] = {}
    # Parameters of constructors of which only something else is held.
    _consumed: ClassVar[frozenset[str]] = frozenset()
    _shown: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(
        cls,
        *,
        function: Callable[..., Any] | None = None,
        passes_training: bool = False,
        shown: Iterable[str] | None = None,
        kw_only: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init_subclass__(**kwargs)
        own = vars(cls)
        fields = {
            name: (annotation, own.get(name, _REQUIRED))
            for name, annotation in own.get("__annotations__", {}).items()
            if isinstance(annotation, str) and not annotation.startswith("ClassVar")
        }
        cls._declared = {**cls._declared, **fields}
        if function is None:
            return
        # Instances have them, and buffers could not be called like an attribute of the class.
        for name in fields:
            if name in own:
                delattr(cls, name)
        held = [name for name in cls._declared if name not in cls._consumed]
        cls.__constants__ = [it for it in held if not _is_tensor(cls._declared[it][0])]
        cls._shown = tuple(cls.__constants__ if shown is None else shown)
        if "__init__" not in own:
            _set_constructor(cls, kw_only)
        if "forward" not in own:
            _set_forward(cls, function, held, passes_training)

    def _hold(self, parameters: dict[str, Any]) -> None:
        """Take what the constructor was called with."""
        super().__init__()
        for name, value in self._checked(parameters).items():
            if _is_tensor(self._declared[name][0]):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def _checked(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """What is held of the constructor's arguments; some classes refuse or convert them."""
        return parameters

    def forward(self, input: Tensor) -> Tensor:
        """What the function returns."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        """The parameters; of `inplace` only that it is true."""
        values = {name: getattr(self, name) for name in self._shown}
        return ", ".join(
            f"{name}={value!r}" for name, value in values.items() if name != "inplace" or value
        )


def _is_tensor(annotation: str) -> bool:
    return annotation.removesuffix(" | None") in ("Tensor", "opwright.Tensor")


def _set_constructor(cls: type[FunctionalLayer], kw_only: bool) -> None:
    declared = cls._declared
    namespace = {f"_{name}": default for name, (_, default) in declared.items()}
    parameters = [
        name if default is _REQUIRED else f"{name}=_{name}"
        for name, (_, default) in declared.items()
    ]
    if kw_only and parameters:
        parameters.insert(0, "*")
    given = ", ".join(f"{name!r}: {name}" for name in declared)
    annotations = {name: annotation for name, (annotation, _) in declared.items()}
    made = _compiled("__init__", parameters, f"self._hold({{{given}}})", namespace)
    _add(cls, made, {**annotations, "return": "None"}, None)


def _set_forward(
    cls: type[FunctionalLayer],
    function: Callable[..., Any],
    held: list[str],
    passes_training: bool,
) -> None:
    inherited: Any = cls.forward
    code = inherited.__code__
    defaults = inherited.__defaults__ or ()
    inputs = code.co_varnames[1 : code.co_argcount]
    required = inputs[: len(inputs) - len(defaults)]
    others = inputs[len(required) :]
    passed = [*required, *(f"{it}={it}" for it in others), *(f"{it}=self.{it}" for it in held)]
    if passes_training:
        passed.append("training=self.training")
    namespace = {f"_{name}": value for name, value in zip(others, defaults, strict=True)}
    parameters = [*required, *(f"{it}=_{it}" for it in others)]
    body = f"return function({', '.join(passed)})"
    made = _compiled("forward", parameters, body, {**namespace, "function": function})
    home = "functional" if function.__module__.startswith("opwright.nn.") else "opwright"
    doc = f"What `{home}.{function.__name__}` returns."
    _add(cls, made, inherited.__annotations__, doc)


def _compiled(
    name: str, parameters: Iterable[str], body: str, namespace: dict[str, Any]
) -> FunctionType:
    # Warnings are of whoever calls the package.
    namespace["__name__"] = __name__
    exec(f"def {name}({', '.join(['self', *parameters])}): {body}", namespace)
    made: FunctionType = namespace[name]
    return made


def _add(
    cls: type[Module], method: FunctionType, annotations: dict[str, Any], doc: str | None
) -> None:
    """Has a class have a function, and errors and `help` say so."""
    method.__annotations__ = annotations
    method.__module__, method.__doc__ = cls.__module__, doc
    method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
    setattr(cls, method.__name__, method)


def with_own_init(class_: _Class) -> _Class:
    """Has wrong calls of a class name it, not the one that its `__init__` is inherited from."""
    init: Any = class_.__init__
    own = FunctionType(
        init.__code__, init.__globals__, init.__name__, init.__defaults__, init.__closure__
    )
    own.__kwdefaults__ = init.__kwdefaults__
    _add(class_, own, init.__annotations__, init.__doc__)
    return class_
