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
            name: "clip_",
            schema: "clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "a", true), None, false),
                Param::new(
                    Slot::new("min", Type::Optional(&Type::Scalar), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::clip_::Default_::call(
                            __0.tensor_mut()?,
                            __1.optional(Value::scalar)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "clip",
            schema: "clip(Tensor self, Scalar? min=None) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("min", Type::Optional(&Type::Scalar), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: Some("clip_"),
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::clip::Default_::call(
                            __0.tensor()?,
                            __1.optional(Value::scalar)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "scale_all_",
            schema: "scale_all_(Tensor(a!)[] self, Scalar factor) -> ()",
            params: &[
                Param::new(
                    Slot::new("self", Type::List(&Type::Tensor), "a", true),
                    None,
                    false,
                ),
                Param::new(Slot::new("factor", Type::Scalar, "", false), None, false),
            ],
            results: &[],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::scale_all_::Default_::call(
                            &mut __0.tensors_mut()?,
                            __1.scalar()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "consume",
            schema: "consume(Tensor self, Tensor(a!) other) -> ()",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("other", Type::Tensor, "a", true), None, false),
            ],
            results: &[],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::consume::Default_::call(
                            __0.tensor()?,
                            __1.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
