//! What a key makes of a tensor: a view, and indices into the view's dimensions.

use opwright_runtime::geometry::Dims;
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
        let mut walk = Walk::new(tensor);
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
struct Walk<'a> {
    tensor: &'a Tensor,
    /// The dimension that the next item is about.
    dim: usize,
    /// Of the view so far.
    shape: Dims,
    strides: Dims,
    offset: i64,
    arrays: Vec<Option<Tensor>>,
    /// `arrays` has an entry for each dimension so far.
    has_arrays: bool,
}

impl<'a> Walk<'a> {
    fn new(tensor: &'a Tensor) -> Walk<'a> {
        Walk {
            tensor,
            dim: 0,
            shape: Dims::new(),
            strides: Dims::new(),
            offset: tensor.offset(),
            arrays: Vec::new(),
            has_arrays: false,
        }
    }

    fn apply(&mut self, item: Item, position: usize, left: usize) -> Result<(), Failure> {
        match item {
            Item::At(index) => return self.select(index),
            Item::Range(range) => self.narrow(range),
            Item::Ellipsis => self.keep(left),
            Item::NewDim => self.push(1, 1, None),
            Item::Flag(flag) => self.push(1, 1, Some(Tensor::from_slice(&[1], &[flag])?)),
            Item::Indices(indices) => self.index_with(indices, 1),
            Item::Mask(mask) => {
                self.check_mask(&mask, position)?;
                let ndim = mask.ndim();
                self.index_with(mask, ndim);
            }
        }
        Ok(())
    }

    /// The rest of the dimensions is taken whole.
    fn finish(mut self) -> Result<Plan, Failure> {
        self.keep(self.tensor.ndim() - self.dim);
        let last = self.arrays.iter().rposition(Option::is_some);
        self.arrays.truncate(last.map_or(0, |it| it + 1));
        let view = self.tensor.with_geometry(&self.shape, &self.strides, self.offset)?;
        Ok(Plan { view, arrays: self.arrays })
    }

    fn here(&self) -> (i64, i64) {
        (self.tensor.shape()[self.dim], self.tensor.strides()[self.dim])
    }

    fn select(&mut self, index: i64) -> Result<(), Failure> {
        let (size, stride) = self.here();
        if index < -size || index >= size {
            return Err(Error::out_of_range(format_args!(
                "index {index} is out of bounds for dimension {} with size {size}",
                self.dim
            ))
            .into());
        }
        self.offset += stride * if index < 0 { index + size } else { index };
        self.dim += 1;
        Ok(())
    }

    fn narrow(&mut self, range: Range) {
        let (size, stride) = self.here();
        let (start, length) = range.within(size);
        // A step over the only element goes nowhere.
        let step = if length > 1 { stride * range.step } else { stride };
        if length > 0 {
            self.offset += stride * start;
        }
        self.push(length, step, None);
        self.dim += 1;
    }

    /// Takes dimensions whole.
    fn keep(&mut self, count: usize) {
        for _ in 0..count {
            let (size, stride) = self.here();
            self.push(size, stride, None);
            self.dim += 1;
        }
    }

    /// Takes dimensions whole, and an entry that is about all of them.
    fn index_with(&mut self, array: Tensor, count: usize) {
        self.fill_gaps();
        let entries = self.arrays.len();
        self.keep(count);
        self.arrays.truncate(entries);
        self.arrays.push(Some(array));
    }

    /// A dimension of the view.
    fn push(&mut self, size: i64, stride: i64, array: Option<Tensor>) {
        if array.is_some() {
            self.fill_gaps();
        }
        if self.has_arrays {
            self.arrays.push(array);
        }
        self.shape.push(size);
        self.strides.push(stride);
    }

    /// Without indices, which is how most keys are, nothing is kept about them.
    fn fill_gaps(&mut self) {
        if !self.has_arrays {
            self.has_arrays = true;
            self.arrays.resize(self.shape.len(), None);
        }
    }

    fn check_mask(&self, mask: &Tensor, position: usize) -> Result<(), Failure> {
        let masked = &self.tensor.shape()[self.dim..][..mask.ndim()];
        let Some(at) = masked.iter().zip(mask.shape()).position(|(a, b)| a != b) else {
            return Ok(());
        };
        Err(Error::out_of_range(format_args!(
            "index {position}: a mask of shape {:?} does not fit dimension {} with size {}",
            mask.shape(),
            self.dim + at,
            masked[at]
        ))
        .into())
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
