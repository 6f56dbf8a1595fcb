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
            name: "bucket.width",
            schema: "bucket.width(Tensor x, float width) -> Tensor",
            params: &[
                Param::new(Slot::new("x", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("width", Type::Float, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: Some("bucket.width_out"),
            call: |__values| {
                let [__0, __1] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::bucket::width::call(__0.tensor()?, __1.float()?)?,
                    ),
                )
            },
        },
        Operator {
            name: "bucket.width_out",
            schema: "bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)",
            params: &[
                Param::new(Slot::new("x", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("width", Type::Float, "", false), None, false),
                Param::new(Slot::new("out", Type::Tensor, "a", true), None, true),
            ],
            results: &[Slot::new("", Type::Tensor, "a", true)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::bucket::width_out::call(
                            __0.tensor()?,
                            __1.float()?,
                            __2.tensor_mut()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "bucket.edges",
            schema: "bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor",
            params: &[
                Param::new(Slot::new("x", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("edges", Type::Tensor, "", false), None, false),
                Param::new(
                    Slot::new("right", Type::Bool, "", false),
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
                        crate::ops::bucket::edges::call(
                            __0.tensor()?,
                            __1.tensor()?,
                            __2.boolean()?,
                        )?,
                    ),
                )
            },
        },
        Operator {
            name: "bucket.count",
            schema: "bucket.count(Tensor x, str rule, int count) -> Tensor",
            params: &[
                Param::new(Slot::new("x", Type::Tensor, "", false), None, false),
                Param::new(Slot::new("rule", Type::Str, "", false), None, false),
                Param::new(Slot::new("count", Type::Int, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0, __1, __2] = Value::exactly(__values)?;
                Ok(
                    Value::of(
                        crate::ops::bucket::count::call(
                            __0.tensor()?,
                            __1.text()?,
                            __2.int()?,
                        )?,
                    ),
                )
            },
        },
    ]
};
