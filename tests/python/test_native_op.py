"""Operators that are defined in Python at run time."""

import copy
import gc
import inspect
import itertools
import pickle
import subprocess
import sys
import threading
import traceback
import weakref

import numpy as np
import opwright
import pytest
from opwright import graph, types
from opwright.extending import native_op
from opwright.testing import opcheck

_numbers = itertools.count()


def fresh(rest, **options):
    """Defines an operator of a new name, with the rest of a schema."""
    name = f"op{next(_numbers)}"
    return native_op(f"fresh::{name}{rest}", **options)


def tensor(*values, **options):
    return opwright.tensor(list(values), dtype=opwright.float64, **options)


@native_op("held::scaled(Tensor x, float k=1.0, *, bool twice=False) -> Tensor", tags=["pointwise"])
def scaled(x, k, twice):
    """Scales by a number."""
    assert type(k) is float and type(twice) is bool
    return x * (2 * k if twice else k)


def test_it_is_found_called_and_described():
    assert opwright.ops.held.scaled is scaled
    assert scaled(tensor(1, 2), 3).tolist() == [3, 6]
    assert scaled(x=tensor(1, 2)).tolist() == [1, 2]
    assert scaled(tensor(1, 2), k=2, twice=True).tolist() == [4, 8]
    assert scaled.name == "held::scaled"
    assert scaled.tags == ("pointwise",)
    assert scaled.schema.startswith("held::scaled(Tensor x, float k=1.0, *, bool twice=False)")
    assert "Scales by a number." in scaled.__doc__ and scaled.schema in scaled.__doc__
    assert repr(scaled) == f"<operator {scaled.schema}>"
    assert "scaled" in dir(opwright.ops.held)
    assert scaled.gradient == "composed"


def test_docstrings_have_the_sections_of_numpydoc():
    assert inspect.getdoc(scaled) == (
        f"{scaled.schema}\n\nScales by a number.\n\n"
        "Parameters\n----------\nx : Tensor\nk : float, default 1.0\n"
        "twice : bool, default False\n\n"
        "Returns\n-------\nTensor"
    )

    @fresh("(Tensor x, int[2]? dim=None) -> (Tensor a, Tensor b)")
    def op(x, dim):
        """Does it.

        Parameters
        ----------
        x
            What it is done to.

        Examples
        --------
        >>> op(x)
        """  # noqa: D416
        return x, x

    assert inspect.getdoc(op).partition("\n\n")[2] == (
        "Does it.\n\nParameters\n----------\nx\n    What it is done to.\n\n"
        "Returns\n-------\na : Tensor\nb : Tensor\n\nExamples\n--------\n>>> op(x)"
    )


def test_arguments_are_converted_as_those_of_any_operator():
    seen = []

    @fresh("(Tensor x, int[2] sizes, Scalar s, str? mode=None, ScalarType? dtype=None) -> Tensor")
    def op(x, sizes, s, mode, dtype):
        seen.append((sizes, s, mode, dtype))
        return x

    x = tensor(1)
    op(x, 3, 2)
    op(x, [1, 2], 2.5, "a", opwright.float32)
    op(x, (np.int64(4), 5), True, dtype=float)
    assert seen == [
        ((3, 3), 2, None, None),
        ((1, 2), 2.5, "a", opwright.float32),
        ((4, 5), True, None, opwright.float64),
    ]
    # A number stands for a tensor.
    assert isinstance(scaled(2.0, 3), opwright.Tensor)
    with pytest.raises(TypeError, match="from_numpy"):
        scaled(np.array([1.0, 2.0]), 2)


@pytest.mark.parametrize(
    ("args", "keywords", "text"),
    [
        ((), {}, 'missing 1 required argument|missing .*"?x'),
        ((1, "a"), {}, "'k'.*must be float, not str"),
        ((1, 2, 3), {}, "positional"),
        ((1,), {"j": 2}, "unexpected keyword.*'j'"),
    ],
)
def test_what_does_not_fit_is_refused(args, keywords, text):
    with pytest.raises(TypeError, match=text) as caught:
        scaled(*args, **keywords)
    assert str(caught.value).startswith("held::scaled()")


@pytest.mark.parametrize(
    ("schema", "code", "text"),
    [
        ("my::f(Tensr x) -> Tensor", "E0104", "unknown type `Tensr`"),
        ("my::f(Tensor x, Tensor x) -> Tensor", "E0201", "x"),
        ("my::f(Tensor x, float k=a) -> Tensor", "E0", "k"),
        ("f(Tensor x) -> Tensor", "E0102", "`f` has no namespace"),
        ("a::b::f(Tensor x) -> Tensor", "E0305", "more than one namespace"),
        ("add::f(Tensor x) -> Tensor", "E0401", "`add` is the name of an operator"),
        ("my::f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", "E0204", "no `out`"),
        ("my::f(Dimname x) -> Tensor", "E0104", "no values of type `Dimname`"),
        ("my::class(Tensor x) -> Tensor", "E0324", "keyword"),
        ("my::f(Tensor x, int lambda) -> Tensor", "E03", "lambda"),
        ("my::f(Tensor x -> Tensor", "E01", ""),
    ],
)
def test_mistakes_of_schemas_are_shown_at_their_places(schema, code, text):
    with pytest.raises(ValueError, match=r"native_op\(\) cannot take this schema") as caught:
        native_op(schema)(lambda *args: None)
    message = str(caught.value)
    assert f"error[{code}" in message and text in message
    assert schema in message and "^" in message


def test_the_place_is_the_word():
    with pytest.raises(ValueError, match="E0104") as caught:
        native_op("my::f(Tensor x, Tensr y) -> Tensor")(lambda x, y: x)
    lines = str(caught.value).splitlines()
    at = next(at for at, line in enumerate(lines) if "^" in line)
    start, end = lines[at].index("^"), lines[at].rindex("^") + 1
    assert lines[at - 1][start:end] == "Tensr"


def test_a_second_definition_is_refused_with_the_way_out():
    @native_op("held::once(Tensor x) -> Tensor")
    def first(x):
        return x + 1

    with pytest.raises(
        ValueError, match=r"held::once is defined already, at .*test_native_op.py:\d+.*replace=True"
    ):
        native_op("held::once(Tensor x) -> Tensor")(lambda x: x)
    assert opwright.ops.held.once is first

    second = native_op("held::once(Tensor x, int k) -> Tensor", replace=True)(lambda x, k: x + k)
    assert opwright.ops.held.once is second
    assert second(tensor(1), 3).tolist() == [4]
    assert first(tensor(1)).tolist() == [2]


def test_a_function_with_other_parameters_is_refused():
    with pytest.raises(
        TypeError, match=r"parameters of its schema.*has \(x\): too many positional"
    ):
        fresh("(Tensor x, float k) -> Tensor")(lambda x: x)
    with pytest.raises(TypeError, match="a parameter 'k' where the schema has 'x'"):
        fresh("(Tensor x, float k) -> Tensor")(lambda k, x: x)
    with pytest.raises(TypeError, match="unexpected keyword argument 'k'"):
        fresh("(Tensor x, *, float k) -> Tensor")(lambda x: x)
    with pytest.raises(TypeError, match="takes a function"):
        fresh("(Tensor x) -> Tensor")(3)
    with pytest.raises(ValueError, match='unknown tag "fast"'):
        fresh("(Tensor x) -> Tensor", tags=["fast"])(lambda x: x)


def test_what_is_returned_is_checked():
    cases = [
        ("(Tensor x) -> Tensor", lambda x: None, "returned None, and its schema declares Tensor"),
        ("(Tensor x) -> Tensor", lambda x: 2.0, "returned float.*declares Tensor"),
        ("(Tensor x) -> (Tensor, int)", lambda x: x, "declares 2 results"),
        ("(Tensor x) -> (Tensor, int)", lambda x: (x, "a"), "returned str.*declares int"),
        ("(Tensor x) -> ()", lambda x: x, "declares nothing"),
        ("_(Tensor(a!) self) -> Tensor(a!)", lambda self: self + 1, "declares what it writes to"),
    ]
    for rest, function, text in cases:
        with pytest.raises(TypeError, match=text):
            fresh(rest)(function)(tensor(1))


def test_results_of_all_kinds():
    assert fresh("(Tensor x) -> ()")(lambda x: None)(tensor(1)) is None
    pair = fresh("(Tensor x) -> (Tensor, float)")(lambda x: (x, 3))(tensor(1))
    assert isinstance(pair, tuple) and type(pair[1]) is float
    several = fresh("(Tensor x) -> Tensor[]")(lambda x: [x, x])(tensor(1))
    assert isinstance(several, tuple) and len(several) == 2
    assert fresh("(Tensor x) -> int")(lambda x: x.numel())(tensor(1, 2)) == 2
    x = tensor(1, 2)
    assert (
        fresh("_(Tensor(a!) self, float k) -> Tensor(a!)")(lambda self, k: self.mul_(k))(x, 3) is x
    )
    assert x.tolist() == [3, 6]


def test_exceptions_go_through():
    class OwnError(Exception):
        pass

    @fresh("(Tensor x) -> Tensor")
    def op(x):
        raise OwnError("mine")

    with pytest.raises(OwnError, match="mine"):
        op(tensor(1))


def test_gradients_follow_from_what_is_called():
    x = tensor(1, 2, requires_grad=True)
    scaled(x, 3).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_a_formula():
    @fresh("(Tensor x, Tensor y, float k=2.0) -> Tensor")
    def op(x, y, k):
        return opwright.tensor(x.numpy() * y.numpy() * k)

    assert op.derivative("x: grad * y * k", "y: grad * x * k") is op
    assert op.gradient == "formula"
    x, y = tensor(1, 2, requires_grad=True), tensor(3, 4, requires_grad=True)
    (op(x, y) * tensor(1, 10)).sum().backward()
    assert x.grad.tolist() == [6, 80]
    assert y.grad.tolist() == [2, 40]
    with opwright.no_grad():
        assert not op(x, y).requires_grad
    assert not op(x.detach(), y.detach()).requires_grad
    x = tensor(1, 2, requires_grad=True)
    assert opwright.autograd.gradcheck(lambda x: op(x, y.detach(), 3.0), (x,))


def test_formulas_of_all_forms():
    @fresh("(Tensor x, Scalar k) -> Tensor")
    def op(x, k):
        return opwright.tensor(np.exp(x.numpy() * k))

    op.derivative(
        "x: k == 0 ? opwright_zeros : grad * result * k.conj()".replace(
            "opwright_zeros", "at::zeros_like(x)"
        )
    )
    x = tensor(0.5, 1, requires_grad=True)
    assert opwright.autograd.gradcheck(lambda x: op(x, 2.0), (x,))

    @fresh("(Tensor x, Tensor y) -> (Tensor sum, Tensor product)")
    def both(x, y):
        return opwright.tensor(x.numpy() + y.numpy()), opwright.tensor(x.numpy() * y.numpy())

    both.derivative("x: grads[0] + grads[1] * y", "y: grads[0] + grads[1] * x")
    x, y = tensor(1, 2, requires_grad=True), tensor(3, 4, requires_grad=True)
    assert opwright.autograd.gradcheck(both, (x, y))


def test_a_function_as_derivative():
    @fresh("(Tensor x, Tensor y) -> Tensor")
    def op(x, y):
        return opwright.tensor(x.numpy() * y.numpy())

    @op.derivative
    def _(grad, x, y):
        return grad * y, grad * x

    x, y = tensor(1, 2, requires_grad=True), tensor(3, 4, requires_grad=True)
    assert opwright.autograd.gradcheck(op, (x, y))
    assert opwright.autograd.gradgradcheck(op, (x, y))

    other = fresh("(Tensor x) -> Tensor")(lambda x: opwright.tensor(np.exp(x.numpy())))
    other.derivative(lambda grad, result: {"x": grad * result})
    assert opwright.autograd.gradcheck(other, (x,))
    with pytest.raises(ValueError, match="has a derivative already"):
        other.derivative("x: grad")
    third = fresh("(Tensor x) -> Tensor")(lambda x: x)
    with pytest.raises(TypeError, match="asks for 'z'; there are: x, grad, grads, result"):
        third.derivative(lambda z: z)


@pytest.mark.parametrize(
    ("formulas", "code", "text"),
    [
        (("x: grad * q",), "E0514", "`q` is unknown here"),
        (("z: grad",), "E0512", "`z` is no tensor"),
        (("k: grad",), "E0512", "`k` is no tensor"),
        (("x: grad", "x: grad"), "E0513", "two formulas"),
        (("x: grad * ",), "E0518", "expected an expression"),
        (("grad * k",), "E0518", "no input is named"),
        (("x: cosine(grad)",), "E0514", "no function `cosine`"),
        (("x: grad.cosine()",), "E0514", "no method `cosine`"),
        ((), "", "there is none"),
    ],
)
def test_mistakes_of_formulas_are_shown_at_their_places(formulas, code, text):
    op = fresh("(Tensor x, float k) -> Tensor")(lambda x, k: x * k)
    with pytest.raises(ValueError, match="cannot take this formula") as caught:
        op.derivative(*formulas)
    assert code in str(caught.value) and text in str(caught.value)


def test_an_input_without_a_formula_says_so():
    op = fresh("(Tensor x, Tensor y) -> Tensor")(
        lambda x, y: opwright.tensor(x.numpy() * y.numpy())
    )
    op.derivative("x: grad * y")
    x, y = tensor(1, requires_grad=True), tensor(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="no derivative for 'y'"):
        op(x, y).sum().backward()


def test_meta():
    op = fresh("(Tensor x) -> Tensor")(lambda x: opwright.tensor(x.numpy().sum(0)))
    x = opwright.empty(3, 4, device="meta", dtype=opwright.float64)
    with pytest.raises(TypeError, match="meta"):
        op(x)
    assert op.meta(f := lambda x: x.new_empty(x.shape[1:])) is f
    assert op(x).shape == (4,) and op(x).device.type == "meta"
    assert op(opwright.ones(3, 4, dtype=opwright.float64)).tolist() == [3] * 4
    with pytest.raises(ValueError, match="has a meta already"):
        op.meta(lambda x: x)
    with pytest.raises(TypeError, match="parameters of its schema"):
        fresh("(Tensor x) -> Tensor")(lambda x: x).meta(lambda: None)
    # Without one, the body says it.
    assert scaled(x, 2).shape == (3, 4)


def test_opcheck():
    assert opcheck(scaled).ok
    op = fresh("(Tensor x, float k=2.0) -> Tensor")(lambda x, k: x * k)
    op.derivative("x: grad * k")
    report = opcheck(op)
    assert report.ok and report.calls["of gradients"] > 0 and report.calls["of variables"] > 0
    wrong = fresh("(Tensor x, float k=2.0) -> Tensor")(lambda x, k: x * k)
    wrong.derivative("x: grad")
    assert any(it.check == "gradcheck" for it in opcheck(wrong, raises=False).problems)
    writes = fresh("(Tensor x) -> Tensor")(lambda x: x.add_(1))
    assert not opcheck(writes, raises=False).ok


def test_graphs():
    op = fresh("(Tensor x, float k=2.0) -> Tensor")(lambda x, k: opwright.tensor(x.numpy() * k))
    op.meta(lambda x, k: x.clone())
    op.derivative("x: grad * k")
    x = types.TensorType("float64", (None,))("x")
    y = op(x, 3.0)
    assert y.type == types.TensorType("float64", (None,))
    assert op.name in graph.dprint(y, file="str")
    assert y.eval({x: tensor(1, 2)}).tolist() == [3, 6]
    gradient = graph.grad(y.sum(), x)
    assert gradient.eval({x: tensor(1, 2)}).tolist() == [3, 3]
    f = opwright.function([x], opwright.exp(op(x)))
    assert f(tensor(0)).tolist() == [1]


@native_op("held::pickled(Tensor x) -> Tensor")
def pickled(x):
    return x + 1


def test_pickles_go_by_name():
    assert pickle.loads(pickle.dumps(scaled)) is scaled
    assert copy.deepcopy(scaled) is scaled
    x = types.TensorType("float64", (2,))("x")
    f = opwright.function([x], pickled(x))
    assert pickle.loads(pickle.dumps(f))(tensor(1, 2)).tolist() == [2, 3]


class MissingError(LookupError):
    """An exception with more to it than its text."""

    def __init__(self, place):
        super().__init__(f"nothing at {place}")
        self.place = place


def raising(make):
    @fresh("(Tensor x) -> Tensor")
    def op(x):
        if x.device.type == "meta":
            return x.clone()
        raise make()

    return op


def names_in(error):
    """The functions of a traceback."""
    return [it.name for it in traceback.extract_tb(error.__traceback__)]


def test_exceptions_in_graphs_are_those_that_were_raised():
    made = []

    def make():
        made.append(MissingError(3))
        return made[-1]

    x = types.TensorType("float64", (2,))("x")
    op = raising(make)
    f = opwright.function([x], opwright.exp(op(x)))
    for _ in range(20):
        with pytest.raises(MissingError) as caught:
            f(tensor(1, 2))
        assert caught.value is made[-1] and caught.value.place == 3
        # Where it was raised, and which node it came through.
        assert names_in(caught.value)[-1] == "op"
        assert any(op.name in note for note in caught.value.__notes__)
    with pytest.raises(MissingError):
        op(x).eval({x: tensor(1, 2)})


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: IndexError("no such place"), "no such place"),
        (ValueError, "^\nin node"),
        (lambda: KeyError("k"), "'k'"),
        (lambda: OSError(2, "no file"), r"\[Errno 2\] no file"),
        (lambda: TypeError("x" * 40000), "xxx"),
        (lambda: MemoryError("none left"), "none left"),
    ],
)
def test_exceptions_of_all_kinds_get_through(make, text):
    x = types.TensorType("float64", (2,))("x")
    f = opwright.function([x], raising(make)(x))
    expected = type(make())
    with pytest.raises(expected, match=text) as caught:
        f(tensor(1, 2))
    assert type(caught.value) is expected


def test_what_is_no_exception_leaves_graphs_as_it_is():
    x = types.TensorType("float64", (2,))("x")
    f = opwright.function([x], raising(lambda: KeyboardInterrupt("now"))(x))
    with pytest.raises(KeyboardInterrupt, match="now"):
        f(tensor(1, 2))


def test_exceptions_keep_nothing_alive():
    x = types.TensorType("float64", (2,))("x")
    f = opwright.function([x], raising(lambda: MissingError(1))(x))

    def call():
        given = tensor(1, 2)
        found = weakref.ref(given)
        with pytest.raises(MissingError):
            f(given)
        return found

    found = call()
    gc.collect()
    assert found() is None


def test_threads_get_their_own_exceptions():
    x = types.TensorType("float64", (1,))("x")

    def work(number, results):
        f = opwright.function([x], raising(lambda: MissingError(number))(x))
        for _ in range(50):
            try:
                f(tensor(1))
            except MissingError as error:
                results.append(error.place == number)

    results = []
    threads = [threading.Thread(target=work, args=(it, results)) for it in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 300


def test_there_is_a_last_operator_and_it_says_so():
    script = """
from opwright.extending import native_op
made = 0
try:
    for at in range(2000):
        try:
            native_op("last::it(Tensor x) -> Tensor", replace=True)(lambda y: y)
        except TypeError:
            pass
        native_op(f"last::it{at % 700}(Tensor x) -> Tensor", replace=True)(lambda x: x)
        made += 1
except ValueError as error:
    print(made, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.startswith("1024 last::it324 is one more than the 1024 operators"), done
    assert "pass as an argument what differs" in done.stdout


def test_explain():
    text = str(opwright.explain(scaled, tensor(1, 2), k=2))
    assert "held::scaled() takes this overload" in text and "composed" in text
    assert "must be float, not str" in str(opwright.explain(scaled, tensor(1), "a"))
    op = fresh("(Tensor x, float k=2.0) -> Tensor")(lambda x, k: x * k).derivative("x: grad * k")
    assert "gradient of x: grad * k" in str(opwright.explain(op, tensor(1)))
    (signature,) = opwright.get_overloads(scaled)
    assert list(signature.parameters) == ["x", "k", "twice"]


def test_overrides_take_the_call_over():
    class Tracked(opwright.Tensor):
        @classmethod
        def __opwright_function__(cls, function, types, args=(), kwargs=None):
            return function, len(args)

    assert scaled(tensor(1).as_subclass(Tracked), 2)[0] is scaled


def test_a_jitted_function_is_an_operator():
    from opwright import jit, vectorize

    @vectorize
    def relu(x):
        return x if x > 0 else 0.0

    op = fresh("(Tensor x) -> Tensor")(relu)
    assert op(tensor(-1, 2)).tolist() == [0, 2]

    @jit
    def total(x, k):
        out = 0.0
        for i in range(x.shape[0]):
            out += x[i] * k
        return out

    op = fresh("(Tensor x, float k=2.0) -> float")(total)
    assert op(tensor(1, 2)) == 6.0


def test_threads_define_and_call():
    def work(results):
        op = fresh("(Tensor x, float k) -> Tensor")(lambda x, k: x * k)
        results.append(all(op(tensor(1), float(k)).item() == k for k in range(100)))

    results = []
    threads = [threading.Thread(target=work, args=(results,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8


def test_arguments_are_given_back():
    op = fresh("(Tensor x, float k) -> Tensor")(lambda x, k: x * k)
    x, k = tensor(1, 2), 2.5
    before = sys.getrefcount(x), sys.getrefcount(k)
    for _ in range(1000):
        op(x, k)
        with pytest.raises(TypeError):
            op(x, "a")
    assert (sys.getrefcount(x), sys.getrefcount(k)) == before
    seen = weakref.ref(result := op(x, k))
    del result
    gc.collect()
    assert seen() is None


def test_stubs(tmp_path):
    (tmp_path / "my_operators.py").write_text(
        "from opwright.extending import native_op\n"
        "@native_op('mine::half(Tensor x, int[2] n=1, *, str? how=None) -> (Tensor, int)')\n"
        "def half(x, n, how):\n"
        "    return x / 2, 1\n"
    )
    command = [sys.executable, "-m", "opwright.stubs", "my_operators"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = (
        "def half(x: Tensor, n: Sequence[int] | int = ..., *, how: str | None = ...)"
        " -> tuple[Tensor, int]:"
    )
    assert expected in printed.stdout
    subprocess.run([*command, "-o", "."], cwd=tmp_path, check=True)
    assert expected in (tmp_path / "opwright-stubs" / "ops" / "mine.pyi").read_text()
