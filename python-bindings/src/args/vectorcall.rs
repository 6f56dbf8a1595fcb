//! Arguments as the interpreter passes them.

use pyo3::ffi::PyObject;

use super::Names;

/// The arguments of a `METH_FASTCALL | METH_KEYWORDS` function.
#[derive(Clone, Copy)]
pub struct Vectorcall<'a> {
    /// The tensor that a method is called on; null for a function.
    pub receiver: *mut PyObject,
    /// The positional arguments, then those of `names`.
    pub args: &'a [*mut PyObject],
    /// How many are positional.
    pub positional: usize,
    /// The keywords.
    pub names: Names,
}

impl<'a> Vectorcall<'a> {
    /// Operands, or others without keywords.
    #[inline]
    pub fn positional(receiver: *mut PyObject, args: &'a [*mut PyObject]) -> Vectorcall<'a> {
        Vectorcall { receiver, args, positional: args.len(), names: Names::NONE }
    }
}
