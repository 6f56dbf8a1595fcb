//! The classes of storages: a native base for each dtype and for bytes, and the public classes that
//! the package derives from them.

use opwright_runtime::DType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple, PyType};

use super::construct;
use super::object::PyStorage;
use crate::object::classes::{self, Class};
use crate::object::package;
use crate::types::PyDType;

/// One for each dtype, and one for bytes behind them.
const COUNT: usize = DType::COUNT + 1;

/// `_FloatStorageBase` and the like.
static BASES: [Class; COUNT] = [const { Class::new() }; COUNT];
/// `TypedStorage`, from which those of dtypes are derived.
static TYPED: Class = Class::new();

/// `FloatStorage` and the like; the bases, until the package has set them.
static PUBLIC: [Class; COUNT] = [const { Class::new() }; COUNT];

/// What an element is; a byte, if there is no dtype.
pub(super) type Elements = Option<DType>;

fn place(elements: Elements) -> usize {
    elements.map_or(DType::COUNT, |it| it as usize)
}

fn all() -> impl Iterator<Item = Elements> {
    DType::ALL.into_iter().map(Some).chain([None])
}

/// `Float` for `float32`, `Untyped` for bytes.
fn title(elements: Elements) -> &'static str {
    elements.map_or("Untyped", DType::title)
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

/// What the classes of all dtypes have in common.
pub(super) fn any_typed(py: Python<'_>) -> Bound<'_, PyType> {
    TYPED.bind(py)
}

/// The public class.
pub(super) fn public(py: Python<'_>, elements: Elements) -> Bound<'_, PyType> {
    PUBLIC[place(elements)].bind(py)
}

/// What the elements of a class are; none for a class that is no storage, or of no elements.
pub(super) fn elements_of(class: &Bound<'_, PyType>) -> Option<Elements> {
    all().find(|it| BASES[place(*it)].is_base_of(class))
}

/// What the elements of the class of a name are, such as `opwright.FloatStorage`.
pub(super) fn named(name: &str) -> Option<Elements> {
    let title_of = |it: &str| {
        let class = it.strip_prefix(package::name())?.strip_prefix('.')?;
        class.strip_suffix("Storage").map(str::to_owned)
    };
    let wanted = title_of(name)?;
    all().find(|it| title(*it) == wanted)
}

/// A storage of the class for a dtype.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn typed<'py>(
    py: Python<'py>,
    storage: &opwright_runtime::Storage,
    dtype: DType,
) -> PyResult<Bound<'py, PyAny>> {
    PyStorage::whole(storage.clone(), Some(dtype)).object(py)
}

/// Makes the native classes.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let home = module.name()?.to_string();
    let root = py.get_type::<PyStorage>();
    classes::STORAGE.set(&root);
    let new = wrap_pyfunction!(construct::new_storage, module)?;
    let doc = "Memory of elements of one dtype: what all such classes have in common.";
    let typed = derived(("TypedStorage", package::name(), doc), &root, &new)?;
    TYPED.set(&typed);
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
        BASES[place(elements)].set(&class);
        PUBLIC[place(elements)].set(&class);
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

/// Says which class the package derives from one of the native ones.
///
/// # Errors
///
/// `TypeError` for a class that is derived from none.
#[pyfunction(name = "_set_storage_class")]
pub(super) fn set_storage_class(class: &Bound<'_, PyType>) -> PyResult<()> {
    let elements =
        elements_of(class).ok_or_else(|| PyTypeError::new_err("expected a class of storages"))?;
    PUBLIC[place(elements)].set(class);
    Ok(())
}

#[cfg(test)]
mod tests {
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
