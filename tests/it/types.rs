//! The table of types of the schema language agrees with the kinds of the runtime.

use opwright_runtime::op::Type;
use opwright_runtime::resolve::Kind;
use opwright_schema::model::BaseType;
use opwright_schema::types::{NativeType, Values};

#[test]
fn a_crate_has_as_many_types_as_there_are_kinds_for_them() {
    assert_eq!(NativeType::MOST, usize::from(Kind::NATIVES));
}

#[test]
fn messages_call_a_type_what_signatures_call_it() {
    for base in BaseType::all().filter(|it| it.has_values()) {
        let known = Type::ALL.iter().find(|it| it.to_string() == base.name()).expect("a type");
        assert_eq!(known.kind().to_string(), base.row().shown);
        assert_eq!(known.has_values(), base.row().values != Values::Empty);
    }
}
