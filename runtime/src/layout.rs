//! How elements lie in memory.

use std::fmt;

/// How a tensor finds its elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// By a stride for each dimension, the only way here.
    #[default]
    Strided,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Strided => f.write_str("strided"),
        }
    }
}

/// The order of dimensions in memory that a caller wishes for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryFormat {
    /// Row-major.
    #[default]
    Contiguous,
    /// As the input has it.
    Preserve,
    /// Four dimensions, the second innermost.
    ChannelsLast,
    /// Five dimensions, the second innermost.
    ChannelsLast3d,
}

impl MemoryFormat {
    /// The name: `contiguous_format`.
    pub const fn name(self) -> &'static str {
        match self {
            MemoryFormat::Contiguous => "contiguous_format",
            MemoryFormat::Preserve => "preserve_format",
            MemoryFormat::ChannelsLast => "channels_last",
            MemoryFormat::ChannelsLast3d => "channels_last_3d",
        }
    }
}

impl fmt::Display for MemoryFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
