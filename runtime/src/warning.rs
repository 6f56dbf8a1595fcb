//! Warnings of calls that succeed, and most likely do not do what was meant.
//!
//! Who knows the caller's language says where they go; until then nobody hears them.

use std::fmt;
use std::sync::OnceLock;

/// What becomes of a warning. It may unwind with what ends an [interrupted](crate::interrupt) call.
pub type Sink = fn(&str);

static SINK: OnceLock<Sink> = OnceLock::new();

/// Says where warnings go; only the first one is heard.
pub fn send_to(sink: Sink) {
    let _ = SINK.set(sink);
}

/// Warns the caller.
///
/// ```
/// use opwright_runtime::warning;
///
/// warning::warn("nobody listens yet");
/// ```
#[cold]
pub fn warn(text: impl fmt::Display) {
    if let Some(sink) = SINK.get() {
        sink(&text.to_string());
    }
}
