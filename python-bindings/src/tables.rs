//! What a generator prints for a module: static tables, complete and visible.

use std::ffi::{CStr, c_int, c_void};
use std::sync::OnceLock;

use opwright_runtime::op::{self as rows, Operator, Rewrite};
use pyo3::ffi::PyMethodDef;
use pyo3::prelude::*;

use crate::named_tuple::NamedTuple;
use crate::native::NativeKind;
use crate::op;
use crate::raw;
use crate::shim::Target;

/// A table of functions or methods, ended by an empty entry.
#[repr(transparent)]
pub struct Methods<const N: usize>(pub [PyMethodDef; N]);

// SAFETY: the tables are constant, and the interpreter only reads them.
unsafe impl<const N: usize> Sync for Methods<N> {}

impl<const N: usize> Methods<N> {
    /// The entry that ends a table.
    pub const END: PyMethodDef = PyMethodDef::zeroed();

    /// The first entry, as the interpreter takes it.
    ///
    /// # Panics
    ///
    /// If no empty entry ends the table.
    pub const fn first(&'static self) -> MethodTable {
        assert!(self.0[N - 1].ml_name.is_null(), "an empty entry ends a table");
        MethodTable(&raw const self.0 as *mut PyMethodDef)
    }
}

/// The first entry of a table that is ended by an empty entry.
#[derive(Clone, Copy)]
pub struct MethodTable(pub(crate) *mut PyMethodDef);

impl MethodTable {
    /// The entries with their names, without the empty one.
    pub(crate) fn entries(
        &self,
    ) -> impl Iterator<Item = (&'static CStr, &'static PyMethodDef)> + use<> {
        // SAFETY: what `Methods::first` points to is static and, as it looked, ended by an empty
        // entry; tables that are put together at run time are leaked with one at their end.
        unsafe { raw::method_entries(self.0) }
    }
}

// SAFETY: it points to a table that nobody writes to any more.
unsafe impl Sync for MethodTable {}
// SAFETY: the table is as good in any thread, since it is never freed.
unsafe impl Send for MethodTable {}

/// A slot of the tensor class: an operator of the language.
#[derive(Clone, Copy)]
pub struct Slot {
    /// `Py_nb_add` and so on.
    pub id: c_int,
    /// A function of the slot's type.
    pub function: *const c_void,
}

// SAFETY: the address of a function or of a static table, which nobody writes to.
unsafe impl Sync for Slot {}

/// What stands behind one Python name, for introspection.
pub struct Named {
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
    pub targets: &'static [Named],
    /// The types of the crate that Python can pass.
    pub natives: &'static [NativeKind],
    /// The operators as data.
    pub operators: Operators,
}

/// Operators as data, with what makes `ops` of them: a module without them links nothing of that.
pub struct Operators {
    tables: &'static [&'static [Operator]],
    rewrites: &'static [Rewrite],
    add: fn(&Bound<'_, PyModule>, &'static [&'static [Operator]]) -> PyResult<()>,
}

impl Operators {
    /// None.
    pub const NONE: Operators = Operators { tables: &[], rewrites: &[], add: |_, _| Ok(()) };

    /// Those of tables that are sorted by base names: those of the crate, and what it takes in from
    /// another one; and what graphs of them can be replaced by.
    pub const fn new(
        tables: &'static [&'static [Operator]],
        rewrites: &'static [Rewrite],
    ) -> Operators {
        Operators { tables, rewrites, add: op::add }
    }

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
