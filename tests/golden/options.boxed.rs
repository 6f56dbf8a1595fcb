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
            name: "constant",
            schema: "constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
            params: &[
                Param::new(
                    Slot::new("size", Type::List(&Type::Int), "", false),
                    None,
                    false,
                ),
                Param::new(Slot::new("value", Type::Scalar, "", false), None, false),
                Param::new(
                    Slot::new("dtype", Type::Optional(&Type::DType), "", false),
                    Some(|| Value::DType(::opwright_runtime::DType::Int64)),
                    false,
                ),
                Param::new(
                    Slot::new("layout", Type::Optional(&Type::Layout), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("device", Type::Optional(&Type::Device), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("pin_memory", Type::Optional(&Type::Bool), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: Some("constant.out"),
            call: |__values| {
                let [__0, __1, __2, __3, __4, __5] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::constant::Default_::call(
                            &__0.list(1, Value::int)?,
                            __1.scalar()?,
                            __2.optional(Value::dtype)?,
                            __3.optional(Value::layout)?,
                            __4.optional(Value::device)?,
                            __5.optional(Value::boolean)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "constant.out",
            schema: "constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)",
            params: &[
                Param::new(
                    Slot::new("size", Type::List(&Type::Int), "", false),
                    None,
                    false,
                ),
                Param::new(Slot::new("value", Type::Scalar, "", false), None, false),
                Param::new(Slot::new("out", Type::Tensor, "a", true), None, true),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::constant::out::call(
                            &__0.list(1, Value::int)?,
                            __1.scalar()?,
                            __2.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "constant_like",
            schema: "constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("dtype", Type::Optional(&Type::DType), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("layout", Type::Optional(&Type::Layout), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("device", Type::Optional(&Type::Device), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("pin_memory", Type::Optional(&Type::Bool), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new(
                        "memory_format",
                        Type::Optional(&Type::MemoryFormat),
                        "",
                        false,
                    ),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4, __5] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::constant_like::Default_::call(
                            __0.tensor()?,
                            __1.optional(Value::dtype)?,
                            __2.optional(Value::layout)?,
                            __3.optional(Value::device)?,
                            __4.optional(Value::boolean)?,
                            __5.optional(Value::memory_format)?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "new_constant",
            schema: "new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("size", Type::List(&Type::Int), "", false),
                    None,
                    false,
                ),
                Param::new(
                    Slot::new("dtype", Type::Optional(&Type::DType), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("layout", Type::Optional(&Type::Layout), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("device", Type::Optional(&Type::Device), "", false),
                    Some(|| Value::None),
                    false,
                ),
                Param::new(
                    Slot::new("pin_memory", Type::Optional(&Type::Bool), "", false),
                    Some(|| Value::None),
                    false,
                ),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2, __3, __4, __5] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::new_constant::Default_::call(
                            __0.tensor()?,
                            &__1.list(1, Value::int)?,
                            __2.optional(Value::dtype)?,
                            __3.optional(Value::layout)?,
                            __4.optional(Value::device)?,
                            __5.optional(Value::boolean)?,
                        )?,
                    ),
                )
            },
        },
    ]
};
