//! Elements by their size, as words of it, for kernels that only move them.

/// A word of the size of an element. All bit patterns are values, and no
/// element is less aligned than its word.
pub(super) trait Word: Copy + Send + Sync + 'static {}

impl Word for u8 {}
impl Word for u16 {}
impl Word for u32 {}
// As pairs: the parts of a complex element are aligned, the whole need not be.
impl Word for [u32; 2] {}
impl Word for [u64; 2] {}

/// Evaluates an expression with a type name bound to the [`Word`] of a dtype.
macro_rules! by_word {
    ($dtype:expr, |$W:ident| $body:expr) => {
        match ::opwright_runtime::DType::size($dtype) {
            1 => {
                type $W = u8;
                $body
            }
            2 => {
                type $W = u16;
                $body
            }
            4 => {
                type $W = u32;
                $body
            }
            8 => {
                type $W = [u32; 2];
                $body
            }
            _ => {
                type $W = [u64; 2];
                $body
            }
        }
    };
}

pub(super) use by_word;

#[cfg(test)]
mod tests {
    use opwright_runtime::DType;

    #[test]
    fn words_have_the_sizes_of_elements() {
        for dtype in DType::ALL {
            let size = by_word!(dtype, |W| size_of::<W>());
            assert_eq!(size, dtype.size(), "{dtype}");
        }
    }
}
