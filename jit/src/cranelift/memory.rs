//! The memory of code: freed with the module, and never so scattered that calls do not reach.

use std::io;

use cranelift_jit::{
    BranchProtection, JITMemoryKind, JITMemoryProvider, JITModule, SystemMemoryProvider,
};
use cranelift_module::ModuleResult;

/// How far apart the functions of a module may lie: half of what a call on x86 reaches.
const REACH: usize = 1 << 30;

/// A module, whose memory is freed with it.
pub(super) struct Pages(Option<Box<JITModule>>);

// SAFETY: a shared module is only ever read through `get`, which takes it exclusively.
unsafe impl Sync for Pages {}

impl Pages {
    pub(super) fn new(module: JITModule) -> Pages {
        Pages(Some(Box::new(module)))
    }

    /// The module; it is there until it is dropped.
    pub(super) fn get(&mut self) -> Option<&mut JITModule> {
        self.0.as_deref_mut()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: whoever runs the code borrows the `Native` that owns these pages.
            unsafe { module.free_memory() };
        }
    }
}

/// The system's memory, refused where a relative call would not reach the function made first.
pub(super) struct Near {
    system: SystemMemoryProvider,
    first: Option<usize>,
}

impl Near {
    pub(super) fn new() -> Near {
        Near { system: SystemMemoryProvider::new(), first: None }
    }
}

impl JITMemoryProvider for Near {
    fn allocate(&mut self, size: usize, align: u64, kind: JITMemoryKind) -> io::Result<*mut u8> {
        let memory = self.system.allocate(size, align, kind)?;
        let first = *self.first.get_or_insert(memory.addr());
        if memory.addr().abs_diff(first) + size > REACH {
            return Err(io::Error::other("no memory near the other functions"));
        }
        Ok(memory)
    }

    unsafe fn free_memory(&mut self) {
        // SAFETY: the caller runs none of the code any more.
        unsafe { self.system.free_memory() };
    }

    fn finalize(&mut self, branch_protection: BranchProtection) -> ModuleResult<()> {
        self.system.finalize(branch_protection)
    }
}
