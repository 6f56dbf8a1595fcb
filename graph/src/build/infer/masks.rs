//! Boolean masks among indices: each stands for the places where it is true, a vector for each of
//! its dimensions.

use opwright_runtime::DType;
use opwright_runtime::op::{Operator, Type};
use opwright_runtime::types::TensorType;

use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

/// The same call with vectors of places for masks in lists of indices, if there are masks.
pub(super) fn as_places(
    row: &Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
) -> Option<(Vec<Variable>, Vec<NodeArgument>)> {
    let mut inputs = inputs.to_vec();
    let mut arguments = arguments.to_vec();
    let mut found = false;
    for (param, argument) in row.params.iter().zip(&mut arguments) {
        if let (Type::List(Type::Optional(Type::Tensor), _), NodeArgument::List(items)) =
            (param.slot.ty, argument)
        {
            *items = items.drain(..).flat_map(|it| places(it, &mut inputs, &mut found)).collect();
        }
    }
    found.then_some((inputs, arguments))
}

fn places(item: NodeArgument, inputs: &mut Vec<Variable>, found: &mut bool) -> Vec<NodeArgument> {
    let NodeArgument::Input(at) = item else { return vec![item] };
    let Some(ndim) = rank_of_mask(&inputs[at]) else { return vec![item] };
    *found = true;
    // As long as there are true elements: one vector, so that all are as long.
    let count = Variable::new(TensorType::new(DType::Int64, [None]).shared(), None);
    inputs.push(count);
    vec![NodeArgument::Input(inputs.len() - 1); ndim]
}

fn rank_of_mask(variable: &Variable) -> Option<usize> {
    let ty = variable.ty().downcast::<TensorType>()?;
    ty.dtype().is_boolean().then(|| ty.ndim())
}
