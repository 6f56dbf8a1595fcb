//! Nodes of operators whose gradients are rules.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use super::edge::Edge;
use super::node::Node;
use super::node::{Call, Gradients, Header};
use super::rule::{Backward, Rule};
use super::saved::SavedTensor;
use super::slots::{Saved, SavedSlots};
use crate::Result;

/// A call that was recorded under a rule.
pub struct Recorded {
    pub(super) header: Header,
    pub(super) rule: &'static Rule,
    pub(super) saved: SavedSlots,
}

impl Recorded {
    pub(super) fn next(&self) -> &[Option<Edge>] {
        self.header.next()
    }

    /// What the operator's formulas say.
    pub fn rule(&self) -> &'static Rule {
        self.rule
    }

    /// What was saved, by the numbers of [`Rule::saved`].
    pub fn saved(&self) -> impl Iterator<Item = &Saved> {
        (0..self.rule.saved.len()).map(|it| self.saved.get(it))
    }

    /// The node as one of these, if it is.
    pub fn of(node: &Arc<dyn Node>) -> Option<&Recorded> {
        (&**node as &dyn Any).downcast_ref()
    }
}

impl Node for Recorded {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        self.rule.node.into()
    }

    fn backward(&self, call: Call<'_>) -> Result<Gradients> {
        (self.rule.backward)(&Backward { recorded: self, call: &call })
    }

    fn kept_nodes(&self, see: &mut dyn FnMut(&Arc<dyn Node>)) {
        self.next().iter().flatten().for_each(|it| see(&it.node));
        self.saved.each(|saved| match saved {
            Saved::Tensor(it) => it.kept_node(see),
            Saved::Tensors(all) => all.iter().for_each(|it| it.kept_node(see)),
            _ => {}
        });
    }

    fn release(&self) {
        self.saved.each(|saved| match saved {
            Saved::Tensor(it) => it.release(),
            Saved::Tensors(all) => all.iter().for_each(SavedTensor::release),
            _ => {}
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graphs of a million calls are no rarity.
    #[test]
    fn nodes_are_small() {
        assert!(size_of::<Recorded>() <= 216, "{}", size_of::<Recorded>());
    }
}
