//! Python signatures: names, their signatures in the order in which they are
//! tried, and which overload each of them calls with what.
//!
//! The tables and shims, the stubs and the reference are printed from this
//! one model, so they cannot disagree. It knows schema types and indices of
//! overloads, and neither Rust tokens nor Python objects.

mod draft;
mod functional;
mod merge;
pub(crate) mod model;

pub use merge::functions;
pub use model::{
    Argument, CallResult, Described, Forwarding, Forwards, Home, OverloadCall, Parameter,
    PythonFunction, Section, Signature, TensorOption,
};
