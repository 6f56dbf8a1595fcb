//! Constant tables: dtypes, types of the schema language, dispatch keys, enumerations, error kinds.
//!
//! A row says all that is known of a thing without a tensor. The schema reads the tables while
//! compiling, and the constants of C, Go and Python are printed from them; the runtime has its enums
//! from them, and reads the rows while running. What a row leaves open, such as the arithmetic of a
//! dtype, is a trait or an exhaustive match of the crate that knows it, so that a new row does not
//! compile until that is there.
//!
//! ```
//! use opwright_tables::{Reduction, dtype};
//!
//! assert_eq!(dtype::row(8).name, "float32");
//! assert_eq!(Reduction::from_name("mean").map(Reduction::number), Some(1));
//! ```

pub mod dispatch_key;
pub mod dtype;
pub mod enumeration;
pub mod str_enum;
pub mod types;

pub use crate::dispatch_key::DispatchKey;
pub use crate::enumeration::{Device, ErrorKind, Layout, MemoryFormat, Reduction};
pub use crate::str_enum::{StrEnum, StrVariant};
