//! Many elements to one.

mod best;
pub(crate) mod extremes;
pub(crate) mod histogram;
pub(crate) mod logsumexp;
mod moments;
pub(crate) mod norms;
pub(crate) mod places;
pub(crate) mod products;
pub(crate) mod running;
mod runs;
mod space;
pub(crate) mod sums;
pub(crate) mod truth;
pub(crate) mod variance;
