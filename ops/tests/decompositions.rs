//! Decompositions of matrices that are hard to decompose, called from Rust.

use opwright_ops::linalg_svdvals;
use opwright_runtime::{Result, Tensor};

#[test]
fn a_large_matrix_of_low_rank_has_singular_values() -> Result<()> {
    let elements: Vec<f64> = (0..131 * 131).map(|it| [4.0, 1.0, 1.0, 3.0][it % 4]).collect();
    let matrix = Tensor::from_slice(&[131, 131], &elements)?;
    let values = linalg_svdvals::Default_::call(&matrix, None)?.to_vec::<f64>()?;
    let squares: f64 = elements.iter().map(|it| it * it).sum();
    let sum: f64 = values.iter().map(|it| it * it).sum();
    assert!((sum - squares).abs() < 1e-9 * squares, "{sum}, not {squares}");
    let rank = values.iter().filter(|it| **it > 1e-9 * values[0]).count();
    assert_eq!(rank, 4);
    Ok(())
}
