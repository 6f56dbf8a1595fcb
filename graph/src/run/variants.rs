//! In-place and out variants of element-wise operators, for buffer reuse.

use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::TensorType;
use opwright_runtime::{DType, Result, Tensor};
use smallvec::SmallVec;

use crate::model::apply::Apply;
use crate::model::operator_tables::OperatorTables;
use crate::run::frame::StepArguments;
use crate::run::pool::Pool;

/// The forms of an operator that write its only result to a tensor.
pub(crate) struct Variants {
    in_place: Option<&'static Operator>,
    out: Option<OutVariant>,
    /// The dtype of the result.
    dtype: DType,
}

/// The form that writes to a tensor which is passed for that.
struct OutVariant {
    row: &'static Operator,
    /// For each of its parameters the argument that it gets; none for that which is written to.
    order: SmallVec<[Option<usize>; 4]>,
}

impl Variants {
    /// Those of the operator of a node, if they can be used in its place.
    pub(crate) fn of(
        row: &'static Operator,
        node: &Apply,
        rows: &OperatorTables,
    ) -> Option<Variants> {
        let [output] = node.outputs() else { return None };
        let dtype = output.ty().downcast::<TensorType>()?.dtype();
        let is_simple = row.params.iter().all(|it| is_simple(it.slot.ty));
        if row.inner_loop.is_none() || row.mutates() || row.is_random() || !is_simple {
            return None;
        }
        let in_place = row.in_place.and_then(|it| rows.find(it)).filter(|it| writes_first(row, it));
        let out = row.out.and_then(|it| rows.find(it)).and_then(|it| OutVariant::of(row, it));
        (in_place.is_some() || out.is_some()).then_some(Variants { in_place, out, dtype })
    }

    /// Whether an argument may receive the result, if nobody else needs it.
    pub(crate) fn may_write_to(&self, argument: usize) -> bool {
        self.out.is_some() || (argument == 0 && self.in_place.is_some())
    }

    /// Whether the result may go to a tensor that is no argument.
    pub(crate) fn has_out(&self) -> bool {
        self.out.is_some()
    }

    /// Whether the result goes to this tensor as it is: it has room for it, and for no more.
    pub(crate) fn fits(&self, tensor: &Tensor, values: &[Value]) -> bool {
        tensor.dtype() == self.dtype
            && values.iter().all(|it| match it {
                // What lies in another order would have a result that does.
                Value::Tensor(it) => it.is_contiguous() && spreads(it.shape(), tensor.shape()),
                _ => true,
            })
    }

    /// Computes the result in the memory of an argument, which is lost.
    ///
    /// # Errors
    ///
    /// What the operator reports.
    pub(crate) fn in_place(&self, argument: usize, values: &mut StepArguments) -> Result<Tensor> {
        let version = values[argument].tensor()?.version();
        // In place, a number that the dtype does not hold is refused; a result is computed with it.
        let is_number = |it: &Value| match it {
            Value::Tensor(it) => it.ndim() == 0,
            it => matches!(it, Value::Int(_) | Value::Float(_) | Value::Complex(_)),
        };
        let has_number = self.out.is_some() && values.iter().any(is_number);
        match (self.in_place, &self.out) {
            (Some(row), _) if argument == 0 && !has_number => {
                (row.call)(values)?;
            }
            (_, Some(out)) => {
                let target = values[argument].tensor()?.clone();
                out.call(values, target)?;
            }
            _ => {}
        }
        let result = std::mem::replace(&mut values[argument], Value::None);
        let Value::Tensor(result) = result else { return Err(result.tensor().unwrap_err()) };
        // Nobody has seen what it was before.
        result.set_version(version);
        Ok(result)
    }

    /// Computes the result in a buffer of the pool, if one fits and the operator takes it.
    pub(crate) fn pooled(&self, values: &[Value], pool: &mut Pool) -> Option<Tensor> {
        let out = self.out.as_ref()?;
        let tensors = values.iter().filter_map(|it| match it {
            Value::Tensor(it) => Some(it),
            _ => None,
        });
        let mut shapes: SmallVec<[&[i64]; 4]> = SmallVec::new();
        for tensor in tensors {
            if !tensor.is_contiguous() {
                return None;
            }
            shapes.push(tensor.shape());
        }
        let shape = broadcast_shapes(&shapes).ok()?;
        let target = pool.take(&shape, self.dtype)?;
        let version = target.version();
        // What goes wrong is told by the operator itself, which is called next.
        out.call(values, target.clone()).ok()?;
        target.set_version(version);
        Some(target)
    }
}

impl OutVariant {
    fn of(row: &'static Operator, form: &'static Operator) -> Option<OutVariant> {
        let mut order = SmallVec::<[Option<usize>; 4]>::new();
        for param in form.params {
            order.push(match param.is_out {
                true => None,
                false => Some(row.params.iter().position(|it| it.slot.name == param.slot.name)?),
            });
        }
        let is_one = order.iter().filter(|it| it.is_none()).count() == 1;
        (is_one && order.len() == row.params.len() + 1).then_some(OutVariant { row: form, order })
    }

    fn call(&self, values: &[Value], target: Tensor) -> Result<()> {
        let mut passed = StepArguments::new();
        for from in &self.order {
            passed.push(match from {
                Some(at) => values[*at].clone(),
                None => Value::Tensor(target.clone()),
            });
        }
        (self.row.call)(&mut passed).map(drop)
    }
}

/// A tensor, or what has none.
fn is_simple(ty: Type) -> bool {
    !matches!(ty, Type::Optional(_) | Type::List(..)) || !has_tensors(ty)
}

fn has_tensors(ty: Type) -> bool {
    match ty {
        Type::Optional(inner) | Type::List(inner, _) => has_tensors(*inner),
        ty => ty == Type::Tensor,
    }
}

/// Whether a form takes the same, and writes to the first of it alone.
fn writes_first(row: &Operator, form: &Operator) -> bool {
    let mut pairs = row.params.iter().zip(form.params);
    row.params.len() == form.params.len()
        && pairs.all(|(a, b)| a.slot.name == b.slot.name && !b.is_out)
        && form.params.iter().enumerate().all(|(at, it)| it.slot.writes == (at == 0))
}

/// Whether a shape is stretched to another one as it is.
fn spreads(shape: &[i64], to: &[i64]) -> bool {
    shape.len() <= to.len()
        && shape.iter().rev().zip(to.iter().rev()).all(|(a, b)| a == b || *a == 1)
}
