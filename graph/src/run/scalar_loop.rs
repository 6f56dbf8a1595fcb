//! Scalar loops: nodes of numbers alone, by the inner loop of the operator over one element.

use opwright_runtime::op::{Calculates, Constant, ElementLoop, Operator, Type, Value};
use opwright_runtime::types::Plain;
use opwright_runtime::{DType, Device, Result, Scalar, Tensor, promote};
use smallvec::SmallVec;

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::run::fast_path::BoundLoop;
use crate::run::frame::Frame;

/// A node whose operands and result are numbers, for which no tensor is made.
pub(crate) struct ScalarLoop {
    inner: &'static ElementLoop,
    dtype: DType,
    operands: SmallVec<[ScalarOperand; 3]>,
    others: SmallVec<[Value; 2]>,
    /// Whether these are the defaults.
    is_plain: bool,
    result: DType,
}

/// A number that the loop reads.
pub(crate) enum ScalarOperand {
    Slot(usize),
    Number(Scalar),
}

impl ScalarOperand {
    #[inline]
    fn number(&self, frame: &Frame) -> Result<Scalar> {
        match self {
            ScalarOperand::Slot(slot) => frame.get(*slot).scalar(),
            ScalarOperand::Number(number) => Ok(*number),
        }
    }
}

impl ScalarLoop {
    /// That of a node, if its operator has a loop that gives the same: `slot` says where inputs are.
    pub(crate) fn of(
        row: &'static Operator,
        node: &Apply,
        slot: &dyn Fn(usize) -> Option<usize>,
    ) -> Option<ScalarLoop> {
        let inner = row.inner_loop?;
        let mut operands = SmallVec::new();
        let mut others = SmallVec::new();
        let mut is_plain = true;
        let mut dtypes: Vec<Option<DType>> = Vec::new();
        for (param, argument) in row.params.iter().zip(node.arguments()) {
            dtypes.push(None);
            match (param.slot.ty, argument) {
                (Type::Tensor, NodeArgument::Input(at)) => {
                    let input = &node.inputs()[*at];
                    let plain = input.ty().downcast::<Plain>().filter(|it| it.is_number())?;
                    *dtypes.last_mut()? = exact_of(*plain);
                    operands.push(match input.as_constant() {
                        Some(value) => ScalarOperand::Number(value.scalar().ok()?),
                        None => ScalarOperand::Slot(slot(*at)?),
                    });
                }
                (Type::Tensor, _) => return None,
                (_, NodeArgument::Value(value)) => {
                    is_plain &= is_default(param.default, value);
                    others.push(value.clone());
                }
                (_, NodeArgument::Input(_) | NodeArgument::List(_)) => return None,
            }
        }
        let result = result_dtype(row, node)?;
        let dtype = match inner.calculates {
            Calculates::InResult => result,
            Calculates::InCommon(at) | Calculates::Compared(at) => common(&dtypes, at)?,
            Calculates::InFloating(at) => common(&dtypes, at)?.to_floating(),
        };
        let made = ScalarLoop { inner, dtype, operands, others, is_plain, result };
        made.fits(result).then_some(made)
    }

    /// Whether the loop can be made, reads so many numbers and gives one of the dtype.
    fn fits(&self, result: DType) -> bool {
        let mut fits = false;
        let mut others = self.others.clone();
        let made = (self.inner.make)(self.dtype, &mut others, &mut |it| {
            fits = it.inputs().len() == self.operands.len() && it.outputs() == [result];
            Ok(())
        });
        made.is_ok() && fits
    }

    /// Computes the result.
    #[inline]
    pub(crate) fn run(&self, frame: &Frame) -> Result<Value> {
        let mut numbers = SmallVec::<[Scalar; 3]>::new();
        for operand in &self.operands {
            numbers.push(operand.number(frame)?);
        }
        Ok(self.over(&numbers)?.into())
    }

    /// The numbers that it reads.
    pub(crate) fn operands(&self) -> &[ScalarOperand] {
        &self.operands
    }

    /// The loop of the operator.
    pub(crate) fn row_loop(&self) -> &'static ElementLoop {
        self.inner
    }

    /// Whether its arguments that are no operands are the defaults.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// What it runs.
    pub(crate) fn part(&self) -> Option<BoundLoop> {
        BoundLoop::new(self.inner, self.dtype, &self.others, self.operands.len(), self.result)
    }

    #[inline]
    fn over(&self, numbers: &[Scalar]) -> Result<Scalar> {
        let mut result = Scalar::Bool(false);
        let mut others = self.others.clone();
        (self.inner.make)(self.dtype, &mut others, &mut |it| {
            result = it.over_numbers(numbers)?;
            Ok(())
        })?;
        Ok(result)
    }
}

/// Whether a value is the default of its parameter.
fn is_default(default: Option<Constant>, value: &Value) -> bool {
    match (default, value) {
        (None | Some(Constant::None), Value::None) => true,
        (Some(Constant::Bool(a)), Value::Bool(b)) => a == *b,
        (Some(Constant::Int(a)), Value::Int(b)) => a == *b,
        _ => false,
    }
}

fn exact_of(plain: Plain) -> Option<DType> {
    use opwright_runtime::types::Type as _;
    plain.host().element()
}

fn common(dtypes: &[Option<DType>], at: &[usize]) -> Option<DType> {
    let mut found: Option<DType> = None;
    for at in at {
        let dtype = dtypes.get(*at).copied().flatten()?;
        found = match found {
            Some(it) => Some(promote::promoted(it, dtype).ok()?),
            None => Some(dtype),
        };
    }
    found
}

/// The dtype that comes out of numbers, as the operator itself says.
fn result_dtype(row: &Operator, node: &Apply) -> Option<DType> {
    let mut values: Vec<Value> = Vec::new();
    for (param, argument) in row.params.iter().zip(node.arguments()) {
        values.push(match (param.slot.ty, argument) {
            (Type::Tensor, NodeArgument::Input(at)) => {
                let input = &node.inputs()[*at];
                let dtype = match input.as_constant() {
                    Some(value) => value.scalar().ok()?.storage_dtype(),
                    None => exact_of(*input.ty().downcast::<Plain>()?)?,
                };
                Value::Tensor(Tensor::zeroed(&[], dtype, Device::Meta).ok()?)
            }
            (_, NodeArgument::Value(value)) => value.clone(),
            _ => return None,
        });
    }
    match (row.call)(&mut values).ok()?.as_slice() {
        [Value::Tensor(it)] if it.ndim() == 0 => Some(it.dtype()),
        _ => None,
    }
}
