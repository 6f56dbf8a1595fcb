//! If-conversion: a branch whose ways only compute a few cheap numbers becomes selections.
//!
//! A branch that depends on data is predicted wrongly half of the time, which costs more than the
//! numbers of both ways do. Only what cannot fail, reads no memory and takes a cycle or two is
//! computed without need; ways with anything else stay.

use crate::ir::Stats;
use crate::ir::{Block, Function, Opcode, PlaceId, Terminator, Value, ValueList};

/// How many instructions of both ways together are computed without need.
const MAX_INSTS: usize = 4;

/// How many values the ways may differ in.
const MAX_SELECTS: usize = 3;

pub(super) fn run(function: &mut Function, stats: &mut Stats) {
    let mut edges = vec![0_u32; function.blocks.len()];
    for (target, _) in function.blocks.iter().flat_map(|it| it.term.targets()) {
        edges[target.0 as usize] += 1;
    }
    let before = stats.selected;
    // What is inside was made later, so that it is straight when the branch around it is looked at.
    for at in (0..function.blocks.len()).rev() {
        if let Some(branch) = Branch::of(function, &edges, at) {
            branch.convert(function, at);
            stats.selected += 1;
        }
    }
    if stats.selected != before {
        super::simplify_cfg::run(function, stats);
    }
}

/// A branch whose ways meet again at once.
struct Branch {
    test: Value,
    ways: [BranchArm; 2],
    /// Where they meet.
    join: Block,
    /// Where the first instruction of the ways comes from.
    place: PlaceId,
}

/// One way from a branch to where both meet.
struct BranchArm {
    /// The block on the way, with what its parameters get, unless the edge leads to the meeting.
    through: Option<(Block, ValueList)>,
    /// What the parameters there get.
    given: ValueList,
}

impl Branch {
    fn of(function: &Function, edges: &[u32], at: usize) -> Option<Branch> {
        let Terminator::Branch(test, then, other) = &function.blocks[at].term else { return None };
        let (then_join, then_way) = way(function, edges, then);
        let (other_join, other_way) = way(function, edges, other);
        // A way that is not taken apart may be where the other one leads.
        let (join, ways) = if then_join == other_join {
            (then_join, [then_way, other_way])
        } else if then_join == other.0 {
            (then_join, [then_way, direct(other)])
        } else if other_join == then.0 {
            (other_join, [direct(then), other_way])
        } else {
            return None;
        };
        if join.0 as usize == at {
            return None;
        }
        let insts = || ways.iter().flat_map(|it| it.insts(function));
        let count = insts().count();
        let differ = ways[0].given.iter().zip(&ways[1].given).filter(|(a, b)| a != b).count();
        let is_cheap = insts().all(|it| is_speculated(function, *it));
        if count > MAX_INSTS || differ > MAX_SELECTS || !is_cheap {
            return None;
        }
        let first = insts().next().or_else(|| function.blocks[at].insts.last());
        let place = first.map_or(function.place, |it| function.insts[*it as usize].place);
        Some(Branch { test: *test, ways, join, place })
    }

    fn convert(self, function: &mut Function, at: usize) {
        for way in &self.ways {
            let Some((through, args)) = &way.through else { continue };
            let block = &mut function.blocks[through.0 as usize];
            let insts = std::mem::take(&mut block.insts);
            let params = std::mem::take(&mut block.params);
            block.term = Terminator::Open;
            for inst in &insts {
                for arg in &mut function.insts[*inst as usize].args {
                    *arg = given(&params, args, *arg);
                }
            }
            function.blocks[at].insts.extend(insts);
        }
        let [then, other] = self.ways.map(|it| it.given);
        let mut passed = ValueList::new();
        for (a, b) in then.into_iter().zip(other) {
            passed.push(if a == b {
                a
            } else {
                function.append(at, Opcode::Select, &[self.test, a, b], self.place)
            });
        }
        function.blocks[at].term = Terminator::Jump((self.join, passed));
    }
}

impl BranchArm {
    fn insts<'a>(&self, function: &'a Function) -> impl Iterator<Item = &'a u32> {
        self.through.iter().flat_map(|(block, _)| &function.block(*block).insts)
    }
}

/// Where an edge leads, past a block that it alone leads to and that only goes on.
fn way(function: &Function, edges: &[u32], target: &(Block, ValueList)) -> (Block, BranchArm) {
    let (block, args) = target;
    let data = function.block(*block);
    match &data.term {
        Terminator::Jump((join, passed)) if edges[block.0 as usize] == 1 && join != block => {
            let given = passed.iter().map(|it| given(&data.params, args, *it)).collect();
            (*join, BranchArm { through: Some(target.clone()), given })
        }
        _ => (*block, direct(target)),
    }
}

fn direct((_, args): &(Block, ValueList)) -> BranchArm {
    BranchArm { through: None, given: args.clone() }
}

/// What a value is where the parameters of a block got these.
fn given(params: &ValueList, args: &ValueList, value: Value) -> Value {
    params.iter().position(|it| *it == value).map_or(value, |at| args[at])
}

/// Whether an instruction may be computed although nobody asks for it.
fn is_speculated(function: &Function, inst: u32) -> bool {
    let inst = &function.insts[inst as usize];
    let divides_by_known = || {
        inst.args
            .get(1)
            .and_then(|it| function.constant(*it))
            .is_some_and(|it| it.is_power_of_two())
    };
    match inst.op {
        Opcode::FloorDiv | Opcode::FloorMod => divides_by_known(),
        Opcode::Div(_)
        | Opcode::Rem(_)
        | Opcode::Pow
        | Opcode::Gcd
        | Opcode::FDiv
        | Opcode::FSqrt
        | Opcode::Math(_) => false,
        op => op.is_pure(),
    }
}
