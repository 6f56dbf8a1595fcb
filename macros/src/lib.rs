//! The attribute `#[native_op]`.
