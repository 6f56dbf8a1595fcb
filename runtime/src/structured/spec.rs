//! What a result will look like.

use crate::geometry::{Dims, broadcast_shapes, same_dims, to_dims};
use crate::promote::{can_cast, result_type};
use crate::{DType, Device, Result, Tensor, ensure};

/// How a kernel goes through its inputs and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Element by element: the output may be the very same view as an input.
    Elementwise,
    /// In its own way: the output shares no memory with inputs.
    Free,
}

/// What a result will look like, and how its kernel will fill it.
///
/// ```
/// use opwright_runtime::{DType, Result, Spec, Tensor, iterate, view};
///
/// fn hypotenuse(x: &Tensor, y: &Tensor) -> Result<Tensor> {
///     let spec = Spec::elementwise(&[x, y])?.with_dtype(DType::Float64);
///     let mut out = spec.allocate()?;
///     iterate::binary(x, y, &mut out, f64::hypot)?;
///     Ok(out)
/// }
///
/// let x = Tensor::from_slice(&[2, 1], &[3.0, 6.0])?;
/// let y = Tensor::from_slice(&[2], &[4.0, 8.0])?;
/// let out = hypotenuse(&x, &y)?;
/// assert_eq!((out.shape(), view::select(&out, 0, 0)?.to_vec::<f64>()?[0]), (&[2, 2][..], 5.0));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spec {
    shape: Dims,
    /// Only for a dense order that is not row-major.
    strides: Option<Dims>,
    dtype: DType,
    device: Device,
    casts: bool,
    access: Access,
}

impl Spec {
    /// A row-major result of a kernel with free access; an `out=` argument must
    /// have exactly this dtype.
    ///
    /// ```
    /// use opwright_runtime::{DType, Spec, Tensor};
    ///
    /// /// A rule: the length of each row.
    /// fn lengths(x: &Tensor) -> Spec {
    ///     Spec::new(&x.shape()[..1], x.dtype(), x.device())
    /// }
    ///
    /// let spec = lengths(&Tensor::from_slice(&[2, 3], &[0.0; 6])?);
    /// assert_eq!((spec.shape(), spec.dtype()), (&[2][..], DType::Float64));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn new(shape: &[i64], dtype: DType, device: Device) -> Spec {
        Spec {
            shape: to_dims(shape),
            strides: None,
            dtype,
            device,
            casts: false,
            access: Access::Free,
        }
    }

    /// The result of an element-wise kernel: inputs are stretched to one shape
    /// and promoted to one dtype; an `out=` argument may have any dtype that
    /// the result can be cast to.
    ///
    /// # Errors
    ///
    /// `Runtime` if shapes or devices do not go together.
    ///
    /// ```
    /// use opwright_runtime::{DType, Spec, Tensor};
    ///
    /// let x = Tensor::from_slice(&[3, 1], &[1_i64, 2, 3])?;
    /// let y = Tensor::from_slice(&[2], &[0.5_f32, 1.5])?;
    /// let spec = Spec::elementwise(&[&x, &y])?;
    /// assert_eq!((spec.shape(), spec.dtype()), (&[3, 2][..], DType::Float32));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    #[inline]
    pub fn elementwise(inputs: &[&Tensor]) -> Result<Spec> {
        match leader(inputs) {
            Some(leader) => Ok(Spec {
                shape: to_dims(leader.shape()),
                strides: None,
                dtype: leader.dtype(),
                device: leader.device(),
                casts: true,
                access: Access::Elementwise,
            }),
            None => Spec::of_different(inputs),
        }
    }

    fn of_different(inputs: &[&Tensor]) -> Result<Spec> {
        Spec::elementwise_of(inputs, result_type(inputs)?)
    }

    /// The same where something else decides about the dtype.
    ///
    /// # Errors
    ///
    /// As [`elementwise`](Spec::elementwise).
    pub fn elementwise_of(inputs: &[&Tensor], dtype: DType) -> Result<Spec> {
        let device = common_device(inputs)?;
        let (shape, strides) = elementwise_geometry(inputs)?;
        Ok(Spec { shape, strides, dtype, device, casts: true, access: Access::Elementwise })
    }

    /// The same with another dtype.
    #[must_use]
    pub fn with_dtype(self, dtype: DType) -> Spec {
        Spec { dtype, ..self }
    }

    /// The same with another shape, in row-major order.
    #[must_use]
    pub fn with_shape(self, shape: &[i64]) -> Spec {
        Spec { shape: to_dims(shape), strides: None, ..self }
    }

    /// The same, and an `out=` argument may have any dtype that the result can
    /// be cast to.
    #[must_use]
    pub fn casting(self) -> Spec {
        Spec { casts: true, ..self }
    }

    /// The same for a kernel with other access.
    #[must_use]
    pub fn with_access(self, access: Access) -> Spec {
        Spec { access, ..self }
    }

    /// The shape.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Whether an `out=` argument may have another dtype.
    pub fn casts(&self) -> bool {
        self.casts
    }

    /// How the kernel goes through its inputs and its output.
    pub fn access(&self) -> Access {
        self.access
    }

    /// A tensor for the result.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`].
    #[inline]
    pub fn allocate(&self) -> Result<Tensor> {
        self.allocate_on(self.device)
    }

    /// A tensor that only looks like the result.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`].
    pub fn allocate_meta(&self) -> Result<Tensor> {
        self.allocate_on(Device::Meta)
    }

    #[inline]
    pub(super) fn allocate_on(&self, device: Device) -> Result<Tensor> {
        match &self.strides {
            None => Tensor::allocate(&self.shape, self.dtype, device),
            Some(strides) => Tensor::allocate_dense(&self.shape, strides, self.dtype, device),
        }
    }
}

/// The input that the result looks like, if that is easy to see: all inputs look
/// like it, or are numbers that give way to it.
#[inline(always)]
pub(super) fn leader<'a>(inputs: &[&'a Tensor]) -> Option<&'a Tensor> {
    let leader = *inputs.iter().find(|it| !it.is_wrapped_number())?;
    if !leader.is_contiguous() {
        return None;
    }
    // No `all`: it would be a call.
    for input in inputs {
        if !follows(input, leader) {
            return None;
        }
    }
    Some(leader)
}

/// Whether a tensor looks like another, which is in row-major order, or is a number that gives way.
#[inline(always)]
fn follows(tensor: &Tensor, leader: &Tensor) -> bool {
    if tensor.is_same(leader) {
        return true;
    }
    if tensor.device() != leader.device() {
        return false;
    }
    if tensor.is_wrapped_number() {
        return gives_way(tensor, leader);
    }
    tensor.dtype() == leader.dtype()
        && tensor.is_contiguous()
        && tensor.numel() == leader.numel()
        && tensor.ndim() == leader.ndim()
        // One dimension is as long as there are elements.
        && (tensor.ndim() < 2 || same_dims(tensor.shape(), leader.shape()))
}

#[cold]
fn gives_way(number: &Tensor, leader: &Tensor) -> bool {
    number.ndim() == 0 && can_cast(number.dtype(), leader.dtype())
}

/// The device of a call with these inputs.
///
/// A tensor without dimensions may be on the CPU wherever the others are.
///
/// # Errors
///
/// `Runtime` if other tensors are on different devices.
#[inline]
pub fn common_device(inputs: &[&Tensor]) -> Result<Device> {
    if !inputs.iter().any(|it| it.device().is_meta()) {
        return Ok(Device::Cpu);
    }
    for input in inputs {
        ensure!(
            input.device().is_meta() || input.ndim() == 0,
            Runtime,
            "Expected all tensors to be on the same device, but found at least two devices, cpu \
             and meta!"
        );
    }
    Ok(Device::Meta)
}

/// The common shape, and the order of memory if all agree on an unusual one.
#[inline]
fn elementwise_geometry(inputs: &[&Tensor]) -> Result<(Dims, Option<Dims>)> {
    if let [first, ..] = inputs
        && inputs.iter().all(|it| it.is_contiguous() && same_dims(it.shape(), first.shape()))
    {
        return Ok((to_dims(first.shape()), None));
    }
    let shape = match inputs {
        [only] => to_dims(only.shape()),
        [a, b] => broadcast_shapes(&[a.shape(), b.shape()])?,
        many => {
            let shapes: smallvec::SmallVec<[&[i64]; 4]> =
                many.iter().map(|it| it.shape()).collect();
            broadcast_shapes(&shapes)?
        }
    };
    let first = inputs.iter().find(|it| same_dims(it.shape(), &shape));
    let strides = match first {
        Some(input) if !input.is_contiguous() => common_order(inputs, input, &shape),
        _ => None,
    };
    Ok((shape, strides))
}

/// The strides of `leader` if its elements fill their memory without gaps and
/// no other input of that shape lies differently.
fn common_order(inputs: &[&Tensor], leader: &Tensor, shape: &[i64]) -> Option<Dims> {
    let agrees = |it: &&Tensor| it.shape() != shape || it.strides() == leader.strides();
    (leader.is_dense() && inputs.iter().all(agrees)).then(|| to_dims(leader.strides()))
}
