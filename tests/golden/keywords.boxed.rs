// @generated from native_functions.yaml by opwright-codegen. Do not edit.

/// Every operator of this crate, as tests call it.
#[allow(unreachable_pub, reason = "it is as public as the module around it")]
pub static OPERATORS: &[::opwright_runtime::testing::Operator] = {
    #[allow(
        unused_imports,
        reason = "there may be no operators, or none with parameters"
    )]
    use ::opwright_runtime::testing::{Operator, Param, Slot, Type, Value};
    #[allow(unused_imports, reason = "the same")]
    use ::core::{
        option::Option::{None, Some},
        result::Result::Ok,
    };
    &[
        Operator {
            name: "match.self",
            schema: "match.self(Tensor where, Tensor self, Tensor type) -> Tensor",
            params: &[
                Param::new(Slot::new("where", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("type", Type::Tensor, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::r#match::self_::call(
                            __0.tensor()?,
                            __1.tensor()?,
                            __2.tensor()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "draw_.from",
            schema: "draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "a", true), None, false),
                Param::new(Slot::new("ref", Type::Int, "", false), None, false),
                Param::new(
                    Slot::new("loop", Type::Optional(&Type::Int), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("generator", Type::Optional(&Type::Generator), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::draw_::from::call(
                            __0.tensor_mut()?,
                            __1.int()?,
                            __2.optional(Value::int)?,
                            __3.optional(Value::generator)?,
                        )?,
                    ),
                )
            },
        },
    ]
};
