//! `Display` of the model: canonical schema text, the inverse of parsing.

use std::fmt::{self, Display, Formatter, Write};

use crate::model::{
    AliasTarget, Annotation, BaseName, BaseType, Default, OpName, Param, Return, Role, Schema, Type,
};

impl Display for Schema {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        let mut keyword = false;
        for (idx, param) in self.params.iter().enumerate() {
            if idx > 0 {
                f.write_str(", ")?;
            }
            if !keyword && param.role != Role::Positional {
                keyword = true;
                f.write_str("*, ")?;
            }
            write!(f, "{param}")?;
        }
        f.write_str(") -> ")?;
        match self.returns.as_slice() {
            [single] => write!(f, "{single}"),
            several => {
                f.write_char('(')?;
                separated(f, several, ", ")?;
                f.write_char(')')
            }
        }
    }
}

impl Display for OpName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(namespace) = &self.namespace {
            write!(f, "{namespace}::")?;
        }
        write!(f, "{}", self.base)?;
        if !self.overload.is_empty() {
            write!(f, ".{}", self.overload)?;
        }
        Ok(())
    }
}

impl Display for BaseName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.dunder, self.inplace) {
            (true, true) => write!(f, "__i{}__", self.root),
            (true, false) => write!(f, "__{}__", self.root),
            (false, true) => write!(f, "{}_", self.root),
            (false, false) if self.functional => write!(f, "{}_functional", self.root),
            (false, false) => f.write_str(&self.root),
        }
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        param(f, self, self.alias())
    }
}

/// A parameter without its annotation.
pub(crate) struct Unannotated<'p>(pub(crate) &'p Param);

impl Display for Unannotated<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        param(f, self.0, None)
    }
}

fn param(f: &mut Formatter<'_>, param: &Param, annotation: Option<&Annotation>) -> fmt::Result {
    annotated(f, &param.ty.value, annotation)?;
    f.write_char(' ')?;
    f.write_str(&param.name.value)?;
    match &param.default {
        Some(default) => write!(f, "={}", default.value),
        None => Ok(()),
    }
}

impl Display for Return {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        annotated(f, &self.ty.value, self.alias())?;
        match &self.name {
            Some(name) => write!(f, " {}", name.value),
            None => Ok(()),
        }
    }
}

/// A type with the annotation after its base.
fn annotated(f: &mut Formatter<'_>, ty: &Type, annotation: Option<&Annotation>) -> fmt::Result {
    match ty {
        Type::Base(base) => {
            Display::fmt(base, f)?;
            annotation.map_or(Ok(()), |it| write!(f, "({it})"))
        }
        Type::Optional(inner) => {
            annotated(f, inner, annotation)?;
            f.write_char('?')
        }
        Type::List(element, size) => {
            annotated(f, element, annotation)?;
            match size {
                Some(size) => write!(f, "[{size}]"),
                None => f.write_str("[]"),
            }
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        annotated(f, self, None)
    }
}

impl Display for BaseType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let BaseType::Class(name) = self {
            f.write_str(CLASS_PREFIX)?;
            return f.write_str(name);
        }
        f.write_str(self.name())
    }
}

/// What the name of a custom class starts with.
pub(crate) const CLASS_PREFIX: &str = "__torch__.torch.classes.";

impl Display for Annotation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        separated(f, &self.before, "|")?;
        if self.write {
            f.write_char('!')?;
        }
        match &self.after {
            Some(AliasTarget::Wildcard) => f.write_str(" -> *"),
            Some(AliasTarget::Sets(sets)) => {
                f.write_str(" -> ")?;
                separated(f, sets, "|")
            }
            None => Ok(()),
        }
    }
}

impl Display for Default {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Default::None => f.write_str("None"),
            Default::Bool(true) => f.write_str("True"),
            Default::Bool(false) => f.write_str("False"),
            Default::Int(value) => write!(f, "{value}"),
            Default::Float(_, text) | Default::Complex(_, _, text) | Default::Name(text) => {
                f.write_str(text)
            }
            Default::IntList(values) => {
                f.write_char('[')?;
                separated(f, values, ",")?;
                f.write_char(']')
            }
            Default::List(values) => {
                f.write_char('[')?;
                separated(f, values, ",")?;
                f.write_char(']')
            }
            Default::Str(text, quote) => write!(f, "{quote}{text}{quote}"),
        }
    }
}

fn separated<T: Display>(f: &mut Formatter<'_>, items: &[T], separator: &str) -> fmt::Result {
    for (idx, item) in items.iter().enumerate() {
        if idx > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}
