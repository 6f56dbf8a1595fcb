//! Recording of calls: edges, saved tensors, and the node of the outputs.

use std::sync::Arc;

use super::edge::Edge;
use super::edges::Edges;
use super::geometry::Geometry;
use super::meta::Creation;
use super::mode::{is_inference, is_recording};
use super::node::{Header, Metadata, Node};
use super::recorded::Recorded;
use super::rule::Rule;
use super::saved::SavedTensor;
use super::slices::{self, CopySlices};
use super::slots::{Saved, SavedSlots};
use crate::geometry::Dims;
use crate::op::Given;
use crate::{DType, Error, KeySet, Result, Tensor, ensure, view};

/// A call that is being recorded. What its node saves is put into the slots of its rule, unless it
/// is for gradients that nobody can want.
///
/// Where no gradient can come to any input, nothing is saved or made.
///
/// Saving something may fail with `Memory`: [`ready`](Recording::ready) and what ends a recording say so.
pub struct Recording {
    rule: &'static Rule,
    edges: Edges,
    saved: SavedSlots,
    failed: Option<Error>,
}

#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
impl Recording {
    /// A call whose inputs have these edges.
    pub fn begin(rule: &'static Rule, edges: Edges) -> Recording {
        Recording { rule, edges, saved: SavedSlots::default(), failed: None }
    }

    /// Whether a gradient can come to an input.
    #[inline]
    pub fn is_active(&self) -> bool {
        self.edges.is_any()
    }

    /// Fails if something could not be saved.
    #[inline]
    pub fn ready(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Whether somebody may ask for what is in a slot.
    #[inline]
    fn is_needed(&self, slot: usize) -> bool {
        let inputs = self.rule.saved[slot].inputs;
        let count = self.edges.len();
        if count == self.rule.inputs.len() {
            return inputs.iter().any(|it| self.edges.has(*it));
        }
        inputs.iter().any(|it| self.rule.edges(*it, count).any(|it| self.edges.has(it)))
    }

    fn keep(&mut self, slot: usize, saved: impl FnOnce() -> Result<Saved>) {
        if self.failed.is_none() && self.is_needed(slot) {
            match saved() {
                Ok(saved) => self.saved.put(slot, saved),
                Err(error) => self.failed = Some(error),
            }
        }
    }

    /// Saves an input.
    pub fn input(&mut self, slot: usize, tensor: &Tensor) {
        self.keep(slot, || SavedTensor::input(tensor).map(Saved::Tensor));
    }

    /// Saves an input that may be absent.
    pub fn optional(&mut self, slot: usize, tensor: Option<&Tensor>) {
        if let Some(tensor) = tensor {
            self.input(slot, tensor);
        }
    }

    /// Saves a copy of an input that the call is going to write to.
    pub fn before(&mut self, slot: usize, tensor: &Tensor) {
        self.keep(slot, || SavedTensor::copied(tensor).map(Saved::Tensor));
    }

    /// Saves a list of inputs.
    pub fn inputs(&mut self, slot: usize, tensors: &[&Tensor]) {
        self.keep(slot, || {
            let saved = tensors.iter().map(|it| SavedTensor::input(it));
            saved.collect::<Result<_>>().map(Saved::Tensors)
        });
    }

    /// Saves a list of inputs, each of which may be absent.
    pub fn optionals(&mut self, slot: usize, tensors: &[Option<&Tensor>]) {
        self.keep(slot, || {
            let saved = tensors.iter().map(|it| match it {
                Some(tensor) => SavedTensor::input(tensor),
                None => Ok(SavedTensor::absent()),
            });
            saved.collect::<Result<_>>().map(Saved::Tensors)
        });
    }

    /// Saves an output of this number.
    pub fn output(&mut self, slot: usize, tensor: &Tensor, number: usize) {
        self.keep(slot, || SavedTensor::output(tensor, number).map(Saved::Tensor));
    }

    /// Saves what the call has just written, before that is counted.
    pub fn written(&mut self, slot: usize, tensor: &Tensor) {
        self.keep(slot, || SavedTensor::written(tensor).map(Saved::Tensor));
    }

    /// Saves all outputs, which are a list.
    pub fn outputs(&mut self, slot: usize, tensors: &[Tensor]) {
        self.keep(slot, || {
            let saved = tensors.iter().enumerate().map(|(at, it)| SavedTensor::output(it, at));
            saved.collect::<Result<_>>().map(Saved::Tensors)
        });
    }

    /// Saves something that is no tensor.
    pub fn value(&mut self, slot: usize, value: impl Given) {
        self.keep(slot, || value.given().map(Saved::Value));
    }

    /// Saves the shape of a tensor, or its strides.
    pub fn dims(&mut self, slot: usize, dims: &[i64]) {
        self.saved.put(slot, Saved::Dims(Dims::from_slice(dims)));
    }

    /// Saves the shapes of tensors.
    pub fn shapes(&mut self, slot: usize, tensors: &[&Tensor]) {
        let shapes = tensors.iter().map(|it| Dims::from_slice(it.shape()));
        self.saved.put(slot, Saved::Shapes(shapes.collect()));
    }

    /// Saves the dtypes of tensors.
    pub fn dtypes(&mut self, slot: usize, tensors: &[&Tensor]) {
        let dtypes: Vec<DType> = tensors.iter().map(|it| it.dtype()).collect();
        self.value(slot, &*dtypes);
    }

    /// Saves what a tensor is like.
    pub fn metadata(&mut self, slot: usize, tensor: &Tensor) {
        self.saved.put(slot, Saved::Metadata(Metadata::of(tensor)));
    }

    /// Saves how a tensor lies.
    pub fn geometry(&mut self, slot: usize, tensor: &Tensor) {
        self.saved.put(slot, Saved::Geometry(Box::new(Geometry::of(tensor))));
    }

    /// A result that is no argument, if it is going to have a history.
    pub fn own(&self, result: Tensor) -> Result<Tensor> {
        if self.is_active() && result.is_known() { view::alias(&result) } else { Ok(result) }
    }

    /// The same of several.
    pub fn own_all(&self, results: Vec<Tensor>) -> Result<Vec<Tensor>> {
        if !self.is_active() {
            return Ok(results);
        }
        results.into_iter().map(|it| self.own(it)).collect()
    }

    /// Makes the node, and says that it made these outputs, which are all of the call.
    pub fn finish(mut self, outputs: &[&Tensor]) -> Result<()> {
        self.ready()?;
        let rule = self.rule;
        if !self.is_active() {
            if rule.makes_views {
                outputs.iter().for_each(|it| unrecorded(it));
            }
            return Ok(());
        }
        let node = self.node(outputs);
        for (number, output) in outputs.iter().enumerate() {
            // The outputs of a list are alike.
            let differentiable = rule.outputs.get(number).or(rule.outputs.last());
            if differentiable == Some(&true) && output.can_have_gradient() {
                output.set_history(node.clone(), number)?;
            }
        }
        Ok(())
    }

    /// Makes the node, and says that it made what is in this tensor now: of a view, that it made a
    /// part of what is in its base.
    pub fn finish_in_place(mut self, tensor: &Tensor) -> Result<()> {
        self.ready()?;
        if !self.is_active() || !tensor.can_have_gradient() {
            return Ok(());
        }
        let node = self.node(&[tensor]);
        rebase(tensor, node, 0, 0)
    }

    /// The same of a call that changed where the tensor looks, and no element.
    pub fn finish_moved(mut self, tensor: &Tensor) -> Result<()> {
        self.ready()?;
        if !self.is_active() || !tensor.can_have_gradient() {
            return Ok(());
        }
        let node = self.node(&[tensor]);
        tensor.set_moved(node)
    }

    fn node(self, outputs: &[&Tensor]) -> Arc<dyn Node> {
        let Recording { rule, edges, saved, .. } = self;
        let header = Header::new(edges).with_outputs(outputs.iter().copied());
        Arc::new(Recorded { header, rule, saved })
    }
}

/// Says that `node` made what is in a tensor now as its output of that number, which was its input
/// of that number; of a view, that it made a part of what is in its base.
pub(super) fn rebase(
    tensor: &Tensor,
    node: Arc<dyn Node>,
    input: usize,
    output: usize,
) -> Result<()> {
    let Some(base) = tensor.base() else { return tensor.set_history(node, output) };
    ensure!(
        slices::is_strided(tensor, base),
        NotImplemented,
        "a call that writes to a {} view of a {} tensor cannot be recorded",
        tensor.dtype(),
        base.dtype()
    );
    base.set_history(Arc::new(CopySlices::new(node, input, tensor, base)), 0)
}

/// Notes that a call made several views, so that a write to one of them cannot be recorded.
pub fn one_of_many(views: &[Tensor]) {
    views.iter().for_each(Tensor::set_one_of_many);
}

/// Notes that a view was made while nothing was recorded, of a tensor that requires gradients.
fn unrecorded(result: &Tensor) {
    if !is_recording() && result.base().is_some_and(Tensor::requires_grad) && !result.is_known() {
        result.set_creation(match is_inference() {
            true => Creation::Inference,
            false => Creation::Unrecorded,
        });
    }
}

/// Whether a call with these keys may write to a tensor.
///
/// # Errors
///
/// `Runtime` for a tensor that was made in inference mode, outside of it.
#[inline]
pub fn check_writable(keys: KeySet, tensor: &Tensor) -> Result<()> {
    if keys.has_inference() { check_written_in_inference(tensor) } else { Ok(()) }
}

#[cold]
fn check_written_in_inference(tensor: &Tensor) -> Result<()> {
    ensure!(
        is_inference() || !tensor.is_inference(),
        Runtime,
        "an inference tensor cannot be changed in place outside of inference mode; change a \
         clone() of it"
    );
    Ok(())
}

/// Whether a call may write to a tensor, whose call is going to be recorded or not.
///
/// # Errors
///
/// `Runtime` for a leaf that requires gradients, a view of one, or a view that does not know its
/// history, while this thread records.
pub fn check_in_place(tensor: &Tensor, is_recorded: bool, operator: &str) -> Result<()> {
    if !is_recording() {
        return Ok(());
    }
    let is_recorded_leaf = |it: &Tensor| it.is_leaf() && it.requires_grad();
    // A leaf may itself be a view, of a tensor that requires nothing.
    let is_of_leaf = match tensor.base() {
        Some(base) => is_recorded_leaf(base) || tensor.requires_grad() && !base.requires_grad(),
        None => is_recorded_leaf(tensor),
    };
    let what = if is_recorded_leaf(tensor) { "a leaf" } else { "a view of a leaf" };
    ensure!(
        !is_of_leaf,
        Runtime,
        "`{operator}` writes to {what} that requires gradients, whose value would be lost; write \
         under no_grad(), or to a result of it"
    );
    match tensor.creation() {
        Creation::Plain => Ok(()),
        Creation::OneOfMany if !is_recorded => Ok(()),
        Creation::OneOfMany => {
            let made = tensor.grad_fn().map_or_else(String::new, |it| {
                format!("output {} of {}, ", it.output, it.node.name())
            });
            crate::fail!(
                Runtime,
                "`{operator}` writes to {made}one of several views that one call made, which is not \
                 recorded; write to what they are views of"
            )
        }
        Creation::Unrecorded => crate::fail!(
            Runtime,
            "`{operator}` writes to a view that was made under no_grad(), so that what it does to \
             the base would not be recorded; make the view again"
        ),
        Creation::Custom => {
            let (node, number) = maker(tensor);
            crate::fail!(
                Runtime,
                "`{operator}` writes to output {number} of {node}, a view that its function \
                 returned, so that what it does to the base could not be recorded; write to a \
                 clone of it, or have the function return one"
            )
        }
        Creation::Inference => crate::fail!(
            Runtime,
            "`{operator}` writes to a view that was made in inference mode, so that what it does \
             to the base would not be recorded; make the view again"
        ),
    }
}

/// Whether a call may give a tensor another memory or another number of elements.
///
/// # Errors
///
/// `Runtime` if the tensor requires gradients, which would not fit any more.
pub fn check_replaced(tensor: &Tensor, operator: &str) -> Result<()> {
    ensure!(
        !tensor.requires_grad(),
        Runtime,
        "`{operator}` gives other elements to a tensor that requires gradients, which would not fit \
         it any more; do it to a detach() of it"
    );
    Ok(())
}

/// What [`check_in_place`] says of all tensors in the argument of this name.
///
/// # Errors
///
/// As [`check_in_place`], with the number of the tensor.
pub fn check_all_in_place(
    tensors: &[&mut Tensor],
    is_recorded: bool,
    operator: &str,
    name: &str,
) -> Result<()> {
    for (at, tensor) in tensors.iter().enumerate() {
        check_in_place(tensor, is_recorded, operator).map_err(|error| {
            Error::new(error.kind(), format_args!("`{name}[{at}]`: {}", error.message()))
        })?;
    }
    Ok(())
}

/// Whether a call may write to its arguments, where it would not be recorded.
///
/// # Errors
///
/// `Runtime` if an argument requires gradients, while this thread records.
pub fn check_unrecorded(operator: &str, edges: &Edges) -> Result<()> {
    ensure!(
        !edges.is_any(),
        Runtime,
        "what `{operator}` writes is not recorded, and an argument requires gradients; call it \
         under no_grad()"
    );
    Ok(())
}

/// Whether a composite kernel has kept the history of its arguments: asked in debug builds.
///
/// # Errors
///
/// `Runtime` if an argument requires gradients while this thread records, and no result does that could.
pub fn check_composite(operator: &str, edges: &Edges, results: &[&Tensor]) -> Result<()> {
    let mut learning = results.iter().filter(|it| it.can_have_gradient()).peekable();
    if !edges.is_any() || learning.peek().is_none() || learning.any(|it| it.requires_grad()) {
        return Ok(());
    }
    crate::fail!(
        Runtime,
        "`{operator}` is composite, an argument requires gradients, and no result does: its kernel goes \
         around the operators, by methods such as `copy` and `to_dtype`, `view` or loops; call operators \
         there, or, where no gradient is meant, the operator under no_grad() (this is checked in debug \
         builds)"
    )
}

/// The call that made a view, and which output that was.
#[cold]
fn maker(view: &Tensor) -> (String, usize) {
    let known = |it: Edge| (it.node.name().into_owned(), it.output);
    view.grad_fn().map_or_else(|| ("a call".to_owned(), 0), known)
}

/// Whether a call may write its results to `out`, where it would not be recorded.
///
/// # Errors
///
/// `Runtime` if an argument requires gradients, while this thread records.
pub fn check_out(operator: &str, edges: &Edges) -> Result<()> {
    ensure!(
        !edges.is_any(),
        Runtime,
        "`{operator}` writes to `out`, which is not recorded, and an argument requires gradients; \
         call it under no_grad(), or without `out`"
    );
    Ok(())
}
