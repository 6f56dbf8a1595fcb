//! Machine code against the machine: the same bits, the same failures.
#![cfg(feature = "cranelift")]

mod calls;
mod failures;
mod instructions;
mod loops;
mod memory;
mod nests;
mod outcome;
mod random;
