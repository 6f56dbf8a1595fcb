//! Index plans: what a list of index tensors selects from a tensor.

use opwright_runtime::geometry::{Dims, broadcast_shapes};
use opwright_runtime::{DType, Error, Result, Spec, Tensor, ensure, view};

use super::nonzero::places_of;
use super::places::{Axis, NegativeIndices, add_along, along};
use super::selection::{Selection, selected_shape};

/// A selection by index tensors, each for a dimension, and by masks, each for as
/// many dimensions as it has.
pub(super) struct IndexPlan {
    /// The tensor that is indexed, dimensions that are indexed side by side.
    base: Tensor,
    /// The dimensions that are indexed.
    first: usize,
    end: usize,
    /// The shape of the result.
    shape: Dims,
    picks: Picks,
}

/// What is picked along the indexed dimensions.
enum Picks {
    /// Elements that are known.
    Places(Vec<isize>),
    /// Some: there are no indices to look at, or no elements.
    Unknown,
}

impl IndexPlan {
    /// What these indices, the first one for the first dimension, select.
    ///
    /// # Errors
    ///
    /// `Index` if there are too many, if one is out of range or of another dtype
    /// than an index has, or if their shapes do not go together.
    pub(super) fn new(tensor: &Tensor, indices: &[Option<&Tensor>]) -> Result<IndexPlan> {
        if let Some(plan) = IndexPlan::of_mask(tensor, indices)? {
            return Ok(plan);
        }
        let (base, terms) = terms(tensor, indices)?;
        let (base, first, terms) = side_by_side(&base, terms)?;
        let end = first + terms.len();
        let shapes: Vec<&[i64]> = terms.iter().map(Tensor::shape).collect();
        let Ok(common) = broadcast_shapes(&shapes) else { return Err(shape_mismatch(&shapes)) };
        let shape = selected_shape(base.shape(), first, end, &common)?;
        let is_known = !terms.iter().chain([&base]).any(|it| it.device().is_meta());
        let picks = if is_known {
            Picks::Places(places(&base, first, &terms, &common)?)
        } else {
            Picks::Unknown
        };
        Ok(IndexPlan { base, first, end, shape, picks })
    }

    /// The plan for a single mask, which need not become indices.
    fn of_mask(tensor: &Tensor, indices: &[Option<&Tensor>]) -> Result<Option<IndexPlan>> {
        let Some((first, mask)) = only_mask(indices) else { return Ok(None) };
        let end = first + mask.ndim();
        ensure!(end <= tensor.ndim(), Index, "{}", too_many(tensor, end));
        check_mask(tensor, mask, first)?;
        let places = places_of(mask, &tensor.strides()[first..end])?;
        let shape = selected_shape(tensor.shape(), first, end, &[places.len() as i64])?;
        let is_known = !tensor.device().is_meta();
        let picks = if is_known { Picks::Places(places) } else { Picks::Unknown };
        Ok(Some(IndexPlan { base: tensor.clone(), first, end, shape, picks }))
    }

    /// The shape of what is selected.
    pub(super) fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// What the result of reading looks like.
    pub(super) fn spec(&self) -> Spec {
        let device = match self.picks {
            Picks::Places(_) => self.base.device(),
            Picks::Unknown => opwright_runtime::Device::Meta,
        };
        Spec::new(&self.shape, self.base.dtype(), device)
    }

    /// The elements; none if they are not known.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn selection(self) -> Result<Option<(Tensor, Selection)>> {
        let IndexPlan { base, first, end, shape: _, picks } = self;
        match picks {
            Picks::Places(places) => {
                let selection = Selection::new(base.shape(), base.strides(), first, end, places)?;
                Ok(Some((base, selection)))
            }
            Picks::Unknown => Ok(None),
        }
    }
}

/// A mask if nothing else is indexed, and the dimension where it begins.
pub(super) fn only_mask<'a>(indices: &[Option<&'a Tensor>]) -> Option<(usize, &'a Tensor)> {
    let mut given = indices.iter().enumerate().filter_map(|(dim, it)| it.map(|it| (dim, it)));
    let (first, only) = given.next()?;
    let is_mask = is_mask(only) && only.ndim() > 0 && !only.device().is_meta();
    (is_mask && given.next().is_none()).then_some((first, only))
}

fn is_mask(index: &Tensor) -> bool {
    matches!(index.dtype(), DType::Bool | DType::UInt8)
}

fn check_mask(tensor: &Tensor, mask: &Tensor, first: usize) -> Result<()> {
    for (dim, &size) in mask.shape().iter().enumerate() {
        ensure!(
            tensor.shape()[first + dim] == size,
            Index,
            "The shape of the mask {:?} at index {dim} does not match the shape of the indexed \
             tensor {:?} at index {}",
            mask.shape(),
            tensor.shape(),
            first + dim
        );
    }
    Ok(())
}

/// For each dimension its index, masks as indices. A mask without dimensions
/// indexes a new dimension of size one.
fn terms(tensor: &Tensor, indices: &[Option<&Tensor>]) -> Result<(Tensor, Vec<Option<Tensor>>)> {
    let mut base = tensor.clone();
    let mut terms: Vec<Option<Tensor>> = Vec::new();
    for index in indices {
        let first = terms.len();
        match index {
            None => terms.push(None),
            Some(mask) if is_mask(mask) => {
                ensure!(
                    first + mask.ndim() <= base.ndim(),
                    Index,
                    "{}",
                    too_many(tensor, first + mask.ndim())
                );
                if mask.ndim() == 0 {
                    base = view::unsqueeze(&base, first)?;
                }
                check_mask(&base, mask, first)?;
                let columns = crate::ops::nonzero_numpy::Default_::call(mask)?;
                terms.extend(columns.into_iter().map(Some));
            }
            Some(index) => {
                ensure!(
                    matches!(index.dtype(), DType::Int64 | DType::Int32),
                    Index,
                    "tensors used as indices must be long, int, byte or bool tensors, not {}",
                    index.dtype()
                );
                terms.push(Some((*index).clone()));
            }
        }
    }
    ensure!(terms.len() <= base.ndim(), Index, "{}", too_many(tensor, terms.len()));
    Ok((base, terms))
}

fn too_many(tensor: &Tensor, count: usize) -> String {
    format!("too many indices for tensor of dimension {} (got {count})", tensor.ndim())
}

/// The tensor with its indexed dimensions side by side, the first of them, and
/// their indices. Where something is between them, they come first.
fn side_by_side(base: &Tensor, terms: Vec<Option<Tensor>>) -> Result<(Tensor, usize, Vec<Tensor>)> {
    let indexed: Vec<usize> =
        terms.iter().enumerate().filter(|(_, it)| it.is_some()).map(|(dim, _)| dim).collect();
    let (first, last) = match indexed[..] {
        [] => return Ok((base.clone(), 0, Vec::new())),
        [first, .., last] => (first, last),
        [only] => (only, only),
    };
    let terms: Vec<Tensor> = terms.into_iter().flatten().collect();
    if last - first + 1 == terms.len() {
        return Ok((base.clone(), first, terms));
    }
    let others = (0..base.ndim()).filter(|dim| !indexed.contains(dim));
    let order: Vec<usize> = indexed.iter().copied().chain(others).collect();
    Ok((view::permute(base, &order)?, 0, terms))
}

fn places(base: &Tensor, first: usize, terms: &[Tensor], shape: &[i64]) -> Result<Vec<isize>> {
    let Some((leading, others)) = terms.split_first() else { return Ok(vec![0]) };
    let mut places =
        along(&view::expand(leading, shape)?, Axis::of(base, first), NegativeIndices::Any)?;
    for (dim, index) in others.iter().enumerate() {
        let axis = Axis::of(base, first + 1 + dim);
        add_along(&mut places, &view::expand(index, shape)?, axis, NegativeIndices::Any)?;
    }
    Ok(places)
}

#[cold]
fn shape_mismatch(shapes: &[&[i64]]) -> Error {
    let shapes: Vec<String> = shapes.iter().map(|it| format!("{it:?}")).collect();
    Error::out_of_range(format_args!(
        "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
        shapes.join(", ")
    ))
}
