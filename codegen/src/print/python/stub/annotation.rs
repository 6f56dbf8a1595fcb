//! Schema types and defaults in Python's words.

use opwright_schema::model::{BaseType, Default, Type};
use opwright_schema::types::Values;

use crate::literal;
use crate::signature::{Parameter, Section};

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StubWords {
    /// A stub's: builtins have an underscore, lists and numbers have aliases.
    Stub,
    /// A stub's, of a module that takes arrays where it expects tensors.
    OpenStub,
    /// A page's.
    Page,
}

impl StubWords {
    /// What a parameter takes.
    pub(super) fn parameter(self, param: &Parameter) -> String {
        let mut text = match (&param.ty, param.section) {
            (Type::List(_, Some(count)), Section::Out) => self.tensors(*count as usize),
            (ty, _) => self.accepted(ty),
        };
        if param.numbers {
            text = format!("{text} | {}", self.number());
        }
        if param.nullable && !text.ends_with("| None") {
            text.push_str(" | None");
        }
        text
    }

    /// Several out tensors.
    fn tensors(self, count: usize) -> String {
        let tuple = self.tuple(&vec!["Tensor".to_owned(); count]);
        format!("{tuple} | {}", self.list_of("Tensor"))
    }

    fn accepted(self, ty: &Type) -> String {
        match &*ty.plain() {
            Type::Base(base) => self.accepted_base(base),
            Type::Optional(inner) => format!("{} | None", self.accepted(inner)),
            Type::List(element, Some(_)) => {
                format!("{} | {}", self.accepted(element), self.list(element))
            }
            Type::List(element, None) => self.list(element),
        }
    }

    fn list(self, element: &Type) -> String {
        let alias = match element {
            Type::Base(base) => match base.row().values {
                Values::Tensor => Some("_TensorList"),
                Values::Int => Some("_IntList"),
                _ => None,
            },
            Type::Optional(_) | Type::List(..) => None,
        };
        match (self, alias) {
            (StubWords::Stub | StubWords::OpenStub, Some(alias)) => alias.to_owned(),
            (StubWords::Page, _) => self.list_of(&self.accepted(element)),
            (StubWords::Stub | StubWords::OpenStub, None) => {
                let element = self.accepted(element);
                format!("{}[{element}, ...] | {}", self.word("tuple"), self.list_of(&element))
            }
        }
    }

    fn list_of(self, element: &str) -> String {
        format!("{}[{element}]", self.word("list"))
    }

    fn accepted_base(self, base: &BaseType) -> String {
        if let BaseType::Native(native) = base
            && native.is_derived()
        {
            return native.name().to_owned();
        }
        if let (StubWords::Page, Values::StrEnum(_)) = (self, base.row().values) {
            return self.word(base.row().gives);
        }
        let words: Vec<String> = base.row().takes.iter().map(|it| self.taken(it)).collect();
        words.join(" | ")
    }

    /// What a call returns for a schema type.
    pub(super) fn returned(self, ty: &Type) -> String {
        match &*ty.plain() {
            // What is returned is one of ours, whatever is taken.
            Type::Base(BaseType::Tensor) => "Tensor".to_owned(),
            Type::Base(base @ BaseType::Native(_)) => self.accepted_base(base),
            Type::Base(base) => self.word(base.row().gives),
            Type::Optional(inner) => format!("{} | None", self.returned(inner)),
            Type::List(element, _) => {
                format!("{}[{}, ...]", self.word("tuple"), self.returned(element))
            }
        }
    }

    /// A tuple of these types.
    pub(super) fn tuple(self, types: &[String]) -> String {
        format!("{}[{}]", self.word("tuple"), types.join(", "))
    }

    /// What each of the arguments is that make up an integer list.
    pub(super) fn element(self) -> String {
        self.accepted_base(&BaseType::SymInt)
    }

    fn number(self) -> String {
        self.word("Number")
    }

    /// What stands for a value of this kind.
    fn taken(self, plain: &str) -> String {
        match (self, plain) {
            (StubWords::Stub | StubWords::OpenStub, "dtype") => "_DType".to_owned(),
            _ => self.word(plain),
        }
    }

    fn word(self, plain: &str) -> String {
        match (self, plain) {
            (StubWords::OpenStub, "Tensor") => "_Array".to_owned(),
            // Classes of the module itself.
            (_, "Tensor" | "Generator" | "Storage" | "None") => plain.to_owned(),
            (StubWords::Stub | StubWords::OpenStub, _) => format!("_{plain}"),
            (StubWords::Page, "SupportsIndex") => "int".to_owned(),
            (StubWords::Page, "Reduction") => "str".to_owned(),
            (StubWords::Page, _) => plain.to_owned(),
        }
    }
}

/// A default as a Python literal; what has none is hidden.
pub(super) fn default(default: &Default) -> String {
    // Nothing equals what is not a number.
    let shown = literal::python(default).filter(|it| !it.contains("1e999-"));
    shown.unwrap_or_else(|| "...".to_owned())
}
