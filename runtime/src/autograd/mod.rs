//! The gradient layer: what calls made a tensor, and passes backward through these.
//!
//! A recorded call is a [`Node`], which knows the [`Edge`]s to those that made its inputs. A
//! [`Pass`] begins at some outputs, and hands gradients along the edges until they come to leaves.
//! What gradients are added with comes from outside, as [`Arithmetic`]: nothing here names an
//! operator.

pub(crate) mod accumulate;
mod anomaly;
pub(crate) mod arithmetic;
mod custom;
mod depth;
pub(crate) mod edge;
pub(crate) mod edges;
mod engine;
pub(crate) mod geometry;
mod hooks;
mod leaf_hooks;
pub(crate) mod meta;
pub(crate) mod mode;
pub(crate) mod node;
pub(crate) mod outcome;
mod overwritten;
mod packing;
mod recorded;
mod recording;
mod rule;
pub(crate) mod saved;
mod slices;
mod slots;
mod tasks;
mod trial;

pub use self::accumulate::Accumulate;
pub use self::anomaly::{
    CallSite, CallSiteRecorder, anomaly_detection, set_anomaly_detection, set_call_site_recorder,
};
pub use self::arithmetic::{Arithmetic, PLAIN};
pub use self::custom::{BackwardCtx, CustomFunction, ForwardCtx, materialized};
pub use self::depth::{TOO_DEEP, nested_passes};
pub use self::edge::{Edge, is_same};
pub use self::edges::Edges;
pub use self::engine::Pass;
pub use self::geometry::Geometry;
pub use self::hooks::{
    HookContext, Hooks, LeafHook, PostHook, PreHook, Registry, TensorHook, Visit,
};
pub use self::leaf_hooks::{GradientHooks, LeafHooks, WeakHooks};
pub use self::meta::Creation;
pub use self::mode::{Mode, inference, is_inference, is_recording, recording, set_recording};
pub use self::node::{Call, Gradients, Header, Metadata, Node};
pub use self::outcome::{Outcome, Outputs};
pub use self::packing::{Packed, Packing, pop_packing, push_packing, refuse_packing};
pub use self::recorded::Recorded;
pub use self::recording::{
    Recording, check_all_in_place, check_composite, check_in_place, check_out, check_replaced,
    check_unrecorded, check_writable, one_of_many,
};
pub use self::rule::{
    Backward, Input, Rule, SavedSlot, element, optional_refs, or_zero, present, read, refs, some,
};
pub use self::saved::SavedTensor;
pub use self::slots::Saved;
pub use self::trial::Trial;
