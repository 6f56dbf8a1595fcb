//! Call targets: the row of a function in the tables, and the trait of all that is called so.

use opwright_runtime::op::Operator;
use opwright_runtime::resolve::OverloadSet;
use pyo3::prelude::*;

use crate::args::Call;
use crate::object::Failure;
use crate::raw::NewReference;

/// The generated part of a function: from a bound call to a new reference.
pub type Body = fn(&mut Call<'_, '_>) -> Result<NewReference, Failure>;

/// A function that an operator of the language can call.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its signatures.
    pub function: &'static OverloadSet,
    /// For each signature the schemas of what runs without `out` and with it.
    pub schemas: &'static [[Option<&'static str>; 2]],
    /// Its body.
    pub body: Body,
    /// Whether it is a method, so that the left operand is the receiver.
    pub method: bool,
    /// The submodule of a function, without underscore; empty for the module itself.
    pub module: &'static str,
}

/// A further name of a function.
#[derive(Clone, Copy)]
pub struct Alias {
    /// The function.
    pub target: &'static Target,
    /// What it is called here.
    pub name: &'static str,
}

/// What a call binds its arguments to and runs.
pub(crate) trait Callee: Copy {
    /// Its signatures.
    fn function(self) -> &'static OverloadSet;

    /// Runs a call that is bound: a new reference.
    fn body(self, call: &mut Call<'_, '_>) -> Result<NewReference, Failure>;

    /// The row of an overload, if there is one.
    fn row(self, overload: usize) -> Option<&'static Operator>;

    /// What Python knows it by.
    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}
