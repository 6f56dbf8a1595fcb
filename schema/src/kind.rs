//! Schema kinds: functional, in-place, out or mutable; receiver and outputs.

use std::borrow::Cow;

use crate::model::{
    Annotation, BaseName, BaseType, Default, Kind, OpName, Param, Return, Role, Schema, Type,
};
use crate::types::Values;

impl Schema {
    /// What it writes to.
    pub fn kind(&self) -> Kind {
        if self.name.base.inplace {
            Kind::Inplace
        } else if self.outs().any(Param::is_scratch) {
            Kind::Scratch
        } else if self.outs().next().is_some() {
            Kind::Out
        } else if self.mutable_params().next().is_some() {
            Kind::Mutable
        } else {
            Kind::Functional
        }
    }

    /// Index of the receiver: the positional parameter called `self`.
    pub fn self_index(&self) -> Option<usize> {
        self.params.iter().position(|it| it.role == Role::Positional && it.name.value == "self")
    }

    /// The receiver.
    pub fn receiver(&self) -> Option<&Param> {
        self.self_index().map(|idx| &self.params[idx])
    }

    /// Parameters before `*`.
    pub fn positional(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|it| it.role == Role::Positional)
    }

    /// Parameters after `*` that are not written to.
    pub fn keywords(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|it| matches!(it.role, Role::Keyword | Role::Option))
    }

    /// Out parameters.
    pub fn outs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|it| it.role == Role::Out)
    }

    /// Positional parameters other than the receiver that are written to.
    pub fn mutable_params(&self) -> impl Iterator<Item = &Param> {
        let receiver = self.self_index();
        let others = self.params.iter().enumerate().filter(move |(idx, _)| Some(*idx) != receiver);
        others.map(|(_, it)| it).filter(|it| it.role == Role::Positional && it.writes())
    }

    /// Whether it has the four tensor options.
    pub fn has_options(&self) -> bool {
        self.params.iter().any(|it| it.role == Role::Option)
    }

    /// Whether some input is a tensor, an optional one or a list of them.
    pub fn takes_tensors(&self) -> bool {
        self.params.iter().any(|it| it.role != Role::Out && it.ty.value.is_tensor_like())
    }

    /// Whether something that it returns is a tensor or a list of them.
    pub fn returns_tensors(&self) -> bool {
        self.returns.iter().any(|it| it.ty.value.is_tensor_like())
    }

    /// The parameter with this name, and its index.
    pub fn param(&self, name: &str) -> Option<(usize, &Param)> {
        self.params.iter().enumerate().find(|(_, it)| it.name.value == name)
    }

    /// Whether some return is a view of a parameter.
    pub fn returns_views(&self) -> bool {
        self.returns.iter().any(|it| it.alias().is_some_and(|it| !it.write))
    }
}

impl OpName {
    /// The same operator of another overload name.
    pub fn with_overload(&self, overload: impl Into<String>) -> OpName {
        OpName { overload: overload.into(), ..self.clone() }
    }
}

impl BaseName {
    /// `new_...`: makes a tensor like `self`, as a method.
    pub fn is_new(&self) -> bool {
        self.root.starts_with("new_") && !self.dunder
    }

    /// `..._like`: makes a tensor like `self`.
    pub fn is_like(&self) -> bool {
        self.root.ends_with("_like") && !self.inplace && !self.dunder && !self.functional
    }
}

impl Param {
    /// Its alias annotation, without its place.
    pub fn alias(&self) -> Option<&Annotation> {
        self.annotation.as_ref().map(|it| &it.value)
    }

    /// Whether a return is this parameter, which was written to.
    pub fn is_returned_as(&self, ret: &Return) -> bool {
        self.alias().is_some() && self.alias() == ret.alias()
    }

    /// Whether the operator writes to it.
    pub fn writes(&self) -> bool {
        self.alias().is_some_and(|it| it.write)
    }

    /// Whether it is an out parameter for intermediate results, which is not returned.
    pub fn is_scratch(&self) -> bool {
        self.name.value.starts_with("_scratch_")
    }
}

impl Return {
    /// Its alias annotation, without its place.
    pub fn alias(&self) -> Option<&Annotation> {
        self.annotation.as_ref().map(|it| &it.value)
    }

    /// Whether it is a parameter that was written to.
    pub fn writes(&self) -> bool {
        self.alias().is_some_and(|it| it.write)
    }
}

impl Type {
    /// The base type inside of all lists and options.
    pub fn base(&self) -> &BaseType {
        match self {
            Type::Base(base) => base,
            Type::Optional(inner) | Type::List(inner, _) => inner.base(),
        }
    }

    /// `Tensor`, `Tensor?`, `Tensor[]`, ...
    pub fn is_tensor_like(&self) -> bool {
        *self.base() == BaseType::Tensor
    }

    /// Just `Tensor`.
    pub fn is_tensor(&self) -> bool {
        *self == Type::Base(BaseType::Tensor)
    }

    /// The same without names for lists.
    pub fn plain(&self) -> Cow<'_, Type> {
        match self {
            Type::Base(BaseType::DimVector) => {
                Cow::Owned(Type::List(Box::new(Type::Base(BaseType::Int)), None))
            }
            other => Cow::Borrowed(other),
        }
    }

    /// Whether a default with this value makes sense.
    pub fn admits(&self, default: &Default) -> bool {
        match (self, default) {
            (Type::Optional(_), Default::None) => true,
            (Type::Optional(inner), _) => inner.admits(default),
            (Type::List(_, _), Default::IntList(values)) if values.is_empty() => true,
            (Type::List(element, _), Default::IntList(_)) => element.admits(&Default::Int(0)),
            (Type::List(element, _), Default::List(values)) => {
                values.iter().all(|it| element.admits(it))
            }
            // A single value is repeated.
            (Type::List(element, Some(_)), _) => element.admits(default),
            (Type::List(_, None), _) => false,
            (Type::Base(base), _) => base.admits(default),
        }
    }
}

impl BaseType {
    fn admits(&self, default: &Default) -> bool {
        let values = self.row().values;
        match default {
            Default::None => false,
            Default::Bool(_) => matches!(values, Values::Bool | Values::Number),
            Default::Int(_) => self.is_number(),
            Default::Float(..) => matches!(values, Values::Float | Values::Number),
            Default::Complex(..) => values == Values::Number,
            Default::IntList(_) => *self == BaseType::DimVector,
            Default::List(_) => false,
            Default::Str(text, _) => match values {
                Values::Str => true,
                Values::StrEnum(_) => self.word(text).is_some(),
                _ => *self == BaseType::Device && self.word(text).is_some(),
            },
            Default::Name(name) => {
                !matches!(values, Values::StrEnum(_)) && self.word(name).is_some()
            }
        }
    }
}
