//! Between tensors, whose dtype is known at run time, and functions on elements
//! or arrays of one Rust type: what `#[native_op]` expands to is made of this.

use std::borrow::Cow;

use ndarray::{Array, ArrayView, Dimension, IxDyn};

use crate::promote::{can_cast, compared_type, result_type};
use crate::{DType, Element, Error, Result, Scalar, Tensor, buffer, ensure, iterate};

/// The dtype that operands have in common after promotion.
///
/// # Errors
///
/// `Value` if there is no operand.
#[inline]
pub fn common_dtype(tensors: &[&Tensor]) -> Result<DType> {
    result_type(tensors)
}

/// The dtype in which operands are compared, which holds the numbers among them.
///
/// # Errors
///
/// As [`common_dtype`].
#[inline]
pub fn compared_dtype(tensors: &[&Tensor]) -> Result<DType> {
    compared_type(tensors)
}

/// The same as [`common_dtype`]; the default dtype for integers and `bool`.
///
/// # Errors
///
/// As [`common_dtype`].
#[inline]
pub fn floating_dtype(tensors: &[&Tensor]) -> Result<DType> {
    Ok(result_type(tensors)?.to_floating())
}

/// The dtype that operands have in common without promotion; numbers from
/// Python have none of their own.
///
/// # Errors
///
/// `Runtime`, with both dtypes, if two operands differ.
pub fn same_dtype(tensors: &[&Tensor]) -> Result<DType> {
    let common = result_type(tensors)?;
    let mut own = tensors.iter().filter(|it| !it.is_wrapped_number()).map(|it| it.dtype());
    let first = own.next().unwrap_or(common);
    if let Some(other) = own.find(|it| *it != first) {
        crate::fail!(
            Runtime,
            "expected tensors of one dtype, but got {} and {}",
            first.name(),
            other.name()
        );
    }
    Ok(first)
}

/// Fails unless a kernel is there for this dtype.
///
/// # Errors
///
/// `NotImplemented`, with the dtype and the kernel's name.
#[inline]
pub fn check(dtype: DType, known: &[DType], what: &str) -> Result<()> {
    if known.contains(&dtype) { Ok(()) } else { Err(dtype.unsupported(what)) }
}

/// Fails unless a tensor can be read as elements of a dtype.
///
/// # Errors
///
/// `Runtime`, with both dtypes and the parameter's name.
pub fn takes(tensor: &Tensor, dtype: DType, name: &str) -> Result<()> {
    ensure!(
        can_cast(tensor.dtype(), dtype),
        Runtime,
        "`{name}` must be a tensor of {}, but is one of {}",
        dtype.name(),
        tensor.dtype().name()
    );
    Ok(())
}

/// A tensor whose numbers a narrow dtype wraps, where they are calculated in a wider type.
///
/// # Errors
///
/// `Memory` if there is not enough.
#[inline]
pub fn narrowed(tensor: &Tensor, dtype: DType) -> Result<Cow<'_, Tensor>> {
    if tensor.dtype() == dtype || !dtype.is_integral() {
        return Ok(Cow::Borrowed(tensor));
    }
    tensor.to_dtype(dtype).map(Cow::Owned)
}

/// The dtypes that a function of elements takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Types<const N: usize> {
    /// Of its arguments.
    pub inputs: [DType; N],
    /// Of its results.
    pub outputs: &'static [DType],
}

/// What a function of elements gives: one element or two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of a tensor",
    label = "an element-wise kernel returns one element, or a tuple of two"
)]
pub trait Elements {
    /// Their dtypes.
    const DTYPES: &'static [DType];
}

impl<T: Element> Elements for T {
    const DTYPES: &'static [DType] = &[T::DTYPE];
}

impl<T: Element, U: Element> Elements for (T, U) {
    const DTYPES: &'static [DType] = &[T::DTYPE, U::DTYPE];
}

/// The dtypes of a function of one element.
#[inline]
pub fn unary<A: Element, O: Elements>(_: &impl Fn(A) -> O) -> Types<1> {
    Types { inputs: [A::DTYPE], outputs: O::DTYPES }
}

/// The dtypes of a function of two elements.
#[inline]
pub fn binary<A: Element, B: Element, O: Elements>(_: &impl Fn(A, B) -> O) -> Types<2> {
    Types { inputs: [A::DTYPE, B::DTYPE], outputs: O::DTYPES }
}

/// The dtypes of a function of three elements.
#[inline]
pub fn ternary<A: Element, B: Element, C: Element, O: Elements>(
    _: &impl Fn(A, B, C) -> O,
) -> Types<3> {
    Types { inputs: [A::DTYPE, B::DTYPE, C::DTYPE], outputs: O::DTYPES }
}

/// The dtypes of a function of a tuple of elements.
#[inline]
pub fn nary<const N: usize, I: iterate::Inputs<N>, O: Elements>(_: &impl Fn(I) -> O) -> Types<N> {
    Types { inputs: I::DTYPES, outputs: O::DTYPES }
}

/// The dtypes of a function that is made for a loop.
#[inline]
pub fn each<const N: usize, I: iterate::Inputs<N>, O: Elements>() -> Types<N> {
    Types { inputs: I::DTYPES, outputs: O::DTYPES }
}

/// A value of the schema's type for a parameter of a kernel, which has to be of
/// the same.
///
/// It is all that stands between a kernel and its caller, so that a type that
/// does not fit is told in these words, and rustc has nothing to convert.
#[diagnostic::on_unimplemented(
    message = "the schema has `{Self}` where the kernel takes `{T}`",
    label = "expected `{Self}`, found `{T}`"
)]
pub trait Argument<T> {
    /// The same value.
    fn handed(self) -> T;
}

impl<T> Argument<T> for T {
    #[inline(always)]
    fn handed(self) -> T {
        self
    }
}

/// A kernel need not write to what it may write to.
#[diagnostic::do_not_recommend]
impl<'a, T> Argument<&'a T> for &'a mut T {
    #[inline(always)]
    fn handed(self) -> &'a T {
        self
    }
}

/// What no kernel takes. With a second type that everything could be handed
/// over as, rustc waits for that of the parameter instead of inferring it.
#[doc(hidden)]
#[derive(Debug)]
pub struct Unasked<T>(T);

#[diagnostic::do_not_recommend]
impl<T> Argument<Unasked<T>> for T {
    fn handed(self) -> Unasked<T> {
        Unasked(self)
    }
}

/// Hands an argument to a kernel.
#[inline(always)]
pub fn argument<T>(value: impl Argument<T>) -> T {
    value.handed()
}

/// A number in the type that a kernel calculates in; what is too large wraps.
#[inline]
pub fn number<T: Element>(value: impl Into<Scalar>) -> T {
    value.into().wrap()
}

/// The same; what the type does not hold is an error.
///
/// # Errors
///
/// As [`Scalar::checked`].
#[inline]
pub fn checked<T: Element>(value: impl Into<Scalar>) -> Result<T> {
    value.into().checked()
}

/// The elements of a tensor in an array of as many dimensions as the caller
/// wants: a copy, as those of a tensor are shared with others, who may write.
///
/// # Errors
///
/// `Runtime`, with the parameter's name, if the tensor has another dtype or
/// another number of dimensions; as [`Tensor::array`].
pub fn array<T: Element, D: Dimension>(tensor: &Tensor, name: &str) -> Result<Array<T, D>> {
    ensure!(
        tensor.dtype() == T::DTYPE,
        Runtime,
        "`{name}` must be a tensor of {}, but is one of {}",
        T::DTYPE.name(),
        tensor.dtype().name()
    );
    cast_array(tensor, name)
}

/// The same, cast to a type.
///
/// # Errors
///
/// As [`array()`], but for another dtype.
pub fn cast_array<T: Element, D: Dimension>(tensor: &Tensor, name: &str) -> Result<Array<T, D>> {
    if D::NDIM.is_some_and(|it| it != tensor.ndim()) {
        return Err(dimensions::<D>(tensor, name));
    }
    let shape: Vec<usize> = tensor.shape().iter().map(|&size| size as usize).collect();
    let array = Array::from_shape_vec(IxDyn(&shape), tensor.to_vec()?).map_err(Error::runtime)?;
    array.into_dimensionality::<D>().map_err(|_| dimensions::<D>(tensor, name))
}

/// An array as a kernel takes it.
#[inline]
pub fn view<T, D: Dimension>(array: &Array<T, D>) -> ArrayView<'_, T, D> {
    array.view()
}

#[cold]
fn dimensions<D: Dimension>(tensor: &Tensor, name: &str) -> Error {
    let expected = D::NDIM.unwrap_or_default();
    let plural = if expected == 1 { "" } else { "s" };
    Error::runtime(format_args!(
        "`{name}` must have {expected} dimension{plural}, but has shape {:?}",
        tensor.shape()
    ))
}

/// What a kernel over arrays returns, as its operator returns it.
///
/// Arrays and single elements become tensors where the operator returns
/// tensors; a tuple goes part by part; a kernel that may fail fails.
#[diagnostic::on_unimplemented(
    message = "a kernel over arrays cannot return `{Self}` where its operator returns `{R}`",
    label = "return an `Array`, a single element or a `Tensor` for each tensor, or a `Result` of these"
)]
pub trait Returned<R> {
    /// The operator's result.
    ///
    /// # Errors
    ///
    /// What the kernel reports; `Memory` if there is not enough.
    fn returned(self) -> Result<R>;
}

impl<T: Element, D: Dimension> Returned<Tensor> for Array<T, D> {
    fn returned(self) -> Result<Tensor> {
        Tensor::from_array(self.into_dyn())
    }
}

impl<T: Element> Returned<Tensor> for T {
    fn returned(self) -> Result<Tensor> {
        Tensor::from_slice(&[], &[self])
    }
}

impl<T: Element, D: Dimension> Returned<Vec<Tensor>> for Vec<Array<T, D>> {
    fn returned(self) -> Result<Vec<Tensor>> {
        buffer::try_collected(self.into_iter().map(Returned::returned))
    }
}

impl<R, K: Returned<R>> Returned<R> for Result<K> {
    fn returned(self) -> Result<R> {
        self?.returned()
    }
}

macro_rules! as_they_are {
    ($(($ty:ty))*) => {$(
        impl Returned<$ty> for $ty {
            fn returned(self) -> Result<$ty> {
                Ok(self)
            }
        }
    )*};
}

as_they_are! { (Tensor) (Vec<Tensor>) (Scalar) (i64) (f64) (bool) (String) (DType) (()) }

macro_rules! tuples {
    ($(($($kernel:ident $result:ident $part:ident),*))*) => {$(
        impl<$($result, $kernel: Returned<$result>),*> Returned<($($result,)*)> for ($($kernel,)*) {
            fn returned(self) -> Result<($($result,)*)> {
                let ($($part,)*) = self;
                Ok(($($part.returned()?,)*))
            }
        }
    )*};
}

tuples! {
    (A R a, B S b)
    (A R a, B S b, C T c)
    (A R a, B S b, C T c, D U d)
    (A R a, B S b, C T c, D U d, E V e)
}
