//! Functions of Rust with `#[cast]`: as rows of the classes that they convert, for compiled functions of
//! Python, which may belong to another module.

use opwright_jit::native::{Cast, CastSide};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyModule, PyString};

use crate::object::native::class_of;

/// The attribute of a class that has its casts.
const ATTRIBUTE: &str = "_opwright_casts_";

/// Adds conversions to the classes of a module that they convert.
///
/// # Errors
///
/// `ImportError` if the module has no class for a struct; `MemoryError`.
pub fn casts(module: &Bound<'_, PyModule>, rows: &[Cast]) -> PyResult<()> {
    let py = module.py();
    let mut begun: Vec<(Bound<'_, PyAny>, Bound<'_, PyList>)> = Vec::new();
    for row in rows {
        let sides = [object(py, row, &row.source)?, object(py, row, &row.target)?];
        let address = (row.call as *const ()).expose_provenance();
        let described = (&sides[0], &sides[1], address, row.place).into_pyobject(py)?;
        let classes = [&row.source, &row.target].into_iter().zip(&sides);
        for (_, class) in classes.filter(|(side, _)| matches!(side, CastSide::Struct(_))) {
            let list = match begun.iter().find(|(it, _)| it.is(class)) {
                Some((_, list)) => list.clone(),
                None => {
                    // A second import finds what the first one left, and says the same.
                    let list = PyList::empty(py);
                    class.setattr(ATTRIBUTE, &list)?;
                    begun.push((class.clone(), list.clone()));
                    list
                }
            };
            list.append(&described)?;
        }
    }
    Ok(())
}

/// A side of a cast: the name of a number's type, or a class.
fn object<'py>(py: Python<'py>, cast: &Cast, side: &CastSide) -> PyResult<Bound<'py, PyAny>> {
    match side {
        CastSide::Number(name) => Ok(PyString::new(py, name).into_any()),
        CastSide::Struct(structure) => match class_of(py, structure) {
            Some(class) => Ok(class.into_any()),
            None => {
                let (place, name) = (cast.place, structure.name);
                let text =
                    format!("the cast {place} is of `{name}`, which is no class of this module");
                Err(PyImportError::new_err(text))
            }
        },
    }
}
