//! Numbers at equal distances.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Element, Layout, Result, Scalar, Tensor, default_dtype, ensure, fail, iterate,
    multiversion, view,
};

use super::options::TensorOptions;
use crate::ops;

#[native_op(arange.start_step)]
fn arange_start_step(
    start: Scalar,
    end: Scalar,
    step: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let natural = if are_integers(&[start, end, step]) { DType::Int64 } else { default_dtype() };
    let count = steps_between(start, end, step, options.dtype.unwrap_or(natural))?;
    let mut out = options.allocate(&[count], natural)?;
    write_steps(start, step, &mut out)?;
    Ok(out)
}

#[native_op(arange.start_out)]
fn arange_start_out(start: Scalar, end: Scalar, step: Scalar, out: &mut Tensor) -> Result<()> {
    let count = steps_between(start, end, step, out.dtype())?;
    // An output of another shape with as many elements keeps its shape.
    if out.numel() as i64 != count {
        out.set_shape(&[count])?;
    }
    write_steps(start, step, out)
}

#[native_op(linspace)]
fn linspace(
    start: Scalar,
    end: Scalar,
    steps: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = allocate_points("linspace", options, start.dtype(), end.dtype(), steps)?;
    write_points(start, end, &mut out)?;
    Ok(out)
}

#[native_op(linspace.endpoint)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn linspace_endpoint(
    start: Scalar,
    end: Scalar,
    steps: i64,
    endpoint: bool,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    check_steps(steps)?;
    if endpoint {
        return linspace(start, end, steps, dtype, layout, device, pin_memory);
    }
    let all = linspace(start, end, steps.saturating_add(1), dtype, layout, device, pin_memory)?;
    // A copy, as the result has no memory behind its last element.
    ops::clone::Default_::call(&view::narrow(&all, 0, 0, steps)?, None)
}

#[native_op(linspace.out)]
fn linspace_out(start: Scalar, end: Scalar, steps: i64, out: &mut Tensor) -> Result<()> {
    check_steps(steps)?;
    if out.numel() as i64 != steps {
        out.set_shape(&[steps])?;
    }
    write_points(start, end, out)
}

/// How many numbers lie from `start` to before `end`, in steps of such a dtype.
///
/// Integer dtypes see the three numbers without their fractions, but only
/// `int64` also counts with what is left, as upstream has it.
fn steps_between(start: Scalar, end: Scalar, step: Scalar, dtype: DType) -> Result<i64> {
    let (from, to, by) = (start.to_f64()?, end.to_f64()?, step.to_f64()?);
    ensure!(from.is_finite() && to.is_finite(), Runtime, "unsupported range: {start} -> {end}");
    let are_integers = are_integers(&[start, end, step]);
    if are_integers || dtype.is_integral() {
        let whole = |it: Scalar| it.to_i64().map(i128::from);
        let (from, to, by) = (whole(start)?, whole(end)?, whole(step)?);
        check_direction(by.signum(), (to - from).signum())?;
        if are_integers || dtype == DType::Int64 {
            let count = (to - from + by - by.signum()) / by;
            return i64::try_from(count).or_else(|_| too_many_steps());
        }
    } else {
        let sign = |it: f64| i128::from(it > 0.0) - i128::from(it < 0.0);
        check_direction(sign(by), sign(to - from))?;
    }
    let count = ((to - from) / by).ceil();
    if count < i64::MAX as f64 { Ok(count as i64) } else { too_many_steps() }
}

/// Fails if steps of such a sign lead away from where they should, or nowhere.
fn check_direction(step: i128, way: i128) -> Result<()> {
    ensure!(step != 0, Runtime, "step must be nonzero");
    ensure!(
        way == 0 || way == step,
        Runtime,
        "upper bound and lower bound inconsistent with step sign"
    );
    Ok(())
}

#[cold]
fn too_many_steps() -> Result<i64> {
    fail!(Overflow, "the range has too many numbers")
}

fn write_steps(start: Scalar, step: Scalar, out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    match out.dtype() {
        DType::Bool => Err(DType::Bool.unsupported("arange")),
        dtype if dtype.is_integral() => {
            let (start, step) = (start.to_i64()?, step.to_i64()?);
            let last = (out.numel() as i64 - 1).max(0).wrapping_mul(step).wrapping_add(start);
            check_ends(Scalar::Int(start), Scalar::Int(last), out)?;
            iterate::nullary_indexed(out, |i| start.wrapping_add(step.wrapping_mul(i as i64)))
        }
        _ => {
            let (start, step) = (start.to_f64()?, step.to_f64()?);
            write_floating(out, |i| start + step * i as f64)
        }
    }
}

/// Fails if the first or the last number is out of the range of an integer dtype.
fn check_ends(first: Scalar, last: Scalar, out: &Tensor) -> Result<()> {
    if out.numel() > 0 && out.dtype().is_integral() {
        first.check_in_range(out.dtype())?;
        last.check_in_range(out.dtype())?;
    }
    Ok(())
}

/// Writes `f(i)` to each element: at once in the dtype that is the usual one.
fn write_floating(out: &mut Tensor, f: impl Fn(usize) -> f64 + Sync) -> Result<()> {
    match out.dtype() {
        DType::Float32 => iterate::nullary_indexed(out, |i| f(i) as f32),
        _ => iterate::nullary_indexed(out, f),
    }
}

fn are_integers(numbers: &[Scalar]) -> bool {
    numbers.iter().all(|it| it.is_integral() || it.is_boolean())
}

/// A tensor for numbers from one end to another.
pub(crate) fn allocate_points(
    name: &str,
    options: TensorOptions,
    start: DType,
    end: DType,
    steps: i64,
) -> Result<Tensor> {
    check_steps(steps)?;
    let is_complex = start.is_complex_number() || end.is_complex_number();
    let natural = if is_complex { default_dtype().to_complex() } else { default_dtype() };
    let dtype = options.dtype.unwrap_or(natural);
    ensure!(
        !is_complex || dtype.is_complex_number(),
        Runtime,
        "{name}(): inferred dtype {} can't be safely cast to passed dtype {}",
        natural.name(),
        dtype.name()
    );
    options.allocate(&[steps], natural)
}

pub(super) fn check_steps(steps: i64) -> Result<()> {
    ensure!(steps >= 0, Runtime, "number of steps must be non-negative");
    Ok(())
}

/// Writes numbers at equal distances, from the nearer end, so that both are exact.
pub(crate) fn write_points(start: Scalar, end: Scalar, out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    let last = out.numel().saturating_sub(1);
    let intervals = last.max(1) as f64;
    if out.dtype().is_complex_number() {
        let (start, end) = (start.to_complex(), end.to_complex());
        let step = (end - start) / intervals;
        return iterate::nullary_indexed(out, |i| -> Complex<f64> {
            if 2 * i <= last { start + step * i as f64 } else { end - step * (last - i) as f64 }
        });
    }
    check_ends(start, end, out)?;
    if out.dtype().is_integral() && out.dtype() != DType::Bool {
        return write_whole_points(start.to_i64()?, end.to_i64()?, last as i64, out);
    }
    let (start, end) = (start.to_f64()?, end.to_f64()?);
    let line = Line { start, end, step: (end - start) / intervals, last: last as f64 };
    match out.dtype() {
        DType::Float32 => iterate::nullary_blocks(out, |i, made| points::<f32>(line, i, made)),
        _ => iterate::nullary_blocks(out, |i, made| points::<f64>(line, i, made)),
    }
}

/// The same of integers: the ends lose their fractions first, and what lies between is cut towards
/// zero.
fn write_whole_points(start: i64, end: i64, last: i64, out: &mut Tensor) -> Result<()> {
    let (start, way, last) = (i128::from(start), i128::from(end) - i128::from(start), last.max(1));
    let last = i128::from(last);
    iterate::nullary_indexed(out, |i| ((start * last + way * i as i128) / last) as i64)
}

/// Numbers at equal distances.
#[derive(Clone, Copy)]
struct Line {
    start: f64,
    end: f64,
    step: f64,
    /// The index of the last number.
    last: f64,
}

/// How many numbers are made at once.
const BLOCK: usize = 128;

multiversion! {
    /// The `index`th block of a line; the same at each level.
    fn points<const _FMA: bool, T>(line: Line, index: usize, made: &mut [T; BLOCK])
    where
        [T: Element]
    {
        let first = (index * BLOCK) as f64;
        for (i, slot) in made.iter_mut().enumerate() {
            let at = first + f64::from(i as i32);
            let from_start = line.start + line.step * at;
            let from_end = line.end - line.step * (line.last - at);
            *slot = if 2.0 * at <= line.last { from_start } else { from_end }.cast();
        }
    }
}
