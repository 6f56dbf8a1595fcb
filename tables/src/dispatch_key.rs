//! Dispatch keys: the backends, and the layers above them.

use std::fmt;

macro_rules! keys {
    ($($(#[$about:meta])* $key:ident $name:literal $is_layer:literal;)*) => {
        /// What a call can be at: a backend, or a layer above the backends.
        ///
        /// Keys are ordered. The highest one that the arguments of a call have takes
        /// the call; a layer does its part, and calls the same operator below itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum DispatchKey {
            $($(#[$about])* $key,)*
        }

        impl DispatchKey {
            /// Every key, from the lowest to the highest.
            pub const ALL: &'static [DispatchKey] = &[$(DispatchKey::$key),*];

            /// The name: `CPU`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(DispatchKey::$key => $name,)*
                }
            }

            /// Whether it is above the backends.
            #[inline]
            pub const fn is_layer(self) -> bool {
                match self {
                    $(DispatchKey::$key => $is_layer,)*
                }
            }
        }
    };
}

// Backends first, then layers.
keys! {
    /// Tensors in main memory.
    Cpu "CPU" false;
    /// Tensors without memory: shapes and dtypes only.
    Meta "Meta" false;
    /// The layer that records operators, for gradients.
    Autograd "Autograd" true;
}

impl DispatchKey {
    /// The number of keys.
    pub const COUNT: usize = DispatchKey::ALL.len();

    /// The lowest layer.
    pub const FIRST_LAYER: DispatchKey = {
        let mut at = 0;
        while !DispatchKey::ALL[at].is_layer() {
            at += 1;
        }
        DispatchKey::ALL[at]
    };
}

impl fmt::Display for DispatchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_above_backends() {
        for pair in DispatchKey::ALL.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].is_layer() <= pair[1].is_layer());
        }
    }
}
