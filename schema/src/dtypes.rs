//! Words of dtypes in files and in Python, from [their table](opwright_tables::dtype).

use std::sync::LazyLock;

pub use opwright_tables::dtype::{Category, ROWS, Row, Rust};

/// The dtype of a name in a file.
pub fn named(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|it| it.names().any(|own| own == name))
}

/// The names of all, once each.
pub(crate) static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().flat_map(Row::names).collect());

/// The names that every module has for them.
pub fn names_in_python() -> impl Iterator<Item = &'static str> {
    ROWS.iter().flat_map(|it| [it.name].into_iter().chain(it.alias))
}

/// The names that every module has for its types of tensors: `FloatTensor`.
pub static TENSOR_TYPES: LazyLock<Vec<String>> =
    LazyLock::new(|| ROWS.iter().map(|it| format!("{}Tensor", it.title)).collect());

/// The names that every module has for its storages of each dtype: `FloatStorage`.
pub static STORAGES: LazyLock<Vec<String>> =
    LazyLock::new(|| ROWS.iter().map(|it| format!("{}Storage", it.title)).collect());
