//! Histograms: counts of elements by interval.

use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Result, Scalar, Tensor, bf16, buffer, ensure, f16, fail, interrupt,
};

/// Intervals of one width between two ends; the last one holds its upper end too.
struct Intervals {
    low: f64,
    high: f64,
    count: usize,
    /// That of the elements, to which the edges are rounded.
    dtype: DType,
}

impl Intervals {
    fn new(low: f64, high: f64, count: i64, dtype: DType) -> Result<Intervals> {
        ensure!(count > 0, Runtime, "argument 'bins' must be > 0, but got {count}");
        ensure!(
            low.is_finite() && high.is_finite(),
            Runtime,
            "range of [{low}, {high}] is not finite"
        );
        let (low, high) = (rounded(low, dtype), rounded(high, dtype));
        Ok(Intervals { low, high, count: count as usize, dtype })
    }

    /// The number of the interval; nothing for what lies outside, and for NaN.
    fn of(&self, value: f64) -> Option<usize> {
        if !(self.low..=self.high).contains(&value) {
            return None;
        }
        let share = (0.5 * value - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low);
        let place = ((share * self.count as f64) as usize).min(self.count - 1);
        // Rounding leads to a neighbour at most: the edges decide, as they are returned.
        let is_before = place > 0 && value < self.edge(place);
        let is_after = place + 1 < self.count && value >= self.edge(place + 1);
        Some(place - usize::from(is_before) + usize::from(is_after && !is_before))
    }

    /// Where an interval begins, in the dtype of the elements.
    fn edge(&self, at: usize) -> f64 {
        if at == self.count {
            return self.high;
        }
        let share = at as f64 / self.count as f64;
        let width = self.high - self.low;
        let edge = match width.is_finite() {
            // The product of whole numbers is exact.
            true => self.low + width * at as f64 / self.count as f64,
            false => self.low * (1.0 - share) + self.high * share,
        };
        rounded(edge, self.dtype)
    }

    /// How much weight each interval has; without weights each value has 1.
    ///
    /// There may be more intervals than fit into memory, which is an error of the tensor.
    fn sums(&self, values: &[f64], weights: Option<&[f64]>) -> Result<Tensor> {
        let mut tensor = Tensor::zeroed(&[self.count as i64], DType::Float64, Device::Cpu)?;
        let sums = tensor.as_mut_slice::<f64>()?;
        for (at, &value) in values.iter().enumerate() {
            interrupt::check_at(at + 1);
            if let Some(interval) = self.of(value) {
                sums[interval] += weights.map_or(1.0, |it| it[at]);
            }
        }
        Ok(tensor)
    }

    /// Where the intervals begin, and where the last one ends.
    fn edges(&self) -> Result<Tensor> {
        let inner = (0..self.count).map(|it| self.edge(it));
        let mut edges = buffer::with_capacity(self.count.saturating_add(1))?;
        edges.extend(inner.chain([self.high]));
        Tensor::from_vec(&[self.count as i64 + 1], edges)
    }
}

/// The number as elements of this dtype hold it.
fn rounded(value: f64, dtype: DType) -> f64 {
    match dtype {
        DType::Float32 => f64::from(value as f32),
        DType::Float16 => f16::from_f64(value).to_f64(),
        DType::BFloat16 => bf16::from_f64(value).to_f64(),
        _ => value,
    }
}

/// The least and the greatest value; 0 and 0 if there is none.
fn extremes(values: &[f64]) -> (f64, f64) {
    let first = values.first().copied().unwrap_or(0.0);
    let widen = |(low, high): (f64, f64), &it: &f64| {
        if it.is_nan() { (it, it) } else { (low.min(it), high.max(it)) }
    };
    values.iter().fold((first, first), widen)
}

fn check_floating(what: &str, input: &Tensor) -> Result<()> {
    if input.dtype().is_floating() { Ok(()) } else { Err(input.dtype().unsupported(what)) }
}

#[native_op(histc)]
fn histc(self_: &Tensor, bins: i64, min: Scalar, max: Scalar) -> Result<Tensor> {
    check_floating("histc", self_)?;
    let (low, high) = (min.to_f64()?, max.to_f64()?);
    ensure!(low <= high, Runtime, "max must be larger than min");
    let values = self_.to_vec::<f64>()?;
    let (low, high) = if low == high { extremes(&values) } else { (low, high) };
    let (low, high) = if low == high { (low - 1.0, high + 1.0) } else { (low, high) };
    Intervals::new(low, high, bins, self_.dtype())?.sums(&values, None)?.to_dtype(self_.dtype())
}

#[native_op(histogram.bin_ct)]
fn histogram_bin_ct(
    self_: &Tensor,
    bins: i64,
    range: Option<&[f64]>,
    weight: Option<&Tensor>,
    density: bool,
) -> Result<(Tensor, Tensor)> {
    check_floating("histogram", self_)?;
    let weights = weights(self_, weight)?;
    let values = self_.to_vec::<f64>()?;
    let intervals = between(&values, range, bins, self_.dtype())?;
    let mut sums = intervals.sums(&values, weights.as_deref())?;
    if density {
        let sums = sums.as_mut_slice::<f64>()?;
        let width = (intervals.high - intervals.low) / intervals.count as f64;
        let total: f64 = sums.iter().sum();
        sums.iter_mut().for_each(|it| *it /= total * width);
    }
    Ok((sums.to_dtype(self_.dtype())?, intervals.edges()?.to_dtype(self_.dtype())?))
}

/// The weights of the elements, if they have some.
fn weights(input: &Tensor, weight: Option<&Tensor>) -> Result<Option<Vec<f64>>> {
    let Some(weight) = weight else { return Ok(None) };
    ensure!(
        weight.shape() == input.shape() && weight.dtype() == input.dtype(),
        Runtime,
        "argument 'weight' must have the shape and the dtype of the input"
    );
    weight.to_vec::<f64>().map(Some)
}

fn between(values: &[f64], range: Option<&[f64]>, bins: i64, dtype: DType) -> Result<Intervals> {
    let (low, high) = match range {
        None if values.is_empty() => (0.0, 1.0),
        None => extremes(values),
        Some([low, high]) => (*low, *high),
        Some(other) => {
            fail!(Runtime, "argument 'range' should have 2 elements, but got {}", other.len())
        }
    };
    ensure!(low <= high, Runtime, "min should not exceed max, but got min {low} max {high}");
    let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
    Intervals::new(low, high, bins, dtype)
}

#[native_op(histogram.bins_tensor)]
fn histogram_bins_tensor(
    self_: &Tensor,
    bins: &Tensor,
    weight: Option<&Tensor>,
    density: bool,
) -> Result<(Tensor, Tensor)> {
    check_floating("histogram", self_)?;
    ensure!(
        bins.ndim() == 1 && bins.dtype() == self_.dtype() && bins.numel() > 0,
        Runtime,
        "argument 'bins' must have one dimension, at least one element and the dtype of the input"
    );
    let weights = weights(self_, weight)?;
    let (values, edges) = (self_.to_vec::<f64>()?, bins.to_vec::<f64>()?);
    let mut sums = buffer::filled(edges.len() - 1, 0.0)?;
    for (at, value) in values.iter().enumerate() {
        interrupt::check_at(at + 1);
        let passed = edges.partition_point(|edge| edge <= value);
        // The last interval holds its upper end too.
        let passed = if edges.last() == Some(value) { sums.len() } else { passed };
        if let Some(sum) = passed.checked_sub(1).and_then(|it| sums.get_mut(it)) {
            *sum += weights.as_ref().map_or(1.0, |it| it[at]);
        }
    }
    if density {
        let total: f64 = sums.iter().sum();
        let widths = edges.windows(2).map(|it| it[1] - it[0]);
        sums.iter_mut().zip(widths).for_each(|(sum, width)| *sum /= total * width);
    }
    let hist = Tensor::from_vec(&[sums.len() as i64], sums)?.to_dtype(self_.dtype())?;
    Ok((hist, bins.copy()?))
}
