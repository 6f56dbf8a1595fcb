//! Rewrites of graphs, as data: a pattern and its substitution.

/// What is found in a graph, and what takes its place: patterns as `rewrites.yaml` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// What it is called.
    pub name: &'static str,
    /// What is found: `add(x, x)`.
    pub pattern: &'static str,
    /// What takes its place: `mul.Tensor(x, 2)`.
    pub with: &'static str,
    /// What names have to stand for: `constant(n)`.
    pub when: &'static [&'static str],
    /// Whether results are rounded otherwise.
    pub approximate: bool,
}
