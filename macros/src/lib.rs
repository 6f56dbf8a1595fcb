//! The attribute `#[native_op]`.
//!
//! The macro reads no file and writes none: what an entry of
//! `native_functions.yaml` says reaches it through the marker types that the
//! build script generates, and rustc does the checking.

use proc_macro::TokenStream;

mod arrays;
mod check;
mod elementwise;
mod expand;
mod operator;

/// Makes a function the kernel of an operator.
///
/// Of an entry of `native_functions.yaml`:
///
/// ```ignore
/// #[native_op(add.Tensor)]
/// fn add_tensor(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> { .. }
///
/// #[native_op(add.out, rule)]
/// fn add_rule(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Spec> { .. }
/// ```
///
/// Of the operator that the attribute itself describes:
///
/// ```ignore
/// #[native_op("hypot(Tensor x, Tensor y) -> Tensor", key = CPU | Meta, method)]
/// fn hypot(x: &Tensor, y: &Tensor) -> Result<Tensor> { .. }
/// ```
///
/// Whose schema is read from the signature; `*` and defaults are Python's:
///
/// ```ignore
/// #[native_op(signature = (x, *, factor = 1.0))]
/// fn scale(x: &Tensor, factor: f64) -> Result<Tensor> { .. }
/// ```
///
/// A kernel of single elements or of `ndarray` views is compiled for several dtypes:
///
/// ```ignore
/// #[native_op("hypot(Tensor x, Tensor y) -> Tensor", elementwise, dtypes = floating)]
/// fn hypot<T: Float>(x: T, y: T) -> T { .. }
///
/// #[native_op("row_norms(Tensor x) -> Tensor", dtypes = floating)]
/// fn row_norms<T: Float>(x: ArrayView2<'_, T>) -> Array1<T> { .. }
/// ```
///
/// | option | says |
/// |---|---|
/// | `rule` | the function is the shape-and-dtype rule of a structured out entry |
/// | `key = CPU \| Meta` | the dispatch keys that it is the kernel for; `CPU` if not said |
/// | `composite` | it is made of other operators, and works for every key |
/// | `explicit` | the same, but it is an operator of its own |
/// | `elementwise` | it takes and returns single elements |
/// | `structured = rule` | it fills results that look as this rule of the runtime says |
/// | `dtypes = floating` | the dtypes that a generic kernel is there for |
/// | `promote = float` | the dtype that arguments are brought to: `default`, `float`, `bool`, `keep`, `complex_to_real` |
/// | `name = "..."` | with a signature: the operator's name |
/// | `method` | the operator is a method, too |
/// | `variants`, `python_module`, `python`, `tags`, `gil`, `since` | as in an entry |
///
/// A function that does not fit its schema is an error of rustc at the type
/// that is wrong.
#[proc_macro_attribute]
pub fn native_op(args: TokenStream, input: TokenStream) -> TokenStream {
    expand::native_op(args.into(), input.into()).into()
}
