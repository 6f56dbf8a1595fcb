//! Many elements to one.

pub(crate) mod any_all;
pub(crate) mod argmax;
mod argreduce;
pub(crate) mod extremes;
pub(crate) mod gradient;
pub(crate) mod histogram;
pub(crate) mod logsumexp;
mod moments;
pub(crate) mod norms;
pub(crate) mod products;
mod runs;
pub(crate) mod scan;
mod space;
pub(crate) mod sums;
pub(crate) mod variance;
