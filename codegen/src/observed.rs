//! Observed calls of an installed module: facts of its operators that no
//! description says: dtypes and shapes of what kernels take and return.

use std::collections::BTreeMap;

use opwright_schema::model::PythonModule;

use crate::signature::{Home, PythonFunction};

/// Observations of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The module's import name; empty if nothing was observed.
    pub module: String,
    /// By the names under which the native module has its operators: `add`,
    /// `Tensor.add`, `_nn.gelu`.
    pub operators: BTreeMap<String, Calls>,
}

/// Observations of one operator, as the cells of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Where people find it: `opwright.linalg.norm`.
    pub public: String,
    /// The first line of the function that they find there, if it is not the
    /// native one.
    pub written: String,
    /// Dtypes of the arguments, and of what is returned.
    pub dtypes: Vec<[String; 2]>,
    /// Calls with shapes for tensors, and the shapes that are returned.
    pub shapes: Vec<[String; 2]>,
}

impl Observed {
    /// What was seen of a function.
    pub fn of(&self, function: &PythonFunction) -> Option<&Calls> {
        let name = &function.name;
        let name = match &function.home {
            Home::Module(PythonModule::Root) => name.clone(),
            Home::Module(PythonModule::Sub(module)) => format!("_{module}.{name}"),
            Home::Method => format!("Tensor.{name}"),
        };
        self.operators.get(&name)
    }

    /// Where people find a function, if that was seen.
    pub fn public(&self, function: &PythonFunction) -> Option<&str> {
        let calls = self.of(function)?;
        Some(calls.public.as_str()).filter(|it| !it.is_empty())
    }

    /// The first line of the function of Python that people find instead.
    pub fn written(&self, function: &PythonFunction) -> Option<&str> {
        let calls = self.of(function)?;
        Some(calls.written.as_str()).filter(|it| !it.is_empty())
    }
}
