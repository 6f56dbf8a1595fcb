//! Graphs of nodes that are written by hand, and passes backward through them.

mod functions;
mod nested;
mod passes;
mod product;
mod saved;
