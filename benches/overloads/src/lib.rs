//! A function of eight overloads that differ in the kind of one argument and do
//! the same: nothing.

use opwright::{DType, Device, Layout, MemoryFormat, Result, Tensor, native_op};

opwright::module!(bench_overloads);

#[native_op("choose.dtype(Tensor x, ScalarType how) -> Tensor")]
fn by_dtype(x: &Tensor, _how: DType) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.text(Tensor x, str how) -> Tensor")]
fn by_text(x: &Tensor, _how: &str) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.tensor(Tensor x, Tensor how) -> Tensor")]
fn by_tensor(x: &Tensor, _how: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.bool(Tensor x, bool how) -> Tensor")]
fn by_bool(x: &Tensor, _how: bool) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.ints(Tensor x, int[] how) -> Tensor")]
fn by_ints(x: &Tensor, _how: &[i64]) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.format(Tensor x, MemoryFormat how) -> Tensor")]
fn by_format(x: &Tensor, _how: MemoryFormat) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.device(Tensor x, Device how) -> Tensor")]
fn by_device(x: &Tensor, _how: Device) -> Result<Tensor> {
    Ok(x.clone())
}

#[native_op("choose.layout(Tensor x, Layout how) -> Tensor")]
fn by_layout(x: &Tensor, _how: Layout) -> Result<Tensor> {
    Ok(x.clone())
}
