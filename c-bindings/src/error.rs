//! Errors as C sees them: a structure that the library makes and frees.

use std::alloc::{Layout, alloc, dealloc};
use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::ptr;

use opwright_runtime as rt;

use crate::count::handed_out;

/// `ow_error_kind`
pub type ErrorKind = i32;

/// What a function that can fail returns: NULL if it has not.
pub type Status = *mut Error;

/// `ow_error`
#[derive(Debug)]
#[repr(C)]
pub struct Error {
    message: *const c_char,
    op: *const c_char,
    kind: ErrorKind,
    /// The bytes of the block, behind what C sees; 0 if there is none to free.
    size: usize,
}

/// The texts are in its own block, or live forever.
struct NoMemory(Error);

// SAFETY: nothing in it changes.
unsafe impl Sync for NoMemory {}

/// What there is if there is no memory for an error.
static NO_MEMORY: NoMemory = NoMemory(Error {
    message: c"not enough memory, not even to say for what".as_ptr(),
    op: ptr::null(),
    kind: rt::ErrorKind::Memory.number(),
    size: 0,
});

/// The kind of a panic, beside those of the runtime.
pub(crate) const PANIC: ErrorKind = rt::ErrorKind::PANIC.1;

/// The name of a kind.
pub(crate) fn kind_name(kind: ErrorKind) -> &'static CStr {
    match rt::ErrorKind::from_number(kind.into()) {
        Some(kind) => kind.c_name(),
        None if kind == PANIC => c"Panic",
        None => c"?",
    }
}

/// An error of the runtime, which belongs to this function if it says no other.
#[cold]
pub(crate) fn failed(error: &rt::Error, function: &str) -> Status {
    let op = error.op().unwrap_or(function);
    new(error.kind().number(), op, &format!("{op}(): {}", error.message()))
}

/// What a panic becomes.
#[cold]
pub(crate) fn panicked(payload: &(dyn std::any::Any + Send), function: &str) -> Status {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("with something that is no text");
    new(PANIC, function, &format!("{function}(): panicked: {text}"))
}

/// An error with its texts in one block.
fn new(kind: ErrorKind, op: &str, message: &str) -> Status {
    let head = size_of::<Error>();
    let (op, message) = (without_nul(op), without_nul(message));
    let (op, message) = (op.as_bytes(), message.as_bytes());
    let size = head + op.len() + 1 + message.len() + 1;
    let Ok(layout) = Layout::from_size_align(size, align_of::<Error>()) else {
        return no_memory();
    };
    // SAFETY: the layout is not empty.
    let block = unsafe { alloc(layout) };
    if block.is_null() {
        return no_memory();
    }
    // SAFETY: the block has room for the structure and both texts behind it.
    unsafe {
        let op_at = block.add(head);
        let message_at = op_at.add(op.len() + 1);
        write_text(op_at, op);
        write_text(message_at, message);
        let status = block.cast::<Error>();
        status.write(Error { message: message_at.cast(), op: op_at.cast(), kind, size });
        handed_out(1);
        status
    }
}

fn no_memory() -> Status {
    (&raw const NO_MEMORY.0).cast_mut()
}

/// A text as C can hold it: a NUL in it is shown.
fn without_nul(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => Cow::Owned(text.replace('\0', "\\0")),
        false => Cow::Borrowed(text),
    }
}

/// # Safety
///
/// There is room for the text and one byte more.
unsafe fn write_text(at: *mut u8, text: &[u8]) {
    // SAFETY: there is room, and a new block overlaps no text.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), at, text.len());
        at.add(text.len()).write(0);
    }
}

/// Frees an error; NULL is fine.
///
/// # Safety
///
/// It is NULL, or was returned and is not used any more.
pub(crate) unsafe fn free(error: Status) {
    // SAFETY: what was returned is an error.
    let size = if error.is_null() { 0 } else { unsafe { (*error).size } };
    if size == 0 {
        return;
    }
    handed_out(-1);
    // SAFETY: it was allocated with this layout, which `new` has checked.
    unsafe {
        dealloc(error.cast(), Layout::from_size_align_unchecked(size, align_of::<Error>()));
    }
}

impl Error {
    /// The kind, the operator and the message; for tests.
    ///
    /// # Safety
    ///
    /// The error is not freed yet.
    pub unsafe fn parts(&self) -> (ErrorKind, String, String) {
        let text = |at: *const c_char| match at.is_null() {
            true => String::new(),
            // SAFETY: both texts are in the block of the error, or live forever.
            false => unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned(),
        };
        (self.kind, text(self.op), text(self.message))
    }
}
