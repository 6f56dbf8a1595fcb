//! A struct that is a class of Python and a type of values, by a derive.

use opwright::runtime::dtype::Float;
use opwright::runtime::{Result, Tensor, ensure};
use opwright::{NativeType, native_op};

/// The real numbers from `lo` up to `hi`.
#[derive(NativeType, Clone, Debug, PartialEq)]
#[native(c = "my_ops_interval", close = "1e-9")]
pub struct Interval {
    /// The least of them.
    pub lo: f64,
    /// The greatest of them.
    #[field(set, default = 1.0)]
    pub hi: f64,
}

/// An interval, and what belongs to it. Tensors are not `PartialEq`, so Python compares fields.
#[derive(NativeType, Clone)]
#[native(frozen)]
pub struct Labelled {
    /// Where it is.
    within: Interval,
    #[field(default = String::new())]
    label: String,
    /// Numbers that are looked at more closely.
    #[field(name = "_marks", default = None)]
    marks: Option<Tensor>,
    #[field(skip, default = Looks::default())]
    looks: Looks,
}

impl Labelled {
    /// One without marks.
    pub fn new(within: Interval, label: &str) -> Labelled {
        Labelled { within, label: label.to_owned(), marks: None, looks: Looks::default() }
    }
}

/// How often somebody looked, which is no type of Python's.
#[derive(Clone, Debug, Default, PartialEq)]
struct Looks(u64);

/// How far an interval reaches.
#[native_op("width(Interval of) -> float")]
fn width(of: &Interval) -> Result<f64> {
    Ok(of.hi - of.lo)
}

/// The elements, each moved to the nearest number of an interval.
#[native_op("clip_to(Tensor x, Interval? within=None) -> Tensor", elementwise, dtypes = floating)]
fn clip_to<T: Float>(x: T, within: Option<&Interval>) -> T {
    match within {
        Some(it) => x.max(T::constant(it.lo)).min(T::constant(it.hi)),
        None => x,
    }
}

/// The smallest interval around several.
#[native_op(signature = (all))]
fn hull(all: &[&Interval]) -> Result<Interval> {
    ensure!(!all.is_empty(), Value, "no interval is around nothing");
    let lo = all.iter().map(|it| it.lo).fold(f64::INFINITY, f64::min);
    let hi = all.iter().map(|it| it.hi).fold(f64::NEG_INFINITY, f64::max);
    Ok(Interval { lo, hi })
}

/// An interval with a label.
#[native_op("with_label(Interval within, str label) -> Labelled")]
fn with_label(within: &Interval, label: &str) -> Result<Labelled> {
    Ok(Labelled::new(within.clone(), label))
}

/// The same with another label, looked at once more.
#[native_op("relabel(Labelled it, str label) -> Labelled")]
fn relabel(it: &Labelled, label: &str) -> Result<Labelled> {
    let looks = Looks(it.looks.0 + 1);
    Ok(Labelled { label: label.to_owned(), looks, ..it.clone() })
}

/// How often a label was changed.
#[native_op("times_relabelled(Labelled it) -> int")]
fn times_relabelled(it: &Labelled) -> Result<i64> {
    Ok(it.looks.0 as i64)
}
