//! Gradient rules of operators, as generated code declares them, and a recorded call under one.

use std::ops::Range;

use super::geometry::Geometry;
use super::node::Metadata;
use super::node::{Call, Gradients};
use super::recorded::Recorded;
use super::slots::Saved;
use crate::geometry::Dims;
use crate::op::{Read, Value};
use crate::{Error, Result, Tensor, fail};

/// What the formulas of an operator say.
pub struct Rule {
    /// What its nodes are called: `MulBackward0`.
    pub node: &'static str,
    /// The operator: `mul.Tensor`.
    pub operator: &'static str,
    /// Its inputs that can have gradients.
    pub inputs: &'static [Input],
    /// Which of its outputs can have gradients.
    pub outputs: &'static [bool],
    /// Whether its outputs are views of an input.
    pub makes_views: bool,
    /// What nodes save.
    pub saved: &'static [SavedSlot],
    /// The gradients of the inputs.
    pub backward: fn(&Backward<'_>) -> Result<Gradients>,
}

/// What nodes save under one name.
#[derive(Clone, Copy, Debug)]
pub struct SavedSlot {
    /// The name by which people know it: `self`, `self_sym_sizes`.
    pub name: &'static str,
    /// The inputs whose gradients need it, by their numbers in [`Rule::inputs`].
    pub inputs: &'static [usize],
}

/// An input of an operator that can have a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A tensor, which may be absent.
    One,
    /// A list of tensors; an operator has one such input at most.
    List,
}

impl Rule {
    /// That of an operator whose formulas nobody has written.
    pub const fn without_formulas(
        operator: &'static str,
        inputs: &'static [Input],
        outputs: &'static [bool],
        makes_views: bool,
    ) -> Rule {
        let (node, saved, backward) = ("NotImplemented", &[], unwritten as _);
        Rule { node, operator, inputs, outputs, makes_views, saved, backward }
    }

    /// The places among `count` edges that belong to an input.
    #[inline]
    pub(super) fn edges(&self, input: usize, count: usize) -> Range<usize> {
        // There is no list, or one of one tensor.
        if count == self.inputs.len() {
            input..input + 1
        } else {
            self.edges_with_list(input, count)
        }
    }

    fn edges_with_list(&self, input: usize, count: usize) -> Range<usize> {
        let in_list = count - self.inputs.iter().filter(|it| **it == Input::One).count();
        let length = |it: &Input| if *it == Input::One { 1 } else { in_list };
        let start = self.inputs[..input].iter().map(length).sum();
        start..start + length(&self.inputs[input])
    }
}

/// A recorded call while a pass asks it for the gradients of its inputs.
pub struct Backward<'a> {
    pub(super) recorded: &'a Recorded,
    pub(super) call: &'a Call<'a>,
}

impl Backward<'_> {
    /// A place for the gradient of each edge.
    pub fn none(&self) -> Gradients {
        match self.count() {
            count @ (1 | 2) => Gradients::from_buf_and_len([None, None], count),
            count => Gradients::from_elem(None, count),
        }
    }

    fn count(&self) -> usize {
        self.recorded.next().len()
    }

    /// Whether the gradient of an input is wanted, or one of those of a list.
    pub fn wants(&self, input: usize) -> bool {
        self.recorded.rule.edges(input, self.count()).any(|it| (self.call.wanted)(it))
    }

    /// The gradient of an output.
    ///
    /// # Errors
    ///
    /// `Runtime` if it is absent.
    pub fn grad(&self, output: usize) -> Result<&Tensor> {
        present(self.grad_of(output))
    }

    /// The gradient of an output, if there is one.
    pub fn grad_of(&self, output: usize) -> Option<&Tensor> {
        self.call.gradients.get(output)?.as_ref()
    }

    /// The gradients of all outputs.
    pub fn grads(&self) -> Vec<Option<&Tensor>> {
        self.call.gradients.iter().map(Option::as_ref).collect()
    }

    /// Puts the gradient of an input in its place.
    pub fn give(&self, gradients: &mut Gradients, input: usize, gradient: Option<Tensor>) {
        let place = self.recorded.rule.edges(input, self.count()).start;
        gradients[place] = gradient;
    }

    /// Puts the gradients of a list in their places.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are more or fewer of them than inputs.
    pub fn give_all(
        &self,
        gradients: &mut Gradients,
        input: usize,
        given: Vec<Option<Tensor>>,
    ) -> Result<()> {
        let places = self.recorded.rule.edges(input, self.count());
        if !given.is_empty() && given.len() != places.len() {
            fail!(
                Runtime,
                "{} gives {} gradients for a list of {}",
                self.recorded.rule.node,
                given.len(),
                places.len()
            );
        }
        for (place, gradient) in places.zip(given) {
            gradients[place] = gradient;
        }
        Ok(())
    }

    fn saved(&self, slot: usize) -> &Saved {
        self.recorded.saved.get(slot)
    }

    /// A tensor that was saved.
    ///
    /// # Errors
    ///
    /// `Runtime` if it was released, or written to since.
    pub fn tensor(&self, slot: usize) -> Result<Tensor> {
        self.optional(slot)?.ok_or_else(|| self.wrong(slot))
    }

    /// A tensor that was saved, if there was one.
    ///
    /// # Errors
    ///
    /// As [`tensor`](Backward::tensor).
    pub fn optional(&self, slot: usize) -> Result<Option<Tensor>> {
        match self.saved(slot) {
            Saved::Tensor(saved) => saved.value(self.call.node),
            Saved::Nothing => Ok(None),
            _ => Err(self.wrong(slot)),
        }
    }

    /// Tensors that were saved.
    ///
    /// # Errors
    ///
    /// As [`tensor`](Backward::tensor).
    pub fn tensors(&self, slot: usize) -> Result<Vec<Tensor>> {
        let unpacked = self.optionals(slot)?.into_iter();
        unpacked.map(|it| it.ok_or_else(|| self.wrong(slot))).collect()
    }

    /// Tensors that were saved, as far as they were there.
    ///
    /// # Errors
    ///
    /// As [`tensor`](Backward::tensor).
    pub fn optionals(&self, slot: usize) -> Result<Vec<Option<Tensor>>> {
        let Saved::Tensors(saved) = self.saved(slot) else { return Err(self.wrong(slot)) };
        saved.iter().map(|it| it.value(self.call.node)).collect()
    }

    /// That nobody has written the formula which is asked for.
    ///
    /// # Errors
    ///
    /// `NotImplemented`, always.
    pub fn not_implemented(&self) -> Result<Gradients> {
        let Rule { operator, node, .. } = self.recorded.rule;
        fail!(NotImplemented, "{node}: the gradient of `{operator}` is not implemented")
    }

    /// A shape, or strides, that were saved.
    ///
    /// # Errors
    ///
    /// `Runtime` if something else was.
    pub fn dims(&self, slot: usize) -> Result<&[i64]> {
        if let Saved::Dims(dims) = self.saved(slot) { Ok(dims) } else { Err(self.wrong(slot)) }
    }

    /// Shapes that were saved.
    ///
    /// # Errors
    ///
    /// `Runtime` if something else was.
    pub fn shapes(&self, slot: usize) -> Result<&[Dims]> {
        if let Saved::Shapes(it) = self.saved(slot) { Ok(it) } else { Err(self.wrong(slot)) }
    }

    /// What a tensor was like that was not saved itself.
    ///
    /// # Errors
    ///
    /// `Runtime` if something else was saved.
    pub fn metadata(&self, slot: usize) -> Result<&Metadata> {
        if let Saved::Metadata(it) = self.saved(slot) { Ok(it) } else { Err(self.wrong(slot)) }
    }

    /// How the elements of a tensor lay.
    ///
    /// # Errors
    ///
    /// `Runtime` if something else was saved.
    pub fn geometry(&self, slot: usize) -> Result<&Geometry> {
        if let Saved::Geometry(it) = self.saved(slot) { Ok(it) } else { Err(self.wrong(slot)) }
    }

    /// A copy of a value that was saved, to be read.
    ///
    /// # Errors
    ///
    /// `Runtime` if something else was saved.
    pub fn value(&self, slot: usize) -> Result<Value> {
        if let Saved::Value(it) = self.saved(slot) { Ok(it.clone()) } else { Err(self.wrong(slot)) }
    }

    #[cold]
    fn wrong(&self, slot: usize) -> Error {
        let Rule { node, saved, .. } = self.recorded.rule;
        Error::runtime(format_args!("{node} did not save `{}`", saved[slot].name))
    }
}

fn unwritten(call: &Backward<'_>) -> Result<Gradients> {
    let mut inputs = 0..call.recorded.rule.inputs.len();
    if inputs.any(|it| call.wants(it)) { call.not_implemented() } else { Ok(call.none()) }
}

/// A value that was saved, as its type has it.
///
/// # Errors
///
/// `Type` if it is of another type.
pub fn read<T: Read>(value: &mut Value) -> Result<T::As<'_>> {
    T::read(value)
}

/// A gradient that a formula cannot do without.
///
/// # Errors
///
/// `Runtime` if it is absent.
pub fn present(gradient: Option<&Tensor>) -> Result<&Tensor> {
    gradient.ok_or_else(|| Error::runtime("a formula uses a tensor that is absent"))
}

/// A gradient, or a zero in the place of one that is absent.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub fn or_zero(gradient: Option<&Tensor>) -> Result<Tensor> {
    gradient.map_or_else(|| Tensor::wrapped_number(0.0.into()), |it| Ok(it.clone()))
}

/// References to tensors.
pub fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// References to tensors, some of which may be absent.
pub fn optional_refs(tensors: &[Option<Tensor>]) -> Vec<Option<&Tensor>> {
    tensors.iter().map(Option::as_ref).collect()
}

/// The same tensors where some could be absent.
pub fn some<'t>(tensors: &[&'t Tensor]) -> Vec<Option<&'t Tensor>> {
    tensors.iter().copied().map(Some).collect()
}

/// An element of a list.
///
/// # Errors
///
/// `Runtime` if there are fewer.
pub fn element<T: Copy>(list: &[T], at: i64) -> Result<T> {
    let found = usize::try_from(at).ok().and_then(|it| list.get(it));
    found.copied().ok_or_else(|| {
        Error::runtime(format_args!("a formula asks a list of {} for element {at}", list.len()))
    })
}
