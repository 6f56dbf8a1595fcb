"""One hierarchy of types: what graphs and compiled functions share, and what each has."""

from __future__ import annotations

import copy
import doctest
import gc
import inspect
import pickle
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import opwright
import pytest
import recorded_cases
from opwright import types
from opwright._types.signature import as_signature

Point = namedtuple("Point", "x y")


class Tag(types.Type):
    """Types that have a name."""

    def __init__(self, n: int) -> None:
        """Have a number."""
        self.n = n
        super().__init__(name=f"Tag({n})")


class Hidden(types.Type):
    """Types with a key of their own."""

    def __init__(self, n: int, hidden: int) -> None:
        """Have a number that counts, and one that does not."""
        self.n, self.hidden = n, hidden
        super().__init__(name="Hidden")

    @property
    def key(self) -> Any:
        """What counts."""
        return self.n


class Meters(types.Float):
    """A kind of floats."""


@pytest.mark.parametrize("case", recorded_cases.of("types"))
def test_recorded_types(case: dict[str, Any], tmp_path: Path) -> None:
    assert recorded_cases.wrong(case, tmp_path) is None


# Names


def test_what_was_there_is_there() -> None:
    before = """
        ListType NativeStructType PlainType ShapeClash ShapeMismatch StructType TensorType Type
        Hook boolean complex128 describe double generic int64 list_of none register_transfer
        register_type text transfer typeof typeof_hook
    """
    assert {*before.split()} <= {*dir(types)}
    assert all(hasattr(types, it) for it in before.split())


def test_names_of_numbers() -> None:
    same = {
        "double": "float64 f8",
        "float32": "f4",
        "boolean": "bool_ b1",
        "int64": "intp int_ i8",
        "int32": "intc i4",
        "int8": "i1",
        "int16": "i2",
        "uint64": "uintp size_t u8",
        "uint8": "u1",
        "uint16": "u2",
        "uint32": "u4",
        "complex64": "c8",
        "complex128": "c16",
        "none": "void",
        "text": "unicode_type string",
    }
    for name, others in same.items():
        for other in others.split():
            assert getattr(types, other) is getattr(types, name), other
            assert other in dir(types)


def test_names_that_are_not_there_say_what_to_write() -> None:
    for name, text in {
        "Kind": "derive from types.Type",
        "DictType": "native_struct",
        "flaot64": "did you mean 'float64'",
        "nothing_like_it": "no attribute 'nothing_like_it'",
        "__wrapped__": "no attribute '__wrapped__'",
    }.items():
        with pytest.raises(AttributeError, match=f"module 'opwright.types' .*'{name}'.*") as caught:
            getattr(types, name)
        assert text in str(caught.value)


def test_importing_the_package_makes_no_types() -> None:
    program = (
        "import sys, opwright; before = [it for it in sys.modules if '._types' in it or "
        "'._jit' in it]; import opwright.types; "
        "late = [it for it in ('inspect', 'opwright._types.names') if it in sys.modules]; "
        "late += [it for it in sys.modules if '._jit' in it]; sys.exit(str(before + late))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def _documented() -> list[Any]:
    """Classes, their members and functions."""
    found: dict[int, Any] = {}
    for name in dir(types):
        it = getattr(types, name)
        if callable(it) and not isinstance(it, types.Type) and not name.startswith("_"):
            found[id(it)] = pytest.param(it, id=name)
            for member, inner in vars(it).items() if isinstance(it, type) else ():
                if callable(inner) and not member.startswith("_"):
                    found[id(inner)] = pytest.param(inner, id=f"{name}.{member}")
    return [*found.values()]


@pytest.mark.parametrize("it", _documented())
def test_names_are_documented_and_examples_run(it: Any) -> None:
    text = inspect.getdoc(it)
    assert text, it
    names = {"opwright": opwright}
    test = doctest.DocTestParser().get_doctest(text, names, it.__qualname__, None, 0)
    assert not doctest.DocTestRunner().run(test).failed


# Texts


@pytest.mark.parametrize(
    ("ty", "text"),
    [
        (types.boolean, "bool"),
        (types.uint16, "uint16"),
        (types.none, "none"),
        (types.unicode_type, "unicode_type"),
        (types.UniTuple(types.int64, 3), "UniTuple(int64 x 3)"),
        (types.Tuple((types.int64, types.float64)), "Tuple(int64, float64)"),
        (types.Tuple(()), "Tuple()"),
        (types.NamedTuple((types.int64, types.float64), Point), "Point(int64, float64)"),
        (types.NamedTuple((types.int64, types.int64), Point), "Point(int64 x 2)"),
        (types.Array(types.float64, 2, "C"), "array(float64, 2d, C)"),
        (types.Array(types.int8, 1, "A", readonly=True), "readonly array(int8, 1d, A)"),
        (
            types.Array(types.int8, 1, "C", readonly=True, aligned=False),
            "unaligned readonly array(int8, 1d, C)",
        ),
        (types.Optional(types.int64), "OptionalType(int64)"),
        (types.Omitted(None), "omitted(default=None)"),
        (types.literal(3), "Literal[int](3)"),
        (types.literal(True), "Literal[bool](True)"),
        (types.literal("a"), "Literal[str](a)"),
        (types.DType(types.float32), "dtype(float32)"),
        (types.NumberClass(types.float32), "class(float32)"),
        (types.ExceptionClass(ValueError), "ValueError"),
        (types.Module(sys), "Module(sys)"),
        (types.slice2_type, "slice<a:b>"),
        (types.slice3_type, "slice<a:b:c>"),
        (types.RangeType(types.int64), "range_state_int64"),
        (
            types.NumpyFlatType(types.Array(types.int8, 1, "C")),
            "array.flat(array(int8, 1d, C))",
        ),
        (types.VarArg(types.int64), "*int64"),
        (types.VarArg(types.Integer), "*Integer"),
        (types.Dummy("marker"), "marker"),
        (types.float64(types.int64), "(int64,) -> float64"),
        (types.float64(types.int64, types.none), "(int64, none) -> float64"),
        (types.signature(types.none), "() -> none"),
        (Tag(1), "Tag(1)"),
        (Meters("meters"), "meters"),
    ],
    ids=str,
)
def test_texts(ty: Any, text: str) -> None:
    assert str(ty) == repr(ty) == text
    if isinstance(ty, types.Type):
        assert ty.name == text and ty.is_precise()
        assert ty.mangling_args[0]


# Identity


EVERY = [
    *(
        getattr(types, it)
        for it in ["boolean", "int8", "int64", "float32", "float64", "complex64", "none"]
    ),
    types.unicode_type,
    types.Array(types.int8, 2, "F", readonly=True),
    types.Tuple((types.int8, types.none)),
    types.UniTuple(types.int8, 2),
    types.NamedTuple((types.int64, types.float64), Point),
    types.NamedUniTuple(types.int64, 2, Point),
    types.Optional(types.int8),
    types.literal("a"),
    types.slice2_type,
    types.Module(np),
    types.DType(types.int8),
    Tag(3),
    Hidden(1, 2),
    Meters("meters"),
    opwright.TensorType("int8", (2,)),
    types.list_of(types.int64),
]


@pytest.mark.parametrize("ty", EVERY, ids=str)
def test_types_stay_themselves(ty: Any) -> None:
    for again in (copy.copy(ty), copy.deepcopy([ty])[0], pickle.loads(pickle.dumps(ty))):
        assert again is ty
    assert ty == ty and {ty: 1}[ty] == 1 and ty.name == str(ty)
    assert isinstance(ty.mutable, bool) and ty.reflected is False
    before = hash(ty)
    for change in ("name", "key", "anything", "dtype"):
        with pytest.raises(AttributeError):
            setattr(ty, change, 1)
    with pytest.raises(AttributeError):
        del ty.name
    assert hash(ty) == before
    assert len({it for it in EVERY if it == ty}) == 1


def test_equal_types_are_one_object() -> None:
    assert Tag(1) is Tag(1) and Tag(1) != Tag(2) and Tag(1).key == "Tag(1)"
    assert Hidden(1, 5) is Hidden(1, 6) and Hidden(1, 5) != Hidden(2, 5)
    assert types.Integer("int8") is types.int8 and types.Float("float64") is types.double
    assert types.Array(types.int8, 1, "C") is types.Array(types.int8, 1, "C", readonly=False)
    assert types.Tuple([types.int8] * 2) is types.UniTuple(types.int8, 2)
    assert types.Optional(types.Optional(types.int8)) is types.Optional(types.int8)
    assert types.literal(1) is not types.literal(2) and types.literal(1) != types.literal(True)
    assert Meters("a") is Meters("a") and Meters("a") != Meters("b")
    assert types.Dummy("a") != types.Opaque("a")


def test_classes_and_their_types_are_forgotten() -> None:
    class Own(types.Type):
        pass

    def living() -> int:
        gc.collect()
        return sum(type(it) is Own for it in gc.get_objects())

    kept = [Own(f"own {n}") for n in range(100)]
    assert Own("own 7") is kept[7] and living() == 100
    del kept[1:]
    assert living() == 1
    assert Own("own 7") is not kept[0]


def test_types_are_one_object_in_all_threads() -> None:
    for n in range(50):
        found: list[Any] = []
        start = threading.Barrier(4)

        def make(n: int = n, start: Any = start, found: Any = found) -> None:
            start.wait()
            found.append(types.UniTuple(types.Tuple((types.int8, Tag(n))), n))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, found))) == 1


def test_types_of_one_s_own_may_be_written_either_way() -> None:
    class Both(types.Type):
        __props__ = ("least",)

        def __init__(self, least: int) -> None:
            self.least = least
            super().__init__(name=f"at least {least}")

        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            if not isinstance(value, int) or value < self.least:
                raise TypeError("too small")
            return value

    ty = Both(3)
    assert ty is Both(3) and ty.key == (3,) and str(ty) == "at least 3"
    assert ty.filter(5) == 5 and not ty.is_valid_value(2)
    assert opwright.function([x := ty("x")], x)(4) == 4

    class Named(types.Type):
        def __init__(self, name: str) -> None:
            self.name = name

        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            return value

    own = Named("own")
    own.name = "changed"
    assert own != Named("changed") and own.name == "changed" and own.key is own
    assert str(own) == "Named(name='changed')"

    class Mixed(types.Type, ABC):
        @abstractmethod
        def area(self) -> int: ...

    with pytest.raises(TypeError, match="abstract"):
        Mixed("mixed")


def test_a_type_needs_a_filter_or_a_name() -> None:
    class Nothing(types.Type):
        def __init__(self) -> None:
            pass

    with pytest.raises(TypeError, match=r"needs filter\(.*or a name: super\(\)"):
        Nothing()
    with pytest.raises(TypeError, match="the name of a type is a text, not int"):
        types.Dummy(3)  # type: ignore[arg-type]


# Kinds


def test_kinds() -> None:
    array = types.Array(types.int8, 1, "C")
    for ty, kinds in {
        types.int64: (types.Integer, types.Number, types.Hashable, types.PlainType),
        types.uint8: (types.Integer, types.Number),
        types.float32: (types.Float, types.Number),
        types.complex64: (types.Complex, types.Number),
        types.boolean: (types.Boolean, types.Hashable),
        types.none: (types.NoneType, types.Opaque),
        types.text: (types.UnicodeType, types.IterableType),
        array: (types.Buffer, types.IterableType),
        types.UniTuple(types.int8, 2): (types.BaseTuple, types.Sequence, types.Sized),
        types.Tuple((types.int8, types.none)): (types.BaseTuple, types.Sized),
        types.literal(1): (types.Literal, types.IntegerLiteral, types.Integer),
        types.literal(True): (types.BooleanLiteral, types.Boolean),
        types.literal("a"): (types.StringLiteral,),
        types.NumpyFlatType(array): (types.IteratorType,),
        types.ExceptionClass(KeyError): (types.Callable,),
        Meters("m"): (types.Float, types.Number),
    }.items():
        assert all(isinstance(ty, it) for it in (*kinds, types.Type, opwright.Type))
    assert not isinstance(types.boolean, types.Number)
    assert not isinstance(types.Tuple((types.int8, types.none)), types.UniTuple)
    assert types.abstract.Callable is types.Callable
    with pytest.raises(TypeError, match="cannot be derived from"):

        class Derived(types.PlainType):  # type: ignore[misc]
            pass


def test_numbers() -> None:
    assert (types.int8.bitwidth, types.int8.minval, types.int8.maxval) == (8, -128, 127)
    assert (types.uint64.signed, types.uint64.maxval) == (False, 2**64 - 1)
    assert types.complex64.underlying_float is types.float32
    assert types.complex128.bitwidth == 128
    assert types.Integer.from_bitwidth(16, signed=False) is types.uint16
    assert types.Integer("wide", 128, True).maxval == 2**127 - 1
    assert Meters("meters").bitwidth == 64 and Meters("m", bitwidth=32).bitwidth == 32
    assert sorted(types.signed_domain) == [types.int8, types.int16, types.int32, types.int64]
    assert sorted(types.real_domain) == [types.float32, types.float64]
    assert [it.bitwidth for it in sorted(types.number_domain)] == sorted(
        it.bitwidth for it in types.number_domain
    )
    assert types.integer_domain == types.signed_domain | types.unsigned_domain
    assert types.int8 < types.float32 and types.uint64 >= types.int64
    with pytest.raises(TypeError):
        types.int8 < types.none  # type: ignore[operator]  # noqa: B015


def test_values_are_cast() -> None:
    for ty, value, expected in (
        (types.int64, 3.0, 3),
        (types.int8, 300, 44),
        (types.int8, -1000.0, -128),
        (types.uint8, -1, 255),
        (types.int16, float("nan"), 0),
        (types.int16, float("-inf"), -(2**15)),
        (types.float64, 3, 3.0),
        (types.float32, 0.1, float(np.float32(0.1))),
        (types.float16, -1e6, float("-inf")),
        (types.complex64, 0.1, complex(np.complex64(0.1))),
        (types.boolean, 2, True),
        (types.Optional(types.int8), None, None),
        (types.Optional(types.int8), 3.0, 3),
        (types.literal(3), 4.0, 4),
    ):
        found = ty.cast_python_value(value)
        assert found == expected and type(found) is type(expected), ty
    with pytest.raises(NotImplementedError, match="no value is cast to Tag"):
        Tag(1).cast_python_value(3)


def test_dtypes() -> None:
    for name in ["bool", "int8", "uint8", "int32", "uint32", "float16", "float64", "complex64"]:
        dtype = getattr(opwright, name)
        ty = types.from_dtype(dtype)
        assert str(ty) == name and ty.dtype_ is dtype
        assert ty is types.from_dtype(np.dtype(name)) is types.from_dtype(np.dtype(name).type)
    assert types.from_dtype(float) is types.float64 and types.from_dtype("int16") is types.int16
    assert types.from_dtype(np.uint64) is types.uint64
    with pytest.raises(TypeError, match="there is no dtype of uint64"):
        _ = types.uint64.dtype_
    with pytest.raises(TypeError, match="there is no dtype of meters"):
        _ = Meters("meters").dtype_
    for wrong in (opwright.bfloat16, np.dtype(">f4"), np.dtype("M8[s]"), object(), "quaternion"):
        with pytest.raises(TypeError):
            types.from_dtype(wrong)


# Tuples, arrays, others


def test_tuples() -> None:
    mixed, uniform = types.Tuple((types.int8, types.none)), types.UniTuple(types.int8, 3)
    assert (len(mixed), mixed[1], mixed.count, list(mixed)) == (2, types.none, 2, [*mixed.types])
    assert (uniform.dtype, uniform.count, uniform[-1]) == (types.int8, 3, types.int8)
    assert not hasattr(mixed, "dtype") and types.Tuple(()) and len(types.Tuple(())) == 0
    named = types.NamedTuple((types.int8, types.none), Point)
    assert named.fields == ("x", "y") and named.instance_class is Point
    assert named != mixed and isinstance(named, types.BaseTuple)
    both = types.BaseTuple.from_types((types.int8, types.int8), Point)
    assert isinstance(both, types.NamedUniTuple) and both.fields == ("x", "y")
    for make in (
        lambda: types.Tuple((types.int8, 3)),
        lambda: types.Tuple(types.int8),
        lambda: types.UniTuple(3, 2),  # type: ignore[arg-type]
        lambda: types.NamedTuple((types.int8,), Point),
        lambda: types.NamedTuple((types.int8, types.none), tuple),
    ):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(ValueError, match="a tuple of -1 values"):
        types.UniTuple(types.int8, -1)


def test_arrays() -> None:
    rows = types.Array(types.float32, 3, "F")
    assert (rows.dtype, rows.ndim, rows.layout) == (types.float32, 3, "F")
    assert (rows.mutable, rows.aligned, rows.is_contig) == (True, True, True)
    assert (rows.is_c_contig, rows.is_f_contig) == (False, True)
    assert types.Array(types.int8, 1, "C").is_f_contig
    fixed = rows.copy(readonly=True)
    assert not fixed.mutable and fixed.copy(ndim=1).readonly and fixed != rows
    assert rows.clone(dtype=types.int8) is types.Array(types.int8, 3, "F")
    assert types.int8[:] is types.Array(types.int8, 1, "A")
    assert types.int8[:, ::1] is types.Array(types.int8, 2, "C")
    assert types.int8[::1, :] is types.Array(types.int8, 2, "F")
    assert types.int8[::1] is types.Array(types.int8, 1, "C")
    for dims in (1, slice(2), (slice(None), 1), (slice(None, None, 1),) * 2):
        with pytest.raises(TypeError, match=r"write int8\[:, :\]"):
            types.int8[dims]
    for arguments, error in (
        ((types.int8, 1, "X"), ValueError),
        ((types.int8, -1, "C"), ValueError),
        ((types.int8, "1", "C"), TypeError),
        ((3, 1, "C"), TypeError),
    ):
        with pytest.raises(error):
            types.Array(*arguments)  # type: ignore[arg-type]


def test_literals_and_missing_values() -> None:
    three = types.literal(3)
    assert (three.literal_value, three.literal_type) == (3, types.int64)
    assert types.IntegerLiteral(3) is three is types.Literal(3)
    assert (three.bitwidth, three.signed) == (64, True)
    assert types.unliteral(three) is types.int64 and types.unliteral(Tag(1)) is Tag(1)
    pair = types.Tuple((three, types.literal(4)))
    assert types.unliteral(pair) is types.UniTuple(types.int64, 2)
    assert types.Optional(three) is types.Optional(types.int64)
    for wrong in (1.5, None, (1,)):
        with pytest.raises(TypeError, match="literal types of int, bool and str"):
            types.literal(wrong)
    with pytest.raises(TypeError, match="IntegerLiteral is of an int, not of True"):
        types.IntegerLiteral(True)
    with pytest.raises(TypeError, match="what may be missing, not none"):
        types.Optional(types.none)
    default = [1]
    assert types.Omitted(default) is types.Omitted(default) != types.Omitted([1])
    assert types.Omitted(default).value is default
    assert types.slice3_type.has_step and not types.slice2_type.has_step


def test_what_is_called() -> None:
    class Template:
        key = "Tag.area"

    method = types.BoundFunction(Template, Tag(1))
    assert method is types.BoundFunction(Template, Tag(1)) and method.this is Tag(1)
    assert method.copy(this=Tag(2)).this is Tag(2) and str(method) == (
        "BoundFunction(Tag.area for Tag(1))"
    )
    function = types.Function([Template, Template])
    assert function.typing_key == "Tag.area" and str(function) == "Function(Tag.area)"
    with pytest.raises(ValueError, match="share their key"):
        types.Function([Template, len])
    assert types.Dispatcher(len) is types.Dispatcher(len) != types.Dispatcher(abs)


# Signatures


def test_signatures() -> None:
    made = types.float64(types.int64, types.int8)
    assert made == types.signature(types.float64, types.int64, types.int8)
    assert hash(made) == hash(types.float64(types.int64, types.int8))
    assert (made.return_type, made.args) == (types.float64, (types.int64, types.int8))
    assert made.recvr is None and made.pysig is None and made.is_precise()
    assert made != types.float64(types.int64) and made != 3
    method = made.as_method()
    assert (method.recvr, method.args) == (types.int64, (types.int8,)) and method != made
    assert method.as_function() == made and method.as_method() is method
    assert made.replace(return_type=types.none) == types.none(types.int64, types.int8)
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)
    tensors = opwright.TensorType("float64", (2, None))
    assert types.none(tensors).args == (types.Array(types.float64, 2, "A"),)
    assert tensors(types.int8, types.int8).return_type is tensors.compiled
    with pytest.raises(AttributeError, match="'args' cannot be set"):
        made.args = ()
    with pytest.raises(TypeError, match="a signature is of types, not of 3"):
        types.float64(types.int64, 3)
    with pytest.raises(TypeError, match="a signature is of types, not of <class 'int'>"):
        types.signature(int)


def test_variables_are_no_signatures() -> None:
    made = types.float64(types.int64)
    assert as_signature(made) is made
    with pytest.raises(TypeError, match=r"variable of a graph; extending.signature\(float64\) is"):
        as_signature(types.float64())
    with pytest.raises(TypeError, match=r"expected a signature, such as .*, not 3"):
        as_signature(3)


# Graphs


def test_graphs_and_compiled_functions_share_types() -> None:
    assert types.double is types.float64 and str(types.double) == "float64"
    assert opwright.typeof(1.5) is types.float64 and opwright.typeof("a") is types.unicode_type
    assert pickle.loads(pickle.dumps(types.double)) is types.PlainType("double")
    x = types.float64("x")
    assert x.type is types.float64 and x.name == "x" and types.float64().name is None
    assert types.float64.filter(3) == 3.0 and types.float64.is_super(types.double)
    assert types.float64.element_type() == "f64"


def test_variables_of_arrays_are_those_of_tensors() -> None:
    rows = types.Array(types.float64, 2, "C")
    x = rows("x")
    assert x.type is opwright.TensorType("float64", (None, None)) and x.name == "x"
    assert opwright.function([x], x + 1)([[1.0]]).tolist() == [[2.0]]
    assert rows.make_constant(np.ones((1, 2))).type.shape == (1, 2)
    assert rows.filter_variable(x) is x
    assert opwright.TensorType("int8", (2, None)).compiled is types.Array(types.int8, 2, "A")
    with pytest.raises(TypeError, match="elements of bfloat16"):
        _ = opwright.TensorType("bfloat16", ()).compiled


NUMBERS = sorted(types.number_domain | {types.float16})


@pytest.mark.parametrize("ty", NUMBERS, ids=str)
def test_every_number_is_a_type_of_graphs(ty: Any) -> None:
    assert isinstance(ty, types.PlainType) and types.PlainType(ty.name) is ty
    x = ty("x")
    assert x.type is ty and x.name == "x" and x.ndim == 0
    one = opwright.typeof(1) if isinstance(ty, types.Integer) else ty
    f = opwright.function([x], [x, x + x])
    assert f(1) == [1, 2] and type(f(1)[0]) is type(ty.cast_python_value(1))
    assert ty.filter(True) == 1 and ty.filter(1, strict=True) == 1 if one is not ty else True
    for wrong in ("1", None, [1], object()):
        with pytest.raises(TypeError):
            ty.filter(wrong, allow_downcast=True)
    assert types.list_of(ty).filter([1, 2]) and opwright.shared(1, type=ty).type is ty
    assert pickle.loads(pickle.dumps(f))(1) == [1, 2]
    assert str(opwright.dprint(x, file="str", print_type=True, ids=False)).strip() == f"x <{ty}>"


def test_numbers_of_fewer_bits_hold_what_they_hold() -> None:
    for ty, value in (
        (types.int8, 128),
        (types.uint16, -1),
        (types.uint64, -1),
        (types.uint64, 2**63),
        (types.int32, 0.5),
        (types.float32, 2**24 + 1),
        (types.float32, 1e300),
        (types.float16, 1e6),
        (types.float32, 1j),
    ):
        with pytest.raises(TypeError, match=f"{ty} does not hold|{ty} holds no integer"):
            ty.filter(value)
    assert types.int8.filter(300, allow_downcast=True) == 44
    assert types.float32.filter(0.1) == float(np.float32(0.1))
    assert types.complex64.filter(0.1j) == complex(np.complex64(0.1j))
    with pytest.raises(TypeError):
        types.float32.filter(0.1, allow_downcast=False)
    with pytest.raises(TypeError):
        types.float32.filter(0.1, strict=True)
    assert types.float32.filter(np.float32(0.1)) == float(np.float32(0.1))
    assert types.float32.filter(float("inf")) == float("inf")
    assert not types.float32.is_valid_value(0.1) and types.float32.is_valid_value(0.5)


def test_numbers_of_fewer_bits_are_within_those_of_more() -> None:
    assert types.int64.is_super(types.uint32) and not types.int64.is_super(types.uint64)
    assert types.float64.is_super(types.float32) and not types.float64.is_super(types.int8)
    assert types.float64.meet(types.float16) is types.float16
    x = types.float32("x")
    assert types.float64.filter_variable(x) is x
    with pytest.raises(TypeError, match="is of the type float64, not of float32"):
        types.float32.filter_variable(types.float64("y"))


def test_gradients_of_numbers_of_fewer_bits() -> None:
    x, y = types.float32("x"), opwright.TensorType("float64", (None,))("y")
    gradient = opwright.graph.grad((y * x).sum() * x, x)
    f = opwright.function([x, y], gradient)
    assert f(0.5, [1.0, 3.0]) == 4.0
    unused = opwright.graph.grad(y.sum(), x, disconnected_inputs="ignore")
    assert opwright.function([x, y], unused, on_unused_input="ignore")(0.5, [1.0]) == 0.0


def test_structs_have_numbers_of_fewer_bits() -> None:
    class Pixel:
        def __init__(self, red: int, alpha: float) -> None:
            self.red, self.alpha = red, alpha

    @types.register_type(cls=Pixel)
    class PixelType(types.StructType):
        red: types.uint8  # type: ignore[valid-type]
        alpha: types.float32  # type: ignore[valid-type]
        light: types.complex64  # type: ignore[valid-type]

    assert types.describe(PixelType()).splitlines() == [
        "Pixel: struct, 16 bytes",
        "     0 uint8_t red",
        "     4 float alpha",
        "     8 float complex light",
    ]
    assert types.describe(types.uint64) == "uint64: uint64_t, 8 bytes"
    assert types.describe(types.float64) == "float64: double, 8 bytes"
    x = PixelType()("x")
    assert x.red.type is types.uint8 and x.alpha.type is types.float32
