//! A call of a printed function: what its arguments are read with, and where panics end.

use std::any::Any;
use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use opwright_runtime as rt;
use opwright_runtime::{Result, StrVariant, buffer, ensure, op, reserve};

use crate::error::{self, Status};
use crate::handle::{Handle, Pointee, is_known};
use crate::value::{CValue, EnumConstant, NONE, Wrong};

/// The names of the operator and its parameters, with blanks between them.
#[derive(Clone, Copy, Debug)]
pub struct CallNames(&'static str);

/// Runs the body of a function; an error or a panic in it becomes what the function returns.
#[inline(never)]
pub fn run(words: &'static str, body: &mut dyn FnMut(CallNames) -> Result<()>) -> Status {
    match catch_unwind(AssertUnwindSafe(|| reserve::check().and_then(|()| body(CallNames(words)))))
    {
        Ok(Ok(())) => ptr::null_mut(),
        Ok(Err(error)) => failed(words, &error),
        Err(payload) => panicked(words, payload),
    }
}

#[cold]
fn failed(words: &'static str, error: &rt::Error) -> Status {
    error::failed(error, CallNames(words).word(0))
}

#[cold]
fn panicked(words: &'static str, payload: Box<dyn Any + Send>) -> Status {
    let status = error::panicked(&*payload, CallNames(words).word(0));
    // What is thrown may panic when it is dropped.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    status
}

/// No list is longer, so that its size in bytes is a number.
const LONGEST: usize = isize::MAX as usize / 32;

/// Each fails with an error that names the argument, which is the `at`th of the words.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
#[expect(clippy::missing_safety_doc, reason = "pointers are what the header says of them")]
impl CallNames {
    fn word(self, at: usize) -> &'static str {
        self.0.split(' ').nth(at).unwrap_or_default()
    }

    /// Something behind a handle.
    pub unsafe fn object<'a, T: Pointee>(
        self,
        handle: *const Handle<T>,
        at: usize,
    ) -> Result<&'a T> {
        // SAFETY: it is NULL or a handle that is not freed before the call returns.
        match unsafe { handle.as_ref() } {
            Some(it) if is_known(handle) => Ok(&it.0),
            given => Err(self.no_object(at, given.is_some(), T::NOUN)),
        }
    }

    /// The same, or nothing.
    pub unsafe fn optional<'a, T: Pointee>(
        self,
        handle: *const Handle<T>,
        at: usize,
    ) -> Result<Option<&'a T>> {
        if handle.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.object(handle, at) }.map(Some)
    }

    /// A list of them.
    pub unsafe fn objects<'a, T: Pointee>(
        self,
        handles: *const *const Handle<T>,
        len: usize,
        at: usize,
    ) -> Result<&'a [&'a T]> {
        // SAFETY: as many handles as that can be read.
        let handles = unsafe { self.slice(handles, len, at) }?;
        if let Some(element) = handles.iter().position(|it| it.is_null() || !is_known(*it)) {
            return Err(self.no_element(at, element, T::NOUN));
        }
        // SAFETY: a handle is transparent, none is NULL, and a reference is a pointer.
        Ok(unsafe { &*(ptr::from_ref(handles) as *const [&'a T]) })
    }

    /// The same, or nothing.
    pub unsafe fn optional_objects<'a, T: Pointee>(
        self,
        handles: *const *const Handle<T>,
        len: usize,
        at: usize,
    ) -> Result<Option<&'a [&'a T]>> {
        if handles.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.objects(handles, len, at) }.map(Some)
    }

    /// A list, any element of which may be absent.
    pub unsafe fn elements<'a, T: Pointee>(
        self,
        handles: *const *const Handle<T>,
        len: usize,
        at: usize,
    ) -> Result<&'a [Option<&'a T>]> {
        // SAFETY: as many handles as that can be read.
        let handles = unsafe { self.slice(handles, len, at) }?;
        if let Some(element) = handles.iter().position(|it| !it.is_null() && !is_known(*it)) {
            return Err(self.no_element(at, element, T::NOUN));
        }
        // SAFETY: a handle is transparent, and an optional reference is a pointer.
        Ok(unsafe { &*(ptr::from_ref(handles) as *const [Option<&'a T>]) })
    }

    /// A number or a constant.
    pub unsafe fn value<T: CValue>(self, c: T::C, at: usize) -> Result<T> {
        T::of(c).map_err(|it| self.wrong(at, it))
    }

    /// A number, or nothing.
    pub unsafe fn given<T: CValue>(self, c: *const T::C, at: usize) -> Result<Option<T>> {
        // SAFETY: it is NULL or can be read.
        let Some(c) = (unsafe { c.as_ref() }) else { return Ok(None) };
        T::of(*c).map(Some).map_err(|it| self.wrong(at, it))
    }

    /// A constant, or nothing.
    pub unsafe fn named<T: EnumConstant>(self, c: i32, at: usize) -> Result<Option<T>> {
        if c == NONE {
            return Ok(None);
        }
        T::of(c).map(Some).map_err(|it| self.wrong(at, it))
    }

    /// A list of values; one alone is repeated to `N`.
    pub unsafe fn list<'a, T: CValue + Clone, const N: usize>(
        self,
        values: *const T::C,
        len: usize,
        at: usize,
    ) -> Result<Cow<'a, [T]>> {
        // SAFETY: as many values as that can be read.
        let values = unsafe { self.slice(values, len, at) }?;
        if let ([only], true) = (values, N > 1) {
            let value = T::of(*only).map_err(|it| self.wrong(at, it))?;
            return Ok(Cow::Owned(vec![value; N]));
        }
        if T::IS_C {
            // SAFETY: a value of such a type is what C passes.
            return Ok(Cow::Borrowed(unsafe { &*(ptr::from_ref(values) as *const [T]) }));
        }
        let all = values.iter().map(|it| T::of(*it).map_err(|it| self.wrong(at, it)));
        buffer::try_collected(all).map(Cow::Owned)
    }

    /// The same, or nothing.
    pub unsafe fn optional_list<'a, T: CValue + Clone, const N: usize>(
        self,
        values: *const T::C,
        len: usize,
        at: usize,
    ) -> Result<Option<Cow<'a, [T]>>> {
        if values.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.list::<T, N>(values, len, at) }.map(Some)
    }

    /// A text.
    pub unsafe fn text<'a>(self, text: *const c_char, at: usize) -> Result<&'a str> {
        // SAFETY: it is NULL or ends with a NUL.
        match unsafe { self.optional_text(text, at) }? {
            Some(text) => Ok(text),
            None => Err(self.refused(at, "is NULL, expected a text")),
        }
    }

    /// A text, or nothing.
    pub unsafe fn optional_text<'a>(
        self,
        text: *const c_char,
        at: usize,
    ) -> Result<Option<&'a str>> {
        if text.is_null() {
            return Ok(None);
        }
        // SAFETY: it ends with a NUL.
        let text = unsafe { CStr::from_ptr(text) }.to_str();
        text.map(Some).map_err(|_| self.refused(at, "is no UTF-8"))
    }

    /// A word of an enumeration.
    pub unsafe fn variant<T: StrVariant>(self, word: *const c_char, at: usize) -> Result<T> {
        // SAFETY: it is NULL or ends with a NUL.
        op::variant(unsafe { self.text(word, at) }?)
    }

    /// The same, or nothing.
    pub unsafe fn optional_variant<T: StrVariant>(
        self,
        word: *const c_char,
        at: usize,
    ) -> Result<Option<T>> {
        // SAFETY: as there.
        unsafe { self.optional_text(word, at) }?.map(op::variant).transpose()
    }

    /// Words of an enumeration.
    pub unsafe fn variants<T: StrVariant>(
        self,
        words: *const *const c_char,
        len: usize,
        at: usize,
    ) -> Result<Vec<T>> {
        // SAFETY: as many texts as that can be read.
        let words = unsafe { self.slice(words, len, at) }?;
        // SAFETY: each is NULL or ends with a NUL.
        buffer::try_collected(words.iter().map(|it| unsafe { self.variant(*it, at) }))
    }

    /// The same, or nothing.
    pub unsafe fn optional_variants<T: StrVariant>(
        self,
        words: *const *const c_char,
        len: usize,
        at: usize,
    ) -> Result<Option<Vec<T>>> {
        if words.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.variants(words, len, at) }.map(Some)
    }

    /// Texts.
    pub unsafe fn texts<'a>(
        self,
        texts: *const *const c_char,
        len: usize,
        at: usize,
    ) -> Result<Vec<&'a str>> {
        // SAFETY: as many texts as that can be read.
        let texts = unsafe { self.slice(texts, len, at) }?;
        // SAFETY: each is NULL or ends with a NUL.
        buffer::try_collected(texts.iter().map(|it| unsafe { self.text(*it, at) }))
    }

    /// The same, or nothing.
    pub unsafe fn optional_texts<'a>(
        self,
        texts: *const *const c_char,
        len: usize,
        at: usize,
    ) -> Result<Option<Vec<&'a str>>> {
        if texts.is_null() {
            return Ok(None);
        }
        // SAFETY: as there.
        unsafe { self.texts(texts, len, at) }.map(Some)
    }

    /// A list as C has it.
    pub(crate) unsafe fn slice<'a, T>(
        self,
        data: *const T,
        len: usize,
        at: usize,
    ) -> Result<&'a [T]> {
        if len == 0 {
            return Ok(&[]);
        }
        if data.is_null() {
            return Err(self.refused(at, "is NULL, expected a list"));
        }
        let name = self.word(at);
        ensure!(
            len <= LONGEST,
            Overflow,
            "argument '{name}' has {len} elements, which is too many"
        );
        // SAFETY: it is not NULL, and as many values as that can be read.
        Ok(unsafe { slice::from_raw_parts(data, len) })
    }

    /// Something to write to.
    pub(crate) unsafe fn written<'a, T: Pointee>(
        self,
        handle: *mut Handle<T>,
        at: usize,
    ) -> Result<&'a mut T> {
        // SAFETY: it is NULL or a handle.
        unsafe { self.object(handle.cast_const(), at) }?;
        // SAFETY: `object` has found that it is not NULL, and the caller that no other argument is
        // this handle; other threads do not use what is written to.
        Ok(unsafe { &mut (*handle).0 })
    }

    #[cold]
    pub(crate) fn refused(self, at: usize, why: &str) -> rt::Error {
        rt::Error::wrong_type(format_args!("argument '{}' {why}", self.word(at)))
    }

    #[cold]
    fn no_object(self, at: usize, is_given: bool, expected: &str) -> rt::Error {
        match is_given {
            true => self.refused(at, "was freed"),
            false => self.refused(at, &format!("is NULL, expected {expected}")),
        }
    }

    #[cold]
    pub(crate) fn no_element(self, at: usize, element: usize, expected: &str) -> rt::Error {
        let name = self.word(at);
        rt::Error::wrong_type(format_args!(
            "element {element} of argument '{name}' is NULL or was freed, expected {expected}"
        ))
    }

    #[cold]
    fn wrong(self, at: usize, wrong: Wrong) -> rt::Error {
        let (name, Wrong { number, expected }) = (self.word(at), wrong);
        rt::Error::value(format_args!("argument '{name}' is {number}, which is no {expected}"))
    }

    #[cold]
    pub(crate) fn twice(self, at: usize) -> rt::Error {
        let name = self.word(at);
        rt::Error::value(format_args!(
            "argument '{name}' is written to, and is the same handle as another one that is"
        ))
    }
}

/// What a function returns that cannot fail, and this if it panics.
pub(crate) fn guarded<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::PANIC;

    /// The kind, the operator and the message of an error, which is freed.
    fn parts(status: Status) -> (i32, String, String) {
        assert!(!status.is_null());
        // SAFETY: it is not NULL, and nobody uses it after this.
        unsafe {
            let parts = (*status).parts();
            error::free(status);
            parts
        }
    }

    #[test]
    fn panics_are_errors() {
        let (kind, op, message) = parts(run("twice self", &mut |_| panic!("it is {}", 7)));
        assert_eq!((kind, &*op), (PANIC, "twice"));
        assert_eq!(message, "twice(): panicked: it is 7");
        let status = run("twice self", &mut |_| std::panic::panic_any(7));
        assert_eq!(parts(status).2, "twice(): panicked: with something that is no text");
    }

    #[test]
    fn a_nul_in_a_message_is_shown() {
        let status = run("cut text", &mut |_| Err(rt::Error::value("before\0behind")));
        assert_eq!(parts(status).2, "cut(): before\\0behind");
    }

    #[test]
    fn lists_have_an_end() {
        let one = 1_i64;
        // SAFETY: nothing is read of a list that is too long.
        let status =
            run("sum dim", &mut |c| unsafe { c.slice(&raw const one, usize::MAX, 1) }.map(drop));
        let (kind, _, message) = parts(status);
        assert_eq!(kind, 7);
        assert!(message.starts_with("sum(): argument 'dim' has 18446744073709551615 elements"));
    }
}
