//! String objects as UTF-8, without a copy.

use pyo3::ffi;
use pyo3::prelude::*;

/// The text of a string as it is kept with the string; none of another object, or of a string that
/// is not valid Unicode.
pub(crate) fn utf8<'a>(object: Borrowed<'a, '_, PyAny>) -> Option<&'a str> {
    let mut size = 0;
    // SAFETY: any object can be asked; an exception says that it has no text. What is returned are
    // so many bytes of UTF-8, which a string never changes and keeps as long as it lives.
    unsafe {
        let text = ffi::PyUnicode_AsUTF8AndSize(object.as_ptr(), &raw mut size);
        if text.is_null() {
            ffi::PyErr_Clear();
            return None;
        }
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
        Some(std::str::from_utf8_unchecked(bytes))
    }
}
