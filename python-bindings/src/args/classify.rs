//! One look at an argument: the kinds of parameters that it satisfies.
//!
//! Runs no Python code but `__getattr__` of objects that nobody knows, which
//! are asked for an override: exact types are compared by address, the rest by
//! their type's slots and bases.

use std::ptr;

use opwright_runtime::Tensor;
use opwright_runtime::resolve::{Accepts, Kind};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;

use super::arrays;
use super::numpy::{self, NumpyScalar};
use super::sequence::Sequence;
use crate::classes;
use crate::overrides;
use crate::tensor::object;

const NONE: Accepts = Accepts::NONE.or(Accepts::of(&[Kind::Object]));
const BOOL: Accepts =
    Accepts::of(&[Kind::Bool, Kind::Float, Kind::Scalar, Kind::TensorOrNumber, Kind::Object]);
const INT: Accepts = Accepts::of(&[
    Kind::Int,
    Kind::SymInt,
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
const STR: Accepts =
    Accepts::of(&[Kind::Str, Kind::Device, Kind::Dimname, Kind::DimnameList, Kind::Object]);
const INDEX: Accepts = Accepts::of(&[Kind::SymInt, Kind::IntListOrInt, Kind::Object]);
const TENSOR: Accepts = Accepts::of(&[Kind::Tensor, Kind::TensorOrNumber, Kind::Object]);
const OBJECT: Accepts = Accepts::of(&[Kind::Object]);

/// The kinds of parameters that `object` satisfies.
///
/// # Safety
///
/// `object` is a valid object, and the GIL is held.
#[inline(always)]
pub unsafe fn classify(object: *mut PyObject) -> Accepts {
    // SAFETY: the caller's promise covers every call below.
    unsafe {
        let class = ffi::Py_TYPE(object);
        if class == classes::TENSOR.get() || class == classes::TENSOR_BASE.get() {
            tensor(object::peek(object))
        } else if class == &raw mut ffi::PyFloat_Type {
            FLOAT
        } else if class == &raw mut ffi::PyLong_Type {
            INT
        } else if class == &raw mut ffi::PyBool_Type {
            BOOL
        } else if object == ffi::Py_None() {
            NONE
        } else {
            others(object, class)
        }
    }
}

/// What a tensor satisfies: with one element it can also stand for a number.
#[inline]
fn tensor(tensor: &Tensor) -> Accepts {
    if tensor.ndim() == 0 { zero_dim(tensor) } else { one_element(tensor) }
}

fn zero_dim(tensor: &Tensor) -> Accepts {
    let dtype = tensor.dtype();
    let number = TENSOR.or(Accepts::of(&[Kind::Scalar, Kind::Float]));
    if dtype.is_boolean() {
        number.or(INDEX)
    } else if dtype.is_integral() {
        number.or(INDEX).or(Accepts::of(&[Kind::Int]))
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
unsafe fn others(object: *mut PyObject, class: *mut PyTypeObject) -> Accepts {
    // SAFETY: the caller's promise covers every call below.
    unsafe {
        if class == classes::DTYPE.get() {
            Accepts::of(&[Kind::DType, Kind::Object])
        } else if class == &raw mut ffi::PyTuple_Type || class == &raw mut ffi::PyList_Type {
            sequence(object)
        } else if class == &raw mut ffi::PyUnicode_Type {
            STR
        } else if class == classes::DEVICE.get() {
            Accepts::of(&[Kind::Device, Kind::Object])
        } else if class == classes::LAYOUT.get() {
            Accepts::of(&[Kind::Layout, Kind::Object])
        } else if class == classes::MEMORY_FORMAT.get() {
            Accepts::of(&[Kind::MemoryFormat, Kind::Object])
        } else if class == classes::GENERATOR.get() {
            Accepts::of(&[Kind::Generator, Kind::Object])
        } else if class == classes::STORAGE.get() {
            Accepts::of(&[Kind::Storage, Kind::Object])
        } else {
            subclasses(object, class)
        }
    }
}

unsafe fn subclasses(object: *mut PyObject, class: *mut PyTypeObject) -> Accepts {
    // SAFETY: the caller's promise covers every call below.
    unsafe {
        let is = |base: *mut PyTypeObject| ffi::PyType_IsSubtype(class, base) != 0;
        if is(classes::TENSOR_BASE.get()) {
            tensor(object::peek(object)).or(taking_over(object).and(Accepts::OVERRIDE))
        } else if let Some(scalar) = numpy::scalar(class) {
            numpy_scalar(scalar)
        } else if is(&raw mut ffi::PyLong_Type) {
            INT.or(Accepts::FOREIGN)
        } else if is(&raw mut ffi::PyFloat_Type) {
            FLOAT.or(Accepts::FOREIGN)
        } else if is(&raw mut ffi::PyComplex_Type) {
            COMPLEX.or(Accepts::FOREIGN)
        } else if is(&raw mut ffi::PyUnicode_Type) {
            STR
        } else if is(&raw mut ffi::PyTuple_Type) || is(&raw mut ffi::PyList_Type) {
            sequence(object)
        } else if is(&raw mut ffi::PyType_Type) {
            python_type(object)
        } else if ffi::PyIndex_Check(object) != 0 && !arrays::stands_for_tensor(object) {
            INDEX.or(Accepts::FOREIGN).or(taking_over(object))
        } else {
            OBJECT.or(taking_over(object))
        }
    }
}

/// Everything, for an object that takes over calls; else nothing.
///
/// Looking runs the object's code only if it has attributes of its own making.
unsafe fn taking_over(object: *mut PyObject) -> Accepts {
    // SAFETY: callers pass a valid object and hold the GIL; the new reference
    // keeps it alive whatever its code does.
    let object = unsafe { Bound::from_borrowed_ptr(Python::assume_attached(), object) };
    if overrides::overrides(&object) { overrides::TAKES_OVER } else { Accepts::NOTHING }
}

fn numpy_scalar(scalar: NumpyScalar) -> Accepts {
    let accepts = match scalar {
        NumpyScalar::Bool => {
            Accepts::of(&[Kind::Float, Kind::Scalar, Kind::TensorOrNumber, Kind::Object])
        }
        NumpyScalar::Int => INT,
        NumpyScalar::Float => FLOAT,
        NumpyScalar::Complex => COMPLEX,
    };
    accepts.or(Accepts::FOREIGN)
}

/// `float`, `int`, `bool` and `complex` stand for dtypes.
fn python_type(object: *mut PyObject) -> Accepts {
    let types: [*mut PyTypeObject; 4] = [
        &raw mut ffi::PyFloat_Type,
        &raw mut ffi::PyLong_Type,
        &raw mut ffi::PyBool_Type,
        &raw mut ffi::PyComplex_Type,
    ];
    if types.iter().any(|it| ptr::eq(it.cast(), object)) {
        Accepts::of(&[Kind::DType, Kind::Object])
    } else {
        OBJECT
    }
}

/// What a list or tuple satisfies: each kind of list whose elements all fit.
unsafe fn sequence(object: *mut PyObject) -> Accepts {
    // SAFETY: the caller's promise; `object` is a list or a tuple.
    let elements = unsafe { Sequence::new(object) };
    let mut fits = Accepts::of(&[
        Kind::TensorList,
        Kind::OptionalTensorList,
        Kind::ScalarList,
        Kind::IntList,
        Kind::IntListOrInt,
        Kind::FloatList,
        Kind::BoolList,
        Kind::DimnameList,
    ]);
    let mut marks = Accepts::NOTHING;
    for (at, element) in elements.iter().enumerate() {
        // SAFETY: elements of a live sequence; nothing runs between reading and looking at one.
        let accepts = if unsafe { is_sequence(element) } {
            OBJECT
        } else {
            // SAFETY: as above.
            unsafe { classify(element) }
        };
        fits = fits.and(as_element(accepts, at));
        marks = marks.or(accepts.and(Accepts::FOREIGN.or(Accepts::OVERRIDE)));
    }
    fits.or(marks).or(OBJECT)
}

/// The kinds of lists that an argument of this description can be an element of.
fn as_element(element: Accepts, at: usize) -> Accepts {
    let mut lists = Accepts::NOTHING;
    let mut add = |fits: bool, kinds: Accepts| {
        if fits {
            lists = lists.or(kinds);
        }
    };
    let none = element.has(Accepts::NONE);
    let tensor = element.kind(Kind::Tensor);
    // A bool counts as an integer behind the first element only, as it is
    // where a list is written `(0, True)`.
    let integer = element.kind(Kind::SymInt) || (at > 0 && element.kind(Kind::Bool));
    add(tensor, Accepts::of(&[Kind::TensorList]));
    add(tensor || none, Accepts::of(&[Kind::OptionalTensorList]));
    add(element.kind(Kind::Scalar), Accepts::of(&[Kind::ScalarList]));
    add(integer, Accepts::of(&[Kind::IntList, Kind::IntListOrInt]));
    // As with bools: the first element is to show that this is a list of numbers.
    add(element.kind(Kind::Float) && !(at == 0 && tensor), Accepts::of(&[Kind::FloatList]));
    add(element.kind(Kind::Bool), Accepts::of(&[Kind::BoolList]));
    add(element.kind(Kind::Dimname) || none, Accepts::of(&[Kind::DimnameList]));
    lists
}

unsafe fn is_sequence(object: *mut PyObject) -> bool {
    // SAFETY: the caller's promise: a valid object.
    unsafe { ffi::PyTuple_Check(object) != 0 || ffi::PyList_Check(object) != 0 }
}
