//! The dispatch keys of files that opwright acts on, a row each: the backends of
//! [the table](opwright_tables::dispatch_key), and composites, which the build copies into the slots
//! that they serve.

use std::fmt;

use opwright_tables::DispatchKey as Key;

use crate::model::DispatchKey;

/// A key that opwright acts on.
#[derive(Clone, Debug)]
pub struct KeyRow {
    /// The key.
    pub key: DispatchKey,
    /// How it is written in a file, and how messages call it.
    pub name: &'static str,
    /// A shorter word for it, or the same.
    pub short: &'static str,
    /// Which slots of an overload's table its kernels are for.
    pub fills: Fills,
}

/// Slots of an overload's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fills {
    /// The one of this key.
    Own(Key),
    /// Those of the backends that have no kernel of their own.
    Backends,
    /// All that have no kernel of their own.
    All,
}

/// All of them; composites behind those whose slots they leave alone.
pub static ROWS: [KeyRow; 4] = [
    backend(DispatchKey::Cpu, Key::Cpu),
    backend(DispatchKey::Meta, Key::Meta),
    row(
        DispatchKey::CompositeExplicit,
        ["CompositeExplicitAutograd", "CompositeExplicit"],
        Fills::Backends,
    ),
    row(
        DispatchKey::CompositeImplicit,
        ["CompositeImplicitAutograd", "CompositeImplicit"],
        Fills::All,
    ),
];

const fn backend(key: DispatchKey, own: Key) -> KeyRow {
    row(key, [own.name(), own.name()], Fills::Own(own))
}

const fn row(key: DispatchKey, names: [&'static str; 2], fills: Fills) -> KeyRow {
    let [name, short] = names;
    KeyRow { key, name, short, fills }
}

impl DispatchKey {
    /// Its row, unless it is one that opwright does not act on.
    pub fn row(&self) -> Option<&'static KeyRow> {
        ROWS.iter().find(|it| it.key == *self)
    }

    /// The key of a word.
    pub fn read(word: &str) -> Option<DispatchKey> {
        let row = ROWS.iter().find(|it| it.name == word || it.short == word)?;
        Some(row.key.clone())
    }
}

impl fmt::Display for DispatchKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DispatchKey::Other(name) => f.write_str(name),
            key => f.write_str(key.row().map_or("", |it| it.name)),
        }
    }
}

/// The words of all keys, as a message lists them: "`CPU`, `Meta`, ...".
pub fn listed(last: &str) -> String {
    let words: Vec<String> = ROWS.iter().map(|it| format!("`{}`", it.short)).collect();
    match words.split_last() {
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}
