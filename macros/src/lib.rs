//! The attribute `#[native_op]`.
//!
//! The macro reads no file and writes none: what an entry of
//! `native_functions.yaml` says reaches it through the marker types that the
//! build script generates, and rustc does the checking.

use proc_macro::TokenStream;

mod arguments;
mod arrays;
mod check;
mod core;
mod derivative;
mod derived;
mod elementwise;
mod expand;
mod gradient_helper;
mod native_struct;
mod native_type;
mod operator;

/// Makes a function the kernel of an operator.
///
/// Of an entry of `native_functions.yaml`:
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// use opwright_macros::native_op;
/// use opwright_runtime::{Result, Scalar, Spec, Tensor, iterate};
///
/// #[native_op(add.Tensor)]
/// fn add_tensor(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> {
///     let mut out = Spec::elementwise(&[self_, other])?.allocate()?;
///     let alpha = alpha.to_f64()?;
///     iterate::binary(self_, other, &mut out, |a: f64, b: f64| a + alpha * b)?;
///     Ok(out)
/// }
///
/// #[native_op(scale.out, rule)]
/// fn scale_rule(x: &Tensor, _by: f64) -> Result<Spec> {
///     Spec::elementwise(&[x])
/// }
///
/// # fn main() -> Result<()> {
/// // The author's function stays what it is; the entry point is `ops::add::Tensor::call`.
/// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// assert_eq!(add_tensor(&x, &x, 2.into())?.to_vec::<f64>()?, [3.0, 6.0]);
/// # add_tensor::KERNEL(&x, &x, 2.into())?;
/// # scale_rule::RULE(&x, 1.0)?;
/// # Ok(())
/// # }
/// ```
///
/// Of the operator that the attribute itself describes:
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// # use opwright_macros::native_op;
/// # use opwright_runtime::{Result, Spec, Tensor, iterate};
/// #[native_op("hypot(Tensor x, Tensor y) -> Tensor", method)]
/// fn hypot(x: &Tensor, y: &Tensor) -> Result<Tensor> {
///     let mut out = Spec::elementwise(&[x, y])?.allocate()?;
///     iterate::binary(x, y, &mut out, f64::hypot)?;
///     Ok(out)
/// }
/// # fn main() -> Result<()> {
/// #     let x = Tensor::from_slice(&[1], &[3.0])?;
/// #     let y = Tensor::from_slice(&[1], &[4.0])?;
/// #     assert_eq!(hypot::KERNEL(&x, &y)?.to_vec::<f64>()?, [5.0]);
/// #     Ok(())
/// # }
/// ```
///
/// Whose schema is read from the signature; `*` and defaults are Python's:
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// # use opwright_macros::native_op;
/// # use opwright_runtime::{Result, Spec, Tensor, iterate};
/// #[native_op(signature = (x, *, by = 1.0))]
/// fn scale(x: &Tensor, by: f64) -> Result<Tensor> {
///     let mut out = Spec::elementwise(&[x])?.allocate()?;
///     iterate::unary(x, &mut out, |it: f64| it * by)?;
///     Ok(out)
/// }
/// # fn main() -> Result<()> {
/// #     let x = Tensor::from_slice(&[1], &[3.0])?;
/// #     assert_eq!(scale::KERNEL(&x, 0.5)?.to_vec::<f64>()?, [1.5]);
/// #     Ok(())
/// # }
/// ```
///
/// A kernel of single elements or of `ndarray` views is compiled for several dtypes:
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// # use opwright_macros::native_op;
/// use opwright_runtime::dtype::Float;
/// use opwright_runtime::ndarray::{ArrayD, ArrayViewD};
///
/// #[native_op(hypot, elementwise, dtypes = floating)]
/// fn hypot<T: Float>(x: T, y: T) -> T {
///     x.hypot(y)
/// }
///
/// #[native_op("scale(Tensor x, float by) -> Tensor", dtypes = floating)]
/// fn scale<T: Float>(x: ArrayViewD<'_, T>, by: f64) -> ArrayD<T> {
///     x.mapv(|it| it * T::constant(by))
/// }
/// # fn main() -> opwright_runtime::Result<()> {
/// #     let x = opwright_runtime::Tensor::from_slice(&[1], &[3.0_f32])?;
/// #     let twice = scale::KERNEL(&x, 2.0)?;
/// #     assert_eq!(hypot::KERNEL(&x, &twice)?.to_vec::<f32>()?, [45.0_f32.sqrt()]);
/// #     Ok(())
/// # }
/// ```
///
/// | option | says |
/// |---|---|
/// | `rule` | the function is the shape-and-dtype rule of a structured out entry |
/// | `check` | the function says what the arguments of a structured out entry must be, beside a rule of the runtime that the entry names |
/// | `key = CPU \| Meta` | the dispatch keys that it is the kernel for; `CPU` if not said |
/// | `composite` | it is made of other operators, and works for every key |
/// | `explicit` | the same, but it is an operator of its own |
/// | `out` | an overload with `out=` parameters follows, which get what it returns |
/// | `elementwise` | it takes and returns single elements |
/// | `core = "(n),(k)->(n)"` | it takes and returns views of these core dimensions, and is called for each index of those before them |
/// | `wide` | its elements are calculated in `i32`, `i64`, `f32`, `f64` or `Complex<f64>` |
/// | `numbers = [low, high]` | of an entry: these are no tensors, but numbers in the type of the elements |
/// | `structured = rule` | it fills results that look as this rule of the runtime says |
/// | `dtypes = floating` | the dtypes that a generic kernel is there for |
/// | `promote = float` | the dtype that arguments are brought to: `default`, `float`, `bool`, `compare`, `keep`, `complex_to_real` |
/// | `derivative(x = "grad * k")` | the gradient of an input, as a formula or as the path of a function; `(x, y) = ...` for several, `x = none` for none |
/// | `derivative = none` | no gradient follows from an element-wise function |
/// | `name = "..."` | with a signature: the operator's name |
/// | `names = any` | the parameters are called otherwise than the schema's, and in its order |
/// | `method` | the operator is a method, too |
/// | `variants`, `python_module`, `python`, `c`, `go`, `tags`, `gil`, `since`, `deprecated`, `category_override`, `device_check`, `types`, `ranges` | as in an entry |
///
/// A function that does not fit its schema is an error at the name or the type
/// that is wrong: of the build script where it is certain, of rustc otherwise.
#[proc_macro_attribute]
pub fn native_op(args: TokenStream, input: TokenStream) -> TokenStream {
    expand::native_op(args.into(), input.into()).into()
}

/// Lets schemas name a struct or an enum of the crate, by its own name:
/// `quantize(Tensor x, Quantizer by) -> Tensor`.
///
/// Kernels take a `&Quantizer` and return a `Quantizer`. Python passes what the type's
/// `opwright::python::Native` accepts and its `opwright::python::Convert` reads; both are written
/// by the type's author. The type is `Clone`, `Send` and `Sync`, and has no parameters.
#[proc_macro_attribute]
pub fn native_type(args: TokenStream, input: TokenStream) -> TokenStream {
    native_type::native_type(args.into(), input.into()).into()
}

/// Makes a struct a class of Python, a type of values, and a type that schemas name, by its own
/// name: `width(Interval of) -> float`.
///
/// ```
/// # mod ops {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/fixture/ops.rs"));
/// # }
/// use opwright_macros::NativeType;
/// use opwright_runtime::types::{NativeStruct, Type};
///
/// /// The real numbers between two.
/// #[derive(NativeType, Clone, PartialEq)]
/// #[native(c = "interval", close = "1e-9")]
/// pub struct Interval {
///     lo: f64,
///     #[field(set, default = 1.0)]
///     hi: f64,
/// }
/// # // The build script says this.
/// # impl opwright_runtime::op::NativeType for Interval {
/// #     const NAME: &'static str = "Interval";
/// # }
///
/// # fn main() {
/// assert_eq!(NativeStruct::of::<Interval>().attribute("hi").map(|(at, _)| at), Some(1));
/// # }
/// ```
///
/// Fields are what `opwright_runtime::types::Member` is there for: numbers, texts, tensors, other
/// such structs, and optional ones and lists of these. Python reads them, and makes values by their
/// names: `Interval(lo=0.0)`.
///
/// | of the struct, `#[native(...)]` | says |
/// |---|---|
/// | `frozen` | no field may be set |
/// | `c = "..."` | C programs see the fields, in a struct with this tag |
/// | `close = "1e-9"` | by how much numbers may differ and be close, absolutely or relatively |
/// | `doc = "..."` | what Python shows instead of the comment above |
///
/// | of a field, `#[field(...)]` | says |
/// |---|---|
/// | `set` | Python may set it |
/// | `default = ...` | what it is if a call of the class does not say |
/// | `name = "..."` | Python calls it otherwise |
/// | `hide_c` | C does not see it |
/// | `doc = "..."` | as above |
/// | `skip` | nobody outside sees it; with `default`, which is what new values have |
#[proc_macro_derive(NativeType, attributes(native, field))]
pub fn native_struct(input: TokenStream) -> TokenStream {
    native_struct::native_struct(input.into()).into()
}

/// Lets formulas of gradients call a function by its name: `grad * k.conj()` calls operators,
/// `scaled_backward(grad, k)` this function.
///
/// It takes what formulas have, tensors by reference, and returns a `Result` of a tensor, of an
/// optional one, of a list of them, or of a tuple. What it does to tensors it does through
/// operators, so that its own gradient can be recorded.
#[proc_macro_attribute]
pub fn gradient_helper(args: TokenStream, input: TokenStream) -> TokenStream {
    gradient_helper::gradient_helper(args.into(), input.into()).into()
}
