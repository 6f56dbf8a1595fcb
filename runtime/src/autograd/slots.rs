//! What a node saved, by the numbers of its rule's slots.

use smallvec::SmallVec;

use super::recorded::Saved;

/// The slots that something was saved in: most nodes save little of what their formulas name, since
/// few of their inputs require gradients.
#[derive(Default)]
pub(super) struct Slots(SmallVec<[(u32, Saved); 1]>);

impl Slots {
    /// Puts something in a slot.
    pub(super) fn put(&mut self, slot: usize, saved: Saved) {
        self.0.push((slot as u32, saved));
    }

    /// What is in a slot.
    pub(super) fn get(&self, slot: usize) -> &Saved {
        let found = self.0.iter().find(|it| it.0 as usize == slot);
        found.map_or(&Saved::Nothing, |it| &it.1)
    }

    /// All that there is.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Saved> {
        self.0.iter().map(|it| &it.1)
    }
}
