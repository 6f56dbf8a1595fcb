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
            name: "blend.Tensor",
            schema: "blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("other", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("weight", Type::Scalar, "", false),
                    Some(|| Value::Int(1i64)),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: Some("blend_.Tensor"),
            out: Some("blend.out"),
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::blend::Tensor::call(
                            __0.tensor()?,
                            __1.tensor()?,
                            __2.scalar()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "blend_.Tensor",
            schema: "blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "a", true), None, false),
                Param::new(Slot::new("other", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("weight", Type::Scalar, "", false),
                    Some(|| Value::Int(1i64)),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::blend_::Tensor::call(
                            __0.tensor_mut()?,
                            __1.tensor()?,
                            __2.scalar()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "blend.out",
            schema: "blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("other", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("weight", Type::Scalar, "", false),
                    Some(|| Value::Int(1i64)),
                    false,
                ),
                Param::new(Slot::new("out", Type::Tensor, "a", true), None, true),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::blend::out::call(
                            __0.tensor()?,
                            __1.tensor()?,
                            __2.scalar()?,
                            __3.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
