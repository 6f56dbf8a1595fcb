"""What code of the user's raises or returns in the middle of ours comes out as an exception."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import opwright
import pytest
from bound_operators import operators, right_call
from opwright.autograd import Function
from opwright.autograd.graph import register_multi_grad_hook, saved_tensors_hooks
from trials import every


class OwnError(Exception):
    """What a hook raises."""


class Ended(BaseException):
    """What a hook raises that is no `Exception`."""


def refuse(*_: Any) -> Any:
    raise OwnError("mine")


def end(*_: Any) -> Any:
    raise Ended


class Nonsense:
    """An object that refuses whatever it is asked."""

    __index__ = __float__ = __len__ = __iter__ = __getitem__ = refuse


def failing() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions that fail, each in another way."""
    yield "raises", refuse
    yield "ends", end
    for value in (1, "x", Nonsense(), (), (1,), [None], opwright.ones(7), opwright.ones(3).int()):
        yield f"returns {type(value).__name__}", lambda *_, value=value: value
    yield "takes nothing", lambda: None
    yield "returns meta", lambda *_: opwright.ones(3, device="meta")
    yield "returns what it is given twice", lambda *it: (*it, *it)


def leaf() -> Any:
    return opwright.ones(3, requires_grad=True)


def product(hook: Callable[..., Any], place: Callable[[Any, Any, Any], Any]) -> None:
    """Passes through a product, after `place` has put the hook somewhere."""
    x = leaf()
    y = x * x
    place(x, y, hook)
    y.sum().backward(retain_graph=True)
    opwright.autograd.grad(y.sum(), x, create_graph=True)
    y.sum().backward(inputs=[y, x])


def function(**methods: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function with a gradient of its own, some of whose methods are others."""
    made = {
        "forward": lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1],
        "backward": lambda ctx, g: (ctx.saved_tensors, g * 2)[1],
        **methods,
    }
    members = {name: staticmethod(it) for name, it in made.items()}
    return type("Own", (Function,), members).apply


def through(call: Callable[[Any], Any]) -> None:
    """A pass through a call, and a look at its node."""
    y = call(leaf())
    node = y.grad_fn
    _ = node.saved_tensors, node.next_functions, node.metadata
    y.sum().backward()


def packed(pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
    with saved_tensors_hooks(pack, unpack):
        y = leaf().exp() * leaf()
        z = function()(leaf())
    _ = y.grad_fn._saved_self, y.grad_fn._saved_other
    _ = z.grad_fn.saved_tensors
    (y + z).sum().backward()


def packed_later(pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
    y = leaf() * leaf()
    y.grad_fn._raw_saved_self.register_hooks(pack, unpack)
    _ = y.grad_fn._saved_self


def second_output(hook: Callable[..., Any]) -> None:
    first, second = opwright.ones(2, 3, requires_grad=True).unbind()
    second.register_hook(hook)
    first.sum().backward()


class Overriding(opwright.Tensor):
    """A class that has operators come to it."""


def overridden(hook: Callable[..., Any]) -> None:
    kind = type("Kind", (Overriding,), {"__opwright_function__": classmethod(hook)})
    it = opwright.ones(3).as_subclass(kind)
    _ = it + 1, opwright.sin(it), it.sum()


class Given:
    """An object whose protocols are a hook."""

    def __init__(self, hook: Callable[..., Any]) -> None:
        self.hook = hook

    def __getattr__(self, name: str) -> Any:
        return self.hook(name)


def protocols(hook: Callable[..., Any]) -> None:
    names = ["__index__", "__float__", "__len__", "__getitem__", "__iter__", "__array__"]
    for name in [*names, "__dlpack__", "__dlpack_device__", "__bool__", "__buffer__"]:
        it = type("Kind", (Given,), {name: hook})(hook)
        for call in (
            opwright.tensor,
            opwright.ones,
            opwright.from_dlpack,
            opwright.ones(3).__getitem__,
        ):
            try:
                call(it)
            except (Exception, Ended) as error:
                check(error)


SITES: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "of a leaf": lambda it: product(it, lambda x, _, hook: x.register_hook(hook)),
    "of a result": lambda it: product(it, lambda _, y, hook: y.register_hook(hook)),
    "of a second output": second_output,
    "after accumulation": lambda it: product(
        it, lambda x, _, hook: x.register_post_accumulate_grad_hook(hook)
    ),
    "before a node": lambda it: product(it, lambda _, y, hook: y.grad_fn.register_prehook(hook)),
    "after a node": lambda it: product(it, lambda _, y, hook: y.grad_fn.register_hook(hook)),
    "before a leaf's node": lambda it: product(
        it, lambda _, y, hook: y.grad_fn.next_functions[0][0].register_prehook(hook)
    ),
    "of several": lambda it: product(it, lambda x, y, hook: register_multi_grad_hook((x, y), hook)),
    "of any": lambda it: product(
        it, lambda x, y, hook: register_multi_grad_hook((x, y), hook, mode="any")
    ),
    "packs": lambda it: packed(it, lambda tensor: tensor),
    "unpacks": lambda it: packed(lambda tensor: tensor, it),
    "packs later": lambda it: packed_later(it, lambda tensor: tensor),
    "unpacks later": lambda it: packed_later(lambda tensor: tensor, it),
    "is forward": lambda it: through(function(forward=it)),
    "is backward": lambda it: through(function(backward=it)),
    "sets up": lambda it: through(function(forward=lambda x: x * 2, setup_context=it)),
    "overrides": overridden,
    "is a protocol": protocols,
}


def check(error: BaseException) -> None:
    """Refuses exceptions that tell of a mistake of ours."""
    assert "Panic" not in type(error).__name__, repr(error)
    assert not isinstance(error, SystemError), repr(error)
    assert "internal error" not in str(error), repr(error)


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("hook", [pytest.param(it, id=name) for name, it in failing()])
def test_a_hook_that_fails(site: str, hook: Callable[..., Any]) -> None:
    try:
        SITES[site](hook)
    except Ended:
        assert hook is end
    except Exception as error:
        check(error)
        assert not isinstance(error, OwnError) or hook is not end
    # Nothing is left of it.
    x = leaf()
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]


def recorded(operator: Any, overload: Any) -> Any:
    """The node of a call whose saved tensors nobody can have again; none if nothing is recorded."""
    call = right_call(operator, overload, count=200)
    if call is None:
        return None
    args, kwargs = call

    def learning(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return type(value)(learning(it) for it in value)
        if isinstance(value, opwright.Tensor) and value.is_floating_point():
            return value.detach().clone().requires_grad_() * 1
        return value

    with saved_tensors_hooks(lambda it: it, refuse):
        try:
            result = operator.function(
                *map(learning, args), **{name: learning(it) for name, it in kwargs.items()}
            )
        except Exception:
            return None
    results = result if isinstance(result, (list, tuple)) else [result]
    nodes = [it.grad_fn for it in results if isinstance(it, opwright.Tensor)]
    return next((it for it in nodes if it is not None), None)


@pytest.mark.filterwarnings("ignore")
def test_attributes_of_nodes_whose_tensors_cannot_be_unpacked() -> None:
    refused, seen = 0, set()
    for operator in list(operators())[:: every(otherwise=10)]:
        for overload in operator.overloads:
            node = recorded(operator, overload)
            for name in dir(node) if node is not None else ():
                try:
                    getattr(node, name)
                except (OwnError, RuntimeError, AttributeError) as error:
                    refused += isinstance(error, OwnError)
                    check(error)
                except BaseException as error:
                    check(error)
                    raise
            seen.add(node is None)
    assert refused > 10
    assert seen == {False, True}


class Index:
    """An index of the user's that fails."""

    def __index__(self) -> int:
        raise MemoryError("mine")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x[Index()],
        lambda x: x.sum(Index()),
        lambda x: x.reshape(Index(), 1),
        lambda x: opwright.flip(x, [Index()]),
    ],
)
def test_missing_memory_that_the_user_reports_is_the_users(
    call: Callable[[opwright.Tensor], Any],
) -> None:
    with pytest.raises(MemoryError, match="mine"):
        call(opwright.ones(2, 2))
