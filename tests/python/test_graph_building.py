"""Calls on variables make nodes whose results are what the calls themselves give."""

import io
import tomllib
from pathlib import Path

import numpy as np
import opwright as ow
import pytest
from opwright import _C, graph

T = ow.TensorType
TABLE = tomllib.loads(Path(ow.__file__).with_name("opcheck.toml").read_text())
SETTINGS = {"skip": [], "seeds": 1, "words": TABLE["words"]}
PLAIN = ow.Mode(optimizer="none")


def vec(name=None, dtype="float64"):
    return T(dtype, (None,))(name)


def mat(name=None, dtype="float64"):
    return T(dtype, (None, None))(name)


def run(outputs, *pairs):
    """What outputs are if variables have these values."""
    listed = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    given = [variable for variable, _ in pairs]
    function = ow.function(given, list(listed), mode=PLAIN, on_unused_input="ignore")
    results = function(*(value for _, value in pairs))
    return results if listed is outputs else results[0]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())


# --- every overload -----------------------------------------------------------------------------


def overloads():
    operators = [getattr(ow.ops, it) for it in dir(ow.ops)]
    found = [it for it in operators if isinstance(it, ow.ops.Operator)]
    return [getattr(operator, it) for operator in found for it in operator.overloads]


def as_variable(value, pairs):
    """Variables in the place of tensors; every other extent is unknown."""
    if isinstance(value, ow.Tensor):
        if value.ndim == 0 and not value.dtype.is_floating_point:
            return value
        shape = [None if at % 2 == 0 else size for at, size in enumerate(value.shape)]
        pairs.append((T(value.dtype, shape)(), value))
        return pairs[-1][0]
    if isinstance(value, (list, tuple)):
        return [as_variable(it, pairs) for it in value]
    return value


def has_dtypes(made, eager):
    if isinstance(eager, (list, tuple)):
        return len(made) == len(eager) and all(map(has_dtypes, made, eager))
    return not isinstance(eager, ow.Tensor) or (
        isinstance(made, ow.Variable)
        and made.dtype == eager.dtype
        and made.type.is_valid_value(eager)
    )


@pytest.mark.filterwarnings("ignore:.*which are different")
def test_every_overload_is_called_with_variables():
    found, refused, wrong = 0, [], []
    for overload in overloads():
        if overload.mutates:
            continue
        for make in _C._calls(overload.name, SETTINGS):
            arguments, pairs = make(), []
            named = {name: as_variable(it, pairs) for name, it in arguments.items()}
            if not pairs:
                continue
            eager = overload(**make())
            try:
                made = overload(**named)
            except (TypeError, RuntimeError, IndexError, ValueError, NotImplementedError) as error:
                refused.append(f"{overload.name}: {type(error).__name__}: {error}")
                continue
            found += 1
            if not has_dtypes(made, eager):
                wrong.append(f"{overload.name}: {made} for {eager}")
    assert not wrong, "\n".join(wrong)
    assert found > 450
    assert len(refused) * 20 <= found, "\n".join(refused)


# --- calls --------------------------------------------------------------------------------------


def test_messages_name_types_and_variables():
    x = vec("x")
    with pytest.raises(TypeError, match=r"TensorType\(float64, \(\?,\)\)\s+variable 'x'"):
        ow.add(ow.ones(2), ow.ones(2), alpha=x)
    with pytest.raises(TypeError, match="k"):
        ow.topk(x, k=2.5)
    with pytest.raises(RuntimeError, match=r"^add\(\)"):
        ow.add(T("float64", (2,))(), T("float64", (3,))())


def test_messages_show_no_numbers_that_stand_for_unknown_extents():
    x, y = T("float64", (None, 3))("x"), ow.ones(4, 2)
    with pytest.raises(RuntimeError, match=r"\(\?x3 and 4x2\): 3 .* 4 rows \(for every extent"):
        ow.mm(x, y)


def test_variables_are_not_written_to():
    x, y = vec("x"), vec("y")
    for out in (x, ow.zeros(2)):
        with pytest.raises(TypeError, match="not written to"):
            ow.add(x, y, out=out)
    with pytest.raises(TypeError, match="set_item"):
        x[0] = 1
    z = x.add_(y)
    assert z is not x and str(z.owner.op) == "add.Tensor"
    assert ow.ops._foreach_add_.List.mutates
    with pytest.raises(TypeError, match="_foreach_add"):
        ow.ops._foreach_add_.List([x], [y])


def test_what_is_written_keeps_its_dtype():
    x, y = vec("x", "float32"), vec("y")
    assert x.add_(y).dtype == ow.float32
    i = vec("i", "int64")
    with pytest.raises(RuntimeError):
        i.add_(y)
    x += 1
    assert x.dtype == ow.float32


def test_named_tuples_and_lists():
    result = ow.topk(T("float64", (None, 5))("x"), 2)
    assert result._fields == ("values", "indices")
    assert result.values.owner is result.indices.owner
    parts = ow.split(T("float64", (5, None))("a"), 2)
    assert [it.type.shape for it in parts] == [(2, None), (2, None), (1, None)]
    with pytest.raises(TypeError, match=r"dimension 0 of 'self'.*specify_shape"):
        ow.split(vec("x"), 2)


def test_arrays_on_both_sides():
    x = vec("x")
    a = np.array([1.0, 2.0])
    for z in (x + a, a + x):
        assert isinstance(z, ow.Variable)
        assert run(z, (x, np.array([1.0, 1.0]))).tolist() == [2.0, 3.0]


def test_a_variable_that_is_named_twice_is_two_inputs():
    x = vec("x")
    assert (x * x).owner.inputs == [x, x]


@pytest.mark.parametrize("kind", ["double", "int64"])
@pytest.mark.parametrize(
    "calculate",
    [
        lambda a, b: -a,
        lambda a, b: +a,
        lambda a, b: abs(-a),
        lambda a, b: a + 2 * b - a / 4,
        lambda a, b: a**b,
        lambda a, b: 3**a + a**2,
        lambda a, b: a % b + 7 % b,
        lambda a, b: a // b,
    ],
)
def test_operators_of_numbers(kind, calculate):
    of = getattr(ow.types, kind)
    a, b = of("a"), of("b")
    result = run(calculate(a, b), (a, 5), (b, 2))
    assert result == pytest.approx(calculate(5, 2))


def test_operators_that_numbers_do_not_have():
    a = ow.types.double("a")
    for refused in (lambda: a @ a, lambda: a ** "2", lambda: a % None):
        with pytest.raises((TypeError, RuntimeError)):
            refused()
    with pytest.raises(TypeError, match="bitwise_not"):
        _ = ~ow.types.text("text")


def test_attributes_and_methods_that_are_no_operators():
    x = T("float64", (2, None))("x")
    value = np.arange(6.0).reshape(2, 3)
    assert run(x.T, (x, value)).tolist() == value.T.tolist()
    assert x.mT.type.shape == (None, 2)
    assert (x.ndim, x.dim(), x.itemsize, x.is_floating_point()) == (2, 2, 8, True)
    assert x.to(ow.float64) is x and x.double() is x and x.contiguous() is x
    assert x.to(ow.int32).dtype == ow.int32 and x.float().dtype == ow.float32
    assert x.type_as(vec("y", "int64")).dtype == ow.int64
    assert str(x.shape.type) == str(x.size().type) == "int64[2]"
    n, k = x.shape
    assert run([n, k, x.size(-1), x.numel()], (x, value)) == [2, 3, 3, 6]
    assert x.real is not None
    with pytest.raises(RuntimeError):
        assert vec().mT
    with pytest.raises(IndexError):
        x.size(2)


def test_shapes_of_variables_are_shapes_of_others():
    x, y = mat("x"), vec("y")
    z = ow.reshape(y, x.shape)
    assert z.type.shape == (None, None)
    assert run(z, (x, np.zeros((2, 3))), (y, np.arange(6.0))).shape == (2, 3)
    assert ow.zeros(x.shape).type.shape == (None, None)
    assert T("float64", (2, 3))().reshape(T("float64", (3, 2))().shape).type.shape == (3, 2)


@pytest.mark.parametrize(
    "ask",
    [bool, len, float, int, iter, lambda x: x.tolist(), lambda x: x.item(), lambda x: x.numpy()],
)
def test_values_are_asked_for_in_vain(ask):
    with pytest.raises(TypeError, match="value"):
        ask(vec("v"))


@pytest.mark.filterwarnings("ignore:.*which are different")
def test_functions_of_python_take_variables():
    x, y = mat("x"), mat("y")
    one, other = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    a, b = ow.from_numpy(one), ow.from_numpy(other)
    calls = [
        lambda x, y: ow.einsum("ij,jk->ik", x, y),
        lambda x, y: ow.einsum(x, [0, 1], y, [1, 2]),
        lambda x, y: ow.tensordot(x, y, dims=1),
        lambda x, y: ow.norm(x, p=1, dim=1),
        lambda x, y: x.norm(),
        lambda x, y: ow.nonzero(x),
        lambda x, y: x.nonzero(),
        lambda x, y: ow.nonzero(x, as_tuple=True)[1],
        lambda x, y: ow.unique_consecutive(x),
        lambda x, y: ow.linalg.norm(x),
        lambda x, y: ow.special.expit(x),
        lambda x, y: ow.nn.functional.mse_loss(x, x * 2, weight=x + 1),
        lambda x, y: ow.nn.functional.binary_cross_entropy_with_logits(x, x),
        lambda x, y: ow.meshgrid(x[0], y[0])[0],
    ]
    for call in calls:
        z = call(x, y)
        pairs = [(v, value) for v, value in ((x, one), (y, other)) if v in graph.inputs([z])]
        result = run(z, *pairs)
        assert same(result, call(a, b)), call


def test_overloads_take_variables():
    x, y = vec("x"), vec("y")
    assert str(ow.ops.add.Tensor(x, y).owner.op) == "add.Tensor"


# --- indices ------------------------------------------------------------------------------------

CUBE = np.arange(24.0).reshape(2, 3, 4)
KEYS = [
    0,
    -1,
    (0, 1),
    (slice(None), 1),
    (..., 0),
    (0, ..., 1),
    None,
    (None, 0),
    (0, None),
    slice(1, None),
    (slice(None), slice(0, 2), slice(None, None, 2)),
    slice(-1, None),
    [1, 0],
    ([1, 0], 2),
    (0, [1, 0]),
    ([1, 0], slice(None), [0, 1]),
    (slice(None), [2, 0], None, [0, 1]),
    ([0, 1], 0, [1, 2]),
    (0, [1], None, 0),
    True,
    (True, 0),
    (slice(None), np.array([True, False, True])),
    (np.ones((2, 3), dtype=bool), 1),
    (..., np.array([0, 1])),
    np.int64(1),
    (),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
@pytest.mark.parametrize("shape", [(None, None, None), (2, 3, 4)], ids=["unknown", "known"])
def test_an_index_is_that_of_a_tensor(key, shape):
    x = T("float64", shape)("x")
    expected = ow.from_numpy(CUBE)[key]
    z = x[key]
    assert z.type.is_valid_value(expected), z.type
    result = expected if z is x else run(z, (x, CUBE))
    assert same(result, expected)


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_items_are_set_in_a_copy(key):
    x = T("float64", (2, None, None))("x")
    expected = ow.from_numpy(CUBE.copy())
    expected[key] = -1.0
    z = graph.set_item(x, key, -1.0)
    assert z.type == x.type
    assert same(run(z, (x, CUBE)), expected)


def test_variables_are_indices():
    x, i, n = mat("x"), vec("i", "int64"), ow.types.int64("n")
    m, s = mat("m", "bool"), T("int64", ())("s")
    value = np.arange(6.0).reshape(2, 3)
    assert run(x[i], (x, value), (i, np.array([1, 0]))).tolist() == value[[1, 0]].tolist()
    assert run(x[n], (x, value), (n, 1)).tolist() == [3.0, 4.0, 5.0]
    assert run(x[s, 1], (x, value), (s, np.int64(1))).tolist() == 4.0
    assert run(x[:, :n], (x, value), (n, 2)).tolist() == value[:, :2].tolist()
    assert run(x[m], (x, value), (m, value > 2)).tolist() == [3.0, 4.0, 5.0]
    assert run(x[x > 2], (x, value)).tolist() == [3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    "key", [5, (0, 0, 0, 0), (..., ...), "a", 1.5, slice(None, None, 0)], ids=repr
)
def test_wrong_indices_are_refused_as_by_tensors(key):
    with pytest.raises((IndexError, ValueError)) as eager:
        ow.from_numpy(CUBE)[key]
    with pytest.raises(eager.type) as built:
        T("float64", (2, 3, 4))("x")[key]
    assert str(built.value) == str(eager.value)


# --- graphs -------------------------------------------------------------------------------------


def test_shapes_that_are_specified():
    x = T("float64", (None, 3))("x")
    assert ow.specify_shape(x, (None, 3)) is x
    y = ow.specify_shape(x, (2, None))
    assert y.type.shape == (2, 3)
    with pytest.raises(graph.ShapeMismatch, match="dimension 0: expected 2, got 1"):
        run(y, (x, np.zeros((1, 3))))
    with pytest.raises(graph.ShapeClash, match=r"dimension 1 is 4 in .* and 3 in"):
        ow.specify_shape(x, (2, 4))


def test_extents_are_checked_when_a_graph_is_built():
    with pytest.raises(IndexError):
        graph.shape_i(vec("x"), 1)


def test_constants():
    c = graph.constant(2.5, "c")
    assert isinstance(c, ow.Constant) and isinstance(c, ow.Variable)
    assert not isinstance(vec(), ow.Constant)
    assert graph.constant(c) is c


def test_replacement_and_copies():
    x, y = vec("x"), vec("y")
    z = ow.exp(x) + y
    w = graph.replace([z], {x: y * 2})[0]
    assert graph.inputs([w]) == [y] and graph.inputs([z]) == [x, y]
    assert graph.replace([y], {x: y})[0] is y
    with pytest.raises(TypeError):
        graph.replace([z], {x: mat()})
    given, made = graph.clone([x, y], [z])
    assert graph.inputs(made) == given and given[0] is not x
    assert graph.equal_computations([x + y], [x + y])
    assert not graph.equal_computations([x + y], [y + x])


def test_an_op_of_python_is_asked_for_its_types_again():
    class Twice(graph.Op):
        __props__ = ()

        def make_node(self, x):
            return graph.Apply(self, [x], [x.type()])

        def perform(self, node, inputs, output_storage):
            output_storage[0][0] = inputs[0] + inputs[0]

    x = vec("x")
    made = graph.replace([Twice()(x)], {x: T("float64", (3,))("w")})[0]
    assert made.type.shape == (3,)


def test_trees():
    x, y = vec("x"), T("float64", (3,))("y")

    def text(it, **options):
        file = io.StringIO()
        ow.dprint(it, file=file, **options)
        return file.getvalue()

    z = ow.add(ow.exp(x), ow.exp(x), alpha=2)
    assert text(z, ids=False).startswith("add.Tensor{alpha=2}\n ├─ exp\n")
    assert text(ow.add(x, y), print_type=True) == text(ow.add(x, y), types=True)
    assert text(z, depth=1, ids=False) == "add.Tensor{alpha=2}\n"
    values, indices = ow.topk(y, 2)
    assert text(indices, ids=False).startswith("topk{k=2}.1\n")
    assert graph.to_svg(z).startswith("<svg") and z._repr_svg_() == graph.to_svg(z)
    assert graph.to_dot([values, indices]).startswith("digraph")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.5, "2.5"), ("a\nb", "'a\\nb'"), (list(range(99)), str(list(range(99)))[:59] + "…")],
)
def test_constants_of_types_in_python_show_their_values(value, shown):
    class Any(ow.Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

    file = io.StringIO()
    ow.dprint(ow.Constant(Any(), value), file=file, ids=False)
    assert file.getvalue() == f"{shown}\n"
