//! Index plans of a key: a view, and indices into the view's dimensions.

use opwright_runtime::{Error, Tensor, buffer};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::item::Item;
use super::steps::Steps;
use crate::object::Failure;

/// A key, applied to a tensor as far as views can do that.
pub(super) struct Plan {
    pub(super) view: Tensor,
    /// Indices and masks, and gaps for the dimensions that are taken whole;
    /// empty if there are none.
    pub(super) arrays: Vec<Option<Tensor>>,
}

impl Plan {
    /// Applies `key` to `tensor`.
    ///
    /// # Errors
    ///
    /// `IndexError` for indices out of range, too many of them, and objects
    /// that are no indices.
    pub(super) fn new(tensor: &Tensor, key: &Bound<'_, PyAny>) -> Result<Plan, Failure> {
        let items = items(key)?;
        let used: usize = items.iter().map(Item::dims).sum();
        let left = tensor.ndim().checked_sub(used).ok_or_else(|| too_many(tensor.ndim(), used))?;
        if items.iter().filter(|it| matches!(it, Item::Ellipsis)).count() > 1 {
            return Err(Error::out_of_range("a key can have one ellipsis (`...`) only").into());
        }
        let mut walk = PlanWalk::new(tensor);
        for (position, item) in items.into_iter().enumerate() {
            walk.apply(item, position, left)?;
        }
        walk.finish()
    }

    /// How many dimensions the elements have that the key picks out.
    pub(super) fn dims(&self) -> usize {
        let arrays = || self.arrays.iter().flatten();
        let used: usize = arrays().map(|it| if is_mask(it) { it.ndim() } else { 1 }).sum();
        let added = arrays().map(|it| if is_mask(it) { 1 } else { it.ndim() }).max();
        self.view.ndim() - used + added.unwrap_or(0)
    }
}

/// The way along the dimensions of a tensor.
struct PlanWalk<'a> {
    tensor: &'a Tensor,
    steps: Steps<'a>,
    arrays: Vec<Option<Tensor>>,
    /// `arrays` has an entry for each dimension so far.
    has_arrays: bool,
}

impl<'a> PlanWalk<'a> {
    fn new(tensor: &'a Tensor) -> PlanWalk<'a> {
        PlanWalk { tensor, steps: Steps::new(tensor), arrays: Vec::new(), has_arrays: false }
    }

    fn apply(&mut self, item: Item, position: usize, left: usize) -> Result<(), Failure> {
        match item {
            Item::At(index) => return Ok(self.steps.select(index)?),
            Item::Range(range) => {
                let (start, end, step) = range.bounds();
                self.steps.slice(start, end, step)?;
            }
            Item::Ellipsis => return self.keep(left),
            Item::NewDim => self.steps.insert()?,
            Item::Flag(flag) => {
                self.fill_gaps();
                self.steps.insert()?;
                self.arrays.push(Some(Tensor::from_slice(&[1], &[flag])?));
            }
            Item::Indices(indices) => return self.index_with(indices, 1),
            Item::Mask(mask) => {
                self.check_mask(&mask, position)?;
                let ndim = mask.ndim();
                return self.index_with(mask, ndim);
            }
        }
        self.leave_gaps();
        Ok(())
    }

    /// The rest of the dimensions is taken whole.
    fn finish(mut self) -> Result<Plan, Failure> {
        let last = self.arrays.iter().rposition(Option::is_some);
        self.arrays.truncate(last.map_or(0, |it| it + 1));
        Ok(Plan { view: self.steps.view()?, arrays: self.arrays })
    }

    /// Takes dimensions whole.
    fn keep(&mut self, count: usize) -> Result<(), Failure> {
        self.steps.keep(count)?;
        self.leave_gaps();
        Ok(())
    }

    /// Takes dimensions whole, and an entry that is about all of them.
    fn index_with(&mut self, array: Tensor, count: usize) -> Result<(), Failure> {
        self.fill_gaps();
        self.steps.keep(count)?;
        self.arrays.push(Some(array));
        Ok(())
    }

    /// Dimensions without indices have an entry if others have one.
    fn leave_gaps(&mut self) {
        if self.has_arrays {
            self.fill_gaps();
        }
    }

    /// An entry for each dimension of the view so far; those of a mask have one.
    fn fill_gaps(&mut self) {
        self.has_arrays = true;
        let masked: usize = self.arrays.iter().flatten().map(extra_dims).sum();
        self.arrays.resize(self.steps.ndim() - masked, None);
    }

    fn check_mask(&self, mask: &Tensor, position: usize) -> Result<(), Failure> {
        let dim = self.steps.dim();
        let masked = &self.tensor.shape()[dim..][..mask.ndim()];
        let Some(at) = masked.iter().zip(mask.shape()).position(|(a, b)| a != b) else {
            return Ok(());
        };
        Err(Error::out_of_range(format_args!(
            "index {position}: a mask of shape {:?} does not fit dimension {} with size {}",
            mask.shape(),
            dim + at,
            masked[at]
        ))
        .into())
    }
}

/// How many dimensions an entry is about, but for one.
fn extra_dims(array: &Tensor) -> usize {
    if is_mask(array) { array.ndim() - 1 } else { 0 }
}

fn is_mask(array: &Tensor) -> bool {
    array.dtype().is_boolean()
}

/// The items of a key: a tuple has several.
fn items(key: &Bound<'_, PyAny>) -> Result<Vec<Item>, Failure> {
    match key.cast::<PyTuple>() {
        Ok(tuple) => {
            buffer::try_collected(tuple.iter().enumerate().map(|(at, it)| Item::read(&it, at)))
        }
        Err(_) => Ok(vec![Item::read(key, 0)?]),
    }
}

/// The error for more indices than there are dimensions.
#[cold]
pub(crate) fn too_many(ndim: usize, used: usize) -> Error {
    if ndim == 0 {
        return Error::out_of_range(
            "invalid index of a 0-dim tensor: it has no dimensions; use .item() for its number",
        );
    }
    Error::out_of_range(format_args!(
        "too many indices for a tensor of {ndim} dimensions: {used} were given"
    ))
}
