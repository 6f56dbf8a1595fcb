//! Mutated arguments: the arrays among the arguments of an entry that its program may store to.
//!
//! Addresses are followed from the parameters that they come from, through offsets, choices, blocks
//! and calls, without regard to the order of instructions. Calls are summed up until nothing
//! changes: which parameters a function stores to, and which ones its results point into.

use crate::ir::{Function, Opcode, Program, RuntimeCall, Value};
use crate::types::Prim;

/// The addresses among the parameters of a function, as bits; the last bit stands for all that follow.
type ParamSet = u64;

/// What calls of a function do.
#[derive(Clone, PartialEq)]
struct Summary {
    /// The parameters that it stores to.
    stores: ParamSet,
    /// What each word of its result points into.
    results: Vec<ParamSet>,
}

/// Where the owners of such arrays stand among the words of the entry's arguments.
pub(crate) fn owners(program: &Program) -> Vec<usize> {
    let functions = &program.functions;
    let stores = |it: &Function| it.insts.iter().any(|it| matches!(it.op, Opcode::Store(_)));
    let Some(entry) = functions.first() else { return Vec::new() };
    if !functions.iter().any(stores) {
        return Vec::new();
    }
    let mut summaries: Vec<Summary> = functions.iter().map(Summary::empty).collect();
    loop {
        let next: Vec<Summary> = functions.iter().map(|it| Summary::new(it, &summaries)).collect();
        if next == summaries {
            break;
        }
        summaries = next;
    }
    // The owner of an array stands before its address.
    let roots = addresses(entry).into_iter().enumerate();
    let mutated = roots.filter(|(bit, _)| summaries[0].stores & mask(*bit) != 0);
    mutated.filter_map(|(_, word)| word.checked_sub(1)).collect()
}

/// The words of the parameters that are addresses.
fn addresses(function: &Function) -> Vec<usize> {
    let words = function.params.iter().flat_map(|it| it.prims()).enumerate();
    words.filter(|(_, prim)| *prim == Prim::Ptr).map(|(word, _)| word).collect()
}

fn mask(bit: usize) -> ParamSet {
    1 << bit.min(ParamSet::BITS as usize - 1)
}

impl Summary {
    fn empty(function: &Function) -> Summary {
        Summary { stores: 0, results: vec![0; function.result.width()] }
    }

    fn new(function: &Function, summaries: &[Summary]) -> Summary {
        let roots = roots(function, summaries);
        let of = |value: &Value| roots[value.0 as usize];
        let mut summary = Summary::empty(function);
        for block in &function.blocks {
            for inst in block.insts.iter().map(|it| &function.insts[*it as usize]) {
                summary.stores |= match inst.op {
                    Opcode::Store(_) => of(&inst.args[0]),
                    Opcode::Call(RuntimeCall::Function(callee), _) => {
                        let called = &summaries[callee.0 as usize];
                        passed(function, called.stores, &inst.args, &roots)
                    }
                    _ => 0,
                };
            }
            if let crate::ir::Terminator::Return(values) = &block.term {
                for (result, value) in summary.results.iter_mut().zip(values) {
                    *result |= of(value);
                }
            }
        }
        summary
    }
}

/// What the arguments of a call point into that stand for these parameters of the callee.
fn passed(function: &Function, params: ParamSet, args: &[Value], roots: &[ParamSet]) -> ParamSet {
    let addresses = args.iter().filter(|it| function.prim(**it) == Prim::Ptr).enumerate();
    let chosen = addresses.filter(|(bit, _)| params & mask(*bit) != 0);
    chosen.fold(0, |all, (_, arg)| all | roots[arg.0 as usize])
}

/// What each value of a function points into.
fn roots(function: &Function, summaries: &[Summary]) -> Vec<ParamSet> {
    let mut roots = vec![0; function.values.len()];
    let Some(entry) = function.blocks.first() else { return roots };
    for (bit, word) in addresses(function).into_iter().enumerate() {
        if let Some(param) = entry.params.get(word) {
            roots[param.0 as usize] = mask(bit);
        }
    }
    while spread(function, summaries, &mut roots) {}
    roots
}

/// Follows each address one step; whether that found something.
fn spread(function: &Function, summaries: &[Summary], roots: &mut [ParamSet]) -> bool {
    let mut is_new = false;
    let mut add = |roots: &mut [ParamSet], to: Value, found: ParamSet| {
        is_new |= found & !roots[to.0 as usize] != 0;
        roots[to.0 as usize] |= found;
    };
    for block in &function.blocks {
        for inst in block.insts.iter().map(|it| &function.insts[*it as usize]) {
            match inst.op {
                Opcode::Offset => add(roots, inst.results[0], roots[inst.args[0].0 as usize]),
                Opcode::Select if function.prim(inst.results[0]) == Prim::Ptr => {
                    let either = roots[inst.args[1].0 as usize] | roots[inst.args[2].0 as usize];
                    add(roots, inst.results[0], either);
                }
                Opcode::Call(RuntimeCall::Function(callee), _) => {
                    let called = &summaries[callee.0 as usize];
                    for (result, params) in inst.results.iter().zip(&called.results) {
                        let found = passed(function, *params, &inst.args, roots);
                        add(roots, *result, found);
                    }
                }
                _ => {}
            }
        }
        for (target, args) in block.term.targets() {
            for (param, arg) in function.block(*target).params.iter().zip(args) {
                add(roots, *param, roots[arg.0 as usize]);
            }
        }
    }
    is_new
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::owners;
    use crate::ir::{
        Builder, Cond, Elem, FuncId, Opcode, PlaceId, Program, RuntimeCall, Terminator, Trap,
        Value, ValueList,
    };
    use crate::types::{ArrayLayout, Prim, Ty};

    fn array() -> Ty {
        Ty::array(Ty::float64(), 1, ArrayLayout::C)
    }

    fn function(count: usize, write: impl FnOnce(&mut Builder, &[Value])) -> crate::ir::Function {
        let (mut builder, params) = Builder::new(Arc::from("f"), vec![array(); count], PlaceId(0));
        let addresses: Vec<Value> = (0..count).map(|it| params[4 * it + 1]).collect();
        write(&mut builder, &addresses);
        builder.end(Terminator::Return(ValueList::new()));
        builder.function
    }

    fn store(builder: &mut Builder, address: Value) {
        let zero = builder.constant(0, Prim::F64);
        builder.push(Opcode::Store(Elem::F64), &[address, zero], []);
    }

    #[track_caller]
    fn check(functions: Vec<crate::ir::Function>, expected: &[usize]) {
        assert_eq!(owners(&Program { functions, ..Program::default() }), expected);
    }

    #[test]
    fn follows_offsets_and_choices() {
        check(vec![function(2, |_, _| {})], &[]);
        check(vec![function(2, |builder, at| store(builder, at[1]))], &[4]);
        let moved = function(2, |builder, at| {
            let eight = builder.int(8);
            let next = builder.push(Opcode::Offset, &[at[0], eight], [Prim::Ptr])[0];
            store(builder, next);
        });
        check(vec![moved], &[0]);
        let chosen = function(3, |builder, at| {
            let truth =
                builder.push(Opcode::Cmp(Cond::Eq, false), &[at[0], at[1]], [Prim::Bool])[0];
            let either = builder.push(Opcode::Select, &[truth, at[0], at[2]], [Prim::Ptr])[0];
            store(builder, either);
        });
        check(vec![chosen], &[0, 8]);
    }

    #[test]
    fn follows_blocks_that_lead_back() {
        let turns = function(2, |builder, at| {
            let (head, params) = builder.add_block([Prim::Ptr]);
            let (after, _) = builder.add_block([]);
            builder.end(Terminator::Jump((head, ValueList::from_slice(&[at[0]]))));
            builder.enter(head);
            store(builder, params[0]);
            let truth =
                builder.push(Opcode::Cmp(Cond::Eq, false), &[params[0], at[1]], [Prim::Bool])[0];
            let back = (head, ValueList::from_slice(&[at[1]]));
            builder.end(Terminator::Branch(truth, (after, ValueList::new()), back));
            builder.enter(after);
        });
        check(vec![turns], &[0, 4]);
    }

    #[test]
    fn follows_calls() {
        let call = |builder: &mut Builder, args: &[Value], results: &[Prim]| {
            let site = builder.site(Trap::Call);
            let op = Opcode::Call(RuntimeCall::Function(FuncId(1)), site);
            builder.push(op, args, results.iter().copied())
        };
        let words = |builder: &Builder, array: usize| -> Vec<Value> {
            builder.function.blocks[0].params[4 * array..4 * array + 4].to_vec()
        };
        let caller = function(2, |builder, _| {
            let args = words(builder, 1);
            call(builder, &args, &[]);
        });
        let writer = function(1, |builder, at| store(builder, at[0]));
        check(vec![caller, writer], &[4]);

        let caller = function(2, |builder, _| {
            let args = words(builder, 0);
            let found = call(builder, &args, &array().prims());
            store(builder, found[1]);
        });
        let (mut builder, params) = Builder::new(Arc::from("g"), vec![array()], PlaceId(0));
        builder.function.result = array();
        builder.end(Terminator::Return(params));
        check(vec![caller, builder.function], &[0]);
    }

    #[test]
    fn takes_all_together_that_have_no_bit() {
        let many = function(70, |builder, at| store(builder, at[68]));
        let expected: Vec<usize> = (63..70).map(|it| 4 * it).collect();
        check(vec![many], &expected);
    }
}
