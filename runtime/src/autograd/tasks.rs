//! The ready queue of a backward pass: which node is next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use smallvec::SmallVec;

use super::edge::address;
use super::node::Gradients;
use super::node::Node;
use crate::{Error, Result, buffer, reserve};

/// A node, as long as gradients for it may come.
pub(super) struct NodeTask<'a> {
    pub(super) node: &'a Arc<dyn Node>,
    /// The sum of what has come, by the number of the output.
    pub(super) sums: Gradients,
    /// So many edges of the pass lead to it that nothing has come along yet.
    pending: u32,
    pub(super) is_wanted: bool,
    /// Its gradient is one of those that the pass is asked for.
    pub(super) is_input: bool,
    is_done: bool,
}

/// All nodes of a pass, numbered as they were found.
///
/// Each node is marked with its number, so that nobody has to look for it. Where another pass that
/// still runs has its own mark, the number stands in a map.
pub(super) struct Tasks<'a> {
    /// Which pass it is.
    pass: u32,
    all: SmallVec<[NodeTask<'a>; 8]>,
    elsewhere: ByAddress<u32>,
}

/// By the addresses of nodes.
type ByAddress<T> = HashMap<usize, T, BuildHasherDefault<AddressHasher>>;

/// A number that no other pass which runs has: so many do not run at once.
fn new_pass() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        if number != 0 {
            return number;
        }
    }
}

impl<'a> Tasks<'a> {
    /// Those that edges lead to from some nodes, with the number of edges to each.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn from(roots: impl Iterator<Item = &'a Arc<dyn Node>>) -> Result<Tasks<'a>> {
        let (all, elsewhere) = (SmallVec::new(), ByAddress::default());
        let mut tasks = Tasks { pass: new_pass(), all, elsewhere };
        for root in roots {
            tasks.see(root)?;
        }
        let mut at = 0;
        while let Some(task) = tasks.all.get(at) {
            for edge in task.node.header().next().iter().flatten() {
                tasks.see(&edge.node)?;
            }
            at += 1;
        }
        Ok(tasks)
    }

    /// An edge leads to this node.
    fn see(&mut self, node: &'a Arc<dyn Node>) -> Result<()> {
        let number = match self.find(node) {
            Some(number) => number,
            None => self.add(node)?,
        };
        self.all[number].pending += 1;
        Ok(())
    }

    fn add(&mut self, node: &'a Arc<dyn Node>) -> Result<usize> {
        reserve::check()?;
        self.all.try_reserve(1).map_err(|_| no_room(self.all.len()))?;
        let (number, header) = (self.all.len(), node.header());
        if !header.mark().set(self.pass, number as u32) {
            self.elsewhere.insert(address(node), number as u32);
        }
        let sums = match header.outputs().len() {
            1 => Gradients::from_buf_and_len([None, None], 1),
            count => Gradients::from_elem(None, count),
        };
        let (is_wanted, is_input, is_done) = (true, false, false);
        self.all.push(NodeTask { node, sums, pending: 0, is_wanted, is_input, is_done });
        Ok(number)
    }

    /// The number of a node to which gradients may come.
    #[inline]
    fn find(&self, node: &Arc<dyn Node>) -> Option<usize> {
        match node.header().mark().of(self.pass) {
            Some(number) => Some(number as usize),
            None if self.elsewhere.is_empty() => None,
            None => self.elsewhere.get(&address(node)).map(|it| *it as usize),
        }
    }

    pub(super) fn get(&self, node: &Arc<dyn Node>) -> Option<&NodeTask<'a>> {
        self.find(node).map(|it| &self.all[it])
    }

    pub(super) fn get_mut(&mut self, node: &Arc<dyn Node>) -> Option<&mut NodeTask<'a>> {
        self.find(node).map(|it| &mut self.all[it])
    }

    /// That of an edge of the pass along which nothing has come yet, with its number.
    pub(super) fn of_edge(&mut self, node: &Arc<dyn Node>) -> (usize, &mut NodeTask<'a>) {
        let number = self.find(node).expect("a task for each node");
        (number, &mut self.all[number])
    }

    /// Takes the gradients for a node, to which no more come.
    pub(super) fn take(&mut self, number: usize) -> (&'a Arc<dyn Node>, Gradients) {
        let task = &mut self.all[number];
        task.is_done = true;
        let (node, sums) = (task.node, std::mem::take(&mut task.sums));
        if !node.header().mark().clear(self.pass) {
            self.elsewhere.remove(&address(node));
        }
        (node, sums)
    }

    pub(super) fn node(&self, number: usize) -> &'a Arc<dyn Node> {
        self.all[number].node
    }

    pub(super) fn is_wanted(&self, number: usize) -> bool {
        self.all[number].is_wanted
    }

    /// Takes those out that lead to no input.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn want(&mut self, roots: impl Iterator<Item = &'a Arc<dyn Node>>) -> Result<()> {
        let mut seen = buffer::filled(self.all.len(), false)?;
        self.all.iter_mut().for_each(|it| it.is_wanted = false);
        // A node is looked at a second time when all behind it have been.
        let mut path: Vec<(usize, bool)> =
            roots.filter_map(|it| Some((self.find(it)?, false))).collect();
        while let Some((at, is_second)) = path.pop() {
            let next = self.all[at].node.header().next().iter().flatten();
            if is_second {
                let mut next = next.filter_map(|it| self.get(&it.node));
                self.all[at].is_wanted = next.any(|it| it.is_input || it.is_wanted);
            } else if !std::mem::replace(&mut seen[at], true) {
                buffer::push(&mut path, (at, true))?;
                let next = next.filter_map(|it| Some((self.find(&it.node)?, false)));
                buffer::extend(&mut path, next)?;
            }
        }
        Ok(())
    }
}

impl Drop for Tasks<'_> {
    fn drop(&mut self) {
        // Those of a pass that failed.
        for task in self.all.iter().filter(|it| !it.is_done) {
            task.node.header().mark().clear(self.pass);
        }
    }
}

impl NodeTask<'_> {
    /// Whether nothing more is to come, now that something has along one of the edges.
    pub(super) fn is_complete(&mut self) -> bool {
        self.pending -= 1;
        self.pending == 0
    }
}

/// Nodes to which nothing more will come; later ones go first, leaves before all.
#[derive(Default)]
pub(super) struct Queue {
    /// The first one; most of the time there is no other.
    first: Option<Ready>,
    others: BinaryHeap<Ready>,
}

/// By its sequence number; the one that was found first, if these are equal.
type Ready = (u64, Reverse<usize>);

impl Queue {
    /// Adds a node by its number.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn push(&mut self, node: &Arc<dyn Node>, number: usize) -> Result<()> {
        let ready = (node.header().sequence(), Reverse(number));
        if self.first.is_some() {
            self.others.try_reserve(1).map_err(|_| no_room(self.others.len()))?;
        }
        match self.first {
            None => self.first = Some(ready),
            Some(first) if first < ready => {
                self.first = Some(ready);
                self.others.push(first);
            }
            Some(_) => self.others.push(ready),
        }
        Ok(())
    }

    /// The number of the next one.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let (_, Reverse(number)) = self.first.take()?;
        self.first = self.others.pop();
        Some(number)
    }
}

#[cold]
fn no_room(nodes: usize) -> Error {
    Error::memory(format_args!("not enough memory for a pass through more than {nodes} nodes"))
}

/// Mixes the bits of an address, which nobody chooses in order to harm: its lowest ones are the
/// same for all nodes, and a map looks at the highest.
#[derive(Default)]
struct AddressHasher(u64);

/// 2⁶⁴ divided by the golden ratio, made odd: Knuth's multiplicative hashing.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|it| self.write_usize((*it).into()));
    }

    fn write_usize(&mut self, address: usize) {
        self.0 = (self.0 ^ address as u64).wrapping_mul(GOLDEN).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
