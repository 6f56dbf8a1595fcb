//! Types as text, as messages and signatures show them.

use std::fmt;

use super::{ArrayLayout, Iter, Ty, TyKind};

impl fmt::Display for ArrayLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArrayLayout::C => "C",
            ArrayLayout::F => "F",
            ArrayLayout::Any => "A",
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &**self {
            TyKind::Bool => f.write_str("bool"),
            TyKind::Int(int) => {
                write!(f, "{}int{}", if int.is_signed { "" } else { "u" }, int.bits)
            }
            TyKind::Float(bits) => write!(f, "float{bits}"),
            TyKind::Complex(bits) => write!(f, "complex{bits}"),
            TyKind::None => f.write_str("none"),
            TyKind::Tuple(items) => tuple(f, items),
            TyKind::NamedTuple(class, names, items) => named(f, *class, names, items),
            TyKind::Optional(inner) => write!(f, "OptionalType({inner})"),
            TyKind::Array(array) => {
                let readonly = if array.is_readonly { "readonly " } else { "" };
                write!(f, "{readonly}array({}, {}d, {})", array.dtype, array.ndim, array.layout)
            }
            TyKind::Flat(inner) => write!(f, "flat({inner})"),
            TyKind::Range => f.write_str("range"),
            TyKind::Iter(iter, items) => call(f, iter.name(), items),
            TyKind::Text(text) => write!(f, "{text:?}"),
            TyKind::Unicode => f.write_str("unicode_type"),
            TyKind::Ellipsis => f.write_str("ellipsis"),
            TyKind::Slice(items) => call(f, "slice", items),
            TyKind::Function(_) => f.write_str("function"),
            TyKind::Lazy(_) => f.write_str("array"),
            TyKind::Closure(_) => f.write_str("nested function"),
            TyKind::Module(_) => f.write_str("module"),
            TyKind::Class(_) => f.write_str("class"),
            TyKind::Exception(_) => f.write_str("exception class"),
            TyKind::Raised(_, _) => f.write_str("exception"),
            TyKind::Formatted(_) => f.write_str("formatted text"),
            TyKind::DType(inner) => write!(f, "class({inner})"),
            TyKind::Bound(inner, name) => write!(f, "method {name} of {inner}"),
            TyKind::User(user) => f.write_str(&user.name),
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
