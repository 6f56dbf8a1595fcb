//! C layout of values in memory: the one place that says what C calls a type, how much
//! room its values take, and where the fields of a struct lie.
//!
//! What `#[derive(NativeType)]` says of fields, the types of graphs and what Python prints of them
//! come from here. Printed C knows schemas alone; that it agrees, rustc checks where it is compiled.

/// What C calls a field, and how much room it takes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its type.
    pub name: &'static str,
    /// How many bytes it has; its address is a multiple of `step`.
    pub size: usize,
    /// What its address is a multiple of.
    pub step: usize,
}

impl Layout {
    /// Something elsewhere.
    pub const POINTER: Layout = Layout::of("void *", 8, 8);

    pub(super) const fn of(name: &'static str, size: usize, step: usize) -> Layout {
        Layout { name, size, step }
    }
}

/// Fields that lie one behind the other, as C lays them out.
pub(super) struct FieldOffsets {
    size: usize,
    step: usize,
}

impl FieldOffsets {
    pub(super) const NONE: FieldOffsets = FieldOffsets { size: 0, step: 1 };

    /// Puts a field behind the others, and returns where it begins.
    pub(super) const fn push(&mut self, field: Layout) -> usize {
        let at = self.size.next_multiple_of(field.step);
        self.size = at + field.size;
        self.step = if field.step > self.step { field.step } else { self.step };
        at
    }

    /// That of the struct of these fields.
    pub(super) const fn layout(&self, name: &'static str) -> Layout {
        Layout::of(name, self.size.next_multiple_of(self.step), self.step)
    }
}

/// A value in memory, and where its fields are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLayout {
    /// The value as a whole.
    pub layout: Layout,
    /// Its fields, in their order: where each begins, what it is called, and what it is.
    pub fields: Vec<(usize, String, Layout)>,
}

impl ValueLayout {
    /// A value without fields.
    pub(super) fn plain(layout: Layout) -> ValueLayout {
        ValueLayout { layout, fields: Vec::new() }
    }

    /// A struct of these fields.
    pub(super) fn of(
        name: &'static str,
        fields: impl IntoIterator<Item = (String, Layout)>,
    ) -> ValueLayout {
        let mut placed = FieldOffsets::NONE;
        let fields = fields.into_iter().map(|(name, field)| (placed.push(field), name, field));
        let fields = fields.collect();
        ValueLayout { layout: placed.layout(name), fields }
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, ValueLayout};
    use crate::types::plain::Plain;

    #[test]
    fn fields_begin_at_multiples_of_their_steps() {
        let field = |name: &str, plain| (name.to_owned(), Layout::of_plain_field(plain));
        let fields = [
            field("is_one", Plain::Boolean),
            field("z", Plain::Complex128),
            field("text", Plain::Text),
            field("is_two", Plain::Boolean),
        ];
        let found = ValueLayout::of("struct", fields);
        let places: Vec<usize> = found.fields.iter().map(|it| it.0).collect();
        assert_eq!(places, [0, 8, 24, 32]);
        assert_eq!((found.layout.size, found.layout.step), (40, 8));
        assert_eq!(ValueLayout::of("struct", []).layout.size, 0);
    }
}
