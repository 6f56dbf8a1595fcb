//! Sums of products in Einstein's notation.

use opwright_macros::native_op;
use opwright_runtime::geometry::Dims;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{Error, Result, Tensor, buffer, ensure, fail};

use super::equation::{Equation, Label};
use crate::ops::{self, TensorOps};

#[native_op(einsum)]
fn einsum(equation: &str, tensors: &[&Tensor], path: Option<&[i64]>) -> Result<Tensor> {
    let ranks = buffer::collected(tensors.iter().map(|it| it.ndim()))?;
    let equation = Equation::parse(equation, &ranks)?;
    let mut open = buffer::with_capacity(tensors.len())?;
    for (tensor, labels) in tensors.iter().zip(&equation.inputs) {
        open.push(Factor::new(tensor, labels)?);
    }
    check_sizes(&open)?;
    for (first, second) in pairs(open.len(), path)? {
        let right = open.remove(first.max(second));
        let left = open.remove(first.min(second));
        let is_needed = |label: &Label| {
            equation.output.contains(label) || open.iter().any(|it| it.labels.contains(label))
        };
        let product = left.times(right, is_needed)?;
        open.push(product);
    }
    match open.pop() {
        Some(factor) => {
            let result = factor.arranged(&equation.output)?;
            let is_view = tensors.iter().any(|it| overlaps(&result, it) != Overlap::No);
            if is_view { ops::clone::Default_::call(&result, None) } else { Ok(result) }
        }
        None => Err(Error::value("einsum(): must provide at least one operand")),
    }
}

/// Which of the open factors are multiplied, step by step.
fn pairs(count: usize, path: Option<&[i64]>) -> Result<Vec<(usize, usize)>> {
    let steps = count.saturating_sub(1);
    let Some(path) = path else {
        // The product comes last, so the next two are always in front, but the
        // product is to be the left one.
        let pair = |step| if step == 0 { (0, 1) } else { (0, count - 1 - step) };
        return buffer::collected((0..steps).map(pair));
    };
    ensure!(
        path.len() == 2 * steps,
        Value,
        "expected contraction path given in path parameter to have {} integers, got {}",
        2 * steps,
        path.len()
    );
    let mut pairs = buffer::with_capacity(steps)?;
    for (step, pair) in path.chunks(2).enumerate() {
        let open = (count - step) as i64;
        let is_valid = |it: i64| (0..open).contains(&it);
        ensure!(
            is_valid(pair[0]) && is_valid(pair[1]) && pair[0] != pair[1],
            Value,
            "invalid contraction path: there are no factors {} and {} in step {step}",
            pair[0],
            pair[1]
        );
        pairs.push((pair[0] as usize, pair[1] as usize));
    }
    Ok(pairs)
}

/// A tensor with a label for each dimension, each once.
struct Factor {
    tensor: Tensor,
    labels: Vec<Label>,
}

impl Factor {
    /// Dimensions with the same label become their diagonal.
    fn new(tensor: &Tensor, labels: &[Label]) -> Result<Factor> {
        let mut factor = Factor { tensor: tensor.clone(), labels: labels.to_vec() };
        while let Some((first, second)) = factor.repetition() {
            let sizes = (factor.tensor.shape()[first], factor.tensor.shape()[second]);
            ensure!(
                sizes.0 == sizes.1,
                Runtime,
                "subscript {} is repeated for operand but the sizes don't match, {} != {}",
                factor.labels[first],
                sizes.0,
                sizes.1
            );
            let dims = (first as i64, second as i64);
            factor.tensor = ops::diagonal::Default_::call(&factor.tensor, 0, dims.0, dims.1)?;
            let label = factor.labels.remove(second);
            factor.labels.remove(first);
            factor.labels.push(label);
        }
        Ok(factor)
    }

    fn repetition(&self) -> Option<(usize, usize)> {
        let labels = self.labels.iter().enumerate();
        labels.clone().find_map(|(second, label)| {
            let first = self.labels[..second].iter().position(|it| it == label)?;
            Some((first, second))
        })
    }

    fn dim(&self, label: Label) -> Option<usize> {
        self.labels.iter().position(|&it| it == label)
    }

    fn size(&self, label: Label) -> i64 {
        self.dim(label).map_or(1, |dim| self.tensor.shape()[dim])
    }

    /// The sum over a dimension, which goes.
    fn without(mut self, label: Label) -> Result<Factor> {
        if let Some(dim) = self.dim(label) {
            let dtype = Some(self.tensor.dtype());
            let dims = Some(&[dim as i64][..]);
            self.tensor = ops::sum::dim_IntList::call(&self.tensor, dims, false, dtype)?;
            self.labels.remove(dim);
        }
        Ok(self)
    }

    /// The product, summed over what nobody needs any more.
    fn times(self, other: Factor, is_needed: impl Fn(&Label) -> bool) -> Result<Factor> {
        let (mut left, mut right) = (self, other);
        for label in [left.labels.clone(), right.labels.clone()].concat() {
            // Where one side does not vary, the other is summed up beforehand.
            if !is_needed(&label) {
                if right.size(label) == 1 {
                    left = left.without(label)?;
                    right = right.without(label)?;
                } else if left.size(label) == 1 {
                    right = right.without(label)?;
                    left = left.without(label)?;
                }
            }
        }
        let shared = |label: &&Label| right.labels.contains(label);
        let batch: Vec<Label> =
            left.labels.iter().filter(shared).copied().filter(|it| is_needed(it)).collect();
        let summed: Vec<Label> =
            left.labels.iter().filter(shared).copied().filter(|it| !is_needed(it)).collect();
        let rows: Vec<Label> = left.labels.iter().filter(|it| !shared(it)).copied().collect();
        let columns: Vec<Label> =
            right.labels.iter().filter(|it| !left.labels.contains(it)).copied().collect();
        let sizes = |labels: &[Label]| -> Dims {
            // A size of one, which a label that is not there has too, gives way, also to zero.
            let size = |it| if left.size(it) == 1 { right.size(it) } else { left.size(it) };
            labels.iter().map(|&it| size(it)).collect()
        };
        let (b, r, c) = (sizes(&batch), sizes(&rows), sizes(&columns));
        let a = left.as_matrices(&batch, &b, &rows, &summed)?;
        let z = right.as_matrices(&batch, &b, &summed, &columns)?;
        let product = ops::bmm::Default_::call(&a, &z)?;
        let tensor = product.reshape(&[&b[..], &r[..], &c[..]].concat())?;
        Ok(Factor { tensor, labels: [batch, rows, columns].concat() })
    }

    /// With three dimensions: the batch, whose sizes are given, rows, columns.
    fn as_matrices(
        &self,
        batch: &[Label],
        sizes: &[i64],
        rows: &[Label],
        columns: &[Label],
    ) -> Result<Tensor> {
        let order = [batch, rows, columns].concat();
        let tensor = self.permuted(&order)?;
        let matrix = &tensor.shape()[batch.len()..];
        let height: i64 = matrix[..rows.len()].iter().product();
        let width: i64 = matrix[rows.len()..].iter().product();
        let shape = [sizes, matrix].concat();
        tensor.expand(&shape)?.reshape(&[sizes.iter().product(), height, width])
    }

    fn permuted(&self, labels: &[Label]) -> Result<Tensor> {
        let order = labels.iter().filter_map(|&it| self.dim(it));
        let order: Vec<i64> = order.map(|dim| dim as i64).collect();
        self.tensor.permute(&order)
    }

    /// Summed over what the result does not have, in the order of the result.
    fn arranged(mut self, output: &[Label]) -> Result<Tensor> {
        for label in self.labels.clone() {
            if !output.contains(&label) {
                self = self.without(label)?;
            }
        }
        self.permuted(output)
    }
}

/// Fails unless dimensions with one label are of one size, or of size one.
fn check_sizes(factors: &[Factor]) -> Result<()> {
    for (place, factor) in factors.iter().enumerate() {
        for (&label, &size) in factor.labels.iter().zip(factor.tensor.shape()) {
            let others = factors[..place].iter().map(|it| it.size(label));
            if let Some(other) = others.into_iter().find(|&it| it != 1 && it != size && size != 1) {
                fail!(
                    Runtime,
                    "operands do not broadcast with remapped shapes: subscript {label} has size \
                     {size} for operand {place} which does not broadcast with previously seen \
                     size {other}"
                );
            }
        }
    }
    Ok(())
}
