//! Signatures as upstream's argument parser spells them.
//!
//! Between signatures that are neither nearer nor narrower than each other,
//! upstream's order is that of these texts, and calls rely on it.

use opwright_schema::model::{Default, Type};
use opwright_schema::tables::Reduction;

use crate::literal;
use crate::signature::model::{Parameter, Section, Signature};

/// `(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)`.
pub fn parameters(signature: &Signature) -> String {
    let mut parts = Vec::new();
    let mut star = false;
    for param in &signature.params {
        if param.section != Section::Positional && !star {
            star = true;
            parts.push("*".to_owned());
        }
        parts.push(parameter(param));
    }
    format!("({})", parts.join(", "))
}

fn parameter(param: &Parameter) -> String {
    let optional = param.nullable && param.section != Section::Out && !empty_default(param);
    let mark = if optional { "?" } else { "" };
    let ty = ty(&param.ty);
    let ty = if ty.starts_with("c10::List") { ty } else { format!("{ty}{mark}") };
    match &param.default {
        Some(value) => format!("{ty} {}={}", param.name, default(value)),
        None => format!("{ty} {}", param.name),
    }
}

/// Only the default makes it accept `None`.
fn empty_default(param: &Parameter) -> bool {
    matches!(&param.default, Some(Default::IntList(items)) if items.is_empty())
}

fn ty(ty: &Type) -> String {
    match ty {
        Type::Base(base) => base.row().upstream[0].to_owned(),
        Type::Optional(inner) => format!("{}?", self::ty(inner)),
        Type::List(element, size) => {
            let list = match &**element {
                Type::Base(base) => base.row().upstream[1],
                Type::Optional(_) => return "c10::List<::std::optional<Tensor>>".to_owned(),
                Type::List(..) => "List",
            };
            size.map_or(list.to_owned(), |size| format!("{list}[{size}]"))
        }
    }
}

fn default(default: &Default) -> String {
    match default {
        Default::None => "None".to_owned(),
        Default::Bool(true) => "True".to_owned(),
        Default::Bool(false) => "False".to_owned(),
        Default::Int(value) => value.to_string(),
        Default::Float(_, text) | Default::Complex(_, _, text) => text.clone(),
        Default::List(items) => {
            let items: Vec<String> = items.iter().map(self::default).collect();
            format!("{{{}}}", items.join(","))
        }
        Default::IntList(items) if items.is_empty() => "None".to_owned(),
        Default::IntList(items) => {
            let items: Vec<String> = items.iter().map(i64::to_string).collect();
            format!("{{{}}}", items.join(","))
        }
        Default::Str(text, _) => {
            let value = literal::unescape(text);
            format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
        }
        Default::Name(name) => match name.as_str() {
            "long" => "at::kLong".to_owned(),
            "contiguous_format" => "c10::MemoryFormat::Contiguous".to_owned(),
            other => match Reduction::from_variant(other).or_else(|| Reduction::from_name(other)) {
                Some(reduction) => format!("at::Reduction::{reduction:?}"),
                None => other.to_owned(),
            },
        },
    }
}
