//! Element-wise loops.
//!
//! Every function here takes inputs, one or two outputs, and a function on
//! elements. Inputs are stretched to the shape of the output; those of another
//! dtype than the function takes are cast on the way in, and results on the way
//! out. Dimensions are put in the order of memory and joined where possible;
//! long loops run on several threads.
//!
//! An output may be the very same view as an input; an overlap in part is an
//! error, as is an output that reaches an element twice.
//!
//! What is compiled per function is only the innermost loop over one run of
//! elements; everything around it is compiled once, and once more for loops of
//! many inputs.

mod blocks;
mod cast;
mod driver;
mod each;
mod elementwise;
mod flat;
pub mod fused;
mod inner;
pub mod inner_loop;
mod many;
mod plan;
mod rows;
mod same_layout;
mod staging;
mod tiles;
mod transpose;
mod update;

pub use self::blocks::nullary_blocks;
pub(crate) use self::cast::{CastLoop, cast_loop};
pub(crate) use self::driver::WORTH_PLANNING;
pub use self::each::Each;
pub use self::elementwise::{
    binary, binary_pair, nullary, nullary_indexed, ternary, unary, unary_pair,
};
pub(crate) use self::elementwise::{copy, load};
pub use self::inner_loop::InnerLoop;
pub use self::many::{Inputs, nary, nary_pair};
pub use self::update::update;
pub use crate::parallel::{get_num_threads, set_num_threads};
