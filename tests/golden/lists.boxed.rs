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
            name: "gathered",
            schema: "gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]",
            params: &[
                Param::new(
                    Slot::new("tensors", Type::List(&Type::Tensor), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new(
                        "masks",
                        Type::List(&Type::Optional(&Type::Tensor)),
                        "",
                        false,
                    ),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("padding", Type::List(&Type::Int), "", false),
                    Some(|| Value::Int(0i64)),
                    false,
                ),
                Param::new(
                    Slot::new(
                        "order",
                        Type::Optional(&Type::List(&Type::Int)),
                        "",
                        false,
                    ),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new(
                        "weights",
                        Type::Optional(&Type::List(&Type::Float)),
                        "",
                        false,
                    ),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::List(&Type::Tensor), "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::gathered::Default_::call(
                            &__0.list(1, Value::tensor)?,
                            &__1.list(1, |__it| __it.optional(Value::tensor))?,
                            &__2.list(2, Value::int)?,
                            __3.optional(|__it| __it.list(1, Value::int))?.as_deref(),
                            __4.optional(|__it| __it.list(1, Value::float))?.as_deref(),
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "settings",
            schema: "settings(Tensor self, str mode='line\\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("mode", Type::Str, "", false),
                    Some(|| Value::Str(::std::string::String::from("line's"))),
                    false,
                ),
                Param::new(
                    Slot::new("other", Type::Optional(&Type::Str), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("eps", Type::Float, "", false),
                    Some(|| Value::Float(0.00001f64)),
                    false,
                ),
                Param::new(
                    Slot::new("reduction", Type::Int, "", false),
                    Some(|| Value::Int(1)),
                    false,
                ),
                Param::new(
                    Slot::new("dims", Type::List(&Type::Int), "", false),
                    Some(|| Value::List(
                        ::std::vec![Value::Int(- 2i64), Value::Int(- 1i64)],
                    )),
                    false,
                ),
                Param::new(
                    Slot::new("limit", Type::Optional(&Type::Scalar), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("memory_format", Type::MemoryFormat, "", false),
                    Some(|| Value::MemoryFormat(
                        ::opwright_runtime::MemoryFormat::Contiguous,
                    )),
                    false,
                ),
            ],
            results: &[
                Slot::new("", Type::Int, "", false),
                Slot::new("", Type::Float, "", false),
                Slot::new("", Type::Bool, "", false),
                Slot::new("", Type::Str, "", false),
            ],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4, __5, __6, __7] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::settings::Default_::call(
                            __0.tensor()?,
                            __1.text()?,
                            __2.optional(Value::text)?,
                            __3.float()?,
                            __4.int()?,
                            &__5.list(2, Value::int)?,
                            __6.optional(Value::scalar)?,
                            __7.memory_format()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
