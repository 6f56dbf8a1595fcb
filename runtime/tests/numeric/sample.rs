//! Random tensors with every kind of geometry, and naive access to them.

use opwright_runtime::{DType, Element, Scalar, Tensor, dispatch, view};
use proptest::prelude::*;

/// How to make a view of a fresh contiguous tensor, one dimension at a time.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    /// Size of the result, step in the base, whether reversed.
    dims: Vec<(i64, i64, bool)>,
    /// Dimensions of size one are stretched to their size afterwards.
    stretched: Vec<bool>,
    /// Sort keys of the dimensions in memory.
    order: Vec<u32>,
}

/// A shape of up to four dimensions, sometimes empty, sometimes long in one.
pub(crate) fn shape() -> impl Strategy<Value = Vec<i64>> {
    let sizes = prop::collection::vec(prop_oneof![9 => 1..5_i64, 1 => Just(0)], 0..=4);
    (sizes, prop::option::weighted(0.3, (0..4_usize, 30..300_i64))).prop_map(|(sizes, long)| {
        let mut sizes = sizes;
        if let Some((dim, size)) = long
            && dim < sizes.len()
        {
            sizes[dim] = size;
        }
        // Naive loops are slow.
        while sizes.iter().product::<i64>() > 1000 {
            let most = sizes.iter_mut().max().expect("there are sizes");
            *most /= 2;
        }
        sizes
    })
}

/// A view of this shape; stretched dimensions only if `may_stretch`.
pub(crate) fn view_of(shape: Vec<i64>, may_stretch: bool) -> impl Strategy<Value = Recipe> {
    let ndim = shape.len();
    let dims = shape.into_iter().map(|size| (Just(size), 1..3_i64, any::<bool>()));
    let stretched = prop::collection::vec(prop::bool::weighted(0.2), ndim);
    (dims.collect::<Vec<_>>(), stretched, prop::collection::vec(any::<u32>(), ndim)).prop_map(
        move |(dims, stretched, order)| Recipe {
            dims,
            stretched: stretched.into_iter().map(|it| it && may_stretch).collect(),
            order,
        },
    )
}

impl Recipe {
    /// The view, over elements that count up from `first`, or from 0 if a `Scalar` would not hold
    /// what that becomes.
    pub(crate) fn cook(&self, dtype: DType, first: i64) -> Tensor {
        let first = if dtype == DType::UInt64 { first.max(0) } else { first };
        let ndim = self.dims.len();
        let mut order: Vec<usize> = (0..ndim).collect();
        order.sort_by_key(|&dim| self.order[dim]);
        let base_size = |dim: usize| {
            let (size, step, _) = self.dims[dim];
            if self.stretched[dim] { 1 } else { size * step }
        };
        let base_shape: Vec<i64> = order.iter().map(|&dim| base_size(dim)).collect();
        let count: i64 = base_shape.iter().product();
        let values: Vec<i64> = (first..first + count).collect();
        let base = Tensor::from_slice(&base_shape, &values).unwrap().to_dtype(dtype).unwrap();
        let mut place = vec![0; ndim];
        for (position, &dim) in order.iter().enumerate() {
            place[dim] = position;
        }
        let mut view = view::permute(&base, &place).unwrap();
        for (dim, &(size, step, is_reversed)) in self.dims.iter().enumerate() {
            if !self.stretched[dim] {
                view = view::slice(&view, dim, 0, size * step, step).unwrap();
            }
            if is_reversed {
                view = view::flip(&view, dim).unwrap();
            }
        }
        let shape: Vec<i64> = self.dims.iter().map(|it| it.0).collect();
        view::expand(&view, &shape).unwrap()
    }
}

/// Every index of a shape, in row-major order.
pub(crate) fn indices(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![vec![]], |prefixes, &size| {
        let with = |prefix: Vec<i64>| {
            (0..size).map(move |it| prefix.iter().copied().chain([it]).collect())
        };
        prefixes.into_iter().flat_map(with).collect()
    })
}

/// The element at an index, by one view after the other.
pub(crate) fn at(tensor: &Tensor, index: &[i64]) -> Scalar {
    let element = index.iter().fold(tensor.clone(), |it, &i| view::select(&it, 0, i).unwrap());
    match element.dtype() {
        DType::UInt64 => whole(element.to_vec::<u64>().unwrap()[0]),
        _ => element.to_scalar().unwrap(),
    }
}

/// The bits of an integer that no [`Scalar`] may hold, as one with a sign.
fn whole(value: u64) -> Scalar {
    Scalar::Int(value.cast_signed())
}

/// The element of a stretched operand that belongs to an index of the result.
pub(crate) fn at_stretched(tensor: &Tensor, index: &[i64]) -> Scalar {
    let missing = index.len() - tensor.ndim();
    let own: Vec<i64> = tensor
        .shape()
        .iter()
        .zip(&index[missing..])
        .map(|(&size, &i)| if size == 1 { 0 } else { i })
        .collect();
    at(tensor, &own)
}

/// The elements, in row-major order.
pub(crate) fn elements(tensor: &Tensor) -> Vec<Scalar> {
    indices(tensor.shape()).iter().map(|index| at(tensor, index)).collect()
}

/// A scalar as an element of this dtype, and back.
pub(crate) fn through(dtype: DType, value: Scalar) -> Scalar {
    match dtype {
        DType::UInt64 => whole(value.wrap()),
        _ => dispatch!(dtype, "through", all, |T| Ok(value.wrap::<T>().into_scalar())).unwrap(),
    }
}

/// Any dtype.
pub(crate) fn dtype() -> impl Strategy<Value = DType> {
    prop::sample::select(DType::ALL.to_vec())
}
