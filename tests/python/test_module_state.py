"""What people know of modules of other libraries: extra states, backward hooks, containers."""

import copy
import pickle
import warnings
from typing import Any

import opwright
import pytest
from opwright import nn, optim

T = opwright.tensor


class Counter(nn.Module):
    """A module that counts beside its parameters."""

    def __init__(self, count: int = 0) -> None:
        super().__init__()
        self.weight = nn.Parameter(opwright.ones(2))
        self.count = count

    def get_extra_state(self) -> Any:
        """The count."""
        return {"count": self.count}

    def set_extra_state(self, state: Any) -> None:
        """Take a count."""
        self.count = state["count"]


def test_extra_states_are_saved_and_loaded() -> None:
    model = nn.Sequential(Counter(3), nn.ReLU(), Counter(4))
    state = pickle.loads(pickle.dumps(model.state_dict()))
    assert list(state) == ["0.weight", "0._extra_state", "2.weight", "2._extra_state"]
    other = nn.Sequential(Counter(), nn.ReLU(), Counter())
    assert str(other.load_state_dict(state)) == "<All keys matched successfully>"
    assert (other[0].count, other[2].count) == (3, 4)
    del state["2._extra_state"]
    with pytest.raises(RuntimeError, match=r"missing from the state: '2\._extra_state'"):
        other.load_state_dict(state)
    assert other.load_state_dict(state, strict=False).missing_keys == ["2._extra_state"]
    with pytest.raises(RuntimeError, match="no extra state"):
        nn.ReLU().get_extra_state()


def test_sequential_is_repeated() -> None:
    one = nn.Linear(2, 2)
    twice = nn.Sequential(one, nn.ReLU()) * 2
    assert len(twice) == 4
    assert twice[0] is twice[2] is one
    assert len(3 * nn.Sequential(one)) == 3
    twice *= 2
    assert len(twice) == 8
    for wrong, kind in ((0, ValueError), (-1, ValueError), (1.5, TypeError)):
        with pytest.raises(kind):
            _ = twice * wrong


def test_parameters_have_names() -> None:
    one = nn.Parameter(opwright.ones(1))
    parameters = nn.ParameterDict({"a": one, "b": opwright.zeros(2)})
    assert parameters["a"] is one
    assert isinstance(parameters["b"], nn.Parameter)
    assert list(parameters.state_dict()) == list(parameters) == ["a", "b"]
    assert parameters.get("c") is None
    assert parameters.setdefault("a", opwright.zeros(3)) is one
    assert list(parameters | {"c": one}) == ["a", "b", "c"]
    assert parameters.copy()["b"] is parameters["b"]
    assert repr(parameters).splitlines()[1] == "  (a): Parameter(opwright.float32, [1])"
    assert parameters.pop("a") is one
    assert [*parameters.keys()] == ["b"]
    parameters.clear()
    assert len(parameters) == 0
    with pytest.raises(TypeError, match="ParameterDict holds tensors, not objects of type int"):
        parameters["a"] = 3  # type: ignore[assignment]


def test_insertion_counts_from_the_end() -> None:
    a, b, c = nn.ReLU(), nn.Tanh(), nn.Identity()
    assert [*nn.Sequential(a, b).insert(-1, c)] == [a, c, b]
    assert [*nn.Sequential(a, b).insert(-2, c)] == [c, a, b]
    assert [*nn.Sequential(a, b).insert(2, c)] == [a, b, c]
    for at in (-5, 3):
        with pytest.raises(IndexError, match="2 members"):
            nn.Sequential(a, b).insert(at, c)


def test_losses_take_their_older_arguments_by_position() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert nn.NLLLoss(None, None, 1).ignore_index == 1
        assert nn.CrossEntropyLoss(None, None, 2, None, "sum", 0.1).label_smoothing == 0.1
        assert nn.MSELoss(None, None, "sum").reduction == "sum"
        assert nn.BCELoss(None, False).reduction == "sum"
        assert nn.L1Loss(reduce=False).reduction == "none"
        assert nn.SmoothL1Loss(None, None, "mean", 0.5).beta == 0.5
    with pytest.warns(DeprecationWarning, match="size_average"):
        nn.MSELoss(False)


def test_a_parameter_twice_in_a_group_warns() -> None:
    for make in (optim.SGD, optim.Adam):
        x = nn.Parameter(opwright.ones(1))
        with pytest.warns(UserWarning, match="twice"):
            optimizer = make([x, x], lr=0.5)
        x.grad = opwright.ones(1)
        optimizer.step()
        assert x.item() == pytest.approx(0.0, abs=1e-6)
        with pytest.raises(ValueError, match="more than one group"):
            optimizer.add_param_group({"params": [x]})


def test_deep_copies_keep_gradients() -> None:
    for requires_grad in (False, True):
        x = opwright.ones(2, requires_grad=requires_grad)
        x.grad = T([1.0, 2.0])
        made = copy.deepcopy(x)
        assert made.grad is not None
        assert made.grad is not x.grad
        assert made.grad.tolist() == [1.0, 2.0]
        assert made.requires_grad == requires_grad


@pytest.mark.parametrize("options", [{}, {"amsgrad": True}, {"weight_decay": 0.1}])
@pytest.mark.parametrize("make", [optim.Adam, optim.AdamW])
def test_adam_changes_the_parts_of_complex_parameters(make: Any, options: Any) -> None:
    values = T([1 + 2j, -3 + 0.5j], dtype=opwright.complex128)
    whole = nn.Parameter(values.clone())
    parts = nn.Parameter(opwright.stack([values.real, values.imag], -1))
    first, second = make([whole], lr=0.1, **options), make([parts], lr=0.1, **options)
    for at in range(4):
        gradient = values * (at + 1j)
        whole.grad = gradient
        parts.grad = opwright.stack([gradient.real, gradient.imag], -1)
        first.step()
        second.step()
    found = opwright.stack([whole.detach().real, whole.detach().imag], -1)
    assert opwright.allclose(found, parts.detach(), rtol=1e-12)
    first.load_state_dict(first.state_dict())


def test_hooks_of_gradients_of_modules() -> None:
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
    seen: list[Any] = []
    linear = model[0]
    handle = linear.register_full_backward_hook(lambda *it: seen.append(it))
    x = opwright.ones(4, 2, requires_grad=True)
    result = model(x)
    result.sum().backward()
    (module, grad_input, grad_output) = seen[0]
    assert module is linear
    assert opwright.equal(grad_input[0], x.grad)
    assert opwright.allclose(grad_output[0], 1 - result.detach() ** 2)
    handle.remove()
    model(x).sum().backward()
    assert len(seen) == 1


def test_hooks_of_gradients_change_them() -> None:
    model = nn.Identity()
    model.register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 2,))
    model.register_full_backward_hook(lambda module, grad_input, _: (grad_input[0] + 1,))
    x = opwright.ones(2, requires_grad=True)
    model(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 3.0]
    model.register_full_backward_hook(lambda *_: ())
    with pytest.raises(RuntimeError, match="returned 0 gradients"):
        model(x).sum().backward()


def test_hooks_of_gradients_without_some() -> None:
    seen: list[Any] = []

    class Pair(nn.Module):
        """Some results of some arguments."""

        def forward(self, a: Any, b: Any, c: Any) -> Any:
            """A product, a sum, and what is no tensor."""
            return a * b, a + 1, c

    pair = Pair()
    pair.register_full_backward_hook(lambda *it: seen.append(it[1:]))
    a, b = opwright.ones(2, requires_grad=True), opwright.ones(2)
    product, _, text = pair(a, b, "text")
    assert text == "text"
    product.sum().backward()
    (inputs, outputs) = seen[0]
    assert [it is None for it in inputs] == [False, True, True]
    assert [it is None for it in outputs] == [False, True, True]
    # Of inputs that have none, the module is told all the same.
    linear = nn.Linear(2, 1)
    linear.register_full_backward_hook(lambda *it: seen.append(it[1:]))
    linear(opwright.ones(1, 2)).sum().backward()
    assert seen[1][0] == (None,)
    with opwright.no_grad():
        linear(opwright.ones(1, 2))
