//! The Python package that a module is part of: its name, and what a module
//! that stands alone takes in of the package around the reference module.
//!
//! The classes `Tensor` and `Size`, how tensors are shown and what numpy does
//! with them are written in Python. The reference module has these files
//! beside it. A module of another crate is one file, which has them inside.

use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use crate::args;
use crate::module;
use crate::tables::Tables;

/// What every part of a module says where it comes from.
static NAME: OnceLock<String> = OnceLock::new();

/// The name by which people import the package.
pub(crate) fn name() -> &'static str {
    NAME.get().map_or("opwright", String::as_str)
}

/// Remembers the package of a module: `my_ops` for `my_ops` and for `my_ops._C`.
pub(crate) fn remember(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let native = module.name()?.to_string();
    let package = native.rsplit_once('.').map(|(package, _)| package.to_owned());
    NAME.get_or_init(|| package.unwrap_or(native));
    Ok(())
}

/// How a module of its own differs from the reference module.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Whether arrays of other libraries are taken where tensors are expected.
    pub arrays: bool,
    /// The version of its crate.
    pub version: &'static str,
}

/// The parts in the order in which they need each other.
const PARTS: [(&str, &str); 9] = [
    ("_functions", include_str!("../python/opwright/_functions.py")),
    ("_overloads", include_str!("../python/opwright/_overloads.py")),
    ("_explain", include_str!("../python/opwright/_explain.py")),
    ("_size", include_str!("../python/opwright/_size.py")),
    ("_numpy", include_str!("../python/opwright/_numpy.py")),
    ("_repr", include_str!("../python/opwright/_repr.py")),
    ("_tensor", include_str!("../python/opwright/_tensor.py")),
    ("return_types", include_str!("../python/opwright/return_types.py")),
    ("_alone", include_str!("package/alone.py")),
];

/// Fills a module that has no package around it: with what its tables say, and
/// with what the package of the reference module has.
///
/// # Errors
///
/// Whatever making a class or a module raises.
pub fn init(
    module: &Bound<'_, PyModule>,
    tables: &'static Tables,
    settings: Settings,
) -> PyResult<()> {
    module::init(module, tables)?;
    module.setattr("__version__", settings.version)?;
    let py = module.py();
    let loaded = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    let package = name();
    // The parts say `from . import _C`, as they do in the package.
    loaded.set_item(format!("{package}._C"), module)?;
    let is_loaded = loaded.contains(package)?;
    if !is_loaded {
        loaded.set_item(package, module)?;
    }
    let filled = PARTS.iter().try_for_each(|(name, text)| part(&loaded, package, name, text));
    if !is_loaded {
        loaded.del_item(package)?;
    }
    args::accept_arrays(settings.arrays);
    filled
}

/// Runs a part as the module `package.name`.
fn part(loaded: &Bound<'_, PyDict>, package: &str, name: &str, text: &str) -> PyResult<()> {
    let py = loaded.py();
    let path = format!("{package}.{name}");
    let module = PyModule::new(py, &path)?;
    module.setattr("__package__", package)?;
    loaded.set_item(&path, &module)?;
    let builtins = py.import("builtins")?;
    let code = builtins.call_method1("compile", (text, format!("<{path}>"), "exec"))?;
    builtins.call_method1("exec", (code, module.dict()))?;
    Ok(())
}
