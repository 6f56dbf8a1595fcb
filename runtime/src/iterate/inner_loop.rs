//! Inner loops as values: a function of elements over one block of them.
//!
//! What `#[native_op]` prints for an element-wise kernel makes one from a dtype
//! and the arguments that are no tensors. The kernel
//! runs it over whole tensors; a fused graph runs several over one block.

use std::array::from_fn;
use std::num::NonZeroU32;
use std::ptr;

use super::driver::{Job, is_slow};
use super::inner;
use super::many::{Inputs, one_result, two_results};
use super::plan::{Inner, MANY_OPERANDS, MAX_OPERANDS, Run};
use super::same_layout;
use super::staging::Staging;
use crate::{DType, Element, Error, Result, Scalar, Tensor, dispatch};

/// A function of elements, and the dtypes of what it takes and gives.
#[derive(Clone, Copy)]
pub struct InnerLoop<'a> {
    dtypes: &'static DTypes,
    over: Over<'a>,
}

/// Those of what a function takes and gives.
struct DTypes {
    inputs: &'static [DType],
    outputs: &'static [DType],
    /// What they are, in one number, if all inputs have one dtype and there is one output.
    code: Option<NonZeroU32>,
    /// Whether the loop takes operands as they lie.
    at_any_distance: bool,
}

impl DTypes {
    const fn new(inputs: &'static [DType], outputs: &'static [DType]) -> DTypes {
        let mut is_one = !inputs.is_empty() && outputs.len() == 1;
        let mut at = 0;
        while at < inputs.len() {
            is_one = is_one && inputs[at] as u8 == inputs[0] as u8;
            at += 1;
        }
        let code = if is_one { code(inputs.len(), inputs[0], outputs[0]) } else { None };
        DTypes { inputs, outputs, code, at_any_distance: false }
    }

    const fn at_any_distance(self) -> DTypes {
        DTypes { at_any_distance: true, ..self }
    }
}

/// What a function of so many operands of one dtype is that gives another.
#[inline(always)]
const fn code(operands: usize, input: DType, output: DType) -> Option<NonZeroU32> {
    NonZeroU32::new((operands as u32) << 16 | (input as u32) << 8 | output as u32)
}

/// What is done with a loop, which lives as long as its maker runs.
pub type Then<'a> = &'a mut dyn FnMut(InnerLoop<'_>) -> Result<()>;

/// Where the elements of an operand lie, for who runs over one block after the other.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    first: *mut u8,
    /// How far the next element is.
    pub(super) stride: isize,
    /// How far, for each element that was passed, the next block is.
    moves: isize,
}

impl Operand {
    /// Elements of so many bytes, one behind the other.
    pub(super) fn moving(first: *mut u8, size: usize) -> Operand {
        Operand { first, stride: size as isize, moves: size as isize }
    }

    /// The same place for each block.
    pub(super) fn fixed(first: *mut u8, size: usize) -> Operand {
        Operand { first, stride: size as isize, moves: 0 }
    }

    /// The first element of the block that starts after so many elements.
    #[inline(always)]
    pub(super) fn at(&self, start: usize) -> *mut u8 {
        self.first.wrapping_offset(self.moves * start as isize)
    }
}

/// Loops of few operands carry less.
#[derive(Clone, Copy)]
enum Over<'a> {
    Few(Inner<'a>),
    Many(Inner<'a, MANY_OPERANDS>),
}

impl InnerLoop<'_> {
    /// The dtypes of the elements that it reads.
    pub fn inputs(&self) -> &'static [DType] {
        self.dtypes.inputs
    }

    /// The dtypes of the elements that it writes.
    pub fn outputs(&self) -> &'static [DType] {
        self.dtypes.outputs
    }

    /// Runs over all elements of tensors, which are cast and stretched.
    ///
    /// # Errors
    ///
    /// `Type` if the loop has other numbers of inputs and outputs; as [`unary`](super::unary) and
    /// [`unary_pair`](super::unary_pair).
    #[inline(always)]
    pub fn over_tensors<const I: usize, const O: usize>(
        &self,
        inputs: [&Tensor; I],
        outputs: [&mut Tensor; O],
    ) -> Result<()> {
        let counts = (self.dtypes.inputs.first_chunk(), self.dtypes.outputs.first_chunk());
        let (Some(read), Some(written)): (Option<&[DType; I]>, Option<&[DType; O]>) = counts else {
            return Err(wrong_count());
        };
        let inputs: [(&Tensor, DType); I] = from_fn(|k| (inputs[k], read[k]));
        let outputs = outputs.each_ref();
        let outputs: [(&Tensor, DType); O] = from_fn(|k| (&**outputs[k], written[k]));
        match self.over {
            Over::Few(inner) => {
                let job = Job::new(&outputs, &inputs);
                let job = if self.dtypes.at_any_distance { job.at_any_distance() } else { job };
                job.run(inner)
            }
            Over::Many(inner) => Job::many(&outputs, &inputs).run_many(inner),
        }
    }

    /// A result of this dtype that looks like a tensor, made of operands each of which is of its
    /// shape and dtype, too, in row-major order, or one number; nothing if the loop reads or writes
    /// other dtypes.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// # Safety
    ///
    /// The operands are such; all are in memory.
    #[inline(never)]
    pub(crate) unsafe fn over_same_layout<const N: usize>(
        &self,
        leader: &Tensor,
        operands: [&Tensor; N],
        dtype: DType,
    ) -> Result<Option<Tensor>> {
        let Over::Few(inner) = self.over else { return Ok(None) };
        if self.dtypes.code != code(N, leader.dtype(), dtype) {
            return Ok(None);
        }
        // Looked up before memory is asked for, in one table.
        let sizes = [dtype.size(), leader.dtype().size()];
        let (out, first) = Tensor::allocate_like(leader, dtype)?;
        // SAFETY: the loop reads and writes these dtypes, of as many operands, which are as the
        // caller says, and writes all elements before anybody else has a handle.
        unsafe {
            same_layout::run(inner, first, sizes, leader, operands, self.dtypes.at_any_distance);
            out.assume_all_written();
        }
        Ok(Some(out))
    }

    /// Runs over a block of so many elements, which lie side by side.
    ///
    /// # Safety
    ///
    /// There is a pointer for each input and each output, to as many elements of
    /// its dtype: initialised ones of inputs, which nobody writes to meanwhile,
    /// and those of outputs for nobody else. An output is apart from every input,
    /// or the same block.
    pub unsafe fn over_block(&self, inputs: &[*const u8], outputs: &[*mut u8], count: usize) {
        match self.over {
            Over::Few(inner) => self.run::<MAX_OPERANDS>(inner, inputs, outputs, count),
            Over::Many(inner) => self.run::<MANY_OPERANDS>(inner, inputs, outputs, count),
        }
    }

    /// Runs over the block of so many elements that starts at one of them; outputs come first.
    ///
    /// # Safety
    ///
    /// As for [`over_block`](InnerLoop::over_block), and outputs are apart from inputs.
    #[inline]
    pub(super) unsafe fn over_operands(&self, operands: &[Operand], start: usize, count: usize) {
        match self.over {
            Over::Few(inner) => run_over::<MAX_OPERANDS>(inner, operands, start, count),
            Over::Many(inner) => run_over::<MANY_OPERANDS>(inner, operands, start, count),
        }
    }

    /// Runs over numbers, one for each input, in place of elements; they are brought to the dtypes
    /// that it reads.
    ///
    /// # Errors
    ///
    /// `Type` if the loop has another number of inputs, or not one output.
    ///
    /// ```
    /// use opwright_runtime::Scalar;
    /// use opwright_runtime::iterate::inner_loop;
    ///
    /// inner_loop::binary(|a: f64, b: f64| a * b, &mut |it| {
    ///     assert_eq!(it.over_numbers(&[Scalar::Int(3), Scalar::Float(0.5)])?, Scalar::Float(1.5));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn over_numbers(&self, inputs: &[Scalar]) -> Result<Scalar> {
        // As large as elements get, and aligned as all of them are.
        let mut read = [[0_u64; 2]; MAX_OPERANDS];
        let mut written = [0_u64; 2];
        let &[output] = self.outputs() else { return Err(wrong_count()) };
        if inputs.len() != self.inputs().len() || inputs.len() > read.len() {
            return Err(wrong_count());
        }
        for ((number, dtype), place) in inputs.iter().zip(self.inputs()).zip(&mut read) {
            dispatch!(*dtype, "over_numbers", all, |T| {
                // SAFETY: a place has room for any element, and is aligned for it.
                unsafe { ptr::from_mut(place).cast::<T>().write(number.wrap()) };
                Ok(())
            })?;
        }
        let places: [*const u8; MAX_OPERANDS] = from_fn(|at| ptr::from_ref(&read[at]).cast());
        let result: *mut u8 = ptr::from_mut(&mut written).cast();
        // SAFETY: each place holds one element of the dtype that is read there; the result has room
        // for any.
        unsafe { self.over_block(&places[..inputs.len()], &[result], 1) };
        dispatch!(output, "over_numbers", all, |T| {
            // SAFETY: the loop has written an element of this dtype there.
            Ok(unsafe { super::elementwise::load::<T>(result) }.into_scalar())
        })
    }

    fn run<const M: usize>(
        &self,
        inner: Inner<'_, M>,
        inputs: &[*const u8],
        outputs: &[*mut u8],
        count: usize,
    ) {
        let (mut ptrs, mut strides) = ([std::ptr::null_mut(); M], [0; M]);
        let mut sizes = [0; M];
        let operands = outputs.iter().copied().zip(self.outputs());
        let operands = operands.chain(inputs.iter().map(|it| it.cast_mut()).zip(self.inputs()));
        for (k, (first, dtype)) in operands.enumerate() {
            ptrs[k] = first;
            sizes[k] = dtype.size();
            strides[k] = sizes[k] as isize;
        }
        let in_place = match (self.inputs(), self.outputs()) {
            (&[first, ..], &[output]) => M == MAX_OPERANDS && inner::in_place(first, output),
            _ => false,
        };
        let run = Run { ptrs: &ptrs, strides: &strides, count, position: 0 };
        if self.dtypes.at_any_distance && !is_slow(&run, || in_place) {
            return inner.over(&run);
        }
        let staging = Staging::new(outputs.len(), outputs.len() + inputs.len(), sizes);
        staging.in_place(in_place).pass(&run, inner);
    }
}

#[inline(always)]
fn run_over<const M: usize>(inner: Inner<'_, M>, operands: &[Operand], start: usize, count: usize) {
    let (mut ptrs, mut strides) = ([std::ptr::null_mut(); M], [0; M]);
    for ((operand, ptr), stride) in operands.iter().zip(&mut ptrs).zip(&mut strides) {
        (*ptr, *stride) = (operand.at(start), operand.stride);
    }
    inner.over(&Run { ptrs: &ptrs, strides: &strides, count, position: 0 });
}

#[cold]
fn wrong_count() -> Error {
    Error::wrong_type("the loop has other numbers of inputs and outputs")
}

/// Makes the loop of a function of one element.
///
/// # Errors
///
/// Those of `then`, as for all functions here.
///
/// ```
/// use opwright_runtime::iterate::inner_loop;
///
/// let (halves, mut doubled) = ([0.5_f32, 1.5], [0.0_f32; 2]);
/// inner_loop::unary(|x: f32| x + x, &mut |it| {
///     // SAFETY: both arrays have two elements of the type that the function has.
///     unsafe { it.over_block(&[halves.as_ptr().cast()], &[doubled.as_mut_ptr().cast()], 2) };
///     Ok(())
/// })?;
/// assert_eq!(doubled, [1.0, 3.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn unary<A: Element, O: Element>(f: impl Fn(A) -> O + Sync, then: Then<'_>) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE], &[O::DTYPE]) }, then, &|run: &Run<'_>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::unary::<A, O, _>(&f, run) }
    })
}

/// Makes the loop of a function that replaces the elements of a block, see
/// [`Each::run_blocks`](super::Each::run_blocks).
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn unary_blocks<A: Element>(f: impl Fn(&mut [A]) + Sync, then: Then<'_>) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE], &[A::DTYPE]) }, then, &|run: &Run<'_>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::unary_blocks(&f, run) }
    })
}

/// Makes the loop of a function that replaces the elements of a block by what it makes of them and
/// of as many others.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn binary_blocks<A: Element>(f: impl Fn(&mut [A], &[A]) + Sync, then: Then<'_>) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE, A::DTYPE], &[A::DTYPE]) }, then, &|run: &Run<'_>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::binary_blocks(&f, run) }
    })
}

/// Makes the loop of a function of two elements.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn binary<A: Element, B: Element, O: Element>(
    f: impl Fn(A, B) -> O + Sync,
    then: Then<'_>,
) -> Result<()> {
    let dtypes = const { &DTypes::new(&[A::DTYPE, B::DTYPE], &[O::DTYPE]).at_any_distance() };
    few(dtypes, then, &|run: &Run<'_>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::binary::<A, B, O, _>(&f, run) }
    })
}

/// Makes the loop of a function of three elements.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn ternary<A: Element, B: Element, C: Element, O: Element>(
    f: impl Fn(A, B, C) -> O + Sync,
    then: Then<'_>,
) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE, B::DTYPE, C::DTYPE], &[O::DTYPE]) }, then, &|run: &Run<
        '_,
    >| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::ternary::<A, B, C, O, _>(&f, run) }
    })
}

/// Makes the loop of a function of one element that gives two.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn unary_pair<A: Element, O: Element, P: Element>(
    f: impl Fn(A) -> (O, P) + Sync,
    then: Then<'_>,
) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE], &[O::DTYPE, P::DTYPE]) }, then, &|run: &Run<'_>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::unary_pair::<A, O, P>(&f, run) }
    })
}

/// Makes the loop of a function of two elements that gives two.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn binary_pair<A: Element, B: Element, O: Element, P: Element>(
    f: impl Fn(A, B) -> (O, P) + Sync,
    then: Then<'_>,
) -> Result<()> {
    few(const { &DTypes::new(&[A::DTYPE, B::DTYPE], &[O::DTYPE, P::DTYPE]) }, then, &|run: &Run<
        '_,
    >| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { inner::binary_pair::<A, B, O, P>(&f, run) }
    })
}

/// Makes the loop of a function of a tuple of elements.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn nary<const N: usize, I: Inputs<N>, O: Element>(
    f: impl Fn(I) -> O + Sync,
    then: Then<'_>,
) -> Result<()> {
    many(const { &DTypes::new(&I::DTYPES, &[O::DTYPE]) }, then, &|run: &Run<'_, MANY_OPERANDS>| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { one_result(&f, run) }
    })
}

/// Makes the loop of a function of a tuple of elements that gives two.
///
/// # Errors
///
/// Those of `then`.
#[inline]
pub fn nary_pair<const N: usize, I: Inputs<N>, O: Element, P: Element>(
    f: impl Fn(I) -> (O, P) + Sync,
    then: Then<'_>,
) -> Result<()> {
    many(const { &DTypes::new(&I::DTYPES, &[O::DTYPE, P::DTYPE]) }, then, &|run: &Run<
        '_,
        MANY_OPERANDS,
    >| {
        // SAFETY: who runs the loop has operands of these types.
        unsafe { two_results(&f, run) }
    })
}

#[inline]
fn few(dtypes: &'static DTypes, then: Then<'_>, inner: Inner<'_>) -> Result<()> {
    then(InnerLoop { dtypes, over: Over::Few(inner) })
}

#[inline]
fn many(dtypes: &'static DTypes, then: Then<'_>, inner: Inner<'_, MANY_OPERANDS>) -> Result<()> {
    then(InnerLoop { dtypes, over: Over::Many(inner) })
}
