//! Operators as Python objects: `ops.add`, and its overloads, `ops.add.Tensor`.

mod body;
#[cfg(feature = "jit")]
mod c_call;
#[cfg(feature = "jit")]
mod c_value;
#[cfg(feature = "jit")]
pub(crate) mod defined;
pub(crate) mod elementwise;
pub mod functional;
mod opcheck;
mod operator;
mod overload;
mod signature;
pub(crate) mod values;

use opwright_runtime::op::{self, Operator, Rewrite};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple};

pub(crate) use self::operator::find_defined;
use self::operator::{PyOperator, Tables};
pub(crate) use self::overload::PyOverload;
use crate::call::tables::Operators;
use crate::object::package;

impl Operators {
    /// Those of tables that are sorted by base names: those of the crate, and what it takes in from
    /// another one; and what graphs of them can be replaced by.
    pub const fn new(
        tables: &'static [&'static [Operator]],
        rewrites: &'static [Rewrite],
    ) -> Operators {
        Operators { tables, rewrites, add }
    }
}

/// Adds the module `ops`, whose attributes are the operators of the tables; it can be imported as
/// a part of the package. `_opcheck` and `_calls` are for the tests of those who write them.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let py = module.py();
    let path = format!("{}.ops", package::name());
    let ops = PyModule::new(py, &path)?;
    ops.setattr("__doc__", "The operators, and each of their overloads: `ops.add.Tensor`.")?;
    ops.add_class::<PyOperator>()?;
    ops.add_class::<PyOverload>()?;
    for class in [py.get_type::<PyOperator>(), py.get_type::<PyOverload>()] {
        class.setattr("__module__", &path)?;
    }
    let home = ops.clone().unbind();
    let look_up = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let name: String = args.get_item(0)?.extract()?;
        look_up(home.bind(args.py()), tables, &name)
    };
    ops.setattr("__getattr__", PyCFunction::new_closure(py, Some(c"__getattr__"), None, look_up)?)?;
    let home = ops.clone().unbind();
    let names = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let mut names: Vec<String> = home.bind(args.py()).dict().keys().extract()?;
        names.extend(base_names(tables).map(str::to_owned));
        names.sort_unstable();
        names.dedup();
        Ok::<_, PyErr>(names)
    };
    ops.setattr("__dir__", PyCFunction::new_closure(py, Some(c"__dir__"), None, names)?)?;
    py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?.set_item(path, &ops)?;
    module.setattr("ops", ops)?;
    opcheck::add(module, tables)
}

/// The operator of a name, which stays an attribute of the module.
fn look_up<'py>(
    ops: &Bound<'py, PyModule>,
    tables: &'static Tables,
    name: &str,
) -> PyResult<Py<PyOperator>> {
    let rows = tables.iter().map(|it| op::overloads(it, name));
    let Some(rows) = rows.into_iter().find(|it| !it.is_empty()) else {
        return Err(unknown(ops, tables, name));
    };
    let made = Bound::new(ops.py(), PyOperator::new(rows))?;
    // The first one stays, whichever thread made it.
    let kept = ops.dict().call_method1("setdefault", (name, made))?;
    Ok(kept.cast_into()?.unbind())
}

#[cold]
fn unknown(ops: &Bound<'_, PyModule>, tables: &'static Tables, name: &str) -> PyErr {
    let path = ops.name().map_or_else(|_| "ops".to_owned(), |it| it.to_string());
    let near = opwright_runtime::resolve::nearest(name, base_names(tables));
    let hint = near.map_or_else(String::new, |it| format!("; did you mean '{it}'?"));
    PyAttributeError::new_err(format!("{path} has no operator '{name}'{hint}"))
}

fn base_names(tables: &'static Tables) -> impl Iterator<Item = &'static str> {
    let rows = tables.iter().flat_map(|it| it.iter());
    let mut last = "";
    rows.map(|it: &Operator| it.parts().0).filter(move |it| std::mem::replace(&mut last, it) != *it)
}
