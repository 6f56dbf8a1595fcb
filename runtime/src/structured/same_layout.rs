//! Fast path of small element-wise calls whose operands have the same layout.

use super::spec::leader;
use crate::fast_path::FastPath;
use crate::iterate::{InnerLoop, WORTH_PLANNING};
use crate::{DType, Result, Tensor};

/// Operands of few elements that need no rule, as all look like one of them: in memory, of one dtype
/// and shape, in row-major order; or are numbers that give way to it.
///
/// What [`run`](SameLayout::run) gives is what rule, allocation and loop would give.
///
/// ```
/// use opwright_runtime::iterate::inner_loop;
/// use opwright_runtime::structured::SameLayout;
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// assert!(SameLayout::of([&x, &view::transpose(&x, 0, 1)?]).is_none());
/// let operands = SameLayout::of([&x, &x]).expect("they are one tensor");
/// let sum = operands.run(operands.dtype(), |then| inner_loop::binary(|a: f64, b: f64| a + b, then))?;
/// assert_eq!(sum.expect("a loop of doubles").to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SameLayout<'a, const N: usize> {
    leader: &'a Tensor,
    operands: [&'a Tensor; N],
}

impl<'a, const N: usize> SameLayout<'a, N> {
    /// The operands, if they are such.
    #[inline]
    pub fn of(operands: [&'a Tensor; N]) -> Option<Self> {
        if !FastPath::SameLayout.is_on() {
            return None;
        }
        let leader = leader(&operands)?;
        let is_short = leader.numel() != 0 && leader.numel() < WORTH_PLANNING;
        (is_short && leader.storage().is_some()).then_some(SameLayout { leader, operands })
    }

    /// The one that the others look like.
    #[inline]
    pub fn leader(&self) -> &'a Tensor {
        self.leader
    }

    /// Its dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.leader.dtype()
    }

    /// A result of this dtype, made by the loop that `make` makes; nothing if that reads or writes
    /// other dtypes.
    ///
    /// # Errors
    ///
    /// What making the loop reports; `Memory`.
    #[inline(always)]
    pub fn run(
        &self,
        dtype: DType,
        make: impl FnOnce(&mut dyn FnMut(InnerLoop<'_>) -> Result<()>) -> Result<()>,
    ) -> Result<Option<Tensor>> {
        let mut made = None;
        make(&mut |it| {
            // SAFETY: `of` has looked at the operands.
            made = unsafe { it.over_same_layout(self.leader, self.operands, dtype)? };
            Ok(())
        })?;
        if made.is_some() {
            FastPath::SameLayout.taken();
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::SameLayout;
    use crate::iterate::inner_loop;
    use crate::{DType, Device, Result, Spec, Tensor, iterate, view};

    fn tensor(shape: &[i64], dtype: DType) -> Tensor {
        let count = shape.iter().product::<i64>();
        let numbers: Vec<f64> = (0..count).map(|it| it as f64 / 2.0).collect();
        Tensor::from_slice(shape, &numbers).unwrap().to_dtype(dtype).unwrap()
    }

    fn number(value: f64) -> Tensor {
        Tensor::from_slice(&[], &[value]).unwrap().with_wrapped_number(true).unwrap()
    }

    fn sum(operands: SameLayout<'_, 2>) -> Result<Option<Tensor>> {
        operands.run(operands.dtype(), |then| inner_loop::binary(|a: f64, b: f64| a + b, then))
    }

    #[test]
    fn the_fast_path_gives_what_the_general_way_gives() {
        let rows = view::as_strided(&tensor(&[6], DType::Float64), &[1, 3], &[77, 1], 2).unwrap();
        for (a, b) in [
            (tensor(&[5], DType::Float64), tensor(&[5], DType::Float64)),
            (tensor(&[2, 1, 3, 1, 2], DType::Float64), tensor(&[2, 1, 3, 1, 2], DType::Float64)),
            (tensor(&[], DType::Float64), number(2.5)),
            (number(-1.0), tensor(&[3, 3], DType::Float64)),
            (rows.clone(), rows),
        ] {
            let spec = Spec::elementwise(&[&a, &b]).unwrap();
            let mut long = spec.allocate().unwrap();
            iterate::binary(&a, &b, &mut long, |a: f64, b: f64| a + b).unwrap();
            let short = sum(SameLayout::of([&a, &b]).unwrap()).unwrap().unwrap();
            assert_eq!((short.shape(), short.strides()), (long.shape(), long.strides()));
            assert_eq!((short.dtype(), short.numel()), (long.dtype(), long.numel()));
            assert_eq!(short.to_vec::<f64>().unwrap(), long.to_vec::<f64>().unwrap());
            assert!(short.is_contiguous() && short.is_settled());
        }
    }

    #[test]
    fn what_needs_a_rule_has_another_layout() {
        let x = tensor(&[2, 2], DType::Float64);
        let others = [
            tensor(&[2], DType::Float64),
            tensor(&[2, 2], DType::Float32),
            view::transpose(&x, 0, 1).unwrap(),
            Tensor::allocate(&[2, 2], DType::Float64, Device::Meta).unwrap(),
        ];
        for other in &others {
            assert!(SameLayout::of([&x, other]).is_none());
            assert!(SameLayout::of([other, &x]).is_none());
        }
        // A number that does not give way, none at all, nothing, and a lot.
        let whole = tensor(&[2, 2], DType::Int64);
        assert!(SameLayout::of([&whole, &number(0.5)]).is_none());
        assert!(SameLayout::of([&number(0.5), &number(0.5)]).is_none());
        let empty = tensor(&[0, 2], DType::Float64);
        assert!(SameLayout::of([&empty, &empty]).is_none());
        let many = tensor(&[1 << 14], DType::Float64);
        assert!(SameLayout::of([&many, &many]).is_none());
    }

    #[test]
    fn a_loop_of_other_operands_is_left_to_the_rule() {
        let x = tensor(&[4], DType::Float32);
        assert!(sum(SameLayout::of([&x, &x]).unwrap()).unwrap().is_none());
        let x = tensor(&[4], DType::Float64);
        let one = SameLayout::of([&x]).unwrap();
        let made = one.run(one.dtype(), |then| inner_loop::binary(|a: f64, b: f64| a + b, then));
        assert!(made.unwrap().is_none());
    }

    #[test]
    fn a_number_has_no_dimensions() {
        let x = tensor(&[3], DType::Float64);
        for shape in [&[0][..], &[1], &[3]] {
            let number = tensor(shape, DType::Float64).with_wrapped_number(true).unwrap();
            assert!(SameLayout::of([&x, &number]).is_none());
        }
    }
}
