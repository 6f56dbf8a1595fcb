"""Recurrent layers beside loops in numpy, over batches, single sequences and packed ones."""

import numpy as np
import opwright
import pytest
from opwright import nn
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

KINDS = [
    ("LSTM", {}),
    ("LSTM", {"proj_size": 2}),
    ("GRU", {}),
    ("RNN", {}),
    ("RNN", {"nonlinearity": "relu"}),
]


def normal(*shape):
    return opwright.randn(*shape, dtype=opwright.float64)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(layer, of_row, state, weights):
    """The state that follows, by the formulas."""
    hidden, *cell = state
    of_state = hidden @ weights["weight_hh"].T + weights.get("bias_hh", 0)
    if layer.mode == "GRU":
        (r, z, n), (hr, hz, hn) = np.split(of_row, 3, -1), np.split(of_state, 3, -1)
        update = sigmoid(z + hz)
        new = np.tanh(n + sigmoid(r + hr) * hn)
        return [(1 - update) * new + update * hidden]
    if layer.mode == "LSTM":
        i, f, g, o = np.split(of_row + of_state, 4, -1)
        new = sigmoid(f) * cell[0] + sigmoid(i) * np.tanh(g)
        hidden = sigmoid(o) * np.tanh(new)
        return [hidden @ weights["weight_hr"].T if layer.proj_size else hidden, new]
    total = of_row + of_state
    return [np.tanh(total) if layer.mode == "RNN_TANH" else np.maximum(total, 0)]


def by_numpy(layer, sequence, states):
    """A sequence without a batch through all layers."""
    rows, last = sequence, []
    ways = ("", "_reverse") if layer.bidirectional else ("",)
    for number in range(layer.num_layers):
        both = []
        for way in ways:
            suffix = f"_l{number}{way}"
            weights = {
                name.removesuffix(suffix): it.detach().numpy()
                for name, it in layer.named_parameters()
                if name.endswith(suffix)
            }
            state = [it[len(last)] for it in states]
            of_rows = rows @ weights["weight_ih"].T + weights.get("bias_ih", 0)
            found = []
            for of_row in of_rows[::-1] if way else of_rows:
                state = step(layer, of_row, state, weights)
                found.append(state[0])
            both.append(np.array(found[::-1] if way else found))
            last.append(state)
        rows = np.concatenate(both, -1)
    return rows, [np.array(it) for it in zip(*last, strict=True)]


def states_of(result):
    last = result[1]
    return [*last] if isinstance(last, tuple) else [last]


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_layers_are_their_formulas(kind, options, bias, bidirectional):
    options = {**options, "bias": bias, "bidirectional": bidirectional, "num_layers": 2}
    layer = getattr(nn, kind)(3, 4, dtype=opwright.float64, **options)
    x = normal(5, 2, 3)
    count = 4 if bidirectional else 2
    widths = [options.get("proj_size") or 4] + ([4] if kind == "LSTM" else [])
    start = [normal(count, 2, width) for width in widths]
    found = layer(x, tuple(start) if kind == "LSTM" else start[0])
    for at in range(2):
        rows, last = by_numpy(layer, x[:, at].numpy(), [it[:, at].numpy() for it in start])
        np.testing.assert_allclose(found[0][:, at].detach().numpy(), rows, 1e-12, 1e-12)
        for state, wanted in zip(states_of(found), last, strict=True):
            np.testing.assert_allclose(state[:, at].detach().numpy(), wanted, 1e-12, 1e-12)


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_forms_of_one_call(kind, options):
    layer = getattr(nn, kind)(3, 4, bidirectional=True, dtype=opwright.float64, **options)
    first = getattr(nn, kind)(
        3, 4, bidirectional=True, batch_first=True, dtype=opwright.float64, **options
    )
    first.load_state_dict(layer.state_dict())
    x = normal(5, 2, 3)
    whole = layer(x)
    turned = first(x.transpose(0, 1))
    assert opwright.equal(turned[0].transpose(0, 1), whole[0])
    single = layer(x[:, 1])
    np.testing.assert_allclose(
        single[0].detach().numpy(), whole[0][:, 1].detach().numpy(), 1e-12, 1e-12
    )
    assert [it.ndim for it in states_of(single)] == [2] * len(states_of(single))


@pytest.mark.parametrize("is_sorted", [True, False])
@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_packed_sequences_end_by_themselves(kind, options, is_sorted):
    layer = getattr(nn, kind)(
        3, 4, num_layers=2, bidirectional=True, dtype=opwright.float64, **options
    )
    lengths = [5, 3, 3, 1] if is_sorted else [3, 5, 1, 3]
    x = normal(5, 4, 3)
    packed = pack_padded_sequence(x, lengths, enforce_sorted=is_sorted)
    found = layer(packed)
    rows, counts = pad_packed_sequence(found[0])
    assert counts.tolist() == lengths
    for at, length in enumerate(lengths):
        alone = layer(x[:length, at])
        np.testing.assert_allclose(
            rows[:length, at].detach().numpy(), alone[0].detach().numpy(), 1e-12, 1e-12
        )
        assert not rows[length:, at].any()
        for state, wanted in zip(states_of(found), states_of(alone), strict=True):
            np.testing.assert_allclose(
                state[:, at].detach().numpy(), wanted.detach().numpy(), 1e-12, 1e-12
            )


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_gradients(kind, options):
    layer = getattr(nn, kind)(2, 3, bidirectional=True, dtype=opwright.float64, **options)
    x = normal(3, 2, 2).requires_grad_()
    parameters = [it.detach().clone().requires_grad_() for it in layer.parameters()]

    def call(x, *parameters):
        for own, it in zip(layer._names, parameters, strict=True):
            object.__setattr__(layer, own, it)
        result = layer(x)
        return (result[0], *states_of(result))

    weights = {name: layer._parameters.pop(name) for name in list(layer._parameters)}
    assert set(weights) == set(layer._names)
    assert gradcheck(call, (x, *parameters))
    assert gradgradcheck(lambda x: call(x, *parameters)[0], (x,))


@pytest.mark.parametrize("enforce", [True, False])
@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_gradients_of_packed_sequences_are_those_of_each(kind, options, enforce):
    layer = getattr(nn, kind)(3, 4, bidirectional=True, dtype=opwright.float64, **options)
    lengths = [5, 3, 3, 1] if enforce else [3, 5, 1, 3]
    x = normal(5, 4, 3).requires_grad_()
    found = layer(pack_padded_sequence(x, lengths, enforce_sorted=enforce))
    last = [it.sum() for it in states_of(found)]
    total = sum(last, (found[0].data ** 2).sum())
    alone = opwright.zeros((), dtype=opwright.float64)
    for at, length in enumerate(lengths):
        single = layer(x[:length, at])
        alone = alone + (single[0] ** 2).sum() + sum(it.sum() for it in states_of(single))
    wanted = [x, *layer.parameters()]
    pairs = zip(
        opwright.autograd.grad(total, wanted), opwright.autograd.grad(alone, wanted), strict=True
    )
    for one, other in pairs:
        np.testing.assert_allclose(one.numpy(), other.numpy(), 1e-10, 1e-10)


def test_dropout_is_between_layers():
    layer = nn.LSTM(3, 4, num_layers=2, dropout=1.0)
    x = opwright.randn(5, 2, 3)
    dropped = layer(x)[0]
    assert opwright.equal(dropped, layer(opwright.randn(5, 2, 3))[0])
    layer.eval()
    assert not opwright.equal(layer(x)[0], dropped)
    with pytest.warns(UserWarning, match="there is one"):
        nn.GRU(3, 4, dropout=0.5)


WRONG = [
    (lambda: nn.RNN(3, 4, nonlinearity="gelu"), ValueError, "nonlinearity"),
    (lambda: nn.LSTM(3, 0), ValueError, "hidden_size"),
    (lambda: nn.LSTM(3, 4, num_layers=0), ValueError, "num_layers"),
    (lambda: nn.LSTM(3, 4, proj_size=4), ValueError, "smaller than hidden_size"),
    (lambda: nn.LSTM(3, 4, 2, dropout=2.0), ValueError, "dropout"),
    (lambda: nn.LSTM(3, 4)(opwright.ones(5, 2, 2)), RuntimeError, "Expected 3, got 2"),
    (lambda: nn.LSTM(3, 4)(opwright.ones(3)), ValueError, "2D or 3D"),
    (lambda: nn.LSTM(3, 4)(opwright.ones(0, 2, 3)), RuntimeError, "sequence length"),
    (
        lambda: nn.GRU(3, 4)(opwright.ones(5, 2, 3), opwright.ones(1, 3, 4)),
        RuntimeError,
        "Expected hidden",
    ),
    (
        lambda: nn.GRU(3, 4)(opwright.ones(5, 3), opwright.ones(1, 1, 4)),
        RuntimeError,
        "should also be 2-D",
    ),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_does_not_fit_is_refused(number):
    call, error, text = WRONG[number]
    with pytest.raises(error, match=text):
        call()


def test_meta_tensors_have_shapes():
    layer = nn.LSTM(3, 4, num_layers=2, bidirectional=True, device="meta")
    states, (hidden, cell) = layer(opwright.empty(5, 2, 3, device="meta"))
    assert states.shape == (5, 2, 8)
    assert hidden.shape == cell.shape == (4, 2, 4)


def test_states_of_sequences_without_rows_have_gradients():
    layer = opwright.ops._recurrent_layer.default
    hx = opwright.tensor([[0.5], [2.0]], requires_grad=True)
    one, three = opwright.tensor([[1.0]]), opwright.tensor([[3.0]])
    states, last, *_ = layer(one, hx, None, one, three, None, None, [1], 0, False)
    assert opwright.autograd.grad(states.sum(), hx, retain_graph=True)[0].tolist() == [[3.0], [0.0]]
    assert opwright.autograd.grad(last.sum(), hx)[0].tolist() == [[3.0], [1.0]]
