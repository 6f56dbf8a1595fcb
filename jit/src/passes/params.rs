//! Removal of parameters of blocks that are the same value whichever way the block is entered.

use super::substitution::Substitution;
use crate::ir::{Function, Value, ValueList};

/// What a parameter gets besides itself.
#[derive(Clone, Copy)]
enum ParamSource {
    Nothing,
    One(Value),
    Several,
}

/// Replaces parameters that get one value only, until there are none.
pub(super) fn remove_constant(function: &mut Function) {
    while replace_constant(function) {}
}

/// Replaces parameters that get one value besides themselves; whether there were some.
fn replace_constant(function: &mut Function) -> bool {
    let given = given(function);
    let mut to = Substitution::new(function);
    let params: Vec<ValueList> = function.blocks.iter().map(|it| it.params.clone()).collect();
    for param in params.iter().skip(1).flatten() {
        // Of parameters that get one another, one gets something else, or none is reached.
        if let ParamSource::One(value) = given[param.0 as usize]
            && to.resolve(value) != *param
        {
            to.replace(*param, value);
        }
    }
    if to.count == 0 {
        return false;
    }
    let is_kept = |it: &Value| to.resolve(*it) == *it;
    for block in &mut function.blocks {
        block.params.retain(|it| is_kept(it));
        for (target, args) in block.term.targets_mut() {
            let mut params = params[target.0 as usize].iter();
            args.retain(|_| params.next().is_none_or(is_kept));
        }
    }
    to.apply_to_all(function);
    true
}

/// What each parameter gets, by value.
fn given(function: &Function) -> Vec<ParamSource> {
    let mut given = vec![ParamSource::Nothing; function.values.len()];
    for (target, args) in function.blocks.iter().flat_map(|it| it.term.targets()) {
        for (arg, param) in args.iter().zip(&function.block(*target).params) {
            let slot = &mut given[param.0 as usize];
            *slot = match *slot {
                known if arg == param => known,
                ParamSource::Nothing => ParamSource::One(*arg),
                ParamSource::One(known) if known == *arg => ParamSource::One(known),
                ParamSource::One(_) | ParamSource::Several => ParamSource::Several,
            };
        }
    }
    given
}
