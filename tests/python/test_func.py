"""Transforms of functions: against differences, against each other, and against loops."""

import collections
import gc
import itertools
import threading

import numpy as np
import opwright as ow
import pytest
from opwright import func
from opwright.autograd import forward_ad

RNG = ow.Generator().manual_seed(3)


def randn(*shape, dtype=ow.float64):
    return ow.randn(*shape, dtype=dtype, generator=RNG)


def close(found, expected, rtol=1e-6):
    leaves, _ = func._pytree.flatten(found)
    others, _ = func._pytree.flatten(expected)
    assert len(leaves) == len(others)
    for one, other in zip(leaves, others, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one.detach().numpy(), other.detach().numpy(), rtol, 1e-8)


def by_differences(function, x, eps=1e-6):
    """The Jacobian, of central differences."""
    columns = []
    for at in range(x.numel()):
        step = ow.zeros(x.numel(), dtype=x.dtype)
        step[at] = eps
        step = step.reshape(x.shape)
        columns.append((function(x + step) - function(x - step)) / (2 * eps))
    shape = columns[0].shape
    return ow.stack(columns, -1).reshape(tuple(shape) + tuple(x.shape))


W = randn(3, 3)
FUNCTIONS = {
    "elements": lambda x: x.sin() * x.exp() + x**3,
    "matrices": lambda x: ow.tanh(W @ x) @ x.transpose(-2, -1),
    "softmax": lambda x: ow.softmax(x @ W, -1).log(),
    "reductions": lambda x: ow.stack([x.logsumexp(-1), x.std(-1), x.amax(-1)]),
    "indices": lambda x: ow.cat([x[0], x[1:, 1], x.flatten()[ow.tensor([0, 0, 2])]]),
    "inverse": lambda x: ow.linalg.inv(x @ x.mT + ow.eye(3, dtype=x.dtype)),
    "in place": lambda x: x.clone().mul_(x).add_(1).sqrt_(),
    "where": lambda x: ow.where(x > 0, x, x.exp()),
    "norms": lambda x: ow.nn.functional.layer_norm(x, (3,)) + x.norm(),
}


@pytest.fixture(params=list(FUNCTIONS))
def function(request):
    return FUNCTIONS[request.param]


# --- derivatives ------------------------------------------------------------------


def test_jacobians_are_differences(function):
    x = randn(3, 3)
    expected = by_differences(function, x)
    close(func.jacrev(function)(x), expected, 1e-4)
    close(func.jacfwd(function)(x), expected, 1e-4)
    close(func.jacrev(function, chunk_size=2)(x), expected, 1e-4)


def test_products_with_vectors(function):
    x, v = randn(3, 3), randn(3, 3)
    jacobian = func.jacfwd(function)(x)
    y, slope = func.jvp(function, (x,), (v,))
    close(y, function(x))
    close(slope, ow.tensordot(jacobian, v, 2))
    u = randn(*y.shape)
    value, pull = func.vjp(function, x)
    close(value, y)
    close(pull(u), (ow.tensordot(u, jacobian, y.dim()),))
    close(pull(2 * u), (2 * pull(u)[0],))
    value, push = func.linearize(function, x)
    close(value, y)
    close(push(v), slope)
    close(push(3 * v), 3 * slope)


def test_hessians(function):
    def scalar(x):
        return function(x).sum()

    x = randn(3, 3)
    found = func.hessian(scalar)(x)
    close(found, by_differences(func.grad(scalar), x), 1e-3)
    for outer, inner in itertools.product((func.jacfwd, func.jacrev), repeat=2):
        close(outer(inner(scalar))(x), found, 1e-5)


def test_forward_over_reverse(function):
    x, v = randn(3, 3), randn(3, 3)

    def scalar(x):
        return function(x).sum()

    _, found = func.jvp(func.grad(scalar), (x,), (v,))
    close(found, ow.tensordot(func.hessian(scalar)(x), v, 2), 1e-5)
    _, other = ow.autograd.functional.hvp(scalar, x, v)
    close(found, other, 1e-5)


def test_dual_numbers(function):
    x, v = randn(3, 3), randn(3, 3)
    _, slope = func.jvp(function, (x,), (v,))
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, v)
        primal, tangent = forward_ad.unpack_dual(function(dual))
        close(primal, function(x))
        close(tangent, slope)
        close(forward_ad.unpack_dual(dual).tangent, v)
        assert forward_ad.unpack_dual(x).tangent is None
        assert forward_ad.unpack_dual(function(x)).tangent is None
        assert not primal.requires_grad
    assert forward_ad.unpack_dual(dual).tangent is None


def test_levels_of_dual_numbers():
    x = randn(2)
    with pytest.raises(RuntimeError, match="outside of a level"):
        forward_ad.make_dual(x, x)
    with forward_ad.dual_level():
        with pytest.raises(RuntimeError, match="Nested forward mode"), forward_ad.dual_level():
            pass
        with pytest.raises(RuntimeError, match="shape"):
            forward_ad.make_dual(x, randn(3))
        with pytest.raises(ValueError, match="floating point or complex"):
            forward_ad.make_dual(ow.tensor([1]), ow.tensor([1]))
        dual = forward_ad.make_dual(x, x)
        dual.mul_(2)
        close(forward_ad.unpack_dual(dual), (2 * x, 2 * x))
    with ow.no_grad(), forward_ad.dual_level():
        close(forward_ad.unpack_dual(forward_ad.make_dual(x, x).exp()).tangent, x * x.exp())
    assert ow.is_grad_enabled()


def test_tangents_can_be_differentiated():
    x = randn(3).requires_grad_()
    v = randn(3).requires_grad_()
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(forward_ad.make_dual(x, v) ** 3).tangent
    close(ow.autograd.grad(tangent.sum(), [x, v]), (6 * x * v, 3 * x**2))


def test_custom_functions_have_tangents():
    class Cube(ow.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * grad

    x = randn(3)
    close(func.jvp(Cube.apply, (x,), (x,)), (x**3, 3 * x**3))


def test_complex_functions():
    def function(x):
        return x.exp() * x.conj()

    x, v, u = (randn(3, dtype=ow.complex128) for _ in range(3))
    _, slope = func.jvp(function, (x,), (v,))
    close(slope, (x.exp() * v) * x.conj() + x.exp() * v.conj())
    (found,) = func.vjp(function, x)[1](u)
    left = (u.conj() * slope).real.sum()
    close(left, (found.conj() * v).real.sum())


def test_jacobians_by_both_strategies():
    x, y = randn(3), randn(2)

    def function(x, y):
        return x.outer(y), (x * x).sum()

    for create_graph in (False, True):
        forward, reverse = (
            ow.autograd.functional.jacobian(function, (x, y), create_graph, strategy=strategy)
            for strategy in ("forward-mode", "reverse-mode")
        )
        close(forward, reverse)
    hessians = [
        ow.autograd.functional.hessian(lambda x: (x**3).sum(), x, outer_jacobian_strategy=strategy)
        for strategy in ("forward-mode", "reverse-mode")
    ]
    close(*hessians)
    with pytest.raises(ValueError, match="no way"):
        ow.autograd.functional.jacobian(function, (x, y), strategy="no way")


def test_graphs_are_walked_while_garbage_is_collected():
    """Objects of nodes are whole before the garbage collector sees them."""
    x, w = randn(2), randn(2).requires_grad_()
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(20):
            found = func.grad(lambda x: (w * x.sin() * x.exp() + x**3).sum())(x)
    finally:
        gc.set_threshold(*before)
    assert found.requires_grad


# --- arguments and results ----------------------------------------------------------

Pair = collections.namedtuple("Pair", ["a", "b"])


def test_pytrees():
    def function(parameters, x):
        return (parameters["w"] * x + parameters["more"][0]).sum() * parameters["pair"].a

    parameters = {"w": randn(3), "more": [randn(3)], "pair": Pair(randn(()), randn(()))}
    x = randn(3)
    found = func.grad(function)(parameters, x)
    assert list(found) == ["w", "more", "pair"]
    assert isinstance(found["pair"], Pair)
    a = parameters["pair"].a
    close(found["w"], x * a)
    close(found["more"], [ow.ones_like(x) * a])
    close(found["pair"].b, ow.zeros_like(a))
    both = func.grad(function, argnums=(0, 1))(parameters, x)
    close(both[1], parameters["w"] * a)
    value, aux = func.grad(lambda x: (x.sum(), {"x": x}), has_aux=True)(x)
    close((value, aux["x"]), (ow.ones_like(x), x))
    assert not aux["x"].requires_grad
    found, (value, aux) = func.grad_and_value(lambda x: ((x * x).sum(), 3), has_aux=True)(x)
    close((found, value), (2 * x, (x * x).sum()))
    assert aux == 3
    jacobian = func.jacrev(lambda x: {"twice": 2 * x, "all": (x.sum(),)})(x)
    close(jacobian["twice"], 2 * ow.eye(3, dtype=x.dtype))
    close(jacobian["all"], (ow.ones_like(x),))
    jacobian, aux = func.jacfwd(lambda x: (x * x, "aux"), has_aux=True)(x)
    close(jacobian, 2 * ow.diag(x))
    assert aux == "aux"


def test_results_lead_nowhere_unless_something_is_recorded():
    x = randn(3)
    assert not func.grad(lambda x: x.sum())(x).requires_grad
    assert not func.vjp(lambda x: x * x, x)[1](x)[0].requires_grad
    assert not func.jvp(lambda x: x * x, (x,), (x,))[1].requires_grad
    w = randn(3).requires_grad_()
    around = func.grad(lambda x: (w * x * x).sum())(x)
    close(ow.autograd.grad(around.sum(), w)[0], 2 * x)
    inside = func.grad(lambda w: (w * x * w).sum())(w)
    close(ow.autograd.grad(inside.sum(), w)[0], 2 * x)
    with ow.no_grad():
        assert not func.grad(lambda w: (w * w).sum())(w).requires_grad
        close(func.jvp(lambda w: w * w, (w,), (x,))[1], 2 * w * x)


def test_perturbations_are_not_confused():
    x = ow.tensor(2.0, dtype=ow.float64)

    def outer(x):
        return x * func.grad(lambda y: x * y)(ow.tensor(1.0, dtype=ow.float64))

    close(func.grad(outer)(x), 2 * x)

    def forward(x):
        one = ow.ones_like(x)
        return x * func.jvp(lambda y: x + y, (one,), (one,))[1]

    close(func.jvp(forward, (x,), (ow.ones_like(x),))[1], ow.ones_like(x))


WRONG = {
    "no scalar": (lambda x: func.grad(lambda x: x)(x), "scalar tensor"),
    "no tensor": (lambda x: func.grad(lambda x: 1)(x), "to return a tensor"),
    "no pair": (lambda x: func.grad(lambda x: x, has_aux=True)(x), "should be a tuple"),
    "place": (lambda x: func.grad(lambda x: x.sum(), argnums=1)(x), "argnum=1"),
    "twice": (lambda x: func.grad(lambda x, y: x.sum(), argnums=(0, 0))(x, x), "unique"),
    "integers": (lambda x: func.grad(lambda x: x.sum())(x.long()), "floating-point"),
    "primals": (lambda x: func.jvp(lambda x: x, x, x), "to be a tuple"),
    "tangents": (lambda x: func.jvp(lambda x: x, (x,), ([x],)), "same python structure"),
    "shape": (lambda x: func.jvp(lambda x: x, (x,), (x[0],)), "shape"),
    "strict": (lambda x: func.jvp(lambda x: ow.ones(2), (x,), (x,), strict=True), "independent"),
    "cotangents": (lambda x: func.vjp(lambda x: (x, x), x)[1](x), "pytree structure"),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_wrong_calls(name):
    call, message = WRONG[name]
    with pytest.raises(RuntimeError, match=message):
        call(randn(3))


# --- batches ------------------------------------------------------------------------


def test_vmap_is_a_loop(function):
    x = randn(4, 3, 3)
    expected = ow.stack([function(it) for it in x])
    close(func.vmap(function)(x), expected)
    close(func.vmap(function, in_dims=1)(x.movedim(0, 1)), expected)
    close(func.vmap(function, out_dims=-1)(x), expected.movedim(0, -1))
    close(func.vmap(function, chunk_size=3)(x), expected)
    close(func.vmap(function, randomness="different")(x), expected)


TRANSFORMS = {
    "grad": lambda f: func.grad(lambda x: f(x).sum()),
    "jacrev": func.jacrev,
    "jacfwd": func.jacfwd,
    "hessian": lambda f: func.hessian(lambda x: f(x).sum()),
    "jvp": lambda f: lambda x: func.jvp(f, (x,), (x,))[1],
    "vjp": lambda f: lambda x: func.vjp(f, x)[1](f(x))[0],
}


@pytest.mark.parametrize("transform", list(TRANSFORMS))
def test_derivatives_of_each_sample(function, transform):
    derivative = TRANSFORMS[transform](function)
    x = randn(2, 3, 3)
    expected = ow.stack([derivative(it) for it in x])
    close(func.vmap(derivative)(x), expected, 1e-5)


def test_derivatives_of_batches(function):
    x = randn(2, 3, 3)

    def mapped(x):
        return func.vmap(function)(x).sum()

    expected = ow.stack([func.grad(lambda x: function(x).sum())(it) for it in x])
    close(func.grad(mapped)(x), expected, 1e-5)


def test_gradients_of_shared_arguments_for_each_sample():
    model = ow.nn.Sequential(ow.nn.Linear(3, 4), ow.nn.Tanh(), ow.nn.Linear(4, 2))
    parameters = {name: it.detach() for name, it in model.named_parameters()}
    x, y = randn(5, 3, dtype=ow.float32), ow.tensor([0, 1, 1, 0, 1])

    def loss(parameters, x, y):
        return ow.nn.functional.cross_entropy(func.functional_call(model, parameters, (x,)), y)

    found = func.vmap(func.grad(loss), in_dims=(None, 0, 0))(parameters, x, y)
    for at in range(5):
        expected = func.grad(loss)(parameters, x[at], y[at])
        close({name: it[at] for name, it in found.items()}, expected, 1e-4)


def test_nested_batches():
    x, y = randn(2), randn(3)
    table = func.vmap(func.vmap(ow.mul, in_dims=(None, 0)), in_dims=(0, None))(x, y)
    close(table, x[:, None] * y)
    inner = func.vmap(lambda x, y: (x * y).sum(), in_dims=(0, 0))
    z = randn(4, 2, 5)
    close(func.vmap(inner, in_dims=(0, None))(z, z[0]), (z * z[0]).sum(-1))
    close(func.vmap(func.vmap(func.vmap(ow.sin)))(z), z.sin())
    close(func.vmap(lambda x: func.vmap(lambda y: x + y)(z[0]))(x), x[:, None, None] + z[0])


def test_pytrees_of_batches():
    def function(pair, scale, *, by=None):
        return {"sum": pair[0] + pair[1]["y"] * scale}, by

    x, y, scale = randn(4, 2), randn(2, 4), randn(2)
    mapped = func.vmap(function, in_dims=((0, {"y": 1}), None), out_dims=({"sum": 0}, 0))
    found, by = mapped((x, {"y": y}), scale, by=x)
    close((found["sum"], by), (x + y.T * scale, x.expand(4, 4, 2)))
    close(func.vmap(lambda x: (x, ow.ones(2)), out_dims=(0, None))(x)[1], ow.ones(2))
    close(func.vmap(lambda x: ow.ones(2))(x), ow.ones(4, 2))


WRONG_BATCHES = {
    "sizes": (lambda: func.vmap(ow.add)(ow.ones(2), ow.ones(3)), ValueError, "same size"),
    "dimension": (lambda: func.vmap(ow.exp, in_dims=1)(ow.ones(2)), ValueError, "in_dim=1"),
    "none": (lambda: func.vmap(ow.exp, in_dims=None)(ow.ones(2)), ValueError, "in_dims"),
    "number": (lambda: func.vmap(ow.add)(ow.ones(2), 1), ValueError, "non-Tensor"),
    "structure": (lambda: func.vmap(ow.exp, in_dims=(0, 0))(ow.ones(2)), ValueError, "structure"),
    "result": (lambda: func.vmap(lambda x: 1)(ow.ones(2)), ValueError, "only return Tensors"),
    "out": (lambda: func.vmap(ow.exp, out_dims=1)(ow.ones(2)), IndexError, "out of range"),
    "out none": (lambda: func.vmap(ow.exp, out_dims=None)(ow.ones(2)), ValueError, "out_dim"),
    "chunk": (lambda: func.vmap(ow.exp, chunk_size=0), ValueError, "chunk_size"),
    "randomness": (lambda: func.vmap(ow.exp, randomness="x"), RuntimeError, "randomness"),
    "item": (lambda: func.vmap(lambda x: x.item())(ow.ones(2)), RuntimeError, "item"),
    "branch": (lambda: func.vmap(lambda x: x if x > 0 else -x)(ow.ones(2)), RuntimeError, "where"),
    "nonzero": (lambda: func.vmap(ow.nonzero)(ow.ones(2, 2)), RuntimeError, "depends"),
    "mask": (lambda: func.vmap(lambda x: x[x > 0])(ow.ones(2, 2)), RuntimeError, "vmap"),
    "write": (lambda: func.vmap(lambda x: ow.ones(()).add_(x))(ow.ones(2)), RuntimeError, "add_"),
    "set": (lambda: func.vmap(write)(ow.ones(2)), RuntimeError, "not possible"),
    "draw": (lambda: func.vmap(lambda x: x + ow.randn(2))(ow.ones(2)), RuntimeError, "random"),
    "dropout": (lambda: func.vmap(ow.nn.functional.dropout)(ow.ones(2, 2)), RuntimeError, "rand"),
}


def write(x):
    y = ow.zeros(3)
    y[0] = x
    return y


@pytest.mark.parametrize("name", list(WRONG_BATCHES))
def test_wrong_batches(name):
    call, kind, message = WRONG_BATCHES[name]
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("batched", ["input", "target", "both"])
@pytest.mark.parametrize(
    "loss", ["mse_loss", "l1_loss", "binary_cross_entropy", "huber_loss", "kl_div"]
)
def test_losses_of_samples_without_a_warning(loss, batched, reduction):
    function = getattr(ow.nn.functional, loss)
    x, y = (ow.rand(3, 4, dtype=ow.float64, generator=RNG) for _ in range(2))
    x = x[0] if batched == "target" else x
    y = y[0] if batched == "input" else y
    dims = (None if batched == "target" else 0, None if batched == "input" else 0)

    def of_sample(x, y):
        return function(x, y, reduction=reduction)

    samples = [(x if x.dim() == 1 else x[i], y if y.dim() == 1 else y[i]) for i in range(3)]
    found = func.vmap(of_sample, dims)(x, y)
    close(found, ow.stack([of_sample(*it) for it in samples]))


def test_threads_draw_beside_a_batch():
    go_on, drew = threading.Event(), threading.Event()

    def draws():
        while not go_on.is_set():
            ow.rand(2)
            drew.set()

    def function(x):
        drew.clear()
        assert drew.wait(60)
        return x + 1

    other = threading.Thread(target=draws)
    other.start()
    try:
        close(func.vmap(function)(ow.zeros(2)), ow.ones(2))
        with pytest.raises(RuntimeError, match="random"):
            func.vmap(lambda x: x + ow.randn(2))(ow.ones(2))
        with pytest.raises(RuntimeError, match="random"):
            func.vmap(lambda x: x + ow.randn(2, generator=ow.Generator()))(ow.ones(2))
    finally:
        go_on.set()
        other.join()


def test_randomness():
    x = ow.zeros(4, 100)
    draws = [
        lambda x: x + ow.rand(100),
        lambda x: ow.rand_like(x),
        lambda x: ow.nn.functional.dropout(x + 1),
        lambda x: ow.bernoulli(x + 0.5),
    ]
    for draw in draws:
        same = func.vmap(draw, randomness="same")(x)
        assert all(bool((it == same[0]).all()) for it in same)
        other = func.vmap(draw, randomness="different")(x)
        assert all(bool((it != other[0]).any()) for it in other[1:])


def test_writes_of_samples():
    x = randn(4, 3)

    def function(x):
        y = x.clone()
        y[0] = 1.0
        y[1:] *= x[:2]
        y.add_(x.sum())
        return y

    close(func.vmap(function)(x), ow.stack([function(it) for it in x]))


def test_indices_of_samples():
    table, at, x = randn(5, 2), ow.tensor([4, 0, 4]), randn(3, 5)
    close(func.vmap(lambda at: table[at])(at), table[at])
    close(func.vmap(lambda at, x: x[at])(at, x), x[ow.arange(3), at])
    close(func.vmap(lambda at: ow.nn.functional.embedding(at, table))(at), table[at])
    close(func.vmap(lambda x: x[..., None][1:3])(x), x[:, 1:3, None])


def test_empty_batches():
    x = ow.ones(0, 3)
    assert func.vmap(ow.exp)(x).shape == (0, 3)
    assert func.vmap(lambda x: x.norm())(x).shape == (0,)
    assert func.vmap(lambda x: ow.kron(x, x))(x).shape == (0, 9)


def test_custom_functions_of_samples():
    class Twice(ow.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(y)
            return 2 * x * y

        @staticmethod
        def backward(ctx, grad):
            (y,) = ctx.saved_tensors
            return 2 * y * grad, None

    x, y = randn(4, 3), randn(3)
    close(func.vmap(Twice.apply, in_dims=(0, None))(x, y), 2 * x * y)
    slope = func.grad(lambda x: Twice.apply(x, y).sum())
    close(func.vmap(slope)(x), (2 * y).expand(4, 3))


def test_shapes_are_not_changed_in_place():
    with pytest.raises(RuntimeError, match="unsqueeze"):
        func.vmap(lambda x: x.unsqueeze_(0))(ow.ones(2, 2))


def test_tensors_of_samples_stay_inside():
    kept = []
    func.vmap(lambda x: kept.append(x) or x)(ow.ones(2, 2))
    with pytest.raises(RuntimeError, match="outside of the function"):
        kept[0] + 1


# --- modules, and passes of several gradients ---------------------------------------


def test_functional_call():
    model = ow.nn.Sequential(ow.nn.Linear(2, 2), ow.nn.BatchNorm1d(2))
    x = ow.randn(4, 2)
    tensors = {name: it.detach() + 1 for name, it in model.named_parameters()}
    before = {name: it.clone() for name, it in model.state_dict().items()}
    found = func.functional_call(model, tensors, x)
    assert dict(model.named_parameters())["0.weight"] is not tensors["0.weight"]
    close(model[0].weight, before["0.weight"])
    other = ow.nn.Sequential(ow.nn.Linear(2, 2), ow.nn.BatchNorm1d(2))
    other.load_state_dict({**before, **tensors})
    close(found, other(x), 1e-5)
    with pytest.raises(RuntimeError, match="Unexpected"):
        func.functional_call(model, {**model.state_dict(), "unknown": x}, x, strict=True)
    with pytest.raises(RuntimeError, match="Missing"):
        func.functional_call(model, tensors, x, strict=True)
    with pytest.raises(ValueError, match="multiple"):
        func.functional_call(model, [tensors, tensors], x)


def test_batch_normalizations_without_statistics():
    model = ow.nn.Sequential(ow.nn.BatchNorm1d(3))
    assert func.replace_all_batch_norm_modules_(model) is model
    x = randn(2, 4, 3, dtype=ow.float32)
    close(func.vmap(model)(x), ow.stack([model(it) for it in x]), 1e-4)
    assert not model.state_dict().keys() - {"0.weight", "0.bias"}


def test_ensembles():
    models = [ow.nn.Linear(3, 2) for _ in range(4)]
    parameters, buffers = func.stack_module_state(models)
    x = ow.randn(5, 3)

    def run(parameters, buffers, x):
        return func.functional_call(models[0], (parameters, buffers), (x,))

    found = func.vmap(run, in_dims=(0, 0, None))(parameters, buffers, x)
    close(found, ow.stack([it(x) for it in models]), 1e-5)


def test_batched_gradients():
    x = randn(3).requires_grad_()
    y = x**2 * x.sum()
    seeds = ow.eye(3, dtype=ow.float64)
    (found,) = ow.autograd.grad(y, x, seeds, is_grads_batched=True)
    close(found, func.jacrev(lambda x: x**2 * x.sum())(x.detach()))
    unused = randn(2).requires_grad_()
    found, zeros = ow.autograd.grad(
        x.exp(), [x, unused], seeds, is_grads_batched=True, materialize_grads=True
    )
    close((found, zeros), (ow.diag(x.detach().exp()), ow.zeros(3, 2, dtype=ow.float64)))
    with pytest.raises(RuntimeError, match="is_grads_batched"):
        ow.autograd.grad(x.sum(), x, ow.tensor(1.0, dtype=ow.float64), is_grads_batched=True)


def test_conversions_take_an_order_of_memory() -> None:
    x = ow.arange(6.0).reshape(2, 3)
    for options in ({}, {"memory_format": ow.preserve_format}):
        converted = ow.vmap(lambda sample: sample.double(**options))(x)  # noqa: B023
        assert converted.dtype == ow.float64
        assert converted.tolist() == x.tolist()
