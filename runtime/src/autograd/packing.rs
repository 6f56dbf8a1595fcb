//! Other forms in which nodes keep tensors: what is packed when a call is recorded, and unpacked when
//! its gradient is asked for.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::mode::recording;
use crate::{Error, Result, Tensor, ensure};

/// Makes another form of the tensors that nodes save.
pub trait Packing: Send + Sync {
    /// The other form of a tensor without history.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made.
    fn pack(&self, tensor: &Tensor) -> Result<Arc<dyn Packed>>;
}

/// A tensor in another form.
pub trait Packed: Send + Sync {
    /// The tensor.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made.
    fn unpack(&self) -> Result<Tensor>;
}

#[derive(Default)]
struct Packings {
    /// The last one counts.
    stack: Vec<Arc<dyn Packing>>,
    /// Why there may be none.
    refusal: Option<Arc<str>>,
}

thread_local! {
    static IS_ANY: Cell<bool> = const { Cell::new(false) };
    static PACKINGS: RefCell<Packings> = RefCell::new(Packings::default());
}

fn refused(reason: &str) -> Error {
    Error::runtime(reason)
}

/// From now on the tensors that this thread saves are packed so.
///
/// # Errors
///
/// `Runtime` where [`refuse_packing`] forbids it.
pub fn push_packing(packing: Arc<dyn Packing>) -> Result<()> {
    PACKINGS.with_borrow_mut(|it| match &it.refusal {
        Some(reason) => Err(refused(reason)),
        None => {
            it.stack.push(packing);
            IS_ANY.set(true);
            Ok(())
        }
    })
}

/// Ends what [`push_packing`] began last.
pub fn pop_packing() {
    let popped = PACKINGS.with_borrow_mut(|it| {
        let popped = it.stack.pop();
        IS_ANY.set(!it.stack.is_empty());
        popped
    });
    // Outside of the borrow: it may hold anything.
    drop(popped);
}

/// Forbids packing on this thread for a reason, or allows it; returns the reason that held before.
///
/// # Errors
///
/// `Runtime` with the reason, if saved tensors are being packed.
pub fn refuse_packing(reason: Option<Arc<str>>) -> Result<Option<Arc<str>>> {
    PACKINGS.with_borrow_mut(|it| match reason {
        Some(reason) if !it.stack.is_empty() => Err(refused(&reason)),
        reason => Ok(std::mem::replace(&mut it.refusal, reason)),
    })
}

/// What this thread packs with, for another one that works for it.
pub(super) fn packings() -> Vec<Arc<dyn Packing>> {
    if IS_ANY.get() { PACKINGS.with_borrow(|it| it.stack.clone()) } else { Vec::new() }
}

/// Packs as another thread does.
pub(super) fn set_packings(stack: Vec<Arc<dyn Packing>>) {
    IS_ANY.set(!stack.is_empty());
    let before = PACKINGS.with_borrow_mut(|it| std::mem::replace(&mut it.stack, stack));
    drop(before);
}

/// What the tensors that are saved now are packed with.
pub(super) fn current() -> Option<Arc<dyn Packing>> {
    if !IS_ANY.get() {
        return None;
    }
    PACKINGS.with_borrow(|it| it.stack.last().cloned())
}

/// The other form of a tensor, to which the packing may not write.
pub(super) fn pack(packing: &dyn Packing, tensor: &Tensor) -> Result<Arc<dyn Packed>> {
    let version = tensor.version();
    let packed = recording(false, || packing.pack(tensor))?;
    ensure!(
        tensor.version() == version,
        Runtime,
        "a pack hook modified the tensor that it was given in place; it may change a copy"
    );
    Ok(packed)
}
