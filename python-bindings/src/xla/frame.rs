//! Call frames of compiled programs of XLA, in the structures of `xla/ffi/api/c_api.h`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::{ptr, slice};

use opwright_runtime::{DType, Tensor};
use smallvec::SmallVec;

/// Structures of later versions are longer at their ends.
#[repr(C)]
struct Extensible {
    struct_size: usize,
    extension: *const Extension,
}

#[repr(C)]
struct Extension {
    struct_size: usize,
    kind: c_int,
    next: *const Extension,
}

/// The question which version of the interface a function is for.
#[repr(C)]
struct MetadataExtension {
    base: Extension,
    metadata: *mut Metadata,
}

#[repr(C)]
struct Metadata {
    struct_size: usize,
    version: Version,
    traits: u32,
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

/// `XLA_FFI_Error_Code`.
#[derive(Clone, Copy)]
pub(super) enum ErrorCode {
    InvalidArgument = 3,
    Unimplemented = 12,
    Internal = 13,
}

/// `XLA_FFI_Extension_Metadata`.
const METADATA: c_int = 1;

/// `XLA_FFI_API_MINOR`: the last that these structures are known to fit.
const MINOR: c_int = 3;

impl CallFrame {
    /// Answers which version of the interface the function is for, if that is the question: the one
    /// that XLA has, by its minor number, or the last one that is known.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA.
    pub(super) unsafe fn is_answered(&self, minor: c_int) -> bool {
        let extension = self.base.extension;
        // SAFETY: it is null, or one that XLA keeps until the call ends.
        if unsafe { extension.as_ref() }.is_none_or(|it| it.kind != METADATA) {
            return false;
        }
        // SAFETY: one of this kind begins such a structure, whose metadata XLA has the function write.
        let metadata = unsafe { &mut *(*extension.cast::<MetadataExtension>()).metadata };
        (metadata.version.major, metadata.version.minor) = (0, minor.min(MINOR));
        metadata.traits = 0;
        true
    }

    /// What is called, and the overload with `out=` that does it, as texts. None if XLA passes other
    /// attributes than ours.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA, whose attributes are texts.
    pub(super) unsafe fn texts(&self) -> Option<[&[u8]; 2]> {
        // SAFETY: there are two, in the order of their names, each a text for as long as the frame.
        let text = |at| unsafe { text(&**self.attributes.values.add(at)) };
        (self.attributes.size == 2).then(|| [0, 1].map(text))
    }

    /// What calls are alike by: the texts of what is called, and shapes and dtypes of arguments. None
    /// if XLA asks something else, or has other attributes than ours.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA, whose attributes are texts.
    pub(super) unsafe fn key(&self) -> Option<Vec<u8>> {
        if !self.base.extension.is_null() {
            return None;
        }
        // SAFETY: the frame is one of XLA, whose attributes are texts.
        let [call, out] = unsafe { self.texts() }?;
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

    /// An error of XLA; null where a question has no place for one.
    ///
    /// # Safety
    ///
    /// The frame is one of XLA.
    pub(super) unsafe fn error(&self, message: &CStr, code: ErrorCode) -> *mut c_void {
        // SAFETY: it is null, or there as long as XLA.
        let Some(api) = (unsafe { self.api.as_ref() }) else { return ptr::null_mut() };
        let mut arguments = ErrorArguments {
            base: Extensible { struct_size: size_of::<ErrorArguments>(), extension: ptr::null() },
            message: message.as_ptr(),
            code: code as c_int,
        };
        // SAFETY: the interface has this function, which copies the message.
        unsafe { (api.make_error)(&raw mut arguments) }
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
