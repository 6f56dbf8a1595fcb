//! The table of the classes of storages: a native base for each dtype and for bytes, and the public
//! classes that the package derives from them.

use opwright_runtime::DType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::object::classes::Class;
use crate::object::package;

/// One for each dtype, and one for bytes behind them.
const COUNT: usize = DType::COUNT + 1;

/// `_FloatStorageBase` and the like.
static BASES: [Class; COUNT] = [const { Class::new() }; COUNT];
/// `TypedStorage`, from which those of dtypes are derived.
static TYPED: Class = Class::new();

/// `FloatStorage` and the like; the bases, until the package has set them.
static PUBLIC: [Class; COUNT] = [const { Class::new() }; COUNT];

/// What an element is; a byte, if there is no dtype.
pub(super) type StorageElements = Option<DType>;

fn place(elements: StorageElements) -> usize {
    elements.map_or(DType::COUNT, |it| it as usize)
}

pub(super) fn all() -> impl Iterator<Item = StorageElements> {
    DType::ALL.into_iter().map(Some).chain([None])
}

/// `Float` for `float32`, `Untyped` for bytes.
pub(super) fn title(elements: StorageElements) -> &'static str {
    elements.map_or("Untyped", DType::title)
}

/// Sets what the classes of all dtypes have in common.
pub(super) fn set_typed(class: &Bound<'_, PyType>) {
    TYPED.set(class);
}

/// Sets a native base, which stands for the public class until the package has one.
pub(super) fn set_base(elements: StorageElements, class: &Bound<'_, PyType>) {
    BASES[place(elements)].set(class);
    PUBLIC[place(elements)].set(class);
}

/// What the classes of all dtypes have in common.
pub(super) fn any_typed(py: Python<'_>) -> Bound<'_, PyType> {
    TYPED.bind(py)
}

/// The public class.
pub(super) fn public(py: Python<'_>, elements: StorageElements) -> Bound<'_, PyType> {
    PUBLIC[place(elements)].bind(py)
}

/// What the elements of a class are; none for a class that is no storage, or of no elements.
pub(super) fn elements_of(class: &Bound<'_, PyType>) -> Option<StorageElements> {
    all().find(|it| BASES[place(*it)].is_base_of(class))
}

/// What the elements of the class of a name are, such as `opwright.FloatStorage`.
pub(super) fn named(name: &str) -> Option<StorageElements> {
    let title_of = |it: &str| {
        let class = it.strip_prefix(package::name())?.strip_prefix('.')?;
        class.strip_suffix("Storage").map(str::to_owned)
    };
    let wanted = title_of(name)?;
    all().find(|it| title(*it) == wanted)
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
