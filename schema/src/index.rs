//! Index of operators by name.

use crate::lookup::Lookup;
use crate::model::{BaseName, OpName, Overload};

/// Operators by name, and those that are known to be wrong and say nothing
/// about others.
pub(crate) struct Index<'o> {
    overloads: &'o [Overload],
    by_name: Lookup<Key<'o>, usize>,
    broken: Vec<&'o OpName>,
}

/// What tells operators apart: namespace, base name, overload.
pub(crate) type Key<'o> = (&'o str, &'o BaseName, &'o str);

pub(crate) fn key(name: &OpName) -> Key<'_> {
    // What operators without a namespace are in.
    let namespace = name.namespace.as_deref().unwrap_or("aten");
    (namespace, &name.base, &name.overload)
}

impl<'o> Index<'o> {
    pub(crate) fn new(overloads: &'o [Overload], broken: &'o [OpName]) -> Self {
        let mut by_name = Lookup::with_capacity(overloads.len());
        for (idx, overload) in overloads.iter().enumerate() {
            by_name.get_or_insert_with(key(&overload.schema.name), || idx);
        }
        Index { overloads, by_name, broken: broken.iter().collect() }
    }

    /// The operator of this name.
    pub(crate) fn get(&self, name: &OpName) -> Option<(usize, &'o Overload)> {
        let idx = *self.by_name.get(&key(name))?;
        Some((idx, &self.overloads[idx]))
    }

    /// Whether an entry of this name has been reported.
    pub(crate) fn is_broken(&self, name: &OpName) -> bool {
        self.broken.iter().any(|it| key(it) == key(name))
    }

    /// Whether some reported entry has this base name.
    pub(crate) fn has_broken_base(&self, base: &str) -> bool {
        self.broken.iter().any(|it| it.base.to_string() == base)
    }

    /// All operators.
    pub(crate) fn overloads(&self) -> &'o [Overload] {
        self.overloads
    }

    /// All base names, for suggestions.
    pub(crate) fn base_names(&self) -> Vec<String> {
        self.overloads.iter().map(|it| it.schema.name.base.to_string()).collect()
    }

    /// All names, for suggestions.
    pub(crate) fn names(&self) -> Vec<String> {
        self.overloads.iter().map(|it| it.schema.name.to_string()).collect()
    }
}
