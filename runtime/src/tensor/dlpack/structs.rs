//! The structures of the protocol, as its C header lays them out.

use std::ffi::c_void;

use crate::DType;

/// Main memory.
pub(super) const CPU: i32 = 1;
/// A flag of [`Versioned`]: nobody may write to the memory.
pub(super) const READ_ONLY: u64 = 1;
/// The version that this is written for.
pub const VERSION: [u32; 2] = [1, 0];

/// The type of elements.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DataType {
    /// The kind of number.
    pub code: u8,
    /// How long it is.
    pub bits: u8,
    /// How many numbers are one element.
    pub lanes: u16,
}

/// Where the elements are, and of what type.
#[derive(Debug)]
#[repr(C)]
pub struct View {
    /// Where the memory is.
    pub data: *mut c_void,
    /// The type of the device, and which one.
    pub device: [i32; 2],
    /// How many dimensions there are.
    pub ndim: i32,
    /// What the elements are.
    pub dtype: DataType,
    /// The sizes.
    pub shape: *mut i64,
    /// In elements; null for row-major order.
    pub strides: *mut i64,
    /// Where the first element is in the memory.
    pub byte_offset: u64,
}

/// A view and how its consumer gives it back.
#[derive(Debug)]
#[repr(C)]
pub struct Managed {
    /// What is seen.
    pub view: View,
    /// What the producer keeps.
    pub context: *mut c_void,
    /// What gives it back.
    pub deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// The same with a version in front.
#[derive(Debug)]
#[repr(C)]
pub struct Versioned {
    /// Of the protocol: major, minor.
    pub version: [u32; 2],
    /// What the producer keeps.
    pub context: *mut c_void,
    /// What gives it back.
    pub deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    /// What else is known of the memory.
    pub flags: u64,
    /// What is seen.
    pub view: View,
}

impl DataType {
    pub(super) fn of(dtype: DType) -> DataType {
        DataType { code: dtype.type_code() as u8, bits: dtype.size() as u8 * 8, lanes: 1 }
    }

    /// The dtype, if we have it.
    pub(super) fn dtype(self) -> Option<DType> {
        let same = |it: &DType| {
            let other = DataType::of(*it);
            (other.code, other.bits, other.lanes) == (self.code, self.bits, self.lanes)
        };
        DType::ALL.into_iter().find(same)
    }
}
