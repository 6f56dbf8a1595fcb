//! What only the crates together show: layering, names, golden files,
//! operator cases.

mod cases;
mod composites;
mod declarations;
mod dtypes;
mod fast_paths;
mod fixture;
mod forwarding;
mod go;
mod golden;
mod inference;
mod keys;
mod language;
mod layering;
mod modules;
mod opcheck;
mod operator_names;
mod printed;
mod reference;
mod rows;
mod rules;
mod types;
