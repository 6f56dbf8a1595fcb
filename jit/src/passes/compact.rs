//! Numbers values and instructions anew, in the order of blocks, and drops what nothing uses, so
//! that machines need no room for it.

use crate::ir::{Block, Def, Function, Inst, Value, ValueData};

pub(super) fn run(function: &mut Function) {
    let mut numbers = ValueNumbers { of: vec![None; function.values.len()], values: Vec::new() };
    let mut insts = Vec::with_capacity(function.insts.len());
    for at in 0..function.blocks.len() {
        let block = Block(at as u32);
        for param in &function.blocks[at].params {
            numbers.add(function, *param, Def::Param(block));
        }
        for inst in &function.blocks[at].insts {
            for result in &function.insts[*inst as usize].results {
                numbers.add(function, *result, Def::Inst(insts.len() as u32));
            }
            insts.push(*inst);
        }
    }
    let mut old: Vec<Option<Inst>> =
        std::mem::take(&mut function.insts).into_iter().map(Some).collect();
    function.insts = insts.iter().filter_map(|it| old[*it as usize].take()).collect();
    let mut next = 0;
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            *inst = next;
            next += 1;
        }
    }
    numbers.rename(function);
    function.values = numbers.values;
}

struct ValueNumbers {
    /// The new number of each value that is used.
    of: Vec<Option<Value>>,
    values: Vec<ValueData>,
}

impl ValueNumbers {
    fn add(&mut self, function: &Function, value: Value, def: Def) -> Value {
        let prim = function.prim(value);
        let number = Value(self.values.len() as u32);
        self.values.push(ValueData { prim, def });
        self.of[value.0 as usize] = Some(number);
        number
    }

    /// Renames all that is read; constants get a number where the first of them is read.
    fn rename(&mut self, function: &mut Function) {
        let mut insts = std::mem::take(&mut function.insts);
        for inst in &mut insts {
            inst.args.iter_mut().for_each(|it| *it = self.get(function, *it));
            inst.results.iter_mut().for_each(|it| *it = self.get(function, *it));
        }
        function.insts = insts;
        for at in 0..function.blocks.len() {
            let mut block = std::mem::take(&mut function.blocks[at].params);
            block.iter_mut().for_each(|it| *it = self.get(function, *it));
            function.blocks[at].params = block;
            let mut term =
                std::mem::replace(&mut function.blocks[at].term, crate::ir::Terminator::Open);
            term.values_mut(&mut |it| *it = self.get(function, *it));
            function.blocks[at].term = term;
        }
    }

    fn get(&mut self, function: &Function, value: Value) -> Value {
        match self.of[value.0 as usize] {
            Some(number) => number,
            None => self.add(function, value, function.values[value.0 as usize].def),
        }
    }
}
