//! Memory that programs ask for.

use opwright_runtime::{DType, Device, Result, Tensor, view};

use crate::entry::Frame;
use crate::types::Ty;

/// The dtypes of arrays, by their codes; numpy has unsigned ones that tensors have as signed bits.
const DTYPES: [(&str, DType); 14] = [
    ("bool", DType::Bool),
    ("int8", DType::Int8),
    ("int16", DType::Int16),
    ("int32", DType::Int32),
    ("int64", DType::Int64),
    ("uint8", DType::UInt8),
    ("uint16", DType::Int16),
    ("uint32", DType::Int32),
    ("uint64", DType::Int64),
    ("float16", DType::Float16),
    ("float32", DType::Float32),
    ("float64", DType::Float64),
    ("complex64", DType::Complex64),
    ("complex128", DType::Complex128),
];

/// The names of all dtypes that arrays may have.
pub fn dtype_names() -> impl Iterator<Item = &'static str> {
    DTYPES.iter().map(|(name, _)| *name)
}

/// The number by which programs name a dtype.
pub(crate) fn dtype_code(ty: Ty) -> i64 {
    let name = ty.to_string();
    let at = DTYPES.iter().position(|(it, _)| *it == name);
    at.and_then(|it| i64::try_from(it).ok()).unwrap_or(-1)
}

/// The dtype of the runtime that a type of elements stands for.
pub fn dtype(ty: Ty) -> Option<DType> {
    let name = ty.to_string();
    DTYPES.iter().find(|(it, _)| *it == name).map(|(_, dtype)| *dtype)
}

/// The type of elements of a dtype of the runtime.
pub fn ty(dtype: DType) -> Option<Ty> {
    DTYPES.iter().find(|(_, it)| *it == dtype).and_then(|(name, _)| Ty::of_name(name))
}

/// Makes an array: dtype, whether it is zero, dimensions, extents; gives its owner and its address.
///
/// # Safety
///
/// `args` has so many words, and `results` room for two.
pub(crate) unsafe extern "C" fn alloc(
    frame: *mut Frame,
    args: *const u64,
    results: *mut u64,
) -> u32 {
    // SAFETY: the caller passes the frame of the running program, and as many words as it says.
    let (frame, args) = unsafe {
        let count = 3 + args.add(2).read() as usize;
        (&mut *frame, std::slice::from_raw_parts(args, count))
    };
    let shape: Vec<i64> = args[3..].iter().map(|it| it.cast_signed()).collect();
    let made = frame.attempt(|frame| {
        let (_, dtype) = DTYPES[args[0] as usize];
        let tensor = match args[1] {
            0 => Tensor::allocate(&shape, dtype, Device::Cpu)?,
            _ => Tensor::zeroed(&shape, dtype, Device::Cpu)?,
        };
        // SAFETY: nobody else has the tensor, and any bits that its memory holds are numbers.
        let address = unsafe {
            let address = tensor.overwrite_ptr();
            tensor.assume_written();
            address.expose_provenance() as u64
        };
        Ok((frame.own(tensor), address))
    });
    let Some((owner, address)) = made else { return 1 };
    // SAFETY: there is room for two results.
    unsafe {
        results.write(owner);
        results.add(1).write(address);
    }
    0
}

/// A tensor over a part of another's memory that begins at an address; strides are in bytes.
///
/// # Errors
///
/// `Runtime` if the part does not lie within the memory.
pub fn part(
    of: &Tensor,
    address: u64,
    dtype: DType,
    shape: &[i64],
    strides: &[i64],
) -> Result<Tensor> {
    let size = dtype.size() as i64;
    let strides: Vec<i64> = strides.iter().map(|it| it / size).collect();
    let whole = if dtype == of.dtype() { of.clone() } else { view::reinterpret(of, dtype)? };
    let start = whole.data_ptr().addr() as i64;
    let offset = whole.offset() + (address.cast_signed() - start) / size;
    view::as_strided(&whole, shape, &strides, offset)
}
