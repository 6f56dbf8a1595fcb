//! Generalized ufuncs: kernels of core dimensions, looped over those before them.
//!
//! A signature such as `(m,n),(n,p)->(m,p)` names the last dimensions of each tensor, the core
//! dimensions, which a kernel sees. Dimensions before them, the loop dimensions, are broadcast as
//! those of an element-wise operator. The grammar is that of numpy; core dimensions are not
//! broadcast.
//!
//! A kernel gets copies: what it borrows nobody else can reach, however a tensor lies in memory. A
//! tensor that is broadcast is copied once for all calls that see the same elements.
//!
//! ```
//! use opwright_runtime::core_dims::{self, CoreDim, CoreSignature};
//! use opwright_runtime::ndarray::{ArrayView1, ArrayViewMut1};
//! use opwright_runtime::{DType, Element, Result, Tensor};
//!
//! /// What comes before each element, in all.
//! fn running(x: ArrayView1<'_, f64>, mut sums: ArrayViewMut1<'_, f64>) {
//!     let mut sum = 0.0;
//!     for (out, x) in sums.iter_mut().zip(x) {
//!         *out = sum;
//!         sum += x;
//!     }
//! }
//!
//! const SIGNATURE: CoreSignature = CoreSignature {
//!     inputs: &[("x", &[CoreDim::Named("n")])],
//!     outputs: &[&[CoreDim::Named("n")]],
//! };
//!
//! let x = Tensor::from_slice(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
//! let [spec] = SIGNATURE.specs([&x], [DType::Float64])?;
//! let mut out = spec.allocate()?;
//! SIGNATURE.run([(&x, f64::DTYPE)], [(&mut out, f64::DTYPE)], &|[x], [sums]| {
//!     core_dims::returned(running(core_dims::argument(x)?, core_dims::filled(sums)?), [])
//! })?;
//! assert_eq!(out.to_vec::<f64>()?, [0.0, 1.0, 3.0, 0.0, 4.0, 9.0]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

mod call;
mod drive;
mod looped;
mod operand;
mod shapes;

pub use self::call::{
    CoreArgument, CoreFilled, CoreInput, CoreOutput, CorePart, CoreResults, argument, filled,
    returned,
};
pub use self::shapes::{CoreDim, CoreShapes, CoreSignature};
