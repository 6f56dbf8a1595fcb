//! The classes of storages, as they are made when the module is imported.

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple, PyType};

use super::classes::{all, set_base, set_typed, title};
use super::construct;
use super::object::PyStorage;
use crate::object::{classes, package};
use crate::types::PyDType;

/// Makes the native classes.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let home = module.name()?.to_string();
    let root = py.get_type::<PyStorage>();
    classes::STORAGE.set(&root);
    let new = wrap_pyfunction!(construct::new_storage, module)?;
    let doc = "Memory of elements of one dtype: what all such classes have in common.";
    let typed = derived(("TypedStorage", package::name(), doc), &root, &new)?;
    set_typed(&typed);
    let mut rows = Vec::new();
    for elements in all() {
        let name = format!("_{}StorageBase", title(elements));
        let (base, doc) = match elements {
            Some(dtype) => (&typed, format!("The native base of storages of {dtype}.")),
            None => (&root, "The native base of storages of bytes.".to_owned()),
        };
        let class = derived((&name, &home, &doc), base, &new)?;
        let dtype = elements.map(|it| PyDType::object(py, it)).transpose()?;
        if let Some(dtype) = &dtype {
            class.setattr("dtype", dtype)?;
        }
        set_base(elements, &class);
        rows.push((class.clone(), dtype, conversion(title(elements))));
        module.add(&*name, class)?;
    }
    module.add("_AnyStorage", root)?;
    module.add("TypedStorage", typed)?;
    module.add("StorageBase", module.getattr("_UntypedStorageBase")?)?;
    module.add("_storages", PyTuple::new(py, rows)?)
}

/// A class of a name, a module and a documentation, whose instances `new` makes.
fn derived<'py>(
    (name, home, doc): (&str, &str, &str),
    base: &Bound<'py, PyType>,
    new: &Bound<'py, PyCFunction>,
) -> PyResult<Bound<'py, PyType>> {
    let py = base.py();
    let members = PyDict::new(py);
    members.set_item("__module__", home)?;
    members.set_item("__slots__", PyTuple::empty(py))?;
    members.set_item("__doc__", doc)?;
    members.set_item("__new__", new)?;
    Ok(py.get_type::<PyType>().call1((name, (base,), members))?.cast_into()?)
}

/// The method that converts: `complex_float` for `ComplexFloat`.
fn conversion(title: &str) -> String {
    let mut name = String::new();
    let mut was_lower = false;
    for letter in title.chars() {
        if was_lower && letter.is_ascii_uppercase() {
            name.push('_');
        }
        was_lower = letter.is_ascii_lowercase();
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use opwright_runtime::DType;

    use super::*;

    #[test]
    fn conversions_are_called_as_upstream_calls_them() {
        let expected = [
            (DType::Float32, "float"),
            (DType::BFloat16, "bfloat16"),
            (DType::UInt16, "uint16"),
            (DType::Complex128, "complex_double"),
        ];
        for (dtype, name) in expected {
            assert_eq!(conversion(dtype.title()), name);
        }
    }
}
