"""Hooks of modules: around calls, gradients, and states that are saved and loaded."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import opwright
import pytest
from opwright import nn
from opwright.nn import module as module_hooks

T = opwright.tensor


class Sum(nn.Module):
    """A sum, which fails on demand."""

    def forward(self, x: Any, *, more: float = 0.0, fail: bool = False) -> Any:
        """The sum of all."""
        if fail:
            raise KeyError("asked for")
        return x.sum() + more


# --- calls ----------------------------------------------------------------------------------


def test_hooks_see_keywords_and_change_them() -> None:
    layer = Sum()
    layer.register_forward_pre_hook(
        lambda _, args, kwargs: (args, {**kwargs, "more": 2.0}), with_kwargs=True
    )
    layer.register_forward_hook(
        lambda _, args, kwargs, result: result * kwargs["more"], with_kwargs=True
    )
    assert layer(T([1.0])).item() == 6.0
    layer.register_forward_pre_hook(lambda *_: 3, with_kwargs=True)
    with pytest.raises(RuntimeError, match="a pair of arguments and keywords, but returned 3"):
        layer(T([1.0]))


def test_hooks_run_in_order() -> None:
    layer, seen = Sum(), ""
    for name in "abc":

        def note(*_: Any, name: str = name) -> None:
            nonlocal seen
            seen += name

        layer.register_forward_hook(note, prepend=name == "c")
        layer.register_forward_pre_hook(note, prepend=name == "b")
    layer(T([1.0]))
    assert seen == "baccab"


def test_some_hooks_always_run() -> None:
    layer, seen = Sum(), []
    layer.register_forward_hook(lambda *it: seen.append(("usual", it[-1])))
    handle = layer.register_forward_hook(
        lambda *it: seen.append(("always", it[-1])), always_call=True
    )
    layer(T([1.0]))
    assert [it for it, _ in seen] == ["usual", "always"]
    with pytest.raises(KeyError, match="asked for"):
        layer(T([1.0]), fail=True)
    assert seen[2:] == [("always", None)]
    with handle:
        pass
    with pytest.raises(KeyError):
        layer(T([1.0]), fail=True)
    assert len(seen) == 3


def test_what_fails_after_a_failure_is_told() -> None:
    layer, seen = Sum(), []

    def fail(*_: Any) -> None:
        raise ValueError("second")

    layer.register_forward_hook(fail, always_call=True)
    layer.register_forward_hook(lambda *it: seen.append(it), always_call=True)
    with pytest.warns(UserWarning, match="second"), pytest.raises(KeyError, match="asked for"):
        layer(T([1.0]), fail=True)
    assert len(seen) == 1
    # One that fails by itself runs once.
    with pytest.raises(ValueError, match="second"):
        layer(T([1.0]))
    assert len(seen) == 2


def test_hooks_of_all_modules() -> None:
    seen: list[str] = []
    handles = [
        module_hooks.register_module_forward_pre_hook(lambda it, _: seen.append(f"< {it}")),
        module_hooks.register_module_forward_hook(lambda it, *_: seen.append(f"> {it}")),
        module_hooks.register_module_full_backward_hook(lambda it, *_: seen.append(f"grad {it}")),
        module_hooks.register_module_full_backward_pre_hook(
            lambda it, *_: seen.append(f"before {it}")
        ),
    ]
    layer = nn.Tanh()
    layer.register_forward_pre_hook(lambda *_: seen.append("own"))
    x = T([1.0], requires_grad=True)
    try:
        layer(x).sum().backward()
    finally:
        for handle in handles:
            handle.remove()
    assert seen == ["< Tanh()", "own", "> Tanh()", "before Tanh()", "grad Tanh()"]
    layer(x)
    assert seen[5:] == ["own"]


# --- states ---------------------------------------------------------------------------------


def test_states_know_versions() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1))
    state: Any = model.state_dict()
    for it in (state, copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert it._metadata == {"": {"version": 1}, "0": {"version": 1}, "1": {"version": 2}}
    assert not hasattr(model.state_dict(destination={}), "_metadata")


def test_batches_were_not_counted_once() -> None:
    layer = nn.BatchNorm1d(1)
    state: Any = layer.state_dict()
    del state["num_batches_tracked"]
    with pytest.raises(RuntimeError, match=r"missing from the state: 'num_batches_tracked'"):
        layer.load_state_dict(state)
    assert not layer.load_state_dict(dict(state)).missing_keys
    state._metadata[""]["version"] = 1
    assert not layer.load_state_dict(state).missing_keys
    assert "num_batches_tracked" not in state


def test_hooks_of_saving() -> None:
    model = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Identity())
    seen: list[Any] = []
    model[0].register_state_dict_pre_hook(lambda *it: seen.append(it))

    def double(module: Any, state: Any, prefix: str, about: Any) -> None:
        assert about == {"version": 1}
        state[prefix + "weight"] = state[prefix + "weight"] * 2

    handle = model[0].register_state_dict_post_hook(double)
    state = model.state_dict(prefix="m.")
    assert opwright.equal(state["m.0.weight"], model[0].weight.detach() * 2)
    assert seen == [(model[0], "m.0.", False)]
    handle.remove()
    assert opwright.equal(model.state_dict()["0.weight"], model[0].weight.detach())
    model._register_state_dict_hook(lambda *_: {"other": 1})
    assert model.state_dict() == {"other": 1}
    model.register_state_dict_post_hook(lambda *_: {})
    with pytest.raises(RuntimeError, match="changes the state, and returns None"):
        model.state_dict()


def test_hooks_of_loading() -> None:
    model = nn.Sequential(nn.Linear(2, 1, bias=False))
    wanted = T([[3.0, 4.0]])

    def rename(module: Any, state: Any, prefix: str, *others: Any) -> None:
        assert module is model[0]
        state[prefix + "weight"] = state.pop(prefix + "older")

    handle = model[0].register_load_state_dict_pre_hook(rename)
    given = {"0.older": wanted}
    # Of the module around it, which is looked at first, the name is that of a module in it.
    assert not any(model.load_state_dict(given))
    assert model[0].weight.tolist() == wanted.tolist()
    assert list(given) == ["0.older"]
    handle.remove()
    seen: list[Any] = []

    def forgive(module: Any, keys: Any) -> None:
        seen.append((module[0].weight.tolist(), [*keys.unexpected_keys]))
        keys.unexpected_keys.clear()

    handle = model.register_load_state_dict_post_hook(forgive)
    state = {"0.weight": wanted * 2, "more": wanted}
    assert model.load_state_dict(state).unexpected_keys == []
    assert seen == [([[6.0, 8.0]], ["more"])]
    handle.remove()
    with pytest.raises(RuntimeError, match="unexpected in the state: 'more'"):
        model.load_state_dict({**state, "0.weight": wanted})
    assert model[0].weight.tolist() == [[6.0, 8.0]]
    model.register_load_state_dict_post_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="returns None"):
        model.load_state_dict({"0.weight": wanted})


def test_nothing_is_loaded_of_what_does_not_fit() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    model.register_load_state_dict_post_hook(lambda *_: None)
    before = [it.item() for it in model.parameters()]
    state = {name: it + 1 for name, it in model.state_dict().items()}
    state["1.bias"] = opwright.ones(2)
    with pytest.raises(RuntimeError, match=r"size mismatch for '1\.bias'"):
        model.load_state_dict(state, strict=False)
    assert [it.item() for it in model.parameters()] == before


def test_modules_may_load_in_their_own_way() -> None:
    class Older(nn.Linear):
        """A layer whose weight was turned once."""

        _version = 2

        def _load_from_state_dict(self, state: Any, prefix: str, about: Any, *others: Any) -> None:
            if about.get("version", 1) < 2:
                state[prefix + "weight"] = state[prefix + "weight"].t()
            super()._load_from_state_dict(state, prefix, about, *others)

    layer = Older(2, 3)
    weight = opwright.randn(2, 3)
    layer.load_state_dict({"weight": weight, "bias": opwright.ones(3)})
    assert opwright.equal(layer.weight, weight.t())
    layer.load_state_dict(layer.state_dict())
    assert opwright.equal(layer.weight, weight.t())
    # Called for itself it copies at once.
    mistakes: list[str] = []
    missing: list[str] = []
    state = {"p.weight": weight * 2, "p.other": weight}
    nn.Linear(2, 3)._load_from_state_dict(dict(state), "p.", {}, True, missing, [], mistakes)
    unexpected: list[str] = []
    layer._load_from_state_dict(state, "p.", {}, True, missing, unexpected, mistakes)
    assert opwright.equal(layer.weight, weight.t() * 2)
    assert missing == ["p.bias", "p.bias"]
    assert unexpected == ["p.other"]
    assert len(mistakes) == 1


def test_names_that_nobody_knows() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    state = model.state_dict()
    strange = {"x": T([1.0]), "2.weight": T([1.0]), "0.weight.deep": T([1.0]), "1.weight": T([1.0])}
    keys = model.load_state_dict({**state, **strange}, strict=False)
    assert sorted(keys.unexpected_keys) == sorted(strange)
    assert keys.missing_keys == []
