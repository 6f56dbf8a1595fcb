// Nothing here is known to the build script.
mod ops {
    macro_rules! __annotated {
        ($mark:ident $code:tt { $($unread:tt)* }) => { $($unread)* };
    }
    pub(crate) use __annotated;
}

use opwright_macros::native_op;
use opwright_macros::native_op as op;
use opwright_runtime::{Result, Tensor};

#[op("renamed(Tensor x) -> Tensor")]
fn renamed(x: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

macro_rules! kernel {
    ($name:ident, $schema:literal) => {
        #[native_op($schema)]
        fn $name(x: &Tensor) -> Result<Tensor> {
            Ok(x.clone())
        }
    };
}

kernel!(made_by_a_macro, "made_by_a_macro(Tensor x) -> Tensor");

fn main() {}
