//! Rows of operators, as tests of several crates read them; the tests themselves stand in `it`.

pub mod cases;
pub mod opcheck;
pub mod rows;
