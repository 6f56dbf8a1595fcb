//! The exponential of matrices: a Padé approximant of order 13 of what is scaled down, and squared
//! as often, after Higham (2005), "The scaling and squaring method for the matrix exponential
//! revisited".

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::batch::check_square;
use super::power::identity;
use crate::gradient::float;
use crate::ops::{self, TensorOps};

#[native_op(linalg_matrix_exp)]
fn linalg_matrix_exp(self_: &Tensor) -> Result<Tensor> {
    let &[.., rows, columns] = self_.shape() else {
        opwright_runtime::fail!(
            Runtime,
            "The input tensor A must have at least 2 dimensions, but has {}",
            self_.ndim()
        );
    };
    check_square(rows, columns)?;
    ensure!(
        self_.dtype().is_floating() || self_.dtype().is_complex_number(),
        Runtime,
        "Expected a floating point or complex tensor as input. Got {}",
        self_.dtype().title()
    );
    match rows {
        0 => ops::clone::Default_::call(self_, None),
        1 => self_.exp(),
        _ if self_.numel() == 0 => ops::clone::Default_::call(self_, None),
        _ => {
            let halvings = halvings(self_)?;
            let scaled = self_.mul_scalar(float(0.5_f64.powi(halvings)))?;
            let mut power = approximant(&scaled)?;
            for _ in 0..halvings {
                power = power.matmul(&power)?;
            }
            Ok(power)
        }
    }
}

/// Up to this norm the approximant is exact to the last places.
const LARGEST_NORM: f64 = 5.371920351148152;

/// How often all matrices are halved, so that none is longer.
fn halvings(matrices: &Tensor) -> Result<i32> {
    if matrices.device().is_meta() {
        return Ok(0);
    }
    let sizes = ops::detach::Default_::call(matrices)?.abs()?;
    let columns = ops::sum::dim_IntList::call(&sizes, Some(&[-2]), false, None)?;
    let norm = ops::_local_scalar_dense::Default_::call(&columns.max()?)?.to_f64()?;
    if !norm.is_finite() || norm <= LARGEST_NORM {
        return Ok(0);
    }
    Ok((norm / LARGEST_NORM).log2().ceil() as i32)
}

/// The coefficients of the numerator from the lowest on, divided by the first one.
const COEFFICIENTS: [f64; 14] = {
    let exact: [f64; 14] = [
        64764752532480000.0,
        32382376266240000.0,
        7771770303897600.0,
        1187353796428800.0,
        129060195264000.0,
        10559470521600.0,
        670442572800.0,
        33522128640.0,
        1323241920.0,
        40840800.0,
        960960.0,
        16380.0,
        182.0,
        1.0,
    ];
    let mut shares = exact;
    let mut at = 0;
    while at < exact.len() {
        shares[at] = exact[at] / exact[0];
        at += 1;
    }
    shares
};

fn approximant(a: &Tensor) -> Result<Tensor> {
    let square = a.matmul(a)?;
    let fourth = square.matmul(&square)?;
    let sixth = fourth.matmul(&square)?;
    let one = identity(a)?;
    let powers = [&one, &square, &fourth, &sixth];
    // Every second coefficient: of the odd powers, less one, and of the even ones.
    let half = |first: usize| -> Result<Tensor> {
        let share = |at: usize| float(COEFFICIENTS[first + 2 * at]);
        let mut low = powers[0].mul_scalar(share(0))?;
        for (at, power) in powers.iter().enumerate().skip(1) {
            low = low.add(&power.mul_scalar(share(at))?)?;
        }
        let mut high = powers[1].mul_scalar(share(4))?;
        for (at, power) in powers.iter().enumerate().skip(2) {
            high = high.add(&power.mul_scalar(share(at + 3))?)?;
        }
        low.add(&sixth.matmul(&high)?)
    };
    let (odd, even) = (a.matmul(&half(1)?)?, half(0)?);
    ops::linalg_solve::Default_::call(&even.sub(&odd)?, &even.add(&odd)?, true)
}
