"""Attributes that people give to tensors."""

import copy
import gc
import pickle
import weakref

import opwright
import pytest
from opwright import nn


class Marked(opwright.Tensor):
    """A class of tensors with attributes, as people write it."""


class Slotted(opwright.Tensor):
    """One that has slots besides."""

    __slots__ = ("place",)


def tensors() -> list[opwright.Tensor]:
    plain = opwright.arange(3.0)
    leaf = opwright.ones(2, requires_grad=True)
    made = [plain, leaf, plain[1:], opwright.empty(0), nn.Parameter(opwright.ones(2))]
    return [*made, plain.as_subclass(Marked), plain.as_subclass(Slotted)]


@pytest.mark.parametrize("at", range(len(tensors())))
def test_attributes_are_kept_as_long_as_the_tensor(at: int) -> None:
    x = tensors()[at]
    with pytest.raises(AttributeError):
        _ = x.tag
    x.tag = "mine"
    x.other = [1]
    assert (x.tag, vars(x)) == ("mine", {"tag": "mine", "other": [1]})
    del x.other
    assert not hasattr(x, "other")
    # Results are other tensors.
    assert not hasattr(x + 1, "tag")
    assert not hasattr(x.detach(), "tag")


@pytest.mark.parametrize("at", range(len(tensors())))
def test_copies_have_them(at: int) -> None:
    x = tensors()[at]
    x.tag, x.list = "mine", [1, x.shape]
    for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert type(made) is type(x)
        assert made.tag == "mine"
        assert made.list == x.list
        assert made.requires_grad == x.requires_grad
    assert copy.copy(x).list is x.list
    assert copy.deepcopy(x).list is not x.list


def test_slots_are_copied_beside_them() -> None:
    x = opwright.ones(2).as_subclass(Slotted)
    x.place, x.tag = 3, "mine"
    for made in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert (made.place, made.tag) == (3, "mine")


def test_what_was_read_only_stays_so() -> None:
    x = opwright.ones(2)
    for name in ("shape", "dtype", "device", "ndim", "T", "is_leaf", "grad_fn"):
        with pytest.raises(AttributeError):
            setattr(x, name, 1)
    assert gc.is_tracked(x) is False


def test_plain_tensors_have_no_dictionary() -> None:
    x = opwright.ones(2)
    copy.copy(x)
    pickle.dumps(x)
    copy.deepcopy(x)
    assert not gc.is_tracked(x)
    assert gc.get_referents(x) in ([], [type(x)])
    x.tag = 1
    assert gc.is_tracked(x)
    assert {"tag": 1} in gc.get_referents(x)


def test_cycles_are_collected() -> None:
    x = opwright.ones(2)
    x.myself = x
    y = opwright.ones(2)
    vars(y)["other"] = [y]
    refs = [weakref.ref(x), weakref.ref(y)]
    del x, y
    gc.collect()
    assert [it() for it in refs] == [None, None]


def test_memory_of_tensors_with_attributes_is_used_again() -> None:
    for _ in range(1000):
        x = opwright.ones(2)
        x.tag = [x.sum()]
        del x
        y = opwright.ones(2)
        assert not hasattr(y, "tag")


def test_an_object_that_dies_in_its_attributes() -> None:
    class Witness:
        def __del__(self) -> None:
            seen.append(opwright.ones(3).sum().item())

    seen: list[float] = []
    x = opwright.ones(2)
    x.witness = Witness()
    del x
    assert seen == [3.0]
