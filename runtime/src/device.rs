//! Where a tensor's memory is.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// Where a tensor's memory is.
///
/// ```
/// use opwright_runtime::{DType, Device, ErrorKind, Tensor};
///
/// // What a call would give can be asked without memory for it.
/// let huge = Tensor::allocate(&[1 << 20, 1 << 20], DType::Float64, Device::Meta)?;
/// assert_eq!((huge.shape(), huge.device().name()), (&[1 << 20, 1 << 20][..], "meta"));
/// assert_eq!(huge.to_vec::<f64>().unwrap_err().kind(), ErrorKind::NotImplemented);
/// assert_eq!("cpu".parse::<Device>()?, Device::Cpu);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Device {
    /// Main memory.
    #[default]
    Cpu,
    /// Nowhere: such a tensor has shape and dtype, and no elements to read.
    Meta,
}

impl Device {
    /// Every device that the library is built for.
    pub const ALL: [Device; 2] = [Device::Cpu, Device::Meta];

    /// The name: `cpu`.
    pub const fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Meta => "meta",
        }
    }

    /// Whether tensors here have no memory.
    #[inline]
    pub const fn is_meta(self) -> bool {
        matches!(self, Device::Meta)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Device {
    type Err = Error;

    /// Reads `cpu`, `meta`, and the same with the only index there is: `cpu:0`.
    fn from_str(text: &str) -> Result<Device, Error> {
        let (name, index) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let device = match name {
            "cpu" => Device::Cpu,
            "meta" => Device::Meta,
            _ => {
                return Err(Error::runtime(format_args!(
                    "expected one of cpu, meta device type at start of device string: {text}"
                )));
            }
        };
        match index {
            None | Some("0") => Ok(device),
            Some(_) => Err(Error::runtime(format_args!("invalid device string: '{text}'"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for device in Device::ALL {
            assert_eq!(device.to_string().parse::<Device>().unwrap(), device);
        }
        assert_eq!("cpu:0".parse::<Device>().unwrap(), Device::Cpu);
        assert!("cpu:".parse::<Device>().is_err());
        assert!("cpu:7".parse::<Device>().is_err());
        assert!("tpu".parse::<Device>().is_err());
    }
}
