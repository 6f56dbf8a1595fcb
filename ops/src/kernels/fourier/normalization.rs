//! The argument `norm`: who divides by the number of elements.

use opwright_runtime::{Result, fail};

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Inverse,
}

impl Direction {
    pub(crate) fn is_forward(self) -> bool {
        self == Direction::Forward
    }
}

/// The mode of a transform in this direction: 0 does not divide, 1 divides by
/// the square root of the number of elements, 2 by the number.
///
/// # Errors
///
/// `Runtime` for an unknown name.
pub(crate) fn mode(norm: Option<&str>, direction: Direction) -> Result<i64> {
    Ok(match (norm, direction) {
        (None | Some("backward"), Direction::Forward) => 0,
        (None | Some("backward"), Direction::Inverse) => 2,
        (Some("forward"), Direction::Forward) => 2,
        (Some("forward"), Direction::Inverse) => 0,
        (Some("ortho"), _) => 1,
        (Some(other), _) => fail!(Runtime, "Invalid normalization mode: \"{other}\""),
    })
}
