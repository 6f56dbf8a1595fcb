//! The arguments of a case, as an overload takes them.

use opwright_runtime::op::{Operator, Param, Type, Value};
use opwright_runtime::{Device, Layout, MemoryFormat, Tensor};

use super::case::Case;
use super::reading::read;

/// The values of a case's arguments, in the order of the parameters.
///
/// # Errors
///
/// What is wrong with the row.
pub fn arguments(
    operator: &Operator,
    case: &Case,
    reverse_memory: bool,
) -> Result<Vec<Value>, String> {
    let is_known = |name: &str| operator.params.iter().any(|it| it.slot.name == name);
    if let Some(name) = case.kwargs.keys().find(|it| !is_known(it)) {
        return Err(format!("no parameter `{name}`"));
    }
    if case.args.len() > operator.params.len() {
        return Err("too many arguments".to_owned());
    }
    let mut values = Vec::new();
    for (idx, param) in operator.params.iter().enumerate() {
        let given = case.args.get(idx).or_else(|| case.kwargs.get(param.slot.name));
        values.push(match (given, param.default) {
            (Some(given), _) => fitting(param, read(given, reverse_memory)?)?,
            (None, Some(default)) => default.value(),
            (None, None) => return Err(format!("no argument for `{}`", param.slot.name)),
        });
    }
    Ok(values)
}

/// A number stands for a tensor, and a word for what it names.
fn fitting(param: &Param, value: Value) -> Result<Value, String> {
    let ty = match param.slot.ty {
        Type::Optional(inner) => *inner,
        ty => ty,
    };
    let Value::Str(word) = &value else {
        let is_tensor = param.slot.ty == Type::Tensor;
        return match value.scalar() {
            Ok(number) if is_tensor => Ok(Value::Tensor(Tensor::wrapped_number(number).unwrap())),
            _ => Ok(value),
        };
    };
    let unknown = || format!("no {ty} is called `{word}`");
    match ty {
        Type::Device => word.parse::<Device>().map(Value::Device).map_err(|it| it.to_string()),
        Type::Layout if word == "strided" => Ok(Value::Layout(Layout::Strided)),
        Type::MemoryFormat => {
            let formats = [MemoryFormat::Contiguous, MemoryFormat::Preserve];
            let format = formats.into_iter().find(|it| it.name() == word);
            format.map(Value::MemoryFormat).ok_or_else(unknown)
        }
        Type::Layout => Err(unknown()),
        _ => Ok(value),
    }
}

/// What is in the arguments that were written to.
pub fn written(operator: &Operator, values: &[Value]) -> Vec<Value> {
    let written = operator.params.iter().zip(values).filter(|(param, _)| param.slot.writes);
    written.map(|(_, value)| value.clone()).collect()
}
