//! The gradient layer: what calls made a tensor, and passes backward through these.
//!
//! A recorded call is a [`Node`], which knows the [`Edge`]s to those that made its inputs. A
//! [`Pass`] begins at some outputs, and hands gradients along the edges until they come to leaves.
//! What gradients are added with comes from outside, as [`Arithmetic`]: nothing here names an
//! operator.

mod accumulate;
mod anomaly;
mod custom;
mod depth;
mod edge;
mod edges;
mod engine;
mod geometry;
mod hooks;
mod meta;
mod mode;
mod node;
mod outcome;
mod overwritten;
mod packing;
mod plain;
mod recorded;
mod recording;
mod rule;
mod saved;
mod slices;
mod slots;
mod tasks;
mod trial;

use crate::{DType, Result, Tensor};

pub use self::accumulate::Accumulate;
pub use self::anomaly::{
    CallSite, CallSiteRecorder, anomaly_detection, set_anomaly_detection, set_call_site_recorder,
};
pub use self::custom::{BackwardCtx, CustomFunction, ForwardCtx, materialized};
pub use self::depth::{TOO_DEEP, nested_passes};
pub use self::edge::{Edge, is_same};
pub use self::edges::Edges;
pub use self::engine::Pass;
pub use self::geometry::Geometry;
pub use self::hooks::{
    GradientHooks, HookContext, Hooks, LeafHook, LeafHooks, PostHook, PreHook, Registry,
    TensorHook, Visit, WeakHooks,
};
pub use self::meta::Creation;
pub use self::mode::{Mode, inference, is_inference, is_recording, recording, set_recording};
pub use self::node::{Call, Gradients, Header, Metadata, Node};
pub use self::outcome::{Outcome, Outputs};
pub use self::packing::{Packed, Packing, pop_packing, push_packing, refuse_packing};
pub use self::plain::PLAIN;
pub use self::recorded::{Recorded, Saved};
pub use self::recording::{
    Recording, check_all_in_place, check_composite, check_in_place, check_out, check_replaced,
    check_unrecorded, check_writable, one_of_many,
};
pub use self::rule::{
    Backward, Input, Rule, Slot, element, optional_refs, or_zero, present, read, refs, some,
};
pub use self::saved::SavedTensor;
pub use self::trial::Trial;

/// What a pass computes with; while it is recorded itself, these are operators that are recorded.
///
/// Each of them may fail with `Memory`.
#[expect(clippy::missing_errors_doc, reason = "it is said once, above")]
pub trait Arithmetic: Sync {
    /// `a + b`.
    fn sum(&self, a: &Tensor, b: &Tensor) -> Result<Tensor>;

    /// `a += b`.
    fn add(&self, a: &mut Tensor, b: &Tensor) -> Result<()>;

    /// The sum over the dimensions along which `shape` would be stretched to that of the tensor.
    fn summed_to(&self, tensor: &Tensor, shape: &[i64]) -> Result<Tensor>;

    /// The tensor in another dtype; the real part, if that is real and the tensor complex.
    fn cast(&self, tensor: &Tensor, dtype: DType) -> Result<Tensor>;

    /// Of the gradient of a tensor that lay as `base`: that of a view of it which lay as `view`.
    fn sliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor>;

    /// The same gradient with another one of the view in it.
    fn with_slice(
        &self,
        gradient: &Tensor,
        base: &Geometry,
        view: &Geometry,
        slice: &Tensor,
    ) -> Result<Tensor>;

    /// The gradient of a tensor that lay as `base`, if `gradient` is that of a view which lay as
    /// `view`.
    fn unsliced(&self, gradient: &Tensor, base: &Geometry, view: &Geometry) -> Result<Tensor>;

    /// The parts of complex numbers along a new last dimension, the real ones first.
    fn parts(&self, tensor: &Tensor) -> Result<Tensor>;

    /// The complex numbers of such parts.
    fn joined(&self, parts: &Tensor) -> Result<Tensor>;

    /// Zeros of the shape and the dtype of a tensor.
    fn zeros_like(&self, tensor: &Tensor) -> Result<Tensor>;

    /// Whether an element is not a number.
    fn has_nan(&self, tensor: &Tensor) -> Result<bool>;

    /// A copy whose elements lie as those of `other` do.
    fn copied_like(&self, tensor: &Tensor, other: &Tensor) -> Result<Tensor>;
}
