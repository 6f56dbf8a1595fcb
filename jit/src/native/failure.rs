//! Failures of functions of another library, as they write them for their callers.

use opwright_runtime::{Error, ErrorKind};

/// Why such a function failed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct NativeFailure {
    /// The kind, as a row of [`NativeFailure::KINDS`].
    pub kind: u32,
    /// How many bytes of the text there are.
    pub len: u32,
    /// The text, in UTF-8; what is too long is cut.
    pub text: [u8; 248],
}

impl NativeFailure {
    /// No failure yet.
    pub const NONE: NativeFailure = NativeFailure { kind: 0, len: 0, text: [0; 248] };

    /// The kinds by their numbers, which libraries are compiled with: new ones come last.
    pub const KINDS: [ErrorKind; 7] = [
        ErrorKind::Runtime,
        ErrorKind::Type,
        ErrorKind::Value,
        ErrorKind::Index,
        ErrorKind::NotImplemented,
        ErrorKind::Overflow,
        ErrorKind::Memory,
    ];

    /// The failure of an error.
    pub fn of(kind: ErrorKind, text: &str) -> NativeFailure {
        let mut failure = NativeFailure::NONE;
        let kind = NativeFailure::KINDS.iter().position(|it| *it == kind).unwrap_or(0);
        failure.kind = u32::try_from(kind).unwrap_or(0);
        let mut len = text.len().min(failure.text.len());
        while !text.is_char_boundary(len) {
            len -= 1;
        }
        failure.text[..len].copy_from_slice(&text.as_bytes()[..len]);
        failure.len = u32::try_from(len).unwrap_or(0);
        failure
    }

    /// The error that it stands for.
    pub fn error(&self) -> Error {
        let kind = NativeFailure::KINDS.get(self.kind as usize).copied();
        let text = &self.text[..(self.len as usize).min(self.text.len())];
        Error::new(kind.unwrap_or(ErrorKind::Runtime), String::from_utf8_lossy(text))
    }
}
