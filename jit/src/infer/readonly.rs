//! Arrays that nothing may be written to.

use super::state::Infer;
use super::value::Typed;
use crate::ast::FunctionId;
use crate::error::{Error, Result};
use crate::ir::{Block, Def, Value};
use crate::types::Ty;

impl Infer<'_> {
    /// Fails if nothing may be written to an array of this type, to which a value refers.
    pub(super) fn check_writable(&self, of: &Typed, array: Ty) -> Result<()> {
        if !array.as_array().is_some_and(|it| it.is_readonly) {
            return Ok(());
        }
        let what = of.words.first().and_then(|it| self.owner_name(*it));
        Err(Error::typing(match what {
            Some(what) => format!("{what} is read-only: write to a copy()"),
            None => format!("{array} is read-only: write to a copy()"),
        }))
    }

    /// What an owner is that comes from outside of the function that is typed.
    fn owner_name(&self, owner: Value) -> Option<String> {
        let function = &self.builder.function;
        match function.values[owner.0 as usize].def {
            Def::Const(_) => Some("an array that was frozen".to_owned()),
            Def::Param(Block(0)) => {
                let mut word =
                    function.block(Block(0)).params.iter().position(|it| *it == owner)?;
                let number = function.params.iter().position(|ty| {
                    let width = ty.width();
                    let is_here = word < width;
                    word = word.wrapping_sub(width);
                    is_here
                })?;
                let code = &self.scopes.first()?.code;
                let name = &code.ast.function(FunctionId(0)).params.get(number)?.name;
                let callee =
                    if self.is_entry { String::new() } else { format!(" of {}", code.name) };
                Some(format!("argument {number} ({name}){callee}"))
            }
            Def::Param(_) | Def::Inst(_) => None,
        }
    }
}
