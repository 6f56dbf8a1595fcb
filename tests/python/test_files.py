"""Files of tensors: what is written is read again, and what is damaged is refused by its place."""

from __future__ import annotations

import base64
import io
import json
import os
import pickletools
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opwright import nn

T = opwright.tensor

DTYPES = [
    opwright.bool,
    opwright.uint8,
    opwright.uint16,
    opwright.uint32,
    opwright.uint64,
    opwright.int8,
    opwright.int16,
    opwright.int32,
    opwright.int64,
    opwright.float16,
    opwright.bfloat16,
    opwright.float32,
    opwright.float64,
    opwright.complex64,
]


def written(tensors: Mapping[str, Any]) -> bytes:
    file = io.BytesIO()
    opwright.save(tensors, file)
    return file.getvalue()


def read(data: bytes) -> dict[str, Any]:
    return opwright.load(io.BytesIO(data))


def file_of(header: Any, data: bytes = b"") -> bytes:
    """A `.safetensors` file with a header, as text or as what JSON is made of."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype: Any = "F32", shape: Any = (2,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


# --- safetensors --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes_come_back(dtype: opwright.dtype) -> None:
    values = T([[0, 1, 1], [1, 0, 1]]).to(dtype)
    tensors = {"all": values, "turned": values.t(), "none": values[:0], "one": values[0, 1]}
    found = read(written(tensors))
    assert list(found) == list(tensors)
    for name, tensor in tensors.items():
        assert (found[name].dtype, found[name].shape) == (dtype, tensor.shape)
        assert opwright.equal(found[name], tensor)
        assert found[name].is_contiguous()


@given(
    st.dictionaries(
        st.text(max_size=5).filter(lambda it: it != "__metadata__"),
        st.tuples(
            st.lists(st.integers(0, 3), max_size=3),
            st.sampled_from(["uint8", "int16", "float32", "float64", "complex64"]),
        ),
        max_size=5,
    )
)
def test_dictionaries_come_back(shapes: dict[str, tuple[list[int], str]]) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        name: np.asarray(rng.normal(size=shape) * 50).astype(dtype)
        for name, (shape, dtype) in shapes.items()
    }
    data = written({name: opwright.from_numpy(it) for name, it in arrays.items()})
    (length,) = struct.unpack_from("<Q", data)
    assert length % 8 == 0
    found = read(data)
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name].numpy(), array)
    # As the format is described: https://github.com/huggingface/safetensors.
    for name, it in json.loads(data[8 : 8 + length]).items():
        begin, end = (8 + length + at for at in it["data_offsets"])
        plain = np.frombuffer(data[begin:end], arrays[name].dtype).reshape(it["shape"])
        np.testing.assert_array_equal(plain, arrays[name])
        assert begin % arrays[name].itemsize == 0


def test_bytes_of_a_file() -> None:
    data = written({"é": T([1, 2], dtype=opwright.int8), "x": T([1.0], dtype=opwright.float16)})
    header = (
        '{"é":{"dtype":"I8","shape":[2],"data_offsets":[2,4]},'
        '"x":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}'
    ).encode()
    header += b" " * (-len(header) % 8)
    assert data == struct.pack("<Q", len(header)) + header + b"\x00\x3c\x01\x02"
    assert written({}) == struct.pack("<Q", 8) + b"{}      "


def test_files_of_others() -> None:
    header = {"__metadata__": {"format": "pt"}, "b": entry(offsets=[8, 16]), "a": entry()}
    found = read(file_of(header, struct.pack("<4f", 1, 2, 3, 4)))
    assert {name: it.tolist() for name, it in found.items()} == {"b": [3, 4], "a": [1, 2]}
    # Elements need not be aligned.
    data = file_of({"x": entry("U8", [1], [0, 1]), "y": entry(offsets=[1, 9])}, b"\7" + b"\0" * 8)
    assert read(data)["y"].tolist() == [0.0, 0.0]


def test_tensors_own_their_memory() -> None:
    found = read(written({"x": opwright.ones(3), "y": opwright.zeros(3)}))
    found["x"][0] = 5.0
    assert found["y"].tolist() == [0.0, 0.0, 0.0]
    assert found["x"].untyped_storage().nbytes() == 12
    assert not found["x"].requires_grad


def test_a_model_goes_through_a_file(tmp_path: Path) -> None:
    def made() -> nn.Module:
        return nn.Sequential(nn.Conv1d(2, 3, 2), nn.BatchNorm1d(3), nn.Linear(4, 2))

    model, other = made(), made()
    x = opwright.randn(5, 2, 5)
    model(x)
    path = tmp_path / "model.safetensors"
    opwright.save(model.state_dict(), path)
    assert not other.load_state_dict(opwright.load(path)).missing_keys
    assert opwright.equal(model.eval()(x), other.eval()(x))


def test_files_are_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    opwright.save({"x": opwright.ones(2)}, str(path))
    usual = tmp_path / "usual"
    usual.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o600)
    found = opwright.load(path)
    with path.open("rb") as old:
        opwright.save({"x": found["x"] * 2}, path)
        assert opwright.load(old)["x"].tolist() == [1.0, 1.0]
    assert opwright.load(path)["x"].tolist() == [2.0, 2.0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(TypeError, match="must be a Tensor"):
        opwright.save({"x": opwright.ones(2), "y": 3}, path)  # type: ignore[dict-item]
    assert opwright.load(path)["x"].tolist() == [2.0, 2.0]
    link = tmp_path / "link.safetensors"
    link.symlink_to(path)
    opwright.save({"x": opwright.zeros(1)}, link)
    assert link.is_symlink()
    assert opwright.load(path)["x"].tolist() == [0.0]
    assert {it.name for it in tmp_path.iterdir()} == {link.name, path.name, usual.name}
    opwright.save({"x": opwright.zeros(1)}, os.devnull)


def test_a_failing_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from opwright._files import safetensors

    path = tmp_path / "x.safetensors"
    opwright.save({"x": opwright.ones(2)}, path)

    def fail(made: Any, to: Callable[[Any], Any]) -> None:
        to(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(safetensors, "write", fail)
    with pytest.raises(OSError, match="no space left"):
        opwright.save({"x": opwright.zeros(2)}, path)
    assert opwright.load(path)["x"].tolist() == [1.0, 1.0]
    assert [it.name for it in tmp_path.iterdir()] == [path.name]


UNWRITABLE: list[tuple[Any, type[Exception], str]] = [
    ([opwright.ones(1)], TypeError, "'obj' must be a dictionary, not list"),
    ({1: opwright.ones(1)}, TypeError, "names of tensors must be str, not int"),
    ({"x": [1.0]}, TypeError, "'x' must be a Tensor, not list"),
    ({"__metadata__": opwright.ones(1)}, ValueError, "no tensor can be called '__metadata__'"),
    ({"\ud800": opwright.ones(1)}, ValueError, "no text that can be written"),
    ({"x": opwright.ones(1, dtype=opwright.complex128)}, TypeError, "complex128, which"),
    ({"x": opwright.ones(1, device="meta")}, NotImplementedError, "on the device meta"),
]


@pytest.mark.parametrize(("tensors", "error", "text"), UNWRITABLE, ids=[it[2] for it in UNWRITABLE])
def test_what_cannot_be_written(tensors: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        written(tensors)


def test_paths() -> None:
    for ending, who in ((".pt", "PyTorch"), (".NPZ", "numpy.savez")):
        with pytest.raises(ValueError, match=f"{who} writes"):
            opwright.save({}, "x" + ending)
    functions: list[Callable[[Any], Any]] = [lambda it: opwright.save({}, it), opwright.load]
    for function in functions:
        with pytest.raises(TypeError, match="'path' must be a path or a file, not int"):
            function(3)
    with pytest.raises(FileNotFoundError):
        opwright.load("/nowhere/at/all")


DAMAGED: list[tuple[bytes, str]] = [
    (b"", "it has 0 bytes, but begins with 8"),
    (b"\1\0\0", "it has 3 bytes"),
    (struct.pack("<Q", 2**64 - 1), "claim 18446744073709551615 bytes of header, of which 0"),
    (struct.pack("<Q", 9) + b"{}", "claim 9 bytes of header, of which 2 are there"),
    (file_of(b" {}"), "byte 8: the header does not begin with '{'"),
    (file_of(b"[]"), "does not begin with '{'"),
    (file_of(b'{"x": \xff}'), "byte 14: the header is no UTF-8"),
    (file_of(b'{"x": }'), "byte 14: the header is no JSON"),
    (file_of(b"{} {}"), "byte 11: the header is no JSON: Extra data"),
    (file_of(b'{"x": NaN}'), "has NaN, which is no JSON"),
    (file_of(b'{"x":' * 200_000), "the header is no JSON"),
    (file_of(b'{"x": ' + b"9" * 5000 + b"}"), "no JSON of this format"),
    (file_of(b'{"x": {}, "x": {}}'), "the header has 'x' twice"),
    (file_of(b'{"x": {"dtype": "F32", "dtype": "F32"}}'), "the header has 'dtype' twice"),
    (file_of({"x": []}), "'x' must have 'dtype', 'shape' and 'data_offsets', and no more"),
    (file_of({"x": {**entry(), "more": 1}}, bytes(8)), "and no more"),
    (file_of({"x": entry("F8_E4M3")}), "the dtype 'F8_E4M3', which is not known"),
    (file_of({"x": entry(["F32"])}), "the dtype ['F32']"),
    (file_of({"x": entry(shape=[-2])}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(shape=[2.0])}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(shape=[True])}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(shape=[2**64])}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(offsets=[0, 8, 8])}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(offsets="ab")}, bytes(8)), "not made of sizes"),
    (file_of({"x": entry(offsets=[0, 9])}, bytes(9)), "8 bytes by its shape and dtype, and its pl"),
    (file_of({"x": entry(offsets=[8, 0])}, bytes(8)), "its place is 8 to 0"),
    (file_of({"x": entry(shape=[2**62, 4])}, bytes(8)), "bytes by its shape"),
    (file_of({"x": entry(shape=[1] * 129, offsets=[0, 4])}, bytes(4)), "129 dimensions"),
    (file_of({"x": entry(shape=[2**62, 2**62, 0], offsets=[0, 0])}), "'x' cannot be"),
    (
        file_of({"x": entry(offsets=[4, 12])}, bytes(12)),
        "leaves a gap: it begins at 4 instead of 0",
    ),
    (file_of({"x": entry(), "y": entry(offsets=[4, 12])}, bytes(12)), "overlaps with what is bef"),
    (file_of({"x": entry(), "y": entry()}, bytes(8)), "overlaps"),
    (file_of({"x": entry()}, bytes(7)), "places for 8 bytes of elements, but 7 are there"),
    (file_of({"x": entry()}, bytes(9)), "places for 8 bytes of elements, but 9 are there"),
    (file_of({"x": entry("BOOL", [2], [0, 2])}, b"\1\2"), "neither 0 nor 1"),
    (file_of({"__metadata__": {"x": 1}}), "must map texts to texts"),
    (b"\x80\x02}q\x00.", "a pickle, as PyTorch wrote it before"),
]


@pytest.mark.parametrize(("data", "text"), DAMAGED, ids=[it[1] for it in DAMAGED])
def test_damaged_files_are_refused(data: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "some.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError) as caught:
        opwright.load(path)
    assert text in str(caught.value)
    assert str(caught.value).startswith(f"load(): '{path}': ")
    with pytest.raises(ValueError, match=r"^load\(\): "):
        read(data)


def test_every_cut_is_noticed() -> None:
    data = written({"x": T([1.0, 2.0]), "y": T([1, 2, 3])})
    for length in range(len(data)):
        with pytest.raises(ValueError, match=r"^load\(\): "):
            read(data[:length])


@settings(max_examples=400)
@given(st.data())
def test_changed_bytes_are_read_or_refused(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([SAMPLE, ARCHIVE]))
    image = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        image[data.draw(st.integers(0, len(image) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read(bytes(image))
    except ValueError as error:
        assert str(error).startswith("load(): ")
    else:
        assert isinstance(found, dict)


SAMPLE = written({"x": T([1.0, 2.0]), "truth": T([True, False]), "y": T([1, 2, 3])})


# --- archives of PyTorch --------------------------------------------------------------------

# What PyTorch 2.9.1 wrote of a state with a BatchNorm1d, views, parameters and other objects.
RECORDED = (
    "c-qC5-*4Mg6vv&obyBx<l$9;x#|GONDQszeCk46|Gd#d!YrPFjVOWmi#nxQA$G+(RsiG2U2XBKHgpd&b1#f8LKL8"
    "1d2PBa80DIz{C+@v=QrrDKChaCyR^s#hoOAEF=jhH!>;S`Lv&^Q!GdV_|Y->m>EZwk0VVqgmVyvcDfXOR^Sl}ZK8"
    "IaO-*R~BES+3*rm%O&&8SQhHj(A8<$iU_m4%^-|td5CbKu4~pn+3ItEZgT*&uDcmyR9O_@m)_{F7q&$&np>9cRj6"
    "R02fGj(RMX-Irx)@jFQ4OMaU{Fe(FnI7?RQm_<4zu(rYj*rPg5N3zJ0f2!c@=4k&opOv}=Ic+|u`OwJ4#B^WcQ_O"
    "VcVkZ8vP?c)dz$#7U1!G>PfaV)2!E*hExxfr7iM*_wZA>&EHcq(8#jo_#Z$CTj+V_EaynHZu1&jyI&A>sr<oD2}p"
    "Avh(&^U6VN=yVs=mWFiG@Kxk#`VFHE`2ZE})CJe+^fzjP(yQ<Srl%0Ri0Km(0rfP3GcpvqD=?`HVI#aUq>=nXk-j"
    "e}<XAv?1u8Tn%ZBIUBtun7`@Y{Yw@c=d=4lvZcs$f%Ypg*XN5LUz&^1czIy5C#O0C0G5YbBrUY6mN&*_ipTX0r}8"
    "G3wB*K_bXXL~p^1ieZ?tdw2{K}r$cYXRsSg4bmbY0gc}z7FSOJ0#G<RI2xP=?xlR9o`Ib@K%@uiR9oyfP5RlMHw#"
    "9laIVEGGQ*xbX~j8o2R@6$N}$i$h$&#R|DQV2;P-Jp*&;B)lGO$Vrjr0DXWF^Gk*qkNi7__qdvTU4L-<Iv<BDcvj"
    "rbsTnE+Y7UrZ(*2tgw_8VLfWX^3{=wnPC7kc5k>n&<X4YMi=C%3Hk<R}q8Km7CiXT&?1+xr=3riq`hkX6mLI?kfu"
    "AW@jwldCO9y-EU@xe52u*hPBB0EU@C96;-1WVoa)i9(85uq}jagD}>n?;as%i`$WrWd_2oI9U`0^3UoFnS^kAp8G"
    "XRZFVLIJwizo&ffph>F803f9sFq#=iWQAF}_-gYf@9_P_d&*I#>3{>dINv-peWDxTlZl6Vf^{_D#eev#WHo^mgqx"
    "+oO(8PA;=<___dnP0d|n$^HAzPO&RhA5=5uN2+6A5Z+G>|Vb^Oa`m_4T>e9R(PWS`Mb{5-Ss)9Ng5D!?;D<lJJ2T"
    "@xu>XBTNJAIm5E}rTyNH^jYg$bFIH=fMx$6P;ZL(sE;j4sO08O%D%PipB+5_!Jy6TzIPx^gRGRKc7-zIq^P3{yxQ"
    "8Wm(bhW_)7)d3&22p?k2cQnn0$VK*|J+F3DLGW93%Wf3H^4P6h^Bxo~%QIOuxq_RnZ!YtCS5@Y457vHdN)kM@TLq"
    "y&kp?UmL1wQWdS$gs)6rRZFU(RTo$Ny`icnRncmTtFC1Gszy>3t+An)>MN?+=7dELeJ*}JsBG(UoRc{2bZB>!J=5"
    "2WCZ5OG;Q7%|uMKnLYRY^)68sKsB!gU_8Kw4t?SIk|uAu"
)
ARCHIVE = zlib.decompress(base64.b85decode(RECORDED))


def test_a_file_of_pytorch() -> None:
    found = read(ARCHIVE)
    assert list(found) == ["state", "weight", "turned", "half", "truth", "epoch", "rate", "names"]
    weight = found["weight"]
    assert isinstance(weight, nn.Parameter)
    assert weight.requires_grad
    assert weight.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert found["turned"].tolist() == weight.t().tolist()
    assert found["turned"].data_ptr() == weight.data_ptr()
    assert found["half"].dtype == opwright.bfloat16
    assert found["half"].tolist() == [1.5, -2.0]
    assert found["truth"].tolist() == [True, False]
    assert (found["epoch"], found["rate"], found["names"]) == (3, 0.5, ["a", ("b", None)])
    layer = nn.BatchNorm1d(2)
    assert not layer.load_state_dict(found["state"]).missing_keys


class Call:
    """A call that a pickle is to make."""

    def __init__(self, module: str, name: str, *args: Any) -> None:
        self.module, self.name, self.args = module, name, args


class Stored:
    """A storage that a pickle names."""

    def __init__(self, *identifier: Any) -> None:
        self.identifier = identifier


class Name:
    """A name in a module."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name


def pickled(value: Any) -> bytes:
    """Instructions of protocol 2, without those that begin and end a pickle."""
    match value:
        case None | True | False:
            return {None: b"N", True: b"\x88", False: b"\x89"}[value]
        case int():
            octets = value.to_bytes(20, "little", signed=True)
            return b"\x8a\x14" + octets
        case float():
            return b"G" + struct.pack(">d", value)
        case str():
            octets = value.encode()
            return b"X" + struct.pack("<I", len(octets)) + octets
        case tuple():
            return b"(" + b"".join(map(pickled, value)) + b"t"
        case list():
            return b"](" + b"".join(map(pickled, value)) + b"e"
        case dict():
            items = b"".join(pickled(it) for pair in value.items() for it in pair)
            return b"}(" + items + b"u"
        case Name():
            return f"c{value.module}\n{value.name}\n".encode()
        case Call():
            return pickled(Name(value.module, value.name)) + pickled(value.args) + b"R"
        case Stored():
            return pickled(value.identifier) + b"Q"
    raise TypeError(type(value))


def archive(
    value: Any,
    storages: Mapping[str, bytes] | None = None,
    others: Mapping[str, bytes] | None = None,
) -> bytes:
    """An archive as PyTorch writes it; `value` may be a pickle."""
    file = io.BytesIO()
    pickle = value if isinstance(value, bytes) else b"\x80\x02" + pickled(value) + b"."
    if not isinstance(value, bytes):
        pickletools.dis(pickle, io.StringIO())
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("m/data.pkl", pickle)
        for key, data in (storages or {"0": bytes(24)}).items():
            made.writestr(f"m/data/{key}", data)
        for name, data in (others or {"byteorder": b"little"}).items():
            made.writestr(f"m/{name}", data)
    return file.getvalue()


def stored(kind: str = "FloatStorage", key: str = "0", count: Any = 6) -> Stored:
    return Stored("storage", Name("torch", kind), key, "cpu", count)


EMPTY = Call("collections", "OrderedDict")


def tensor(storage: Any, offset: Any, size: Any, stride: Any, learns: Any = False) -> Call:
    return Call("torch._utils", "_rebuild_tensor_v2", storage, offset, size, stride, learns, EMPTY)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("BoolStorage", "bool"),
        ("ByteStorage", "uint8"),
        ("CharStorage", "int8"),
        ("ShortStorage", "int16"),
        ("IntStorage", "int32"),
        ("LongStorage", "int64"),
        ("HalfStorage", "float16"),
        ("BFloat16Storage", "bfloat16"),
        ("FloatStorage", "float32"),
        ("DoubleStorage", "float64"),
        ("ComplexFloatStorage", "complex64"),
        ("ComplexDoubleStorage", "complex128"),
    ],
)
def test_storages_of_all_dtypes(kind: str, dtype: str) -> None:
    wanted = T([0, 1, 1, 0]).to(getattr(opwright, dtype))
    data = bytes(wanted.view(opwright.uint8)) if dtype != "uint8" else bytes(wanted)
    whole = archive({"x": tensor(stored(kind, "7", 4), 1, (2, 2), (1, 1))}, {"7": data})
    found = read(whole)["x"]
    assert found.dtype == wanted.dtype
    assert opwright.equal(found, wanted.as_strided((2, 2), (1, 1), 1))


def test_objects_of_pickles() -> None:
    value: dict[Any, Any] = {
        "none": None,
        "yes": True,
        "big": -(2**100),
        "list": [1, [2.5]],
        "tuple": (1, "é"),
        "empty": EMPTY,
        3: {},
    }
    assert read(archive(value)) == {**value, "empty": {}}
    leaf = read(archive({"x": tensor(stored(), 0, (2,), (1,), True)}))["x"]
    assert leaf.requires_grad
    empty = read(archive({"x": tensor(stored(), 0, (0, 3), (3, 1))}))["x"]
    assert tuple(empty.shape) == (0, 3)
    one = Call("torch._utils", "_rebuild_parameter", tensor(stored(), 5, (), ()), False, EMPTY)
    found = read(archive({"x": one}))["x"]
    assert isinstance(found, nn.Parameter)
    assert not found.requires_grad


REFUSED: list[tuple[Any, str]] = [
    ({"x": Call("os", "system", "true")}, "'os.system' is not read here"),
    ({"x": Call("builtins", "eval", "1")}, "'builtins.eval' is not read here"),
    ({"x": Name("torch", "Tensor")}, "'torch.Tensor' is not read here"),
    ({"x": Call("torch._utils", "_rebuild_tensor_v3")}, "_rebuild_tensor_v3' is not read here"),
    ({"x": Call("torch", "FloatStorage")}, "it calls 'torch.FloatStorage'"),
    ({"x": Call("collections", "OrderedDict", ())}, "an OrderedDict is made of something"),
    ({"x": stored("QInt8Storage")}, "'torch.QInt8Storage' is a storage that is not known"),
    ({"x": stored(key="1")}, "there is no file 'm/data/1'"),
    ({"x": stored(key="../data.pkl")}, "there is no file 'm/data/../data.pkl'"),
    ({"x": stored(count=7)}, "has 24 bytes, but should have 7 elements"),
    ({"x": stored(count=-6)}, "should have -6 elements"),
    ({"x": stored(), "y": stored("IntStorage")}, "has two dtypes"),
    ({"x": Stored("storage", 1)}, "named otherwise"),
    ({"x": tensor(stored(), 0, (7,), (1,))}, "up to element 6 of a storage that has 6"),
    ({"x": tensor(stored(), 6, (), ())}, "up to element 6"),
    ({"x": tensor(stored(), -1, (2,), (1,))}, "that cannot be"),
    ({"x": tensor(stored(), 0, (2,), (-1,))}, "that cannot be"),
    ({"x": tensor(stored(), 0, (2,), (1, 1))}, "that cannot be"),
    ({"x": tensor(stored(), 0, (2.0,), (1,))}, "that cannot be"),
    ({"x": tensor(stored(), 0, (2**40, 2**40), (2**40, 2**40))}, "up to element"),
    ({"x": tensor(stored(), 0, (2**90,), (0,))}, "a tensor cannot be"),
    ({"x": tensor([], 0, (2,), (1,))}, "something else than its storage"),
    ({"x": Call("torch._utils", "_rebuild_parameter", 1, True, EMPTY)}, "else than a tensor"),
    ({(): 1}, "a key is tuple"),
    ([1], "is no dictionary, but list"),
    (b"\x80\x04}.", "protocol 4 is not read here"),
    (b"\x80\x02}", "it ends where 1 bytes should follow"),
    (b"\x80\x02cos", "it ends in a name"),
    (b"\x80\x02.", "something that is not there"),
    (b"\x80\x02(.", "something that is not there"),
    (b"\x80\x02}}.", "it stops with something left"),
    (b"\x80\x02}u.", "what began nowhere"),
    (b"\x80\x02}(Nu.", "a key has no value"),
    (b"\x80\x02](NNu.", "something that is no dict"),
    (b"\x80\x02}h\x05.", "recalls number 5"),
    (b"\x80\x02)R.", "something that is not there"),
    (b"\x80\x02NN\x85R.", "no function"),
    (b"\x80\x02}}b.", "a state that is not read here"),
    (b"\x80\x02X\xff\xff\xff\xff.", "it ends where 4294967295 bytes should follow"),
    (b"\x80\x02X\x01\x00\x00\x00\xff.", "no UTF-8"),
    (b"\x80\x02(cos\nsystem\noN.", "'os.system' is not read here"),
    (b"\x80\x02(S'ls'\nios\nsystem\n.", "the instruction STRING is not read here"),
    (b"\x80\x02\xfe.", "the instruction 0xfe is not read here"),
    (b"\x80\x02\x8c\x02os\x8c\x06system\x93.", "SHORT_BINUNICODE is not read here"),
    (b"\x80\x02}X\x01\x00\x00\x00aNX\x01\x00\x00\x00aNu.", "began nowhere"),
    (b"\x80\x02}(X\x01\x00\x00\x00aNX\x01\x00\x00\x00aNu.", "the key 'a' twice"),
]


@pytest.mark.parametrize(
    ("value", "text"), REFUSED, ids=[f"{it[1]} {at}" for at, it in enumerate(REFUSED)]
)
def test_what_archives_are_refused_for(value: Any, text: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(archive(value))
    assert text in str(caught.value)


def zipped(files: list[tuple[str, bytes]], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as made:
        for name, data in files:
            made.writestr(name, data)
    return file.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_zips_that_are_no_archives() -> None:
    state = b"\x80\x02" + pickled({"x": tensor(stored(), 0, (6,), (1,))}) + b"."
    whole = [("m/data.pkl", state), ("m/data/0", bytes(24))]
    assert read(zipped(whole))["x"].tolist() == [0.0] * 6
    cases: list[tuple[bytes, str]] = [
        (zipped([("x.npy", b"")]), "none of PyTorch"),
        (zipped([*whole, ("n/data.pkl", state)]), "none of PyTorch"),
        (zipped([*whole, whole[1]]), "'m/data/0' twice"),
        (zipped([*whole, ("m/byteorder", b"big")]), "not little-endian"),
        (zipped(whole, zipfile.ZIP_DEFLATED), "is compressed"),
        (archive({"x": stored("BoolStorage", "0", 24)}, {"0": b"\7" * 24}), "neither 0 nor 1"),
        (zipped(whole)[:-30], "no archive that can be read"),
        (zipped(whole).replace(bytes(24), bytes(23) + b"\1", 1), "no archive that can be read"),
    ]
    for data, text in cases:
        with pytest.raises(ValueError) as caught:
            read(data)
        assert text in str(caught.value)
