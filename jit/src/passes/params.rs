//! Removal of parameters of blocks that are the same value whichever way the block is entered.

use std::collections::HashMap;

use crate::ir::{Function, Value};

/// Replaces parameters that get one value only, until there are none.
pub(crate) fn remove_constant(function: &mut Function) {
    loop {
        let found = constant_params(function);
        if found.is_empty() {
            return;
        }
        replace(function, &found);
    }
}

/// The parameters that get one value besides themselves.
fn constant_params(function: &Function) -> HashMap<Value, Value> {
    let mut given: Vec<Vec<Option<Option<Value>>>> =
        function.blocks.iter().map(|it| vec![None; it.params.len()]).collect();
    for block in &function.blocks {
        for (target, args) in block.term.targets() {
            let params = &function.block(*target).params;
            for ((arg, param), slot) in args.iter().zip(params).zip(&mut given[target.0 as usize]) {
                if arg == param {
                    continue;
                }
                *slot = match *slot {
                    None => Some(Some(*arg)),
                    Some(Some(known)) if known == *arg => Some(Some(known)),
                    Some(_) => Some(None),
                };
            }
        }
    }
    let mut found = HashMap::new();
    for (block, given) in function.blocks.iter().zip(given).skip(1) {
        for (param, given) in block.params.iter().zip(given) {
            if let Some(Some(value)) = given {
                found.insert(*param, value);
            }
        }
    }
    found
}

fn replace(function: &mut Function, found: &HashMap<Value, Value>) {
    let resolve = |mut value: Value| {
        // A chain of parameters ends; a circle of them would have no value at all.
        for _ in 0..found.len() {
            match found.get(&value) {
                Some(next) => value = *next,
                None => break,
            }
        }
        value
    };
    let kept: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|it| it.params.iter().map(|param| !found.contains_key(param)).collect())
        .collect();
    for inst in &mut function.insts {
        inst.args.iter_mut().for_each(|it| *it = resolve(*it));
    }
    for block in &mut function.blocks {
        block.params.retain(|it| !found.contains_key(it));
        block.term.values_mut(&mut |it| *it = resolve(*it));
        for (target, args) in block.term.targets_mut() {
            let mut kept = kept[target.0 as usize].iter();
            args.retain(|_| kept.next().copied().unwrap_or(true));
        }
    }
}
