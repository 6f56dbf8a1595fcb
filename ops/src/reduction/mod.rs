//! Many elements to one.

pub(crate) mod any_all;
pub(crate) mod argmax;
mod argreduce;
pub(crate) mod covariance;
pub(crate) mod differences;
pub(crate) mod distance;
pub(crate) mod extremes;
pub(crate) mod finite_differences;
pub(crate) mod gradient;
pub(crate) mod hash;
pub(crate) mod histogram;
pub(crate) mod histogramdd;
pub(crate) mod logsumexp;
mod moments;
pub(crate) mod norms;
pub(crate) mod products;
mod runs;
pub(crate) mod scan;
pub(crate) mod segments;
mod space;
pub(crate) mod sums;
pub(crate) mod variance;
