//! Tensors that are put over other memory.

use opwright_macros::native_op;
use opwright_runtime::autograd::check_replaced;
use opwright_runtime::{Result, Storage, Tensor, ensure};

#[native_op(set_.source_Storage)]
fn set_storage(self_: &mut Tensor, source: &Storage) -> Result<()> {
    check_replaced(self_, "set_")?;
    let count = (source.bytes() / self_.dtype().size()) as i64;
    self_.set_storage(source, 0, &[count], None)
}

#[native_op(set_.source_Storage_storage_offset)]
fn set_storage_at(
    self_: &mut Tensor,
    source: &Storage,
    storage_offset: i64,
    size: &[i64],
    stride: &[i64],
) -> Result<()> {
    check_replaced(self_, "set_")?;
    self_.set_storage(source, storage_offset, size, given(size, stride))
}

#[native_op(set_.source_Tensor)]
fn set_tensor(self_: &mut Tensor, source: &Tensor) -> Result<()> {
    check_replaced(self_, "set_")?;
    self_.set_tensor(source)
}

#[native_op(set_.source_Tensor_storage_offset)]
fn set_tensor_at(
    self_: &mut Tensor,
    source: &Tensor,
    storage_offset: i64,
    size: &[i64],
    stride: &[i64],
) -> Result<()> {
    check_replaced(self_, "set_")?;
    let mut set = self_.clone();
    set.set_tensor(source)?;
    ensure!(!set.device().is_meta(), Runtime, "a meta tensor has no storage");
    if let Some(storage) = source.storage() {
        set.set_storage(storage, storage_offset, size, given(size, stride))?;
    }
    *self_ = set;
    Ok(())
}

#[native_op(set_)]
fn set_(self_: &mut Tensor) -> Result<()> {
    check_replaced(self_, "set_")?;
    self_.set_empty()
}

/// The strides of a call, if there are any.
fn given<'a>(size: &[i64], stride: &'a [i64]) -> Option<&'a [i64]> {
    (!stride.is_empty() || size.is_empty()).then_some(stride)
}
