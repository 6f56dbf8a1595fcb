//! Collects the edges of a call before it is recorded.

use smallvec::SmallVec;

use super::edge::Edge;
use super::mode::is_recording;
use super::node::Header;
use crate::{DispatchKey, Tensor};

/// Where the gradients of a call's inputs go, in the order of the schema; lists count as so many
/// inputs.
#[derive(Debug)]
pub struct Edges {
    next: SmallVec<[Option<Edge>; 2]>,
    is_any: bool,
    is_recording: bool,
}

impl Default for Edges {
    fn default() -> Edges {
        Edges::new()
    }
}

impl Edges {
    /// Those of a call that this thread makes now, without inputs yet.
    pub fn new() -> Edges {
        Edges { next: SmallVec::new(), is_any: false, is_recording: is_recording() }
    }

    /// These.
    pub(super) fn of(next: impl IntoIterator<Item = Option<Edge>>) -> Edges {
        next.into_iter().fold(Edges::new(), |mut edges, edge| {
            edges.push(edge);
            edges
        })
    }

    /// Those of inputs, each of which may be absent.
    pub fn to_each(inputs: &[Option<&Tensor>]) -> Edges {
        Edges::new().to_all_optional(inputs)
    }

    /// Adds an input; it has no edge while this thread does not record.
    #[must_use]
    #[inline]
    pub fn to(mut self, input: &Tensor) -> Edges {
        let has_edge = self.is_recording && input.keys().contains(DispatchKey::Autograd);
        self.push(if has_edge { input.gradient_edge() } else { None });
        self
    }

    /// Adds an input that may be absent.
    #[must_use]
    pub fn to_optional(mut self, input: Option<&Tensor>) -> Edges {
        if let Some(input) = input {
            return self.to(input);
        }
        self.push(None);
        self
    }

    /// Adds the inputs of a list.
    #[must_use]
    pub fn to_all(self, inputs: &[&Tensor]) -> Edges {
        inputs.iter().fold(self, |edges, input| edges.to(input))
    }

    /// Adds the inputs of a list, each of which may be absent.
    #[must_use]
    pub fn to_all_optional(self, inputs: &[Option<&Tensor>]) -> Edges {
        inputs.iter().fold(self, |edges, input| edges.to_optional(*input))
    }

    /// Adds tensors that are written to.
    #[must_use]
    pub fn to_all_mut(self, inputs: &[&mut Tensor]) -> Edges {
        inputs.iter().fold(self, |edges, input| edges.to(input))
    }

    fn push(&mut self, edge: Option<Edge>) {
        self.is_any |= edge.is_some();
        self.next.push(edge);
    }

    /// Whether some input requires gradients, so that the call has to be recorded.
    pub fn is_any(&self) -> bool {
        self.is_any
    }

    /// How many inputs there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there are no inputs.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// Whether an input requires gradients.
    #[inline]
    pub fn has(&self, input: usize) -> bool {
        self.next.get(input).is_some_and(Option::is_some)
    }
}

impl Header {
    /// That of a call with these inputs; the next one of this thread has the next number.
    pub fn new(edges: Edges) -> Header {
        Header::of_next(edges.next)
    }
}
