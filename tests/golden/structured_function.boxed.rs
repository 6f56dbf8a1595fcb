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
            name: "spread",
            schema: "spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("mask", Type::Optional(&Type::Tensor), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("parts", Type::List(&Type::Tensor), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("dim", Type::Int, "", false),
                    Some(|| Value::Int(-1i64)),
                    false,
                ),
            ],
            results: &[
                Slot::new("low", Type::Tensor, "", false),
                Slot::new("high", Type::Tensor, "", false),
            ],
            in_place: None,
            out: Some("spread.out"),
            call: |__values| {
                let [__0, __1, __2, __3] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::spread::Default_::call(
                            __0.tensor()?,
                            __1.optional(Value::tensor)?,
                            &__2.list(1, Value::tensor)?,
                            __3.int()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "spread.out",
            schema: "spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("mask", Type::Optional(&Type::Tensor), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("parts", Type::List(&Type::Tensor), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("dim", Type::Int, "", false),
                    Some(|| Value::Int(-1i64)),
                    false,
                ),
                Param::new(Slot::new("low", Type::Tensor, "a", true), None, true),
                Param::new(Slot::new("high", Type::Tensor, "b", true), None, true),
            ],
            results: &[
                Slot::new("low", Type::Tensor, "a", true),
                Slot::new("high", Type::Tensor, "b", true),
            ],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4, __5] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::spread::out::call(
                            __0.tensor()?,
                            __1.optional(Value::tensor)?,
                            &__2.list(1, Value::tensor)?,
                            __3.int()?,
                            __4.tensor_mut()?,
                            __5.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
