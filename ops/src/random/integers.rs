//! Tensors of random integers.

use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Draws, Generator, Layout, Result, Tensor, ensure, interrupt, multiversion,
};

use super::fill::{exact_integers, random_inplace_from};
use crate::creation::options::TensorOptions;

#[native_op(randint.low_generator)]
fn randint_low_generator(
    low: i64,
    high: i64,
    size: &[i64],
    generator: Option<&Generator>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(size, DType::Int64)?;
    random_inplace_from(&mut out, low, Some(high), generator)?;
    Ok(out)
}

#[native_op(randint.low_generator_out)]
fn randint_low_generator_out(
    low: i64,
    high: i64,
    size: &[i64],
    generator: Option<&Generator>,
    out: &mut Tensor,
) -> Result<()> {
    out.set_shape(size)?;
    random_inplace_from(out, low, Some(high), generator)
}

#[native_op(randperm.generator)]
fn randperm_generator(
    n: i64,
    generator: Option<&Generator>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(&[0], DType::Int64)?;
    randperm_generator_out(n, generator, &mut out)?;
    Ok(out)
}

#[native_op(randperm.generator_out)]
fn randperm_generator_out(n: i64, generator: Option<&Generator>, out: &mut Tensor) -> Result<()> {
    ensure!(n >= 0, Runtime, "n must be non-negative, got {n}");
    ensure!(
        n <= exact_integers(out.dtype()).1.saturating_add(1),
        Runtime,
        "n is too large for result tensor type: '{}'",
        out.dtype().name()
    );
    out.set_shape(&[n])?;
    if out.device().is_meta() {
        return Ok(());
    }
    let draws = generator.unwrap_or_else(|| Generator::default_cpu()).reserve(n as u64);
    let mut numbers = Tensor::allocate(&[n], DType::Int64, Device::Cpu)?;
    let places = numbers.as_mut_slice::<i64>()?;
    for (i, place) in places.iter_mut().enumerate() {
        interrupt::check_at(i + 1);
        *place = i as i64;
    }
    // Each place from the last on swaps with any that is not behind it.
    let mut end = places.len();
    while end > 1 {
        let count = Draws::AT_ONCE.min(end);
        let others = places_before(draws, end - count);
        for (last, &other) in (end - count..end).zip(&others).rev() {
            places.swap(last, other);
        }
        end -= count;
        interrupt::check_at(places.len() - end);
    }
    out.copy_from(&numbers)
}

multiversion! {
    /// For so many places from `first` on, one that is not behind it; the same at each level.
    fn places_before<const _FMA: bool>(draws: Draws, first: usize) -> [usize; Draws::AT_ONCE] {
        let bits = draws.blocks(first as u64);
        let mut places = [0; Draws::AT_ONCE];
        for (i, place) in places.iter_mut().enumerate() {
            let count = (first + i) as u128 + 1;
            *place = ((u128::from(bits[2 * i]) * count) >> 64) as usize;
        }
        places
    }
}
