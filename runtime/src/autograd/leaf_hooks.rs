//! Hooks of a tensor's gradient: those of leaves, and handles of them.

use std::sync::{Arc, Weak};

use super::accumulate::Accumulate;
use super::hooks::{LeafHook, Registry, TensorHook, Visit};
use super::node::Node;
use crate::lock::Lock;

/// What is called when gradients come to a leaf.
#[derive(Default)]
pub struct LeafHooks {
    /// Before the gradient is added.
    pub gradient: Registry<TensorHook>,
    /// After it was.
    pub added: Registry<LeafHook>,
    /// The node of the leaf, as long as a graph holds it.
    node: Lock<Weak<Accumulate>>,
}

/// The hooks of a tensor's gradient.
#[derive(Clone)]
pub enum GradientHooks {
    /// Of a leaf.
    Leaf(Arc<LeafHooks>),
    /// Of a result.
    Result(Arc<Registry<TensorHook>>),
}

impl GradientHooks {
    /// Those that see the gradient.
    pub fn registry(&self) -> &Registry<TensorHook> {
        match self {
            GradientHooks::Leaf(it) => &it.gradient,
            GradientHooks::Result(it) => it,
        }
    }

    /// The same without keeping them alive.
    pub fn downgrade(&self) -> WeakHooks {
        match self {
            GradientHooks::Leaf(it) => WeakHooks::Leaf(Arc::downgrade(it)),
            GradientHooks::Result(it) => WeakHooks::Result(Arc::downgrade(it)),
        }
    }
}

/// The hooks of a tensor's gradient, as long as somebody else holds them.
pub enum WeakHooks {
    /// Of a leaf.
    Leaf(Weak<LeafHooks>),
    /// Of a result.
    Result(Weak<Registry<TensorHook>>),
}

impl WeakHooks {
    /// Those that are still there.
    pub fn upgrade(&self) -> Option<GradientHooks> {
        match self {
            WeakHooks::Leaf(it) => it.upgrade().map(GradientHooks::Leaf),
            WeakHooks::Result(it) => it.upgrade().map(GradientHooks::Result),
        }
    }
}

impl LeafHooks {
    /// The node of the leaf, as long as a graph holds it.
    pub fn node(&self) -> Option<Arc<dyn Node>> {
        self.node.lock().upgrade().map(|it| it as Arc<dyn Node>)
    }

    /// Says which node the leaf has.
    pub(super) fn set_node(&self, node: &Weak<Accumulate>) {
        self.node.lock().clone_from(node);
    }

    /// The objects that the hooks call.
    pub(super) fn hosts(&self, visit: &mut Visit<'_>) {
        self.gradient.hosts(visit);
        self.added.hosts(visit);
    }

    /// Takes all hooks away.
    pub(super) fn clear(&self) {
        self.gradient.clear();
        self.added.clear();
    }
}
