//! Schema types and defaults in Python's words.

use opwright_schema::model::{BaseType, Default, Type};

use crate::literal;
use crate::signature::{Param, Section};

/// What a parameter takes.
pub(super) fn parameter(param: &Param) -> String {
    let mut text = accepted(&param.ty);
    if param.section == Section::Out {
        if let Type::List(_, Some(count)) = &param.ty {
            let tensors = vec!["Tensor"; *count as usize].join(", ");
            text = format!("_tuple[{tensors}] | _list[Tensor]");
        }
    }
    if param.numbers {
        text.push_str(" | _Number");
    }
    if param.nullable && !text.ends_with("| None") {
        text.push_str(" | None");
    }
    text
}

fn accepted(ty: &Type) -> String {
    match ty {
        Type::Base(base) => accepted_base(base).to_owned(),
        Type::Optional(inner) => format!("{} | None", accepted(inner)),
        Type::List(element, size) => match size {
            Some(_) => format!("{} | {}", accepted(element), list(element)),
            None => list(element),
        },
    }
}

fn list(element: &Type) -> String {
    match element {
        Type::Base(BaseType::Tensor) => "_TensorList".to_owned(),
        Type::Base(BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex) => {
            "_IntList".to_owned()
        }
        other => {
            let element = accepted(other);
            format!("_tuple[{element}, ...] | _list[{element}]")
        }
    }
}

fn accepted_base(base: &BaseType) -> &'static str {
    match base {
        BaseType::Tensor => "Tensor",
        BaseType::Int | BaseType::DeviceIndex => "_int",
        BaseType::SymInt => "_SupportsIndex",
        BaseType::Bool | BaseType::SymBool => "_bool",
        BaseType::Float => "_float",
        BaseType::Scalar => "_Number",
        BaseType::Str => "_str",
        BaseType::ScalarType => "_dtype",
        BaseType::Layout => "_layout",
        BaseType::Device => "_device | _str | _int",
        BaseType::MemoryFormat => "_memory_format",
        BaseType::Generator => "Generator",
        BaseType::Storage => "Storage",
        BaseType::Stream => "Stream",
        BaseType::Dimname => "_str | None",
        BaseType::DimVector => "_IntList",
        BaseType::QScheme | BaseType::GraphModule | BaseType::Class(_) => "_object",
    }
}

/// What a call returns for a schema type.
pub(super) fn returned(ty: &Type) -> String {
    match ty {
        Type::Base(base) => returned_base(base).to_owned(),
        Type::Optional(inner) => format!("{} | None", returned(inner)),
        Type::List(element, _) => format!("_tuple[{}, ...]", returned(element)),
    }
}

fn returned_base(base: &BaseType) -> &'static str {
    match base {
        BaseType::SymInt => "_int",
        BaseType::Device => "_device",
        BaseType::Dimname => "_str",
        BaseType::DimVector => "_tuple[_int, ...]",
        other => accepted_base(other),
    }
}

/// A default as a Python literal.
pub(super) fn default(default: &Default) -> String {
    match default {
        Default::None => "None".to_owned(),
        Default::Bool(true) => "True".to_owned(),
        Default::Bool(false) => "False".to_owned(),
        Default::Int(value) => value.to_string(),
        Default::Float(_, text) => text.clone(),
        Default::IntList(values) => match values.as_slice() {
            [] => "()".to_owned(),
            [one] => format!("({one},)"),
            several => {
                let texts: Vec<String> = several.iter().map(i64::to_string).collect();
                format!("({})", texts.join(", "))
            }
        },
        Default::Str(text, quote) => format!("{quote}{text}{quote}"),
        // Objects have no literal.
        Default::Name(name) => {
            literal::reduction(name).map_or("...".to_owned(), |it| it.to_string())
        }
    }
}
