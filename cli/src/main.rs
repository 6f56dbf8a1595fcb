//! The opwright command.
fn main() {}
