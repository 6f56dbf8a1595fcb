//! Lengths and overlaps of vectors that are neighbours in memory.

use ndarray::ArrayView1;

use super::batch::Double;

/// A row, or a part of one, of a matrix in row-major order.
///
/// # Panics
///
/// If the elements are not neighbours.
pub(super) fn neighbours<T>(row: ArrayView1<'_, T>) -> &[T] {
    row.to_slice().expect("the elements of a row are neighbours")
}

/// Independent sums, for the compiler to keep in vector registers.
const LANES: usize = 8;

/// The sum of products of the conjugates of `a` with `b`.
pub(super) fn overlap<T: Double>(a: &[T], b: &[T]) -> T {
    let mut sums = [T::ZERO; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].plus(a[lane].conj().times(b[lane]));
        }
    }
    let rest = a_rest.iter().zip(b_rest);
    let rest = rest.fold(T::ZERO, |sum, (&a, &b)| sum.plus(a.conj().times(b)));
    sums.into_iter().fold(rest, T::plus)
}

/// The sum of the squared lengths of the elements.
pub(super) fn squared_length<T: Double>(a: &[T]) -> f64 {
    let mut sums = [0.0; LANES];
    let (chunks, rest) = a.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            sums[lane] += chunk[lane].squared_length();
        }
    }
    sums.iter().sum::<f64>() + rest.iter().map(|it| it.squared_length()).sum::<f64>()
}
