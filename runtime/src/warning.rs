//! Warnings of calls that succeed, and most likely do not do what was meant.
//!
//! Who knows the caller's language says where they go; until then nobody hears them.

use std::fmt;
use std::sync::OnceLock;

use crate::DType;

/// What becomes of a warning. It may unwind with what ends an [interrupted](crate::interrupt) call.
pub type Sink = fn(&str);

static SINK: OnceLock<Sink> = OnceLock::new();

/// Says where warnings go; only the first one is heard.
pub fn send_to(sink: Sink) {
    let _ = SINK.set(sink);
}

/// Warns the caller who casts complex elements to a real dtype. `bool` takes the truth of numbers, to
/// which imaginary parts count.
#[inline]
pub fn check_cast(from: DType, to: DType) {
    if from.is_complex_number() && !to.is_complex_number() && to != DType::Bool {
        warn(
            "Casting complex values to real discards the imaginary part; `x.real` says that it is \
             not wanted",
        );
    }
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
