//! How elements lie in memory.

use std::fmt;

/// How a tensor finds its elements.
///
/// ```
/// use opwright_runtime::{Layout, Tensor};
///
/// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
/// assert_eq!(x.layout(), Layout::Strided);
/// assert_eq!(Layout::default().to_string(), "strided");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
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
///
/// ```
/// use opwright_runtime::{MemoryFormat, Result, Tensor};
///
/// /// A copy in the order that the caller wishes for.
/// fn copied(x: &Tensor, format: MemoryFormat) -> Result<Tensor> {
///     match format {
///         MemoryFormat::Contiguous => x.copy(),
///         other => opwright_runtime::fail!(NotImplemented, "no copies with memory_format={other}"),
///     }
/// }
///
/// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
/// assert!(copied(&x, MemoryFormat::default())?.is_contiguous());
/// let error = copied(&x, MemoryFormat::ChannelsLast).unwrap_err();
/// assert_eq!(error.message(), "no copies with memory_format=channels_last");
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
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
    /// The format of a name, as [`name`](MemoryFormat::name) gives it.
    pub fn from_name(name: &str) -> Option<MemoryFormat> {
        let all = [
            MemoryFormat::Contiguous,
            MemoryFormat::Preserve,
            MemoryFormat::ChannelsLast,
            MemoryFormat::ChannelsLast3d,
        ];
        all.into_iter().find(|it| it.name() == name)
    }

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
