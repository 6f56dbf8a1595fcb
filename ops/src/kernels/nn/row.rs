//! Rows of numbers: their sum and their greatest element.

use opwright_runtime::dtype::Float;

/// As many parts as a processor works on at once; for a sum, this also keeps the
/// rounding error small.
const PARTS: usize = 16;

/// The sum of a function of all elements.
pub(super) fn total<T: Float>(row: &[T], f: impl Fn(T) -> T) -> T {
    let parts = in_parts(row, T::ZERO, |part, x| part + f(x));
    parts.iter().fold(T::ZERO, |all, &part| all + part)
}

/// The greatest element; of none, negative infinity. What is not a number does
/// not count.
pub(super) fn greatest<T: Float>(row: &[T]) -> T {
    let greater = |a: T, b: T| if b > a { b } else { a };
    in_parts(row, T::LOWEST, greater).into_iter().fold(T::LOWEST, greater)
}

#[inline]
fn in_parts<T: Float>(row: &[T], start: T, f: impl Fn(T, T) -> T) -> [T; PARTS] {
    let mut parts = [start; PARTS];
    let (blocks, rest) = row.as_chunks::<PARTS>();
    for block in blocks {
        for (part, &x) in parts.iter_mut().zip(block) {
            *part = f(*part, x);
        }
    }
    for (part, &x) in parts.iter_mut().zip(rest) {
        *part = f(*part, x);
    }
    parts
}
