//! Memory maps of files, and memory that processes share.

use std::fs::File;
use std::io;
use std::ptr::NonNull;

/// Mapped memory, until it is dropped.
pub(super) struct Mapping {
    start: NonNull<u8>,
    #[cfg_attr(not(all(unix, target_pointer_width = "64", not(miri))), expect(dead_code))]
    bytes: usize,
}

// SAFETY: a mapping belongs to the process, not to a thread.
unsafe impl Send for Mapping {}
// SAFETY: its own fields never change.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// The first byte, at the beginning of a page.
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }
}

#[cfg(all(unix, target_pointer_width = "64", not(miri)))]
mod system {
    use std::ffi::{c_int, c_void};
    use std::os::fd::AsRawFd;

    use super::{File, Mapping, NonNull, io};

    unsafe extern "C" {
        fn mmap(
            start: *mut c_void,
            bytes: usize,
            protection: c_int,
            flags: c_int,
            file: c_int,
            offset: i64,
        ) -> *mut c_void;
        fn munmap(start: *mut c_void, bytes: usize) -> c_int;
    }

    /// `PROT_READ | PROT_WRITE` of `<sys/mman.h>`.
    const READ_AND_WRITE: c_int = 3;
    const MAP_SHARED: c_int = 1;
    const MAP_PRIVATE: c_int = 2;

    impl Mapping {
        /// The first bytes of a file that has so many, at least one. What is written to them goes
        /// to the file if it `writes_through`, else nowhere.
        pub(in super::super) fn of_file(
            file: &File,
            bytes: usize,
            writes_through: bool,
        ) -> io::Result<Mapping> {
            let flags = if writes_through { MAP_SHARED } else { MAP_PRIVATE };
            let null = std::ptr::null_mut();
            // SAFETY: a new mapping, at a place that the system picks; the file is open.
            let start = unsafe { mmap(null, bytes, READ_AND_WRITE, flags, file.as_raw_fd(), 0) };
            // What failed is at the last address.
            if start.addr() == usize::MAX {
                return Err(io::Error::last_os_error());
            }
            let start = NonNull::new(start.cast()).ok_or_else(io::Error::last_os_error)?;
            Ok(Mapping { start, bytes })
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            // SAFETY: `of_file` mapped these bytes, which the last user has left.
            unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
        }
    }

    #[cfg(all(target_os = "linux", feature = "shm"))]
    impl Mapping {
        /// New memory of at least one byte, full of zeros, which processes that come from this one
        /// share with it.
        pub(in super::super) fn of_memory(bytes: usize) -> io::Result<Mapping> {
            use std::ffi::{c_char, c_uint};
            use std::os::fd::FromRawFd;

            unsafe extern "C" {
                fn memfd_create(name: *const c_char, flags: c_uint) -> c_int;
            }
            const MFD_CLOEXEC: c_uint = 1;

            // SAFETY: the name ends with a null byte.
            let file = unsafe { memfd_create(c"opwright".as_ptr(), MFD_CLOEXEC) };
            if file < 0 {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: a file that was just opened, and nobody else has.
            let file = unsafe { File::from_raw_fd(file) };
            file.set_len(bytes as u64)?;
            Mapping::of_file(&file, bytes, true)
        }
    }
}

#[cfg(not(all(unix, target_pointer_width = "64", not(miri))))]
impl Mapping {
    /// None: files are mapped on 64-bit Unix only.
    pub(super) fn of_file(_: &File, _: usize, _: bool) -> io::Result<Mapping> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(feature = "shm", not(all(target_os = "linux", target_pointer_width = "64", not(miri)))))]
impl Mapping {
    /// None: memory is shared on Linux only.
    pub(super) fn of_memory(_: usize) -> io::Result<Mapping> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
