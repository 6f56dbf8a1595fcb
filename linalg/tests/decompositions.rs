//! Matrices that are hard to decompose, put together again.

use num_complex::Complex;
use opwright_linalg::{ColumnMajor, MatrixScalar, RealOrComplex, Vectors};
use opwright_runtime::Result;

/// Numbers that look random, in row-major order.
fn numbers<T: MatrixScalar>(count: usize) -> Vec<T> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / f64::from(1 << 30) - 1.0
    };
    (0..count).map(|_| T::of_parts(next(), next())).collect()
}

fn length<T: MatrixScalar>(it: T) -> f64 {
    let (re, im) = it.parts();
    re.hypot(im)
}

/// `a @ b`, or `a @ b.mH`.
fn product<T: MatrixScalar>(
    a: &ColumnMajor<T>,
    b: &ColumnMajor<T>,
    adjoint: bool,
) -> Vec<Complex<f64>> {
    let wide = |it: T| Complex::new(it.parts().0, it.parts().1);
    let ((rows, inner), (height, width)) = (a.dim(), b.dim());
    let columns = if adjoint { height } else { width };
    let entry = |i: usize, j: usize| -> Complex<f64> {
        let other = |k| if adjoint { wide(b.at(j, k).conjugate()) } else { wide(b.at(k, j)) };
        (0..inner).map(|k| wide(a.at(i, k)) * other(k)).sum()
    };
    (0..rows * columns).map(|at| entry(at / columns, at % columns)).collect()
}

#[track_caller]
fn check_equal<T: MatrixScalar>(found: &[Complex<f64>], expected: &[T], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let most = expected.iter().map(|&it| length(it)).fold(f64::MIN_POSITIVE, f64::max);
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (re, im) = expected.parts();
        let difference = (found - Complex::new(re, im)).norm() / most;
        assert!(difference < tolerance, "{at}: {found}, not {re} + {im}j");
    }
}

const SIZES: [(usize, usize); 9] =
    [(1, 1), (2, 3), (3, 2), (7, 7), (40, 17), (17, 40), (65, 65), (150, 150), (200, 30)];

/// Matrices of such sizes: of full rank, of lower rank, of numbers that are extreme, and zero.
fn matrices<T: MatrixScalar>((rows, columns): (usize, usize)) -> Vec<Vec<T>> {
    let full: Vec<T> = numbers(rows * columns);
    let scaled = |factor: f64| -> Vec<T> {
        full.iter().map(|it| T::of_parts(it.parts().0 * factor, it.parts().1 * factor)).collect()
    };
    let low: Vec<T> = (0..rows * columns).map(|at| full[at % columns % 3]).collect();
    let low = low.iter().enumerate();
    let low = low.map(|(at, &it)| it * T::of_parts((at / columns % 2) as f64 + 1.0, 0.0)).collect();
    let gap = full.iter().enumerate();
    let gap = gap.map(|(at, &it)| if at % columns == columns / 2 { T::ZERO } else { it }).collect();
    let zero = vec![T::ZERO; rows * columns];
    vec![scaled(1e30), scaled(1e-30), full, low, gap, zero]
}

fn check_singular<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for sizes in SIZES {
        for (which, elements) in matrices::<T>(sizes).into_iter().enumerate() {
            let matrix = ColumnMajor::of(&elements, sizes)?;
            let alone = T::singular(matrix.clone(), Vectors::No)?.values;
            for vectors in [Vectors::Thin, Vectors::Full] {
                let mut found = T::singular(matrix.clone(), vectors)?;
                for (one, other) in alone.iter().zip(&found.values) {
                    let (one, other) = (wide::<T>(*one), wide::<T>(*other));
                    let most = wide::<T>(found.values[0]);
                    assert!((one - other).abs() <= tolerance * most, "{one} {other} {which}");
                }
                let width = found.u.dim().1;
                let identity = ColumnMajor::<T>::identity((width, width))?;
                let u = adjoint(&found.u)?;
                check_equal(&product(&u, &u, true), identity.elements(), tolerance);
                for (k, value) in found.values.iter().enumerate() {
                    let value = T::of_parts(wide::<T>(*value), 0.0);
                    found.u.column_mut(k).iter_mut().for_each(|it| *it *= value);
                }
                let count = found.values.len();
                let thin = |it: &ColumnMajor<T>| {
                    let rows = it.dim().0;
                    ColumnMajor::of_transposed(&it.elements()[..rows * count], (rows, count))
                };
                let (u, v) = (thin(&found.u)?, thin(&found.v)?);
                check_equal(&product(&u, &v, true), &elements, tolerance);
            }
        }
    }
    Ok(())
}

fn wide<T: MatrixScalar>(it: T::Real) -> f64 {
    use opwright_linalg::RealScalar;
    it.wide()
}

fn adjoint<T: MatrixScalar>(matrix: &ColumnMajor<T>) -> Result<ColumnMajor<T>> {
    let (rows, columns) = matrix.dim();
    let elements: Vec<T> = matrix.elements().iter().map(|it| it.conjugate()).collect();
    ColumnMajor::of(&elements, (columns, rows))
}

#[test]
fn singular_vectors_make_the_matrix_again() -> Result<()> {
    check_singular::<f64>(1e-12)?;
    check_singular::<f32>(1e-3)?;
    check_singular::<Complex<f64>>(1e-12)?;
    check_singular::<Complex<f32>>(1e-3)
}

fn check_qr<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for (rows, columns) in SIZES {
        for elements in matrices::<T>((rows, columns)) {
            for width in [rows.min(columns), rows] {
                let matrix = ColumnMajor::of(&elements, (rows, columns))?;
                let found = T::qr(matrix, Some(width))?;
                let mut r = ColumnMajor::zeros((width, columns))?;
                for column in 0..columns {
                    for row in 0..width.min(column + 1) {
                        r.column_mut(column)[row] = found.r.at(row, column);
                    }
                }
                let Some(q) = found.q else { panic!("it was asked for") };
                let identity = ColumnMajor::<T>::identity((width, width))?;
                let transposed = adjoint(&q)?;
                let square = product(&transposed, &transposed, true);
                check_equal(&square, identity.elements(), tolerance);
                check_equal(&product(&q, &r, false), &elements, tolerance);
                for k in 0..rows.min(columns) {
                    assert_eq!(r.at(k, k).parts().1, 0.0);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn factors_of_columns_make_the_matrix_again() -> Result<()> {
    check_qr::<f64>(1e-12)?;
    check_qr::<f32>(1e-4)?;
    check_qr::<Complex<f64>>(1e-12)?;
    check_qr::<Complex<f32>>(1e-4)
}

fn check_lu<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for (rows, columns) in SIZES {
        for elements in matrices::<T>((rows, columns)) {
            let found = T::lu(ColumnMajor::of(&elements, (rows, columns))?)?;
            let steps = rows.min(columns);
            let mut l = ColumnMajor::identity((rows, steps))?;
            let mut u = ColumnMajor::zeros((steps, columns))?;
            for column in 0..columns {
                for row in 0..rows {
                    let it = found.triangles.at(row, column);
                    if row > column {
                        l.column_mut(column)[row] = it;
                    } else {
                        u.column_mut(column)[row] = it;
                    }
                }
            }
            let mut exchanged = elements.clone();
            for (row, &other) in found.exchanges.iter().enumerate() {
                for column in 0..columns {
                    exchanged.swap(row * columns + column, other * columns + column);
                }
            }
            check_equal(&product(&l, &u, false), &exchanged, tolerance);
        }
    }
    Ok(())
}

#[test]
fn triangles_make_the_matrix_again() -> Result<()> {
    check_lu::<f64>(1e-12)?;
    check_lu::<f32>(1e-4)?;
    check_lu::<Complex<f64>>(1e-12)?;
    check_lu::<Complex<f32>>(1e-4)
}

/// `a + a.mH`
fn hermitian<T: MatrixScalar>(elements: &[T], size: usize) -> Vec<T> {
    let part = |at: usize| {
        let (here, there) = (elements[at], elements[at % size * size + at / size].conjugate());
        let (here, there) = (here.parts(), there.parts());
        T::of_parts(here.0 + there.0, here.1 + there.1)
    };
    (0..size * size).map(part).collect()
}

fn check_hermitian<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for size in [1, 2, 3, 7, 65, 150] {
        for elements in matrices::<T>((size, size)) {
            let elements = hermitian(&elements, size);
            let matrix = ColumnMajor::of(&elements, (size, size))?;
            let alone = T::hermitian(matrix.clone(), false)?.values;
            let found = T::hermitian(matrix, true)?;
            let most = alone.iter().map(|it| wide::<T>(*it).abs()).fold(0.0, f64::max);
            for (one, other) in alone.iter().zip(&found.values) {
                let (one, other) = (wide::<T>(*one), wide::<T>(*other));
                assert!((one - other).abs() <= tolerance * most, "{one} {other} of {size}");
            }
            let mut scaled = found.vectors.clone();
            for (k, value) in found.values.iter().enumerate() {
                let value = T::of_parts(wide::<T>(*value), 0.0);
                scaled.column_mut(k).iter_mut().for_each(|it| *it *= value);
            }
            check_equal(&product(&scaled, &found.vectors, true), &elements, tolerance);
        }
    }
    Ok(())
}

#[test]
fn eigenvectors_make_the_matrix_again() -> Result<()> {
    check_hermitian::<f64>(1e-12)?;
    check_hermitian::<f32>(1e-3)?;
    check_hermitian::<Complex<f64>>(1e-12)?;
    check_hermitian::<Complex<f32>>(1e-3)
}

fn check_cholesky<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for size in [1, 2, 7, 65, 150] {
        let factor = ColumnMajor::of(&numbers::<T>(size * size), (size, size))?;
        let elements: Vec<T> =
            product(&factor, &factor, true).iter().map(|it| T::of_parts(it.re, it.im)).collect();
        let found = T::cholesky(ColumnMajor::of(&elements, (size, size))?)?;
        let Ok(found) = found else { panic!("it is positive") };
        check_equal(&product(&found, &found, true), &elements, tolerance);
        for bad in [f64::NAN, -1.0, 0.0] {
            let mut matrix = ColumnMajor::of(&elements, (size, size))?;
            matrix.column_mut(size / 2)[size / 2] = T::of_parts(bad, 0.0);
            assert_eq!(T::cholesky(matrix)?.err(), Some(size / 2 + 1), "{bad} of {size}");
        }
    }
    Ok(())
}

#[test]
fn roots_make_the_matrix_again() -> Result<()> {
    check_cholesky::<f64>(1e-12)?;
    check_cholesky::<f32>(1e-3)?;
    check_cholesky::<Complex<f64>>(1e-12)?;
    check_cholesky::<Complex<f32>>(1e-3)
}

/// Checks that a matrix turns its vectors into their multiples, which are of length one.
#[track_caller]
fn check_vectors<T: MatrixScalar>(elements: &[T], size: usize, tolerance: f64) -> Result<()> {
    let most = elements.iter().map(|&it| length(it)).fold(f64::MIN_POSITIVE, f64::max);
    let a = ColumnMajor::of(elements, (size, size))?;
    let mut found = T::general(a.clone(), true)?;
    let alone = T::general(a.clone(), false)?.values;
    let sum = |values: &[T::Complex]| -> Complex<f64> {
        values.iter().map(|it| Complex::new(it.parts().0, it.parts().1)).sum()
    };
    let trace: Complex<f64> =
        (0..size).map(|k| Complex::new(a.at(k, k).parts().0, a.at(k, k).parts().1)).sum();
    for it in [sum(&alone), sum(&found.values)] {
        assert!((it - trace).norm() <= tolerance * most * size as f64, "{it}, not {trace}");
    }
    for k in 0..size {
        let value = Complex::new(found.values[k].parts().0, found.values[k].parts().1);
        let vector: Vec<Complex<f64>> = found
            .vectors
            .column_mut(k)
            .iter()
            .map(|it| Complex::new(it.parts().0, it.parts().1))
            .collect();
        let whole = vector.iter().map(|it| it.norm_sqr()).sum::<f64>().sqrt();
        assert!((whole - 1.0).abs() < 1e-5, "vector {k} of {size} is {whole} long");
        for row in 0..size {
            let turned: Complex<f64> = (0..size)
                .map(|at| {
                    Complex::new(a.at(row, at).parts().0, a.at(row, at).parts().1) * vector[at]
                })
                .sum();
            let difference = (turned - value * vector[row]).norm() / most;
            assert!(difference < tolerance, "{k} of {size}: {turned}, not {}", value * vector[row]);
        }
    }
    Ok(())
}

fn check_general<T: MatrixScalar>(tolerance: f64) -> Result<()> {
    for (size, _) in SIZES {
        for elements in matrices::<T>((size, size)) {
            check_vectors(&elements, size, tolerance)?;
        }
        if size > 70 {
            continue;
        }
        // There is one vector only; others must not overflow on the way to it.
        let chain: Vec<T> = (0..size * size)
            .map(|at| if at / size + 1 == at % size { T::ONE } else { T::ZERO })
            .collect();
        check_vectors(&chain, size, tolerance)?;
        let shifted: Vec<T> = chain
            .iter()
            .enumerate()
            .map(|(at, &it)| if at % (size + 1) == 0 { T::ONE } else { it })
            .collect();
        check_vectors(&shifted, size, tolerance)?;
        let cycle: Vec<T> = (0..size * size)
            .map(|at| if (at / size + 1) % size == at % size { T::ONE } else { T::ZERO })
            .collect();
        check_vectors(&cycle, size, tolerance)?;
    }
    Ok(())
}

#[test]
fn eigenvectors_of_any_matrix_keep_their_direction() -> Result<()> {
    check_general::<f64>(1e-12)?;
    check_general::<f32>(1e-3)?;
    check_general::<Complex<f64>>(1e-12)?;
    check_general::<Complex<f32>>(1e-3)
}

#[test]
fn eigenvalues_of_unbalanced_matrices_are_exact() -> Result<()> {
    let matrix = ColumnMajor::of(&[1.0, 1e150, 4e-150, 1.0], (2, 2))?;
    let mut values: Vec<f64> = f64::general(matrix, false)?.values.iter().map(|it| it.re).collect();
    values.sort_by(f64::total_cmp);
    assert!((values[0] + 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14, "{values:?}");
    Ok(())
}
