//! Versions, counters, settings, errors.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use opwright_runtime as rt;
use opwright_runtime::ensure;

use crate::call::{guarded, run};
use crate::count;
use crate::error::{self, Error, ErrorKind, Status};
use crate::operator::{Operator, Operators};
use crate::value::{Bool, CValue, Dtype};

/// `_ABI_VERSION`: major << 16 | minor.
const ABI_VERSION: u32 = 1;

const fn parts(version: u32) -> (u32, u32) {
    (version >> 16, version & 0xffff)
}

pub unsafe fn abi_version() -> u32 {
    ABI_VERSION
}

pub unsafe fn abi_fits(header: u32) -> Bool {
    let ((major, minor), (own_major, own_minor)) = (parts(header), parts(ABI_VERSION));
    (major == own_major && minor <= own_minor).into()
}

pub unsafe fn version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => c"?",
        };
    VERSION.as_ptr()
}

pub unsafe fn live_handles() -> i64 {
    count::live()
}

pub unsafe fn operators(table: &'static Operators, len: *mut usize) -> *const Operator {
    let all = guarded(&[][..], || table.rows());
    if !len.is_null() {
        // SAFETY: it is not NULL, and can be written to.
        unsafe { len.write(all.len()) };
    }
    all.as_ptr()
}

pub unsafe fn get_num_threads() -> i64 {
    guarded(1, || rt::parallel::get_num_threads() as i64)
}

pub unsafe fn set_num_threads(count: i64) -> Status {
    run("set_num_threads count", &mut |_| {
        let given = usize::try_from(count).unwrap_or_default();
        ensure!(given > 0, Runtime, "argument 'count' is {count}, expected a positive number");
        rt::parallel::set_num_threads(given)
    })
}

pub unsafe fn manual_seed(seed: u64) {
    guarded((), || rt::Generator::default_cpu().manual_seed(seed));
}

pub unsafe fn thread_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local! {
        static OWN: u64 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    OWN.try_with(|it| *it).unwrap_or(u64::MAX)
}

pub unsafe fn default_dtype() -> Dtype {
    rt::default_dtype().to_c()
}

pub unsafe fn set_default_dtype(dtype: Dtype) -> Status {
    run("set_default_dtype dtype", &mut |c| {
        // SAFETY: it is a number.
        rt::set_default_dtype(unsafe { c.value(dtype, 1) }?)
    })
}

pub unsafe fn error_free(error: *mut Error) {
    // SAFETY: it is NULL or an error that was returned.
    unsafe { error::free(error) };
}

pub unsafe fn error_kind_name(kind: ErrorKind) -> *const c_char {
    error::kind_name(kind).as_ptr()
}

pub unsafe fn dtype_name(dtype: Dtype) -> *const c_char {
    static NAMES: LazyLock<BTreeMap<Dtype, std::ffi::CString>> = LazyLock::new(|| {
        let named = |it: rt::DType| Some((it.to_c(), std::ffi::CString::new(it.name()).ok()?));
        rt::DType::ALL.into_iter().filter_map(named).collect()
    });
    guarded(c"?", || NAMES.get(&dtype).map_or(c"?", |it| it.as_c_str())).as_ptr()
}

pub unsafe fn dtype_size(dtype: Dtype) -> usize {
    <rt::DType as CValue>::of(dtype).map_or(0, rt::DType::size)
}
