"""Two modules of operators in one process take what is the other's."""

import copy
import pickle
from typing import Any

import numpy as np
import opwright
import pytest
import twin
from dtypes import DTYPES


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Any:
    module = twin.install(tmp_path_factory.mktemp("twin"))
    assert module.Tensor is not opwright.Tensor
    assert module._C.TensorBase is not opwright._C.TensorBase
    return module


@pytest.mark.parametrize("dtype", DTYPES)
def test_tensors_are_taken_as_arrays(other: Any, dtype: str) -> None:
    theirs = other.tensor([[0, 1, 1], [1, 0, 1]], dtype=getattr(other, dtype)).T
    own = opwright.tensor(theirs)
    assert (str(own.dtype), own.tolist()) == (f"opwright.{dtype}", theirs.tolist())
    for result in (
        opwright.mul(theirs, own),
        own.mul(theirs),
        own * theirs,
        opwright.stack([own, theirs])[1],
        opwright.clone(theirs),
        opwright.as_tensor(theirs),
        opwright.asarray(theirs),
        opwright.from_dlpack(theirs),
    ):
        assert type(result) is opwright.Tensor
        assert result.dtype is own.dtype
    assert type(theirs * own) is other.Tensor
    assert opwright.as_tensor(theirs).data_ptr() == theirs.data_ptr()
    assert opwright.tensor(theirs).data_ptr() != theirs.data_ptr()


def test_calls_that_write(other: Any) -> None:
    x, theirs = opwright.tensor([1.0, 2.0]), other.zeros(2)
    assert opwright.add(x, 1, out=theirs) is theirs
    assert theirs.tolist() == [2, 3]
    x.copy_(theirs)
    assert x.tolist() == [2, 3]
    x += theirs
    assert x.tolist() == [4, 6]
    assert opwright.add(theirs, theirs, alpha=other.tensor(2)).tolist() == [6, 9]


def test_generators_stay_those_of_their_module(other: Any) -> None:
    generator = other.Generator().manual_seed(7)
    for arrived in (pickle.loads(pickle.dumps(generator)), copy.deepcopy(generator)):
        assert type(arrived) is other.Generator
        assert arrived.initial_seed() == 7


def test_indices(other: Any) -> None:
    x = opwright.arange(5)
    assert x[other.tensor([1, 3])].tolist() == [1, 3]
    assert x[other.tensor(2)].item() == 2
    assert x[other.tensor([True, False, False, True, False])].tolist() == [0, 3]
    assert opwright.index_select(x, 0, other.tensor([4])).tolist() == [4]
    assert x.reshape(other.tensor(5), 1).shape == (5, 1)
    x[other.tensor([0])] = other.tensor(9)
    assert x[0].item() == 9


def test_subclasses_are_taken(other: Any) -> None:
    class Theirs(other.Tensor):  # type: ignore[misc]
        pass

    assert opwright.add(Theirs([1.0]), 1).tolist() == [2]

    class TakingOver(other.Tensor):  # type: ignore[misc]
        @classmethod
        def __opwright_function__(cls, function: Any, *_: Any) -> Any:
            return function

    assert opwright.add(TakingOver([1.0]), 1) is opwright.add


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_are_taken_by_name(other: Any, dtype: str) -> None:
    theirs = getattr(other, dtype)
    assert str(opwright.zeros(2, dtype=theirs).dtype) == f"opwright.{dtype}"
    assert str(opwright.ones(2).to(theirs).dtype) == f"opwright.{dtype}"
    assert str(opwright.ones(2).type(theirs).dtype) == f"opwright.{dtype}"
    assert str(opwright.Tensor(2, dtype=theirs).dtype) == f"opwright.{dtype}"
    assert str(opwright.tensor([1], dtype=theirs).dtype) == f"opwright.{dtype}"


def test_types_of_tensors_are_those_of_their_module(other: Any) -> None:
    theirs, own = other.ones(2), opwright.ones(2)
    assert isinstance(theirs, other.FloatTensor) and not isinstance(theirs, opwright.FloatTensor)
    assert (theirs.type(), own.type()) == ("twin_ops.FloatTensor", "opwright.FloatTensor")
    assert pickle.loads(pickle.dumps(other.FloatTensor)) is other.FloatTensor
    assert type(opwright.LongTensor(theirs)) is opwright.Tensor
    assert opwright.LongTensor(theirs).tolist() == [1, 1]
    with pytest.raises(TypeError, match="expected a type of tensors"):
        own.type(other.FloatTensor)


def test_other_objects_are_taken_by_name(other: Any) -> None:
    assert opwright.zeros(2, device=other.device("meta")).is_meta
    assert opwright.ones(2).to(other.device("meta")).is_meta
    assert opwright.zeros(2, layout=other.strided).tolist() == [0, 0]
    image = opwright.ones(1, 2, 3, 4).contiguous(memory_format=other.channels_last)
    assert image.is_contiguous(memory_format=opwright.channels_last)
    assert opwright.finfo(other.float16).bits == 16


def test_generators_are_taken_and_go_on(other: Any) -> None:
    theirs, own = other.Generator().manual_seed(5), opwright.Generator().manual_seed(5)
    for _ in range(3):
        drawn = opwright.rand(4, generator=theirs)
        assert type(drawn) is opwright.Tensor
        assert drawn.tolist() == opwright.rand(4, generator=own).tolist()
    assert other.rand(3, generator=theirs).tolist() == opwright.rand(3, generator=own).tolist()
    own.set_state(theirs.get_state())
    assert opwright.rand(2, generator=own).tolist() == other.rand(2, generator=theirs).tolist()


def test_messages_say_of_which_module_an_object_is(other: Any) -> None:
    x = opwright.ones(2)
    for call, says in [
        (lambda: opwright.sum(x, dtype=other.ones(1)), "not twin_ops.Tensor"),
        (lambda: opwright.sum(x, other.float32), "not twin_ops.dtype"),
        (lambda: opwright.relu(other.Generator()), "not twin_ops.Generator"),
        (lambda: opwright.cat([x, other.float32]), "is twin_ops.dtype"),
        (lambda: opwright.relu(opwright.float32), "not dtype"),
    ]:
        with pytest.raises(TypeError) as error:
            call()
        assert says in " ".join(str(error.value).split())


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        *((getattr(np, it), it) for it in DTYPES if hasattr(np, it)),
        *((np.dtype(it), it) for it in DTYPES if it != "bfloat16"),
        *((np.bool_, "bool"), (np.intp, "int64"), (np.intc, "int32"), (np.double, "float64")),
        *((float, "float64"), (int, "int64"), (bool, "bool"), (complex, "complex128")),
        (np.dtype("=f4"), "float32"),
    ],
    ids=str,
)
def test_dtypes_of_numpy_and_python_are_taken(given: Any, dtype: str) -> None:
    for made in (
        opwright.zeros(3, dtype=given),
        opwright.tensor([1], dtype=given),
        opwright.Tensor([1], dtype=given),
        opwright.as_tensor([1], given),
        opwright.ones(2).to(given),
        opwright.ones(2).to("cpu", given),
        opwright.ones(2, dtype=opwright.bool).sum(dtype=given),
        opwright.frombuffer(bytearray(16), dtype=given),
    ):
        assert str(made.dtype) == f"opwright.{dtype}"


@pytest.mark.parametrize(
    "given",
    [np.dtype(">f4"), np.longdouble, np.generic, np.dtype("M8[s]"), object, "f3", str],
    ids=str,
)
def test_other_dtypes_are_refused(given: Any) -> None:
    with pytest.raises(TypeError, match="'dtype' must be dtype or None"):
        opwright.zeros(3, dtype=given)
    with pytest.raises(TypeError, match="expected a dtype"):
        opwright.finfo(given)


def test_dtypes_are_those_of_numpy_to_numpy() -> None:
    for name in DTYPES:
        dtype = getattr(opwright, name)
        if name == "bfloat16":
            assert not hasattr(dtype, "dtype")
            with pytest.raises(TypeError):
                np.dtype(dtype)
        else:
            assert np.dtype(dtype) == np.dtype(name) == dtype.dtype
            assert np.zeros(2, dtype=dtype).dtype == name


def test_a_refused_array_is_called_what_it_is() -> None:
    with pytest.raises(TypeError) as error:
        opwright.add(opwright.ones(2), np.array([object()]))
    said = " ".join(str(error.value).split())
    assert "not ndarray; its elements are of type object, for which there is no dtype" in said
    assert "from_numpy" not in said
    with pytest.raises(TypeError, match=r"from_numpy\(\) makes a Tensor"):
        opwright.add(opwright.ones(2), np.ones(2))


def test_text_is_text() -> None:
    x = opwright.ones(2)
    for call in (
        lambda: opwright.div(x, x, rounding_mode=b"floor"),
        lambda: opwright.zeros(2, device=b"cpu"),
        lambda: opwright.device(b"cpu"),
        lambda: opwright.Generator(b"cpu"),
        lambda: opwright.einsum(b"i->", [x]),
    ):
        with pytest.raises(TypeError, match="bytes"):
            call()
    with pytest.raises(ValueError, match=r"div\(\): argument 'rounding_mode'.*surrogate"):
        opwright.div(x, x, rounding_mode="\ud800")
    with pytest.raises(ValueError, match=r"zeros\(\): argument 'device'.*surrogate"):
        opwright.zeros(2, device="\ud800")


class Raises:
    """Whatever it is asked for, it raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise self.error

    __index__ = __array__ = __dlpack__ = _refuse


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda it: opwright.zeros(2, it), "zeros(): argument 'size'"),
        (lambda it: opwright.sum(opwright.ones(2), it), "sum(): argument 'dim' (position 2)"),
        (lambda it: opwright.tensor(it), "tensor(): argument 'data' (position 1)"),
        (lambda it: opwright.asarray(it), "asarray(): argument 'obj' (position 1)"),
        (lambda it: opwright.as_tensor(it), "as_tensor(): argument 'data' (position 1)"),
        (lambda it: opwright.from_dlpack(it), "from_dlpack(): argument 'ext_tensor' (position 1)"),
    ],
)
def test_what_objects_raise_says_where(call: Any, place: str) -> None:
    with pytest.raises(BufferError) as buffer_error:
        call(Raises(BufferError("locked")))
    assert str(buffer_error.value) == f"{place}: locked"
    with pytest.raises(UnicodeEncodeError) as unicode_error:
        call(Raises(UnicodeEncodeError("ascii", "\xe9", 0, 1, "too high")))
    assert str(unicode_error.value).endswith(f"too high (from {place})")

    class OwnError(Exception):
        pass

    own = OwnError(3)
    with pytest.raises(OwnError) as own_error:
        call(Raises(own))
    assert own_error.value is own
    assert own.args == (3,)
    assert own.__notes__ == [f"from {place}"]  # type: ignore[attr-defined]
