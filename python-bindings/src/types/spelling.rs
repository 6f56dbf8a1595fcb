//! Spellings of dtypes: texts for types of elements, as numpy reads them.
//!
//! `"float"` is 64 bits wide, as Python's own type and numpy's name are, though `opwright.float`
//! is PyTorch's.

use std::ffi::c_long;

use opwright_runtime::DType;
use opwright_runtime::tables::dtype::TypeCode;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The dtype that an object spells, if it is a text that does.
#[cold]
pub(crate) fn of_object(object: &Bound<'_, PyAny>) -> Option<DType> {
    of_text(object.cast::<PyString>().ok()?.to_str().ok()?)
}

/// The dtype of a name, of a kind with a number of bytes, or of a letter; the bytes are in the
/// order of this machine.
///
/// See <https://numpy.org/doc/stable/reference/arrays.dtypes.html>.
fn of_text(text: &str) -> Option<DType> {
    let ours = DType::ALL.into_iter().find(|it| it.name() == text);
    ours.or_else(|| {
        let (code, size) = of_name(text).or_else(|| of_code(text))?;
        DType::from_type_code(code, size)
    })
}

/// What numpy's further names mean.
fn of_name(text: &str) -> Option<(TypeCode, usize)> {
    Some(match text {
        "bool_" => (TypeCode::Bool, 1),
        "byte" => (TypeCode::Int, 1),
        "ubyte" => (TypeCode::UInt, 1),
        "short" => (TypeCode::Int, 2),
        "ushort" => (TypeCode::UInt, 2),
        "intc" => (TypeCode::Int, 4),
        "uintc" => (TypeCode::UInt, 4),
        "long" => (TypeCode::Int, size_of::<c_long>()),
        "ulong" => (TypeCode::UInt, size_of::<c_long>()),
        "int" | "int_" | "intp" => (TypeCode::Int, size_of::<isize>()),
        "uint" | "uintp" => (TypeCode::UInt, size_of::<usize>()),
        "longlong" => (TypeCode::Int, 8),
        "ulonglong" => (TypeCode::UInt, 8),
        "half" => (TypeCode::Float, 2),
        "single" => (TypeCode::Float, 4),
        "float" | "double" => (TypeCode::Float, 8),
        "csingle" => (TypeCode::Complex, 8),
        "complex" | "cdouble" => (TypeCode::Complex, 16),
        _ => return None,
    })
}

/// `"f8"`, `"<f8"`, `"d"`: a letter, with an order of bytes and a number of them or without.
fn of_code(text: &str) -> Option<(TypeCode, usize)> {
    let other = if cfg!(target_endian = "little") { '>' } else { '<' };
    let code = text.strip_prefix(['<', '>', '=', '|']).unwrap_or(text);
    // A single byte has no order.
    of_letter(code)
        .or_else(|| of_kind(code))
        .filter(|(_, size)| *size == 1 || !text.starts_with(other))
}

/// `"d"`: the letter of a type of C.
fn of_letter(code: &str) -> Option<(TypeCode, usize)> {
    Some(match code {
        "?" => (TypeCode::Bool, 1),
        "b" => (TypeCode::Int, 1),
        "B" => (TypeCode::UInt, 1),
        "h" => (TypeCode::Int, 2),
        "H" => (TypeCode::UInt, 2),
        "i" => (TypeCode::Int, 4),
        "I" => (TypeCode::UInt, 4),
        "l" => (TypeCode::Int, size_of::<c_long>()),
        "L" => (TypeCode::UInt, size_of::<c_long>()),
        "p" => (TypeCode::Int, size_of::<isize>()),
        "P" => (TypeCode::UInt, size_of::<usize>()),
        "q" => (TypeCode::Int, 8),
        "Q" => (TypeCode::UInt, 8),
        "e" => (TypeCode::Float, 2),
        "f" => (TypeCode::Float, 4),
        "d" => (TypeCode::Float, 8),
        "F" => (TypeCode::Complex, 8),
        "D" => (TypeCode::Complex, 16),
        _ => return None,
    })
}

/// `"f8"`: the letter of a kind, and a number of bytes.
fn of_kind(code: &str) -> Option<(TypeCode, usize)> {
    let mut rest = code.chars();
    let kind = match rest.next()? {
        'b' => TypeCode::Bool,
        'i' => TypeCode::Int,
        'u' => TypeCode::UInt,
        'f' => TypeCode::Float,
        'c' => TypeCode::Complex,
        _ => return None,
    };
    let size = match rest.as_str() {
        "1" => 1,
        "2" => 2,
        "4" => 4,
        "8" => 8,
        "16" => 16,
        _ => return None,
    };
    Some((kind, size))
}

/// The letter of a dtype's kind in numpy: `f`; of what numpy does not have, `V`.
pub(super) fn kind(dtype: DType) -> char {
    match dtype.type_code() {
        TypeCode::Bool => 'b',
        TypeCode::Int => 'i',
        TypeCode::UInt => 'u',
        TypeCode::Float => 'f',
        TypeCode::BFloat => 'V',
        TypeCode::Complex => 'c',
    }
}

/// How numpy writes a dtype with its order of bytes, of which a single one has none.
pub(super) fn with_byte_order(dtype: DType) -> String {
    let order = match (dtype.size(), dtype.type_code()) {
        (1, _) | (_, TypeCode::BFloat) => '|',
        _ if cfg!(target_endian = "little") => '<',
        _ => '>',
    };
    format!("{order}{}{}", kind(dtype), dtype.size())
}
