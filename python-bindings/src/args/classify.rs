//! Argument classification: the kinds of parameters that an object satisfies, by one look.
//!
//! Runs no Python code but `__getattr__` of objects of unknown types, which
//! are asked for an override: exact types are compared by address, the rest by
//! their type's slots and bases.

use std::ptr;

use opwright_runtime::Tensor;
use opwright_runtime::resolve::{Accepts, Kind};
use pyo3::ffi::{self, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use super::arrays;
use crate::object::numpy::{self, NumpyScalar};
use crate::object::overrides;
use crate::object::{self, classes, hooks, is_sequence, native};
use crate::raw::{self, Sequence};
use crate::types::spelling;

const NONE: Accepts = Accepts::NONE.or(Accepts::of(&[Kind::Object]));
const BOOL: Accepts =
    Accepts::of(&[Kind::Bool, Kind::Float, Kind::Scalar, Kind::TensorOrNumber, Kind::Object]);
const INT: Accepts = Accepts::of(&[
    Kind::Int,
    Kind::SymInt,
    Kind::Reduction,
    Kind::IntListOrInt,
    Kind::Float,
    Kind::Scalar,
    Kind::TensorOrNumber,
    // The index of one.
    Kind::Device,
    Kind::Object,
]);
const FLOAT: Accepts =
    Accepts::of(&[Kind::Float, Kind::Scalar, Kind::TensorOrNumber, Kind::Object]);
const COMPLEX: Accepts = Accepts::of(&[Kind::Scalar, Kind::TensorOrNumber, Kind::Object]);
/// A name of a dimension may stand for a list of them.
const STR: Accepts = Accepts::of(&[
    Kind::Str,
    Kind::Device,
    Kind::Reduction,
    Kind::Dimname,
    Kind::Dimname.list(),
    Kind::Object,
]);
const INDEX: Accepts = Accepts::of(&[Kind::SymInt, Kind::IntListOrInt, Kind::Object]);
const TENSOR: Accepts = Accepts::TENSOR;
const OBJECT: Accepts = Accepts::of(&[Kind::Object]);

/// The kinds of parameters that `object` satisfies.
#[inline(always)]
pub fn classify(object: Borrowed<'_, '_, PyAny>) -> Accepts {
    let class = object.get_type_ptr();
    if let Some(known) = object::known_at_once(object) {
        tensor(object::peek(known))
    } else if class == &raw mut ffi::PyFloat_Type {
        FLOAT
    } else if class == &raw mut ffi::PyLong_Type {
        INT
    } else if class == &raw mut ffi::PyBool_Type {
        BOOL
    } else if object.is_none() {
        NONE
    } else {
        others(object, class)
    }
}

/// What a tensor satisfies: with one element it can also stand for a number.
#[inline]
fn tensor(tensor: &Tensor) -> Accepts {
    if tensor.ndim() == 0 && !is_recorded(tensor) { zero_dim(tensor) } else { one_element(tensor) }
}

/// Whether gradients are recorded for it: as a number they would get lost.
#[inline]
fn is_recorded(tensor: &Tensor) -> bool {
    tensor.keys().has_layers() && tensor.requires_grad()
}

fn zero_dim(tensor: &Tensor) -> Accepts {
    let dtype = tensor.dtype();
    let number = TENSOR.or(Accepts::of(&[Kind::Scalar, Kind::Float]));
    if dtype.is_boolean() {
        number.or(INDEX)
    } else if dtype.is_integral() {
        number.or(INDEX).or(Accepts::of(&[Kind::Int, Kind::Reduction]))
    } else {
        number
    }
}

#[inline]
fn one_element(tensor: &Tensor) -> Accepts {
    let integral = || tensor.dtype().is_integral() || tensor.dtype().is_boolean();
    if tensor.numel() == 1 && integral() { TENSOR.or(INDEX) } else { TENSOR }
}

/// Types that are rarer than those of [`classify`], and subclasses.
fn others(object: Borrowed<'_, '_, PyAny>, class: *mut PyTypeObject) -> Accepts {
    if class == classes::DTYPE.get() {
        Accepts::of(&[Kind::DType, Kind::Object])
    } else if class == &raw mut ffi::PyTuple_Type || class == &raw mut ffi::PyList_Type {
        sequence(object)
    } else if class == &raw mut ffi::PyUnicode_Type {
        text(&object)
    } else if class == classes::DEVICE.get() {
        Accepts::of(&[Kind::Device, Kind::Object])
    } else if class == classes::LAYOUT.get() {
        Accepts::of(&[Kind::Layout, Kind::Object])
    } else if class == classes::MEMORY_FORMAT.get() {
        Accepts::of(&[Kind::MemoryFormat, Kind::Object])
    } else if class == classes::GENERATOR.get() {
        Accepts::of(&[Kind::Generator, Kind::Object])
    } else if let Some(number) = native::number(object) {
        native::satisfied(number)
    } else {
        // Counted, so that it stays alive whatever its code does.
        subclasses(&object.to_owned())
    }
}

fn subclasses(object: &Bound<'_, PyAny>) -> Accepts {
    if let Some(known) = object::known(object.as_borrowed()) {
        tensor(object::peek(known)).or(taking_over(object).and(Accepts::OVERRIDE))
    } else if let Some(kinds) = hooks::kinds(object) {
        kinds
    } else if classes::STORAGE.is_class_of(object) {
        Accepts::of(&[Kind::Storage, Kind::Object])
    } else if let Some(scalar) = numpy::scalar(object) {
        numpy_scalar(scalar)
    } else if object.is_instance_of::<PyInt>() {
        INT.or(Accepts::FOREIGN)
    } else if object.is_instance_of::<PyFloat>() {
        FLOAT.or(Accepts::FOREIGN)
    } else if object.is_instance_of::<PyComplex>() {
        COMPLEX.or(Accepts::FOREIGN)
    } else if object.is_instance_of::<PyString>() {
        text(object)
    } else if object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>() {
        sequence(object.as_borrowed())
    } else if object.is_instance_of::<PyType>() {
        python_type(object)
    } else if raw::is_index(object) && !arrays::stands_for_tensor(object) {
        INDEX.or(Accepts::FOREIGN).or(native::accepts(object)).or(taking_over(object))
    } else {
        OBJECT.or(native::accepts(object)).or(taking_over(object))
    }
}

/// Everything, for an object that takes over calls; else nothing.
///
/// Looking runs the object's code only if it has attributes of its own making.
fn taking_over(object: &Bound<'_, PyAny>) -> Accepts {
    if overrides::overrides(object) { overrides::TAKES_OVER } else { Accepts::NOTHING }
}

fn numpy_scalar(scalar: NumpyScalar) -> Accepts {
    let accepts = match scalar {
        NumpyScalar::Bool => BOOL,
        NumpyScalar::Int => INT,
        NumpyScalar::Float => FLOAT,
        NumpyScalar::Complex => COMPLEX,
    };
    accepts.or(Accepts::FOREIGN)
}

/// What a text satisfies: one that spells a dtype names no device.
fn text(object: &Bound<'_, PyAny>) -> Accepts {
    match spelling::of_object(object) {
        Some(_) => STR.without(Accepts::of(&[Kind::Device])).or(Accepts::of(&[Kind::DType])),
        None => STR,
    }
}

/// `float`, `int`, `bool` and `complex` stand for dtypes.
fn python_type(object: &Bound<'_, PyAny>) -> Accepts {
    let types: [*mut PyTypeObject; 4] = [
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyComplex_Type,
    ];
    if types.iter().any(|it| ptr::eq(it.cast(), object.as_ptr())) {
        Accepts::of(&[Kind::DType, Kind::Object])
    } else {
        OBJECT
    }
}

/// What a list or tuple satisfies: each kind of list whose elements all fit.
fn sequence(object: Borrowed<'_, '_, PyAny>) -> Accepts {
    let Some(elements) = Sequence::of(object) else { return OBJECT };
    let mut fits = LISTS;
    let mut marks = Accepts::NOTHING;
    // SAFETY: `classify` counts an element before it runs code that may take it out of the list,
    // and nobody uses the element behind it.
    for (at, element) in unsafe { elements.peek_each() }.enumerate() {
        let accepts = if is_sequence(&element) { OBJECT } else { classify(element) };
        fits = fits.and(as_element(accepts, at));
        marks = marks.or(accepts.and(Accepts::FOREIGN.or(Accepts::OVERRIDE)));
    }
    fits.or(marks).or(OBJECT)
}

/// All kinds of lists, for an empty one.
const LISTS: Accepts = Accepts::EVERYTHING
    .as_element()
    .without(Accepts::of(&[Kind::Int.list(), Kind::Object.list()]))
    .or(Accepts::of(&[Kind::OptionalTensorList, Kind::IntListOrInt]));

/// The kinds of lists that an argument of this description can be an element of.
fn as_element(element: Accepts, at: usize) -> Accepts {
    let none = element.has(Accepts::NONE);
    let tensor = element.kind(Kind::Tensor);
    let mut lists = element.as_element();
    // A bool counts as an integer behind the first element only, as it is
    // where a list is written `(0, True)`.
    if element.kind(Kind::SymInt) || (at > 0 && element.kind(Kind::Bool)) {
        lists = lists.or(Accepts::of(&[Kind::SymInt.list(), Kind::IntListOrInt]));
    }
    // As with bools: the first element is to show that this is a list of numbers.
    if at == 0 && tensor {
        lists = lists.without(Accepts::of(&[Kind::Float.list()]));
    }
    if tensor || none {
        lists = lists.or(Accepts::of(&[Kind::OptionalTensorList]));
    }
    if none {
        lists = lists.or(Accepts::of(&[Kind::Dimname.list()]));
    }
    lists
}
