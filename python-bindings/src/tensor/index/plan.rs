//! What a key makes of a tensor: a view, and indices into the view's dimensions.

use opwright_runtime::{Error, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::{SmallVec, smallvec};

use super::item::{Item, Range};
use crate::failure::Failure;

/// A key, applied to a tensor as far as views can do that.
pub(super) struct Plan {
    pub(super) view: Tensor,
    /// Indices and masks, and gaps for the dimensions that are taken whole;
    /// empty if there are none.
    pub(super) arrays: Vec<Option<Tensor>>,
    /// The dimension of the view that the next item is about.
    dim: usize,
    /// The same dimension in the tensor itself, for messages.
    source_dim: usize,
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
        let left = tensor.ndim().checked_sub(used).ok_or_else(|| too_many(tensor, used))?;
        if items.iter().filter(|it| matches!(it, Item::Ellipsis)).count() > 1 {
            return Err(Error::out_of_range("a key can have one ellipsis (`...`) only").into());
        }
        let mut plan = Plan { view: tensor.clone(), arrays: Vec::new(), dim: 0, source_dim: 0 };
        for (position, item) in items.into_iter().enumerate() {
            plan.apply(item, position, left)?;
        }
        let last = plan.arrays.iter().rposition(Option::is_some);
        plan.arrays.truncate(last.map_or(0, |it| it + 1));
        Ok(plan)
    }

    /// How many dimensions the elements have that the key picks out.
    pub(super) fn dims(&self) -> usize {
        let arrays = || self.arrays.iter().flatten();
        let used: usize = arrays().map(|it| if is_mask(it) { it.ndim() } else { 1 }).sum();
        let added = arrays().map(|it| if is_mask(it) { 1 } else { it.ndim() }).max();
        self.view.ndim() - used + added.unwrap_or(0)
    }

    fn apply(&mut self, item: Item, position: usize, left: usize) -> Result<(), Failure> {
        match item {
            Item::At(index) => return self.select(index),
            Item::Range(range) => return self.narrow(range),
            Item::Ellipsis => {
                self.arrays.extend(std::iter::repeat_n(None, left));
                self.dim += left;
                self.source_dim += left;
            }
            Item::NewDim => {
                self.view = self.view.with_dim_inserted(self.dim)?;
                self.arrays.push(None);
                self.dim += 1;
            }
            Item::Flag(flag) => {
                self.view = self.view.with_dim_inserted(self.dim)?;
                self.arrays.push(Some(Tensor::from_slice(&[1], &[flag])?));
                self.dim += 1;
            }
            Item::Indices(indices) => {
                self.arrays.push(Some(indices));
                self.dim += 1;
                self.source_dim += 1;
            }
            Item::Mask(mask) => return self.mask(mask, position),
        }
        Ok(())
    }

    fn select(&mut self, index: i64) -> Result<(), Failure> {
        let size = self.view.shape()[self.dim];
        if index < -size || index >= size {
            return Err(Error::out_of_range(format_args!(
                "index {index} is out of bounds for dimension {} with size {size}",
                self.source_dim
            ))
            .into());
        }
        self.view = self.view.at_index(self.dim, index)?;
        self.source_dim += 1;
        Ok(())
    }

    fn narrow(&mut self, Range { start, end, step }: Range) -> Result<(), Failure> {
        self.view = self.view.stepped_range_of(self.dim, start, end, step)?;
        self.arrays.push(None);
        self.dim += 1;
        self.source_dim += 1;
        Ok(())
    }

    fn mask(&mut self, mask: Tensor, position: usize) -> Result<(), Failure> {
        let masked = &self.view.shape()[self.dim..][..mask.ndim()];
        if let Some(at) = masked.iter().zip(mask.shape()).position(|(a, b)| a != b) {
            return Err(Error::out_of_range(format_args!(
                "index {position}: a mask of shape {:?} does not fit dimension {} with size {}",
                mask.shape(),
                self.source_dim + at,
                masked[at]
            ))
            .into());
        }
        self.dim += mask.ndim();
        self.source_dim += mask.ndim();
        self.arrays.push(Some(mask));
        Ok(())
    }
}

fn is_mask(array: &Tensor) -> bool {
    array.dtype().is_boolean()
}

/// The items of a key: a tuple has several.
fn items(key: &Bound<'_, PyAny>) -> Result<SmallVec<[Item; 4]>, Failure> {
    match key.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().enumerate().map(|(at, it)| Item::read(&it, at)).collect(),
        Err(_) => Ok(smallvec![Item::read(key, 0)?]),
    }
}

#[cold]
fn too_many(tensor: &Tensor, used: usize) -> Error {
    if tensor.ndim() == 0 {
        return Error::out_of_range(
            "invalid index of a 0-dim tensor: it has no dimensions; use .item() for its number",
        );
    }
    Error::out_of_range(format_args!(
        "too many indices for a tensor of {} dimensions: {used} were given",
        tensor.ndim()
    ))
}
