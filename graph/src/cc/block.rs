//! Blocks: partitions of the graph that are compiled as one C function.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::check::{Declarations, From};
use super::error::BlockError;
use super::fragments::EVENTS;
use super::hooks::{CHost, COp, Sub, TypeHook};
use super::layout::BlockSettings;
use super::library::{self, BlockLibrary};
use super::members::BlockMembers;
use super::partition::{self, NodeRun, Segment};
use super::source::{self, BlockSource};
use crate::Event;
use crate::build::substitution::Substitution;
use crate::model::apply::Apply;
use crate::model::error::GraphError;
use crate::model::op::{Custom, Op};
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// A run of nodes that became code.
pub struct Block {
    library: Arc<BlockLibrary>,
    text: String,
    names: Vec<String>,
    culprits: Vec<Option<Arc<Apply>>>,
    has_state: bool,
    nodes: Vec<Arc<Apply>>,
}

impl Block {
    /// Its code.
    pub fn library(&self) -> &Arc<BlockLibrary> {
        &self.library
    }

    /// The text that it was made of.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The nodes that it stands for.
    pub fn nodes(&self) -> &[Arc<Apply>] {
        &self.nodes
    }

    /// What is told of by these numbers.
    pub fn event(&self, what: i32, which: i32) -> Option<(Event, &str)> {
        let event = EVENTS.get(usize::try_from(what).ok()?)?;
        let name = self.names.get(usize::try_from(which).ok()?)?;
        Some((*event, name))
    }

    /// The node that failed, if it was one.
    pub fn failed(&self, failure: i32) -> Option<&Arc<Apply>> {
        let at = usize::try_from(failure).ok()?.checked_sub(1)?;
        self.culprits.get(at)?.as_ref()
    }

    /// Whether something is kept from call to call, so that there can be one call at a time.
    pub fn has_state(&self) -> bool {
        self.has_state
    }
}

/// Puts blocks where nodes have code, and returns what stands for the outputs; `made` makes what
/// runs a block.
///
/// # Errors
///
/// What hooks raise, a text that is refused, what the compiler says.
pub fn blocks(
    inputs: &[Variable],
    outputs: &[Variable],
    host: &dyn CHost,
    settings: &BlockSettings<'_>,
    made: &mut dyn FnMut(Block) -> Result<Arc<dyn Custom>, GraphError>,
) -> Result<Vec<Variable>, BlockError> {
    let order = nodes(inputs, outputs);
    let mut without: HashSet<u64> = HashSet::new();
    loop {
        match split(inputs, outputs, &order, &without, host, settings) {
            // It is found out while it is written.
            Err(BlockError::NoCode(node)) if without.insert(node.id()) => {}
            Err(wrong) => return Err(wrong),
            Ok(parts) => return joined(inputs, outputs, parts, host, made),
        }
    }
}

/// What stands for the results of a node in a block of its own, if it has code.
///
/// # Errors
///
/// As [`blocks`].
pub fn block_of(
    node: &Arc<Apply>,
    host: &dyn CHost,
    settings: &BlockSettings<'_>,
    made: &mut dyn FnMut(Block) -> Result<Arc<dyn Custom>, GraphError>,
) -> Result<Option<Vec<Variable>>, BlockError> {
    let results = node.results();
    let alone = std::slice::from_ref(node);
    let pieces = match split(node.inputs(), &results, alone, &HashSet::new(), host, settings) {
        Err(BlockError::NoCode(_)) => return Ok(None),
        pieces => pieces?,
    };
    for piece in pieces {
        if let Piece::Block { block, given, wanted } = piece {
            let mut replaced = Substitution::default();
            replaced.put_results(&wanted, &placed(block, given, &wanted, made)?);
            return Ok(Some(replaced.of_all(&results)));
        }
    }
    Ok(None)
}

/// A block as a node.
fn placed(
    block: Block,
    given: Vec<Variable>,
    wanted: &[Variable],
    made: &mut dyn FnMut(Block) -> Result<Arc<dyn Custom>, GraphError>,
) -> Result<Arc<Apply>, GraphError> {
    let types = wanted.iter().map(|it| it.ty().clone()).collect();
    let place = block.nodes.last().and_then(|it| it.place().cloned());
    Ok(Apply::new(Op::Custom(made(block)?), given, Vec::new(), types, place))
}

/// A node, or a block with what it is given and what others want of it.
enum Piece {
    Alone(Arc<Apply>),
    Block { block: Block, given: Vec<Variable>, wanted: Vec<Variable> },
}

/// The nodes of a graph in pieces, each behind those that it uses.
fn split(
    inputs: &[Variable],
    outputs: &[Variable],
    order: &[Arc<Apply>],
    without: &HashSet<u64>,
    host: &dyn CHost,
    settings: &BlockSettings<'_>,
) -> Result<Vec<Piece>, BlockError> {
    let mut coded: HashMap<u64, Box<dyn COp + '_>> = HashMap::new();
    for node in order.iter().filter(|it| !without.contains(&it.id())) {
        if let Some(op) = host.op(node)? {
            coded.insert(node.id(), op);
        }
    }
    let alike: Vec<bool> = order.iter().map(|it| coded.contains_key(&it.id())).collect();
    let parts = partition::parts(inputs, outputs, &alike, order, settings.per_op);
    let pieces = parts.into_iter().map(|part| match part {
        Segment::Alone(node) => Ok(Piece::Alone(node)),
        Segment::Coded(run) => {
            let ops = run.nodes.iter().filter_map(|it| coded.remove(&it.id())).collect();
            let (block, given) = compiled(&run, ops, host, settings)?;
            Ok(Piece::Block { block, given, wanted: run.wanted })
        }
    });
    pieces.collect()
}

/// What the outputs are in a graph of these pieces.
fn joined(
    inputs: &[Variable],
    outputs: &[Variable],
    pieces: Vec<Piece>,
    host: &dyn CHost,
    made: &mut dyn FnMut(Block) -> Result<Arc<dyn Custom>, GraphError>,
) -> Result<Vec<Variable>, BlockError> {
    let mut replaced = Substitution::default();
    let mut entered: HashSet<VariableKey> = HashSet::new();
    for piece in pieces {
        match piece {
            Piece::Alone(node) => {
                let now = replaced.anew(&node)?;
                if !Arc::ptr_eq(&now, &node) {
                    replaced.put_results(&node.results(), &now);
                }
            }
            Piece::Block { block, given, wanted } => {
                entered.extend(given.iter().map(Variable::key));
                let node = placed(block, replaced.of_all(&given), &wanted, made)?;
                replaced.put_results(&wanted, &node);
            }
        }
    }
    for it in inputs.iter().filter(|it| !entered.contains(&it.key())) {
        declared(it, host)?;
    }
    Ok(replaced.of_all(outputs))
}

/// The block of a run, and what it is given.
fn compiled<'a>(
    run: &NodeRun,
    ops: Vec<Box<dyn COp + 'a>>,
    host: &'a dyn CHost,
    settings: &BlockSettings<'_>,
) -> Result<(Block, Vec<Variable>), BlockError> {
    let mut members = BlockMembers::new(ops);
    let BlockSource { source, given, names, culprits, has_state } =
        source::write(run, &mut members, host, settings)?;
    let mut library = None;
    host.detached(&mut || library = Some(library::load(&source)));
    let library = match library {
        Some(loaded) => loaded?,
        None => return Err(BlockError::refused("the block was not compiled")),
    };
    let nodes = run.nodes.clone();
    Ok((Block { library, text: source.text, names, culprits, has_state, nodes }, given))
}

/// A variable that is in no block is declared as it would be in one: what is wrong with a type is
/// said whether or not a node needs its code.
fn declared(variable: &Variable, host: &dyn CHost) -> Result<(), BlockError> {
    let ty = host.ty(variable.ty())?;
    let text = ty.text(TypeHook::Declare, "V0", &Sub::default(), true)?;
    let class = ty.class();
    let from = From { class: &class, hook: TypeHook::Declare.name() };
    Declarations::default().add(&from, "V0", &text, "", false)
}
