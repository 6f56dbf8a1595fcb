//! The saved values of a node, by the slots of its rule.

use super::recorded::Saved;

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
