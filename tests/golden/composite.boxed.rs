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
            name: "halve",
            schema: "halve(Tensor self) -> Tensor",
            params: &[
                Param::new(Slot::new("self", Type::Tensor, "", false), None, false),
            ],
            results: &[Slot::new("", Type::Tensor, "", false)],
            in_place: None,
            out: None,
            call: |__values| {
                let [__0] = Value::exactly(__values)?;
                Ok(Value::of(crate::ops::halve::Default_::call(__0.tensor()?)?))
            },
        },
    ]
};
