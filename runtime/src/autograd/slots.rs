//! The saved values of a node, by the slots of its rule.

use super::geometry::Geometry;
use super::node::Metadata;
use super::saved::SavedTensor;
use crate::geometry::Dims;
use crate::op::Value;

/// What a node saves for one name of a formula.
#[derive(Default)]
pub enum Saved {
    /// It is for gradients that nobody can want.
    #[default]
    Nothing,
    /// A tensor.
    Tensor(SavedTensor),
    /// Tensors.
    Tensors(Vec<SavedTensor>),
    /// A shape or strides.
    Dims(Dims),
    /// The shapes of tensors.
    Shapes(Vec<Dims>),
    /// What a tensor is like.
    Metadata(Metadata),
    /// How a tensor lies.
    Geometry(Box<Geometry>),
    /// Anything else.
    Value(Value),
}

/// The slots that something was saved in: most nodes save little of what their formulas name, since
/// few of their inputs require gradients.
#[derive(Default)]
pub(super) enum SavedSlots {
    #[default]
    None,
    One(u32, Saved),
    Several(Vec<(u32, Saved)>),
}

impl SavedSlots {
    /// Puts something in a slot.
    pub(super) fn put(&mut self, slot: usize, saved: Saved) {
        let slot = slot as u32;
        match self {
            SavedSlots::None => *self = SavedSlots::One(slot, saved),
            SavedSlots::Several(all) => all.push((slot, saved)),
            SavedSlots::One(..) => {
                let SavedSlots::One(first, one) = std::mem::take(self) else { return };
                *self = SavedSlots::Several(vec![(first, one), (slot, saved)]);
            }
        }
    }

    /// What is in a slot.
    pub(super) fn get(&self, slot: usize) -> &Saved {
        let is_it = |it: u32| it as usize == slot;
        match self {
            SavedSlots::One(number, saved) if is_it(*number) => saved,
            SavedSlots::None | SavedSlots::One(..) => &Saved::Nothing,
            SavedSlots::Several(all) => {
                let found = all.iter().find(|(number, _)| is_it(*number));
                found.map_or(&Saved::Nothing, |(_, saved)| saved)
            }
        }
    }

    /// Shows all that there is.
    pub(super) fn each(&self, mut see: impl FnMut(&Saved)) {
        match self {
            SavedSlots::None => {}
            SavedSlots::One(_, saved) => see(saved),
            SavedSlots::Several(all) => all.iter().for_each(|(_, saved)| see(saved)),
        }
    }
}
