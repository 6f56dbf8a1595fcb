//! Locks and cells that a fork leaves usable.
//!
//! A child of a fork has one thread. What another thread of the parent held stays held there for
//! ever, if it is an ordinary lock. With these,
//!
//! - a fork waits until no thread is in a section, and none enters one meanwhile, so that the child
//!   finds every value whole;
//! - a lock that is held nevertheless, because its section took longer than a second, is free
//!   in the child: its holder is not there.
//!
//! Sections are short: whoever holds a [`Lock`] calls no kernel, no hook and nothing that waits, and
//! drops elsewhere what it takes out. [`Turn`] is for what takes long.
//!
//! `Lazy` has no section at all.

use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering, fence};
use std::thread;
use std::time::Duration;

/// Counts the forks that lead to this process; never 0.
static GENERATION: AtomicU32 = AtomicU32::new(1);

/// Whether a thread is about to fork: no other one enters a section.
static IS_FORKING: AtomicBool = AtomicBool::new(false);

/// The sections that a thread is in.
struct Sections {
    count: AtomicU32,
    /// Whether a thread has it.
    is_taken: AtomicBool,
    next: AtomicPtr<Sections>,
}

/// Those of all threads; those of threads that have ended are used again.
static ALL: AtomicPtr<Sections> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    static OWN: Cell<Option<&'static Sections>> = const { Cell::new(None) };
    static RETURNED: SectionsGuard = const { SectionsGuard };
}

/// Gives back the sections of a thread that ends.
struct SectionsGuard;

impl Drop for SectionsGuard {
    fn drop(&mut self) {
        if let Some(own) = OWN.take() {
            own.is_taken.store(false, Ordering::Release);
        }
    }
}

fn all() -> impl Iterator<Item = &'static Sections> {
    let at = |it: &AtomicPtr<Sections>| {
        // SAFETY: what was put into the list is never freed.
        unsafe { it.load(Ordering::Acquire).as_ref() }
    };
    std::iter::successors(at(&ALL), move |it| at(&it.next))
}

#[inline]
fn own_sections() -> &'static Sections {
    OWN.get().unwrap_or_else(new_sections)
}

#[cold]
fn new_sections() -> &'static Sections {
    watch_forks();
    let free = |it: &&Sections| {
        let taken = it.is_taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
        taken.is_ok()
    };
    let own = all().find(free).unwrap_or_else(|| {
        let own: &'static Sections = Box::leak(Box::new(Sections {
            count: AtomicU32::new(0),
            is_taken: AtomicBool::new(true),
            next: AtomicPtr::default(),
        }));
        let mut first = ALL.load(Ordering::Acquire);
        loop {
            own.next.store(first, Ordering::Relaxed);
            let this = ptr::from_ref(own).cast_mut();
            match ALL.compare_exchange(first, this, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break own,
                Err(other) => first = other,
            }
        }
    });
    OWN.set(Some(own));
    // It has a destructor from now on; a thread that is ending keeps what it has.
    let _ = RETURNED.try_with(|_| ());
    own
}

#[cfg(unix)]
fn watch_forks() {
    static IS_WATCHED: AtomicBool = AtomicBool::new(false);

    unsafe extern "C" {
        fn pthread_atfork(
            prepare: Option<unsafe extern "C" fn()>,
            parent: Option<unsafe extern "C" fn()>,
            child: Option<unsafe extern "C" fn()>,
        ) -> i32;
    }

    if !IS_WATCHED.swap(true, Ordering::AcqRel) {
        // SAFETY: the functions stay as long as the process does, and neither unwind nor allocate.
        // Without memory for them nothing is worse than with ordinary locks.
        let _ = unsafe { pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

#[cfg(not(unix))]
fn watch_forks() {}

/// Waits until no other thread is in a section.
#[cfg(unix)]
extern "C" fn before() {
    use std::time::Instant;

    /// How long a fork waits for sections to end. They take nanoseconds, but for a thread that does not
    /// get a processor.
    const PATIENCE: Duration = Duration::from_secs(1);

    IS_FORKING.store(true, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    let own = OWN.try_with(Cell::get).ok().flatten();
    let start = Instant::now();
    for other in all().filter(|it| own.is_none_or(|own| !ptr::eq(*it, own))) {
        while other.count.load(Ordering::Acquire) != 0 && start.elapsed() < PATIENCE {
            thread::yield_now();
        }
    }
}

#[cfg(unix)]
extern "C" fn in_parent() {
    IS_FORKING.store(false, Ordering::SeqCst);
}

/// Forgets the threads of the parent.
#[cfg(unix)]
extern "C" fn in_child() {
    let own = OWN.try_with(Cell::get).ok().flatten();
    for other in all().filter(|it| own.is_none_or(|own| !ptr::eq(*it, own))) {
        other.count.store(0, Ordering::Relaxed);
        other.is_taken.store(false, Ordering::Relaxed);
    }
    let next = GENERATION.load(Ordering::Relaxed).wrapping_add(1).max(1);
    GENERATION.store(next, Ordering::Relaxed);
    IS_FORKING.store(false, Ordering::SeqCst);
}

/// A lock for sections that take nanoseconds. It stays as it is when a section panics.
pub struct Lock<T: ?Sized> {
    /// The generation of the process whose thread holds it; 0 if nobody does.
    holder: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time gets at the value, which may go from thread to thread.
unsafe impl<T: ?Sized + Send> Send for Lock<T> {}
// SAFETY: as for `Send`: a shared lock gives the value to one thread at a time.
unsafe impl<T: ?Sized + Send> Sync for Lock<T> {}

impl<T: Default> Default for Lock<T> {
    fn default() -> Lock<T> {
        Lock::new(T::default())
    }
}

/// A section.
pub struct Guard<'a, T: ?Sized> {
    lock: &'a Lock<T>,
    sections: &'static Sections,
    /// It ends where it began.
    of_thread: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives no more than `&T`.
unsafe impl<T: ?Sized + Sync> Sync for Guard<'_, T> {}

impl<T> Lock<T> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Lock<T> {
        Lock { holder: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }
}

impl<T: ?Sized> Lock<T> {
    /// The value, for this thread alone.
    #[inline]
    pub fn lock(&self) -> Guard<'_, T> {
        loop {
            let guard = Guard::announced(self);
            if !self.take() {
                self.wait();
            }
            match guard.unless_forking() {
                Some(guard) => return guard,
                None => wait_for_fork(),
            }
        }
    }

    /// The same, unless another thread has it: it never waits for that.
    #[inline]
    pub fn try_lock(&self) -> Option<Guard<'_, T>> {
        loop {
            let guard = Guard::announced(self);
            if !self.take() {
                guard.withdraw();
                return None;
            }
            match guard.unless_forking() {
                Some(guard) => return Some(guard),
                None => wait_for_fork(),
            }
        }
    }

    /// The value, which nobody else can reach.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// Takes it, if it is free.
    #[inline]
    fn take(&self) -> bool {
        let own = GENERATION.load(Ordering::Relaxed);
        let taken = self.holder.compare_exchange(0, own, Ordering::SeqCst, Ordering::SeqCst);
        // Its holder may be a thread that the fork to this process has left behind.
        taken.is_ok() || taken.is_err_and(|it| it != own && self.is_inherited(it, own))
    }

    #[cold]
    fn is_inherited(&self, before: u32, own: u32) -> bool {
        self.holder.compare_exchange(before, own, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    #[cold]
    fn wait(&self) {
        let mut tries: u32 = 0;
        while !self.take() {
            pause(&mut tries);
        }
    }
}

/// Waits for a moment, longer after many tries.
pub fn pause(tries: &mut u32) {
    *tries = tries.saturating_add(1);
    match *tries {
        0..64 => std::hint::spin_loop(),
        64..512 => thread::yield_now(),
        _ => thread::sleep(Duration::from_micros(50)),
    }
}

#[cold]
fn wait_for_fork() {
    let mut tries = 0;
    while IS_FORKING.load(Ordering::Acquire) {
        pause(&mut tries);
    }
}

impl<'a, T: ?Sized> Guard<'a, T> {
    /// A guard of a lock that this thread is about to take: who forks waits for it.
    #[inline]
    fn announced(lock: &'a Lock<T>) -> Guard<'a, T> {
        let sections = own_sections();
        sections.count.store(sections.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        Guard { lock, sections, of_thread: PhantomData }
    }

    /// The lock belongs to another thread.
    fn withdraw(self) {
        self.sections.leave();
        std::mem::forget(self);
    }

    /// The guard of a lock that was just taken, if no thread forks, or if the section is within
    /// another one, for which that thread waits.
    #[inline]
    fn unless_forking(self) -> Option<Guard<'a, T>> {
        // Either who forks sees the count, or that somebody does is seen here. On this processor taking
        // the lock was such a fence.
        if !cfg!(target_arch = "x86_64") {
            fence(Ordering::SeqCst);
        }
        let is_outermost = self.sections.count.load(Ordering::Relaxed) == 1;
        (!is_outermost || !IS_FORKING.load(Ordering::SeqCst)).then_some(self)
    }
}

impl Sections {
    #[inline]
    fn leave(&self) {
        self.count.store(self.count.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Release);
    }
}

impl<T: ?Sized> Deref for Guard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the lock is held as long as the guard lives.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized> DerefMut for Guard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held as long as the guard lives, which is borrowed for writing.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T: ?Sized> Drop for Guard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.holder.store(0, Ordering::Release);
        self.sections.leave();
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Lock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_lock() {
            Some(value) => f.debug_tuple("Lock").field(&&*value).finish(),
            None => f.write_str("Lock(held)"),
        }
    }
}

/// Says whose turn it is to do something that takes long: nothing is locked meanwhile, and a turn that
/// a thread of the parent has is over in a child.
#[derive(Debug, Default)]
pub struct Turn(AtomicU32);

/// A turn.
pub struct Taken<'a>(&'a Turn);

impl Turn {
    /// A turn that nobody has.
    pub const fn new() -> Turn {
        Turn(AtomicU32::new(0))
    }

    /// The turn, unless another thread has it.
    pub fn try_take(&self) -> Option<Taken<'_>> {
        // It sees to it that forks are counted.
        own_sections();
        let own = GENERATION.load(Ordering::Relaxed);
        let taken = self
            .0
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, |it| (it != own).then_some(own));
        taken.is_ok().then(|| Taken(self))
    }

    /// Waits for the turn. Whoever calls it holds nothing that others wait for.
    pub fn take(&self) -> Taken<'_> {
        let mut tries = 0;
        loop {
            if let Some(taken) = self.try_take() {
                return taken;
            }
            pause(&mut tries);
        }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.0.store(0, Ordering::Release);
    }
}

/// A value that the first who asks makes. Several may make one at once; the first to finish is heard,
/// so that nobody waits for anybody.
pub struct Lazy<T> {
    value: AtomicPtr<T>,
    of: PhantomData<T>,
}

impl<T> Lazy<T> {
    /// None yet.
    pub const fn new() -> Lazy<T> {
        Lazy { value: AtomicPtr::new(ptr::null_mut()), of: PhantomData }
    }

    /// The value, if somebody made one.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: what is there came from a box, and is freed with this.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    /// The value.
    #[inline]
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        match self.get() {
            Some(value) => value,
            None => self.set(make()),
        }
    }

    fn set(&self, value: T) -> &T {
        let made = Box::into_raw(Box::new(value));
        let none = ptr::null_mut();
        match self.value.compare_exchange(none, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it came from a box, and is freed with this.
            Ok(_) => unsafe { &*made },
            Err(other) => {
                // SAFETY: it came from a box, and nobody has seen it.
                drop(unsafe { Box::from_raw(made) });
                // SAFETY: as in `get`: it came from a box, and is freed with this.
                unsafe { &*other }
            }
        }
    }
}

impl<T> Default for Lazy<T> {
    fn default() -> Lazy<T> {
        Lazy::new()
    }
}

impl<T> Drop for Lazy<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: it came from a box, and nobody can reach it any more.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

// SAFETY: it owns a `T`, which another thread may drop.
unsafe impl<T: Send> Send for Lazy<T> {}
// SAFETY: threads share the value, and the one that makes it need not be the one that drops it.
unsafe impl<T: Send + Sync> Sync for Lazy<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_at_a_time() {
        let lock = Lock::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10_000).for_each(|_| *lock.lock() += 1));
            }
        });
        assert_eq!(*lock.lock(), 40_000);
        let held = lock.lock();
        thread::scope(|scope| {
            scope.spawn(|| assert!(lock.try_lock().is_none()));
        });
        drop(held);
        assert!(lock.try_lock().is_some());
    }

    #[test]
    fn a_panic_ends_a_section() {
        let lock = Lock::new(1);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _held = lock.lock();
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err() && *lock.lock() == 1);
    }

    #[test]
    fn what_the_threads_of_another_process_hold_is_free() {
        let (lock, turn) = (Lock::new(()), Turn::new());
        lock.holder.store(u32::MAX, Ordering::Relaxed);
        turn.0.store(u32::MAX, Ordering::Relaxed);
        assert!(lock.try_lock().is_some() && turn.try_take().is_some());
    }

    #[test]
    fn turns_come_one_after_the_other() {
        let turn = Turn::new();
        let first = turn.take();
        // Whoever does not get it does not end that of another.
        assert!(turn.try_take().is_none() && turn.try_take().is_none());
        drop(first);
        let total = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5_000 {
                        let _turn = turn.take();
                        total.store(total.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(total.into_inner(), 20_000);
    }

    #[test]
    fn the_first_value_stays() {
        let lazy = Lazy::new();
        assert_eq!((lazy.get(), *lazy.get_or_init(|| 1)), (None, 1));
        assert_eq!(*lazy.get_or_init(|| 2), 1);
    }
}
