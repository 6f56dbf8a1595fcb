//! Machine words in C: types of variables, and conversions between them.

use crate::ir::Function;
use crate::types::{Prim, Prims};

/// The kinds of the words that a function takes.
pub(super) fn params(function: &Function) -> Prims {
    function.blocks[0].params.iter().map(|it| function.prim(*it)).collect()
}

/// The type of variables for words of a kind.
pub(super) fn type_of(prim: Prim) -> &'static str {
    match prim {
        Prim::Bool => "u8",
        Prim::Int | Prim::Owner => "i64",
        Prim::Ptr => "char *",
        Prim::F32 => "float",
        Prim::F64 => "double",
    }
}

/// An expression as one of another kind: its bits are kept, or their low ones.
pub(super) fn converted(text: &str, from: Prim, to: Prim) -> String {
    if type_of(from) == type_of(to) {
        return text.to_owned();
    }
    let word = match from {
        Prim::Int | Prim::Owner => text.to_owned(),
        Prim::Bool | Prim::Ptr => format!("(i64){text}"),
        Prim::F32 => format!("float_word({text})"),
        Prim::F64 => format!("double_word({text})"),
    };
    match to {
        Prim::Int | Prim::Owner => word,
        Prim::Bool => format!("(u8)({word})"),
        Prim::Ptr => format!("(char *)({word})"),
        Prim::F32 => format!("word_float({word})"),
        Prim::F64 => format!("word_double({word})"),
    }
}
