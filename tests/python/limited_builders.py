"""What makes more and more things that are not elements, until there is no memory for them.

Each trial runs in a child of its own with so much memory left, and has to come to a `MemoryError`
or to its end.
"""

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator

import opwright as o
from opwright import graph
from opwright.autograd import Function

# A trial that takes longer has found no end.
SECONDS = int(os.environ.get("OPWRIGHT_TRIAL_SECONDS", "60"))

X = o.ones(3, requires_grad=True)
V = o.TensorType("float32", (None,))("v")


class Twice(Function):
    """A function that brings its own gradient."""

    @staticmethod
    def forward(ctx, x):
        """Twice the input."""
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        """Twice the gradient."""
        return g * 2


def chain(x, length: int = 4000):
    """A long way back."""
    for _ in range(length):
        x = x.sin()
    return x


def wide(x, count: int = 4000):
    """Many ways back."""
    return o.stack([x.sin() for _ in range(count)]).sum()


def record() -> Iterator[object]:
    y = X
    while True:
        y = y.sin()
        yield None


def record_in_place() -> Iterator[object]:
    y = X.clone()
    while True:
        yield y.mul_(2)


def keep() -> Iterator[object]:
    while True:
        yield X.sin()


def keep_functions() -> Iterator[object]:
    while True:
        yield Twice.apply(X)


def keep_views() -> Iterator[object]:
    while True:
        yield X[1:]


def tensor_hooks() -> Iterator[object]:
    while True:
        X.register_hook(lambda g: g)
        yield None


def leaf_hooks() -> Iterator[object]:
    while True:
        yield X.register_post_accumulate_grad_hook(lambda x: None)


def node_hooks() -> Iterator[object]:
    node = X.sin().grad_fn
    while True:
        yield node.register_prehook(lambda g: None), node.register_hook(lambda g, h: None)


def several_hooks() -> Iterator[object]:
    y, z = X.sin(), X.cos()
    while True:
        yield o.autograd.graph.register_multi_grad_hook((y, z), lambda g: None)


def module_hooks() -> Iterator[object]:
    module = o.nn.Linear(2, 2)
    while True:
        yield module.register_forward_hook(lambda *it: None)


def modules() -> Iterator[object]:
    while True:
        yield o.nn.Linear(2, 2)


LONG = chain(X)
LONG_SUM = LONG.sum()
WIDE = wide(X)


def backward_along() -> Iterator[object]:
    for _ in range(2):
        yield o.autograd.grad(LONG_SUM, X, retain_graph=True)
        yield o.autograd.grad(LONG_SUM, X, create_graph=True)


def backward_across() -> Iterator[object]:
    for _ in range(2):
        yield o.autograd.grad(WIDE, X, retain_graph=True)
        yield o.autograd.grad(WIDE, X, create_graph=True)


def build() -> Iterator[object]:
    y = V
    while True:
        y = y.sin()
        yield None


def constants() -> Iterator[object]:
    while True:
        yield graph.constant(o.ones(2))


LONG_GRAPH = chain(V, 500)


def differentiate() -> Iterator[object]:
    for _ in range(20):
        yield graph.grad(LONG_GRAPH.sum(), V)


def rewrite() -> Iterator[object]:
    for _ in range(20):
        yield o.function([V], LONG_GRAPH * 1 + 0)


def evaluate() -> Iterator[object]:
    compiled = o.function([V], [V + 1, V.sum()])
    while True:
        yield [compiled(o.ones(1000)) for _ in range(10)]


def compile_other_sizes() -> Iterator[object]:
    for size in range(1, 200):
        yield o.function([V], chain(V, 5) * size)(o.ones(3))


def attempt(builder: Callable[[], Iterator[object]], left: int) -> int:
    """The status of the child: a signal, or how it ended."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        os._exit(run(builder, left))
    return os.waitpid(child, 0)[1]


def run(builder: Callable[[], Iterator[object]], left: int) -> int:
    with open("/proc/self/statm") as statm:
        now = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + left, now + left))
    kept = []
    try:
        for it in builder():
            kept.append(it)
    except MemoryError:
        return 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {str(error)[:200]}\n".encode())
        return 1
    return 0


BUILDERS = [
    *[record, record_in_place, keep, keep_functions, keep_views, tensor_hooks, leaf_hooks],
    *[node_hooks, several_hooks, module_hooks, modules, backward_along],
    *[backward_across, build, constants, differentiate, rewrite, evaluate, compile_other_sizes],
]

if __name__ == "__main__":
    o.set_num_threads(1)
    # What is made once is there.
    LONG_SUM.backward(retain_graph=True)
    for left in map(int, sys.argv[1:]):
        for builder in BUILDERS:
            status = attempt(builder, left)
            if status != 0:
                print(f"{builder.__name__} {left}: {status}")
    print("done")
