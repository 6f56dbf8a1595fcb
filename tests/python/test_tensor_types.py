"""Types of tensors, `FloatTensor` and its like, constructors of classes, and the default dtype."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import opwright
import pytest
from dtypes import DTYPES, FLOATS
from opwright import _C, tensortype

NAMES = {
    "bool": "Bool",
    "uint8": "Byte",
    "uint16": "UInt16",
    "uint32": "UInt32",
    "uint64": "UInt64",
    "int8": "Char",
    "int16": "Short",
    "int32": "Int",
    "int64": "Long",
    "float16": "Half",
    "bfloat16": "BFloat16",
    "float32": "Float",
    "float64": "Double",
    "complex64": "ComplexFloat",
    "complex128": "ComplexDouble",
}


def dtype_of(name: str) -> opwright.dtype:
    found = getattr(opwright, name)
    assert isinstance(found, opwright.dtype)
    return found


def type_of(name: str) -> tensortype:
    found = getattr(opwright, f"{NAMES[name]}Tensor")
    assert isinstance(found, tensortype)
    return found


each_dtype = pytest.mark.parametrize("name", DTYPES)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The default dtype is that of the process."""
    before = opwright.get_default_dtype()
    yield
    opwright.set_default_dtype(before)


# --- classes --------------------------------------------------------------------------------------


def test_there_is_a_type_for_each_dtype() -> None:
    assert NAMES.keys() == set(DTYPES)
    types = {name for name, it in vars(opwright).items() if isinstance(it, tensortype)}
    assert types == {f"{it}Tensor" for it in NAMES.values()}
    assert {type_of(it).dtype for it in NAMES} == {dtype_of(it) for it in NAMES}


@each_dtype
def test_what_a_type_is(name: str) -> None:
    kind, shown = type_of(name), f"{NAMES[name]}Tensor"
    assert type(kind) is tensortype
    assert isinstance(kind, type)
    assert (kind.__name__, kind.__qualname__, kind.__module__) == (shown, shown, "opwright")
    assert repr(kind) == f"<class 'opwright.{shown}'>"
    assert kind.dtype is dtype_of(name)
    assert kind.layout is opwright.strided
    assert kind.is_cuda is False
    assert kind.is_sparse is False
    assert getattr(_C, shown) is kind
    assert kind.__doc__ and name in kind.__doc__


@each_dtype
def test_a_type_is_itself_alone(name: str) -> None:
    kind = type_of(name)
    assert kind == type_of(name)
    assert hash(kind) == hash(type_of(name))
    assert [other for other in NAMES if type_of(other) == kind] == [name]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(kind, protocol)) is kind
    assert copy.copy(kind) is kind
    assert copy.deepcopy(kind) is kind


@each_dtype
def test_a_type_has_what_tensors_have(name: str) -> None:
    kind: Any = type_of(name)
    # What copying caches on a class is no attribute of ours.
    for attribute in (vars(_C.TensorBase) | vars(opwright.Tensor)).keys() - {"__slotnames__"}:
        assert attribute in vars(kind)
    assert kind.add is opwright.Tensor.add
    assert kind.sum is opwright.Tensor.sum
    assert kind.backward is opwright.Tensor.backward
    assert kind.add(opwright.ones(1), 1).item() == 2


def test_the_native_base_has_two_names() -> None:
    assert _C._TensorBase is _C.TensorBase
    assert opwright.Tensor.__mro__[1] is _C.TensorBase


def test_the_types_are_made_once() -> None:
    before = {it: type_of(it) for it in NAMES}
    opwright.set_default_dtype(opwright.float64)
    _C._initExtension()
    assert {it: type_of(it) for it in NAMES} == before
    assert opwright.get_default_dtype() is opwright.float64


def test_before_the_types_are_made_they_are_absent() -> None:
    code = f"""
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
loader = ExtensionFileLoader("opwright._C", {_C.__file__!r})
native = module_from_spec(spec_from_loader(loader.name, loader))
loader.exec_module(native)
print(hasattr(native, "tensortype"), hasattr(native, "FloatTensor"))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "True False\n"


def test_types_have_no_subclasses_and_no_more_of_their_kind() -> None:
    with pytest.raises(TypeError, match="`Mine` cannot be derived from a type of tensors"):
        type("Mine", (opwright.FloatTensor,), {})
    stranger = tensortype("Stranger", (), {})
    with pytest.raises(TypeError, match="`Stranger` is the type of no dtype"):
        stranger(2)
    with pytest.raises(TypeError, match="`Stranger`"):
        isinstance(1, stranger)
    with pytest.raises(TypeError, match="`Stranger`"):
        stranger.dtype  # noqa: B018
    with pytest.raises(AttributeError):
        opwright.FloatTensor.dtype = opwright.int64  # type: ignore[misc]


def test_what_a_type_makes_by_other_ways_is_no_tensor() -> None:
    bare: Any = object.__new__(opwright.FloatTensor)
    for use in (
        lambda: bare + 1,
        lambda: bare.add(1),
        lambda: bare.shape,
        lambda: hash(bare),
        lambda: bare[0],
        lambda: repr(bare),
        lambda: opwright.add(bare, 1),
    ):
        with pytest.raises(TypeError):
            use()
    assert not isinstance(bare, opwright.DoubleTensor)
    assert not opwright.is_tensor(bare)


# --- isinstance -----------------------------------------------------------------------------------


@each_dtype
def test_instances_are_tensors_of_the_dtype(name: str) -> None:
    x = opwright.ones(2, dtype=dtype_of(name))
    assert [other for other in NAMES if isinstance(x, type_of(other))] == [name]
    assert not issubclass(opwright.Tensor, type_of(name))


def test_instances_are_in_main_memory_and_may_be_of_subclasses() -> None:
    class Image(opwright.Tensor):
        pass

    parameter = opwright.nn.Parameter(opwright.ones(2))
    assert isinstance(parameter, opwright.FloatTensor)
    assert isinstance(Image([1]), opwright.FloatTensor)
    assert not isinstance(opwright.ones(2, device="meta"), opwright.FloatTensor)
    for other in (3, 3.0, None, np.ones(2, np.float32), opwright.Tensor, opwright.FloatTensor):
        assert not isinstance(other, opwright.FloatTensor)
    assert isinstance(opwright.ones(1), opwright.DoubleTensor | opwright.FloatTensor)


# --- constructors ---------------------------------------------------------------------------------


@each_dtype
def test_a_type_makes_tensors_of_its_dtype(name: str) -> None:
    kind, dtype = type_of(name), dtype_of(name)
    for made, shape in [
        (kind(), (0,)),
        (kind(3), (3,)),
        (kind(2, 3), (2, 3)),
        (kind(opwright.Size([2, 0])), (2, 0)),
        (kind(opwright.Size([])), ()),
        (kind(size=(2, 3)), (2, 3)),
        (kind(np.int64(2)), (2,)),
        (kind([]), (0,)),
        (kind(()), (0,)),
        (kind((2, 3)), (2,)),
        (kind([[1, 0, 1]]), (1, 3)),
        (kind(data=[1]), (1,)),
        (kind(np.zeros((2, 2))), (2, 2)),
        (kind(range(4)), (4,)),
    ]:
        assert type(made) is opwright.Tensor
        assert (made.dtype, tuple(made.shape), made.requires_grad) == (dtype, shape, False)
        assert isinstance(made, kind)
    expected = opwright.tensor([1, 0, 1], dtype=dtype).tolist()
    assert kind([1, 0, 1]).tolist() == expected
    assert kind(np.array([1.0, 0.0, 1.0])).tolist() == expected
    assert kind(opwright.tensor([1, 0, 1], dtype=dtype)).tolist() == expected


def test_a_tuple_is_data_and_a_size_is_a_size() -> None:
    assert opwright.FloatTensor((2, 3)).tolist() == [2.0, 3.0]
    assert opwright.FloatTensor(opwright.Size([2, 3])).shape == (2, 3)
    assert opwright.FloatTensor(opwright.ones(2, 3).shape).shape == (2, 3)


def test_a_tensor_of_the_same_dtype_is_shared() -> None:
    x = opwright.tensor([1.0, 2.0], requires_grad=True)
    same = opwright.FloatTensor(x)
    assert same is not x
    assert same.data_ptr() == x.data_ptr()
    same.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1, 1]
    part = opwright.arange(6.0).reshape(2, 3).T
    assert opwright.FloatTensor(part).stride() == part.stride()
    with pytest.raises(TypeError, match=r"FloatTensor.*float32 on cpu, not of float64 .* `to`"):
        opwright.FloatTensor(x.double())
    with pytest.raises(TypeError, match="meta"):
        opwright.FloatTensor(opwright.ones(1, device="meta"))


def test_a_storage_is_shared() -> None:
    x = opwright.arange(4.0)
    over = opwright.FloatTensor(x.untyped_storage())
    assert over.tolist() == [0, 1, 2, 3]
    over[0] = 7
    assert x[0].item() == 7
    # It is bytes, of which a type makes elements, as far as there are enough of them.
    assert opwright.DoubleTensor(x.untyped_storage()).shape == (2,)
    assert opwright.ByteTensor(x.untyped_storage()).shape == (16,)
    assert opwright.DoubleTensor(opwright.zeros(3).untyped_storage()).shape == (1,)
    assert opwright.Tensor(x.untyped_storage()).data_ptr() == x.data_ptr()


@each_dtype
def test_a_storage_with_a_dtype_goes_with_its_type_alone(name: str) -> None:
    x = opwright.ones(4, dtype=dtype_of(name))
    for make in (type_of(name), x.new):
        assert make(x.storage()).data_ptr() == x.data_ptr()
        assert make(x.storage()).tolist() == x.tolist()
        assert make(x.storage()[1:3]).data_ptr() == x.data_ptr() + x.itemsize
        assert make(x.storage()[1:3]).shape == (2,)
    other = opwright.LongTensor if name == "float32" else opwright.FloatTensor
    with pytest.raises(RuntimeError, match=f"not of {name}"):
        other(x.storage())


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "says"),
    [
        (("a",), {}, TypeError, "str"),
        ((b"a",), {}, TypeError, "bytes"),
        ((2.5,), {}, TypeError, "not float"),
        ((1j,), {}, TypeError, "not complex"),
        ((True,), {}, TypeError, "not bool"),
        ((None,), {}, TypeError, "None"),
        (({1: 2},), {}, TypeError, "dict"),
        ((object(),), {}, TypeError, "object"),
        ((np.float64(2.5),), {}, TypeError, "float64"),
        ((-1,), {}, RuntimeError, "negative dimension"),
        ((2, -1), {}, RuntimeError, "negative dimension"),
        ((2, 3.0), {}, TypeError, "'size' must be ints, not float"),
        (([1], [2]), {}, TypeError, "'size' must be ints, not list"),
        (([1, "a"],), {}, TypeError, "str"),
        (([[1], [1, 2]],), {}, ValueError, "length"),
        ((2**70,), {}, ValueError, "64-bit"),
        ((2**40, 2**40), {}, OverflowError, "overflowed"),
        ((2**50,), {}, MemoryError, ""),
        ((2,), {"device": "meta"}, RuntimeError, "'device' must be cpu"),
        ((2,), {"device": "tpu"}, RuntimeError, "tpu"),
        ((2,), {"dtype": opwright.int64}, TypeError, "dtype"),
        ((2,), {"size": (1,)}, TypeError, "size"),
    ],
    ids=str,
)
def test_wrong_arguments(
    arguments: tuple[Any, ...], keywords: dict[str, Any], error: type[Exception], says: str
) -> None:
    makers: list[Any] = [opwright.FloatTensor, opwright.ones(1).new]
    # Which takes another dtype as well.
    makers += [opwright.Tensor] * ("dtype" not in keywords)
    for make in makers:
        with pytest.raises(error) as raised:
            make(*arguments, **keywords)
        assert says in str(raised.value)


def test_the_class_of_tensors_makes_those_of_the_default_dtype() -> None:
    for default in map(dtype_of, FLOATS):
        opwright.set_default_dtype(default)
        for made in (opwright.Tensor(), opwright.Tensor(2, 3), opwright.Tensor([1, 2])):
            assert type(made) is opwright.Tensor
            assert made.dtype is default
    assert opwright.Tensor(2, 3).shape == (2, 3)
    assert opwright.Tensor([[1, 2]]).tolist() == [[1.0, 2.0]]
    assert opwright.Tensor(2, device="cpu").shape == (2,)


def test_the_class_of_tensors_says_a_dtype_or_keeps_that_of_a_tensor() -> None:
    whole = opwright.tensor([1, 2])
    same = opwright.Tensor(whole)
    assert (same.dtype, same.data_ptr()) == (opwright.int64, whole.data_ptr())
    assert opwright.Tensor([1, 2], dtype=opwright.int16).tolist() == [1, 2]
    assert opwright.Tensor(2, 3, dtype=opwright.int16).dtype is opwright.int16
    with pytest.raises(TypeError, match="float64"):
        opwright.Tensor(whole, dtype=opwright.float64)
    leaf = opwright.Tensor([1.0], requires_grad=True)
    assert leaf.requires_grad and leaf.is_leaf
    with pytest.raises(RuntimeError, match="floating"):
        opwright.Tensor([1], dtype=opwright.int64, requires_grad=True)


def test_subclasses_are_made_alike() -> None:
    class Image(opwright.Tensor):
        def __new__(cls, *arguments: Any, title: str = "", **keywords: Any) -> Image:
            return super().__new__(cls, *arguments, **keywords)

        def __init__(self, *_: Any, title: str = "", **__: Any) -> None:
            super().__init__()
            self.title = title

    x = opwright.tensor([1, 2])
    for made in (Image(2, title="a"), Image([1, 2], title="a"), Image(x, title="a"), Image()):
        assert type(made) is Image
    image = Image(x, title="a")
    assert (image.title, image.data_ptr(), image.dtype) == ("a", x.data_ptr(), opwright.int64)
    leaf = Image([1.0], requires_grad=True)
    (leaf * 2).sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [2]
    # The class that is called decides, not that of the data.
    assert type(opwright.Tensor(image)) is opwright.Tensor
    assert type(opwright.LongTensor(image)) is opwright.Tensor


def test_new_is_like_the_tensor() -> None:
    x = opwright.tensor([1, 2])
    assert x.new().shape == (0,)
    assert x.new(2, 3).dtype is opwright.int64
    assert x.new([5]).tolist() == [5]
    assert x.new(x).data_ptr() == x.data_ptr()
    assert x.new(opwright.Size([2])).shape == (2,)
    assert opwright.ones(1, device="meta").new(2, 3).is_meta
    with pytest.raises(TypeError, match=r"new\(\).*int64 on cpu, not of float32"):
        x.new(opwright.ones(1))
    with pytest.raises(RuntimeError, match="main memory"):
        opwright.ones(1, device="meta").new(x.untyped_storage())
    with pytest.raises(RuntimeError, match="'device' must be cpu"):
        x.new(2, device="meta")


def test_data_of_other_libraries_is_converted() -> None:
    assert opwright.LongTensor(np.array([1.5, 2.5])).tolist() == [1, 2]
    assert opwright.FloatTensor(np.arange(6).reshape(2, 3).T).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert opwright.FloatTensor([np.float32(1), 2, opwright.tensor(3)]).tolist() == [1, 2, 3]
    source = np.ones(2, np.float32)
    made = opwright.FloatTensor(source)
    made[0] = 5
    assert source.tolist() == [1, 1]


def test_tensors_are_shown_and_pickled_as_ever() -> None:
    x = opwright.DoubleTensor([1, 2])
    assert repr(x) == "tensor([1., 2.], dtype=float64, shape=(2,))"
    loaded = pickle.loads(pickle.dumps([x, opwright.DoubleTensor]))
    assert loaded[1] is opwright.DoubleTensor
    assert isinstance(loaded[0], loaded[1])


# --- type -----------------------------------------------------------------------------------------


@each_dtype
def test_the_type_of_a_tensor(name: str) -> None:
    kind, dtype = type_of(name), dtype_of(name)
    x = opwright.ones(2, dtype=dtype)
    assert x.type() == f"opwright.{NAMES[name]}Tensor"
    for target in (kind, dtype, f"opwright.{NAMES[name]}Tensor", f"torch.{NAMES[name]}Tensor"):
        assert x.type(target) is x
        assert x.type(dtype=target) is x
        y = opwright.tensor([1.7, 0.0]).type(target)
        assert y.dtype is dtype
        assert y.tolist() == opwright.tensor([1.7, 0.0]).to(dtype).tolist()
    assert x.type(x.type()) is x
    assert opwright.ones(1).type_as(x).dtype is dtype


def test_other_types() -> None:
    x = opwright.ones(2, dtype=opwright.int16)
    assert x.type(None) == "opwright.ShortTensor"
    assert x.type(opwright.float32, True).dtype is opwright.float32
    assert x.type(opwright.float32, non_blocking=True).dtype is opwright.float32
    assert x.type(opwright.Tensor).dtype is opwright.float32
    assert x.type("opwright.Tensor").dtype is opwright.float32
    image = opwright.ones(1, 2, 3, 4).type(opwright.float64, memory_format=opwright.channels_last)
    assert image.is_contiguous(memory_format=opwright.channels_last)
    leaf = opwright.ones(2, requires_grad=True)
    leaf.type(opwright.DoubleTensor).sum().backward()
    assert leaf.grad is not None and leaf.grad.dtype is opwright.float32
    meta = opwright.ones(2, device="meta")
    assert meta.type() == "opwright.meta.FloatTensor"
    assert meta.type(opwright.int64).is_meta


@pytest.mark.parametrize(
    "name",
    ["NoTensor", "opwright.NoTensor", "FloatTensor", "float32", "", ".", "opwright.Float",
     "opwright.cuda.FloatTensor", "numpy.FloatTensor", "opwright.floatTensor", "é" * 99],
)  # fmt: skip
def test_unknown_names_of_types(name: str) -> None:
    with pytest.raises(ValueError, match=r"type\(\): .*is not the name of a type of tensors"):
        opwright.ones(2).type(name)
    with pytest.raises(TypeError, match=r"such as opwright\.DoubleTensor"):
        opwright.set_default_tensor_type(name)


@pytest.mark.parametrize(
    "wrong", [3, 2.5, [], object(), object, opwright.strided, opwright.ones(1)]
)
def test_what_is_no_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a type of tensors"):
        opwright.ones(2).type(wrong)
    with pytest.raises(TypeError, match="expected a type of tensors"):
        opwright.set_default_tensor_type(wrong)


# --- the default ----------------------------------------------------------------------------------


@each_dtype
def test_the_default_is_a_real_floating_type(name: str) -> None:
    kind, dtype = type_of(name), dtype_of(name)
    if dtype.is_floating_point:
        for setting in (
            lambda: opwright.set_default_dtype(dtype),
            lambda: opwright.set_default_tensor_type(kind),
            lambda: opwright.set_default_tensor_type(f"opwright.{NAMES[name]}Tensor"),
        ):
            opwright.set_default_dtype(opwright.float32)
            setting()
            assert opwright.get_default_dtype() is dtype
            assert opwright.Tensor(2).dtype is dtype
            assert opwright.tensor([1.5]).dtype is dtype
        return
    for refused in (
        lambda: opwright.set_default_dtype(dtype),
        lambda: opwright.set_default_tensor_type(kind),
        lambda: opwright.default_dtype(dtype).__enter__(),
    ):
        with pytest.raises(TypeError, match=f"floating-point.*{name}"):
            refused()
    assert opwright.get_default_dtype() is opwright.float32


@pytest.mark.parametrize("wrong", [opwright.Tensor, opwright.float64, 3, None, float])
def test_what_is_no_default_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match="set_default_tensor_type"):
        opwright.set_default_tensor_type(wrong)


def test_what_the_default_decides() -> None:
    whole = opwright.tensor([1, 2])
    opwright.set_default_dtype(opwright.float64)
    for made in (
        opwright.tensor(1.5),
        opwright.zeros(2),
        opwright.rand(1),
        opwright.eye(2),
        opwright.full((1,), 2.0),
        opwright.arange(3.0),
        opwright.linspace(0, 1, 2),
        whole / 2,
        whole.mul(1.5),
        whole.sqrt(),
    ):
        assert made.dtype is opwright.float64
    assert opwright.tensor([1j]).dtype is opwright.complex128
    assert opwright.tensor([1]).dtype is opwright.int64
    assert opwright.tensor(np.float32(1)).dtype is opwright.float32
    assert (opwright.ones(1, dtype=opwright.float32) * 1.5).dtype is opwright.float32
    assert "dtype=float32" in repr(opwright.ones(1, dtype=opwright.float32))
    opwright.set_default_dtype(opwright.float16)
    assert opwright.tensor([1j]).dtype is opwright.complex64


def test_a_default_for_some_statements() -> None:
    with opwright.default_dtype(opwright.float64):
        assert opwright.Tensor(1).dtype is opwright.float64
        with opwright.default_dtype(float), opwright.default_dtype(opwright.float16):
            assert opwright.get_default_dtype() is opwright.float16
        assert opwright.get_default_dtype() is opwright.float64
    assert opwright.get_default_dtype() is opwright.float32
    with pytest.raises(KeyError), opwright.default_dtype(opwright.float64):
        raise KeyError
    assert opwright.get_default_dtype() is opwright.float32
    again = opwright.default_dtype(opwright.float64)
    with again:
        opwright.set_default_dtype(opwright.bfloat16)
        with again:
            assert opwright.get_default_dtype() is opwright.float64
        assert opwright.get_default_dtype() is opwright.bfloat16
    assert opwright.get_default_dtype() is opwright.float32
    assert repr(again) == "default_dtype(opwright.float64)"
    with pytest.raises(TypeError), opwright.default_dtype(3):  # type: ignore[arg-type]
        pass
    assert opwright.get_default_dtype() is opwright.float32


def test_the_default_is_that_of_all_threads() -> None:
    seen = []
    with opwright.default_dtype(opwright.float64):
        thread = threading.Thread(target=lambda: seen.append(opwright.tensor(1.5).dtype))
        thread.start()
        thread.join()
    assert seen == [opwright.float64]


# --- parts that are not there ---------------------------------------------------------------------


def test_there_is_no_cuda() -> None:
    assert opwright.cuda.is_available() is False
    assert opwright.cuda.device_count() == 0
    assert not hasattr(opwright.cuda, "FloatTensor")
    assert _C._device_count("cpu") == _C._device_count("meta") == 1
    with pytest.raises(RuntimeError, match="cuda"):
        opwright.ones(1, device="cuda")
