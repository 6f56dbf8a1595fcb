//! Types and values in Go.

use std::fmt;

use opwright_schema::model::{BaseType, Default, Param, Type};
use opwright_schema::types::Values;

use crate::literal::unescape;
use crate::print::c::model::{Multiplicity, Sort};

/// A type: `[]` or `*` or nothing, and a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoType {
    start: &'static str,
    word: &'static str,
}

impl GoType {
    /// The type of such values; none if Go has none.
    pub(super) fn of(shape: Multiplicity<'_>) -> Option<GoType> {
        let [_, word] = shape.base().row().foreign.filter(|[_, go]| !go.is_empty())?;
        let (pointer, word) = match word.strip_prefix('*') {
            Some(word) => ("*", word),
            None => ("", word),
        };
        let is_object = shape.sort() == Sort::Object;
        let is_own = matches!(shape.base(), BaseType::Native(_));
        let start = match shape {
            Multiplicity::One(_) => pointer,
            Multiplicity::Optional(_) => match shape.sort() {
                Sort::Number | Sort::Text => "*",
                Sort::Object | Sort::Named => pointer,
            },
            // Of objects there are lists of tensors and a crate's own alone, of constants none.
            _ if shape.sort() == Sort::Named || (is_object && pointer == "*" && !is_own) => {
                return None;
            }
            _ if pointer == "*" => "[]*",
            Multiplicity::List(..)
            | Multiplicity::OptionalList(..)
            | Multiplicity::OptionalElements(_) => "[]",
        };
        Some(GoType { start, word })
    }

    /// The same as a field, where nothing stands for the default.
    pub(super) fn field(&self, shape: Multiplicity<'_>) -> GoType {
        let start = match (shape, shape.sort()) {
            (Multiplicity::One(_), Sort::Number | Sort::Text) => "*",
            _ => self.start,
        };
        GoType { start, word: self.word }
    }

    /// One element of a list.
    pub(super) fn element(&self) -> &'static str {
        self.word
    }

    /// The text in another package, which imports the one of tensors under this name.
    pub(super) fn from(&self, package: &str) -> String {
        match self.word.starts_with(|it: char| it.is_ascii_uppercase()) {
            true => format!("{}{package}.{}", self.start, self.word),
            false => self.to_string(),
        }
    }
}

impl fmt::Display for GoType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.start, self.word)
    }
}

/// A default as an expression; none if it is what nothing stands for, or if there is none.
pub(super) fn default(param: &Param) -> Option<String> {
    let default = &param.default.as_ref()?.value;
    if *default == Default::None {
        return None;
    }
    let ty = match &param.ty.value {
        Type::Optional(inner) => inner,
        other => other,
    };
    match ty {
        Type::Base(base) => single(default, base),
        Type::List(element, _) => {
            let Type::Base(base) = &**element else { return None };
            let elements = match default {
                Default::IntList(values) => {
                    values.iter().map(|it| single(&Default::Int(*it), base)).collect()
                }
                Default::List(values) => values.iter().map(|it| single(it, base)).collect(),
                one => single(one, base).map(|it| vec![it]),
            };
            let [_, word] = base.row().foreign?;
            elements.map(|it: Vec<String>| format!("[]{word}{{{}}}", it.join(", ")))
        }
        Type::Optional(_) => None,
    }
}

fn single(default: &Default, base: &BaseType) -> Option<String> {
    let number = |default: &Default| match default {
        Default::Bool(value) => Some(value.to_string()),
        Default::Int(value) => Some(value.to_string()),
        Default::Float(value, _) => Some(real(*value)),
        Default::Complex(re, im, _) => Some(format!("complex({}, {})", real(*re), real(*im))),
        Default::Name(name) => base.word(name).map(str::to_owned),
        Default::None | Default::IntList(_) | Default::List(_) | Default::Str(..) => None,
    };
    match base.row().values {
        Values::Int | Values::Float | Values::Bool => number(default),
        Values::Number => number(default).map(|it| format!("Num({it})")),
        Values::Str | Values::StrEnum(_) => match default {
            Default::Str(text, _) => Some(format!("{:?}", unescape(text))),
            _ => None,
        },
        Values::Named => match default {
            Default::Name(name) => Some(opwright_schema::names::go_field(name)),
            _ => None,
        },
        Values::Numbered => match default {
            Default::Name(name) => base.word(name).map(|it| format!("{}{it}", base.name())),
            _ => None,
        },
        Values::Object => match default {
            Default::Name(name) | Default::Str(name, _) => base.word(name).map(|it| match it {
                "Cpu" => "CPU".to_owned(),
                other => other.to_owned(),
            }),
            _ => None,
        },
        Values::Tensor | Values::Empty | Values::Absent => None,
    }
}

/// A real number; those that are not finite have no literal.
fn real(value: f64) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false if value.is_nan() => "math.NaN()".to_owned(),
        false => format!("math.Inf({})", value.signum()),
    }
}
