//! String-valued enumerations: objects of Python are the words.

use opwright_runtime::op;
use opwright_runtime::tables::{str_enum, str_enum_rows};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyModule};

use crate::object::{Convert, Failure, Reading};

macro_rules! convert {
    ({} $(
        $(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* }
    )*) => {$(
        #[diagnostic::do_not_recommend]
        impl Convert for opwright_runtime::$enum {
            fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
                Ok(op::variant(&String::unpack(object, reading)?)?)
            }

            fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
                self.word().to_owned().object(py)
            }
        }
    )*};
}

str_enum_rows! { convert {} }

/// The words of all enumerations.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let words = str_enum::ROWS.iter().map(|row| {
        let words: Vec<&str> = row.words.iter().map(|(word, _)| *word).collect();
        (row.name, words)
    });
    module.add("_STR_ENUMS", words.into_py_dict(module.py())?)
}
