//! Specs: shape, dtype and device of a result before it is computed.

use crate::geometry::{Dims, broadcast_shapes, same_dims, to_dims};
use crate::promote::{can_cast, result_type};
use crate::{DType, Device, Result, Scalar, Tensor, ensure};

/// How a kernel goes through its inputs and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Element by element: the output may be the very same view as an input.
    Elementwise,
    /// It changes its first input, which the output may be, but nothing that another input shares.
    Updates,
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

    /// The same of the shape, the dtype and the device of a tensor, in its order in memory.
    ///
    /// ```
    /// use opwright_runtime::{Spec, Tensor, view};
    ///
    /// let x = Tensor::from_slice(&[2, 3], &[0.0; 6])?;
    /// assert_eq!(Spec::like(&view::transpose(&x, 0, 1)?).allocate()?.strides(), [1, 3]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn like(tensor: &Tensor) -> Spec {
        Spec::new(tensor.shape(), tensor.dtype(), tensor.device()).in_order_of(tensor)
    }

    /// The same, whose dimensions lie in memory in the order of those of a tensor that has as many;
    /// one that is stretched has none.
    #[must_use]
    #[inline]
    pub fn in_order_of(self, tensor: &Tensor) -> Spec {
        if tensor.is_contiguous() && self.strides.is_none() {
            return self;
        }
        self.reordered(tensor)
    }

    #[cold]
    fn reordered(self, tensor: &Tensor) -> Spec {
        let is_ordered = tensor.ndim() == self.shape.len() && has_order(tensor);
        let strides = if is_ordered { dense_strides(tensor, &self.shape) } else { None };
        Spec { strides, ..self }
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

    /// The same on another device.
    #[must_use]
    pub fn on(self, device: Device) -> Spec {
        Spec { device, ..self }
    }

    /// The same, and an `out=` argument must have exactly this dtype.
    #[must_use]
    pub fn exactly(self) -> Spec {
        Spec { casts: false, ..self }
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
    number.ndim() == 0
        && can_cast(number.dtype(), leader.dtype())
        && is_plain(number, leader.dtype())
}

/// Whether a number is beyond doubt what it is in this dtype; others are looked at closely.
#[inline]
fn is_plain(number: &Tensor, dtype: DType) -> bool {
    if number.storage().is_none() {
        return true;
    }
    // SAFETY: a tensor without dimensions that has memory is one element, of its dtype, there.
    let number = unsafe {
        match number.dtype() {
            DType::Int64 => Scalar::Int(number.data_ptr().cast::<i64>().read_unaligned()),
            DType::Float64 => Scalar::Float(number.data_ptr().cast::<f64>().read_unaligned()),
            _ => return true,
        }
    };
    number.is_plain_in(dtype)
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

/// The common shape, and the order of memory of the first input of that shape, if it is an unusual
/// one.
#[inline]
fn elementwise_geometry(inputs: &[&Tensor]) -> Result<(Dims, Option<Dims>)> {
    if let [first, ..] = inputs
        && inputs.iter().all(|it| it.is_contiguous() && same_dims(it.shape(), first.shape()))
    {
        return Ok((to_dims(first.shape()), None));
    }
    stretched_geometry(inputs)
}

fn stretched_geometry(inputs: &[&Tensor]) -> Result<(Dims, Option<Dims>)> {
    if let [first, ..] = inputs {
        let is_alike = |it: &Tensor| it.ndim() == 0 || same_dims(it.shape(), first.shape());
        if inputs.iter().all(|it| it.is_contiguous() && is_alike(it)) {
            return Ok((to_dims(first.shape()), None));
        }
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
    let first = inputs.iter().find(|it| same_dims(it.shape(), &shape) && has_order(it));
    let strides = first.and_then(|it| dense_strides(it, &shape));
    Ok((shape, strides))
}

/// Whether the strides say in which order the dimensions lie in memory: not if one is stretched.
fn has_order(tensor: &Tensor) -> bool {
    let mut dims = tensor.shape().iter().zip(tensor.strides());
    tensor.is_contiguous() || dims.all(|(&size, &stride)| size < 2 || stride != 0)
}

/// The strides of a tensor without gaps, of a shape of as many dimensions, which lie in memory in
/// the order of those of `leader`; nothing if that is the usual one.
fn dense_strides(leader: &Tensor, shape: &[i64]) -> Option<Dims> {
    if leader.is_contiguous() {
        return None;
    }
    if same_dims(leader.shape(), shape) && leader.is_dense() {
        return Some(to_dims(leader.strides()));
    }
    let own = leader.strides();
    let mut order: smallvec::SmallVec<[usize; 8]> = (0..shape.len()).collect();
    // Where a dimension of one index lies does not matter: it stays with its neighbour.
    let key = |&dim: &usize| match (dim..shape.len()).find(|&it| leader.shape()[it] != 1) {
        Some(next) => std::cmp::Reverse(own[next].unsigned_abs()),
        None => std::cmp::Reverse(0),
    };
    order.sort_by_key(key);
    if order.iter().copied().eq(0..shape.len()) {
        return None;
    }
    let (mut strides, mut next) = (to_dims(shape), 1_i64);
    for &dim in order.iter().rev() {
        strides[dim] = next;
        next = next.saturating_mul(shape[dim].max(1));
    }
    Some(strides)
}
