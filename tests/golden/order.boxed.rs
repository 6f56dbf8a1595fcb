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
            name: "pick.dim",
            schema: "pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("dim", Type::Int, "", false), None, false),
                Param::new(
                    Slot::new("keepdim", Type::Bool, "", false),
                    Some(|| Value::Bool(false)),
                    false,
                ),
            ],
            results: &[
                Slot::new("values", Type::Tensor, "", false),
                Slot::new("indices", Type::Tensor, "", false),
            ],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::pick::dim::call(
                            __0.tensor()?,
                            __1.int()?,
                            __2.boolean()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "pick.Scalar",
            schema: "pick.Scalar(Tensor self, Scalar other) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("other", Type::Scalar, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::pick::Scalar::call(__0.tensor()?, __1.scalar()?)?,
                    ),
                )
            },
        },
        Operator {
            name: "pick.other",
            schema: "pick.other(Tensor self, Tensor other) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("other", Type::Tensor, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::pick::other::call(__0.tensor()?, __1.tensor()?)?,
                    ),
                )
            },
        },
        Operator {
            name: "pick",
            schema: "pick(Tensor self) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0] = Value::exactly(__values)?;
                Ok(Value::of(crate::ops::pick::Default_::call(__0.tensor()?)?))
            },
        },
    ]
};
