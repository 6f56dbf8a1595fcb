//! The floating-point environment of kernels: subnormal numbers are numbers.
//!
//! XLA takes them for zeros in its threads, which neither Rust nor kernels are written for.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::asm;

/// The environment that Rust computes in, until it is dropped, and then the one before.
pub(super) struct DefaultEnvironment {
    before: ControlRegister,
}

#[cfg(target_arch = "x86_64")]
type ControlRegister = u32;
#[cfg(not(target_arch = "x86_64"))]
type ControlRegister = u64;

/// All exceptions masked, rounding to nearest, subnormal numbers kept.
#[cfg(target_arch = "x86_64")]
const DEFAULT: ControlRegister = 0x1f80;
#[cfg(not(target_arch = "x86_64"))]
const DEFAULT: ControlRegister = 0;

impl DefaultEnvironment {
    pub(super) fn enter() -> DefaultEnvironment {
        let before = control();
        if before != DEFAULT {
            set_control(DEFAULT);
        }
        DefaultEnvironment { before }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        if self.before != DEFAULT {
            set_control(self.before);
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn control() -> ControlRegister {
    let mut value: ControlRegister = 0;
    // SAFETY: it writes the register to these four bytes.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
    value & !EXCEPTIONS_SEEN
}

/// What has happened, which is nothing that is set.
#[cfg(target_arch = "x86_64")]
const EXCEPTIONS_SEEN: ControlRegister = 0x3f;

#[cfg(target_arch = "x86_64")]
fn set_control(value: ControlRegister) {
    // SAFETY: the value is one that was read, or that of every new thread.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
}

#[cfg(target_arch = "aarch64")]
fn control() -> ControlRegister {
    let value;
    // SAFETY: it reads the register.
    unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack)) };
    value
}

#[cfg(target_arch = "aarch64")]
fn set_control(value: ControlRegister) {
    // SAFETY: the value is one that was read, or that of every new thread.
    unsafe { asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack)) };
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn control() -> ControlRegister {
    DEFAULT
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn set_control(_: ControlRegister) {}
