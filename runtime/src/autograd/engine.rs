//! The engine of reverse-mode differentiation: backward passes in topological order.

use std::cell::OnceCell;
use std::sync::Arc;

use smallvec::SmallVec;

use super::accumulate::Accumulate;
use super::arithmetic::Arithmetic;
use super::edge::Edge;
use super::edge::is_same;
use super::geometry::Geometry;
use super::hooks::{HookContext, Hooks, all_exclusive, exclusive};
use super::mode::Mode;
use super::node::{Call, Gradients, Metadata, Node};
use super::tasks::{Queue, Tasks};
use super::{anomaly, depth, recording};
use crate::geometry::{contiguous_strides, same_dims, to_dims};
use crate::{Error, Result, Tensor, ensure, interrupt, reserve};

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

    fn run_here(mut self) -> Result<Vec<Option<Tensor>>> {
        // The pass itself keeps no gradient that somebody may want to write to.
        let mut edges = SmallVec::<[Edge; 1]>::new();
        let mut gradients = SmallVec::<[Tensor; 1]>::new();
        for (edge, gradient) in std::mem::take(&mut self.roots) {
            edges.push(edge);
            gradients.push(gradient);
        }
        // A pass that is recorded hands on what has a history, which is not copied.
        let lent = if self.is_recorded { gradients.to_vec() } else { Vec::new() };
        let mut run = BackwardRun::new(&self, &edges)?;
        Mode::recording(self.is_recorded).within(|| {
            for (edge, gradient) in edges.iter().zip(gradients) {
                run.arrive(edge, gradient, &GradientOrigin::Root)?;
            }
            run.all()
        })?;
        let mut captured = std::mem::take(&mut run.captured);
        drop(run);
        for place in &mut captured {
            *place = place.take().map(|it| self.handed_out(it, &lent)).transpose()?;
        }
        Ok(captured)
    }

    /// A gradient for the caller, who may write to it: it is nobody else's, and no longer that which the
    /// caller gave.
    fn handed_out(&self, gradient: Tensor, lent: &[Tensor]) -> Result<Tensor> {
        if !self.is_recorded {
            return exclusive(gradient, self.arithmetic);
        }
        let is_of = |it: &Tensor| match (it.storage(), gradient.storage()) {
            (Some(it), Some(own)) => it.is_same(own),
            _ => false,
        };
        if !lent.iter().any(is_of) {
            return Ok(gradient);
        }
        if !gradient.requires_grad() {
            return self.arithmetic.copied_like(&gradient, &gradient);
        }
        // In row-major order, as a gradient that was stretched has elements in common.
        let (shape, strides) = (gradient.shape(), contiguous_strides(gradient.shape()));
        let whole = Geometry { shape: to_dims(shape), strides, offset: 0 };
        Mode::recording(true).within(|| self.arithmetic.sliced(&gradient, &whole, &whole))
    }
}

struct BackwardRun<'a> {
    pass: &'a Pass<'a>,
    /// By which hooks tell passes apart.
    token: OnceCell<Arc<()>>,
    tasks: Tasks<'a>,
    ready: Queue,
    captured: Vec<Option<Tensor>>,
}

/// After so many nodes somebody may want to end the pass: to ask takes as long as a small gradient,
/// and those that take long ask themselves.
const CHECKED: usize = 16;

/// Where a gradient comes from, for messages.
enum GradientOrigin<'n> {
    Root,
    Node(&'n dyn Node, usize),
    Hook(&'n dyn Node, usize),
}

impl<'a> BackwardRun<'a> {
    fn new(pass: &'a Pass<'a>, roots: &'a [Edge]) -> Result<BackwardRun<'a>> {
        let captured = vec![None; pass.inputs.map_or(0, <[Edge]>::len)];
        let roots = || roots.iter().map(|it| &it.node);
        let mut tasks = Tasks::from(roots())?;
        if let Some(inputs) = pass.inputs {
            for input in inputs {
                tasks.get_mut(&input.node).into_iter().for_each(|it| it.is_input = true);
            }
            tasks.want(roots())?;
        }
        Ok(BackwardRun { pass, token: OnceCell::new(), tasks, ready: Queue::default(), captured })
    }

    fn all(&mut self) -> Result<()> {
        let mut count: usize = 0;
        while let Some(number) = self.ready.pop() {
            count += 1;
            reserve::check()?;
            if count.is_multiple_of(CHECKED) {
                interrupt::check();
            }
            if anomaly::is_enabled() {
                anomaly::watched(self.tasks.node(number), || self.one(number))?;
            } else {
                self.one(number)?;
            }
        }
        Ok(())
    }

    /// Runs a node, and hands on what it gives.
    fn one(&mut self, number: usize) -> Result<()> {
        let is_wanted = self.tasks.is_wanted(number);
        let (node, mut sums) = self.tasks.take(number);
        let header = node.header();
        let leaf = Accumulate::of(node);
        if let Some(leaf) = leaf
            && let Some(gradient) = sums.first_mut().and_then(Option::take)
        {
            let arithmetic = self.pass.arithmetic;
            sums[0] =
                self.with_hook_context(|context| leaf.hooked(gradient, context, arithmetic))?;
        }
        if let Some(hooks) = header.known_hooks() {
            let arithmetic = self.pass.arithmetic;
            let had: SmallVec<[bool; 2]> = sums.iter().map(Option::is_some).collect();
            self.with_hook_context(|context| hooks.of_outputs(&mut sums, context, arithmetic))?;
            check_given(node, &had, &mut sums, arithmetic)?;
        }
        self.capture(node, &sums);
        let is_seen = || header.known_hooks().is_some_and(Hooks::is_any_of_node);
        let runs = is_wanted || (leaf.is_some() || is_seen()) && self.accumulates(node);
        let outputs =
            if runs { before(node, sums, self.pass.arithmetic)? } else { Gradients::new() };
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
                Some(gradient) => {
                    self.arrive(edge, gradient, &GradientOrigin::Node(&**node, input))?
                }
                None => self.nothing(edge)?,
            }
        }
        Ok(())
    }

    /// Calls hooks of tensors, which may ask about the pass.
    fn with_hook_context<R>(&self, run: impl FnOnce(&HookContext<'_>) -> R) -> R {
        let is_awaited = |node: &Arc<dyn Node>| {
            self.tasks.get(node).is_some_and(|it| it.is_wanted || it.is_input)
        };
        run(&HookContext { token: &self.token, is_awaited: &is_awaited })
    }

    /// Adds what has come to a leaf.
    fn leave(&self, leaf: &Accumulate, outputs: Gradients) -> Result<()> {
        let hooks = leaf.header().known_hooks().map(|it| it.after.all()).unwrap_or_default();
        let (seen, outputs) = match hooks.is_empty() {
            true => (Gradients::new(), outputs),
            false => {
                let outputs = all_exclusive(outputs, self.pass.arithmetic)?;
                (outputs.clone(), outputs)
            }
        };
        let Some(gradient) = outputs.into_iter().next().flatten() else { return Ok(()) };
        leaf.add(gradient, self.pass.arithmetic)?;
        for hook in hooks {
            hook(&Gradients::new(), &seen)?;
        }
        leaf.added()
    }

    /// The gradients of a node's inputs.
    fn run(&self, node: &Arc<dyn Node>, outputs: Gradients) -> Result<Gradients> {
        let header = node.header();
        let next = header.next();
        let wanted = |input: usize| next.get(input).is_some_and(|it| self.wants(it.as_ref()));
        let hooks = header.known_hooks().map(|it| it.after.all()).filter(|it| !it.is_empty());
        let outputs = match hooks {
            Some(_) => all_exclusive(outputs, self.pass.arithmetic)?,
            None => outputs,
        };
        let seen = hooks.is_some().then(|| outputs.clone());
        let mut gradients = node.backward(Call {
            node,
            gradients: outputs,
            wanted: &wanted,
            arithmetic: self.pass.arithmetic,
        })?;
        for hook in hooks.into_iter().flatten() {
            gradients = all_exclusive(gradients, self.pass.arithmetic)?;
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
            Some(inputs) => {
                is_input(inputs) || self.tasks.get(&edge.node).is_some_and(|it| it.is_wanted)
            }
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
    fn arrive(&mut self, edge: &Edge, gradient: Tensor, origin: &GradientOrigin<'_>) -> Result<()> {
        let metadata = edge.node.header().outputs().get(edge.output);
        let metadata = metadata.ok_or_else(|| no_output(edge))?;
        let gradient = fitting(gradient, metadata, self.pass.arithmetic, origin)?;
        let (number, task) = self.tasks.of_edge(&edge.node);
        let sum = &mut task.sums[edge.output];
        *sum = Some(match sum.take() {
            Some(before) => self.pass.sum(before, &gradient)?,
            None => gradient,
        });
        if task.is_complete() {
            self.ready.push(task.node, number)?;
        }
        Ok(())
    }

    /// Notes that no more gradients come along an edge.
    fn nothing(&mut self, edge: &Edge) -> Result<()> {
        let (number, task) = self.tasks.of_edge(&edge.node);
        if task.is_complete() {
            self.ready.push(task.node, number)?;
        }
        Ok(())
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

/// The gradients of a node's outputs, as the hooks before it have them.
fn before(
    node: &Arc<dyn Node>,
    mut outputs: Gradients,
    arithmetic: &dyn Arithmetic,
) -> Result<Gradients> {
    let hooks = node.header().known_hooks().map(|it| it.before.all()).unwrap_or_default();
    if hooks.is_empty() {
        return Ok(outputs);
    }
    let had: SmallVec<[bool; 2]> = outputs.iter().map(Option::is_some).collect();
    for hook in hooks {
        outputs = all_exclusive(outputs, arithmetic)?;
        if let Some(others) = hook(&outputs)? {
            outputs = others;
        }
    }
    check_given(node, &had, &mut outputs, arithmetic)?;
    Ok(outputs)
}

/// Refuses what hooks gave where no gradient was, if that does not fit.
fn check_given(
    node: &Arc<dyn Node>,
    had: &[bool],
    outputs: &mut Gradients,
    arithmetic: &dyn Arithmetic,
) -> Result<()> {
    let metadata = node.header().outputs();
    for (at, (place, had)) in outputs.iter_mut().zip(had).enumerate() {
        if *had || place.is_none() {
            continue;
        }
        let origin = GradientOrigin::Hook(&**node, at);
        *place =
            place.take().map(|it| fitting(it, &metadata[at], arithmetic, &origin)).transpose()?;
    }
    Ok(())
}

/// A gradient in the shape and the dtype of what it is for.
fn fitting(
    gradient: Tensor,
    expected: &Metadata,
    arithmetic: &dyn Arithmetic,
    origin: &GradientOrigin<'_>,
) -> Result<Tensor> {
    if gradient.device() != expected.device {
        return Err(wrong(&gradient, expected, origin));
    }
    let mut gradient = gradient;
    if !same_dims(gradient.shape(), &expected.shape) {
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
fn wrong(gradient: &Tensor, expected: &Metadata, origin: &GradientOrigin<'_>) -> Error {
    let (got, shape) = (gradient.dtype(), gradient.shape());
    let Metadata { shape: wanted, dtype, device } = expected;
    let wanted = format!("{dtype}, shape {:?} on {device}", wanted.as_slice());
    let got = format!("{got}, shape {shape:?} on {}", gradient.device());
    Error::runtime(match origin {
        GradientOrigin::Root => format!("the gradient of a root of {wanted} is {got}"),
        GradientOrigin::Hook(node, output) => {
            format!(
                "a hook gives a gradient of {got} for output {output} of {}, of {wanted}",
                node.name()
            )
        }
        GradientOrigin::Node(node, input) => {
            format!("{} gives a gradient of {got} for input {input} of {wanted}", node.name())
        }
    })
}

#[cold]
fn no_output(edge: &Edge) -> Error {
    Error::runtime(format_args!("{} has no output {}", edge.node.name(), edge.output))
}
