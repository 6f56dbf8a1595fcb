//! Dispatch keys and sets of them.

use std::fmt;

use crate::{Device, Tensor};

/// What a kernel is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DispatchKey {
    /// Tensors in main memory.
    Cpu = 0,
    /// Tensors without memory: shapes and dtypes only.
    Meta = 1,
    /// Any tensors, by calling other operators, which record gradients.
    CompositeImplicit = 2,
    /// Any tensors, by calling other operators, with a gradient of its own.
    CompositeExplicit = 3,
}

impl DispatchKey {
    /// The number of keys.
    pub const COUNT: usize = 4;

    /// Every key, in the order of the enumeration.
    pub const ALL: [DispatchKey; DispatchKey::COUNT] = [
        DispatchKey::Cpu,
        DispatchKey::Meta,
        DispatchKey::CompositeImplicit,
        DispatchKey::CompositeExplicit,
    ];

    /// The name: `CPU`.
    pub const fn name(self) -> &'static str {
        match self {
            DispatchKey::Cpu => "CPU",
            DispatchKey::Meta => "Meta",
            DispatchKey::CompositeImplicit => "CompositeImplicit",
            DispatchKey::CompositeExplicit => "CompositeExplicit",
        }
    }
}

impl fmt::Display for DispatchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the arguments of a call have in common, as a set of keys.
///
/// A call without tensors runs on the CPU unless a device argument says
/// otherwise. One meta tensor makes a meta call; whether the others may be
/// elsewhere is for the shape rules to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeySet(u8);

impl KeySet {
    /// No key.
    pub const EMPTY: KeySet = KeySet(0);

    /// The set with a key in it.
    #[inline]
    #[must_use]
    pub const fn with(self, key: DispatchKey) -> KeySet {
        KeySet(self.0 | 1 << key as u8)
    }

    /// The set without a key.
    #[inline]
    #[must_use]
    pub const fn without(self, key: DispatchKey) -> KeySet {
        KeySet(self.0 & !(1 << key as u8))
    }

    /// Whether a key is in the set.
    #[inline]
    pub const fn contains(self, key: DispatchKey) -> bool {
        self.0 >> key as u8 & 1 == 1
    }

    /// The set with the key of a device.
    #[inline]
    #[must_use]
    pub const fn with_device(self, device: Device) -> KeySet {
        match device {
            Device::Cpu => self.with(DispatchKey::Cpu),
            Device::Meta => self.with(DispatchKey::Meta),
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

    /// The set with the key of a tensor.
    #[inline]
    #[must_use]
    pub fn with_tensor(self, tensor: &Tensor) -> KeySet {
        self.with_device(tensor.device())
    }

    /// The set with the key of a tensor, if one is given.
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

    /// The backend that runs the call.
    #[inline]
    pub const fn backend(self) -> DispatchKey {
        if self.contains(DispatchKey::Meta) { DispatchKey::Meta } else { DispatchKey::Cpu }
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
        assert_eq!(KeySet::EMPTY.backend(), DispatchKey::Cpu);
        assert_eq!(KeySet::EMPTY.with_tensor(&cpu).backend(), DispatchKey::Cpu);
        assert_eq!(KeySet::EMPTY.with_tensors(&[&cpu, &meta]).backend(), DispatchKey::Meta);
        assert_eq!(KeySet::EMPTY.with_optional(None).with_optional_device(None), KeySet::EMPTY);
    }
}
