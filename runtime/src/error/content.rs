//! The content of an error, and the memory reserved for errors when there is no other.

use std::cell::UnsafeCell;
use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ErrorKind;

/// What an error says.
#[derive(Clone)]
pub(super) struct Content {
    pub(super) kind: ErrorKind,
    pub(super) message: Message,
    pub(super) op: Option<&'static str>,
}

/// A message; a short one needs no memory.
#[derive(Clone)]
pub(super) enum Message {
    Long(String),
    Short(ShortMessage),
}

impl Message {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Message::Long(text) => text,
            Message::Short(text) => text.as_str(),
        }
    }
}

/// A text of at most so many bytes, cut if it is longer.
#[derive(Clone)]
pub(super) struct ShortMessage {
    bytes: [u8; 80],
    length: usize,
}

impl ShortMessage {
    pub(super) fn of(text: impl fmt::Display) -> ShortMessage {
        let mut short = ShortMessage { bytes: [0; 80], length: 0 };
        // It fails where the text is cut.
        let _ = fmt::write(&mut short, format_args!("{text}"));
        short
    }

    fn as_str(&self) -> &str {
        str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Write for ShortMessage {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let place = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// A place that is there before it is needed.
struct ReservedPlace {
    is_taken: AtomicBool,
    content: UnsafeCell<MaybeUninit<Content>>,
}

// SAFETY: who has set the flag is the only one with a pointer to the content, which may go to another
// thread.
unsafe impl Sync for ReservedPlace {}

/// For errors without memory: as many as can be on their way at a time.
static PLACES: [ReservedPlace; 32] = [const {
    ReservedPlace {
        is_taken: AtomicBool::new(false),
        content: UnsafeCell::new(MaybeUninit::uninit()),
    }
}; 32];

/// A pointer to what an error says, on the heap or in one of the [`PLACES`].
pub(super) struct Owned(NonNull<Content>);

// SAFETY: it owns its content, which consists of texts.
unsafe impl Send for Owned {}
// SAFETY: as for `Send`: a shared one gives no more than shared texts.
unsafe impl Sync for Owned {}

impl Owned {
    /// On the heap.
    pub(super) fn boxed(content: Content) -> Owned {
        Owned(NonNull::from(Box::leak(Box::new(content))))
    }

    /// In a place that is there already, as long as one is free.
    pub(super) fn reserved(content: Content) -> Owned {
        let take = |it: &&ReservedPlace| {
            let taken =
                it.is_taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
            taken.is_ok()
        };
        match PLACES.iter().find(take) {
            Some(place) => {
                let this = place.content.get().cast::<Content>();
                // SAFETY: the flag that was just set gives the place to us alone.
                Owned(unsafe {
                    this.write(content);
                    NonNull::new_unchecked(this)
                })
            }
            None => Owned::boxed(content),
        }
    }

    fn place(&self) -> Option<&'static ReservedPlace> {
        PLACES.iter().find(|it| ptr::addr_eq(it.content.get(), self.0.as_ptr()))
    }
}

impl Drop for Owned {
    #[cold]
    fn drop(&mut self) {
        match self.place() {
            Some(place) => {
                // SAFETY: it is ours until the flag is taken back, and was written.
                unsafe { self.0.drop_in_place() };
                place.is_taken.store(false, Ordering::Release);
            }
            // SAFETY: what is in no place was made by a box, and is freed once.
            None => drop(unsafe { Box::from_raw(self.0.as_ptr()) }),
        }
    }
}

impl Deref for Owned {
    type Target = Content;

    fn deref(&self) -> &Content {
        // SAFETY: it is ours, and was written.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for Owned {
    fn deref_mut(&mut self) -> &mut Content {
        // SAFETY: as above; there is no other pointer.
        unsafe { self.0.as_mut() }
    }
}
