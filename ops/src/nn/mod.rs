//! Building blocks of neural networks.

pub(crate) mod along_dim;
pub(crate) mod cross_entropy;
pub(crate) mod dropout;
pub(crate) mod layer_norm;
mod loss;
pub(crate) mod nll_loss;
pub(crate) mod one_hot;
pub(crate) mod padding;
pub(crate) mod piecewise;
pub(crate) mod pooling;
pub(crate) mod regression;
pub(crate) mod smooth;
pub(crate) mod softmax;
