//! Types of the crate that is built, as Python sees them.

mod arguments;
mod class;
pub mod held;
pub(crate) mod marshal;

use std::sync::OnceLock;

use opwright_runtime::Error;
use opwright_runtime::op::{self, NativeType, Value};
use opwright_runtime::resolve::{Accepts, Kind};
use opwright_runtime::types::{Derived, Structure};
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::convert::{Convert, Reading};
use super::failure::Failure;

use self::class::unknown;
pub(crate) use self::class::{accept, held, number, of as class_of, structure};

/// A type with `#[native_type]` that Python can pass: its author writes this and [`Convert`].
///
/// ```ignore
/// impl Native for Quantizer {
///     fn accepts(object: &Bound<'_, PyAny>) -> bool {
///         object.is_instance_of::<PyQuantizer>()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing says which objects of Python are values of `{Self}`",
    label = "`opwright::python::Native` is not implemented for it",
    note = "`#[native_type]` needs `impl Native` and `impl Convert` of `opwright::python` for the \
            type; a struct with named fields gets both by `#[derive(NativeType)]` instead"
)]
pub trait Native: Convert {
    /// Whether an object stands for a value of this type. It is asked of objects that are nothing
    /// else that operators take; it must not change anything.
    fn accepts(object: &Bound<'_, PyAny>) -> bool;

    /// The class of such objects, which the module then has under its name; none if it is to be
    /// found elsewhere.
    fn class(_: Python<'_>) -> Option<Bound<'_, PyType>> {
        None
    }
}

/// What printed code asks of a type with `#[native_type]`. The attribute writes it at the type's
/// name, so that what the author's two traits lack is missed there, and once.
pub trait Marshal: Native {}

/// What is to be known of such a type, in the order of the kinds of the resolver.
pub struct NativeKind {
    name: &'static str,
    /// What is derived of it.
    structure: Option<&'static Structure>,
    class: fn(Python<'_>) -> Option<Bound<'_, PyType>>,
    accepts: fn(&Bound<'_, PyAny>) -> bool,
    unpack: fn(&Bound<'_, PyAny>) -> Result<Value, Failure>,
    object: for<'py> fn(Python<'py>, op::Native) -> Result<Bound<'py, PyAny>, Failure>,
}

/// Those of the module.
static NATIVES: OnceLock<&'static [NativeKind]> = OnceLock::new();

impl NativeKind {
    /// That of this type.
    pub const fn of<T: Marshal + NativeType>() -> NativeKind {
        NativeKind {
            name: T::NAME,
            structure: None,
            class: T::class,
            accepts: T::accepts,
            unpack: |object| {
                let value = T::unpack(object, Reading::default())?;
                Ok(Value::Native(op::Native::new(value)))
            },
            object: |py, value| match value.take::<T>() {
                Some(value) => value.object(py),
                None => Err(unknown(T::NAME)),
            },
        }
    }
}

impl NativeKind {
    /// That of a struct with `#[derive(NativeType)]`.
    pub const fn derived<T: Derived>() -> NativeKind {
        NativeKind {
            name: T::NAME,
            structure: Some(T::DERIVED),
            class: |_| None,
            accepts: |_| false,
            unpack: |object| match held(object) {
                Some(native) => Ok(Value::Native(native)),
                None => Err(unknown(T::NAME)),
            },
            object: class::object,
        }
    }
}

/// Makes these types known, and adds their classes to the module. A second import says the same.
pub(crate) fn add(module: &Bound<'_, PyModule>, kinds: &'static [NativeKind]) -> PyResult<()> {
    Kind::name_natives(kinds.iter().map(|it| it.name).collect());
    let _ = NATIVES.set(kinds);
    for (number, kind) in kinds.iter().enumerate() {
        let class = match kind.structure {
            Some(structure) => Some(class::make(module, number, structure)?),
            None => (kind.class)(module.py()),
        };
        if let Some(class) = class {
            module.setattr(class.name()?, class)?;
        }
    }
    Ok(())
}

/// The names of these types, in the order of their numbers.
#[cfg(feature = "jit")]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    natives().iter().map(|it| it.name)
}

fn natives() -> &'static [NativeKind] {
    NATIVES.get().copied().unwrap_or_default()
}

/// What an instance of the `number`th type of the crate satisfies, if its class is derived.
pub(crate) const fn satisfied(number: u8) -> Accepts {
    Accepts::of(&[Kind::Object, Kind::native(number)])
}

/// The kinds of parameters that an object satisfies which is nothing else. To read it may run
/// Python code.
pub(crate) fn accepts(object: &Bound<'_, PyAny>) -> Accepts {
    let kinds = natives().iter().zip(0..).filter(|(it, _)| (it.accepts)(object));
    kinds.fold(Accepts::NOTHING, |accepts, (_, number)| {
        accepts.or(Accepts::of(&[Kind::native(number)])).or(Accepts::FOREIGN)
    })
}

/// The value of an argument of the type with this number.
///
/// # Errors
///
/// What the type's author reports.
pub(crate) fn unpack(number: u8, object: &Bound<'_, PyAny>) -> Result<Value, Failure> {
    (natives()[usize::from(number)].unpack)(object)
}

/// The value of an object of any of these types.
///
/// # Errors
///
/// `TypeError` if it is of none of them, or what the type's author reports.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> Result<op::Native, Failure> {
    if let Some(native) = held(object) {
        return Ok(native);
    }
    if let Some(kind) = natives().iter().find(|it| (it.accepts)(object))
        && let Value::Native(native) = (kind.unpack)(object)?
    {
        return Ok(native);
    }
    let class = object.get_type().name()?;
    Err(Error::wrong_type(format_args!("`{class}` is no type of this module")).into())
}

/// The classes of these types, as far as they have some.
pub(crate) fn classes(py: Python<'_>) -> Vec<Py<PyType>> {
    let class = |it: &NativeKind| match it.structure {
        Some(structure) => class_of(py, structure),
        None => (it.class)(py),
    };
    natives().iter().filter_map(class).map(Bound::unbind).collect()
}

/// A value as an object.
///
/// # Errors
///
/// What the type's author reports.
pub(crate) fn object(py: Python<'_>, value: op::Native) -> Result<Bound<'_, PyAny>, Failure> {
    match natives().iter().find(|it| it.name == value.name()) {
        Some(kind) => (kind.object)(py, value),
        None => Err(unknown(value.name())),
    }
}
