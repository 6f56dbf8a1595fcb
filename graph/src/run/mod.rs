//! Execution: steps over a frame of slots, buffer reuse, and the host's part.

pub(crate) mod error;
pub(crate) mod fast_path;
pub(crate) mod frame;
pub(crate) mod function;
pub(crate) mod host;
pub(crate) mod observer;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod profile;
pub mod scalar;
pub(crate) mod scalar_loop;
pub(crate) mod step;
pub(crate) mod variants;
