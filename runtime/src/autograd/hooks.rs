//! What is called while a pass runs.

use std::any::Any;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::accumulate::Accumulate;
use super::anomaly::Origin;
use super::node::Gradients;
use super::{Arithmetic, Node, is_recording};
use crate::{Result, Tensor};

/// Sees the gradient of a tensor when it is complete, and may give another one in its place.
pub type TensorHook = Arc<dyn Fn(&Tensor, &Moment<'_>) -> Result<Option<Tensor>> + Send + Sync>;

/// What a hook of a tensor may ask about the pass that calls it.
pub struct Moment<'a> {
    /// The pass, which no other one is as long as somebody holds this.
    pub pass: &'a Arc<()>,
    /// Whether a gradient is still to come for an output of this node.
    pub is_awaited: &'a dyn Fn(&Arc<dyn Node>) -> bool,
}

/// Sees the gradients of a node's outputs before it runs, and may give others in their place.
pub type PreHook = Arc<dyn Fn(&Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees the gradients of a node's inputs and outputs after it ran, and may give other ones of the
/// inputs.
pub type PostHook = Arc<dyn Fn(&Gradients, &Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees a leaf after a gradient was added to it.
pub type LeafHook = Arc<dyn Fn(&Tensor) -> Result<()> + Send + Sync>;

/// Hooks of one kind, in the order in which they were registered.
pub struct Registry<H>(Mutex<Vec<Entry<H>>>);

struct Entry<H> {
    number: u64,
    hook: H,
    /// The object of another language that the hook calls; its address, or 0.
    host: usize,
}

/// Is given objects of another language by their addresses.
pub type Visit<'a> = dyn FnMut(*mut ()) + 'a;

/// Where the gradient of a result is left.
pub(super) type Place = Arc<Mutex<Option<Tensor>>>;

/// What is called when gradients come to a leaf.
#[derive(Default)]
pub struct LeafHooks {
    /// Before the gradient is added.
    pub gradient: Registry<TensorHook>,
    /// After it was.
    pub added: Registry<LeafHook>,
    /// The node of the leaf, as long as a graph holds it.
    node: Mutex<Weak<Accumulate>>,
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
    /// Where the node comes from, if anomalies are looked for.
    origin: OnceLock<Origin>,
    /// What somebody else keeps with the node.
    extra: OnceLock<Extra>,
    /// The object that stands for the node in another language.
    host: AtomicPtr<()>,
}

/// What somebody keeps with a node.
struct Extra {
    value: Box<dyn Any + Send + Sync>,
    /// The object of another language that it is; its address.
    host: usize,
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
    /// Adds a hook under a number by which it can be removed. `host` is the object of another
    /// language that it calls and keeps, or null.
    pub fn add(&self, number: u64, hook: H, host: *mut ()) {
        lock(&self.0).push(Entry { number, hook, host: host.expose_provenance() });
    }

    /// The hooks by their numbers, with the objects of another language that they call, or null.
    pub fn hosts_by_number(&self) -> Vec<(u64, *mut ())> {
        let hooks = lock(&self.0);
        let pair = |it: &Entry<H>| (it.number, std::ptr::with_exposed_provenance_mut(it.host));
        hooks.iter().map(pair).collect()
    }

    /// Takes all hooks away.
    fn clear(&self) {
        let hooks = std::mem::take(&mut *lock(&self.0));
        drop(hooks);
    }

    /// Takes a hook away, if it is there.
    pub fn remove(&self, number: u64) {
        let mut hooks = lock(&self.0);
        let found = hooks.iter().position(|it| it.number == number).map(|it| hooks.remove(it));
        drop(hooks);
        // Outside of the lock: it may hold anything.
        drop(found);
    }

    /// Those that are there now: a hook may add and remove some.
    pub(super) fn all(&self) -> Vec<H> {
        lock(&self.0).iter().map(|it| it.hook.clone()).collect()
    }
}

impl<F: ?Sized> Registry<Arc<F>> {
    /// The objects that the hooks call, but for those that a pass is about to call.
    fn hosts(&self, visit: &mut Visit<'_>) {
        // Who waits for the lock would be the collector of another language.
        let Ok(hooks) = self.0.try_lock() else { return };
        let own = hooks.iter().filter(|it| it.host != 0 && Arc::strong_count(&it.hook) == 1);
        own.for_each(|it| visit(std::ptr::with_exposed_provenance_mut(it.host)));
    }
}

impl LeafHooks {
    /// The node of the leaf, as long as a graph holds it.
    pub fn node(&self) -> Option<Arc<dyn Node>> {
        lock(&self.node).upgrade().map(|it| it as Arc<dyn Node>)
    }

    /// Says which node the leaf has.
    pub(super) fn set_node(&self, node: &Weak<Accumulate>) {
        lock(&self.node).clone_from(node);
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

impl Registry<TensorHook> {
    /// The gradient after all hooks.
    pub(super) fn run(&self, mut gradient: Tensor, moment: &Moment<'_>) -> Result<Tensor> {
        for hook in self.all() {
            if let Some(other) = hook(&gradient, moment)? {
                gradient = other;
            }
        }
        Ok(gradient)
    }
}

impl Hooks {
    /// What somebody keeps with the node: the first one to come makes it. `make` also tells the
    /// address of the object of another language that it is.
    ///
    /// # Errors
    ///
    /// What `make` reports.
    pub fn extra<E>(
        &self,
        make: impl FnOnce() -> Result<(Box<dyn Any + Send + Sync>, *mut ()), E>,
    ) -> Result<&(dyn Any + Send + Sync), E> {
        if self.extra.get().is_none() {
            let (value, host) = make()?;
            // Another thread may have been faster.
            let _ = self.extra.set(Extra { value, host: host.expose_provenance() });
        }
        let extra = self.extra.get().expect("it was just set");
        Ok(&*extra.value)
    }

    /// The object that stands for the node in another language, under the same terms as
    /// [that of a tensor](Tensor::host). Null if there is none.
    pub fn host(&self) -> *mut () {
        self.host.load(Ordering::Relaxed)
    }

    /// Says which object stands for the node.
    pub fn set_host(&self, host: *mut ()) {
        self.host.store(host, Ordering::Relaxed);
    }

    /// Where the node comes from.
    pub(super) fn origin(&self) -> Option<&Origin> {
        self.origin.get()
    }

    pub(super) fn set_origin(&self, origin: Origin) {
        let _ = self.origin.set(origin);
    }

    /// The objects of another language that nothing but the node leads to.
    pub fn hosts(&self, visit: &mut Visit<'_>) {
        if let Ok(tensors) = self.tensors.try_lock() {
            let own = tensors.iter().filter(|it| Arc::strong_count(&it.1) == 1);
            own.for_each(|it| it.1.hosts(visit));
        }
        self.before.hosts(visit);
        self.after.hosts(visit);
        if let Some(extra) = self.extra.get() {
            visit(std::ptr::with_exposed_provenance_mut(extra.host));
        }
    }

    /// Takes all hooks away.
    pub fn clear(&self) {
        let tensors = lock(&self.tensors).clone();
        tensors.iter().for_each(|it| it.1.clear());
        self.before.clear();
        self.after.clear();
    }

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

    /// Those of an output, if there ever were some.
    pub(super) fn known_of_output(&self, output: usize) -> Option<Arc<Registry<TensorHook>>> {
        lock(&self.tensors).iter().find(|it| it.0 == output).map(|it| it.1.clone())
    }

    /// Has the gradient of an output left there.
    pub(super) fn leave(&self, output: usize, place: Place) {
        lock(&self.places).push((output, place));
    }

    /// Has it left there no longer.
    pub(super) fn leave_no_more(&self, place: &Place) {
        lock(&self.places).retain(|it| !Arc::ptr_eq(&it.1, place));
    }

    /// The gradients of the outputs, as the hooks of these have them; they are added to what other
    /// passes have left.
    pub(super) fn of_outputs(
        &self,
        gradients: &mut Gradients,
        moment: &Moment<'_>,
        arithmetic: &dyn Arithmetic,
    ) -> Result<()> {
        let registries = lock(&self.tensors).clone();
        for (output, registry) in registries {
            if let Some(gradient) = gradients.get_mut(output).and_then(Option::take) {
                gradients[output] = Some(registry.run(gradient, moment)?);
            }
        }
        let places = lock(&self.places).clone();
        for (output, place) in places {
            let Some(gradient) = gradients.get(output).and_then(Option::as_ref) else { continue };
            leave(&place, gradient, arithmetic)?;
        }
        Ok(())
    }
}

/// Adds a gradient to what other passes have left. As what records a call may run anything, the lock
/// is not held meanwhile; if another pass was faster, its sum is the next one to add to.
fn leave(place: &Place, gradient: &Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
    loop {
        let before = lock(place).clone();
        let sum = match &before {
            Some(before) => arithmetic.sum(before, gradient)?,
            None if is_recording() => gradient.clone(),
            // Others may still write to it.
            None => arithmetic.copied_like(gradient, gradient)?,
        };
        if exchange(&mut lock(place), before.as_ref(), &sum) {
            return Ok(());
        }
    }
}

/// Puts a sum in the place of what was added to, if that is still there.
pub(super) fn exchange(place: &mut Option<Tensor>, before: Option<&Tensor>, sum: &Tensor) -> bool {
    let is_as_before = match (&place, before) {
        (Some(now), Some(before)) => now.is_same(before),
        (None, None) => true,
        _ => false,
    };
    if is_as_before {
        *place = Some(sum.clone());
    }
    is_as_before
}

impl MaybeHooks {
    pub(super) fn get(&self) -> Option<&Hooks> {
        self.0.get().map(|it| &**it)
    }

    pub(super) fn or_new(&self) -> &Hooks {
        self.0.get_or_init(Box::default)
    }
}
