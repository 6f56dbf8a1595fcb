//! What is called while a pass runs.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::node::Gradients;
use crate::{Result, Tensor};

/// Sees the gradient of a tensor when it is complete, and may give another one in its place.
pub type TensorHook = Arc<dyn Fn(&Tensor) -> Result<Option<Tensor>> + Send + Sync>;

/// Sees the gradients of a node's outputs before it runs, and may give others in their place.
pub type PreHook = Arc<dyn Fn(&Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees the gradients of a node's inputs and outputs after it ran, and may give other ones of the
/// inputs.
pub type PostHook = Arc<dyn Fn(&Gradients, &Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees a leaf after a gradient was added to it.
pub type LeafHook = Arc<dyn Fn(&Tensor) -> Result<()> + Send + Sync>;

/// Hooks of one kind, in the order in which they were registered.
pub struct Registry<H>(Mutex<Vec<(u64, H)>>);

/// Where the gradient of a result is left.
pub(super) type Place = Arc<Mutex<Option<Tensor>>>;

/// The hooks of a node.
#[derive(Default)]
pub struct Hooks {
    /// Of each output, by its number.
    tensors: Mutex<Vec<(usize, Arc<Registry<TensorHook>>)>>,
    /// Where the gradients of outputs are left, by their numbers.
    places: Mutex<Vec<(usize, Place)>>,
    /// Before the node.
    pub before: Registry<PreHook>,
    /// After it.
    pub after: Registry<PostHook>,
}

/// The hooks of a node, which are made for the first one.
#[derive(Default)]
pub(super) struct MaybeHooks(OnceLock<Box<Hooks>>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<H> Default for Registry<H> {
    fn default() -> Registry<H> {
        Registry(Mutex::new(Vec::new()))
    }
}

impl<H: Clone> Registry<H> {
    /// Adds a hook under a number by which it can be removed.
    pub fn add(&self, number: u64, hook: H) {
        lock(&self.0).push((number, hook));
    }

    /// Takes a hook away, if it is there.
    pub fn remove(&self, number: u64) {
        let mut hooks = lock(&self.0);
        let found = hooks.iter().position(|it| it.0 == number).map(|it| hooks.remove(it));
        drop(hooks);
        // Outside of the lock: it may hold anything.
        drop(found);
    }

    /// Those that are there now: a hook may add and remove some.
    pub(super) fn all(&self) -> Vec<H> {
        lock(&self.0).iter().map(|it| it.1.clone()).collect()
    }
}

impl Registry<TensorHook> {
    /// The gradient after all hooks.
    pub(super) fn run(&self, mut gradient: Tensor) -> Result<Tensor> {
        for hook in self.all() {
            if let Some(other) = hook(&gradient)? {
                gradient = other;
            }
        }
        Ok(gradient)
    }
}

impl Hooks {
    /// Those of an output.
    pub fn of_output(&self, output: usize) -> Arc<Registry<TensorHook>> {
        let mut tensors = lock(&self.tensors);
        if let Some((_, known)) = tensors.iter().find(|it| it.0 == output) {
            return known.clone();
        }
        let made = Arc::<Registry<TensorHook>>::default();
        tensors.push((output, made.clone()));
        made
    }

    /// Has the gradient of an output left there.
    pub(super) fn leave(&self, output: usize, place: Place) {
        lock(&self.places).push((output, place));
    }

    /// Has it left there no longer.
    pub(super) fn leave_no_more(&self, place: &Place) {
        lock(&self.places).retain(|it| !Arc::ptr_eq(&it.1, place));
    }

    /// The gradients of the outputs, as the hooks of these have them.
    pub(super) fn of_outputs(&self, gradients: &mut Gradients) -> Result<()> {
        let registries = lock(&self.tensors).clone();
        for (output, registry) in registries {
            if let Some(gradient) = gradients.get_mut(output).and_then(Option::take) {
                gradients[output] = Some(registry.run(gradient)?);
            }
        }
        let places = lock(&self.places).clone();
        for (output, place) in places {
            let left = gradients.get(output).cloned().flatten();
            let before = std::mem::replace(&mut *lock(&place), left);
            drop(before);
        }
        Ok(())
    }
}

impl MaybeHooks {
    pub(super) fn get(&self) -> Option<&Hooks> {
        self.0.get().map(|it| &**it)
    }

    pub(super) fn or_new(&self) -> &Hooks {
        self.0.get_or_init(Box::default)
    }
}
