//! Overload resolution of operators in compiled code, by the rows of the table.

use opwright_jit::operator::OperatorArg;
use opwright_jit::types::{Ty, TyKind};
use opwright_jit::{Frozen, OperatorOperand, memory};
use opwright_runtime::Reduction;
use opwright_runtime::op::{Operator, Param, Type, Value};

/// What the first overload that takes the arguments is passed for each parameter.
///
/// # Errors
///
/// Why the last one does not take them.
pub(super) fn choose<'a>(
    rows: &'a [Operator],
    args: &[OperatorOperand],
) -> Result<(&'a Operator, Vec<OperatorArg>), String> {
    let mut reason = "it has no overload that compiled functions call".to_owned();
    for row in rows {
        if row.is_view() || row.params.iter().any(|it| it.is_out) {
            continue;
        }
        match bound(row, args) {
            Ok(found) => return Ok((row, found)),
            Err(other) => reason = other,
        }
    }
    Err(reason)
}

fn bound(row: &Operator, args: &[OperatorOperand]) -> Result<Vec<OperatorArg>, String> {
    let mut positional = args.iter().filter(|it| it.name.is_none());
    let mut used = 0;
    let mut found = Vec::with_capacity(row.params.len());
    for param in row.params {
        let by_place = if param.is_keyword { None } else { positional.next() };
        let named =
            args.iter().find(|it| it.name.as_deref().is_some_and(|it| is_called(param, it)));
        let given = by_place.or(named);
        used += usize::from(given.is_some());
        found.push(match (given, param.default) {
            (Some(operand), _) => {
                if param.slot.writes && operand.ty.as_array().is_some_and(|it| it.is_readonly) {
                    return Err(format!("'{}' is read-only", param.slot.name));
                }
                accepted(&param.slot.ty, operand.ty, operand.word, operand.known.as_ref())
                    .ok_or_else(|| {
                        let (name, ty) = (param.slot.name, param.slot.ty);
                        format!("'{name}' of {} is {ty}, not {}", row.name, operand.ty)
                    })?
            }
            (None, Some(default)) => OperatorArg::Constant(default.value()),
            (None, None) if matches!(param.slot.ty, Type::Optional(_)) => {
                OperatorArg::Constant(Value::None)
            }
            (None, None) => return Err(format!("{} takes '{}'", row.name, param.slot.name)),
        });
    }
    if used < args.len() {
        return Err(format!("{} takes fewer arguments, or other names", row.name));
    }
    Ok(found)
}

/// People call the first tensor `input`.
fn is_called(param: &Param, name: &str) -> bool {
    param.slot.name == name || (param.slot.name == "self" && name == "input")
}

/// An argument as a parameter of a type takes it; none if it does not.
fn accepted(ty: &Type, of: Ty, word: usize, known: Option<&Frozen>) -> Option<OperatorArg> {
    match (ty, &*of) {
        (Type::Optional(_), TyKind::None) => Some(OperatorArg::Constant(Value::None)),
        (Type::Optional(inner), _) => accepted(inner, of, word, known),
        (Type::Tensor, TyKind::Array(_)) => Some(OperatorArg::Word(word, of)),
        // What results depend on the type of is known while typing.
        (Type::Bool | Type::SymBool, TyKind::Bool) => constant(known?).map(OperatorArg::Constant),
        (Type::Int | Type::SymInt | Type::DeviceIndex | Type::Reduction, TyKind::Int(_))
        | (Type::Float, TyKind::Int(_) | TyKind::Float(_)) => Some(number(of, word, known)),
        (Type::Scalar, _) if of.is_number() => Some(number(of, word, known)),
        (Type::Reduction, TyKind::Text(text)) => {
            Reduction::from_name(text).map(|it| OperatorArg::Constant(it.into()))
        }
        (Type::Str | Type::StrEnum(_), TyKind::Text(text)) => {
            Some(OperatorArg::Constant(Value::Str(text.to_string())))
        }
        (Type::ScalarType, TyKind::DType(dtype)) => {
            memory::dtype(*dtype).map(|it| OperatorArg::Constant(Value::DType(it)))
        }
        (Type::List(inner, _), TyKind::Tuple(items)) => {
            let known_items = match known {
                Some(Frozen::Tuple(items)) => items.iter().map(Some).collect(),
                _ => vec![None; items.len()],
            };
            let mut at = word;
            let mut found = Vec::with_capacity(items.len());
            for (item, known) in items.iter().zip(known_items) {
                found.push(accepted(inner, *item, at, known)?);
                at += item.width();
            }
            Some(OperatorArg::List(found))
        }
        (Type::List(inner, Some(_)), TyKind::Int(_)) => {
            accepted(inner, of, word, known).map(|it| OperatorArg::List(vec![it]))
        }
        _ => None,
    }
}

fn number(of: Ty, word: usize, known: Option<&Frozen>) -> OperatorArg {
    known.and_then(constant).map_or(OperatorArg::Word(word, of), OperatorArg::Constant)
}

/// A number that is known, as operators take it.
fn constant(known: &Frozen) -> Option<Value> {
    let Frozen::Number(ty, bits) = known else { return None };
    Some(match &**ty {
        TyKind::Bool => Value::Bool(bits[0] != 0),
        TyKind::Int(_) => Value::Int(bits[0].cast_signed()),
        TyKind::Float(64) => Value::Float(f64::from_bits(bits[0])),
        TyKind::Float(_) => Value::Float(f64::from(f32::from_bits(bits[0] as u32))),
        _ => return None,
    })
}
