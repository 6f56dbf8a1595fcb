//! Steps of optimizers, over all parameters at once.

pub(crate) mod adam;
mod lists;
pub(crate) mod sgd;
