//! Hooks of backward passes: of tensors, leaves and nodes.

use std::any::Any;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::anomaly::NodeOrigin;
use super::arithmetic::Arithmetic;
use super::mode::is_recording;
use super::node::Gradients;
use super::node::Node;
use crate::lock::{Lazy, Lock};
use crate::{Result, Tensor, buffer, reserve};

/// Sees the gradient of a tensor when it is complete, and may give another one in its place. There is
/// none for an output to which no gradient came, of a call to whose other outputs one did.
pub type TensorHook =
    Arc<dyn Fn(Option<&Tensor>, &HookContext<'_>) -> Result<Option<Tensor>> + Send + Sync>;

/// What a hook of a tensor may ask about the pass that calls it.
pub struct HookContext<'a> {
    pub(super) token: &'a OnceCell<Arc<()>>,
    /// Whether a gradient is still to come for an output of this node.
    pub is_awaited: &'a dyn Fn(&Arc<dyn Node>) -> bool,
}

impl HookContext<'_> {
    /// The pass, which no other one is as long as somebody holds this.
    pub fn pass(&self) -> &Arc<()> {
        self.token.get_or_init(Arc::default)
    }
}

/// Sees the gradients of a node's outputs before it runs, and may give others in their place.
pub type PreHook = Arc<dyn Fn(&Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees the gradients of a node's inputs and outputs after it ran, and may give other ones of the
/// inputs.
pub type PostHook = Arc<dyn Fn(&Gradients, &Gradients) -> Result<Option<Gradients>> + Send + Sync>;

/// Sees a leaf after a gradient was added to it.
pub type LeafHook = Arc<dyn Fn(&Tensor) -> Result<()> + Send + Sync>;

/// Hooks of one kind, in the order in which they were registered.
pub struct Registry<H>(Lock<Vec<HookEntry<H>>>);

struct HookEntry<H> {
    number: u64,
    hook: H,
    /// The object of another language that the hook calls; its address, or 0.
    host: usize,
}

/// Is given objects of another language by their addresses.
pub type Visit<'a> = dyn FnMut(*mut ()) + 'a;

/// Where the gradient of a result is left.
pub(super) type RetainedGrad = Arc<Lock<Option<Tensor>>>;

/// The hooks of a node.
#[derive(Default)]
pub struct Hooks {
    /// Of each output, by its number.
    tensors: Lock<Vec<(usize, Arc<Registry<TensorHook>>)>>,
    /// Where the gradients of outputs are left, by their numbers.
    places: Lock<Vec<(usize, RetainedGrad)>>,
    /// Before the node.
    pub before: Registry<PreHook>,
    /// After it.
    pub after: Registry<PostHook>,
    /// Where the node comes from, if anomalies are looked for.
    origin: Lazy<NodeOrigin>,
    /// What somebody else keeps with the node.
    extra: Lazy<Extra>,
    /// The outputs that were detached in place, by their numbers.
    detached: Lock<Vec<usize>>,
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
pub(super) struct MaybeHooks(Lazy<Hooks>);

impl<H> Default for Registry<H> {
    fn default() -> Registry<H> {
        Registry(Lock::new(Vec::new()))
    }
}

impl<H: Clone> Registry<H> {
    /// Adds a hook under a number by which it can be removed. `host` is the object of another
    /// language that it calls and keeps, or null.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn add(&self, number: u64, hook: H, host: *mut ()) -> Result<()> {
        reserve::check()?;
        buffer::push(&mut self.0.lock(), HookEntry { number, hook, host: host.expose_provenance() })
    }

    /// The hooks by their numbers, with the objects of another language that they call, or null.
    pub fn hosts_by_number(&self) -> Vec<(u64, *mut ())> {
        let hooks = self.0.lock();
        let pair = |it: &HookEntry<H>| (it.number, std::ptr::with_exposed_provenance_mut(it.host));
        hooks.iter().map(pair).collect()
    }

    /// Takes all hooks away.
    pub(super) fn clear(&self) {
        let hooks = std::mem::take(&mut *self.0.lock());
        drop(hooks);
    }

    /// Takes a hook away, if it is there.
    pub fn remove(&self, number: u64) {
        let mut hooks = self.0.lock();
        let found = hooks.iter().position(|it| it.number == number).map(|it| hooks.remove(it));
        drop(hooks);
        // Outside of the lock: it may hold anything.
        drop(found);
    }

    /// Those that are there now: a hook may add and remove some.
    pub(super) fn all(&self) -> Vec<H> {
        self.0.lock().iter().map(|it| it.hook.clone()).collect()
    }
}

impl<F: ?Sized> Registry<Arc<F>> {
    /// The objects that the hooks call, but for those that a pass is about to call.
    pub(super) fn hosts(&self, visit: &mut Visit<'_>) {
        // Who waits for the lock would be the collector of another language.
        let Some(hooks) = self.0.try_lock() else { return };
        let own = hooks.iter().filter(|it| it.host != 0 && Arc::strong_count(&it.hook) == 1);
        own.for_each(|it| visit(std::ptr::with_exposed_provenance_mut(it.host)));
    }
}

impl Registry<TensorHook> {
    /// The gradient after all hooks.
    pub(super) fn run(
        &self,
        mut gradient: Option<Tensor>,
        context: &HookContext<'_>,
        arithmetic: &dyn Arithmetic,
    ) -> Result<Option<Tensor>> {
        for hook in self.all() {
            // What the one before was shown it may have kept.
            gradient = gradient.map(|it| exclusive(it, arithmetic)).transpose()?;
            if let Some(other) = hook(gradient.as_ref(), context)? {
                gradient = Some(other);
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
        let extra = match self.extra.get() {
            Some(extra) => extra,
            None => {
                let (value, host) = make()?;
                self.extra.get_or_init(|| Extra { value, host: host.expose_provenance() })
            }
        };
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
    pub(super) fn origin(&self) -> Option<&NodeOrigin> {
        self.origin.get()
    }

    pub(super) fn set_origin(&self, origin: NodeOrigin) {
        self.origin.get_or_init(|| origin);
    }

    /// The objects of another language that nothing but the node leads to.
    pub fn hosts(&self, visit: &mut Visit<'_>) {
        if let Some(tensors) = self.tensors.try_lock() {
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
        let tensors = self.tensors.lock().clone();
        tensors.iter().for_each(|it| it.1.clear());
        self.before.clear();
        self.after.clear();
    }

    /// Those of an output.
    pub fn of_output(&self, output: usize) -> Arc<Registry<TensorHook>> {
        let mut tensors = self.tensors.lock();
        if let Some((_, known)) = tensors.iter().find(|it| it.0 == output) {
            return known.clone();
        }
        let made = Arc::<Registry<TensorHook>>::default();
        tensors.push((output, made.clone()));
        made
    }

    /// Those of an output, if there ever were some.
    pub(super) fn known_of_output(&self, output: usize) -> Option<Arc<Registry<TensorHook>>> {
        self.tensors.lock().iter().find(|it| it.0 == output).map(|it| it.1.clone())
    }

    /// Whether any are called before or after the node.
    pub(super) fn is_any_of_node(&self) -> bool {
        !self.before.0.lock().is_empty() || !self.after.0.lock().is_empty()
    }

    /// Notes that an output was detached in place.
    pub(super) fn detach(&self, output: usize) {
        self.detached.lock().push(output);
    }

    /// Whether an output was detached in place.
    pub(super) fn is_detached(&self, output: usize) -> bool {
        self.detached.lock().contains(&output)
    }

    /// Has the gradient of an output left there.
    pub(super) fn leave(&self, output: usize, place: RetainedGrad) {
        self.places.lock().push((output, place));
    }

    /// Has it left there no longer.
    pub(super) fn leave_no_more(&self, place: &RetainedGrad) {
        self.places.lock().retain(|it| !Arc::ptr_eq(&it.1, place));
    }

    /// The gradients of the outputs, as the hooks of these have them; they are added to what other
    /// passes have left.
    pub(super) fn of_outputs(
        &self,
        gradients: &mut Gradients,
        context: &HookContext<'_>,
        arithmetic: &dyn Arithmetic,
    ) -> Result<()> {
        let registries = self.tensors.lock().clone();
        for (output, registry) in registries {
            if let Some(place) = gradients.get_mut(output) {
                *place = registry.run(place.take(), context, arithmetic)?;
            }
        }
        let places = self.places.lock().clone();
        for (output, place) in places {
            let Some(gradient) = gradients.get(output).and_then(Option::as_ref) else { continue };
            leave(&place, gradient, arithmetic)?;
        }
        Ok(())
    }
}

/// Adds a gradient to what other passes have left. As what records a call may run anything, the lock
/// is not held meanwhile; if another pass was faster, its sum is the next one to add to.
fn leave(place: &RetainedGrad, gradient: &Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
    loop {
        let before = place.lock().clone();
        let sum = match &before {
            Some(before) => arithmetic.sum(before, gradient)?,
            None if is_recording() => gradient.clone(),
            // Others may still write to it.
            None => arithmetic.copied_like(gradient, gradient)?,
        };
        if exchange(&mut place.lock(), before.as_ref(), &sum) {
            return Ok(());
        }
    }
}

/// A gradient that nobody else has, for those who may write to it: the others must not see that.
pub(super) fn exclusive(gradient: Tensor, arithmetic: &dyn Arithmetic) -> Result<Tensor> {
    if gradient.is_alone() || is_recording() && gradient.requires_grad() {
        return Ok(gradient);
    }
    arithmetic.copied_like(&gradient, &gradient)
}

/// The same of several.
pub(super) fn all_exclusive(
    mut gradients: Gradients,
    arithmetic: &dyn Arithmetic,
) -> Result<Gradients> {
    for place in &mut gradients {
        if let Some(gradient) = place.take() {
            *place = Some(exclusive(gradient, arithmetic)?);
        }
    }
    Ok(gradients)
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
        self.0.get()
    }

    pub(super) fn or_new(&self) -> &Hooks {
        self.0.get_or_init(Hooks::default)
    }
}
