//! Entries of a dispatcher: a table that is read without a lock and replaced as a whole.
//!
//! Whoever reads holds a [`EntryReadGuard`]; what was replaced meanwhile is freed when the last of them is
//! gone. All of this happens while the interpreter's lock is held, which orders the counts.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use opwright_jit::types::Ty;
use opwright_runtime::lock::Lock;
use pyo3::prelude::*;

use super::entry::Entry;
use super::registrations::generation;
use crate::raw::Visitor;

/// The bit of [`Entries::readers`] that says that something is to be freed.
const HAS_RETIRED: usize = 1;

/// The weight of one reader there.
const READER: usize = 2;

/// The newest first, and one for the same types.
type Table = Vec<Arc<Entry>>;

/// What is compiled.
pub(super) struct Entries {
    /// Made by `Box::into_raw`.
    table: AtomicPtr<Table>,
    /// What was called last, which most likely is called next: an entry of the table, or null.
    last: AtomicPtr<Entry>,
    /// How many readings there are, and whether there are tables that were replaced.
    readers: AtomicUsize,
    /// Tables that were replaced.
    retired: Lock<Vec<Table>>,
    past: Past,
}

/// What entries counted that were replaced.
#[derive(Default)]
pub(super) struct Past {
    pub(super) compilations: AtomicU64,
    pub(super) calls: AtomicU64,
    pub(super) microseconds: AtomicU64,
}

/// Somebody who reads: no entry that was seen through this is freed before it is gone.
pub(super) struct EntryReadGuard<'a> {
    entries: &'a Entries,
    _py: Python<'a>,
}

impl Entries {
    /// Nothing yet.
    pub(super) fn new() -> Entries {
        Entries {
            table: AtomicPtr::new(Box::into_raw(Box::default())),
            last: AtomicPtr::new(ptr::null_mut()),
            readers: AtomicUsize::new(0),
            retired: Lock::new(Vec::new()),
            past: Past::default(),
        }
    }

    /// Reads them.
    #[inline]
    pub(super) fn read<'a>(&'a self, py: Python<'a>) -> EntryReadGuard<'a> {
        // The interpreter's lock is held, so nobody counts at the same time.
        let readers = self.readers.load(Ordering::Relaxed);
        self.readers.store(readers + READER, Ordering::Relaxed);
        EntryReadGuard { entries: self, _py: py }
    }

    /// What entries counted that are gone.
    pub(super) fn past(&self) -> &Past {
        &self.past
    }

    /// Tells the garbage collector what they keep.
    pub(super) fn traverse(&self, visitor: &mut Visitor) {
        // SAFETY: the collector runs with the interpreter's lock held and frees nothing meanwhile.
        let table = unsafe { &*self.table.load(Ordering::Acquire) };
        table.iter().for_each(|it| it.traverse(visitor));
        // Whoever uses the lock runs no code of Python meanwhile, so that it is free.
        for table in self.retired.try_lock().iter().flat_map(|it| it.iter()) {
            let is_known = |it: &Arc<Entry>| Arc::strong_count(it) > 1;
            table.iter().filter(|it| !is_known(it)).for_each(|it| it.traverse(visitor));
        }
    }

    /// Frees what was replaced; nobody reads.
    #[cold]
    fn free_retired(&self) {
        self.last.store(ptr::null_mut(), Ordering::Release);
        self.readers.store(0, Ordering::Relaxed);
        let mut retired = std::mem::take(&mut *self.retired.lock());
        // PyO3 frees objects at once where it knows that the interpreter's lock is held. They may run
        // anything, such as a call that reads.
        Python::try_attach(|_| retired.clear());
    }
}

impl<'a> EntryReadGuard<'a> {
    /// The entries, the newest first.
    #[inline]
    pub(super) fn list(&self) -> &[Arc<Entry>] {
        // SAFETY: a table that is replaced is freed by `free_retired`, which waits for this reading.
        unsafe { &*self.entries.table.load(Ordering::Acquire) }
    }

    /// What was called last.
    #[inline]
    pub(super) fn last(&self) -> Option<&Entry> {
        // SAFETY: null, or an entry of a table that is not freed before this reading is gone: `last` is
        // set by who reads, and forgotten before anything is freed.
        unsafe { self.entries.last.load(Ordering::Acquire).as_ref() }
    }

    /// Says what is called.
    #[inline]
    pub(super) fn remember(&self, entry: &Entry) {
        self.entries.last.store(ptr::from_ref(entry).cast_mut(), Ordering::Release);
    }

    /// Adds an entry, in place of one for the same types.
    pub(super) fn add(&self, entry: Entry) -> &Entry {
        let entry = Arc::new(entry);
        let (replaced, mut table): (Table, Table) =
            self.list().iter().cloned().partition(|it| it.types == entry.types);
        for old in &replaced {
            let past = &self.entries.past;
            past.compilations.fetch_add(1, Ordering::Relaxed);
            past.calls.fetch_add(old.code.calls(), Ordering::Relaxed);
            past.microseconds.fetch_add(old.microseconds, Ordering::Relaxed);
        }
        table.insert(0, entry);
        let table = Box::into_raw(Box::new(table));
        let old = self.entries.table.swap(table, Ordering::AcqRel);
        // SAFETY: it was made by `Box::into_raw`, and whoever swaps it out owns it; what others read is
        // the list, which stays where it is.
        let old = unsafe { Box::from_raw(old) };
        self.entries.retired.lock().push(*old);
        let readers = self.entries.readers.load(Ordering::Relaxed);
        self.entries.readers.store(readers | HAS_RETIRED, Ordering::Relaxed);
        // SAFETY: as for `list`.
        unsafe { &(&(*table))[0] }
    }
}

impl Drop for EntryReadGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        let readers = self.entries.readers.load(Ordering::Relaxed) - READER;
        self.entries.readers.store(readers, Ordering::Relaxed);
        if readers == HAS_RETIRED {
            self.entries.free_retired();
        }
    }
}

impl Drop for Entries {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`, and nobody reads what is dropped.
        drop(unsafe { Box::from_raw(*self.table.get_mut()) });
    }
}

/// What is compiled for types, as things stand now.
pub(super) fn find<'r>(entries: &'r EntryReadGuard<'_>, tys: &[Ty]) -> Option<&'r Entry> {
    let now = generation();
    let found = entries.list().iter().find(|it| it.types[..] == *tys && it.generation == now);
    found.map(|it| &**it)
}
