//! Chebyshev series, by the recurrence of Clenshaw.

/// The sum of the polynomials of Chebyshev of the first kind with these factors, where `|x|` is at
/// most 1.
pub(crate) fn series(x: f64, factors: &[f64]) -> f64 {
    let (mut last, mut before) = (0.0, 0.0);
    for factor in factors.iter().skip(1).rev() {
        (last, before) = (2.0 * x * last - before + factor, last);
    }
    x * last - before + factors.first().unwrap_or(&0.0)
}

#[cfg(test)]
mod tests {
    use super::series;

    #[test]
    fn sums_polynomials() {
        for x in [-1.0, -0.3, 0.0, 0.5, 1.0] {
            let square = 2.0 * x * x - 1.0;
            assert_eq!(series(x, &[]), 0.0);
            assert_eq!(series(x, &[3.0]), 3.0);
            let expected: f64 = 1.0 + 2.0 * x - 0.5 * square;
            assert!((series(x, &[1.0, 2.0, -0.5]) - expected).abs() < 1e-15);
        }
    }
}
