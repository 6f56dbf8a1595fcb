//! What a node saved, by the numbers of its rule's slots.

use super::recorded::Saved;

/// The slots that something was saved in: most nodes save little of what their formulas name, since
/// few of their inputs require gradients.
#[derive(Default)]
pub(super) enum Slots {
    #[default]
    None,
    One(u32, Saved),
    Several(Vec<(u32, Saved)>),
}

impl Slots {
    /// Puts something in a slot.
    pub(super) fn put(&mut self, slot: usize, saved: Saved) {
        let slot = slot as u32;
        match self {
            Slots::None => *self = Slots::One(slot, saved),
            Slots::Several(all) => all.push((slot, saved)),
            Slots::One(..) => {
                let Slots::One(first, one) = std::mem::take(self) else { return };
                *self = Slots::Several(vec![(first, one), (slot, saved)]);
            }
        }
    }

    /// What is in a slot.
    pub(super) fn get(&self, slot: usize) -> &Saved {
        let is_it = |it: u32| it as usize == slot;
        match self {
            Slots::One(number, saved) if is_it(*number) => saved,
            Slots::None | Slots::One(..) => &Saved::Nothing,
            Slots::Several(all) => {
                let found = all.iter().find(|(number, _)| is_it(*number));
                found.map_or(&Saved::Nothing, |(_, saved)| saved)
            }
        }
    }

    /// Shows all that there is.
    pub(super) fn each(&self, mut see: impl FnMut(&Saved)) {
        match self {
            Slots::None => {}
            Slots::One(_, saved) => see(saved),
            Slots::Several(all) => all.iter().for_each(|(_, saved)| see(saved)),
        }
    }
}
