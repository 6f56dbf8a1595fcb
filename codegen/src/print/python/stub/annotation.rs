//! Schema types and defaults in Python's words.

use opwright_schema::model::{BaseType, Default, Type};

use crate::literal;
use crate::signature::{Param, Section};

/// Whose words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// A stub's: builtins have an underscore, lists and numbers have aliases.
    Stub,
    /// A stub's, of a module that takes arrays where it expects tensors.
    OpenStub,
    /// A page's.
    Page,
}

impl Words {
    /// What a parameter takes.
    pub(super) fn parameter(self, param: &Param) -> String {
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
        match ty {
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
            Type::Base(BaseType::Tensor) => Some("_TensorList"),
            Type::Base(BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex) => {
                Some("_IntList")
            }
            Type::Base(_) | Type::Optional(_) | Type::List(..) => None,
        };
        match (self, alias) {
            (Words::Stub | Words::OpenStub, Some(alias)) => alias.to_owned(),
            (Words::Page, _) => self.list_of(&self.accepted(element)),
            (Words::Stub | Words::OpenStub, None) => {
                let element = self.accepted(element);
                format!("{}[{element}, ...] | {}", self.word("tuple"), self.list_of(&element))
            }
        }
    }

    fn list_of(self, element: &str) -> String {
        format!("{}[{element}]", self.word("list"))
    }

    fn accepted_base(self, base: &BaseType) -> String {
        match base {
            BaseType::Tensor if self == Words::OpenStub => "_Array".to_owned(),
            BaseType::Tensor => "Tensor".to_owned(),
            BaseType::Int | BaseType::DeviceIndex => self.word("int"),
            BaseType::SymInt if self != Words::Page => "_SupportsIndex".to_owned(),
            BaseType::SymInt => self.word("int"),
            BaseType::Bool | BaseType::SymBool => self.word("bool"),
            BaseType::Float => self.word("float"),
            BaseType::Scalar => self.number(),
            BaseType::Str => self.word("str"),
            BaseType::ScalarType => self.word("dtype"),
            BaseType::Layout => self.word("layout"),
            BaseType::Device => {
                format!("{} | {} | {}", self.word("device"), self.word("str"), self.word("int"))
            }
            BaseType::MemoryFormat => self.word("memory_format"),
            BaseType::Generator => "Generator".to_owned(),
            BaseType::Storage => "Storage".to_owned(),
            BaseType::Dimname => format!("{} | None", self.word("str")),
            BaseType::DimVector => self.list(&Type::Base(BaseType::Int)),
            // Classes without objects.
            BaseType::Stream | BaseType::QScheme | BaseType::GraphModule | BaseType::Class(_) => {
                self.word("object")
            }
        }
    }

    /// What a call returns for a schema type.
    pub(super) fn returned(self, ty: &Type) -> String {
        match ty {
            Type::Base(BaseType::Tensor) => "Tensor".to_owned(),
            Type::Base(BaseType::SymInt) => self.word("int"),
            Type::Base(BaseType::Device) => self.word("device"),
            Type::Base(BaseType::Dimname) => self.word("str"),
            Type::Base(BaseType::DimVector) => {
                self.returned(&Type::List(Box::new(Type::Base(BaseType::Int)), None))
            }
            Type::Base(other) => self.accepted_base(other),
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

    fn word(self, plain: &str) -> String {
        match self {
            Words::Stub | Words::OpenStub => format!("_{plain}"),
            Words::Page => plain.to_owned(),
        }
    }
}

/// A default as a Python literal; what has none is hidden.
pub(super) fn default(default: &Default) -> String {
    literal::python(default).unwrap_or_else(|| "...".to_owned())
}
