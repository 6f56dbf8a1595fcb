//! Static tables of a module, as the generator prints them: complete and visible.

use std::ffi::CStr;
use std::sync::OnceLock;

use opwright_runtime::op::{self as rows, Operator, Rewrite};
use pyo3::prelude::*;

use super::target::Target;
use crate::object::NamedTuple;
use crate::object::native::NativeKind;
use crate::raw::method::{MethodTable, Slot};

/// What stands behind one Python name, for introspection.
pub struct PythonName {
    /// `Tensor.add`, `add`, `_nn.gelu`.
    pub name: &'static str,
    /// Its signatures, and what runs.
    pub target: &'static Target,
}

impl Tables {
    /// The operator that implements a protocol method.
    pub fn protocol(&self, name: &str) -> Option<&'static Target> {
        self.protocols.iter().find(|(it, _)| *it == name).map(|(_, target)| target)
    }

    /// The function or method of a name: `Tensor.add`, `add`, `_nn.gelu`.
    pub fn target(&self, name: &str) -> Option<&'static Target> {
        self.targets.iter().find(|it| it.name == name).map(|it| it.target)
    }
}

static MODULE: OnceLock<&'static Tables> = OnceLock::new();

/// Says what the module is made from.
pub(crate) fn set(tables: &'static Tables) {
    MODULE.get_or_init(|| tables);
}

/// What the module is made from.
pub(crate) fn of_module() -> Option<&'static Tables> {
    MODULE.get().copied()
}

/// Everything that a module binds.
pub struct Tables {
    /// The module's functions.
    pub functions: MethodTable,
    /// Further modules below it: `_nn`, `_linalg`, ...
    pub submodules: &'static [(&'static CStr, MethodTable)],
    /// The methods of the tensor class.
    pub methods: MethodTable,
    /// The operators of the tensor class.
    pub slots: &'static [Slot],
    /// Further protocol methods that operators implement: `__getitem__`.
    pub protocols: &'static [(&'static str, Target)],
    /// The classes of named results.
    pub named_tuples: &'static [&'static NamedTuple],
    /// All functions and methods, under each of their names.
    pub targets: &'static [PythonName],
    /// The types of the crate that Python can pass.
    pub natives: &'static [NativeKind],
    /// The operators as data.
    pub operators: Operators,
}

/// Operators as data, with what makes `ops` of them: a module without them links nothing of that.
pub struct Operators {
    pub(crate) tables: &'static [&'static [Operator]],
    pub(crate) rewrites: &'static [Rewrite],
    pub(crate) add: fn(&Bound<'_, PyModule>, &'static [&'static [Operator]]) -> PyResult<()>,
}

impl Operators {
    /// None.
    pub const NONE: Operators = Operators { tables: &[], rewrites: &[], add: |_, _| Ok(()) };

    /// The tables.
    pub(crate) fn tables(&self) -> &'static [&'static [Operator]] {
        self.tables
    }

    /// The overload of this name: `add.Tensor`.
    pub(crate) fn find(&self, name: &str) -> Option<&'static Operator> {
        self.tables.iter().find_map(|it| rows::find(it, name))
    }

    /// What graphs of them can be replaced by.
    pub(crate) fn rewrites(&self) -> &'static [Rewrite] {
        self.rewrites
    }

    /// Adds them to a module.
    pub(crate) fn add(&self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        (self.add)(module, self.tables)
    }
}
