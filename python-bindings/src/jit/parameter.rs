//! Unboxing of arguments: type checks and readers, decided when a function is compiled.
//!
//! On each call an argument is compared with what the function was compiled for and read at once:
//! mostly its class is one address, and its words lie in it. What needs code of Python for that is
//! left to others, see [`ArgumentKind::recognizes`].

use opwright_jit::entry::argument_owner;
use opwright_jit::types::{Ty, TyKind};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyComplexMethods, PyFloat, PyInt, PyString, PyTuple, PyType};
use smallvec::{SmallVec, smallvec};

use super::arrays::{Arguments, ArrayForm, Words};
use super::dispatcher::Dispatcher;
use super::entry::{ArgumentKind, DerivedArguments, Shape};
use super::fields::{self, Members};
use super::ndarray::NumpyScalar;
use super::{boxing, objects, structs};
use crate::raw::{self, Visitor};

impl ArgumentKind {
    /// That of a type.
    pub(super) fn of(py: Python<'_>, ty: Ty) -> ArgumentKind {
        ArgumentKind { ty, width: ty.width(), shape: shape(py, ty), scalar: NumpyScalar::of(ty) }
    }

    /// Tells the garbage collector what it keeps.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        match &self.shape {
            Shape::Derived(derived) => derived.traverse(visitor),
            Shape::Tuple(_, items) => items.iter().for_each(|it| it.traverse(visitor)),
            _ => {}
        }
    }

    /// Whether arguments are read without code of Python.
    pub(super) fn is_direct(&self) -> bool {
        match &self.shape {
            Shape::Derived(_) | Shape::Other => false,
            Shape::Struct(members) => !matches!(members.shape, fields::Shape::Other),
            _ => true,
        }
    }

    /// Reads an argument, if it is of the type and that can be seen without code of Python.
    #[inline]
    pub(super) fn read<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> bool {
        match &self.shape {
            Shape::Float => match object.cast_exact::<PyFloat>() {
                Ok(float) => put(words, float.value().to_bits()),
                Err(_) => self.scalar.read(object, words),
            },
            Shape::Int => match object.cast_exact::<PyInt>() {
                Ok(int) => match raw::to_i64(int) {
                    Some(value) => put(words, value.cast_unsigned()),
                    None => false,
                },
                Err(_) => self.scalar.read(object, words),
            },
            Shape::Bool => {
                let address = object.as_ptr();
                // SAFETY: both always exist.
                let (yes, no) = unsafe { (ffi::Py_True(), ffi::Py_False()) };
                if address == yes || address == no {
                    put(words, u64::from(address == yes))
                } else {
                    self.scalar.read(object, words)
                }
            }
            Shape::None => object.is_none(),
            Shape::Array(form) => form.read(object, words, arguments),
            Shape::Struct(members) => structure(members, object, words, arguments),
            Shape::Tuple(class, items) => tuple(*class, items, object, words, arguments),
            Shape::Text => {
                object.is_exact_instance_of::<PyString>() && {
                    put(words, argument_owner(arguments.list.len()));
                    arguments.list.push((object.clone(), SmallVec::new()));
                    true
                }
            }
            Shape::Unsigned => unsigned(object, words) || self.scalar.read(object, words),
            Shape::Complex => complex(object, words) || self.scalar.read(object, words),
            Shape::Scalar => self.scalar.read(object, words),
            Shape::Function(address) => is_function(object, *address),
            Shape::Derived(_) | Shape::Other => false,
        }
    }

    /// Whether an object that only code of Python can read is of the type, as its class says.
    pub(super) fn recognizes(&self, object: &Bound<'_, PyAny>) -> bool {
        match &self.shape {
            Shape::Derived(derived) => derived.recognizes(object),
            Shape::Struct(members) => object.get_type_ptr().addr() == members.class,
            _ => false,
        }
    }

    /// Reads an argument that is of the type.
    ///
    /// # Errors
    ///
    /// What code of Python raises that says what its words are.
    pub(super) fn unbox<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        words: &mut [u64],
        arguments: &mut Arguments<'py>,
    ) -> PyResult<()> {
        if self.read(object, words, arguments) {
            return Ok(());
        }
        if let Shape::Derived(derived) = &self.shape {
            return derived.unbox(object, words, arguments);
        }
        let mut found = Words::new();
        boxing::unbox(object, self.ty, &mut found, arguments)?;
        words[..self.width].copy_from_slice(&found);
        Ok(())
    }
}

fn shape(py: Python<'_>, ty: Ty) -> Shape {
    match &*ty {
        TyKind::Float(64) => Shape::Float,
        TyKind::Int(int) if int.bits == 64 => match int.is_signed {
            true => Shape::Int,
            false => Shape::Unsigned,
        },
        TyKind::Bool => Shape::Bool,
        TyKind::Complex(128) => Shape::Complex,
        TyKind::Int(_) | TyKind::Float(_) | TyKind::Complex(_) => Shape::Scalar,
        TyKind::None => Shape::None,
        TyKind::Unicode => Shape::Text,
        TyKind::Array(array) => Shape::Array(ArrayForm::of(array)),
        TyKind::Tuple(items) => of_tuple(&py.get_type::<PyTuple>(), items),
        TyKind::NamedTuple(class, _, items) => match objects::object(py, *class).cast::<PyType>() {
            Ok(class) => of_tuple(class, items),
            Err(_) => Shape::Other,
        },
        TyKind::Function(object) | TyKind::Class(object) | TyKind::Exception(object) => {
            Shape::Function(objects::object(py, *object).as_ptr().addr())
        }
        TyKind::User(user) => match Members::of(py, ty, user) {
            Some(members) => Shape::Struct(members),
            None => DerivedArguments::of(ty, user).map_or(Shape::Other, Shape::Derived),
        },
        _ => Shape::Other,
    }
}

/// Tuples of a class that lives as long as the process.
fn of_tuple(class: &Bound<'_, PyType>, items: &[Ty]) -> Shape {
    let py = class.py();
    let items: Box<[ArgumentKind]> = items.iter().map(|it| ArgumentKind::of(py, *it)).collect();
    // One that has to be asked for its type is asked as a whole.
    let is_direct = items.iter().all(ArgumentKind::is_direct);
    match is_direct && class.is_subclass_of::<PyTuple>().unwrap_or(false) {
        true => Shape::Tuple(class.as_ptr().addr(), items),
        false => Shape::Other,
    }
}

/// Writes the first word.
#[inline(always)]
fn put(words: &mut [u64], word: u64) -> bool {
    words.first_mut().map(|it| *it = word).is_some()
}

#[cold]
fn unsigned(object: &Bound<'_, PyAny>, words: &mut [u64]) -> bool {
    match object.cast_exact::<PyInt>() {
        Ok(int) if raw::to_i64(int).is_none() => {
            int.extract::<u64>().is_ok_and(|it| put(words, it))
        }
        _ => false,
    }
}

fn complex(object: &Bound<'_, PyAny>, words: &mut [u64]) -> bool {
    let Ok(number) = object.cast_exact::<PyComplex>() else { return false };
    put(words, number.real().to_bits()) && put(&mut words[1..], number.imag().to_bits())
}

/// Whether an object is the function at an address, or compiles it. One that is equal, but another
/// object, is asked for its type.
fn is_function(object: &Bound<'_, PyAny>, address: usize) -> bool {
    object.as_ptr().addr() == address
        || object
            .cast::<Dispatcher>()
            .is_ok_and(|it| it.get().function(object.py()).as_ptr().addr() == address)
}

/// Reads a native struct: its owner, and its members or where they are.
#[inline]
fn structure<'py>(
    members: &Members,
    object: &Bound<'py, PyAny>,
    words: &mut [u64],
    arguments: &mut Arguments<'py>,
) -> bool {
    if object.get_type_ptr().addr() != members.class {
        return false;
    }
    let Some((owner, rest)) = words.split_first_mut() else { return false };
    let start = structs::object::start(object);
    let place = start.expose_provenance() as u64;
    match &members.shape {
        fields::Shape::Other => return false,
        fields::Shape::Place => rest[0] = place,
        // SAFETY: an object of the class that was made for these members.
        fields::Shape::Numbers(fields) => unsafe { fields.read(start, rest) },
    }
    *owner = argument_owner(arguments.list.len());
    arguments.list.push((object.clone(), smallvec![place]));
    true
}

/// Reads a tuple of a class.
fn tuple<'py>(
    class: usize,
    items: &[ArgumentKind],
    object: &Bound<'py, PyAny>,
    words: &mut [u64],
    arguments: &mut Arguments<'py>,
) -> bool {
    if object.get_type_ptr().addr() != class {
        return false;
    }
    // SAFETY: the class is derived from that of tuples, as `of_tuple` looked.
    let tuple = unsafe { object.cast_unchecked::<PyTuple>() };
    if raw::tuple_len(tuple) != items.len() {
        return false;
    }
    let mut rest = words;
    for (at, item) in items.iter().enumerate() {
        let Some(value) = raw::tuple_get(tuple.as_borrowed(), at) else { return false };
        let (own, after) = rest.split_at_mut(item.width);
        if !item.read(&value, own, arguments) {
            return false;
        }
        rest = after;
    }
    true
}
