//! Format strings of the buffer protocol, as others write them.

use std::ffi::CStr;

use opwright_runtime::DType;
use opwright_runtime::dtype::TypeCode;

/// The dtype of a format with elements of `size` bytes, if we have it.
pub(super) fn read(format: &CStr, size: usize) -> Option<DType> {
    let code = match native_order(format.to_bytes(), size)? {
        b"?" => TypeCode::Bool,
        // Which letters are how wide depends on the platform.
        b"b" | b"h" | b"i" | b"l" | b"q" | b"n" => TypeCode::Int,
        b"c" | b"B" | b"H" | b"I" | b"L" | b"Q" | b"N" => TypeCode::UInt,
        // On some platforms `long double` is nothing but `double`.
        b"e" | b"f" | b"d" | b"g" => TypeCode::Float,
        b"Zf" | b"Zd" | b"Zg" => TypeCode::Complex,
        _ => return None,
    };
    DType::from_type_code(code, size)
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
            if let Some(format) = dtype.buffer_format() {
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
        assert_eq!(read(c"Q", 8), Some(DType::UInt64));
        assert_eq!(read(c"g", 16), None);
    }
}
