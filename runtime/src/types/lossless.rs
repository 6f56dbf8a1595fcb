//! Lossless conversions between dtypes.

use crate::DType;

/// Whether converting elements of `from` to `to` is safe, as numpy sees it: all values are held,
/// except that integers of 64 bits count as held by floats of 64.
pub(super) fn holds(to: DType, from: DType) -> bool {
    if to == from || from.is_boolean() {
        return true;
    }
    if from.is_complex_number() {
        return to.is_complex_number() && holds(to.to_real(), from.to_real());
    }
    if let Some((least, greatest)) = from.integer_range() {
        return match to.integer_range() {
            Some((low, high)) => !to.is_boolean() && low <= least && greatest <= high,
            None => has_fractions(to) && holds_integers(to, greatest),
        };
    }
    has_fractions(to) && holds_floats(to.to_real(), from)
}

const fn has_fractions(dtype: DType) -> bool {
    dtype.is_floating() || dtype.is_complex_number()
}

/// How many binary digits a real floating dtype has, and how many say where they stand.
const fn digits(dtype: DType) -> (u32, u32) {
    match dtype {
        DType::Float16 => (11, 5),
        DType::BFloat16 => (8, 8),
        DType::Float32 => (24, 8),
        _ => (53, 11),
    }
}

fn holds_integers(to: DType, greatest: u64) -> bool {
    let digits = digits(to.to_real()).0;
    digits == 53 || greatest < 1 << digits
}

fn holds_floats(to: DType, from: DType) -> bool {
    let ((to_digits, to_range), (digits, range)) = (digits(to), digits(from));
    digits <= to_digits && range <= to_range
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(to: DType) -> Vec<&'static str> {
        DType::ALL.into_iter().filter(|it| holds(to, *it)).map(DType::name).collect()
    }

    #[track_caller]
    fn check(to: DType, expected: &str) {
        let mut expected: Vec<&str> = expected.split(' ').collect();
        let mut held = held(to);
        expected.sort_unstable();
        held.sort_unstable();
        assert_eq!(held, expected, "{to}");
    }

    #[test]
    fn each_dtype_holds_what_numpy_casts_safely() {
        check(DType::Bool, "bool");
        check(DType::UInt8, "bool uint8");
        check(DType::Int16, "bool uint8 int8 int16");
        check(DType::Int64, "bool uint8 uint16 uint32 int8 int16 int32 int64");
        check(DType::Float16, "bool uint8 int8 float16");
        check(DType::BFloat16, "bool uint8 int8 bfloat16");
        let single = "bool uint8 uint16 int8 int16 float16 bfloat16 float32";
        check(DType::Float32, single);
        check(DType::Complex64, &format!("{single} complex64"));
        let double = format!("{single} uint32 uint64 int32 int64 float64");
        check(DType::Float64, &double);
        check(DType::Complex128, &format!("{double} complex64 complex128"));
    }
}
