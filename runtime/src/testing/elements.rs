//! A tensor to be: its elements, dtype and layout, from which it is made anew for each call.

use std::fmt;

use crate::{Complex, DType, Result, Tensor, view};

/// What a tensor argument is made from.
#[derive(Clone, Debug)]
pub(super) struct SampleElements {
    pub(super) shape: Vec<i64>,
    values: Vec<Complex<f64>>,
    pub(super) dtype: DType,
    layout: SampleLayout,
}

/// How the elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleLayout {
    Contiguous,
    Transposed,
    Stepped,
    Reversed,
}

impl SampleLayout {
    pub(super) const UNUSUAL: [SampleLayout; 3] =
        [SampleLayout::Transposed, SampleLayout::Stepped, SampleLayout::Reversed];

    pub(super) fn name(self) -> &'static str {
        match self {
            SampleLayout::Contiguous => "contiguous",
            SampleLayout::Transposed => "transposed",
            SampleLayout::Stepped => "stepped",
            SampleLayout::Reversed => "reversed",
        }
    }
}

impl SampleElements {
    /// These elements, in row-major order; too few are repeated.
    pub(super) fn new(shape: &[i64], values: &[f64], dtype: DType) -> SampleElements {
        let values = values.iter().map(|&it| Complex::new(it, 0.0)).collect();
        let one = SampleElements { shape: vec![], values, dtype, layout: SampleLayout::Contiguous };
        one.stretched(shape)
    }

    /// The elements of a tensor that is there.
    pub(super) fn of(tensor: &Tensor) -> Result<SampleElements> {
        let values = match tensor.dtype().is_complex_number() {
            true => tensor.to_dtype(DType::Complex128)?.to_vec::<Complex<f64>>()?,
            false => {
                let numbers = tensor.to_dtype(DType::Float64)?.to_vec::<f64>()?;
                numbers.into_iter().map(|it| Complex::new(it, 0.0)).collect()
            }
        };
        let (shape, dtype) = (tensor.shape().to_vec(), tensor.dtype());
        Ok(SampleElements { shape, values, dtype, layout: SampleLayout::Contiguous })
    }

    /// The same with these imaginary parts, as a complex tensor.
    pub(super) fn with_imaginary_parts(mut self, parts: &[f64]) -> SampleElements {
        for (value, part) in self.values.iter_mut().zip(parts) {
            value.im = *part;
        }
        SampleElements { dtype: DType::Complex64, ..self }
    }

    /// A new tensor with memory of its own.
    pub(super) fn tensor(&self) -> Result<Tensor> {
        let plain = if self.dtype.is_complex_number() {
            Tensor::from_slice(&self.shape, &self.values)?
        } else {
            let real: Vec<f64> = self.values.iter().map(|it| it.re).collect();
            Tensor::from_slice(&self.shape, &real)?
        };
        let plain = plain.to_dtype(self.dtype)?;
        match self.layout {
            SampleLayout::Contiguous => Ok(plain),
            SampleLayout::Transposed => transposed(&plain),
            SampleLayout::Stepped => stepped(&plain),
            SampleLayout::Reversed => reversed(&plain),
        }
    }

    /// The same numbers in another dtype; imaginary parts may go.
    pub(super) fn cast(&self, dtype: DType) -> SampleElements {
        SampleElements { dtype, ..self.clone() }
    }

    /// The same elements in other places.
    pub(super) fn laid_out(&self, layout: SampleLayout) -> SampleElements {
        SampleElements { layout, ..self.clone() }
    }

    pub(super) fn is_contiguous(&self) -> bool {
        self.layout == SampleLayout::Contiguous
    }

    /// Elements of the same kind in another shape: as many as it holds, from the start again when
    /// they run out.
    pub(super) fn stretched(&self, shape: &[i64]) -> SampleElements {
        let count = shape.iter().product::<i64>() as usize;
        let values = self.values.iter().copied().cycle().take(count).collect();
        SampleElements { shape: shape.to_vec(), values, ..self.clone() }
    }
}

/// The same tensor with its first dimension closest in memory.
fn transposed(tensor: &Tensor) -> Result<Tensor> {
    let backwards: Vec<usize> = (0..tensor.ndim()).rev().collect();
    view::permute(&view::permute(tensor, &backwards)?.to_contiguous()?, &backwards)
}

/// The same tensor as every other element of a larger one.
fn stepped(tensor: &Tensor) -> Result<Tensor> {
    let wide: Vec<i64> = tensor.shape().iter().map(|it| 2 * it).collect();
    let mut view = Tensor::zeroed(&wide, tensor.dtype(), tensor.device())?;
    for (dim, &size) in wide.iter().enumerate() {
        view = view::slice(&view, dim, 0, size, 2)?;
    }
    view.copy_from(tensor)?;
    Ok(view)
}

/// The same tensor with its elements backwards in memory.
fn reversed(tensor: &Tensor) -> Result<Tensor> {
    let mut view = Tensor::zeroed(tensor.shape(), tensor.dtype(), tensor.device())?;
    for dim in 0..tensor.ndim() {
        view = view::flip(&view, dim)?;
    }
    view.copy_from(tensor)?;
    Ok(view)
}

impl fmt::Display for SampleElements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({}, shape {:?}", self.dtype, self.shape)?;
        if !self.is_contiguous() {
            write!(f, ", {}", self.layout.name())?;
        }
        f.write_str(")")
    }
}
