"""Tensors in pickles and deep copies: of every dtype, in every protocol, few and many, views."""

import copy
import gc
import itertools
import pickle
import sys
import weakref
from typing import Any

import cloudpickle
import opwright
import pytest
from dtypes import DTYPES

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Image(opwright.Tensor):
    """With attributes."""

    title = "none"


class Slotted(opwright.Tensor):
    """With attributes in slots."""

    __slots__ = ("label",)


def filled(count: int, dtype: str) -> opwright.Tensor:
    """Elements that differ from their neighbours, and are not 0 where there is one only."""
    numbers = [(it * 7 + 1) % 5 for it in range(count)]
    return opwright.tensor(numbers, dtype=getattr(opwright, dtype))


def views(dtype: str) -> dict[str, opwright.Tensor]:
    """Tensors of no, one and many elements, in every order in memory."""
    many = filled(24, dtype).reshape(2, 3, 4)
    return {
        "none": filled(0, dtype),
        "none of three": filled(0, dtype).reshape(0, 3),
        "one": filled(1, dtype),
        "one without dimensions": filled(1, dtype).reshape(()),
        "one of many": many[1, 2],
        "one from the middle": many[1:, 1:2, 2:3],
        "an element": many[1, 1, 1],
        "many": many,
        "rows": many[:, 1:],
        "every second": many[..., ::2],
        "transposed": many.permute(2, 0, 1),
        "stretched": filled(3, dtype).expand(4, 3),
        "backwards": opwright.from_numpy(many.numpy(force=True)[::-1, :, ::-1]).to(many.dtype),
        "of a large one": filled(3000, dtype)[1000:1010],
    }


CASES = list(itertools.product(DTYPES, views("int64")))


def ways() -> dict[str, Any]:
    """What makes another tensor of one."""
    by_protocol = {
        f"protocol {it}": lambda value, it=it: pickle.loads(pickle.dumps(value, it))
        for it in PROTOCOLS
    }

    def out_of_band(value: Any) -> Any:
        buffers: list[pickle.PickleBuffer] = []
        text = pickle.dumps(value, 5, buffer_callback=buffers.append)
        return pickle.loads(text, buffers=[bytes(it.raw()) for it in buffers])

    python = {"in Python": lambda it: pickle._loads(pickle._dumps(it))}  # type: ignore[attr-defined]
    others = {"out of band": out_of_band, "deepcopy": copy.deepcopy}
    return {**by_protocol, **others, **python, "cloudpickle": through_cloudpickle}


def through_cloudpickle(value: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(value))


def check_same(made: opwright.Tensor, tensor: opwright.Tensor) -> None:
    assert type(made) is type(tensor)
    assert made.dtype is tensor.dtype
    assert made.shape == tensor.shape
    assert made.tolist() == tensor.tolist()
    assert made.numel() == 0 or made.data_ptr() != tensor.data_ptr()


@pytest.mark.parametrize("way", ways())
@pytest.mark.parametrize(("dtype", "view"), CASES)
def test_elements_arrive(way: str, dtype: str, view: str) -> None:
    tensor = views(dtype)[view]
    made = ways()[way](tensor)
    check_same(made, tensor)
    assert made.stride() == tensor.stride()


@pytest.mark.parametrize("way", ways())
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_is_shared_stays_shared(way: str, dtype: str) -> None:
    base = filled(12, dtype).reshape(3, 4)
    several = {"base": base, "rows": [base[:2], base[1:]], "columns": base.T, "again": base}
    made = ways()[way](several)
    assert made["base"] is made["again"]
    for part, original in [
        (made["rows"][0], base[:2]),
        (made["rows"][1], base[1:]),
        (made["columns"], base.T),
    ]:
        check_same(part, original)
    made["base"][1, 1] = 0
    made["base"][1, 2] = 1
    assert made["rows"][0][1].tolist()[1:3] == [0, 1]
    assert made["rows"][1][0].tolist()[1:3] == [0, 1]
    assert made["columns"][1:3, 1].tolist() == [0, 1]
    made["columns"][0, 0] = 0
    assert made["base"][0, 0].item() == made["rows"][0][0, 0].item() == 0
    # What was copied is another memory.
    assert base.tolist() == filled(12, dtype).reshape(3, 4).tolist()


@pytest.mark.parametrize("way", ways())
def test_views_of_other_dtypes_stay_shared(way: str) -> None:
    numbers = opwright.tensor([1.0, 2.0], dtype=opwright.float64)
    pairs = opwright.tensor([1 + 2j, 3 + 4j])
    many = [numbers, numbers.view(opwright.uint8), pairs, pairs.real, pairs.imag]
    made = ways()[way](many)
    made[1].zero_()
    made[3][0] = 9
    assert made[0].tolist() == [0, 0]
    assert made[2].tolist() == [9 + 2j, 3 + 4j]
    assert made[4].tolist() == [2, 4]


@pytest.mark.parametrize("way", ways())
def test_what_was_apart_stays_apart(way: str) -> None:
    made = ways()[way]([opwright.ones(3), opwright.ones(3), opwright.empty(0), opwright.empty(0)])
    made[0].zero_()
    assert made[1].tolist() == [1, 1, 1]


def test_sharing_is_kept_within_one_pickle_only() -> None:
    x = opwright.arange(4)
    first, second = (pickle.loads(pickle.dumps(x)) for _ in range(2))
    first.zero_()
    assert second.tolist() == x.tolist() == [0, 1, 2, 3]
    one, other = copy.deepcopy(x), copy.deepcopy(x)
    one.zero_()
    assert other.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("way", ways())
def test_shared_arrays_arrive(way: str) -> None:
    import numpy as np

    array = np.arange(12.0).reshape(3, 4)
    tensor = opwright.from_numpy(array)
    made = ways()[way]([tensor, tensor[1:]])
    made[0][1, 0] = -1
    assert made[1][0, 0].item() == -1
    assert array[1, 0] == 4


@pytest.mark.parametrize("way", ways())
def test_classes_and_attributes_arrive(way: str) -> None:
    image = Image([1, 2])
    image.title = "a"
    image.other = image[:1]  # type: ignore[attr-defined]
    image.itself = image  # type: ignore[attr-defined]
    slotted = Slotted([True])
    slotted.label = ["b"]
    parameter = opwright.nn.Parameter(opwright.ones(1, dtype=opwright.float16))
    number = opwright.tensor(3).as_subclass(Image)
    made = ways()[way]([image, slotted, parameter, number])
    assert [type(it) for it in made] == [Image, Slotted, opwright.nn.Parameter, Image]
    assert [it.tolist() for it in made] == [[1, 2], [True], [1], 3]
    assert made[0].title == "a"
    assert made[0].itself is made[0]
    made[0][0] = 7
    assert made[0].other.tolist() == [7]
    assert made[1].label == ["b"]
    assert made[1].label is not slotted.label


@pytest.mark.parametrize("way", ways())
def test_meta_tensors_arrive(way: str) -> None:
    made = ways()[way](opwright.empty(2, 3, device="meta", dtype=opwright.int16))
    assert made.is_meta
    assert (made.shape, made.dtype) == ((2, 3), opwright.int16)


@pytest.mark.parametrize("way", ways())
def test_generators_arrive(way: str) -> None:
    generator = opwright.Generator().manual_seed(3)
    opwright.rand(5, generator=generator)
    made = ways()[way](generator)
    expected = opwright.rand(4, generator=generator).tolist()
    assert opwright.rand(4, generator=made).tolist() == expected


@pytest.mark.parametrize("way", ways())
def test_small_classes_arrive(way: str) -> None:
    small = [opwright.float32, opwright.device("meta"), opwright.strided, opwright.channels_last]
    assert list(map(repr, ways()[way](small))) == list(map(repr, small))
    storage = opwright.arange(3).untyped_storage()
    made = ways()[way](storage)
    assert made != storage
    assert made.nbytes() == 24


# What version 0.1.0 wrote.
OLDER = {
    "int16": b"\x80\x04\x95Z\x00\x00\x00\x00\x00\x00\x00\x8c\x08opwright\x94\x8c\x08_rebuild\x94"
    b"\x93\x94(\x8c\x08opwright\x94\x8c\x06Tensor\x94\x93\x94C\x08\x01\x00\x02\x00\x03\x00\x04\x00"
    b"\x94\x8c\x08opwright\x94\x8c\x05int16\x94\x93\x94K\x02K\x02\x86\x94t\x94R\x94.",
    "bool": b"copwright\n_rebuild\np0\n(copwright\nTensor\np1\nc_codecs\nencode\np2\n(V\x01\\u0000"
    b"\np3\nVlatin1\np4\ntp5\nRp6\ncopwright\nbool\np7\n(I2\ntp8\ntp9\nRp10\n.",
    "float32": b"\x80\x05\x95a\x00\x00\x00\x00\x00\x00\x00\x8c\x08opwright\x94\x8c\x08_rebuild\x94"
    b"\x93\x94(\x8c\x08opwright\x94\x8c\x06Tensor\x94\x93\x94\x96\x08\x00\x00\x00\x00\x00\x00\x00\x00"
    b"\x00\xc0?\x00\x00\x00@\x94\x8c\x08opwright\x94\x8c\x07float32\x94\x93\x94K\x02\x85\x94t\x94R"
    b"\x94.",
}


def test_older_pickles_are_read() -> None:
    made = {dtype: pickle.loads(text) for dtype, text in OLDER.items()}
    assert [str(it.dtype) for it in made.values()] == [f"opwright.{it}" for it in OLDER]
    assert [it.tolist() for it in made.values()] == [[[1, 2], [3, 4]], [True, False], [1.5, 2]]
    rebuilt = opwright._C._rebuild(Image, b"\x01", opwright.bool, ())
    assert (type(rebuilt), rebuilt.item()) == (Image, True)
    meta = opwright._C._rebuild(opwright.Tensor, None, opwright.bool, (2,))
    assert meta.is_meta


def test_out_of_band_buffers_are_not_copied() -> None:
    tensor = opwright.arange(1000.0)
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps([tensor, tensor[::2]], 5, buffer_callback=buffers.append)
    assert len(text) < 600
    assert len(buffers) == 1
    whole, half = pickle.loads(text, buffers=buffers)
    assert whole.data_ptr() == half.data_ptr() == tensor.data_ptr()


@pytest.mark.parametrize("skipped", range(9))
def test_buffers_may_begin_anywhere(skipped: int) -> None:
    tensor = opwright.tensor([1 + 2j, 3 + 4j], dtype=opwright.complex128)
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(tensor, 5, buffer_callback=buffers.append)
    moved = bytearray(skipped) + bytearray(buffers[0].raw())
    made = pickle.loads(text, buffers=[memoryview(moved)[skipped:]])
    assert made.tolist() == tensor.tolist()


def test_a_view_without_the_rest_of_its_memory() -> None:
    large = opwright.arange(10_000)
    assert len(pickle.dumps(large[:2])) > 80_000
    assert len(pickle.dumps(large[:2].clone())) < 300


def test_pickling_keeps_nothing() -> None:
    def work() -> None:
        x = opwright.arange(10_000)
        for way in ways().values():
            way([x, x[1:]])

    for _ in range(3):
        work()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(20):
        work()
    gc.collect()
    assert sys.getallocatedblocks() - before < 100


def test_the_object_for_a_memory_goes_with_it() -> None:
    x = opwright.arange(3)
    _, (_, storage, *_), _ = x.__reduce__()
    assert x[1:].__reduce__()[1][1] is storage
    gone = weakref.ref(storage)
    del storage
    gc.collect()
    assert gone() is None


BROKEN = [
    ((), (), 24),
    ((4,), (1,), 0),
    ((2,), (3,), 0),
    ((2,), (-1,), 0),
    ((1,), (1,), -1),
    ((2**62, 2**62), (1, 1), 0),
    ((2,), (), 0),
    ((-1,), (1,), 0),
]


@pytest.mark.parametrize(("shape", "strides", "offset"), BROKEN)
def test_broken_pickles_are_refused(shape: Any, strides: Any, offset: int) -> None:
    storage = opwright.arange(3).untyped_storage()
    make = opwright._C._rebuild_view
    with pytest.raises((RuntimeError, OverflowError)):
        make(opwright.Tensor, storage, opwright.int64, shape, strides, offset)
    with pytest.raises(TypeError):
        make(int, storage, opwright.int64, (3,), (1,), 0)


def test_odd_truth_values_are_no_harm() -> None:
    storage = opwright.Storage(bytearray([0, 1, 2, 255]))
    made = opwright._C._rebuild_view(opwright.Tensor, storage, opwright.bool, (4,), (1,), 0)
    assert made.tolist() == [False, True, True, True]


@pytest.mark.parametrize("dtype", DTYPES)
def test_bytes_are_those_of_the_elements(dtype: str) -> None:
    for name, tensor in views(dtype).items():
        expected = tensor.contiguous().view(opwright.uint8).tolist() if tensor.ndim else None
        if expected is not None:
            flat = opwright.tensor(expected).reshape(-1).tolist()
            assert bytes(tensor) == bytes(flat), name
    assert bytes(opwright.tensor(3, dtype=opwright.uint8)) == b"\x03"
