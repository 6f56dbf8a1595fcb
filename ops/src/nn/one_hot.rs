//! Classes as vectors.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Tensor, ensure, fail};

#[native_op(one_hot)]
fn one_hot(self_: &Tensor, num_classes: i64) -> Result<Tensor> {
    ensure!(
        self_.dtype() == DType::Int64,
        Runtime,
        "is only applicable to index tensor of type LongTensor, not {}.",
        self_.dtype()
    );
    let classes = if self_.device().is_meta() { None } else { Some(self_.to_vec::<i64>()?) };
    let length = length(classes.as_deref(), num_classes)?;
    let shape = [self_.shape(), &[length]].concat();
    let mut result = Tensor::allocate(&shape, DType::Int64, self_.device())?;
    let Some(classes) = classes.filter(|_| result.numel() > 0) else { return Ok(result) };
    let rows = result.as_mut_slice::<i64>()?.chunks_exact_mut(length as usize);
    for (row, &class) in rows.zip(&classes) {
        ensure!(class >= 0, Runtime, "Class values must be non-negative.");
        ensure!(class < length, Runtime, "Class values must be smaller than num_classes.");
        row[class as usize] = 1;
    }
    Ok(result)
}

fn length(classes: Option<&[i64]>, num_classes: i64) -> Result<i64> {
    if num_classes != -1 {
        ensure!(num_classes > 0, Runtime, "num_classes should be positive");
        return Ok(num_classes);
    }
    let Some(classes) = classes else {
        fail!(
            NotImplemented,
            "num_classes must be said on the meta device, where there are no classes to look at"
        );
    };
    match classes.iter().copied().max() {
        Some(greatest) => Ok(greatest.saturating_add(1).max(1)),
        None => fail!(Runtime, "Can not infer total number of classes from empty tensor."),
    }
}
