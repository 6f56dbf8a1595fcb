//! Results in the memory of an argument that nobody will ask for again.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Access, Spec};
use crate::geometry::same_dims;
use crate::{KeySet, Result, Tensor, view};

/// How many there are, of all threads: to ask costs no more than a read.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static GIVEN: RefCell<Option<Tensor>> = const { RefCell::new(None) };
}

/// An argument whose elements nobody will ask for after the call: as long as this lives, the first
/// element-wise result of this thread takes its memory, if it looks the same.
///
/// The tensor may be given away if the call reads it element by element and once: if its operator
/// has an [inner loop](crate::op::Operator::inner_loop), and no layer keeps arguments.
///
/// ```
/// use opwright_runtime::structured::Donation;
/// use opwright_runtime::{Result, Spec, Tensor, iterate};
///
/// fn negative(x: &Tensor) -> Result<Tensor> {
///     let mut out = Spec::elementwise(&[x])?.allocate()?;
///     iterate::unary(x, &mut out, |it: f64| -it)?;
///     Ok(out)
/// }
///
/// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let address = x.data_ptr();
/// let out = {
///     let _donation = Donation::of(&x);
///     negative(&x)?
/// };
/// drop(x);
/// assert_eq!((out.data_ptr(), out.to_vec::<f64>()?), (address, vec![-1.0, -2.0]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[must_use = "it ends where it is dropped"]
pub struct Donation {
    // It is for the thread that made it.
    _thread: PhantomData<*const ()>,
}

impl Donation {
    /// Gives a tensor away, if no other handle leads to its elements and no layer knows it.
    pub fn of(tensor: &Tensor) -> Donation {
        let is_plain = tensor.keys() == KeySet::EMPTY && !tensor.is_inference();
        let given = Some(tensor).filter(|it| is_plain && it.is_alone() && it.is_settled()).cloned();
        COUNT.fetch_add(1, Ordering::Relaxed);
        GIVEN.replace(given);
        Donation { _thread: PhantomData }
    }
}

impl Drop for Donation {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Relaxed);
        GIVEN.take();
    }
}

/// The tensor that was given away, for a result like this; none is there for the next one.
#[inline]
pub(super) fn taken(spec: &Spec) -> Option<Result<Tensor>> {
    if COUNT.load(Ordering::Relaxed) == 0 { None } else { taken_for(spec) }
}

#[cold]
fn taken_for(spec: &Spec) -> Option<Result<Tensor>> {
    let given = GIVEN.take()?;
    let is_whole =
        given.storage().is_some_and(|it| it.bytes() == given.numel() * given.dtype().size());
    let is_alike = spec.access() == Access::Elementwise
        && spec.is_row_major()
        && given.is_contiguous()
        && is_whole
        && given.dtype() == spec.dtype()
        && given.device() == spec.device()
        && same_dims(given.shape(), spec.shape());
    is_alike.then(|| view::apart(&given))
}

#[cfg(test)]
mod tests {
    use super::Donation;
    use crate::{DType, Spec, Tensor, view};

    fn tensor() -> Tensor {
        Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0]).unwrap()
    }

    /// Where a result that looks like this is while `given` is given away.
    fn place_of(spec: &Spec, given: &Tensor) -> usize {
        let _donation = Donation::of(given);
        spec.allocate().unwrap().data_ptr().addr()
    }

    #[test]
    fn only_the_first_result_takes_the_memory() {
        let given = tensor();
        let spec = Spec::elementwise(&[&given]).unwrap();
        {
            let _donation = Donation::of(&given);
            let first = spec.allocate().unwrap();
            assert_eq!(first.data_ptr(), given.data_ptr());
            assert!(first.base().is_none());
            assert_ne!(spec.allocate().unwrap().data_ptr(), given.data_ptr());
        }
        assert_ne!(spec.allocate().unwrap().data_ptr(), given.data_ptr());
    }

    #[test]
    fn what_looks_otherwise_gets_its_own_memory() {
        let given = tensor();
        let spec = Spec::elementwise(&[&given]).unwrap();
        let others = [
            spec.clone().with_dtype(DType::Float32),
            spec.clone().with_dtype(DType::Int64),
            spec.with_shape(&[4]),
            Spec::new(given.shape(), given.dtype(), given.device()),
        ];
        for other in others {
            assert_ne!(place_of(&other, &given), given.data_ptr().addr());
        }
    }

    #[test]
    fn what_others_see_is_not_given_away() {
        let given = tensor();
        let spec = Spec::elementwise(&[&given]).unwrap();
        let place = given.data_ptr().addr();
        let handle = given.clone();
        assert_ne!(place_of(&spec, &given), place);
        drop(handle);
        let part = view::narrow(&given, 0, 0, 1).unwrap();
        assert_ne!(place_of(&spec, &given), place);
        drop(part);
        let transposed = view::transpose(&given, 0, 1);
        drop(transposed);
        assert_eq!(place_of(&spec, &given), place);
    }

    #[test]
    fn a_part_of_memory_is_not_given_away() {
        let whole = tensor();
        let row = view::apart(&view::narrow(&whole, 0, 1, 1).unwrap()).unwrap();
        drop(whole);
        let spec = Spec::elementwise(&[&row]).unwrap();
        // Nobody else has the rest, but who asks for the storage of the result would see it.
        assert_ne!(place_of(&spec, &row), row.data_ptr().addr());
    }
}
