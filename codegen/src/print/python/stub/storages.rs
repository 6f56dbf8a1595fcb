//! Classes of storages: what they have in common, and one for each dtype.

use opwright_schema::dtypes::ROWS;

/// What all of them have, but for conversions.
const COMMON: &str = include_str!("storages.pyi");

/// How they are made; the class of any dtype takes the dtype.
const NEW: &str = "    def __new__(\n        cls,\n        *args: _Any,\n        \
    dtype: _dtype | None = None,\n        device: _device | _str | None = None,\n    ) -> _Self: ...\n";

/// Their definitions.
pub(super) fn print() -> String {
    let mut text = COMMON.to_owned();
    for row in &ROWS {
        let (title, method) = (row.title, method(row.title));
        text.push_str(&format!("    def {method}(self) -> {title}Storage: ...\n"));
    }
    text.push_str("\nclass TypedStorage(_AnyStorage):\n");
    text.push_str(
        "    \"\"\"Memory of elements of one dtype: what such classes have in common.\"\"\"\n",
    );
    text.push_str(NEW);
    for row in &ROWS {
        let (title, name) = (row.title, row.name);
        text.push_str(&format!("\nclass _{title}StorageBase(TypedStorage):\n    dtype: _dtype\n"));
        text.push_str(&format!("\nclass {title}Storage(_{title}StorageBase):\n"));
        text.push_str(&format!("    \"\"\"Memory of elements of {name}.\"\"\"\n"));
    }
    text.push_str("\nclass _UntypedStorageBase(_AnyStorage):\n");
    text.push_str(NEW);
    text.push_str(
        "\nclass UntypedStorage(_UntypedStorageBase):\n    \"\"\"Memory of bytes.\"\"\"\n",
    );
    text.push_str("\nStorage = UntypedStorage\nStorageBase = _UntypedStorageBase\n");
    text
}

/// The method that converts to a dtype: `complex_float` for `ComplexFloat`.
fn method(title: &str) -> String {
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
