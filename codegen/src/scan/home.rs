//! Modules of annotated items.

use std::path::PathBuf;

use opwright_schema::model::{SourceId, Span};
use proc_macro2::Span as Place;

/// Where an annotated item stands.
#[derive(Clone)]
pub(super) struct Home {
    pub(super) source: SourceId,
    pub(super) file: PathBuf,
    pub(super) module: Vec<String>,
    /// The innermost module that only its parent sees, if there is one.
    pub(super) private: Option<String>,
}

impl Home {
    /// The place of something in the file.
    pub(super) fn place(&self, place: Place) -> Span {
        Span::new(self.source, place.byte_range())
    }
}
