//! Devices: where the memory of tensors is.

use std::str::FromStr;

use opwright_tables::device_rows;

use crate::Error;

device_rows! { opwright_tables::enumeration }

impl Device {
    /// Whether tensors here have no memory.
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
    #[inline]
    pub const fn is_meta(self) -> bool {
        matches!(self, Device::Meta)
    }
}

impl FromStr for Device {
    type Err = Error;

    /// Reads `cpu`, `meta`, and the same with the only index there is: `cpu:0`.
    fn from_str(text: &str) -> Result<Device, Error> {
        let (name, index) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let Some(device) = Device::from_name(name) else {
            let names = Device::ALL.map(Device::name).join(", ");
            return Err(Error::runtime(format_args!(
                "expected one of {names} device type at start of device string: {text}"
            )));
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
