//! Outputs of custom functions: which are inputs, views or written to, and how each is recorded.

use std::sync::Arc;

use super::meta::Creation;
use super::node::{Metadata, Node};
use super::recording::{check_in_place, rebase};
use super::saved::SavedTensor;
use crate::{Result, Tensor, ensure, view};

/// What a function that brings its own gradient was given, did and returned.
pub struct Outcome<'a> {
    /// What its node is called.
    pub name: &'a str,
    /// The tensors among its arguments.
    pub inputs: &'a [Tensor],
    /// Inputs that it says it has written to.
    pub dirty: &'a [Tensor],
    /// Outputs that it says have no gradients.
    pub non_differentiable: &'a [Tensor],
    /// What it returned; absent where that is no tensor.
    pub outputs: Vec<Option<Tensor>>,
}

/// What a call has to do with one of its outputs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputRole {
    /// An input that was written to gets a new history.
    Written,
    /// It gets a history.
    Result,
    /// It has none.
    Constant,
}

/// The outputs of a call that is recorded, before they know their node.
pub struct Outputs<'a> {
    outcome: Outcome<'a>,
    outputs: Vec<Option<(Tensor, OutputRole)>>,
}

fn has(tensors: &[Tensor], tensor: &Tensor) -> bool {
    tensors.iter().any(|it| it.is_same(tensor))
}

impl<'a> Outcome<'a> {
    /// Whether what was written to is among both the inputs and the outputs.
    fn check(&self) -> Result<()> {
        let name = self.name;
        for (at, tensor) in self.dirty.iter().enumerate() {
            ensure!(
                has(self.inputs, tensor),
                Runtime,
                "the function of {name} marks a tensor dirty that is not among its inputs (number \
                 {at}, of shape {:?})",
                tensor.shape()
            );
            ensure!(
                self.outputs.iter().flatten().any(|it| it.is_same(tensor)),
                Runtime,
                "the function of {name} marks an input dirty that it does not return (number {at}, \
                 of shape {:?}); return every tensor that it writes to",
                tensor.shape()
            );
        }
        Ok(())
    }

    /// Whether it is a view of what is neither an input nor another output, nor seen by one.
    fn is_view_of_temporary(&self, tensor: &Tensor) -> bool {
        let Some(base) = tensor.base() else { return false };
        let sees = |it: &Tensor| it.is_same(base) || it.base().is_some_and(|it| it.is_same(base));
        let others = self.outputs.iter().flatten().filter(|it| !it.is_same(tensor));
        !self.inputs.iter().chain(others).any(sees)
    }

    fn is_unchanged_input(&self, tensor: &Tensor) -> bool {
        has(self.inputs, tensor) && !has(self.dirty, tensor)
    }

    /// The outputs of a call that is not recorded: an input that is returned as it is becomes a
    /// tensor of its own, and none requires gradients.
    ///
    /// # Errors
    ///
    /// `Runtime` if what is marked dirty is no input, or is not returned; `Memory`.
    pub fn unrecorded(self) -> Result<Vec<Option<Tensor>>> {
        self.check()?;
        let plain = |tensor: &Tensor| match has(self.dirty, tensor) {
            true => Ok(tensor.clone()),
            false => self.constant(tensor),
        };
        self.outputs.iter().map(|it| it.as_ref().map(plain).transpose()).collect()
    }

    /// The output as one without history.
    fn constant(&self, tensor: &Tensor) -> Result<Tensor> {
        if tensor.requires_grad() {
            tensor.without_history()
        } else if self.is_unchanged_input(tensor) {
            view::alias(tensor)
        } else {
            Ok(tensor.clone())
        }
    }

    /// The outputs of a call that is recorded. Writes to inputs are counted.
    ///
    /// # Errors
    ///
    /// As [`unrecorded`](Outcome::unrecorded); `Runtime` if nobody may write to an input that is
    /// marked dirty.
    pub fn recorded(self) -> Result<Outputs<'a>> {
        self.check()?;
        for tensor in self.dirty {
            check_in_place(tensor, true, self.name)?;
            ensure!(
                tensor.base().is_none() || self.outputs.len() == 1,
                Runtime,
                "the function of {} writes to a view, and so has to return that alone",
                self.name
            );
            tensor.bump_version();
        }
        let outputs = self.outputs.iter().map(|it| it.as_ref().map(|it| self.role(it)).transpose());
        Ok(Outputs { outputs: outputs.collect::<Result<_>>()?, outcome: self })
    }

    fn role(&self, tensor: &Tensor) -> Result<(Tensor, OutputRole)> {
        let is_constant = has(self.non_differentiable, tensor) || !tensor.can_have_gradient();
        if has(self.dirty, tensor) {
            let role = if is_constant { OutputRole::Constant } else { OutputRole::Written };
            return Ok((tensor.clone(), role));
        }
        if is_constant {
            return Ok((self.constant(tensor)?, OutputRole::Constant));
        }
        let own = if self.is_unchanged_input(tensor) {
            view::alias(tensor)?
        } else if tensor.requires_grad() {
            // It belongs to a graph that the function made for itself.
            tensor.without_history()?
        } else if self.is_view_of_temporary(tensor) {
            // Nobody else can see what is written to it.
            tensor.without_history()?
        } else {
            tensor.clone()
        };
        Ok((own, OutputRole::Result))
    }
}

impl Outputs<'_> {
    /// What gradients of the outputs have to be like; absent for what is no tensor.
    pub fn metadata(&self) -> impl Iterator<Item = Option<Metadata>> {
        self.outputs.iter().map(|it| it.as_ref().map(|(tensor, _)| Metadata::of(tensor)))
    }

    /// Keeps a tensor for the backward: as an output, if the function returned it.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn save(&self, tensor: &Tensor) -> Result<SavedTensor> {
        let is_it = |it: &Option<Tensor>| it.as_ref().is_some_and(|it| it.is_same(tensor));
        // Of one that was returned twice, the last number counts.
        let number = self.outcome.outputs.iter().rposition(is_it);
        let output = number.and_then(|it| self.outputs[it].as_ref().map(|output| (it, output)));
        match output {
            Some((number, (output, role)))
                if *role != OutputRole::Constant && !self.outcome.is_unchanged_input(tensor) =>
            {
                SavedTensor::output(output, number)
            }
            _ => SavedTensor::input(tensor),
        }
    }

    /// Says that `node` made the outputs.
    ///
    /// # Errors
    ///
    /// `NotImplemented` for a view of another dtype that was written to.
    pub fn record(self, node: &Arc<dyn Node>) -> Result<Vec<Option<Tensor>>> {
        for (number, output) in self.outputs.iter().enumerate() {
            match output {
                Some((tensor, OutputRole::Written)) => {
                    let input = self.outcome.inputs.iter().position(|it| it.is_same(tensor));
                    rebase(tensor, node.clone(), input.unwrap_or_default(), number)?;
                }
                Some((tensor, OutputRole::Result)) => {
                    tensor.set_history(node.clone(), number)?;
                    if tensor.base().is_some() {
                        tensor.set_creation(Creation::Custom);
                    }
                }
                Some((_, OutputRole::Constant)) | None => {}
            }
        }
        Ok(self.outputs.into_iter().map(|it| it.map(|(tensor, _)| tensor)).collect())
    }
}
