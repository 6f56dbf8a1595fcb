"""Gradients of operators, and gradients of these, compared with differences."""

from collections.abc import Callable

import opwright as ow
import pytest
from opwright.autograd import gradcheck, gradgradcheck
from opwright.autograd.gradcheck import GradcheckError

Function = Callable[..., ow.Tensor]

# Functions of one tensor as they are.
PLAIN = ["abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp2"]
PLAIN += ["expm1", "floor", "log", "log10", "log1p", "log2", "logit", "neg", "reciprocal", "relu"]
PLAIN += ["round", "rsqrt", "sgn", "sigmoid", "sign", "sin", "sinc", "sinh", "sqrt", "square"]
PLAIN += ["tan", "tanh", "trunc", "amax", "amin", "mean", "prod", "std", "sum", "var"]

# Of one tensor of shape (2, 3) with elements between 0.2 and 0.9.
OF_ONE: dict[str, Function] = {name: getattr(ow, name) for name in PLAIN} | {
    "acosh": lambda x: ow.acosh(x + 1.5),
    "as_strided": lambda x: x.as_strided((2, 2), (1, 1), 1),
    "cat": lambda x: ow.cat([x, x * 2], 1),
    "chunk": lambda x: x.chunk(2, 1)[0] * x.chunk(2, 1)[1].sum(),
    "clamp": lambda x: x.clamp(0.3, 0.7),
    "cummax": lambda x: ow.cummax(x, 1)[0],
    "cumprod": lambda x: ow.cumprod(x, 1),
    "cumsum": lambda x: ow.cumsum(x, 0),
    "diagonal": lambda x: x.diagonal(),
    "expand": lambda x: x.unsqueeze(0).expand(2, 2, 3) * 2,
    "fft": lambda x: ow.fft.rfft(x).abs(),
    "flip": lambda x: x.flip(0, 1),
    "gather": lambda x: x.gather(1, ow.tensor([[0, 0], [2, 1]])),
    "index": lambda x: x[[0, 1, 0], [2, 0, 2]],
    "index_add": lambda x: x.index_add(0, ow.tensor([0, 0]), x * 2),
    "inv": lambda x: ow.linalg.inv(x @ x.mT + ow.eye(2, dtype=x.dtype)),
    "layer_norm": lambda x: ow.nn.functional.layer_norm(x, (3,)),
    "log_softmax": lambda x: ow.log_softmax(x, 1),
    "logcumsumexp": lambda x: ow.logcumsumexp(x, 1),
    "logsumexp": lambda x: ow.logsumexp(x, 1),
    "masked_fill": lambda x: x.masked_fill(x > 0.5, 2.0),
    "masked_select": lambda x: x.masked_select(x > 0.5),
    "matmul": lambda x: x @ x.mT,
    "max": lambda x: x.max(1)[0],
    "median": lambda x: x.median(),
    "norm": lambda x: ow.linalg.vector_norm(x, 3),
    "pad": lambda x: ow.constant_pad_nd(x, (1, 2), 0.5),
    "permute": lambda x: x.permute(1, 0),
    "pow": lambda x: x**2.5,
    "repeat": lambda x: x.repeat(2, 2),
    "roll": lambda x: x.roll(1, 1),
    "select": lambda x: x.select(1, 2),
    "silu": ow.nn.functional.silu,
    "slice": lambda x: x[:, ::2],
    "softmax": lambda x: ow.softmax(x, 1),
    "sort": lambda x: x.sort(1)[0],
    "split": lambda x: x.split([1, 2], 1)[1],
    "stack": lambda x: ow.stack([x, x * x]),
    "take": lambda x: x.take(ow.tensor([0, 5, 5])),
    "topk": lambda x: x.topk(2, 1)[0],
    "tril": lambda x: x.tril(),
    "unbind": lambda x: x.unbind(1)[1],
    "unfold": lambda x: x.unfold(1, 2, 1),
    "view": lambda x: x.view(3, 2),
    "where": lambda x: ow.where(x > 0.5, x, x * x),
}

# Of tensors of shapes (2, 3) and (3,).
OF_TWO: dict[str, Function] = {
    "add": lambda x, y: ow.add(x, y, alpha=2),
    "atan2": ow.atan2,
    "bmm": lambda x, y: x.unsqueeze(0).bmm(y.view(1, 3, 1)),
    "cross_entropy": lambda x, y: ow.nn.functional.cross_entropy(x * y, ow.tensor([2, 0])),
    "div": ow.div,
    "hypot": ow.hypot,
    "lerp": lambda x, y: ow.lerp(x, y, 0.3),
    "linear": lambda x, y: ow.nn.functional.linear(x, y.unsqueeze(0)),
    "logaddexp": ow.logaddexp,
    "maximum": ow.maximum,
    "mse_loss": lambda x, y: ow.nn.functional.mse_loss(x, y.expand(2, 3)),
    "mul": ow.mul,
    "mv": ow.mv,
    "pow": ow.pow,
    "sub": lambda x, y: ow.sub(x, y, alpha=3),
    "written to": lambda x, y: (x * 1).mul_(y).add_(x),
    "written to a view": lambda x, y: written(x, y),
}


def written(x: ow.Tensor, y: ow.Tensor) -> ow.Tensor:
    """A product whose rows are written to, one as a whole and one in part."""
    base = x * 2
    base[0] = y * y
    base[1, 1:] *= 3
    return base * base


def sample(shape: tuple[int, ...], seed: int) -> ow.Tensor:
    ow.manual_seed(seed)
    values = ow.rand(shape, dtype=ow.float64) * 0.7 + 0.2
    return values.requires_grad_()


@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one(name: str) -> None:
    x = sample((2, 3), 1)
    assert gradcheck(OF_ONE[name], (x,))
    assert gradgradcheck(OF_ONE[name], (x,))


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two(name: str) -> None:
    inputs = sample((2, 3), 2), sample((3,), 3)
    assert gradcheck(OF_TWO[name], inputs)
    assert gradgradcheck(OF_TWO[name], inputs)


# --- forward mode ---------------------------------------------------------------------


@pytest.mark.parametrize("fast_mode", [False, True])
def test_tangents_are_checked(fast_mode):
    x = ow.randn(2, 3, dtype=ow.float64, requires_grad=True)
    y = ow.randn(3, dtype=ow.float64, requires_grad=True)
    z = ow.randn(2, dtype=ow.complex128, requires_grad=True)
    options = {"check_forward_ad": True, "check_batched_grad": True, "fast_mode": fast_mode}
    assert gradcheck(
        lambda x, y: (x.sin() @ y, x * y), (x, y), check_batched_forward_grad=True, **options
    )
    assert gradcheck(lambda z: (z * z.conj()).exp(), z, **options)
    assert gradcheck(
        lambda z: z.abs(), z, check_forward_ad=True, check_backward_ad=False, fast_mode=fast_mode
    )
    assert gradgradcheck(
        lambda x, y: (x.sin() @ y, x * y), (x, y), check_fwd_over_rev=True, fast_mode=fast_mode
    )
    assert gradgradcheck(
        lambda x: x.exp(),
        x,
        check_fwd_over_rev=True,
        check_rev_over_rev=False,
        fast_mode=fast_mode,
    )


def test_wrong_tangents_are_found():
    class Wrong(ow.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return 3 * ctx.saved_tensors[0] * grad

    x = ow.randn(3, dtype=ow.float64, requires_grad=True)
    for fast_mode in (False, True):
        with pytest.raises(GradcheckError, match="tangents of output 0"):
            gradcheck(
                Wrong.apply,
                x,
                check_forward_ad=True,
                check_backward_ad=False,
                fast_mode=fast_mode,
            )
    with pytest.raises(ValueError, match="check_forward_ad"):
        gradcheck(lambda x: x, x, check_backward_ad=False)
