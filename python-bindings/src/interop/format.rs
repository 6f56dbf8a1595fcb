//! How the buffer protocol writes element types.

use std::ffi::CStr;

use opwright_runtime::DType;

/// What stands for `i64`: the type that numpy calls `int64` here.
const INT64: &CStr = if size_of::<std::ffi::c_long>() == 8 { c"l" } else { c"q" };

/// The format of a dtype; none for `bfloat16`, which only we have.
pub(super) fn of(dtype: DType) -> Option<&'static CStr> {
    Some(match dtype {
        DType::Bool => c"?",
        DType::UInt8 => c"B",
        DType::Int8 => c"b",
        DType::Int16 => c"h",
        DType::Int32 => c"i",
        DType::Int64 => INT64,
        DType::Float16 => c"e",
        DType::BFloat16 => return None,
        DType::Float32 => c"f",
        DType::Float64 => c"d",
        DType::Complex64 => c"Zf",
        DType::Complex128 => c"Zd",
    })
}

/// The dtype of a format with elements of `size` bytes, if we have it.
pub(super) fn read(format: &CStr, size: usize) -> Option<DType> {
    let text = native_order(format.to_bytes(), size)?;
    match (text, size) {
        (b"?", 1) => Some(DType::Bool),
        (b"B" | b"c", 1) => Some(DType::UInt8),
        (b"b", 1) => Some(DType::Int8),
        // Which letters are how wide depends on the platform.
        (b"h" | b"i" | b"l" | b"q" | b"n", 2) => Some(DType::Int16),
        (b"h" | b"i" | b"l" | b"q" | b"n", 4) => Some(DType::Int32),
        (b"h" | b"i" | b"l" | b"q" | b"n", 8) => Some(DType::Int64),
        (b"e", 2) => Some(DType::Float16),
        (b"f", 4) => Some(DType::Float32),
        // On some platforms `long double` is nothing else.
        (b"d" | b"g", 8) => Some(DType::Float64),
        (b"Zf", 8) => Some(DType::Complex64),
        (b"Zd" | b"Zg", 16) => Some(DType::Complex128),
        _ => None,
    }
}

/// The format without a mark of the byte order, unless it is a foreign one.
fn native_order(format: &[u8], size: usize) -> Option<&[u8]> {
    let native = if cfg!(target_endian = "little") { b'<' } else { b'>' };
    match format {
        [b'@' | b'=' | b'^', rest @ ..] => Some(rest),
        [mark, rest @ ..] if *mark == native => Some(rest),
        [b'<' | b'>' | b'!', rest @ ..] => (size == 1).then_some(rest),
        _ => Some(format),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for dtype in DType::ALL {
            if let Some(format) = of(dtype) {
                assert_eq!(read(format, dtype.size()), Some(dtype));
            }
        }
    }

    #[test]
    fn foreign_byte_order_is_refused() {
        let foreign = if cfg!(target_endian = "little") { c">f" } else { c"<f" };
        assert_eq!(read(foreign, 4), None);
        assert_eq!(read(c"=f", 4), Some(DType::Float32));
        assert_eq!(read(c"T{f:x:}", 4), None);
        assert_eq!(read(c"Q", 8), None);
    }
}
