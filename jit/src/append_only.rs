//! Lists that grow in front while others read them without a lock.

use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A list to which any thread adds and from which none takes: what is in it lives as long as it.
///
/// So whoever holds the list may go on to use what was the newest item, whatever was added since.
pub struct AppendOnly<T> {
    newest: AtomicPtr<Node<T>>,
    /// It owns the nodes.
    owned: PhantomData<Box<Node<T>>>,
}

struct Node<T> {
    item: T,
    earlier: *mut Node<T>,
}

// SAFETY: the list owns its items, which are sent with it.
unsafe impl<T: Send> Send for AppendOnly<T> {}
// SAFETY: a shared list lends its items, and takes those that other threads add.
unsafe impl<T: Send + Sync> Sync for AppendOnly<T> {}

impl<T> AppendOnly<T> {
    /// A list of nothing.
    pub const fn new() -> AppendOnly<T> {
        AppendOnly { newest: AtomicPtr::new(ptr::null_mut()), owned: PhantomData }
    }

    /// Adds an item, which is the newest then.
    pub fn push(&self, item: T) -> &T {
        let earlier = self.newest.load(Ordering::Relaxed);
        let node = Box::into_raw(Box::new(Node { item, earlier }));
        let mut known = earlier;
        while let Err(other) =
            self.newest.compare_exchange_weak(known, node, Ordering::AcqRel, Ordering::Relaxed)
        {
            known = other;
            // SAFETY: nobody else knows the node yet.
            unsafe { (*node).earlier = other };
        }
        // SAFETY: a node in the list is freed with it, and does not change.
        unsafe { &(*node).item }
    }

    /// The newest item.
    #[inline]
    pub fn newest(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The items, the newest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.newest.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: a node in the list is freed with it, and does not change.
            let node = unsafe { at.as_ref()? };
            at = node.earlier;
            Some(&node.item)
        })
    }
}

impl<T> Default for AppendOnly<T> {
    fn default() -> AppendOnly<T> {
        AppendOnly::new()
    }
}

impl<T> Drop for AppendOnly<T> {
    fn drop(&mut self) {
        let mut at = *self.newest.get_mut();
        while !at.is_null() {
            // SAFETY: made by `Box::into_raw` when it was added, and the list alone frees it.
            at = unsafe { Box::from_raw(at) }.earlier;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::AppendOnly;

    #[test]
    fn threads_add_at_once() {
        let list = AppendOnly::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let list = &list;
                scope.spawn(move || {
                    for at in 0..100 {
                        let own = list.push((thread, at));
                        assert_eq!(*own, (thread, at));
                        assert!(list.newest().is_some());
                    }
                });
            }
        });
        for thread in 0..4 {
            let own: Vec<_> = list.iter().filter(|it| it.0 == thread).map(|it| it.1).collect();
            assert_eq!(own, (0..100).rev().collect::<Vec<_>>());
        }
    }

    #[test]
    fn items_are_freed_with_it() {
        let item = Arc::new(());
        let list = AppendOnly::default();
        list.push(item.clone());
        list.push(item.clone());
        assert_eq!(Arc::strong_count(&item), 3);
        drop(list);
        assert_eq!(Arc::strong_count(&item), 1);
    }
}
