//! Householder reflectors `I - tau * v @ v.H`, of which matrices with orthonormal columns are products.
//!
//! They lie as LAPACK has them: `v` below the diagonal of a column, without its leading 1, and the
//! numbers `tau` in a vector.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor, ensure};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

const ZERO: Scalar = Scalar::Int(0);
const ONE: Scalar = Scalar::Int(1);

/// Reflectors of a batch of matrices.
struct Reflectors<'a> {
    columns: &'a Tensor,
    tau: &'a Tensor,
}

impl<'a> Reflectors<'a> {
    fn new(what: &str, columns: &'a Tensor, tau: &'a Tensor) -> Result<Self> {
        ensure!(
            columns.ndim() >= 2 && tau.ndim() == columns.ndim() - 1,
            Runtime,
            "{what}: input must have at least 2 dimensions, and tau one less, but they have shapes \
             {:?} and {:?}",
            columns.shape(),
            tau.shape()
        );
        let [rows, width] = last_two(columns);
        let count = tau.shape()[tau.ndim() - 1];
        ensure!(
            count <= rows.min(width),
            Runtime,
            "{what}: input.shape[-2] and input.shape[-1] must be greater than or equal to \
             tau.shape[-1], but they are {rows}, {width} and {count}"
        );
        ensure!(
            columns.shape()[..columns.ndim() - 2] == tau.shape()[..tau.ndim() - 1],
            Runtime,
            "{what}: Expected batch dimensions of tau to be equal to those of input, but got {:?} and \
             {:?}",
            tau.shape(),
            columns.shape()
        );
        ensure!(
            columns.dtype() == tau.dtype(),
            Runtime,
            "{what}: tau dtype {} does not match input dtype {}",
            tau.dtype(),
            columns.dtype()
        );
        if !columns.dtype().is_floating() && !columns.dtype().is_complex_number() {
            return Err(columns.dtype().unsupported(what));
        }
        Ok(Reflectors { columns, tau })
    }

    fn count(&self) -> i64 {
        self.tau.shape()[self.tau.ndim() - 1]
    }

    /// The vector of a reflector, as a matrix of one column.
    fn vector(&self, index: i64) -> Result<Tensor> {
        let [rows, _] = last_two(self.columns);
        let column = self.columns.narrow(-1, index, 1)?;
        let below = column.narrow(-2, index + 1, rows - index - 1)?;
        let one = column.narrow(-2, index, 1)?.detach()?;
        let one = ops::ones_like::Default_::call(&one, None, None, None, None, None)?;
        let zeros = column.narrow(-2, 0, index)?.detach()?;
        let zeros = ops::zeros_like::Default_::call(&zeros, None, None, None, None, None)?;
        ops::cat::Default_::call(&[&zeros, &one, &below], -2)
    }

    /// A reflector, or its adjoint, times a matrix.
    fn times(&self, index: i64, is_adjoint: bool, matrix: &Tensor) -> Result<Tensor> {
        let vector = self.vector(index)?;
        let mut tau = self.tau.narrow(-1, index, 1)?.unsqueeze(-1)?;
        if is_adjoint {
            tau = ops::conj_physical::Default_::call(&tau)?;
        }
        let row = ops::conj_physical::Default_::call(&vector.transpose(-2, -1)?)?.matmul(matrix)?;
        matrix.sub(&vector.mul(&tau)?.matmul(&row)?)
    }

    /// The product of all, or its adjoint, times a matrix.
    fn product(&self, is_adjoint: bool, matrix: &Tensor) -> Result<Tensor> {
        let apply = |matrix: Tensor, index: i64| self.times(index, is_adjoint, &matrix);
        match is_adjoint {
            true => (0..self.count()).try_fold(matrix.clone(), apply),
            false => (0..self.count()).rev().try_fold(matrix.clone(), apply),
        }
    }
}

fn last_two(matrices: &Tensor) -> [i64; 2] {
    let shape = matrices.shape();
    [shape[shape.len() - 2], shape[shape.len() - 1]]
}

#[native_op(linalg_householder_product)]
fn linalg_householder_product(input: &Tensor, tau: &Tensor) -> Result<Tensor> {
    let reflectors = Reflectors::new("linalg.householder_product", input, tau)?;
    let [rows, width] = last_two(input);
    ensure!(
        rows >= width,
        Runtime,
        "linalg.householder_product: input.shape[-2] must be greater than or equal to \
         input.shape[-1], but they are {rows} and {width}"
    );
    let start =
        ops::eye::m::call(rows, width, Some(input.dtype()), None, Some(input.device()), None)?;
    // The sum of no numbers, so that the result depends on them also if there are none.
    let none = tau.narrow(-1, 0, 0)?.sum_dim_intlist(Some(&[-1]))?;
    let start = start.add(&none.unsqueeze(-1)?.unsqueeze(-1)?)?;
    reflectors.product(false, &start)
}

#[native_op(ormqr)]
fn ormqr(
    self_: &Tensor,
    input2: &Tensor,
    input3: &Tensor,
    left: bool,
    transpose: bool,
) -> Result<Tensor> {
    let reflectors = Reflectors::new("ormqr", self_, input2)?;
    let [rows, _] = last_two(self_);
    let at = if left { 2 } else { 1 };
    ensure!(
        input3.ndim() == self_.ndim() && input3.shape()[input3.ndim() - at] == rows,
        Runtime,
        "ormqr: other.shape[-{at}] must be equal to input.shape[-2], {rows}, but other has shape {:?}",
        input3.shape()
    );
    if left {
        return reflectors.product(transpose, input3);
    }
    // `C @ Q` is the adjoint of `Q.H @ C.H`.
    let adjoint = |it: &Tensor| ops::conj_physical::Default_::call(&it.transpose(-2, -1)?);
    adjoint(&reflectors.product(!transpose, &adjoint(input3)?)?)
}

/// The real part of the head of a column, and whether nothing is below it, so that it stays as it is.
fn without_below(head: &Tensor, below: &Tensor) -> Result<(Tensor, Tensor)> {
    let two = Scalar::Int(2);
    let norm = ops::linalg_vector_norm::Default_::call(below, two, Some(&[-2]), true, None)?;
    let is_done = norm.eq_scalar(ZERO)?;
    if !head.dtype().is_complex_number() {
        return Ok((head.clone(), is_done));
    }
    let is_real = ops::imag::Default_::call(head)?.eq_scalar(ZERO)?;
    Ok((ops::real::Default_::call(head)?, is_done.logical_and(&is_real)?))
}

#[native_op(geqrf)]
fn geqrf(self_: &Tensor) -> Result<(Tensor, Tensor)> {
    ensure!(
        self_.ndim() >= 2,
        Runtime,
        "geqrf: input must have at least 2 dimensions, but has shape {:?}",
        self_.shape()
    );
    if !self_.dtype().is_floating() && !self_.dtype().is_complex_number() {
        return Err(self_.dtype().unsupported("geqrf"));
    }
    let [rows, width] = last_two(self_);
    if self_.numel() == 0 {
        let mut shape = self_.shape()[..self_.ndim() - 2].to_vec();
        shape.push(rows.min(width));
        return Ok((ops::clone::Default_::call(self_, None)?, self_.new_zeros(&shape)?));
    }
    let (mut done, mut taus) = (Vec::new(), Vec::new());
    let mut rest = self_.clone();
    for index in 0..rows.min(width) {
        // The rest has lost its finished columns.
        let column = rest.narrow(-1, 0, 1)?;
        let head = column.narrow(-2, index, 1)?;
        let below = column.narrow(-2, index + 1, rows - index - 1)?;
        let length = ops::linalg_vector_norm::Default_::call(
            &column.narrow(-2, index, rows - index)?,
            Scalar::Int(2),
            Some(&[-2]),
            true,
            None,
        )?;
        let (real, is_done) = without_below(&head, &below)?;
        let is_negative = real.lt_scalar(ZERO)?;
        let beta = ops::r#where::self_::call(&is_negative, &length, &length.neg()?)?;
        let beta = to(&beta, head.dtype())?;
        let beta = ops::r#where::self_::call(&is_done, &head, &beta)?;
        let difference = head.sub(&beta)?;
        let tau = difference.neg()?.div(&beta.masked_fill(&is_done, ONE)?)?;
        let vector = below.div(&difference.masked_fill(&is_done, ONE)?)?;
        let above = column.narrow(-2, 0, index)?;
        done.push(ops::cat::Default_::call(&[&above, &beta, &vector], -2)?);
        taus.push(tau.squeeze_dim(-1)?);
        let others = rest.narrow(-1, 1, width - index - 1)?;
        let lower = others.narrow(-2, index, rows - index)?;
        let ones = ops::ones_like::Default_::call(&head, None, None, None, None, None)?;
        let whole = ops::cat::Default_::call(&[&ones, &vector], -2)?;
        let adjoint = ops::conj_physical::Default_::call(&whole.transpose(-2, -1)?)?;
        let conj_tau = ops::conj_physical::Default_::call(&tau)?;
        let lower = lower.sub(&whole.mul(&conj_tau)?.matmul(&adjoint.matmul(&lower)?)?)?;
        let upper = others.narrow(-2, 0, index)?;
        rest = ops::cat::Default_::call(&[&upper, &lower], -2)?;
    }
    done.push(rest.clone());
    let done: Vec<&Tensor> = done.iter().collect();
    let matrix = ops::cat::Default_::call(&done, -1)?;
    if taus.is_empty() {
        let shape = [&self_.shape()[..self_.ndim() - 2], &[0]].concat();
        return Ok((matrix, self_.new_zeros(&shape)?));
    }
    let taus: Vec<&Tensor> = taus.iter().collect();
    Ok((matrix, ops::cat::Default_::call(&taus, -1)?))
}
