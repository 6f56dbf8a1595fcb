//! Room for graphs: nodes, maps and lists of them cannot fail in stable Rust, so it is looked for
//! before they are made. A few come out of what is set aside.

use opwright_runtime::{Error, buffer};

/// More than a node, its inputs, its types, and what is known of it meanwhile take.
const NODE: usize = 4 << 10;

/// Fails unless so many nodes can be made, and what a walk along them takes.
///
/// # Errors
///
/// `Memory` if there is not enough.
pub(crate) fn check(nodes: usize) -> Result<(), Error> {
    buffer::check_room(nodes.saturating_mul(NODE))
}
