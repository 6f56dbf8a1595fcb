//! Key sets: the dispatch keys of a tensor or a call, and the flags of tensors beside them.

pub use opwright_tables::DispatchKey;

use crate::{Device, Tensor};

const fn bit(key: DispatchKey) -> u8 {
    1 << key as u8
}

/// The keys that the arguments of a call have, or that a tensor has.
///
/// A call without tensors runs on the CPU unless a device argument says
/// otherwise. One meta tensor makes a meta call; whether the others may be
/// elsewhere is for the shape rules to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(2))]
pub struct KeySet {
    keys: u8,
    flags: TensorFlags,
}

const _: () = assert!(DispatchKey::COUNT <= 8);

/// What the dispatcher has to know of a tensor besides its keys, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct TensorFlags(u8);

impl TensorFlags {
    /// It was made in inference mode.
    pub(crate) const INFERENCE: TensorFlags = TensorFlags(1);

    /// A layer keeps something of it.
    pub(crate) const KNOWN: TensorFlags = TensorFlags(1 << 1);

    /// It has a base: the layers of the base are its own, too, also those that the base gets later.
    pub(crate) const ASKS_BASE: TensorFlags = TensorFlags(1 << 2);

    /// It has a base, and a call made it together with other views.
    pub(crate) const ONE_OF_MANY: TensorFlags = TensorFlags(1 << 3);

    /// Those of views alone.
    pub(crate) const OF_VIEWS: TensorFlags =
        TensorFlags(TensorFlags::ASKS_BASE.0 | TensorFlags::ONE_OF_MANY.0);
}

impl KeySet {
    /// No key, which is the same as `CPU` alone.
    pub const EMPTY: KeySet = KeySet::of(0);

    const fn of(keys: u8) -> KeySet {
        KeySet { keys, flags: TensorFlags(0) }
    }

    /// Both fields from the word that a tensor carries.
    #[inline]
    pub(crate) const fn from_word(word: u16) -> KeySet {
        let [keys, flags] = word.to_le_bytes();
        KeySet { keys, flags: TensorFlags(flags) }
    }

    /// Both fields in a word, so that one operation joins or compares them: the flags are above all
    /// keys.
    #[inline]
    pub(crate) const fn word(self) -> u16 {
        u16::from_le_bytes([self.keys, self.flags.0])
    }

    /// The set with these flags.
    #[inline]
    pub(crate) const fn flagged(self, flags: TensorFlags) -> KeySet {
        KeySet { flags: TensorFlags(self.flags.0 | flags.0), ..self }
    }

    /// The set without these flags.
    #[inline]
    pub(crate) const fn unflagged(self, flags: TensorFlags) -> KeySet {
        KeySet { flags: TensorFlags(self.flags.0 & !flags.0), ..self }
    }

    /// Whether one of these flags is set.
    #[inline]
    pub(crate) const fn has_flag(self, flags: TensorFlags) -> bool {
        self.flags.0 & flags.0 != 0
    }

    /// The set with a key in it.
    #[inline]
    #[must_use]
    pub const fn with(self, key: DispatchKey) -> KeySet {
        KeySet { keys: self.keys | bit(key), ..self }
    }

    /// The set without a key.
    #[inline]
    #[must_use]
    pub const fn without(self, key: DispatchKey) -> KeySet {
        KeySet { keys: self.keys & !bit(key), ..self }
    }

    /// The keys and flags of either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: KeySet) -> KeySet {
        KeySet::from_word(self.word() | other.word())
    }

    /// Whether a key is in the set.
    #[inline]
    pub const fn contains(self, key: DispatchKey) -> bool {
        self.keys & bit(key) != 0
    }

    /// The set with the key of a device.
    #[inline]
    #[must_use]
    pub const fn with_device(self, device: Device) -> KeySet {
        self.or(KeySet::of_device(device))
    }

    /// The key of a device; none for the CPU, where calls are anyway.
    #[inline]
    pub(crate) const fn of_device(device: Device) -> KeySet {
        match device {
            Device::Cpu => KeySet::EMPTY,
            Device::Meta => KeySet::EMPTY.with(DispatchKey::Meta),
        }
    }

    /// The set with the key of a device, if one is given.
    #[inline]
    #[must_use]
    pub const fn with_optional_device(self, device: Option<Device>) -> KeySet {
        match device {
            Some(device) => self.with_device(device),
            None => self,
        }
    }

    /// The set with the keys of a tensor.
    #[inline]
    #[must_use]
    pub fn with_tensor(self, tensor: &Tensor) -> KeySet {
        self.or(tensor.keys())
    }

    /// The set with the keys of a tensor, if one is given.
    #[inline]
    #[must_use]
    pub fn with_optional(self, tensor: Option<&Tensor>) -> KeySet {
        tensor.map_or(self, |it| self.with_tensor(it))
    }

    /// The set with the keys of these tensors.
    #[inline]
    #[must_use]
    pub fn with_tensors(self, tensors: &[&Tensor]) -> KeySet {
        tensors.iter().fold(self, |set, it| set.with_tensor(it))
    }

    /// The set with the keys of those tensors that are given.
    #[inline]
    #[must_use]
    pub fn with_optional_tensors(self, tensors: &[Option<&Tensor>]) -> KeySet {
        tensors.iter().fold(self, |set, it| set.with_optional(*it))
    }

    /// The set with the keys of tensors that are written to.
    #[inline]
    #[must_use]
    pub fn with_mut_tensors(self, tensors: &[&mut Tensor]) -> KeySet {
        tensors.iter().fold(self, |set, it| set.with_tensor(it))
    }

    /// The highest key, which takes the call.
    #[inline]
    pub const fn highest(self) -> DispatchKey {
        DispatchKey::ALL[self.slot()]
    }

    /// Whether one of the tensors was made in inference mode.
    #[inline]
    pub const fn has_inference(self) -> bool {
        self.has_flag(TensorFlags::INFERENCE)
    }

    /// The place of the highest key among all.
    #[inline]
    pub(super) const fn slot(self) -> usize {
        // The lowest key is in every set.
        (self.keys | bit(DispatchKey::Cpu)).ilog2() as usize
    }

    /// Whether the key at this place among all is in the set.
    #[inline]
    pub(super) const fn has_slot(self, slot: usize) -> bool {
        self.keys >> slot & 1 != 0
    }

    /// The backends of the set.
    #[inline]
    pub(crate) const fn backends(self) -> KeySet {
        self.below(DispatchKey::FIRST_LAYER)
    }

    /// Whether a layer is in the set, or a tensor with a flag, which is to be looked at as by one.
    #[inline]
    pub const fn has_layers(self) -> bool {
        self.word() >= bit(DispatchKey::FIRST_LAYER) as u16
    }

    /// The keys of the set that are below a key, without flags.
    #[inline]
    #[must_use]
    pub const fn below(self, key: DispatchKey) -> KeySet {
        KeySet::of(self.keys & (bit(key) - 1))
    }

    /// The keys of the set from the highest to the lowest.
    pub(super) fn descending(self) -> impl Iterator<Item = DispatchKey> {
        let set = self.with(DispatchKey::Cpu);
        DispatchKey::ALL.iter().rev().copied().filter(move |&it| set.contains(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DType;

    #[test]
    fn one_meta_tensor_makes_a_meta_call() {
        let cpu = Tensor::allocate(&[2], DType::Int64, Device::Cpu).unwrap();
        let meta = Tensor::allocate(&[2], DType::Int64, Device::Meta).unwrap();
        assert_eq!(KeySet::EMPTY.highest(), DispatchKey::Cpu);
        assert_eq!(KeySet::EMPTY.with_tensor(&cpu).highest(), DispatchKey::Cpu);
        assert_eq!(KeySet::EMPTY.with_tensors(&[&cpu, &meta]).highest(), DispatchKey::Meta);
        assert_eq!(KeySet::EMPTY.with_optional(None).with_optional_device(None), KeySet::EMPTY);
    }

    #[test]
    fn layers_are_above_backends() {
        let set = KeySet::EMPTY.with(DispatchKey::Meta).with(DispatchKey::Autograd);
        assert!(set.has_layers() && set.highest().is_layer());
        assert_eq!(set.below(DispatchKey::Autograd).highest(), DispatchKey::Meta);
    }
}
