//! Saved values of a node: those that its formulas read.

use opwright_schema::model::{Schema, Type};
use proc_macro2::TokenStream;

use crate::ty::Ty;

/// A value that a node saves, under a name by which people find it.
#[derive(Clone, Debug)]
pub struct SavedSlot {
    /// `self`, `self_sym_sizes`.
    pub name: String,
    /// What it is a part of.
    pub source: Source,
    /// What is saved of that.
    pub kept: Kept,
    /// The inputs, by their numbers in [`Gradient::inputs`](super::Gradient::inputs), whose
    /// gradients need it.
    pub inputs: Vec<usize>,
}

/// What saved values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A parameter, by its number.
    Param(usize),
    /// An output, by its number.
    Output(usize),
}

/// What is saved.
#[derive(Clone, Debug)]
pub enum Kept {
    /// A tensor.
    Tensor,
    /// A tensor that may be absent.
    Optional,
    /// Tensors.
    Tensors,
    /// Tensors, each of which may be absent.
    Optionals,
    /// A shape or strides: this question about the tensor.
    Dims(TokenStream),
    /// A single answer of this type to a question about the tensor.
    Answer(TokenStream, Ty),
    /// The shapes of tensors.
    Shapes,
    /// The dtypes of tensors.
    Dtypes,
    /// What the tensor is like.
    Metadata,
    /// How the tensor lies.
    Geometry,
    /// A value of this type, which is no tensor.
    Value(Type),
}

/// The number of an output among those that are tensors, by which nodes count them.
pub fn output_number(schema: &Schema, output: usize) -> usize {
    let before = schema.returns.iter().take(output);
    before.filter(|it| it.ty.value.is_tensor_like()).count()
}
