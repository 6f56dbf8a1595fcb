//! Types as text, as messages and signatures show them.

use std::fmt;

use super::{Iter, Kind, Layout, Ty};

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layout::C => "C",
            Layout::F => "F",
            Layout::Any => "A",
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &**self {
            Kind::Bool => f.write_str("bool"),
            Kind::Int(int) => write!(f, "{}int{}", if int.is_signed { "" } else { "u" }, int.bits),
            Kind::Float(bits) => write!(f, "float{bits}"),
            Kind::Complex(bits) => write!(f, "complex{bits}"),
            Kind::None => f.write_str("none"),
            Kind::Tuple(items) => tuple(f, items),
            Kind::NamedTuple(class, names, items) => named(f, *class, names, items),
            Kind::Optional(inner) => write!(f, "OptionalType({inner})"),
            Kind::Array(array) => {
                let readonly = if array.is_readonly { "readonly " } else { "" };
                write!(f, "{readonly}array({}, {}d, {})", array.dtype, array.ndim, array.layout)
            }
            Kind::Flat(inner) => write!(f, "flat({inner})"),
            Kind::Range => f.write_str("range"),
            Kind::Iter(iter, items) => call(f, iter.name(), items),
            Kind::Text(text) => write!(f, "{text:?}"),
            Kind::Unicode => f.write_str("unicode_type"),
            Kind::Ellipsis => f.write_str("ellipsis"),
            Kind::Slice(items) => call(f, "slice", items),
            Kind::Function(_) => f.write_str("function"),
            Kind::Lazy(_) => f.write_str("array"),
            Kind::Closure(_) => f.write_str("nested function"),
            Kind::Module(_) => f.write_str("module"),
            Kind::Class(_) => f.write_str("class"),
            Kind::Exception(_) => f.write_str("exception class"),
            Kind::Raised(_, _) => f.write_str("exception"),
            Kind::Formatted(_) => f.write_str("formatted text"),
            Kind::DType(inner) => write!(f, "class({inner})"),
            Kind::Bound(inner, name) => write!(f, "method {name} of {inner}"),
            Kind::User(user) => f.write_str(&user.name),
        }
    }
}

impl Iter {
    fn name(self) -> &'static str {
        match self {
            Iter::Enumerate => "enumerate",
            Iter::Zip => "zip",
            Iter::Reversed => "reversed",
            Iter::NdIndex => "ndindex",
            Iter::NdEnumerate => "ndenumerate",
        }
    }
}

fn tuple(f: &mut fmt::Formatter<'_>, items: &[Ty]) -> fmt::Result {
    match items {
        [first, rest @ ..] if rest.iter().all(|it| it == first) => {
            write!(f, "UniTuple({first} x {})", items.len())
        }
        _ => call(f, "Tuple", items),
    }
}

fn named(
    f: &mut fmt::Formatter<'_>,
    class: super::Obj,
    names: &[Box<str>],
    items: &[Ty],
) -> fmt::Result {
    write!(f, "namedtuple#{}(", class.0)?;
    for (at, (name, item)) in names.iter().zip(items).enumerate() {
        write!(f, "{}{name}: {item}", if at > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}

fn call(f: &mut fmt::Formatter<'_>, name: &str, items: &[Ty]) -> fmt::Result {
    write!(f, "{name}(")?;
    for (at, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if at > 0 { ", " } else { "" })?;
    }
    f.write_str(")")
}
