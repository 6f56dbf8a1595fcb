//! Signatures of core dimensions, and the shapes that they give to results.

use std::fmt;

use smallvec::SmallVec;

use crate::geometry::{Dims, broadcast_shapes, element_count};
use crate::structured::common_device;
use crate::{DType, Error, Result, Spec, Tensor, ensure};

/// The size of a core dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoreDim {
    /// That of all dimensions of this name.
    Named(&'static str),
    /// This one.
    Fixed(i64),
}

impl fmt::Display for CoreDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoreDim::Named(name) => f.write_str(name),
            CoreDim::Fixed(size) => size.fmt(f),
        }
    }
}

/// The core dimensions of a kernel: `(n),(k)->(n)`.
#[derive(Clone, Copy, Debug)]
pub struct CoreSignature {
    /// The name of each tensor, and its core dimensions.
    pub inputs: &'static [(&'static str, &'static [CoreDim])],
    /// Those of each result, by names that inputs have, and sizes.
    pub outputs: &'static [&'static [CoreDim]],
}

/// The sizes that the dimensions of a signature have in a call.
#[derive(Debug)]
pub struct CoreShapes {
    /// The loop dimensions, broadcast.
    pub looped: Dims,
    sizes: SmallVec<[BoundDim; 4]>,
}

/// A name, its size, and the tensor that it was first seen at.
#[derive(Clone, Copy, Debug)]
struct BoundDim {
    name: &'static str,
    size: i64,
    tensor: &'static str,
}

impl CoreSignature {
    /// The sizes of all dimensions, for these tensors.
    ///
    /// # Errors
    ///
    /// `Runtime`, with the names of tensors and dimensions, if a tensor has too few dimensions, if a
    /// core dimension has two sizes, or if loop dimensions do not broadcast.
    pub fn bind(&self, tensors: &[&Tensor]) -> Result<CoreShapes> {
        ensure!(
            tensors.len() == self.inputs.len(),
            Runtime,
            "a kernel of {} tensors is given {}",
            self.inputs.len(),
            tensors.len()
        );
        let mut sizes = SmallVec::new();
        let mut looped = SmallVec::<[&[i64]; 4]>::new();
        for (&(name, dims), tensor) in self.inputs.iter().zip(tensors) {
            let shape = tensor.shape();
            let Some(count) = shape.len().checked_sub(dims.len()) else {
                return Err(too_few(name, dims, shape));
            };
            looped.push(&shape[..count]);
            for (dim, &size) in dims.iter().zip(&shape[count..]) {
                bind_dim(&mut sizes, *dim, size, name).map_err(|it| it.error(name, dims, shape))?;
            }
        }
        let looped = match broadcast_shapes(&looped) {
            Ok(shape) => shape,
            Err(_) => return Err(self.not_broadcast(&looped)),
        };
        Ok(CoreShapes { looped, sizes })
    }

    /// What the results of these dtypes look like.
    ///
    /// # Errors
    ///
    /// As [`bind`](CoreSignature::bind); `Runtime` if devices do not go together.
    pub fn specs<const N: usize, const M: usize>(
        &self,
        tensors: [&Tensor; N],
        dtypes: [DType; M],
    ) -> Result<[Spec; M]> {
        let (device, shapes) = (common_device(&tensors)?, self.bind(&tensors)?);
        let mut outputs = self.outputs.iter();
        let specs = dtypes.map(|dtype| {
            let shape = shapes.whole(outputs.next().copied().unwrap_or_default());
            Spec::new(&shape, dtype, device).casting()
        });
        for spec in &specs {
            element_count(spec.shape())?;
        }
        Ok(specs)
    }

    #[cold]
    fn not_broadcast(&self, looped: &[&[i64]]) -> Error {
        let shown = self.inputs.iter().zip(looped).map(|((name, dims), shape)| {
            format!("`{name}` has {shape:?} before its core dimensions {}", ShownDims(dims))
        });
        let shown: Vec<String> = shown.collect();
        Error::runtime(format_args!("loop dimensions do not broadcast: {}", shown.join(", ")))
    }
}

impl CoreShapes {
    /// The sizes of core dimensions.
    pub(super) fn core(&self, dims: &[CoreDim]) -> Dims {
        let size = |it: &CoreDim| match *it {
            CoreDim::Fixed(size) => size,
            CoreDim::Named(name) => {
                self.sizes.iter().find(|it| it.name == name).map_or(0, |it| it.size)
            }
        };
        dims.iter().map(size).collect()
    }

    /// The shape of a tensor with these core dimensions: the loop dimensions come first.
    pub(super) fn whole(&self, dims: &[CoreDim]) -> Dims {
        let mut shape = self.looped.clone();
        shape.extend(self.core(dims));
        shape
    }
}

/// A dimension whose size is not that which it should have.
enum SizeClash {
    Named { known: BoundDim, size: i64 },
    Fixed { expected: i64, size: i64 },
}

fn bind_dim(
    sizes: &mut SmallVec<[BoundDim; 4]>,
    dim: CoreDim,
    size: i64,
    tensor: &'static str,
) -> std::result::Result<(), SizeClash> {
    let name = match dim {
        CoreDim::Fixed(expected) if expected == size => return Ok(()),
        CoreDim::Fixed(expected) => return Err(SizeClash::Fixed { expected, size }),
        CoreDim::Named(name) => name,
    };
    match sizes.iter().find(|it| it.name == name) {
        None => sizes.push(BoundDim { name, size, tensor }),
        Some(known) if known.size == size => {}
        Some(known) => return Err(SizeClash::Named { known: *known, size }),
    }
    Ok(())
}

impl SizeClash {
    #[cold]
    fn error(&self, tensor: &str, dims: &[CoreDim], shape: &[i64]) -> Error {
        let dims = ShownDims(dims);
        match self {
            SizeClash::Named { known, size } if known.tensor == tensor => {
                Error::runtime(format_args!(
                    "core dimension `{}` of `{tensor}` has size {} and size {size}: its core \
                 dimensions are {dims}, its shape is {shape:?}",
                    known.name, known.size
                ))
            }
            SizeClash::Named { known, size } => Error::runtime(format_args!(
                "core dimension `{}` has size {} in `{}`, but size {size} in `{tensor}`, whose \
                 core dimensions are {dims} and whose shape is {shape:?}",
                known.name, known.size, known.tensor
            )),
            SizeClash::Fixed { expected, size } => Error::runtime(format_args!(
                "`{tensor}` must have size {expected} in a core dimension that has size {size}: \
                 its core dimensions are {dims}, its shape is {shape:?}"
            )),
        }
    }
}

#[cold]
fn too_few(tensor: &str, dims: &[CoreDim], shape: &[i64]) -> Error {
    let plural = if dims.len() == 1 { "" } else { "s" };
    Error::runtime(format_args!(
        "`{tensor}` must have at least {} dimension{plural}, its core dimensions {}, but has shape \
         {shape:?}",
        dims.len(),
        ShownDims(dims)
    ))
}

/// `(m,n)`.
struct ShownDims<'a>(&'a [CoreDim]);

impl fmt::Display for ShownDims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.0.iter().map(CoreDim::to_string).collect();
        write!(f, "({})", dims.join(","))
    }
}
