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
            name: "arranged",
            schema: "arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "a", false), None, false),
                Param::new(
                    Slot::new("size", Type::List(&Type::Int), "", false),
                    None,
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "a", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::arranged::Default_::call(
                            __0.tensor()?,
                            &__1.list(1, Value::int)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "turned",
            schema: "turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new(
                        "dims",
                        Type::Optional(&Type::List(&Type::Int)),
                        "",
                        false,
                    ),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("keepdim", Type::Bool, "", false),
                    Some(|| Value::Bool(false)),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::turned::Default_::call(
                            __0.tensor()?,
                            __1.optional(|__it| __it.list(1, Value::int))?.as_deref(),
                            __2.boolean()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
