//! The key set and the flags of a tensor, and the metadata that layers of the dispatcher keep of it.

use std::any::Any;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU16, Ordering};
use std::sync::{Arc, OnceLock};

use super::shared::Shared;
use crate::dispatch::TensorFlags;
use crate::{Device, DispatchKey, KeySet, Result, Tensor, ensure};

/// The key set of a tensor and its flags, the word of a [`KeySet`]. They change in place, so that all
/// handles of the tensor see it, and go with it when its geometry is replaced.
pub(super) struct Keys(AtomicU16);

/// What layers keep of a tensor, under the same terms.
pub(super) struct LayerMetadata {
    /// Whose elements these are, of a view; no view itself.
    base: Option<Tensor>,
    kept: OnceLock<Arc<LayerData>>,
    /// The object of another language that was made for the tensor; not that of a clone.
    object: AtomicPtr<()>,
}

/// What a layer keeps, and behind it what others do: there is seldom more than one.
struct LayerData<T: ?Sized = dyn Any + Send + Sync> {
    layer: DispatchKey,
    next: OnceLock<Arc<LayerData>>,
    value: T,
}

impl Keys {
    #[inline(always)]
    const fn of(set: KeySet) -> Keys {
        Keys(AtomicU16::new(set.word()))
    }

    /// Those of a new tensor, which no layer knows yet.
    #[inline(always)]
    pub(super) const fn new(device: Device) -> Keys {
        Keys::of(KeySet::of_device(device))
    }

    /// Those of a view, which is a new tensor on the same device.
    #[inline(always)]
    pub(super) fn of_view(tensor: &Tensor) -> Keys {
        Keys::of(tensor.0.keys.set().backends().flagged(TensorFlags::ASKS_BASE))
    }

    /// Those of a tensor that gets other memory, and so is no view any more.
    pub(super) fn of_moved(tensor: &Tensor) -> Keys {
        Keys::of(tensor.0.keys.set().unflagged(TensorFlags::OF_VIEWS))
    }

    /// Those of another tensor over the same elements, which is no view of it.
    pub(super) fn apart(tensor: &Tensor) -> Keys {
        let keys = Keys::of(tensor.0.keys.set().backends());
        keys.set_inference(tensor.is_inference());
        keys
    }

    #[inline]
    fn set(&self) -> KeySet {
        KeySet::from_word(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, set: KeySet) {
        self.0.fetch_or(set.word(), Ordering::Relaxed);
    }

    fn remove(&self, set: KeySet) {
        self.0.fetch_and(!set.word(), Ordering::Relaxed);
    }

    /// Says whether the tensor was made in inference mode.
    pub(super) fn set_inference(&self, is_inference: bool) {
        let flag = KeySet::EMPTY.flagged(TensorFlags::INFERENCE);
        if is_inference { self.add(flag) } else { self.remove(flag) }
    }
}

impl Clone for Keys {
    fn clone(&self) -> Keys {
        Keys::of(self.set())
    }
}

impl LayerMetadata {
    /// Those of a new tensor, of which no layer keeps anything yet.
    #[inline(always)]
    pub(super) const fn new() -> LayerMetadata {
        LayerMetadata::of_base(None)
    }

    #[inline(always)]
    const fn of_base(base: Option<Tensor>) -> LayerMetadata {
        LayerMetadata { base, kept: OnceLock::new(), object: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Those of a view, which is a new tensor.
    #[inline(always)]
    pub(super) fn of_view(tensor: &Tensor) -> LayerMetadata {
        LayerMetadata::of_base(Some(tensor.base().unwrap_or(tensor).clone()))
    }

    /// Those of a tensor that gets other memory, and so is no view any more.
    pub(super) fn of_moved(tensor: &Tensor) -> LayerMetadata {
        LayerMetadata { kept: tensor.0.metadata.kept.clone(), ..LayerMetadata::new() }
    }

    /// Whether it has a base.
    pub(super) fn is_view(&self) -> bool {
        self.base.is_some()
    }
}

impl Clone for LayerMetadata {
    fn clone(&self) -> LayerMetadata {
        LayerMetadata { kept: self.kept.clone(), ..LayerMetadata::of_base(self.base.clone()) }
    }
}

impl Tensor {
    /// The keys that a call with this tensor has.
    #[inline]
    pub fn keys(&self) -> KeySet {
        let keys = self.0.keys.set();
        if keys.has_flag(TensorFlags::ASKS_BASE) { self.keys_with_base(keys) } else { keys }
    }

    #[cold]
    fn keys_with_base(&self, own: KeySet) -> KeySet {
        let own = own.unflagged(TensorFlags::OF_VIEWS);
        self.base().map_or(own, |base| own.or(base.keys()))
    }

    /// The tensor that this one is a view of, if it is one. A view has the layers of its base, also
    /// those that the base gets later.
    ///
    /// ```
    /// use opwright_runtime::{DispatchKey, Tensor, view};
    ///
    /// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
    /// let first = view::narrow(&x, 0, 0, 1)?;
    /// assert!(first.base().is_some_and(|it| it.is_same(&x)));
    /// x.set_layer(DispatchKey::Autograd, true)?;
    /// assert!(first.keys().contains(DispatchKey::Autograd));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn base(&self) -> Option<&Tensor> {
        self.0.metadata.base.as_ref()
    }

    /// Whether a call made it together with other views.
    pub(crate) fn is_one_of_many(&self) -> bool {
        self.0.keys.set().has_flag(TensorFlags::ONE_OF_MANY)
    }

    /// Says that a call made it together with other views, if it is one.
    pub(crate) fn set_one_of_many(&self) {
        if self.0.metadata.is_view() {
            self.0.keys.add(KeySet::EMPTY.flagged(TensorFlags::ONE_OF_MANY));
        }
    }

    /// Whether it was made in inference mode: nobody counts the writes to it, and no call that saves
    /// it can be recorded. A view is what its base is.
    pub fn is_inference(&self) -> bool {
        let own = self.0.keys.set().has_inference();
        own || self.base().is_some_and(Tensor::is_inference)
    }

    /// Whether nothing but this handle leads to what layers keep of the tensor.
    pub(crate) fn is_only_handle(&self) -> bool {
        let kept = self.0.metadata.kept.get();
        Shared::count(&self.0) == 1 && kept.is_none_or(|it| Arc::strong_count(it) == 1)
    }

    /// Adds a layer to the keys of the tensor, or takes it off; all its handles see it.
    ///
    /// # Errors
    ///
    /// `Runtime` for the key of a backend, which follows from the device.
    ///
    /// ```
    /// use opwright_runtime::{DispatchKey, Tensor};
    ///
    /// let x = Tensor::from_slice(&[1], &[1.0])?;
    /// let other_handle = x.clone();
    /// x.set_layer(DispatchKey::Autograd, true)?;
    /// assert!(other_handle.keys().contains(DispatchKey::Autograd));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn set_layer(&self, layer: DispatchKey, is_set: bool) -> Result<()> {
        ensure!(layer.is_layer(), Runtime, "`{layer}` is no layer: a tensor's device says it");
        let key = KeySet::EMPTY.with(layer);
        if is_set {
            self.0.keys.add(key)
        } else {
            self.0.keys.remove(key)
        }
        Ok(())
    }

    /// The object of another language that was made for the tensor, under the same terms as
    /// [the one that stands for it](Tensor::host). Null if there is none.
    #[inline]
    pub(crate) fn object(&self) -> *mut () {
        self.0.metadata.object.load(Ordering::Relaxed)
    }

    /// Says which object was made for the tensor.
    #[inline]
    pub(crate) fn set_object(&self, object: *mut ()) {
        self.0.metadata.object.store(object, Ordering::Relaxed);
    }

    /// What a layer keeps of the tensor: made by the first who asks, and the same for all handles.
    ///
    /// # Panics
    ///
    /// If somebody keeps something of another type there.
    ///
    /// ```
    /// use opwright_runtime::{DispatchKey, Tensor};
    ///
    /// let x = Tensor::from_slice(&[1], &[1.0])?;
    /// assert!(x.kept::<String>(DispatchKey::Autograd).is_none());
    /// x.keep(DispatchKey::Autograd, || "a history".to_owned());
    /// assert_eq!(x.clone().kept::<String>(DispatchKey::Autograd).unwrap(), "a history");
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn keep<T: Any + Send + Sync>(&self, layer: DispatchKey, make: impl FnOnce() -> T) -> &T {
        let mut make = Some(make);
        let mut place = &self.0.metadata.kept;
        loop {
            let kept = place.get_or_init(|| {
                let value = make.take().expect("it is made once")();
                Arc::new(LayerData { layer, next: OnceLock::new(), value })
            });
            if !self.is_known() {
                self.0.keys.add(KeySet::EMPTY.flagged(TensorFlags::KNOWN));
            }
            if kept.layer == layer {
                return kept.value.downcast_ref().expect("one layer keeps one type");
            }
            place = &kept.next;
        }
    }

    /// Whether some layer keeps something of the tensor.
    #[inline]
    pub fn is_known(&self) -> bool {
        self.0.keys.set().has_flag(TensorFlags::KNOWN)
    }

    /// What a layer keeps of the tensor, if it does.
    ///
    /// # Panics
    ///
    /// As [`keep`](Tensor::keep).
    pub fn kept<T: Any + Send + Sync>(&self, layer: DispatchKey) -> Option<&T> {
        let mut kept = self.0.metadata.kept.get()?;
        while kept.layer != layer {
            kept = kept.next.get()?;
        }
        Some(kept.value.downcast_ref().expect("one layer keeps one type"))
    }

    /// Gives this handle the geometry and the memory of another tensor, for operators such as `t_`:
    /// what layers know of it stays.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn replace(&mut self, mut other: Tensor) -> Result<()> {
        let (keys, metadata) = (self.0.keys.clone(), self.0.metadata.clone());
        if !metadata.is_view() {
            keys.set_inference(other.is_inference());
        }
        let made = other.make_unique()?;
        (made.keys, made.metadata) = (keys, metadata);
        let is_other = self.shape() != other.shape() || self.dtype() != other.dtype();
        *self = other;
        if is_other {
            self.note_replaced();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, view};

    fn recorded() -> Tensor {
        let x = Tensor::from_slice(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        x.set_layer(DispatchKey::Autograd, true).unwrap();
        x.keep(DispatchKey::Autograd, || 7_i32);
        x
    }

    #[test]
    fn copies_are_tensors_of_their_own() {
        let x = recorded();
        for other in [x.copy().unwrap(), view::apart(&x).unwrap()] {
            assert!(!other.keys().has_layers() && other.base().is_none());
            assert!(other.kept::<i32>(DispatchKey::Autograd).is_none());
        }
    }

    #[test]
    fn another_geometry_takes_along_what_layers_know() {
        let mut x = Tensor::from_slice(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        x.set_requires_grad(true).unwrap();
        let before = x.clone();
        x.replace(view::transpose(&x, 0, 1).unwrap()).unwrap();
        assert_eq!((x.shape(), before.shape()), (&[3, 2][..], &[2, 3][..]));
        assert!(x.keys().contains(DispatchKey::Autograd));
        x.set_grad(Some(Tensor::zeroed(&[3, 2], x.dtype(), x.device()).unwrap())).unwrap();
        assert!(before.grad().is_some_and(|it| it.is_same(&x.grad().unwrap())));
        x.set_shape(&[40]).unwrap();
        assert!(x.keys().contains(DispatchKey::Autograd));
    }

    #[test]
    fn views_have_the_layers_of_their_base() {
        let x = Tensor::from_slice(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let row = view::select(&x, 0, 1).unwrap();
        let last = view::narrow(&row, 0, 2, 1).unwrap();
        assert!(last.base().unwrap().is_same(&x));
        assert_eq!(last.keys(), KeySet::EMPTY);
        x.set_layer(DispatchKey::Autograd, true).unwrap();
        for tensor in [&row, &last, &row.clone()] {
            assert_eq!(tensor.keys(), KeySet::EMPTY.with(DispatchKey::Autograd));
            assert!(tensor.kept::<i32>(DispatchKey::Autograd).is_none());
        }
        x.set_layer(DispatchKey::Autograd, false).unwrap();
        row.set_layer(DispatchKey::Autograd, true).unwrap();
        assert!(row.keys().has_layers() && !last.keys().has_layers() && !x.keys().has_layers());
    }

    #[test]
    fn the_device_says_which_backend() {
        for make in [Tensor::allocate, Tensor::zeroed] {
            let cpu = make(&[2], DType::Int64, Device::Cpu).unwrap();
            assert_eq!(cpu.keys(), KeySet::EMPTY);
            assert_eq!(view::select(&cpu, 0, 0).unwrap().keys(), KeySet::EMPTY);
        }
        let meta = Tensor::allocate(&[2], DType::Int64, Device::Meta).unwrap();
        assert!(meta.keys().contains(DispatchKey::Meta));
        assert!(meta.set_layer(DispatchKey::Cpu, true).is_err());
        meta.set_layer(DispatchKey::Autograd, true).unwrap();
        meta.set_layer(DispatchKey::Autograd, false).unwrap();
        assert_eq!(meta.keys(), KeySet::EMPTY.with(DispatchKey::Meta));
    }
}
