//! Loop order: dimensions sorted by stride, and merged where they can be.

use std::ops::Range;

use smallvec::SmallVec;

/// The most operands of most loops, outputs included.
///
/// What stands around a loop is there twice, for so many and for
/// [`MANY_OPERANDS`]: most loops need not carry what is rarely used.
pub(crate) const MAX_OPERANDS: usize = 5;

/// The most operands of any loop, outputs included.
pub(super) const MANY_OPERANDS: usize = 12;

/// One number for each operand.
pub(super) type Strides<const M: usize = MAX_OPERANDS> = [isize; M];

/// One pointer for each operand.
pub(super) type Ptrs<const M: usize = MAX_OPERANDS> = [*mut u8; M];

/// Elements that lie at equal distances in every operand, outputs first.
pub(crate) struct Run<'a, const M: usize = MAX_OPERANDS> {
    /// The first element of each operand.
    pub(crate) ptrs: &'a Ptrs<M>,
    /// The distance to the next one, in bytes.
    pub(crate) strides: &'a Strides<M>,
    /// How many there are.
    pub(crate) count: usize,
    /// How many elements came before, in row-major order if that was asked for.
    pub(crate) position: usize,
}

/// What to do with a run.
pub(crate) type Inner<'a, const M: usize = MAX_OPERANDS> = &'a dyn OverRun<M>;

/// A function of a run. A table of `dyn Fn` would also have what calls the function by value, which
/// is compiled for each.
pub(crate) trait OverRun<const M: usize>: Sync {
    fn over(&self, run: &Run<'_, M>);
}

impl<const M: usize, F: Fn(&Run<'_, M>) + Sync> OverRun<M> for F {
    #[inline]
    fn over(&self, run: &Run<'_, M>) {
        self(run);
    }
}

/// Dimensions, the innermost first, with the strides of all operands in bytes.
pub(super) struct Plan<const M: usize> {
    pub(super) dims: SmallVec<[Dim<M>; 6]>,
    pub(super) ptrs: Ptrs<M>,
    pub(super) count: usize,
}

/// A dimension: how many steps, and how far each of them goes.
#[derive(Clone, Copy)]
pub(super) struct Dim<const M: usize> {
    pub(super) size: usize,
    pub(super) strides: Strides<M>,
}

// SAFETY: a plan only says where elements are; who may touch them when is for
// the loops to say, which write each element of an output once.
unsafe impl<const M: usize> Sync for Plan<M> {}

impl<const M: usize> Plan<M> {
    /// The plan of one run.
    #[inline]
    pub(super) fn flat(count: usize, ptrs: Ptrs<M>, strides: Strides<M>) -> Self {
        let mut dims = SmallVec::new();
        dims.push(Dim { size: count, strides });
        Plan { dims, ptrs, count }
    }

    /// The plan for a shape; `strides(k, dim)` is in bytes, and zero where an
    /// operand is stretched.
    pub(super) fn new(
        shape: &[i64],
        operands: usize,
        ptrs: Ptrs<M>,
        strides: impl Fn(usize, usize) -> isize,
        in_order: bool,
    ) -> Self {
        let mut dims: SmallVec<[Dim<M>; 6]> = SmallVec::new();
        for (dim, &size) in shape.iter().enumerate().rev() {
            if size == 1 {
                continue;
            }
            let mut of_operands = [0; M];
            for (k, stride) in of_operands.iter_mut().enumerate().take(operands) {
                *stride = strides(k, dim);
            }
            dims.push(Dim { size: size as usize, strides: of_operands });
        }
        if !in_order {
            sort(&mut dims);
        }
        join(&mut dims);
        let count = dims.iter().map(|dim| dim.size).product();
        Plan { dims, ptrs, count }
    }

    /// The number of elements.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Visits the elements from one place in the order to another.
    pub(super) fn visit(&self, range: Range<usize>, inner: Inner<'_, M>) {
        match &self.dims[..] {
            [] => inner.over(&Run {
                ptrs: &self.ptrs,
                strides: &[0; M],
                count: range.len(),
                position: 0,
            }),
            [only] => {
                let mut ptrs = self.ptrs;
                advance(&mut ptrs, &only.strides, range.start as isize);
                inner.over(&Run {
                    ptrs: &ptrs,
                    strides: &only.strides,
                    count: range.len(),
                    position: range.start,
                });
            }
            [innermost, outer @ ..] => self.visit_runs(range, innermost, outer, inner),
        }
    }

    fn visit_runs(
        &self,
        range: Range<usize>,
        innermost: &Dim<M>,
        outer: &[Dim<M>],
        inner: Inner<'_, M>,
    ) {
        let mut ptrs = self.ptrs;
        let mut index: SmallVec<[usize; 6]> = SmallVec::new();
        let mut rest = range.start / innermost.size;
        for dim in outer {
            let at = rest % dim.size;
            rest /= dim.size;
            advance(&mut ptrs, &dim.strides, at as isize);
            index.push(at);
        }
        let mut position = range.start;
        let mut skip = range.start % innermost.size;
        while position < range.end {
            let count = (innermost.size - skip).min(range.end - position);
            let mut first = ptrs;
            if skip > 0 {
                advance(&mut first, &innermost.strides, skip as isize);
                skip = 0;
            }
            inner.over(&Run { ptrs: &first, strides: &innermost.strides, count, position });
            position += count;
            step(&mut ptrs, &mut index, outer);
        }
    }
}

/// Goes to the next run.
#[inline]
fn step<const M: usize>(ptrs: &mut Ptrs<M>, index: &mut [usize], outer: &[Dim<M>]) {
    for (at, dim) in index.iter_mut().zip(outer) {
        advance(ptrs, &dim.strides, 1);
        *at += 1;
        if *at < dim.size {
            return;
        }
        advance(ptrs, &dim.strides, -(dim.size as isize));
        *at = 0;
    }
}

/// Moves all pointers by so many elements; past the end they only wrap.
#[inline]
pub(super) fn advance<const M: usize>(ptrs: &mut Ptrs<M>, strides: &Strides<M>, times: isize) {
    for (ptr, stride) in ptrs.iter_mut().zip(strides) {
        *ptr = ptr.wrapping_offset(stride * times);
    }
}

/// Sorts dimensions by how far they move, the first operand having the say.
fn sort<const M: usize>(dims: &mut [Dim<M>]) {
    for end in 1..dims.len() {
        let mut at = end;
        while at > 0 && moves_less(&dims[at], &dims[at - 1]) {
            dims.swap(at, at - 1);
            at -= 1;
        }
    }
}

fn moves_less<const M: usize>(a: &Dim<M>, b: &Dim<M>) -> bool {
    for (x, y) in a.strides.iter().zip(&b.strides) {
        // A stretched operand does not mind.
        if *x != 0 && *y != 0 && x.abs() != y.abs() {
            return x.abs() < y.abs();
        }
    }
    false
}

/// Joins dimensions where, in every operand, the outer continues the inner one.
fn join<const M: usize>(dims: &mut SmallVec<[Dim<M>; 6]>) {
    dims.dedup_by(|outer, inner| {
        let continues = |k: usize| outer.strides[k] == inner.strides[k] * inner.size as isize;
        let joined = (0..M).all(continues);
        if joined {
            inner.size *= outer.size;
        }
        joined
    });
}
