//! The structures of the protocol, as its C header lays them out.

use std::ffi::{CStr, c_void};

use opwright_runtime::DType;

/// The name of a capsule that nobody has taken.
pub(super) const NAME: &CStr = c"dltensor";
/// The name of a capsule with a version.
pub(super) const VERSIONED_NAME: &CStr = c"dltensor_versioned";
/// Main memory.
pub(super) const CPU: i32 = 1;
/// A flag of [`Versioned`]: nobody may write to the memory.
pub(super) const READ_ONLY: u64 = 1;
/// The version that this is written for.
pub(super) const VERSION: [u32; 2] = [1, 0];

#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct DataType {
    pub(super) code: u8,
    pub(super) bits: u8,
    pub(super) lanes: u16,
}

/// Where the elements are, and of what type.
#[repr(C)]
pub(super) struct View {
    pub(super) data: *mut c_void,
    pub(super) device: [i32; 2],
    pub(super) ndim: i32,
    pub(super) dtype: DataType,
    pub(super) shape: *mut i64,
    /// In elements; null for row-major order.
    pub(super) strides: *mut i64,
    pub(super) byte_offset: u64,
}

/// A view and how its consumer gives it back.
#[repr(C)]
pub(super) struct Managed {
    pub(super) view: View,
    pub(super) context: *mut c_void,
    pub(super) deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// The same with a version in front.
#[repr(C)]
pub(super) struct Versioned {
    pub(super) version: [u32; 2],
    pub(super) context: *mut c_void,
    pub(super) deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    pub(super) flags: u64,
    pub(super) view: View,
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
