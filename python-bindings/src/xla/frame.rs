//! Call frames of compiled programs of XLA, in the structures of `xla/ffi/api/c_api.h`.

use std::ffi::{c_char, c_int, c_void};
use std::slice;

use opwright_runtime::{DType, Tensor};
use smallvec::SmallVec;

/// Structures of later versions are longer at their ends.
#[repr(C)]
struct Extensible {
    struct_size: usize,
    extension: *const c_void,
}

#[repr(C)]
struct Buffer {
    base: Extensible,
    dtype: c_int,
    data: *mut u8,
    rank: i64,
    dims: *const i64,
}

#[repr(C)]
pub(super) struct Buffers {
    base: Extensible,
    size: i64,
    types: *const c_void,
    buffers: *const *const Buffer,
}

#[repr(C)]
struct ByteSpan {
    start: *const u8,
    length: usize,
}

#[repr(C)]
struct Attributes {
    base: Extensible,
    size: i64,
    types: *const c_void,
    names: *const c_void,
    values: *const *const ByteSpan,
}

#[repr(C)]
struct Version {
    base: Extensible,
    major: c_int,
    minor: c_int,
}

#[repr(C)]
struct ErrorArguments {
    base: Extensible,
    message: *const c_char,
    code: c_int,
}

#[repr(C)]
struct Api {
    base: Extensible,
    version: Version,
    internal: *const c_void,
    make_error: unsafe extern "C" fn(*mut ErrorArguments) -> *mut c_void,
}

/// One call: its arguments, the memory for its results, and the two texts that say what it is.
#[repr(C)]
pub(super) struct CallFrame {
    base: Extensible,
    api: *const Api,
    context: *const c_void,
    stage: c_int,
    arguments: Buffers,
    results: Buffers,
    attributes: Attributes,
}

/// `XLA_FFI_Error_Code_INTERNAL`.
const INTERNAL: c_int = 13;

impl CallFrame {
    /// What calls are alike by: the texts of what is called, and shapes and dtypes of arguments. None
    /// if XLA asks something else, or has other attributes than ours.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA, whose attributes are texts.
    pub(super) unsafe fn key(&self) -> Option<Vec<u8>> {
        if !self.base.extension.is_null() || self.attributes.size != 2 {
            return None;
        }
        // SAFETY: there are two, in the order of their names.
        let [call, out] = [0, 1].map(|at| unsafe { text(&**self.attributes.values.add(at)) });
        let mut key = Vec::with_capacity(call.len() + out.len() + 64);
        // No name of an overload has a zero, and no JSON.
        for text in [out, call] {
            key.extend_from_slice(text);
            key.push(0);
        }
        // SAFETY: the frame is one of XLA.
        for buffer in unsafe { self.arguments.all() } {
            key.extend_from_slice(&buffer.dtype.to_ne_bytes());
            key.extend_from_slice(&buffer.rank.to_ne_bytes());
            // SAFETY: the frame is one of XLA.
            let dims = unsafe { buffer.dims() };
            key.extend(dims.iter().flat_map(|it| it.to_ne_bytes()));
        }
        Some(key)
    }

    /// Tensors over the arguments; none if one is of a dtype that tensors have not.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA, and the tensors are dropped before the call ends.
    pub(super) unsafe fn arguments(&self) -> Option<SmallVec<[Tensor; 4]>> {
        // SAFETY: the caller's.
        unsafe { self.arguments.all().map(|it| it.tensor()).collect() }
    }

    /// Tensors over the memory for results.
    ///
    /// # Safety
    ///
    /// As for [`arguments`](CallFrame::arguments).
    pub(super) unsafe fn results(&self) -> Option<SmallVec<[Tensor; 4]>> {
        // SAFETY: the caller's.
        unsafe { self.results.all().map(|it| it.tensor()).collect() }
    }

    /// An error of XLA.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA.
    pub(super) unsafe fn error(&self, message: &std::ffi::CStr) -> *mut c_void {
        let mut arguments = ErrorArguments {
            base: Extensible {
                struct_size: size_of::<ErrorArguments>(),
                extension: std::ptr::null(),
            },
            message: message.as_ptr(),
            code: INTERNAL,
        };
        // SAFETY: the interface has this function, which copies the message.
        unsafe { ((*self.api).make_error)(&raw mut arguments) }
    }
}

/// # Safety
///
/// So many bytes are there for as long as the text.
unsafe fn text(text: &ByteSpan) -> &[u8] {
    match text.length {
        0 => &[],
        // SAFETY: the caller's.
        length => unsafe { slice::from_raw_parts(text.start, length) },
    }
}

impl Buffers {
    /// # Safety
    ///
    /// They are those of a call that is not over.
    unsafe fn all(&self) -> impl Iterator<Item = &Buffer> {
        // SAFETY: so many are there.
        (0..self.size as usize).map(|at| unsafe { &**self.buffers.add(at) })
    }
}

impl Buffer {
    /// # Safety
    ///
    /// It is one of a call that is not over.
    unsafe fn dims(&self) -> &[i64] {
        match self.rank as usize {
            0 => &[],
            // SAFETY: so many are there.
            rank => unsafe { slice::from_raw_parts(self.dims, rank) },
        }
    }

    /// # Safety
    ///
    /// As for [`dims`](Buffer::dims), and the tensor is dropped before the call ends.
    unsafe fn tensor(&self) -> Option<Tensor> {
        // SAFETY: the caller's.
        let dims = unsafe { self.dims() };
        let mut strides: SmallVec<[i64; 6]> = SmallVec::from_elem(1, dims.len());
        for at in (1..dims.len()).rev() {
            strides[at - 1] = strides[at].saturating_mul(dims[at]);
        }
        let dtype = dtype(self.dtype)?;
        // SAFETY: XLA keeps the elements, in row-major order, until the call ends, and writes to none.
        unsafe { Tensor::from_foreign(self.data, dims, &strides, dtype, Box::new(())) }.ok()
    }
}

/// The dtype of an `XLA_FFI_DataType`.
fn dtype(number: c_int) -> Option<DType> {
    Some(match number {
        1 => DType::Bool,
        2 => DType::Int8,
        3 => DType::Int16,
        4 => DType::Int32,
        5 => DType::Int64,
        6 => DType::UInt8,
        7 => DType::UInt16,
        8 => DType::UInt32,
        9 => DType::UInt64,
        10 => DType::Float16,
        11 => DType::Float32,
        12 => DType::Float64,
        15 => DType::Complex64,
        16 => DType::BFloat16,
        18 => DType::Complex128,
        _ => return None,
    })
}
