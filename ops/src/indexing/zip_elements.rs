//! Zipped elements: several tensors of one shape, in row-major order.

use std::ops::Range;

use opwright_runtime::geometry::Dims;
use opwright_runtime::{Result, buffer, interrupt};

/// The elements of `N` tensors of one shape, each by its own strides.
///
/// Knows offsets only, in elements from each tensor's first one.
pub(super) struct Walk<const N: usize> {
    /// Outer dimensions, the innermost of them first.
    outer: Vec<Dim<N>>,
    inner: Dim<N>,
    count: usize,
}

#[derive(Clone, Copy)]
struct Dim<const N: usize> {
    size: usize,
    strides: [isize; N],
}

/// The longest run that is visited in one go: between two an interrupt is heard.
const LONGEST: usize = 1 << 16;

/// Neighbours along the innermost dimension.
pub(super) struct Run<const N: usize> {
    /// The offset of the first element in each tensor.
    pub(super) start: [isize; N],
    /// The distance to the next one in each tensor.
    pub(super) strides: [isize; N],
    /// How many there are.
    pub(super) count: usize,
    /// How many elements of the walk came before.
    pub(super) position: usize,
}

impl<const N: usize> Walk<N> {
    /// A walk over a shape; every tensor has a stride for each of its dimensions.
    pub(super) fn new(shape: &[i64], strides: [&[i64]; N]) -> Walk<N> {
        let mut dims: Vec<Dim<N>> = Vec::with_capacity(shape.len());
        for (dim, &size) in shape.iter().enumerate().rev() {
            if size == 1 {
                continue;
            }
            let next = Dim { size: size as usize, strides: strides.map(|it| it[dim] as isize) };
            match dims.last_mut() {
                Some(inner) if next.continues(inner) => inner.size *= next.size,
                _ => dims.push(next),
            }
        }
        let count = dims.iter().map(|it| it.size).product();
        let inner = if dims.is_empty() { Dim { size: 1, strides: [0; N] } } else { dims.remove(0) };
        Walk { outer: dims, inner, count }
    }

    /// The number of elements.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether all elements are one run of neighbours in tensor `which`.
    pub(super) fn is_dense(&self, which: usize) -> bool {
        self.outer.is_empty() && (self.inner.strides[which] == 1 || self.inner.size == 1)
    }

    /// Visits the elements from one place in the order to another.
    pub(super) fn visit(&self, range: Range<usize>, mut body: impl FnMut(&Run<N>)) {
        if range.is_empty() {
            return;
        }
        let mut rest = range.start / self.inner.size;
        let mut start = [0; N];
        let mut index = Vec::with_capacity(self.outer.len());
        for dim in &self.outer {
            let at = rest % dim.size;
            rest /= dim.size;
            dim.advance(&mut start, at as isize);
            index.push(at);
        }
        let mut skip = range.start % self.inner.size;
        let mut position = range.start;
        while position < range.end {
            let count = (self.inner.size - skip).min(range.end - position).min(LONGEST);
            let mut first = start;
            self.inner.advance(&mut first, skip as isize);
            body(&Run { start: first, strides: self.inner.strides, count, position });
            if position / LONGEST != (position + count) / LONGEST {
                interrupt::check();
            }
            skip += count;
            position += count;
            if skip == self.inner.size {
                skip = 0;
                self.step(&mut start, &mut index);
            }
        }
    }

    fn step(&self, start: &mut [isize; N], index: &mut [usize]) {
        for (at, dim) in index.iter_mut().zip(&self.outer) {
            dim.advance(start, 1);
            *at += 1;
            if *at < dim.size {
                return;
            }
            dim.advance(start, -(dim.size as isize));
            *at = 0;
        }
    }
}

impl<const N: usize> Dim<N> {
    fn continues(&self, inner: &Dim<N>) -> bool {
        let reach = |which: usize| inner.strides[which] * inner.size as isize;
        (0..N).all(|which| self.strides[which] == reach(which))
    }

    fn advance(&self, offsets: &mut [isize; N], times: isize) {
        for (offset, stride) in offsets.iter_mut().zip(self.strides) {
            // Past the end of a walk, where nothing is read, this may be anything.
            *offset = offset.wrapping_add(stride.wrapping_mul(times));
        }
    }
}

/// The offsets of all elements of a shape with these strides, in row-major order.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(super) fn offsets(shape: &[i64], strides: &[i64]) -> Result<Vec<isize>> {
    let walk = Walk::new(shape, [strides]);
    let mut offsets = buffer::with_capacity(walk.count())?;
    walk.visit(0..walk.count(), |run| {
        offsets.extend((0..run.count as isize).map(|step| run.start[0] + step * run.strides[0]));
    });
    Ok(offsets)
}

/// Strides without that of one dimension: where an element is but for its index there.
pub(super) fn without_dim(strides: &[i64], dim: usize) -> Dims {
    let mut strides = Dims::from_slice(strides);
    if let Some(stride) = strides.get_mut(dim) {
        *stride = 0;
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_can_begin_anywhere() {
        let all = offsets(&[2, 3, 4], &[1, 8, 2]).unwrap();
        assert_eq!(all[..6], [0, 2, 4, 6, 8, 10]);
        let walk = Walk::new(&[2, 3, 4], [&[1, 8, 2]]);
        for start in 0..=24 {
            for end in start..=24 {
                let mut seen = Vec::new();
                walk.visit(start..end, |run| {
                    assert_eq!(run.position, start + seen.len());
                    seen.extend(
                        (0..run.count as isize).map(|it| run.start[0] + it * run.strides[0]),
                    );
                });
                assert_eq!(seen, all[start..end]);
            }
        }
    }

    #[test]
    fn neighbours_are_joined() {
        assert!(Walk::new(&[2, 3, 4], [&[12, 4, 1]]).is_dense(0));
        assert!(Walk::new(&[], [&[]]).is_dense(0));
        assert!(!Walk::new(&[2, 3], [&[1, 2]]).is_dense(0));
        assert_eq!(Walk::new(&[2, 0, 3], [&[1, 1, 1]]).count(), 0);
        assert_eq!(offsets(&[], &[]).unwrap(), [0]);
        assert_eq!(offsets(&[2, 0], &[1, 1]).unwrap(), []);
    }
}
