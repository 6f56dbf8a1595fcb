//! Functions of `nn.functional`: an operator under parameters that Python's users expect, in their order,
//! with older and further forms of what its schema has.
//!
//! ```text
//! elu(input, alpha, inplace)
//! dropout(input, p=0.5, train as training=True, inplace)
//! cross_entropy(input, target, weight, size_average, ignore_index, reduce, reduction, label_smoothing)
//! ```

use crate::model::{BaseType, Functional, FunctionalParam, Param, Role, Schema, Type};
use crate::names::python_param;

/// The submodule of a Python binding that has such functions.
pub const MODULE: &str = "nn_functional";

/// A parameter that is none of the operator's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// Calls the variant in place; false by default.
    Inplace,
    /// An older form of `reduction`: the mean, or else the sum.
    SizeAverage,
    /// An older form of `reduction`: whether there is one.
    Reduce,
}

/// What a parameter is.
#[derive(Clone, Copy, Debug)]
pub enum FunctionalRole<'a> {
    /// One of the operator's.
    Param(&'a Param),
    /// None of them.
    Word(Word),
}

impl Functional {
    /// The parameter that is this word.
    pub fn word(&self, schema: &Schema, word: Word) -> Option<&FunctionalParam> {
        let is_word = |it: &&FunctionalParam| match it.role(schema) {
            Some(FunctionalRole::Word(found)) => found == word,
            Some(FunctionalRole::Param(_)) | None => false,
        };
        self.params.iter().find(is_word)
    }
}

impl FunctionalParam {
    /// What it is to an operator; nothing if that has no such parameter.
    pub fn role<'a>(&self, schema: &'a Schema) -> Option<FunctionalRole<'a>> {
        let param = listed(schema).find(|it| python_param(it, true) == self.of.value);
        let word = || Word::ALL.into_iter().find(|it| it.name() == self.of.value);
        param.map(FunctionalRole::Param).or_else(|| word().map(FunctionalRole::Word))
    }
}

impl Word {
    /// All of them.
    pub const ALL: [Word; 3] = [Word::Inplace, Word::SizeAverage, Word::Reduce];

    /// The parameter's name.
    pub fn name(self) -> &'static str {
        match self {
            Word::Inplace => "inplace",
            Word::SizeAverage => "size_average",
            Word::Reduce => "reduce",
        }
    }

    /// Whether it is another form of the parameter `reduction`.
    pub fn reduces(self) -> bool {
        match self {
            Word::Inplace => false,
            Word::SizeAverage | Word::Reduce => true,
        }
    }
}

/// The parameters of an operator that such a function may list.
pub fn listed(schema: &Schema) -> impl Iterator<Item = &Param> {
    schema.params.iter().filter(|it| matches!(it.role, Role::Positional | Role::Keyword))
}

/// Whether a parameter is what the older forms are forms of.
pub fn is_reduction(param: &Param) -> bool {
    param.name.value == "reduction" && param.ty.value == Type::Base(BaseType::Reduction)
}
