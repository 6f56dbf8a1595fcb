//! Passes backward through a graph.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::addresses::{Addresses, ByAddress};
use super::edge::{address, is_same};
use super::hooks::Moment;
use super::node::{Call, Gradients, Metadata, Node};
use super::{Accumulate, Arithmetic, Edge, Mode, anomaly, depth, recording};
use crate::{Error, Result, Tensor, ensure, interrupt};

/// What a pass is to do.
pub struct Pass<'a> {
    /// Where it begins, with a gradient for each.
    pub roots: Vec<(Edge, Tensor)>,
    /// Whether nodes keep what they saved, for another pass.
    pub keeps_graph: bool,
    /// Whether the pass is recorded itself.
    pub is_recorded: bool,
    /// What gradients are wanted, if not those of all leaves.
    pub inputs: Option<&'a [Edge]>,
    /// Whether gradients of wanted leaves are also added to them; otherwise they are only returned.
    pub accumulates: bool,
    /// What gradients are added with.
    pub arithmetic: &'a dyn Arithmetic,
}

impl Pass<'_> {
    /// Runs it. It returns a gradient for each of [`inputs`](Pass::inputs), none for those that it
    /// did not come to.
    ///
    /// # Errors
    ///
    /// What a node reports; `Runtime` if a node gives a gradient that does not fit what it is for.
    pub fn run(self) -> Result<Vec<Option<Tensor>>> {
        depth::within(|| self.run_here())
    }

    fn run_here(&self) -> Result<Vec<Option<Tensor>>> {
        let mut run = Run::new(self);
        Mode::recording(self.is_recorded).within(|| {
            for (edge, gradient) in self.roots.iter().cloned() {
                run.arrive(&edge, gradient, &Origin::Root)?;
            }
            run.all()
        })?;
        Ok(run.captured)
    }
}

/// A node, as long as gradients for it may come.
struct Task<'a> {
    node: &'a Arc<dyn Node>,
    /// So many edges of the pass lead to it that nothing has come along yet.
    pending: usize,
    is_wanted: bool,
    /// The sum of what has come, by the number of the output.
    sums: Gradients,
}

struct Run<'a> {
    pass: &'a Pass<'a>,
    /// By which hooks tell passes apart.
    token: Arc<()>,
    tasks: ByAddress<Task<'a>>,
    ready: BinaryHeap<Ready>,
    captured: Vec<Option<Tensor>>,
}

/// Where a gradient comes from, for messages.
enum Origin<'n> {
    Root,
    Node(&'n dyn Node, usize),
}

/// A node to which nothing more will come; later ones go first, leaves before all.
struct Ready {
    sequence: u64,
    address: usize,
}

impl<'a> Run<'a> {
    fn new(pass: &'a Pass<'a>) -> Run<'a> {
        let captured = vec![None; pass.inputs.map_or(0, <[Edge]>::len)];
        let (tasks, ready) = (ByAddress::default(), BinaryHeap::new());
        let mut run = Run { pass, token: Arc::default(), tasks, ready, captured };
        run.count();
        run.want();
        run
    }

    /// Finds all nodes, and counts the edges to each.
    fn count(&mut self) {
        // The roots hold all of them.
        let mut found: Vec<&'a Arc<dyn Node>> = Vec::new();
        let mut see = |node: &'a Arc<dyn Node>, found: &mut Vec<_>| {
            let task = self.tasks.entry(address(node)).or_insert_with(|| {
                found.push(node);
                let sums = Gradients::from_elem(None, node.header().outputs().len());
                Task { node, pending: 0, is_wanted: true, sums }
            });
            task.pending += 1;
        };
        for (edge, _) in &self.pass.roots {
            see(&edge.node, &mut found);
        }
        while let Some(node) = found.pop() {
            for edge in node.header().next().iter().flatten() {
                see(&edge.node, &mut found);
            }
        }
    }

    /// If not all gradients are wanted: takes those nodes out that lead to none of these.
    fn want(&mut self) {
        let Some(inputs) = self.pass.inputs else { return };
        let wanted: Addresses = inputs.iter().map(|it| address(&it.node)).collect();
        for task in self.tasks.values_mut() {
            task.is_wanted = false;
        }
        // A node is looked at a second time when all behind it have been.
        let mut path: Vec<(usize, bool)> =
            self.pass.roots.iter().map(|(edge, _)| (address(&edge.node), false)).collect();
        let mut seen = Addresses::default();
        while let Some((at, is_second)) = path.pop() {
            if !is_second {
                if seen.insert(at) {
                    path.push((at, true));
                    let next = self.tasks[&at].node.header().next().iter().flatten();
                    path.extend(next.map(|it| (address(&it.node), false)));
                }
                continue;
            }
            let mut next = self.tasks[&at].node.header().next().iter().flatten();
            let leads = next.any(|it| self.leads(&it.node, &wanted));
            self.tasks.get_mut(&at).expect("a task for each node").is_wanted = leads;
        }
    }

    /// Whether the gradient of an output of this node is wanted, or one behind it.
    fn leads(&self, node: &Arc<dyn Node>, wanted: &Addresses) -> bool {
        wanted.contains(&address(node)) || self.tasks[&address(node)].is_wanted
    }

    fn all(&mut self) -> Result<()> {
        while let Some(Ready { address, .. }) = self.ready.pop() {
            interrupt::check();
            let task = self.tasks.remove(&address).expect("a task for each node");
            if anomaly::is_enabled() {
                let node = task.node.clone();
                anomaly::watched(&node, || self.one(task))?;
            } else {
                self.one(task)?;
            }
        }
        Ok(())
    }

    /// Runs a node, and hands on what it gives.
    fn one(&mut self, task: Task<'_>) -> Result<()> {
        let Task { node, mut sums, is_wanted, .. } = task;
        let header = node.header();
        let leaf = Accumulate::of(node);
        if let Some(leaf) = leaf
            && let Some(gradient) = sums.first_mut().and_then(Option::take)
        {
            sums[0] = Some(self.at_moment(|moment| leaf.hooked(gradient, moment))?);
        }
        if let Some(hooks) = header.known_hooks() {
            self.at_moment(|moment| hooks.of_outputs(&mut sums, moment))?;
        }
        self.capture(node, &sums);
        let runs = is_wanted || leaf.is_some_and(|_| self.accumulates(node));
        let outputs = if runs { before(node, sums)? } else { Gradients::new() };
        if let Some(leaf) = leaf {
            return self.leave(leaf, outputs);
        }
        let mut gradients = Gradients::new();
        if outputs.iter().any(Option::is_some) {
            gradients = self.run(node, outputs)?;
        }
        let mut gradients = gradients.into_iter();
        for (input, edge) in header.next().iter().enumerate() {
            let gradient = gradients.next().flatten();
            let Some(edge) = edge else { continue };
            match gradient {
                Some(gradient) => self.arrive(edge, gradient, &Origin::Node(&**node, input))?,
                None => self.nothing(edge),
            }
        }
        Ok(())
    }

    /// Calls hooks of tensors, which may ask about the pass.
    fn at_moment<R>(&self, run: impl FnOnce(&Moment<'_>) -> R) -> R {
        let is_awaited = |node: &Arc<dyn Node>| {
            let is_input = |inputs: &[Edge]| inputs.iter().any(|it| is_same(&it.node, node));
            let task = self.tasks.get(&address(node));
            task.is_some_and(|it| it.is_wanted || self.pass.inputs.is_some_and(is_input))
        };
        run(&Moment { pass: &self.token, is_awaited: &is_awaited })
    }

    /// Adds what has come to a leaf.
    fn leave(&self, leaf: &Accumulate, outputs: Gradients) -> Result<()> {
        let Some(gradient) = outputs.into_iter().next().flatten() else { return Ok(()) };
        leaf.add(gradient, self.pass.arithmetic)?;
        if let Some(hooks) = leaf.header().known_hooks() {
            let outputs = Gradients::new();
            for hook in hooks.after.all() {
                hook(&outputs, &outputs)?;
            }
        }
        leaf.added()
    }

    /// The gradients of a node's inputs.
    fn run(&self, node: &Arc<dyn Node>, outputs: Gradients) -> Result<Gradients> {
        let header = node.header();
        let next = header.next();
        let wanted = |input: usize| next.get(input).is_some_and(|it| self.wants(it.as_ref()));
        let hooks = header.known_hooks().map(|it| it.after.all()).filter(|it| !it.is_empty());
        let seen = hooks.is_some().then(|| outputs.clone());
        let mut gradients = node.backward(Call {
            node,
            gradients: outputs,
            wanted: &wanted,
            arithmetic: self.pass.arithmetic,
        })?;
        for hook in hooks.into_iter().flatten() {
            let seen = seen.as_ref().unwrap_or(&gradients);
            if let Some(others) = hook(&gradients, seen)? {
                gradients = others;
            }
        }
        if !self.pass.keeps_graph {
            node.release();
        }
        if anomaly::anomaly_detection() == (true, true) {
            self.check_numbers(&**node, &gradients)?;
        }
        Ok(gradients)
    }

    /// Refuses gradients with not-a-number.
    fn check_numbers(&self, node: &dyn Node, gradients: &Gradients) -> Result<()> {
        for (input, gradient) in gradients.iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            let has_nan = recording(false, || self.pass.arithmetic.has_nan(gradient))?;
            ensure!(
                !has_nan,
                Runtime,
                "{} gives nan values in the gradient of input {input}",
                node.name()
            );
        }
        Ok(())
    }

    /// Whether the gradient of an input goes anywhere.
    fn wants(&self, edge: Option<&Edge>) -> bool {
        let Some(edge) = edge else { return false };
        let is_input = |inputs: &[Edge]| inputs.iter().any(|it| it.is_same(edge));
        match self.pass.inputs {
            None => true,
            Some(inputs) => is_input(inputs) || self.tasks[&address(&edge.node)].is_wanted,
        }
    }

    fn accumulates(&self, node: &Arc<dyn Node>) -> bool {
        match self.pass.inputs {
            None => true,
            Some(inputs) => {
                let is_input = inputs.iter().any(|it| is_same(&it.node, node));
                self.pass.accumulates && is_input
            }
        }
    }

    fn capture(&mut self, node: &Arc<dyn Node>, sums: &Gradients) {
        let inputs = self.pass.inputs.unwrap_or_default();
        for (input, captured) in inputs.iter().zip(&mut self.captured) {
            if is_same(&input.node, node) {
                captured.clone_from(&sums[input.output]);
            }
        }
    }

    /// Adds a gradient to what has come for an output.
    fn arrive(&mut self, edge: &Edge, gradient: Tensor, origin: &Origin<'_>) -> Result<()> {
        let metadata = edge.node.header().outputs().get(edge.output);
        let metadata = metadata.ok_or_else(|| no_output(edge))?;
        let gradient = fitting(gradient, metadata, self.pass.arithmetic, origin)?;
        let task = self.tasks.get_mut(&address(&edge.node)).expect("a task for each node");
        let sum = &mut task.sums[edge.output];
        *sum = Some(match sum.take() {
            Some(before) => self.pass.sum(before, &gradient)?,
            None => gradient,
        });
        if task.is_complete() {
            self.ready.push(Ready::of(task.node));
        }
        Ok(())
    }

    /// Notes that no more gradients come along an edge.
    fn nothing(&mut self, edge: &Edge) {
        let task = self.tasks.get_mut(&address(&edge.node)).expect("a task for each node");
        if task.is_complete() {
            self.ready.push(Ready::of(task.node));
        }
    }
}

impl Pass<'_> {
    /// The sum of two gradients of one output; in the memory of the first if nobody else has that.
    fn sum(&self, mut before: Tensor, gradient: &Tensor) -> Result<Tensor> {
        if self.is_recorded || !before.is_alone() || !before.is_dense() {
            return self.arithmetic.sum(&before, gradient);
        }
        self.arithmetic.add(&mut before, gradient)?;
        Ok(before)
    }
}

impl Task<'_> {
    /// Whether nothing more is to come, now that something has along one of the edges.
    fn is_complete(&mut self) -> bool {
        self.pending -= 1;
        self.pending == 0
    }
}

impl Ready {
    fn of(node: &Arc<dyn Node>) -> Ready {
        Ready { sequence: node.header().sequence(), address: address(node) }
    }
}

/// The gradients of a node's outputs, as the hooks before it have them.
fn before(node: &Arc<dyn Node>, mut outputs: Gradients) -> Result<Gradients> {
    for hook in node.header().known_hooks().map(|it| it.before.all()).unwrap_or_default() {
        if let Some(others) = hook(&outputs)? {
            outputs = others;
        }
    }
    Ok(outputs)
}

/// A gradient in the shape and the dtype of what it is for.
fn fitting(
    gradient: Tensor,
    expected: &Metadata,
    arithmetic: &dyn Arithmetic,
    origin: &Origin<'_>,
) -> Result<Tensor> {
    if gradient.device() != expected.device {
        return Err(wrong(&gradient, expected, origin));
    }
    let mut gradient = gradient;
    if gradient.shape() != expected.shape.as_slice() {
        if !expands(&expected.shape, gradient.shape()) {
            return Err(wrong(&gradient, expected, origin));
        }
        gradient = arithmetic.summed_to(&gradient, &expected.shape)?;
    }
    if gradient.dtype() != expected.dtype {
        gradient = arithmetic.cast(&gradient, expected.dtype)?;
    }
    Ok(gradient)
}

/// Whether a tensor of the first shape can be stretched to the second.
fn expands(from: &[i64], to: &[i64]) -> bool {
    let pairs = from.iter().rev().zip(to.iter().rev());
    from.len() <= to.len() && pairs.into_iter().all(|(from, to)| from == to || *from == 1)
}

#[cold]
fn wrong(gradient: &Tensor, expected: &Metadata, origin: &Origin<'_>) -> Error {
    let (got, shape) = (gradient.dtype(), gradient.shape());
    let Metadata { shape: wanted, dtype, device } = expected;
    let wanted = format!("{dtype}, shape {:?} on {device}", wanted.as_slice());
    let got = format!("{got}, shape {shape:?} on {}", gradient.device());
    Error::runtime(match origin {
        Origin::Root => format!("the gradient of a root of {wanted} is {got}"),
        Origin::Node(node, input) => {
            format!("{} gives a gradient of {got} for input {input} of {wanted}", node.name())
        }
    })
}

#[cold]
fn no_output(edge: &Edge) -> Error {
    Error::runtime(format_args!("{} has no output {}", edge.node.name(), edge.output))
}

impl Ord for Ready {
    fn cmp(&self, other: &Ready) -> Ordering {
        (self.sequence, self.address).cmp(&(other.sequence, other.address))
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Ready) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ready {
    fn eq(&self, other: &Ready) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}
