//! Vectorcall arguments: what the interpreter passes to `METH_FASTCALL | METH_KEYWORDS` functions.

use opwright_runtime::resolve::{Keywords, Parameter};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::object::Object;
use crate::raw::Names;
use crate::types::foreign;

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

/// The arguments of a function that is written with PyO3.
pub(crate) struct Gathered<'py> {
    args: Vec<Bound<'py, PyAny>>,
    positional: usize,
    names: Option<Bound<'py, PyTuple>>,
}

impl<'py> Gathered<'py> {
    /// Positional arguments, and others by their names.
    pub(crate) fn new(
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> Gathered<'py> {
        let mut all: Vec<_> = args.iter().collect();
        let positional = all.len();
        all.extend(kwargs.iter().flat_map(|it| it.values()));
        Gathered { args: all, positional, names: kwargs.map(|it| it.keys().to_tuple()) }
    }

    /// The same with our objects in the places of dtypes and devices of others that are given by
    /// name.
    ///
    /// # Errors
    ///
    /// What looking at an object raises.
    #[cold]
    pub(crate) fn with_foreign(&self) -> PyResult<Gathered<'py>> {
        let (first, named) = self.args.split_at(self.positional);
        let mut args = first.to_vec();
        for object in named {
            args.push(foreign::of(object)?.unwrap_or_else(|| object.clone()));
        }
        Ok(Gathered { args, positional: self.positional, names: self.names.clone() })
    }

    /// As the interpreter passes them, with the tensor that a method is called on.
    pub(crate) fn passed<'a>(
        &'a self,
        receiver: Option<Borrowed<'a, 'py, Object>>,
    ) -> Vectorcall<'a, 'py> {
        let names = self.names.as_ref().map_or(Names::NONE, |it| Names::new(it.as_borrowed()));
        Vectorcall { receiver, args: &self.args, positional: self.positional, names }
    }
}

impl Keywords for Names<'_, '_> {
    #[inline]
    fn len(&self) -> usize {
        self.count()
    }

    fn find(&self, param: &Parameter) -> Option<usize> {
        self.position(param.name)
            .or_else(|| param.aliases.iter().find_map(|alias| self.position(alias)))
    }
}
