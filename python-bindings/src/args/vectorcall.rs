//! Arguments as the interpreter passes them.

use opwright_runtime::resolve::{Keywords, Param};
use pyo3::prelude::*;

use crate::raw::Names;
use crate::tensor::object::Object;

/// The arguments of a `METH_FASTCALL | METH_KEYWORDS` function.
#[derive(Clone, Copy)]
pub struct Vectorcall<'a, 'py> {
    /// The tensor that a method is called on; none for a function.
    pub receiver: Option<Borrowed<'a, 'py, Object>>,
    /// The positional arguments, then those of `names`.
    pub args: &'a [Bound<'py, PyAny>],
    /// How many are positional.
    pub positional: usize,
    /// The keywords.
    pub names: Names<'a, 'py>,
}

impl<'a, 'py> Vectorcall<'a, 'py> {
    /// Operands, or others without keywords.
    #[inline]
    pub fn positional(
        receiver: Option<Borrowed<'a, 'py, Object>>,
        args: &'a [Bound<'py, PyAny>],
    ) -> Vectorcall<'a, 'py> {
        Vectorcall { receiver, args, positional: args.len(), names: Names::NONE }
    }
}

impl Keywords for Names<'_, '_> {
    #[inline]
    fn len(&self) -> usize {
        self.count()
    }

    fn find(&self, param: &Param) -> Option<usize> {
        self.position(param.name)
            .or_else(|| param.aliases.iter().find_map(|alias| self.position(alias)))
    }
}
