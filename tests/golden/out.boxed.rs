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
            name: "fold",
            schema: "fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("dim", Type::Optional(&Type::List(&Type::Int)), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("keepdim", Type::Bool, "", false),
                    Some(|| Value::Bool(false)),
                    false,
                ),
                Param::new(
                    Slot::new("dtype", Type::Optional(&Type::DType), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: Some("fold.out"),
            call: |__values| {
                let [__0, __1, __2, __3] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::fold::Default_::call(
                            __0.tensor()?,
                            __1.optional(|__it| __it.list(1, Value::int))?.as_deref(),
                            __2.boolean()?,
                            __3.optional(Value::dtype)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "fold.out",
            schema: "fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("dim", Type::Optional(&Type::List(&Type::Int)), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("keepdim", Type::Bool, "", false),
                    Some(|| Value::Bool(false)),
                    false,
                ),
                Param::new(
                    Slot::new("dtype", Type::Optional(&Type::DType), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(Slot::new("out", Type::Tensor, "a", true), None, true),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::fold::out::call(
                            __0.tensor()?,
                            __1.optional(|__it| __it.list(1, Value::int))?.as_deref(),
                            __2.boolean()?,
                            __3.optional(Value::dtype)?,
                            __4.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "bounds",
            schema: "bounds(Tensor self) -> (Tensor low, Tensor high)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
            ],
            results: &[
                Slot::new("low", Type::Tensor, "", false),
                Slot::new("high", Type::Tensor, "", false),
            ],
            in_place: None,
            out: Some("bounds.out"),
            call: |__values| {
                let [__0] = Value::exactly(__values)?;
                Ok(Value::of(crate::ops::bounds::Default_::call(__0.tensor()?)?))
            },
        },
        Operator {
            name: "bounds.out",
            schema: "bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
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
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::bounds::out::call(
                            __0.tensor()?,
                            __1.tensor_mut()?,
                            __2.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
