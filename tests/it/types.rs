//! Types of the schema language have a row in the schema crate, with their words, and one in the
//! runtime, with their values and kinds.

use opwright_runtime::op::Type;
use opwright_runtime::resolve::Kind;
use opwright_schema::model::BaseType;
use opwright_schema::types::{Native, Values};

#[test]
fn the_runtime_knows_every_type_that_has_values() {
    let words: Vec<&str> =
        BaseType::all().filter(|it| it.has_values()).map(BaseType::name).collect();
    let mut known: Vec<String> = Type::ALL.iter().map(Type::to_string).collect();
    assert!(known.iter().all(|it| words.contains(&it.as_str())), "{known:?}");
    assert_eq!(words.len(), known.len());
    // Generated code calls them by the names of the schema crate.
    known.sort_unstable();
    let mut variants: Vec<String> =
        BaseType::all().filter(|it| it.has_values()).map(|it| format!("{it:?}")).collect();
    variants.sort_unstable();
    let mut named: Vec<String> = Type::ALL.iter().map(|it| format!("{it:?}")).collect();
    named.sort_unstable();
    assert_eq!(variants, named);
}

#[test]
fn a_crate_has_as_many_types_as_there_are_kinds_for_them() {
    assert_eq!(Native::MOST, usize::from(Kind::NATIVES));
}

#[test]
fn messages_call_a_type_what_signatures_call_it() {
    for base in BaseType::all().filter(|it| it.has_values()) {
        let known = Type::ALL.iter().find(|it| it.to_string() == base.name()).expect("a type");
        assert_eq!(known.kind().to_string(), base.row().shown);
        assert_eq!(known.has_values(), base.row().values != Values::Empty);
    }
}
