//! Hashes of elements: the exclusive or of their bits, in any order.

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Result, Tensor, ensure};

use super::space::{check_choice, reduced_exactly};

#[native_op(hash_tensor.out, rule)]
fn hash_tensor_rule(self_: &Tensor, dim: &[i64], keepdim: bool, mode: i64) -> Result<Spec> {
    ensure!(mode == 0, Runtime, "Unknown hash_tensor mode: {mode}");
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    if self_.dtype().is_complex_number() {
        return Err(self_.dtype().unsupported("hash_tensor"));
    }
    check_choice(self_, dims, !dim.is_empty())?;
    Ok(reduced_exactly(self_, dims, keepdim, DType::UInt64))
}

#[native_op(hash_tensor.out)]
fn hash_tensor_out(
    self_: &Tensor,
    dim: &[i64],
    _keepdim: bool,
    _mode: i64,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let (combine, finish) = (|a: u64, b: u64| a ^ b, |it: u64| it);
    // The bits are those of the widest number of the kind, so that they do not depend on the dtype.
    if self_.dtype().is_floating() {
        let fold = |all: u64, it: f64| all ^ it.to_bits();
        return reduce(self_, dims, out, Fold { start: 0, fold, combine, finish });
    }
    reduce(self_, dims, out, Fold { start: 0, fold: combine, combine, finish })
}
