//! Dispatch keys and sets of them.

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
pub struct KeySet(u8);

/// Stands in the set of a tensor that was made in inference mode: above all keys, so that a call
/// with it is looked at, and no key itself.
const INFERENCE: u8 = 1 << 5;

const _: () = assert!(DispatchKey::COUNT <= 5);

impl KeySet {
    /// No key, which is the same as `CPU` alone.
    pub const EMPTY: KeySet = KeySet(0);

    /// The keys from a byte that a tensor carries.
    #[inline]
    pub(crate) const fn from_byte(byte: u8) -> KeySet {
        KeySet(byte)
    }

    /// As a byte that a tensor can carry.
    #[inline]
    pub(crate) const fn byte(self) -> u8 {
        self.0
    }

    /// The set with a key in it.
    #[inline]
    #[must_use]
    pub const fn with(self, key: DispatchKey) -> KeySet {
        KeySet(self.0 | bit(key))
    }

    /// The set without a key.
    #[inline]
    #[must_use]
    pub const fn without(self, key: DispatchKey) -> KeySet {
        KeySet(self.0 & !bit(key))
    }

    /// The keys of either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: KeySet) -> KeySet {
        KeySet(self.0 | other.0)
    }

    /// Whether a key is in the set.
    #[inline]
    pub const fn contains(self, key: DispatchKey) -> bool {
        self.0 & bit(key) != 0
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
        DispatchKey::ALL[KeySet(self.0 & !INFERENCE).slot()]
    }

    /// The set with a tensor of inference mode in it.
    pub(crate) const fn with_inference(self) -> KeySet {
        KeySet(self.0 | INFERENCE)
    }

    /// Whether one of the tensors was made in inference mode.
    #[inline]
    pub const fn has_inference(self) -> bool {
        self.0 & INFERENCE != 0
    }

    /// The place of the highest key among all.
    #[inline]
    pub(super) const fn slot(self) -> usize {
        // The lowest key is in every set.
        (self.0 | bit(DispatchKey::Cpu)).ilog2() as usize
    }

    /// Whether the key at this place among all is in the set.
    #[inline]
    pub(super) const fn has_slot(self, slot: usize) -> bool {
        self.0 >> slot & 1 != 0
    }

    /// The backends of the set.
    #[inline]
    pub(crate) const fn backends(self) -> KeySet {
        self.below(DispatchKey::FIRST_LAYER)
    }

    /// Whether a layer is in the set, or a tensor that is to be looked at as by one.
    #[inline]
    pub const fn has_layers(self) -> bool {
        self.0 >= bit(DispatchKey::FIRST_LAYER)
    }

    /// The keys of the set that are below a key.
    #[inline]
    #[must_use]
    pub const fn below(self, key: DispatchKey) -> KeySet {
        KeySet(self.0 & (bit(key) - 1))
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
