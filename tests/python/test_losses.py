"""Losses beside the formulas that define them, in numpy."""

import math

import numpy as np
import opwright
import pytest
from opwright.autograd import gradcheck, gradgradcheck
from opwright.nn import functional as F


def assert_close(found, wanted):
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), 1e-6, 1e-7)


def normal(*shape, **options):
    return opwright.randn(*shape, dtype=opwright.float64, **options)


SIGNS = opwright.tensor([1.0, -1.0, 1.0, -1.0], dtype=opwright.float64)
CLASSES = opwright.tensor([0, 2, 1, 2])


def norm(x, p=2, eps=1e-6):
    return (np.abs(x + eps) ** p).sum(-1) ** (1 / p)


def multi_margin(x, p=1, margin=1.0, weight=None):
    rows = []
    for row, right in zip(x, CLASSES.tolist(), strict=True):
        others = np.maximum(0, margin - row[right] + np.delete(row, right)) ** p
        rows.append(others.sum() / len(row) * (1 if weight is None else weight[right]))
    return np.array(rows)


def multilabel_margin(x, labels):
    rows = []
    for row, names in zip(x, labels, strict=True):
        names = [*names[: [*names, -1].index(-1)]]
        others = [it for it in range(len(row)) if it not in names]
        pairs = [max(0, 1 - row[a] + row[b]) for a in names for b in others]
        rows.append(sum(pairs) / len(row))
    return np.array(rows)


LABELS = opwright.tensor([[0, -1, 1], [2, 1, -1], [-1, 0, 0], [1, -1, -1]])
X, Y, Z = normal(4, 3), normal(4, 3), normal(4, 3)
LINE = normal(4)
COUNTS = opwright.tensor([0.0, 1.0, 3.0, 7.0], dtype=opwright.float64)
SHARES = normal(4, 3).softmax(1)

# The loss of each sample, and what it is.
FORMULAS = [
    (
        F.margin_ranking_loss,
        (LINE, LINE.flip(0), SIGNS, 0.5),
        lambda a, b, s, m: np.maximum(0, -s * (a - b) + m),
    ),
    (
        F.hinge_embedding_loss,
        (LINE, SIGNS, 0.75),
        lambda x, s, m: np.where(s == 1, x, np.maximum(0, m - x)),
    ),
    (
        F.cosine_embedding_loss,
        (X, Y, SIGNS, 0.25),
        lambda a, b, s, m: np.where(
            s == 1,
            1 - (a * b).sum(1) / norm(a, eps=0) / norm(b, eps=0),
            np.maximum(0, (a * b).sum(1) / norm(a, eps=0) / norm(b, eps=0) - m),
        ),
    ),
    (
        F.triplet_margin_loss,
        (X, Y, Z, 1.5, 3.0),
        lambda a, b, c, m, p: np.maximum(0, m + norm(a - b, p) - norm(a - c, p)),
    ),
    (F.soft_margin_loss, (LINE, SIGNS), lambda x, s: np.log1p(np.exp(-s * x))),
    (F.multi_margin_loss, (X, CLASSES), lambda x, _: multi_margin(x)),
    (
        F.multi_margin_loss,
        (X, CLASSES, 2, 0.5, opwright.tensor([1.0, 2.0, 3.0], dtype=opwright.float64)),
        lambda x, _, p, m, w: multi_margin(x, p, m, w),
    ),
    (F.multilabel_margin_loss, (X, LABELS), multilabel_margin),
    (
        F.multilabel_soft_margin_loss,
        (X, SHARES),
        lambda x, y: (y * np.log1p(np.exp(-x)) + (1 - y) * np.log1p(np.exp(x))).mean(1),
    ),
    (F.kl_div, (X, SHARES), lambda x, y: y * (np.log(y) - x)),
    (F.poisson_nll_loss, (LINE, COUNTS), lambda x, n: np.exp(x) - n * x),
    (
        F.gaussian_nll_loss,
        (LINE, SIGNS, COUNTS + 0.5),
        lambda x, y, v: 0.5 * (np.log(v) + (x - y) ** 2 / v),
    ),
]


@pytest.mark.parametrize("number", range(len(FORMULAS)))
def test_losses_are_their_formulas(number):
    function, arguments, formula = FORMULAS[number]
    plain = [it.numpy() if isinstance(it, opwright.Tensor) else it for it in arguments]
    each = formula(*plain)
    np.testing.assert_allclose(function(*arguments, reduction="none").numpy(), each, atol=1e-12)
    np.testing.assert_allclose(function(*arguments).item(), each.mean())
    np.testing.assert_allclose(function(*arguments, reduction="sum").item(), each.sum())
    with pytest.raises(ValueError, match="reduction"):
        function(*arguments, reduction="abc")


@pytest.mark.parametrize("number", range(len(FORMULAS)))
def test_gradients(number):
    function, arguments, _ = FORMULAS[number]
    first = arguments[0].clone().requires_grad_()
    assert gradcheck(lambda x: function(x, *arguments[1:]), (first,))
    assert gradgradcheck(lambda x: function(x, *arguments[1:]), (first,))


def test_older_words_warn():
    with pytest.warns(DeprecationWarning, match="size_average"):
        found = F.soft_margin_loss(LINE, SIGNS, size_average=False)
    assert_close(found, F.soft_margin_loss(LINE, SIGNS, reduction="sum"))


def test_sums_over_batches():
    found = F.kl_div(X, SHARES, reduction="batchmean")
    assert_close(found, F.kl_div(X, SHARES, reduction="sum") / 4)
    logarithms = F.kl_div(X, SHARES.log(), log_target=True)
    assert_close(logarithms, F.kl_div(X, SHARES))


def test_large_numbers_stay_finite():
    far = opwright.tensor([1e4, -1e4])
    found = F.soft_margin_loss(far, opwright.tensor([1.0, 1.0]), reduction="none")
    assert found.tolist() == [0.0, 1e4]
    assert F.logsigmoid(far).tolist() == [0.0, -1e4]


def test_distances_of_ones_own():
    def distance(a, b):
        return (a - b).abs().sum(-1)

    found = F.triplet_margin_with_distance_loss(X, Y, Z, distance_function=distance, swap=True)
    near, apart = distance(X, Y), opwright.minimum(distance(X, Z), distance(Y, Z))
    assert_close(found, (near - apart + 1).clamp_min(0).mean())


def test_classes_out_of_range_are_refused():
    for label in (3, -1, 2**40):
        with pytest.raises(RuntimeError, match="index"):
            F.multi_margin_loss(X[:1], opwright.tensor([label]))
    with pytest.raises(RuntimeError, match="index"):
        F.multilabel_margin_loss(X[:1], opwright.tensor([[7, -1, -1]]))
    with pytest.raises(RuntimeError, match="int64"):
        F.multi_margin_loss(X, CLASSES.float())
    with pytest.raises(ValueError, match="'var'"):
        F.gaussian_nll_loss(LINE, SIGNS, -COUNTS - 1)


def test_labels_among_many_classes():
    """Pairs of classes are visited, and never held."""
    count = 30_000
    x = opwright.randn(2, count, dtype=opwright.float64, requires_grad=True)
    labels = opwright.full((2, count), -1)
    labels[:, :3] = opwright.tensor([[5, 29_999, 5], [0, 7, -1]])
    found = F.multilabel_margin_loss(x, labels, reduction="none")
    plain = x.detach().numpy()
    for row, names in ((0, [5, 29_999, 5]), (1, [0, 7])):
        others = np.delete(plain[row], names)
        wanted = sum(np.maximum(0, 1 - plain[row][it] + others).sum() for it in names) / count
        np.testing.assert_allclose(found[row].item(), wanted)
    slopes = opwright.autograd.grad(found.sum(), x, create_graph=True)[0]
    assert abs(slopes.sum().item()) < 1e-9
    assert opwright.autograd.grad(slopes.sum(), x)[0].count_nonzero().item() == 0


def test_a_label_that_stands_twice_counts_twice():
    # These are what PyTorch gives.
    x = opwright.tensor([[1.0, 0.5, 0.0, 0.75], [0.25, -1.0, 0.5, 0.0]], requires_grad=True)
    labels = opwright.tensor([[0, 2, -1, 1], [3, 3, 1, -1]])
    found = F.multilabel_margin_loss(x, labels, reduction="none")
    assert found.tolist() == [1.125, 2.5625]
    found.sum().backward()
    assert x.grad.tolist() == [[-0.5, 0.5, -0.5, 0.5], [0.75, -0.5, 0.75, -1.0]]
    # Integers are scores, too.
    whole = F.multilabel_margin_loss(opwright.tensor([[3, 1, 2]]), opwright.tensor([[1, -1, 0]]))
    assert whole.item() == pytest.approx((3 + 2) / 3)


def test_activations():
    x = opwright.tensor([-2.0, -0.25, 0.0, 0.25, 2.0], dtype=opwright.float64, requires_grad=True)
    plain = x.detach().numpy()
    for function, formula in (
        (F.softsign, lambda x: x / (1 + np.abs(x))),
        (F.tanhshrink, lambda x: x - np.tanh(x)),
        (F.logsigmoid, lambda x: -np.log1p(np.exp(-x))),
        (F.hardshrink, lambda x: np.where(np.abs(x) > 0.5, x, 0)),
        (lambda x: F.softmin(x, 0), lambda x: np.exp(-x) / np.exp(-x).sum()),
        (lambda x: F.prelu(x, x.detach()[:1]), lambda x: np.where(x > 0, x, x * x[0])),
        (lambda x: F.rrelu(x, 0.25, 0.75), lambda x: np.where(x > 0, x, x / 2)),
        (lambda x: F.glu(x[1:]), lambda x: x[1:3] / (1 + np.exp(-x[3:]))),
    ):
        np.testing.assert_allclose(function(x).detach().numpy(), formula(plain))
    assert F.softsign(opwright.tensor([math.inf])).isnan().item()
    trained = F.rrelu(x, 0.25, 0.75, training=True)
    assert ((trained <= 0.25 * x) | (x > 0)).all()
    drawn = F.gumbel_softmax(opwright.zeros(3, 4, requires_grad=True), hard=True)
    assert drawn.sum(1).tolist() == [1.0, 1.0, 1.0]
    assert drawn.requires_grad


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_shuffled_channels(factor):
    x = normal(2, 4 * factor**2, 3, 2, requires_grad=True)
    found = F.pixel_shuffle(x, factor)
    assert found.shape == (2, 4, 3 * factor, 2 * factor)
    assert_close(F.pixel_unshuffle(found, factor), x)
    assert gradcheck(lambda x: F.channel_shuffle(x, 2), (x,))


def test_distances_of_pairs():
    x = normal(5, 3, requires_grad=True)
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    plain = x.detach().numpy()
    for p in (0.0, 1.0, 2.0, 3.0, math.inf):
        wanted = [np.linalg.norm(plain[a] - plain[b], p) for a, b in pairs]
        np.testing.assert_allclose(F.pdist(x, p).detach().numpy(), wanted)
    assert F.pdist(x[:1]).shape == (0,)
    assert gradcheck(F.pdist, (x,))
    y = normal(5, 3, requires_grad=True)
    assert gradcheck(F.cosine_similarity, (x, y))
    assert gradgradcheck(F.pairwise_distance, (x, y))
    weight, bias = normal(2, 3, 3), normal(2)
    found = F.bilinear(x, y, weight, bias)
    wanted = np.einsum("ni,oij,nj->no", plain, weight.numpy(), y.detach().numpy()) + bias.numpy()
    np.testing.assert_allclose(found.detach().numpy(), wanted)
    assert gradgradcheck(lambda a, b: F.bilinear(a, b, weight), (x, y))
