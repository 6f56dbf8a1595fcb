//! C entry points: functions that the interpreter calls, around safe ones.

use std::ffi::c_int;
use std::ptr;

use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::call::lent;
use super::reference::NewReference;

/// Declares functions for method tables and slots: with the arguments that the interpreter passes,
/// by [`Passed`], and with what it gets, by [`Answer`]. Their bodies are safe code.
///
/// Like any function of the interpreter's, they are unsafe to call. Who puts one into a table or
/// into a slot says by this that it is called with such arguments: objects that live as long as the
/// call, the first of them an instance of the class that the table or slot belongs to.
macro_rules! entry {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($py:ident $(, $arg:ident: $passed:ty)*) -> $answer:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        $visibility unsafe extern "C" fn $name(
            $($arg: <$passed as $crate::raw::Passed>::Raw),*
        ) -> <$answer as $crate::raw::Answer>::Raw {
            #[inline(always)]
            fn safe<'py>(
                $py: ::pyo3::Python<'py>,
                $($arg: <$passed as $crate::raw::Passed>::Argument<'_, 'py>),*
            ) -> <$answer as $crate::raw::Answer>::Answer<'py> $body

            // SAFETY: the interpreter calls with the GIL held, and keeps its arguments, which are
            // of these types, until the call returns.
            unsafe {
                let py = ::pyo3::Python::assume_attached();
                <$answer as $crate::raw::Answer>::raw(
                    safe(py, $(<$passed as $crate::raw::Passed>::argument(py, $arg)),*)
                )
            }
        }
    )*};
}

pub(crate) use entry;

/// Declares what [`crate::__entry`] hands such arguments on to, behind one of its own: safe code as
/// well, and unsafe to call but from there.
macro_rules! passed_on {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident(
            $py:ident, $own:ident: $own_type:ty; $($arg:ident: $passed:ty),*
        ) -> $answer:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        ///
        /// # Safety
        ///
        /// The arguments are what the interpreter passes to such an entry, with the GIL held.
        $visibility unsafe fn $name(
            $own: $own_type,
            $($arg: <$passed as $crate::raw::Passed>::Raw),*
        ) -> <$answer as $crate::raw::Answer>::Raw {
            #[inline(always)]
            fn safe<'py>(
                $py: ::pyo3::Python<'py>,
                $own: $own_type,
                $($arg: <$passed as $crate::raw::Passed>::Argument<'_, 'py>),*
            ) -> <$answer as $crate::raw::Answer>::Answer<'py> $body

            // SAFETY: whoever calls this was called by the interpreter, which keeps the arguments,
            // of these types, until the call returns.
            unsafe {
                let py = ::pyo3::Python::assume_attached();
                <$answer as $crate::raw::Answer>::raw(
                    safe(py, $own, $(<$passed as $crate::raw::Passed>::argument(py, $arg)),*)
                )
            }
        }
    )*};
}

pub(crate) use passed_on;

/// What the interpreter passes for an argument.
pub trait Passed {
    /// The type in C.
    type Raw;
    /// The argument of safe code.
    type Argument<'a, 'py>;

    /// The argument.
    ///
    /// # Safety
    ///
    /// The interpreter passed `raw` for this, and keeps what it points to for `'a`.
    unsafe fn argument<'a, 'py>(py: Python<'py>, raw: Self::Raw) -> Self::Argument<'a, 'py>;
}

/// An instance of the class that `T` stands for.
pub struct Lent<T>(T);

impl<T: 'static> Passed for Lent<T> {
    type Raw = *mut PyObject;
    type Argument<'a, 'py> = Borrowed<'a, 'py, T>;

    #[inline(always)]
    unsafe fn argument<'a, 'py>(py: Python<'py>, raw: *mut PyObject) -> Borrowed<'a, 'py, T> {
        // SAFETY: the caller says that the interpreter passed an instance.
        unsafe { lent(py, raw) }
    }
}

/// The same, or null.
pub(crate) struct Optional<T>(T);

impl<T: 'static> Passed for Optional<T> {
    type Raw = *mut PyObject;
    type Argument<'a, 'py> = Option<Borrowed<'a, 'py, T>>;

    #[inline(always)]
    unsafe fn argument<'a, 'py>(
        py: Python<'py>,
        raw: *mut PyObject,
    ) -> Option<Borrowed<'a, 'py, T>> {
        // SAFETY: the caller says that the interpreter passed an instance, unless it is null.
        if raw.is_null() { None } else { Some(unsafe { lent(py, raw) }) }
    }
}

/// A pointer that nobody reads, such as what methods without parameters get.
pub(crate) struct Unused;

impl Passed for Unused {
    type Raw = *mut PyObject;
    type Argument<'a, 'py> = ();

    #[inline(always)]
    unsafe fn argument<'a, 'py>(_: Python<'py>, _: *mut PyObject) -> Self::Argument<'a, 'py> {}
}

/// A value that is passed as it is: a number, or a pointer that safe code only hands on.
pub struct Plain<T>(T);

impl<T> Passed for Plain<T> {
    type Raw = T;
    type Argument<'a, 'py> = T;

    #[inline(always)]
    unsafe fn argument<'a, 'py>(_: Python<'py>, raw: T) -> Self::Argument<'a, 'py> {
        raw
    }
}

/// What the interpreter gets.
pub trait Answer {
    /// The type in C.
    type Raw;
    /// What safe code returns.
    type Answer<'py>;

    /// What the interpreter takes for an answer.
    fn raw(answer: Self::Answer<'_>) -> Self::Raw;
}

/// An object, or nothing: because of an exception that is set, or at the end of an iteration.
pub(crate) struct New;

impl Answer for New {
    type Raw = *mut PyObject;
    type Answer<'py> = Option<Bound<'py, PyAny>>;

    #[inline(always)]
    fn raw(answer: Option<Bound<'_, PyAny>>) -> *mut PyObject {
        answer.map_or(ptr::null_mut(), Bound::into_ptr)
    }
}

/// The same, for a reference that is on its way already.
impl Answer for Option<NewReference> {
    type Raw = *mut PyObject;
    type Answer<'py> = Option<NewReference>;

    #[inline(always)]
    fn raw(answer: Option<NewReference>) -> *mut PyObject {
        NewReference::or_null(answer)
    }
}

impl Answer for c_int {
    type Raw = c_int;
    type Answer<'py> = c_int;

    #[inline(always)]
    fn raw(answer: c_int) -> c_int {
        answer
    }
}

impl Answer for Py_ssize_t {
    type Raw = Py_ssize_t;
    type Answer<'py> = Py_ssize_t;

    #[inline(always)]
    fn raw(answer: Py_ssize_t) -> Py_ssize_t {
        answer
    }
}

impl Answer for () {
    type Raw = ();
    type Answer<'py> = ();

    #[inline(always)]
    fn raw((): ()) {}
}
