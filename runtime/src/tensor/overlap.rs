//! Overlap analysis: whether two tensors, or one with itself, share elements.
//!
//! The question is whether a sum of strides, each taken a limited number of
//! times, equals a given distance. That is hard in general and easy for the
//! strides that occur; the search below gives up after a fixed number of steps
//! and then assumes the worse answer.

use smallvec::SmallVec;

use crate::{Error, Storage, Tensor};

/// How the memory of two tensors lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// No byte belongs to both.
    No,
    /// Both are the same view: element by element the same memory.
    Full,
    /// Some memory belongs to both, at different places.
    Partial,
}

/// How the memory of two tensors lies.
#[inline]
pub fn overlaps(a: &Tensor, b: &Tensor) -> Overlap {
    let (Some(first), Some(second)) = (a.storage(), b.storage()) else {
        return Overlap::No;
    };
    // Not whether the storage is the same: memory of ours may come back as
    // somebody else's, and two storages may be over the same foreign memory.
    if first.address() < second.end() && second.address() < first.end() {
        overlap_within(a, b)
    } else {
        Overlap::No
    }
}

fn overlap_within(a: &Tensor, b: &Tensor) -> Overlap {
    if a.numel() == 0 || b.numel() == 0 {
        return Overlap::No;
    }
    let (from_a, from_b) = (start(a), start(b));
    if from_a == from_b
        && a.dtype() == b.dtype()
        && a.shape() == b.shape()
        && (a.strides() == b.strides() || a.numel() == 1)
    {
        return Overlap::Full;
    }
    let distance = from_b.wrapping_sub(from_a);
    let mut terms = Terms::new();
    push_terms(&mut terms, a, 1);
    push_terms(&mut terms, b, -1);
    // Elements of several bytes meet if any of their bytes do.
    terms.push(StrideTerm {
        step: 1,
        low: 1 - b.dtype().size() as i64,
        high: a.dtype().size() as i64 - 1,
    });
    if OverlapSearch::new(terms).reaches(distance) { Overlap::Partial } else { Overlap::No }
}

/// The error of a loop whose output overlaps an input other than exactly.
#[cold]
pub(crate) fn partial_overlap() -> Error {
    Error::runtime(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer \
         to a single memory location. Please copy the tensor before performing the operation.",
    )
}

/// Whether a tensor reaches an element twice.
#[inline]
pub fn has_internal_overlap(tensor: &Tensor) -> bool {
    !tensor.is_contiguous() && strides_overlap(tensor)
}

fn strides_overlap(tensor: &Tensor) -> bool {
    let dims = moving_dims(tensor);
    if tensor.numel() == 0 || nest(&dims) {
        return false;
    }
    dims.iter().any(|&(stride, _)| stride == 0) || has_twin(&dims)
}

impl Tensor {
    /// Whether each stride is greater than all that smaller ones reach: the
    /// usual way for no element to be reached twice.
    pub(super) fn strides_nest(&self) -> bool {
        self.numel() == 0 || nest(&moving_dims(self))
    }
}

/// Distance and greatest index of each dimension, the smallest distance first.
fn moving_dims(tensor: &Tensor) -> SmallVec<[(i64, i64); 6]> {
    let dims = tensor.shape().iter().zip(tensor.strides());
    let dims = dims.filter(|&(&size, _)| size > 1);
    let mut dims: SmallVec<[(i64, i64); 6]> =
        dims.map(|(&size, &stride)| (stride.saturating_abs(), size - 1)).collect();
    dims.sort_unstable();
    dims
}

fn nest(dims: &[(i64, i64)]) -> bool {
    let mut reached = 0_i64;
    dims.iter().all(|&(stride, last)| {
        let fits = stride > reached;
        reached = reached.saturating_add(stride.saturating_mul(last));
        fits
    })
}

/// Whether two different elements have the same address; no stride is zero.
///
/// Their indices differ first in some dimension, say by a positive number.
fn has_twin(dims: &[(i64, i64)]) -> bool {
    (0..dims.len()).any(|first| {
        let mut terms = Terms::new();
        let (step, last) = dims[first];
        terms.push(StrideTerm { step, low: 1, high: last });
        terms.extend(dims[first + 1..].iter().map(|&(step, last)| StrideTerm {
            step,
            low: -last,
            high: last,
        }));
        OverlapSearch::new(terms).reaches(0)
    })
}

/// The address of the first element.
fn start(tensor: &Tensor) -> i64 {
    let base = tensor.storage().map_or(0, Storage::address) as i64;
    base.wrapping_add(tensor.offset().wrapping_mul(tensor.dtype().size() as i64))
}

fn push_terms(terms: &mut Terms, tensor: &Tensor, sign: i64) {
    let size = tensor.dtype().size() as i64;
    for (&count, &stride) in tensor.shape().iter().zip(tensor.strides()) {
        // A dimension of size one may have any stride, however large.
        if count > 1 && stride != 0 {
            let step = stride * size * sign;
            let span = (count - 1) * step.signum();
            terms.push(StrideTerm { step: step.abs(), low: span.min(0), high: span.max(0) });
        }
    }
}

type Terms = SmallVec<[StrideTerm; 8]>;

/// `step` times a number from `low` to `high`.
#[derive(Clone, Copy)]
struct StrideTerm {
    step: i64,
    low: i64,
    high: i64,
}

/// The search for a sum of terms: greatest step first, as there are few choices
/// for it once the reach of the smaller ones is known.
struct OverlapSearch {
    terms: Terms,
    /// What all terms from an index on can reach, and the divisor of it.
    rest: SmallVec<[(i64, i64, i64); 9]>,
    budget: u32,
}

impl OverlapSearch {
    const BUDGET: u32 = 10_000;
    /// Sums up to this size can be added and subtracted.
    const FAR: i64 = i64::MAX / 4;

    fn new(mut terms: Terms) -> OverlapSearch {
        terms.sort_unstable_by_key(|term| std::cmp::Reverse(term.step));
        terms.dedup_by(|next, kept| {
            let same = next.step == kept.step;
            if same {
                kept.low = kept.low.saturating_add(next.low);
                kept.high = kept.high.saturating_add(next.high);
            }
            same
        });
        let mut rest: SmallVec<[(i64, i64, i64); 9]> =
            SmallVec::from_elem((0, 0, 0), terms.len() + 1);
        for (index, term) in terms.iter().enumerate().rev() {
            let (low, high, divisor) = rest[index + 1];
            rest[index] = (
                low.saturating_add(term.low.saturating_mul(term.step)),
                high.saturating_add(term.high.saturating_mul(term.step)),
                gcd(divisor, term.step),
            );
        }
        OverlapSearch { terms, rest, budget: OverlapSearch::BUDGET }
    }

    fn reaches(mut self, distance: i64) -> bool {
        let (low, high, _) = self.rest[0];
        if low < -OverlapSearch::FAR || high > OverlapSearch::FAR {
            // No memory is so large, and the steps below would overflow.
            return true;
        }
        self.reaches_from(0, distance)
    }

    fn reaches_from(&mut self, index: usize, distance: i64) -> bool {
        let (low, high, divisor) = self.rest[index];
        if distance < low || high < distance || (divisor != 0 && distance % divisor != 0) {
            return false;
        }
        let Some(&StrideTerm { step, low, high }) = self.terms.get(index) else {
            return distance == 0;
        };
        if self.budget == 0 {
            return true;
        }
        self.budget -= 1;
        // What is left after this term must be within reach of the others.
        let (rest_low, rest_high, _) = self.rest[index + 1];
        let least = low.max(ceil_div(distance - rest_high, step));
        let most = high.min((distance - rest_low).div_euclid(step));
        (least..=most).any(|times| self.reaches_from(index + 1, distance - times * step))
    }
}

/// Both steps are positive here.
fn ceil_div(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, view};

    fn strip(length: i64) -> Tensor {
        Tensor::allocate(&[length], DType::Float32, Device::Cpu).unwrap()
    }

    fn view(base: &Tensor, shape: &[i64], strides: &[i64], offset: i64) -> Tensor {
        view::as_strided(base, shape, strides, offset).unwrap()
    }

    #[test]
    fn interleaved_views_do_not_overlap() {
        let base = strip(24);
        let even = view(&base, &[12], &[2], 0);
        let odd = view(&base, &[12], &[2], 1);
        assert_eq!(overlaps(&even, &odd), Overlap::No);
        let left = view(&base, &[4, 3], &[6, 1], 0);
        let right = view(&base, &[4, 3], &[6, 1], 3);
        assert_eq!(overlaps(&left, &right), Overlap::No);
        assert_eq!(overlaps(&left, &view(&base, &[4, 3], &[6, 1], 2)), Overlap::Partial);
    }

    #[test]
    fn the_same_view_overlaps_in_full() {
        let base = strip(6);
        assert_eq!(overlaps(&base, &base.clone()), Overlap::Full);
        assert_eq!(overlaps(&base, &view(&base, &[6], &[1], 0)), Overlap::Full);
        assert_eq!(overlaps(&base, &view(&base, &[2, 3], &[3, 1], 0)), Overlap::Partial);
        assert_eq!(overlaps(&base, &strip(6)), Overlap::No);
    }

    #[test]
    fn shifted_and_reversed_views_overlap_in_part() {
        let base = strip(6);
        assert_eq!(
            overlaps(&view(&base, &[5], &[1], 0), &view(&base, &[5], &[1], 1)),
            Overlap::Partial
        );
        assert_eq!(overlaps(&base, &view::flip(&base, 0).unwrap()), Overlap::Partial);
    }

    #[test]
    fn other_dtypes_overlap_by_bytes() {
        let base = strip(4);
        let bytes = view::reinterpret(&base, DType::UInt8).unwrap();
        assert_eq!(overlaps(&base, &bytes), Overlap::Partial);
        let tail = view::narrow(&bytes, 0, 8, 8).unwrap();
        assert_eq!(overlaps(&view::narrow(&base, 0, 0, 2).unwrap(), &tail), Overlap::No);
        assert_eq!(overlaps(&view::narrow(&base, 0, 1, 2).unwrap(), &tail), Overlap::Partial);
    }

    #[test]
    fn internal_overlap_is_found() {
        let base = strip(24);
        for (shape, strides, expected) in [
            (&[3, 4][..], &[0, 1][..], true),
            (&[3, 4], &[1, 1], true),
            (&[3, 4], &[4, 1], false),
            (&[3, 4], &[1, 3], false),
            (&[4, 4], &[2, 3], true),
            (&[2, 3], &[3, 2], false),
            (&[1, 4], &[0, 1], false),
            (&[0, 4], &[0, 0], false),
        ] {
            let tensor = view(&base, shape, strides, 0);
            assert_eq!(has_internal_overlap(&tensor), expected, "{shape:?} {strides:?}");
        }
    }
}
